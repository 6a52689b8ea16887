// The status of every response: one of the code table, and listed for its endpoint. A redirect leads out of the base
// address, and the kit follows none.
import type { ClauseId } from '../../../src/contract/generated/clauses.ts';
import { errorStatus } from '../../../src/contract/generated/errors.ts';
import { type Operation, operations } from '../../../src/contract/generated/operations.ts';
import { type Exchange, hasResponse, isPlatformTrouble, isRejectedUrl } from '../../exchange/exchange.ts';
import { statusClause } from '../../judge/expect.ts';
import { type Ledger, show } from '../../judge/ledger.ts';
import type { Rule } from '../../judge/rule.ts';

const inCodeTable: ReadonlySet<number> = new Set(Object.values(errorStatus));

export const status: Rule = {
  id: 'rule/status',
  title: 'Every status is documented',
  cites: [
    '4.connect.statuses',
    '4.articles.list.statuses',
    '4.articles.get.statuses',
    '4.sites.list.statuses',
    '4.sites.get.statuses',
    '4.keywords.list.statuses',
    '4.calls.statuses',
    '4.connect.envelope',
    '4.paths-relative',
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
