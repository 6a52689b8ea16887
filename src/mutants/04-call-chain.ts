// The chain of polls broken: calls lost, repeated, early, out of order, or changed after delivery.
// Cites 4.calls.settled-only, 4.calls.exactly-once, 4.calls.oldest-first, 4.calls.next-cursor-string,
// 4.calls.next-cursor-null, 3.call.final-outcome.
import type { CallRecord } from '../contract/basis.ts';
import { formatVisibility, parsePosition } from '../domain/call.ts';
import { Calls } from '../domain/calls.ts';
import { asPage, calibrationLog, callsIn, limitOf, onPoll, pageSince, visibleCalls } from './hooks/call-stream.ts';
import { mutantsOf, type Wrap } from './hooks/mutant.ts';
import { type KeyedRequest, onRequest, onSuccess } from './hooks/recipes.ts';
import { change, type Json, put, withQuery } from './hooks/rewrite.ts';

/** Another text for a cursor that is there. */
const onCursor = (edit: (cursor: string, exchange: KeyedRequest) => Json): Wrap =>
  onPoll((page, exchange) =>
    typeof page.nextCursor === 'string' ? { ...page, nextCursor: edit(page.nextCursor, exchange) } : page,
  );

/** A cursor of the same millisecond with another place among its calls. */
function withOrdinal(cursor: string, ordinal: (own: number) => number): string {
  const { atMs, ordinal: own } = parsePosition(cursor);
  return formatVisibility({ visibleAtMs: atMs, ordinal: ordinal(own) });
}

const settledAfter = (settleMs: number) =>
  calibrationLog(
    ({ calls }) =>
      new Calls(
        calls.toData().map(({ visibleAt: _own, ...call }) => call),
        settleMs,
      ),
  );

const settles = (settleMs: number): Wrap => {
  const calibration = settledAfter(settleMs);
  return onPoll((_page, exchange) => {
    const { organization, query, context } = exchange;
    const page = calibration(organization).since(query.since ?? '', {
      limit: limitOf(exchange),
      nowMs: context.nowMs(),
    });
    return asPage(page.calls, page.nextCursor);
  });
};

export const callChainMutants = mutantsOf({
  '4.calls.exactly-once': {
    'calls-tie-lost-between-pages': [
      'Of calls that became visible in one millisecond, those after a page edge are lost.',
      onCursor((cursor) => withOrdinal(cursor, () => 999_999)),
    ],
    'calls-lost-at-page-edge': [
      'The first call after each full page is lost.',
      onCursor((cursor, exchange) => pageSince(exchange, { since: cursor, limit: 1 }).nextCursor ?? cursor),
    ],
    'calls-201st-lost': [
      'The call after a full page of 200 is lost; no call is lost after smaller pages.',
      onCursor((cursor, exchange) =>
        limitOf(exchange) === 200 && pageSince(exchange, {}).calls.length === 200
          ? (pageSince(exchange, { since: cursor, limit: 1 }).nextCursor ?? cursor)
          : cursor,
      ),
    ],
    'calls-lost-behind-pages-of-two': [
      'A page of two calls after a cursor leaves out the first; pages of other sizes lose none.',
      onPoll((page, exchange) => {
        const isOn = limitOf(exchange) === 2 && visibleCalls(exchange)[0]?.id !== callsIn(page)[0]?.id;
        const { nextCursor } = pageSince(exchange, { limit: 1 });
        if (!isOn || nextCursor === null) return page;
        const rest = pageSince(exchange, { since: nextCursor });
        return rest.calls.length === 0 ? page : asPage(rest.calls, rest.nextCursor);
      }),
    ],
    'calls-one-lost-for-polls': [
      'Pages of 2 to 99 calls leave out every 70th call of the log; a page of 200 has it.',
      onPoll((page, exchange) => {
        if (limitOf(exchange) >= 100) return page;
        const lost = new Set(visibleCalls(exchange).flatMap(({ id }, i) => (i % 70 === 69 ? [id] : [])));
        const kept = callsIn(page).filter(({ id }) => !lost.has(id));
        return kept.length === 0 ? page : { ...page, calls: kept as unknown as Json };
      }),
    ],
    'calls-cursor-inclusive': [
      'Each page begins with the call that the page before ended with.',
      onCursor((cursor) => withOrdinal(cursor, (own) => own - 1)),
    ],
    'calls-cursor-whole-seconds-down': [
      'The cursor has no milliseconds, so the last call of each page is returned again, and the pages never end.',
      onCursor((cursor) => `${new Date(parsePosition(cursor).atMs).toISOString().slice(0, 19)}Z`),
    ],
    'calls-one-delivered-twice': [
      'The 40th call of the log is delivered a second time, after the 105th.',
      onPoll((page, exchange) => {
        const visible = visibleCalls(exchange);
        const [again, before] = [visible[39], visible[104]?.id];
        const calls = callsIn(page);
        const at = calls.findIndex(({ id }) => id === before) + 1;
        if (!again || at === 0 || at === limitOf(exchange)) return page;
        calls.splice(at, 0, again);
        if (calls.length <= limitOf(exchange)) return { ...page, calls: calls as unknown as Json };
        const { nextCursor } = pageSince(exchange, { limit: limitOf(exchange) - 1 });
        return asPage(calls.slice(0, -1), nextCursor);
      }),
    ],
    'calls-since-ignored': [
      '`since` has no effect: every poll begins at the oldest call.',
      onPoll((_page, exchange) => {
        const page = pageSince(exchange, { since: '1970-01-01T00:00:00Z' });
        return asPage(page.calls, page.nextCursor);
      }),
    ],
    'calls-cursor-is-now': [
      '`nextCursor` is the current time, which skips calls that did not fit into the page.',
      onCursor((_cursor, { context }) => new Date(context.nowMs()).toISOString()),
    ],
  },
  '4.calls.oldest-first': {
    'calls-page-newest-first': [
      'A poll returns the newest calls first within each page.',
      onPoll((page) => ({ ...page, calls: callsIn(page).reverse() as unknown as Json })),
    ],
    'calls-swapped-inside-a-page': [
      'In pages of more than ten calls the sixth and seventh are swapped; smaller pages have them in order.',
      onPoll((page) => {
        const calls = callsIn(page);
        const [sixth, seventh] = [calls[5], calls[6]];
        if (calls.length > 10 && sixth && seventh) calls.splice(5, 2, seventh, sixth);
        return { ...page, calls: calls as unknown as Json };
      }),
    ],
  },
  '4.calls.next-cursor-string': {
    'calls-cursor-null-on-short-page': [
      '`nextCursor` is null when a poll returned calls but no full page.',
      onPoll((page, exchange) => (callsIn(page).length < limitOf(exchange) ? { ...page, nextCursor: null } : page)),
    ],
    'calls-cursor-number': [
      '`nextCursor` of a poll is epoch milliseconds.',
      onCursor((cursor) => parsePosition(cursor).atMs),
    ],
  },
  '4.calls.since': {
    'calls-cursor-opaque': [
      '`nextCursor` works as `since` but is not an ISO 8601 date-time.',
      (next, context) => {
        const told = onCursor((cursor) => `seq_${btoa(cursor)}`);
        const read = onRequest('listCalls', ({ request, query: { since } }) =>
          since?.startsWith('seq_') ? withQuery(request, { since: atob(since.slice(4)) }) : request,
        );
        return read(told(next, context), context);
      },
      { result: 'warn' },
    ],
  },
  '4.calls.next-cursor-null': {
    'calls-cursor-when-nothing-new': [
      'When nothing new arrived `nextCursor` is the `since` that was sent instead of null.',
      onPoll((page, { query }) => (callsIn(page).length === 0 ? { ...page, nextCursor: query.since ?? '' } : page)),
    ],
    'calls-cursor-empty-text-when-nothing-new': [
      'When nothing new arrived `nextCursor` is an empty string instead of null.',
      onPoll((page) => (callsIn(page).length === 0 ? { ...page, nextCursor: '' } : page)),
    ],
  },
  '4.calls.settled-only': {
    'calls-delivered-at-once': ['A poll delivers a call as soon as it has ended.', settles(0), { needs: 'watch' }],
    'calls-delivered-after-one-minute': [
      'A poll delivers a call one minute after it ends.',
      settles(60_000),
      { needs: 'watch' },
    ],
    'calls-running-delivered': [
      'The last page of a poll has calls that are still in progress at its end, which are returned again when they have settled.',
      onPoll((page, exchange) => {
        const { organization, context } = exchange;
        const room = limitOf(exchange) - callsIn(page).length;
        const running = organization.calls
          .snapshot({ limit: 50, nowMs: context.nowMs(), unsettled: true })
          .calls.filter(({ endedAt }) => endedAt === null);
        const calls = [...callsIn(page), ...running.slice(0, Math.max(0, room))];
        return callsIn(page).length === 0 ? page : { ...page, calls: calls as unknown as Json };
      }),
      { needs: 'watch' },
    ],
  },
  '3.call.final-outcome': {
    'calls-changed-when-read-again': [
      'A call that was delivered has another outcome when the same `since` is read again.',
      (next, context) => {
        const delivered = new Set<string>();
        const edit = (call: CallRecord) => {
          const again = delivered.has(call.id);
          delivered.add(call.id);
          return again ? { ...call, outcome: 'reviewed' } : call;
        };
        return onPoll((page) => ({ ...page, calls: callsIn(page).map(edit) as unknown as Json }))(next, context);
      },
    ],
    'calls-delivered-with-provisional-outcome': [
      'A call has its provisional outcome for two minutes after it became visible, and then another one.',
      onSuccess('listCalls', (body, { organization, context }) => {
        const fresh = new Map(
          organization.calls.toData().flatMap(({ id, visibleAt, outcome }) => {
            const sinceMs = context.nowMs() - parsePosition(visibleAt ?? '').atMs;
            // Most calls of the world have one outcome for both, which would make the change invisible.
            const provisional = outcome === 'missed' ? 'answered' : 'missed';
            return sinceMs >= 0 && sinceMs < 120_000 ? [[id, provisional] as const] : [];
          }),
        );
        return change('data.calls.*', (call) => {
          const provisional = fresh.get(String((call as { id?: Json }).id));
          return provisional === undefined ? call : put('outcome', provisional)(call);
        })(body);
      }),
      { needs: 'watch' },
    ],
  },
});
