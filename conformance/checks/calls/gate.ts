// Whether the log can be read, and read again, and how its cursors lead from page to page.
import { count } from '../../../src/terminal/count.ts';
import { beginning, deliveriesIn, gateIn, labels, limitMax, logIn, pagesIn, queryOf } from '../../exchange/call-log.ts';
import { type Exchange, nameOfResponse } from '../../exchange/exchange.ts';
import { type History, labelled, responsesTo } from '../../exchange/history.ts';
import { isObstacle } from '../../judge/accounts.ts';
import { hasCursor } from '../../judge/call-cursor.ts';
import { about, aboutStatus } from '../../judge/claims.ts';
import { hasStatus, judgeable } from '../../judge/expect.ts';
import type { Judged, Judgment } from '../../judge/judge.ts';
import { show } from '../../judge/ledger.ts';

export const listing: Judged = {
  id: 'calls/listing',
  title: 'GET /connect/calls/log accepts an ISO 8601 since',
  clauses: ['4.calls.endpoint', '4.calls.since'],
  scenarios: ['calls/listing'],
  *judge(history) {
    const tried = labelled(history, labels.first);
    const exchange = tried.find(({ status }) => status === 200) ?? tried[0];
    if (exchange === undefined || !(yield* judgeable(history, exchange))) return;
    const actual = nameOfResponse(exchange);
    if (actual === '401 provider_auth') {
      const words = { expected: 'another code, because the request names no account', actual };
      yield { ...about(exchange, '5.provider-auth', '#status'), ...words, isTrue: false };
      return;
    }
    const { since } = queryOf(exchange);
    if (since !== beginning) {
      // The age of a log is not specified.
      const words = { expected: `200 for since=${beginning}`, actual: `400, and 200 for since=${since}` };
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
export const reread: Judged = {
  id: 'calls/re-read',
  title: 'The call log returns the same calls for the same since',
  clauses: ['4.calls.exactly-once', '4.calls.reread', '3.call.final-outcome'],
  // R36: "exactly once" can also mean that reads consume calls. Then a client that loses a response loses calls.
  level: 'should',
  scenarios: ['calls/listing'],
  *judge(history) {
    const { first, again, isOpen, likeness } = gateIn(history) ?? { again: null };
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
export const nextCursor: Judged = {
  id: 'calls/next-cursor',
  title: 'The call log returns a valid nextCursor with calls and null without',
  clauses: ['4.calls.next-cursor-string', '4.calls.next-cursor-null', '4.calls.since', '4.calls.exactly-once'],
  scenarios: ['calls/listing', 'calls/log', 'calls/exact-page'],
  *judge(history) {
    for (const page of deliveriesIn(history)) yield* hasCursor(page);
    yield* areAccepted(history);
    const log = logIn(history);
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
  const cursors = new Set(pagesIn(history).map((page) => page.nextCursor));
  const accepted = new Set<string>();
  for (const exchange of responsesTo(history, 'listCalls')) {
    const { since, limit } = queryOf(exchange);
    const isValid = limit === null ? !exchange.target.includes('limit=') : limit >= 1 && limit <= limitMax;
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
