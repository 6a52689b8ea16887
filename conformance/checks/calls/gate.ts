// Whether the log can be read, and read again, and how its cursors lead from page to page.
import { count } from '../../../src/terminal/count.ts';
import * as callLog from '../../exchange/call-log.ts';
import { dataOf, type Exchange, isObstacle, listOf, nameOfResponse } from '../../exchange/exchange.ts';
import { type History, labelled, responsesTo } from '../../exchange/history.ts';
import { hasCursor } from '../../judge/calls.ts';
import { about, aboutStatus, hasStatus, judgeable } from '../../judge/expect.ts';
import type { Judged, Judgment } from '../../judge/judge.ts';
import { show } from '../../judge/ledger.ts';

const listing: Judged = {
  id: 'calls/listing',
  title: 'GET /connect/calls/log accepts an ISO 8601 since',
  clauses: ['4.calls.endpoint', '4.calls.since'],
  scenarios: ['calls/listing'],
  *judge(history) {
    const tried = labelled(history, callLog.labels.first);
    const exchange = tried.find(({ status }) => status === 200) ?? tried[0];
    if (exchange === undefined || !(yield* judgeable(history, exchange))) return;
    const actual = nameOfResponse(exchange);
    if (actual === '401 provider_auth') {
      const words = { expected: 'another code, because the request names no account', actual };
      yield { ...about(exchange, '5.provider-auth', '#status'), ...words, isTrue: false };
      return;
    }
    const { since } = callLog.queryOf(exchange);
    if (since !== callLog.beginning) {
      // The age of a log is not specified.
      const words = { expected: `200 for since=${callLog.beginning}`, actual: `400, and 200 for since=${since}` };
      yield { ...about(exchange, '4.calls.since', '#status'), ...words, severity: 'note' };
    }
    if (isObstacle(exchange) || actual === '400 not_supported') {
      yield { doubt: 'precondition', message: `the call log returned ${actual}` };
      return;
    }
    const proves = ['4.calls.endpoint', '4.calls.since'] as const;
    const tested = hasStatus(exchange, 200, { clause: '4.calls.endpoint', proves });
    if (tested !== null) yield tested;
  },
};

/** The gate: a run must not take calls from a real client, so a log that reads consume is left alone. */
const reread: Judged = {
  id: 'calls/re-read',
  title: 'The call log returns the same calls for the same since',
  clauses: ['4.calls.exactly-once', '4.calls.reread', '3.call.final-outcome'],
  // R36: "exactly once" can also mean that reads consume calls. Then a client that loses a response loses calls.
  level: 'should',
  scenarios: ['calls/listing'],
  *judge(history) {
    const { first, again, isOpen, likeness } = callLog.gateIn(history) ?? { again: null };
    if (first === undefined || again === null) return;
    // calls/final checks changed fields: the call is still the same one, so reading continues (R36).
    const fields = (likeness?.fields ?? []).map((path) => path || 'all of it').join(', ');
    const claim = { pointer: '/data/calls/0', expected: `the same as ${first.exchange.id}`, exchange: again.exchange };
    if (likeness?.kind === 'moved') {
      const words = { actual: `the same call except ${fields}`, message: 'changes with time are ignored' };
      yield { ...claim, ...words, clause: '4.calls.reread', severity: 'note' };
    }
    yield {
      ...claim,
      isTrue: isOpen,
      clause: '4.calls.exactly-once',
      actual: again.calls.length === 0 ? 'no calls' : `a call with another ${fields}`,
      message: 'reading seems to remove calls, so the suite stops reading the call log',
    };
  },
};

/** An empty page is the only end in section 4. */
const nextCursor: Judged = {
  id: 'calls/next-cursor',
  title: 'The call log returns a valid nextCursor with calls and null without',
  clauses: ['4.calls.next-cursor-string', '4.calls.next-cursor-null', '4.calls.since', '4.calls.exactly-once'],
  scenarios: ['calls/listing', 'calls/log', 'calls/exact-page'],
  *judge(history) {
    for (const page of callLog.deliveriesIn(history)) yield* hasCursor(page);
    yield* areAccepted(history);
    const log = callLog.logIn(history);
    if (log === null) return;
    const { chain, end } = log;
    const last = chain.at(-1) ?? chain[0];
    if (end === 'circle') {
      const words = { expected: 'a new cursor after these calls', actual: `the cursor ${show(last.nextCursor)} again` };
      yield { ...about(last.exchange, '4.calls.exactly-once', '/data/nextCursor'), ...words, isTrue: false };
    } else if (end === 'unread') {
      yield { doubt: 'budget', message: `more calls after ${count(chain.length, 'page')}` };
    }
  },
};

/** A position that was handed out, or accepted before, is accepted after any requests in between. */
function* areAccepted(history: History): Iterable<Judgment> {
  const cursors = new Set(callLog.pagesIn(history).map((page) => page.nextCursor));
  const accepted = new Set<string>();
  for (const exchange of responsesTo(history, 'listCalls')) {
    const { since, limit } = callLog.queryOf(exchange);
    const isValid = limit === null ? !exchange.target.includes('limit=') : limit >= 1 && limit <= callLog.limitMax;
    if (since === null || !isValid) continue;
    if (exchange.status === 200) accepted.add(since);
    else if (accepted.has(since) || cursors.has(since)) yield* isRejectedAgain(history, exchange, accepted.has(since));
  }
}

function* isRejectedAgain(history: History, exchange: Exchange, wasAccepted: boolean): Iterable<Judgment> {
  // The key of a client can be invalid.
  if (history.isRecorded) return;
  const clause = wasAccepted ? '4.calls.since' : '4.calls.next-cursor-string';
  const message = `since was ${wasAccepted ? 'accepted' : 'returned as nextCursor'} before`;
  if (isObstacle(exchange)) yield { doubt: 'platform', message: `a page returned ${nameOfResponse(exchange)}` };
  else yield { ...aboutStatus(exchange, clause), expected: '200', message, isTrue: false };
}

/** The largest legal page: the requested limit if it is in range, otherwise the maximum (R38). */
function mostOn({ limit, exchange: { target } }: callLog.CallPage): number {
  if (limit === null) return /[?&]limit=/.test(target) ? callLog.limitMax : callLog.limitDefault;
  return limit >= 1 && limit <= callLog.limitMax ? limit : callLog.limitMax;
}

const limit: Judged = {
  id: 'calls/limit',
  title: 'The call log returns at most limit calls per page',
  clauses: ['4.calls.limit-ceiling', '4.calls.limit', '8.calls-limit'],
  scenarios: ['calls/listing', 'calls/log', 'calls/cut', 'calls/snapshot'],
  *judge(history) {
    const pages = callLog.pagesIn(history);
    const known = pages.reduce((most, page) => Math.max(most, page.count), 0);
    // A page without further calls proves nothing.
    for (const page of pages.filter((one) => known > mostOn(one) || one.count >= callLog.limitMax)) {
      const words = { expected: `at most ${mostOn(page)}`, actual: count(page.count, 'call') };
      const proves = ['4.calls.limit-ceiling', '4.calls.limit', '8.calls-limit'] as const;
      const claim = about(page.exchange, '4.calls.limit-ceiling', '/data/calls');
      yield { ...claim, ...words, proves, isTrue: page.count <= mostOn(page) };
    }
    yield* acceptsMost(history);
    yield* fillsDefault(history, [...callLog.deliveriesIn(history), ...callLog.snapshotsIn(history)]);
  },
};

/** The position was accepted with limit=1. */
function* acceptsMost(history: History): Iterable<Judgment> {
  const { since } = labelled(history, callLog.labels.first).map(callLog.queryOf).at(-1) ?? { since: null };
  const isLarge = (one: ReturnType<typeof callLog.queryOf>) => one.limit === callLog.limitMax && one.since === since;
  const exchange = responsesTo(history, 'listCalls').find((one) => since !== null && isLarge(callLog.queryOf(one)));
  if (exchange === undefined) return;
  const proof = { clause: '4.calls.limit', proves: ['4.calls.limit', '8.calls-limit'] } as const;
  const tested = isObstacle(exchange) ? null : hasStatus(exchange, 200, proof);
  if (tested !== null) yield tested;
}

/** A page can be short, unless the same server fills it when the limit is explicit. */
function* fillsDefault(history: History, pages: readonly callLog.CallPage[]): Iterable<Judgment> {
  const full = new Map(pages.filter(isFilled).map((page) => [page.since, page]));
  for (const page of pages.filter((one) => one.limit === null && one.count < callLog.limitDefault)) {
    const filled = full.get(page.since);
    if (filled === undefined) continue;
    const words = { expected: `${callLog.limitDefault}`, actual: count(page.count, 'call') };
    const message = `limit=${callLog.limitDefault} returns ${callLog.limitDefault}`;
    const isShownIn = (one: callLog.CallPage['exchange']) => {
      const again = one.key === 'good' ? callLog.pageOf(one, history.given) : null;
      return again !== null && again.since === page.since && isFilled(again);
    };
    const claim = { ...about(page.exchange, '4.calls.limit', '/data/calls'), ...words, message };
    yield { ...claim, isTrue: false, of: [page.exchange], witness: filled.exchange, isShownIn };
  }
}

const isFilled = (page: callLog.CallPage) => page.limit === callLog.limitDefault && page.count === callLog.limitDefault;

/** R38: rejected with 400, clamped or ignored, but never more rows than the maximum, and never a 500. */
const invalid: Judged = {
  id: 'calls/bad-since',
  title: 'The call log returns 200 or 400 for a malformed since or limit',
  clauses: ['4.calls.statuses', '4.calls.limit-ceiling', '4.calls.bad-parameters', '4.calls.since'],
  scenarios: ['calls/listing', 'calls/log', 'calls/invalid', 'calls/rare-invalid'],
  *judge(history) {
    for (const exchange of labelled(history, callLog.labels.invalid)) {
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
      yield {
        ...claim,
        expected: `at most ${callLog.limitMax}`,
        actual: count(rows, 'call'),
        isTrue: rows <= callLog.limitMax,
      };
    }
    for (const exchange of labelled(history, callLog.labels.valid)) yield* isUnaffected(history, exchange);
  },
};

/** A poll after invalid requests. A call may have been removed; nothing explains that it comes back (R59). */
function* isUnaffected(history: History, exchange: callLog.CallPage['exchange']): Iterable<Judgment> {
  if (isObstacle(exchange) || !(yield* judgeable(history, exchange))) return;
  const message = 'the request is valid and was sent after an unexpected query';
  const tested = hasStatus(exchange, 200, { clause: '4.calls.since', proves: [] });
  if (tested !== null) yield { message, ...tested };
  const { first } = callLog.logIn(history) ?? { first: null };
  if (first === null || first.count === 0 || callLog.pageOf(exchange, history.given)?.count !== 0) return;
  const claim = { ...about(exchange, '4.calls.since', '/data/calls'), expected: 'the first call, as before' };
  const confirmed = { of: [exchange], isShownIn: callLog.showsInRow(first.seen, history) };
  yield { ...claim, actual: 'no calls after a malformed query', isTrue: false, ...confirmed };
}

export const callGate: readonly Judged[] = [listing, reread, limit, nextCursor, invalid];
