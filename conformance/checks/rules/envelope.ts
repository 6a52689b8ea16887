// Section 7: three bodies for errors. Which one a response uses is decided by the body itself (interpretation R50).
import type { ClauseId } from '../../../src/contract/generated/clauses.ts';
import { errorStatus } from '../../../src/contract/generated/errors.ts';
import { type Operation, operations } from '../../../src/contract/generated/operations.ts';
import { parseJson } from '../../../src/contract/json.ts';
import { words } from '../../../src/contract/words.ts';
import {
  type Exchange,
  errorCode,
  hasResponse,
  isLimiterRejection,
  isObject,
  isPlatformTrouble,
  isRejectedUrl,
  senderOf,
} from '../../exchange/exchange.ts';
import { findField } from '../../exchange/pointer.ts';
import { isEncodingFault } from '../../exchange/read-json.ts';
import { readWhole } from '../../exchange/stated-limits.ts';
import { statusClause } from '../../judge/expect.ts';
import type { Rule } from '../../judge/judge.ts';
import { type Ledger, show } from '../../judge/ledger.ts';

const statusOfCode: ReadonlyMap<string, number> = new Map(Object.entries(errorStatus));

/** Errors of the contract's own paths whose body could be read; what is not JSON is the business of rule/json. */
function isTested(exchange: Exchange): boolean {
  const isError = exchange.operation !== null && exchange.status >= 400 && exchange.problem === 'none';
  return isError && !isRejectedUrl(exchange);
}

/** `listCalls` counts to the tool family, whose envelope all connect operations have. */
export const errorEnvelope: Rule = {
  id: 'rule/error-envelope',
  title: 'Every error except rate limiting has the documented envelope',
  cites: ['7.envelope.tool', '7.envelope.tool-code', '7.envelope.simple', '4.calls.envelope'],
  level: 'must',
  check(exchange, ledger) {
    if (!isTested(exchange) || isLimiterRejection(exchange) || exchange.operation === null) return;
    const family = operations[exchange.operation].envelope;
    const clause: ClauseId = family === 'tool' ? '7.envelope.tool' : '7.envelope.simple';
    const error = isObject(exchange.json) ? exchange.json.error : undefined;
    const expected = '{ code: string, message: string }';
    const proves: readonly ClauseId[] = exchange.operation === 'listCalls' ? [clause, '4.calls.envelope'] : [clause];
    const claim = { clause, proves, pointer: '/error', expected, actual: show(error), exchange };
    if (!ledger.holds(isObject(error), claim)) return;
    checkFields(exchange, error as Record<string, unknown>, { clause, isTool: family === 'tool', ledger });
  },
};

type Family = { clause: ClauseId; isTool: boolean; ledger: Ledger };

/** The codes of the simple envelope are open ("such as"), those of the tool envelope are closed (R22). */
function checkFields(exchange: Exchange, error: Record<string, unknown>, { clause, isTool, ledger }: Family): void {
  for (const name of ['code', 'message']) {
    const value = error[name];
    const claim = { clause, pointer: `/error/${name}`, expected: 'a string', actual: show(value), exchange };
    ledger.holds(typeof value === 'string', claim);
  }
  if (!isTool || typeof error.code !== 'string') return;
  ledger.holds(statusOfCode.has(error.code), {
    clause: '7.envelope.tool-code',
    pointer: '/error/code',
    expected: 'a documented code',
    actual: show(error.code),
    exchange,
  });
}

/** The only body with a plain string as `error`. It is also looked for where it must not be: under another status. */
export const limiterBody: Rule = {
  id: 'rule/limiter-body',
  title: 'Rate-limit errors have the body { error: "rate_limit_exceeded" }',
  cites: ['7.envelope.limiter', '7.envelope.two-429', '8.blocked-429'],
  level: 'must',
  check(exchange, ledger) {
    // The MCP endpoint has a separate format, which another check tests. Cites 7.envelope.mcp.
    if (exchange.mcpEndpoint === 'mcp' || isRejectedUrl(exchange)) return;
    const error = isObject(exchange.json) ? exchange.json.error : undefined;
    if (exchange.status !== 429) return checkDisguise(exchange, error, ledger);
    if (!hasResponse(exchange)) return;
    const actual = exchange.problem === 'none' ? show(error) : show(exchange.bodyText);
    const claim = { pointer: '/error', expected: '"rate_limit_exceeded"', actual, exchange } as const;
    // Only the limiter returns 429 without a valid key, because such requests never reach a platform.
    if (isLimiterRejection(exchange) || !isKeyed(exchange)) {
      const proves: readonly ClauseId[] = ['7.envelope.limiter', '8.blocked-429'];
      ledger.holds(error === 'rate_limit_exceeded', { ...claim, clause: '7.envelope.limiter', proves });
      return;
    }
    // Articles, sites and keywords need no platform, so an envelope there is very likely the service's. It surely is
    // if the headers say that nothing remains.
    const isSimple = exchange.operation !== null && operations[exchange.operation].envelope === 'simple';
    const isOver = readWhole(exchange.headers['x-ratelimit-remaining']) === 0;
    const words = { ...claim, clause: '7.envelope.limiter', message: 'this endpoint uses no platform' } as const;
    if (isSimple && isOver) ledger.holds(false, words);
    else if (isSimple) ledger.record('warn', words);
  },
};

const isKeyed = ({ key }: Exchange): boolean => key === 'good' || key === 'second';

function checkDisguise(exchange: Exchange, error: unknown, ledger: Ledger): void {
  if (error !== 'rate_limit_exceeded') return;
  const actual = `${exchange.status} with the body of a rate-limit error`;
  ledger.holds(false, { clause: '8.blocked-429', pointer: '#status', expected: '429', actual, exchange });
}

/** One finding covers both: the row of the code, and the agreement of codes and statuses. */
export const codeStatus: Rule = {
  id: 'rule/code-status',
  title: 'Every error code has its documented status',
  cites: [
    ...words('7.code.status-agrees 7.code.unauthorized 7.code.invalid-input 7.code.not-found'),
    ...words('7.code.not-supported 7.code.payment-required 7.code.provider-auth 7.code.provider-permission'),
    ...words('7.code.rate-limited 7.code.provider-error 7.code.transient 7.code.payload-too-large'),
  ],
  level: 'must',
  check(exchange, ledger) {
    const code = errorCode(exchange);
    const expected = code === null ? undefined : statusOfCode.get(code);
    if (code === null || expected === undefined || exchange.operation === null || isRejectedUrl(exchange)) return;
    const clause = `7.code.${code.replaceAll('_', '-')}` as ClauseId;
    const actual = `${exchange.status} with code ${show(code)}`;
    ledger.holds(exchange.status === expected, {
      clause,
      proves: [clause, '7.code.status-agrees'],
      pointer: '#status',
      expected: String(expected),
      actual,
      exchange,
    });
  },
};

/** Where and how `issues` lists the problems is open (interpretation R26); that it does is not. */
export const issues: Rule = {
  id: 'rule/issues',
  title: 'invalid_input lists each problem in issues',
  cites: ['7.code.invalid-input-issues'],
  level: 'must',
  check(exchange, ledger) {
    if (!isTested(exchange) || errorCode(exchange) !== 'invalid_input' || exchange.operation === null) return;
    const { value: found, pointer } = findField(exchange.json, 'issues');
    const isListed = (Array.isArray(found) && found.length > 0) || (isObject(found) && Object.keys(found).length > 0);
    const isSimple = operations[exchange.operation].envelope === 'simple';
    // R22, R26: codes of the simple envelope are open, and a body that is not JSON has no fields to list.
    const severity = isSimple || isUnreadable(exchange) ? 'note' : 'fail';
    const claim = { pointer, expected: 'a non-empty issues list', actual: show(found), exchange } as const;
    ledger.holds(isListed, { ...claim, clause: '7.code.invalid-input-issues' }, severity);
  },
};

/** Bytes that are not UTF-8, and lists too deep for many readers. */
const noJson = /\uFFFD|\[{100}/;

/** A body that is too large to be kept is known by the command that writes it. */
const largeObject = /^\{ printf '\{"\w+":/;

/** Whether the request held no fields at all: then there is nothing to list. */
function isUnreadable(exchange: Exchange): boolean {
  if (exchange.requestBody.bytes === 0) return exchange.method !== 'GET';
  const { text, command = '' } = exchange.requestBody;
  return text === null ? !largeObject.test(command) : noJson.test(text) || !isObject(parseJson(text));
}

/** The values of `reason` are open (interpretation R27). */
export const paymentReason: Rule = {
  id: 'rule/payment-reason',
  title: 'payment_required has a reason',
  cites: ['7.code.payment-required-reason'],
  level: 'must',
  check(exchange, ledger) {
    if (!isTested(exchange) || errorCode(exchange) !== 'payment_required') return;
    const { value: found, pointer } = findField(exchange.json, 'reason');
    const claim = { pointer, expected: 'a non-empty reason string', actual: show(found), exchange } as const;
    ledger.holds(typeof found === 'string' && found !== '', { ...claim, clause: '7.code.payment-required-reason' });
  },
};

// The status of every response: one of the code table, and listed for its endpoint. A redirect leads out of the base
// address, and the kit follows none.

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
