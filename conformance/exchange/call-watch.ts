// A watch of the call log: the calls that ended, and the polls that delivered them.
import { dateGrainMs, endOf } from './call-ends.ts';
import { fieldOf, textOf } from './call-fields.ts';
import { type CallPage, labels, pageOf } from './call-log.ts';
import type { Exchange } from './exchange.ts';
import type { History } from './history.ts';
import { serverNowMs } from './stated-limits.ts';

/** By then a call that has ended should have been delivered (interpretation R39). */
const deliveredMsMax = 360_000;

export interface Watch {
  /** When it began, by the clock of the server. */
  readonly startMs: number;
  /** The position of the next poll, once there was a poll. */
  readonly since: string | null;
  /** Whether a call has been followed from its end to its delivery, and none is awaited. */
  readonly isDone: boolean;
  readonly followed: number;
  readonly delivered: ReadonlyMap<string, string>;
  /** Delivered although an earlier poll had delivered it. */
  readonly repeated: readonly { readonly page: CallPage; readonly at: number; readonly id: string }[];
  /** Not delivered in time. */
  readonly overdue: readonly { readonly id: string; readonly ms: number; readonly wasEmpty: boolean }[];
  readonly polls: readonly CallPage[];
}

/** The text of its id, for maps and findings. */
export function idTextOf(call: unknown, { given }: History): string {
  return JSON.stringify(fieldOf(call, given.callIdField ?? '')) ?? 'nothing';
}

/** Null without a snapshot that has a `Date`. */
export function watchIn(history: History): Watch | null {
  const { given } = history;
  const of = (label: string) => (one: Exchange) => one.label === label && pageOf(one, given) !== null;
  const [isSnapshot, isPoll] = [of(labels.watchSnapshot), of(labels.watchPoll)];
  const reads = history.exchanges.filter((one) => isSnapshot(one) || isPoll(one));
  const startMs = reads.filter(isSnapshot).map(serverNowMs)[0] ?? null;
  if (startMs === null) return null;
  /** Seen over in a snapshot and not delivered yet: when it ended, or was first seen over if that came later. */
  const due = new Map<string, number>();
  const delivered = new Map<string, string>();
  const [repeated, overdue, polls]: [Watch['repeated'][number][], Watch['overdue'][number][], CallPage[]] = [
    [],
    [],
    [],
  ];
  let followed = 0;
  for (const exchange of reads) {
    const [page, nowMs] = [pageOf(exchange, given), serverNowMs(exchange)];
    if (page === null || nowMs === null) continue;
    if (isSnapshot(exchange)) {
      for (const [id, endMs] of endsOn(page, history)) {
        // A call that ended before the first `since` can be before that position, which is legal (R35).
        const isNew = endMs > startMs + dateGrainMs && endMs <= nowMs;
        if (isNew && !delivered.has(id) && !due.has(id)) due.set(id, Math.max(endMs, nowMs));
      }
      continue;
    }
    polls.push(page);
    for (const [at, call] of page.calls.entries()) {
      const id = idTextOf(call, history);
      if (delivered.has(id)) repeated.push({ page, at, id });
      delivered.set(id, textOf(call));
      if (due.delete(id)) followed += 1;
    }
    for (const [id, overMs] of due) {
      if (nowMs - overMs <= deliveredMsMax || isFull(page)) continue;
      due.delete(id);
      overdue.push({ id, ms: nowMs - overMs, wasEmpty: delivered.size === 0 });
    }
  }
  const since = polls.reduce<string | null>((last, page) => page.nextCursor ?? last ?? page.since, null);
  return { startMs, since, followed, delivered, repeated, overdue, polls, isDone: followed > 0 && due.size === 0 };
}

/** More calls may follow it. */
const isFull = ({ count, limit }: CallPage) => count >= (limit ?? Number.POSITIVE_INFINITY);

function endsOn({ calls }: CallPage, history: History): (readonly [string, number])[] {
  return calls.flatMap((call) => {
    const end = endOf(call, history.given.callEndedAtField ?? '');
    return typeof end === 'number' ? [[idTextOf(call, history), end] as const] : [];
  });
}
