// A poller of the call log, to the letter of section 6, with another limit each time. Cites 6.*, 4.calls.exactly-once.
import { formatInstant, parseInstant } from '../../../src/contract/instants.ts';
import type { CallRecord } from '../../../src/domain/call.ts';
import {
  between,
  type Cast,
  type Client,
  type Life,
  minuteMs,
  once,
  pause,
  pick,
  politely,
  type Stage,
} from '../client.ts';
import { isBlocked, isLost } from '../exchange.ts';
import type { KnownOrganization } from '../ledger.ts';
import { hold } from '../violation.ts';

/** Around the default 50 and the greatest 200, and small ones that put page edges everywhere. */
const limits = [undefined, undefined, 1, 2, 3, 7, 50, 199, 200] as const;

/** Where a poller is in the log. */
interface Position {
  /** Sent as `since`; the last cursor, or the instant of the first poll. */
  since: string;
  readonly startMs: number;
  readonly delivered: string[];
}

/** Keeps one position for its whole life, so that a single lost or repeated call shows. */
export function poller(name: string, cast: Cast): Client {
  return { ...cast, name, polite: true, life: (stage) => poll(stage, cast.organization) };
}

/**
 * A page as full as it was asked for may have more behind it, so the next one is read at once; a shorter one is the
 * end, and there the count has to be right.
 */
function* poll(stage: Stage, { calls }: KnownOrganization): Life {
  yield* pause(between(stage.chance, 0, minuteMs));
  const backMs = pick(stage.chance, [0, 0, 3_600_000, 86_400_000]);
  const startMs = stage.nowMs() - backMs;
  const position: Position = { since: formatInstant(startMs), startMs, delivered: [] };
  const seen = new Set<string>();
  for (;;) {
    const limit = pick(stage.chance, limits);
    const answer = yield* politely(stage, pollDraft(position.since, limit));
    const page = answer?.response.status === 200 ? (answer.json.data as Page) : null;
    if (answer && page) {
      for (const call of page.calls) {
        hold('calls', !seen.has(call.id), () => `${call.id} was delivered twice`);
        seen.add(call.id);
        calls.deliver(call, { previous: position.delivered.at(-1) ?? null, nowMs: answer.nowMs });
        position.delivered.push(call.id);
      }
      holdPage(page, limit ?? 50);
      position.since = page.nextCursor ?? position.since;
      if (page.calls.length === (limit ?? 50)) continue;
      const due = calls.countVisible(position.startMs - 1, answer.nowMs);
      const told = () =>
        `since ${formatInstant(position.startMs)} ${due} calls became visible, ${seen.size} were delivered`;
      hold('calls', due === seen.size, told);
    }
    yield* pause(between(stage.chance, minuteMs, 2 * minuteMs));
  }
}

/** The data of an answer of `listCalls`. */
interface Page {
  readonly calls: CallRecord[];
  readonly nextCursor: string | null;
}

function pollDraft(since: string | undefined, limit: number | undefined) {
  return { operation: 'listCalls', path: '/connect/calls/log', query: { since, limit } } as const;
}

/** What holds for any page, whoever asks. */
function holdPage({ calls, nextCursor }: Page, limit: number): void {
  hold('calls', calls.length <= limit, () => `${calls.length} calls came, at most ${limit} were asked for`);
  const told = () => `${calls.length} calls came with the cursor ${nextCursor}`;
  hold('calls', nextCursor === null || parseInstant(nextCursor) !== null, told);
  hold('calls', (nextCursor === null) === (calls.length === 0), told);
}

/**
 * Reads the same stretch again and again with different limits, and the newest calls: no reader, however it pages,
 * differs.
 */
export function auditor(name: string, cast: Cast): Client {
  return { ...cast, name, polite: false, life: (stage) => audit(stage, cast.organization) };
}

/** Its own successions are those of the pollers, since the book is shared. */
function* audit(stage: Stage, organization: KnownOrganization): Life {
  for (;;) {
    yield* pause(between(stage.chance, 30 * minuteMs, 240 * minuteMs));
    yield* walk(stage, organization);
    yield* lookAtNewest(stage, organization);
  }
}

/** One chain from an instant to its end. Pages that are refused or lost are asked again. */
function* walk(stage: Stage, { calls }: KnownOrganization): Life {
  const limit = pick(stage.chance, [1, 2, 5, 13, 50, 200]);
  const startMs = stage.nowMs() - limit * minuteMs * 60;
  let since = formatInstant(startMs);
  let previous: string | null = null;
  let count = 0;
  for (let page = 0; page < 400; page += 1) {
    const answer = yield* once(stage, pollDraft(since, limit));
    if (isLost(answer) || isBlocked(answer)) yield* pause(10_000);
    if (answer.response.status !== 200 || isLost(answer)) continue;
    const { calls: rows, nextCursor } = answer.json.data as Page;
    holdPage({ calls: rows, nextCursor }, limit);
    for (const call of rows) {
      calls.deliver(call, { previous, nowMs: answer.nowMs });
      previous = call.id;
      count += 1;
    }
    if (nextCursor === null) {
      const due = calls.countVisible(startMs - 1, answer.nowMs);
      const told = () =>
        `a chain of pages of ${limit} since ${formatInstant(startMs)} had ${count} calls, ${due} were due`;
      return hold('calls', count === due, told);
    }
    since = nextCursor;
  }
}

/** Without `since` the log is a snapshot, the newest start first. */
function* lookAtNewest(stage: Stage, { calls }: KnownOrganization): Life {
  const limit = pick(stage.chance, [undefined, 1, 200]);
  const answer = yield* politely(stage, pollDraft(undefined, limit));
  if (answer?.response.status !== 200) return;
  const rows = (answer.json.data as Page).calls;
  hold('calls', rows.length <= (limit ?? 50), () => `${rows.length} newest calls, ${limit} were asked for`);
  hold('calls', new Set(rows.map(({ id }) => id)).size === rows.length, () => 'a call stands twice in one snapshot');
  for (const [i, { id }] of rows.entries()) {
    hold('calls', calls.has(id), () => `the snapshot has the call ${id}, which does not exist`);
    const before = rows[i - 1]?.id;
    if (before === undefined) continue;
    hold('calls', calls.startOf(before) >= calls.startOf(id), () => `${id} is newer than ${before} in front of it`);
  }
}
