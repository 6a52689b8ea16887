// The size of pages, and invalid values of limit and since.
import { count } from '../../../src/terminal/count.ts';
import {
  type CallPage,
  deliveriesIn,
  labels,
  limitDefault,
  limitMax,
  logIn,
  pageOf,
  pagesIn,
  queryOf,
  showsInRow,
  snapshotsIn,
} from '../../exchange/call-log.ts';
import { dataOf, listOf, nameOfResponse } from '../../exchange/exchange.ts';
import { type History, labelled, responsesTo } from '../../exchange/history.ts';
import { isObstacle } from '../../judge/accounts.ts';
import { about } from '../../judge/claims.ts';
import { hasStatus, judgeable } from '../../judge/expect.ts';
import type { Judged, Judgment } from '../../judge/judge.ts';

/** The largest legal page: the requested limit if it is in range, otherwise the maximum (R38). */
function mostOn({ limit, exchange: { target } }: CallPage): number {
  if (limit === null) return /[?&]limit=/.test(target) ? limitMax : limitDefault;
  return limit >= 1 && limit <= limitMax ? limit : limitMax;
}

export const limit: Judged = {
  id: 'calls/limit',
  title: 'The call log returns at most limit calls per page',
  clauses: ['4.calls.limit-ceiling', '4.calls.limit', '8.calls-limit'],
  scenarios: ['calls/listing', 'calls/log', 'calls/cut', 'calls/snapshot'],
  *judge(history) {
    const pages = pagesIn(history);
    const known = pages.reduce((most, page) => Math.max(most, page.count), 0);
    // A page without further calls proves nothing.
    for (const page of pages.filter((one) => known > mostOn(one) || one.count >= limitMax)) {
      const words = { expected: `at most ${mostOn(page)}`, actual: count(page.count, 'call') };
      const proves = ['4.calls.limit-ceiling', '4.calls.limit', '8.calls-limit'] as const;
      const claim = about(page.exchange, '4.calls.limit-ceiling', '/data/calls');
      yield { ...claim, ...words, proves, isTrue: page.count <= mostOn(page) };
    }
    yield* acceptsMost(history);
    yield* fillsDefault(history, [...deliveriesIn(history), ...snapshotsIn(history)]);
  },
};

/** The position was accepted with limit=1. */
function* acceptsMost(history: History): Iterable<Judgment> {
  const { since } = labelled(history, labels.first).map(queryOf).at(-1) ?? { since: null };
  const isLarge = (one: ReturnType<typeof queryOf>) => one.limit === limitMax && one.since === since;
  const exchange = responsesTo(history, 'listCalls').find((one) => since !== null && isLarge(queryOf(one)));
  if (exchange === undefined) return;
  const proof = { clause: '4.calls.limit', proves: ['4.calls.limit', '8.calls-limit'] } as const;
  const tested = isObstacle(exchange) ? null : hasStatus(exchange, 200, proof);
  if (tested !== null) yield tested;
}

/** A page can be short, unless the same server fills it when the limit is explicit. */
function* fillsDefault(history: History, pages: readonly CallPage[]): Iterable<Judgment> {
  const full = new Map(pages.filter(isFilled).map((page) => [page.since, page]));
  for (const page of pages.filter((one) => one.limit === null && one.count < limitDefault)) {
    const filled = full.get(page.since);
    if (filled === undefined) continue;
    const words = { expected: `${limitDefault}`, actual: count(page.count, 'call') };
    const message = `limit=${limitDefault} returns ${limitDefault}`;
    const isShownIn = (one: CallPage['exchange']) => {
      const again = one.key === 'good' ? pageOf(one, history.given) : null;
      return again !== null && again.since === page.since && isFilled(again);
    };
    const claim = { ...about(page.exchange, '4.calls.limit', '/data/calls'), ...words, message };
    yield { ...claim, isTrue: false, of: [page.exchange], witness: filled.exchange, isShownIn };
  }
}

const isFilled = (page: CallPage) => page.limit === limitDefault && page.count === limitDefault;

/** R38: rejected with 400, clamped or ignored, but never more rows than the maximum, and never a 500. */
export const invalid: Judged = {
  id: 'calls/bad-since',
  title: 'The call log returns 200 or 400 for a malformed since or limit',
  clauses: ['4.calls.statuses', '4.calls.limit-ceiling', '4.calls.bad-parameters', '4.calls.since'],
  scenarios: ['calls/listing', 'calls/log', 'calls/invalid', 'calls/rare-invalid'],
  *judge(history) {
    for (const exchange of labelled(history, labels.invalid)) {
      if (!(yield* judgeable(history, exchange))) continue;
      if (isObstacle(exchange)) {
        yield { doubt: 'platform', message: `the call log returned ${nameOfResponse(exchange)}` };
        continue;
      }
      const tested = hasStatus(exchange, [200, 400], '4.calls.statuses');
      if (tested !== null) yield tested;
      if (exchange.status !== 200) continue;
      const rows = listOf(dataOf(exchange).calls).length;
      // Whether there are more than that is not known here, so few rows prove nothing.
      const claim = { ...about(exchange, '4.calls.limit-ceiling', '/data/calls'), proves: [] } as const;
      yield { ...claim, expected: `at most ${limitMax}`, actual: count(rows, 'call'), isTrue: rows <= limitMax };
    }
    for (const exchange of labelled(history, labels.valid)) yield* isUnaffected(history, exchange);
  },
};

/** A poll after invalid requests. A call may have been removed; nothing explains that it comes back (R59). */
function* isUnaffected(history: History, exchange: CallPage['exchange']): Iterable<Judgment> {
  if (isObstacle(exchange) || !(yield* judgeable(history, exchange))) return;
  const message = 'the request is valid and was sent after an unexpected query';
  const tested = hasStatus(exchange, 200, { clause: '4.calls.since', proves: [] });
  if (tested !== null) yield { message, ...tested };
  const { first } = logIn(history) ?? { first: null };
  if (first === null || first.count === 0 || pageOf(exchange, history.given)?.count !== 0) return;
  const claim = { ...about(exchange, '4.calls.since', '/data/calls'), expected: 'the first call, as before' };
  const confirmed = { of: [exchange], isShownIn: showsInRow(first.seen, history) };
  yield { ...claim, actual: 'no calls after a malformed query', isTrue: false, ...confirmed };
}
