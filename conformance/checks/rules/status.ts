// The status of every response: one of the code table, and listed for its endpoint. A redirect leads out of the base
// address, and the kit follows none.
import type { ClauseId } from '../../../src/contract/generated/clauses.ts';
import { errorStatus } from '../../../src/contract/generated/errors.ts';
import { type Operation, operations } from '../../../src/contract/generated/operations.ts';
import { words } from '../../../src/contract/words.ts';
import { type Exchange, hasResponse, isPlatformTrouble, isRejectedUrl, senderOf } from '../../exchange/exchange.ts';
import { isEncodingFault } from '../../exchange/read-json.ts';
import { statusClause } from '../../judge/expect.ts';
import type { Rule } from '../../judge/judge.ts';
import { type Ledger, show } from '../../judge/ledger.ts';

const inCodeTable: ReadonlySet<number> = new Set(Object.values(errorStatus));

export const status: Rule = {
  id: 'rule/status',
  title: 'Every status is documented',
  cites: [
    ...words('4.connect.statuses 4.articles.list.statuses 4.articles.get.statuses 4.sites.list.statuses'),
    ...words('4.sites.get.statuses 4.keywords.list.statuses 4.calls.statuses 4.connect.envelope 4.paths-relative'),
    '9.base-path',
  ],
  level: 'must',
  check(exchange, ledger) {
    if (exchange.operation === null || !hasResponse(exchange)) return;
    // Trouble of a platform or a gateway proves nothing, unless its status is wrong.
    if (isPlatformTrouble(exchange) && inCodeTable.has(exchange.status)) return;
    const operation = operations[exchange.operation];
    if (exchange.status >= 300 && exchange.status < 400) return checkRedirect(exchange, ledger);
    const isOtherSuccess = exchange.status > 200 && exchange.status < 300;
    const isKnown = exchange.status === 200 || inCodeTable.has(exchange.status);
    const isOfUrl = isRejectedUrl(exchange);
    if (isOfUrl && exchange.status < 500) return;
    const claim = {
      clause: isOtherSuccess ? successClause(operation) : statusClause(operation.id),
      pointer: '#status',
      expected: `one of 200, ${[...inCodeTable].sort((a, b) => a - b).join(', ')}`,
      actual: String(exchange.status),
      exchange,
      proves: exchange.status === 200 ? successProves(operation, exchange) : [statusClause(operation.id)],
    };
    // 504 and similar statuses usually come from a gateway and not from the service.
    if (!ledger.holds(isKnown, claim, exchange.status === 504 || isOfUrl ? 'warn' : 'fail')) return;
    if (isListed(operation, exchange.status)) return;
    const listed = operation.statuses.join(', ');
    ledger.record('warn', {
      ...claim,
      expected: `one of ${listed}`,
      message: 'the status is documented for other endpoints only',
    });
  },
};

/** A success of a connected-account endpoint is 200, by the table above its row. */
function successClause(operation: Operation): ClauseId {
  const isEnveloped = operation.envelope === 'tool' && operation.id !== 'listCalls';
  return isEnveloped ? '4.connect.envelope' : statusClause(operation.id);
}

/** A response of the endpoint, at its path below the base address and under the version that this names. */
function successProves({ id }: Operation, { url, target }: Exchange): ClauseId[] {
  const base = url.slice(0, url.length - target.length);
  return [statusClause(id), '4.paths-relative', ...(base.endsWith('/api/v1') ? (['9.base-path'] as const) : [])];
}

/** Out of the base address, to another version or elsewhere. */
function checkRedirect(exchange: Exchange, ledger: Ledger): void {
  const base = exchange.url.slice(0, exchange.url.length - exchange.target.length);
  const to = exchange.headers.location ?? '';
  const isBelow = URL.canParse(to, exchange.url) && new URL(to, exchange.url).href.startsWith(base);
  const isOtherVersion = !isBelow && /\/v\d+(\/|$)/.test(to);
  const outside = isOtherVersion ? '9.base-path' : '4.paths-relative';
  ledger.holds(false, {
    clause: isBelow && exchange.operation !== null ? statusClause(exchange.operation) : outside,
    pointer: '#status',
    expected: 'a response without a redirect',
    actual: `${exchange.status}, a redirect to ${show(to)}`,
    exchange,
  });
}

/** The code table allows 413 and 503 for any request (interpretation R25). */
function isListed(operation: Operation, code: number): boolean {
  return operation.statuses.includes(code) || code === 413 || code === 503;
}

// The first sentence of section 4: everything is JSON. One root cause is one finding here; most other rules pass over a
// body that is not JSON.

/** `application/json` and every type that ends in `+json` (interpretation R4). */
const jsonType = /^[\w.+-]+\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

export const json: Rule = {
  id: 'rule/json',
  title: 'Every response is JSON with a JSON content type',
  cites: ['4.json', '1.http-json'],
  level: 'must',
  check(exchange, ledger) {
    if (exchange.operation === null || !hasResponse(exchange)) return;
    // A gateway in front of the service returns 502 and 503 in its own words: likely not the service's own response.
    const severity = exchange.status >= 502 && exchange.status <= 504 ? 'warn' : 'fail';
    const isJson = exchange.problem === 'none';
    const actual = `${show(exchange.bodyText)}${exchange.problemDetail ? ` (${exchange.problemDetail})` : ''}`;
    const sender = senderOf(exchange);
    const body = { clause: '4.json', pointer: '#body', expected: 'a JSON body', actual, exchange } as const;
    if (isRejectedUrl(exchange)) return isJson ? undefined : ledger.record('note', body);
    const proves = ['4.json', '1.http-json'] as const;
    const fault = isJson && isEncodingFault(exchange.problemDetail) ? exchange.problemDetail : null;
    if (fault !== null) ledger.holds(false, { ...body, expected: 'JSON in UTF-8', actual: fault }, severity);
    ledger.holds(
      isJson,
      { ...body, proves, ...(sender === null ? {} : { message: `${sender} seems to have responded` }) },
      severity,
    );
    const type = exchange.headers['content-type'];
    const claim = {
      clause: '4.json',
      pointer: '#header/content-type',
      expected: 'a JSON media type',
      actual: show(type),
      exchange,
    } as const;
    // JSON inside of JSON is a string to every client; no body of the contract is one.
    if (typeof exchange.json === 'string') {
      ledger.holds(false, { clause: '4.json', pointer: '', expected: 'a JSON object', actual, exchange }, severity);
    }
    // A body that is not JSON is one finding; its type has the same root cause.
    if (isJson) ledger.holds(jsonType.test(type ?? ''), claim, severity);
  },
};

// A key that comes back in a response ends in the logs and on the screens of its readers. Every spelling that the
// redaction knows counts.

export const secrecy: Rule = {
  id: 'rule/key-secrecy',
  title: 'No response contains the API key',
  cites: ['5.bearer-header'],
  // The contract does not forbid it in words; good sense does.
  level: 'should',
  isForMcp: true,
  check(exchange, ledger, context) {
    if (!hasResponse(exchange)) return;
    const places = { '#body': exchange.bodyText, '#headers': Object.values(exchange.headers).join('\n') };
    for (const [pointer, text] of Object.entries(places)) {
      const found = context.findSecrets(text);
      const claim = { pointer, expected: 'no API key', actual: found.join(', ') || 'none', exchange };
      if (isPlatformTrouble(exchange) && found.length === 0) continue;
      ledger.holds(found.length === 0, { ...claim, clause: '5.bearer-header' });
    }
  },
};
