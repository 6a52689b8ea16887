// A small model of the call log, faithful by default. A test makes it faulty by replacing one of its decisions. It
// responds instead of the server of a rewriting proxy.
import type { Exchanged, Spoiled } from './rewriting-proxy.ts';

/** A call as a client sees it. */
export interface ModelCall {
  readonly id: string;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly outcome: string;
}

/** A call with internal data of the log. */
export interface Held {
  readonly call: ModelCall;
  /** Milliseconds; null while it runs. */
  readonly visibleMs: number | null;
  readonly startedMs: number;
}

/** A call and its place in the log: nanoseconds, one for each call. */
interface Placed {
  readonly held: Held;
  readonly place: bigint;
}

/** All that a log decides. A mutant of the log replaces one of them, so it is wrong in one way only. */
export interface Decisions {
  /** The calls a poll may show, in their order. */
  settled(calls: readonly Held[], nowMs: number, polls: number): readonly Held[];
  /** The timestamp that `since` is compared with. */
  placeMs(held: Held): number;
  isAfter(place: bigint, since: bigint): boolean;
  /** The timestamp that is read from the text of `since`. */
  readSince(text: string): string;
  /** A `since` that is rejected although it is a date-time. */
  isRejected(sinceMs: number, text: string): boolean;
  /** The calls after a position, before the limit applies. */
  page(rest: readonly Held[], since: bigint): readonly Held[];
  limit(requested: string | null): number;
  cursor(page: readonly Placed[], since: string, shown: { readonly isFull: boolean }): string | null;
  shape(call: ModelCall, polls: number): unknown;
  snapshot(calls: readonly Held[], nowMs: number): readonly Held[];
  snapshotLimit(requested: string | null): number;
}

const ms = 1_000_000n;

/** As a cursor; fewer digits make one that loses calls. */
export function writePlace(place: bigint, digits = 9): string {
  const iso = new Date(Number(place / ms)).toISOString().slice(0, 19);
  return digits === 0
    ? `${iso}Z`
    : `${iso}.${String(place % 1_000_000_000n)
        .padStart(9, '0')
        .slice(0, digits)}Z`;
}

/** In nanoseconds, to order calls of one timestamp. */
function readPlace(text: string): bigint {
  const [, whole = '', fraction = '', zone = 'Z'] = /^([^.+Zz]+)(?:\.(\d+))?(.*)$/.exec(text) ?? [];
  return BigInt(Date.parse(`${whole}${zone}`)) * ms + BigInt(fraction.padEnd(9, '0').slice(0, 9));
}

/** Section 4, rule by rule. */
export const faithful: Decisions = {
  settled: (calls, nowMs) =>
    calls
      .filter(({ visibleMs }) => visibleMs !== null && visibleMs <= nowMs)
      .toSorted((a, b) => (a.visibleMs ?? 0) - (b.visibleMs ?? 0)),
  placeMs: ({ visibleMs }) => visibleMs ?? 0,
  isAfter: (place, since) => place > since,
  readSince: (text) => text,
  isRejected: () => false,
  page: (rest) => rest,
  limit: (requested) => (requested === null ? 50 : Math.min(200, Math.max(1, Math.trunc(Number(requested)) || 50))),
  cursor: (page) => {
    const last = page.at(-1);
    return last === undefined ? null : writePlace(last.place);
  },
  shape: (call) => call,
  snapshot: (calls) => calls.toSorted((a, b) => b.startedMs - a.startedMs),
  snapshotLimit: (requested) => faithful.limit(requested),
};

/** Calls may be added at any time; they show when their timestamp has come. */
export interface CallLogModel {
  readonly calls: Held[];
  /** Fits `startRewriting`; everything but the call log passes. */
  spoil(hasResponse: Exchanged): Spoiled | undefined;
}

/** `now` is the clock for settling. */
export function makeCallLog(now: () => number, decisions: Partial<Decisions> = {}): CallLogModel {
  const decide = { ...faithful, ...decisions };
  const calls: Held[] = [];
  let polls = 0;
  const poll = (since: string, requested: string | null) => {
    polls += 1;
    const settled = decide.settled(calls, now(), polls);
    const placed = settled.map((held) => ({
      held,
      place: BigInt(decide.placeMs(held)) * ms + BigInt(calls.indexOf(held)),
    }));
    const position = readPlace(decide.readSince(since));
    const following = placed.filter(({ place }) => decide.isAfter(place, position));
    const kept = new Set(
      decide.page(
        following.map(({ held }) => held),
        position,
      ),
    );
    const rest = following.filter(({ held }) => kept.has(held));
    const limit = decide.limit(requested);
    const page = rest.slice(0, limit);
    const nextCursor = decide.cursor(page, since, { isFull: page.length >= limit });
    return { data: { calls: page.map(({ held }) => decide.shape(held.call, polls)), nextCursor } };
  };
  const snapshot = (requested: string | null) => {
    const shown = decide.snapshot(calls, now()).slice(0, decide.snapshotLimit(requested));
    return { data: { calls: shown.map(({ call }) => call), nextCursor: null } };
  };
  return {
    calls,
    spoil({ path, query }) {
      if (path !== '/connect/calls/log') return undefined;
      const since = query.get('since');
      if (since !== null && (Number.isNaN(Date.parse(since)) || decide.isRejected(Date.parse(since), since))) {
        return { status: 400, body: { error: { code: 'invalid_input', message: 'since', issues: ['since'] } } };
      }
      return { status: 200, body: since === null ? snapshot(query.get('limit')) : poll(since, query.get('limit')) };
    },
  };
}

/** For `settled`: sorted by another timestamp than that of becoming visible. */
export function visibleBy(nowMs: number): (held: Held) => boolean {
  return ({ visibleMs }) => visibleMs !== null && visibleMs <= nowMs;
}

const settlingMs = 300_000;
const runningSinceMs = Date.UTC(2026, 4, 1, 12);

/** Ninety seconds long, ended at `endedMs`, visible five minutes later by default; null for one that runs. */
export function makeCall(number: number, endedMs: number | null, visibleMs = (endedMs ?? 0) + settlingMs): Held {
  const startedMs = (endedMs ?? runningSinceMs) - 90_000;
  return {
    call: {
      id: `call-${number}`,
      startedAt: new Date(startedMs).toISOString(),
      endedAt: endedMs === null ? null : new Date(endedMs).toISOString(),
      outcome: number % 3 === 0 ? 'missed' : 'answered',
    },
    visibleMs: endedMs === null ? null : visibleMs,
    startedMs,
  };
}
