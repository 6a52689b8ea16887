// Pollers of the call log. Cites 6.*, 4.calls.exactly-once.
import { formatTimestamp, parseTimestamp } from '../../../src/contract/timestamps.ts';
import type { CallRecord } from '../../../src/domain/call.ts';
import {
  between,
  type Client,
  type Context,
  type Identity,
  minuteMs,
  once,
  pause,
  pick,
  politely,
  repeat,
  type Session,
} from '../client.ts';
import { hold, isBlocked, isLost } from '../exchange.ts';
import type { KnownOrganization } from '../ledger.ts';

/** The data of a response of `listCalls`. */
interface Page {
  readonly calls: CallRecord[];
  readonly nextCursor: string | null;
}

/** Around the default 50 and the greatest 200, and small ones that put page edges everywhere. */
const limits = [undefined, undefined, 1, 2, 3, 7, 50, 199, 200] as const;

const pageOf = (since: string | undefined, limit: number | undefined) =>
  ({ operation: 'listCalls', path: '/connect/calls/log', query: { since, limit } }) as const;

/** Polls to the letter of section 6 with one position for its whole life, so a lost or repeated call shows. */
export function poller(name: string, identity: Identity): Client {
  return { ...identity, name, polite: true, session: (ctx) => poll(ctx, identity.organization) };
}

/** A page as full as requested can have more after it, so the next one is read at once; a shorter one is the end. */
function* poll(ctx: Context, { calls }: KnownOrganization): Session {
  yield* pause(between(ctx.chance, 0, minuteMs));
  const startMs = ctx.nowMs() - pick(ctx.chance, [0, 0, 3_600_000, 86_400_000]);
  let since = formatTimestamp(startMs);
  let previous: string | null = null;
  const seen = new Set<string>();
  for (;;) {
    const limit = pick(ctx.chance, limits);
    const response = yield* politely(ctx, pageOf(since, limit));
    if (response?.response.status === 200) {
      const page = response.json.data as Page;
      for (const call of page.calls) {
        hold('calls', !seen.has(call.id), `${call.id} was delivered twice`);
        seen.add(call.id);
        calls.deliver(call, { previous, nowMs: response.nowMs });
        previous = call.id;
      }
      holdPage(page, limit ?? 50);
      since = page.nextCursor ?? since;
      if (page.calls.length === (limit ?? 50)) continue;
      const due = calls.countVisible(startMs - 1, response.nowMs);
      hold('calls', due === seen.size, `since ${startMs} ${due} calls became visible, ${seen.size} were delivered`);
    }
    yield* pause(between(ctx.chance, minuteMs, 2 * minuteMs));
  }
}

/** Throws unless the page is valid for any client. */
function holdPage({ calls, nextCursor }: Page, limit: number): void {
  const message = `${calls.length} of at most ${limit} calls came with the cursor ${nextCursor}`;
  hold('calls', calls.length <= limit && (nextCursor === null || parseTimestamp(nextCursor) !== null), message);
  hold('calls', (nextCursor === null) === (calls.length === 0), message);
}

/** Reads the same stretch again and again with different limits, and the newest calls: no reader differs. */
export function auditor(name: string, identity: Identity): Client {
  const session = repeat(30, 240, function* (ctx) {
    yield* walk(ctx, identity.organization);
    yield* lookAtNewest(ctx, identity.organization);
  });
  return { ...identity, name, polite: false, session };
}

/** One chain from a time to its end. Pages that are rejected or lost are requested again. */
function* walk(ctx: Context, { calls }: KnownOrganization): Session {
  const limit = pick(ctx.chance, [1, 2, 5, 13, 50, 200]);
  const startMs = ctx.nowMs() - limit * minuteMs * 60;
  let since = formatTimestamp(startMs);
  let previous: string | null = null;
  let count = 0;
  for (let page = 0; page < 400; page += 1) {
    const response = yield* once(ctx, pageOf(since, limit));
    if (isLost(response) || isBlocked(response)) yield* pause(10_000);
    if (response.response.status !== 200 || isLost(response)) continue;
    const { calls: rows, nextCursor } = response.json.data as Page;
    holdPage({ calls: rows, nextCursor }, limit);
    for (const call of rows) {
      calls.deliver(call, { previous, nowMs: response.nowMs });
      previous = call.id;
      count += 1;
    }
    if (nextCursor === null) {
      const due = calls.countVisible(startMs - 1, response.nowMs);
      return hold('calls', count === due, `pages of ${limit} since ${startMs} had ${count} calls, ${due} were due`);
    }
    since = nextCursor;
  }
}

/** Without `since` the log is a snapshot, the newest start first. */
function* lookAtNewest(ctx: Context, { calls }: KnownOrganization): Session {
  const limit = pick(ctx.chance, [undefined, 1, 200]);
  const response = yield* politely(ctx, pageOf(undefined, limit));
  if (response?.response.status !== 200) return;
  const ids = (response.json.data as Page).calls.map(({ id }) => id);
  hold('calls', ids.length <= (limit ?? 50), `${ids.length} newest calls for the limit ${limit}`);
  hold('calls', new Set(ids).size === ids.length, 'a call is twice in one snapshot');
  const starts = ids.map((id) => calls.startOf(id));
  hold('calls', !starts.some(Number.isNaN), 'the snapshot has a call that does not exist');
  const isSorted = starts.every((ms, i) => i === 0 || (starts[i - 1] as number) >= ms);
  hold('calls', isSorted, 'the snapshot is not sorted by start');
}
