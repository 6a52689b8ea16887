// Patterns over several requests: waits, retries without an end, and one account that stops all others.
import type { ClauseId } from '../contract/generated/clauses.ts';
import { pollIntervalMs } from '../contract/generated/limits.ts';
import { operations } from '../contract/generated/operations.ts';
import { parseTimestamp } from '../contract/timestamps.ts';
import { hasBackedOff } from '../engine/violations/retries.ts';
import { count } from '../terminal/count.ts';
import type { Cell, CellFinding } from './cell.ts';
import type { Exchange, Observation } from './cell-run.ts';
import { reactionMs, repliesAgain, writesOverRuns } from './judge-runs.ts';

export function* patterns(observation: Observation, control: Observation): Iterable<CellFinding> {
  yield* positions(observation);
  yield* withoutKey(observation);
  yield* burst(observation);
  yield* othersInWait(observation);
  yield* steadyRetries(observation);
  yield* hangs(observation, control);
}

/** How late a timer is on a busy machine, and the first request of a process, in real milliseconds. */
const [lateTimerMs, lateStartMs] = [100, 300];

/** Whether a poll by the clock comes too early only because the poll before it came late. */
export function isByLateTimer(
  [before, poll]: readonly (Exchange | undefined)[],
  { exchanges, speed }: Observation,
): boolean {
  const lateMs = before === exchanges[0] ? lateStartMs : lateTimerMs;
  return pollIntervalMs - ((poll?.atMs ?? 0) - (before?.atMs ?? 0)) <= lateMs * (speed && speed > 1 ? speed : 0);
}

/** The longest time between two polls of the call log. */
export function longestWaitMs({ exchanges }: Observation): number {
  const polls = exchanges.filter(({ operation }) => operation === 'listCalls').map(({ atMs }) => atMs);
  return Math.max(0, ...polls.slice(1).map((atMs, i) => atMs - (polls[i] ?? atMs)));
}

/** Often a retry that does not pass through the code that adds the key. */
export function* withoutKey({ exchanges }: Observation): Iterable<CellFinding> {
  const sent = exchanges.filter(({ operation, hasKey }) => operation !== null && !hasKey);
  if (sent.length === 0) return;
  yield {
    ...{ rule: 'without-key', severity: 'rule', clause: '5.missing-key' },
    message: `Sent ${sent[0]?.operation} without an API key.`,
    correct: 'Send the Authorization header with each request, including retries.',
  };
}

/** Whether the limit is for the key or the address. */
const isOwnLimit = ({ fault }: Cell) => /^limiter_/.test(fault?.error ?? '');
const longWaitS = 59;
const toleranceMs = 5_000;

/** Others send more in the wait of a 429 of the key or the address. Cites 7.retry.retry-after. */
function* othersInWait({ cell, exchanges, startsMs = [] }: Observation, neverRetries = false): Iterable<CellFinding> {
  const waitS = cell.fault?.retryAfterS ?? 0;
  if (!isOwnLimit(cell) || waitS < longWaitS) return;
  const others = exchanges.flatMap((blocked) => {
    const retry = exchanges.find(({ id, print }) => id > blocked.id && print === blocked.print);
    const hasWaited = retry ? retry.atMs - blocked.atMs >= waitS * 1_000 - toleranceMs : neverRetries;
    if (!blocked.disturbed || !hasWaited) return [];
    // Not up to the retry: after the wait, requests that were blocked too can come first.
    // A job does not know the waits of its earlier runs.
    const nextRunMs = startsMs.find((ms) => ms > blocked.atMs) ?? Number.POSITIVE_INFINITY;
    const endMs = Math.min(blocked.atMs + waitS * 1_000, nextRunMs);
    return exchanges
      .filter(({ atMs }) => atMs > blocked.endsMs + toleranceMs && atMs < endMs - toleranceMs)
      .map(
        ({ operation, atMs }) => `${operation} after ${count(Math.round((atMs - blocked.endsMs) / 1_000), 'second')}`,
      );
  });
  if (others.length === 0) return;
  yield {
    ...{ rule: 'sends-in-wait', severity: 'rule', clause: '7.retry.retry-after' },
    message: `Sent ${count(others.length, 'other request')} within the wait time of a 429 of the same limit: first ${others[0]}.`,
    correct: 'Let all requests wait: the limit is for the key or the address, and not for one request.',
  };
}

const steadyMin = 20;
const shortMs = 10_000;

/** Endless retries of a lost response that do not slow down. The rules of the mock see only responses. */
function* steadyRetries({ cell, exchanges }: Observation): Iterable<CellFinding> {
  if (cell.dimension !== 'connections' || cell.fault?.times !== undefined) return;
  const print = exchanges.at(-1)?.print;
  const times = exchanges.filter((exchange) => exchange.print === print).map(({ atMs }) => atMs);
  if (times.length < steadyMin) return;
  const waits = times.slice(1).map((ms, i) => ms - (times[i] ?? 0));
  const last = waits.at(-1) ?? 0;
  if (last >= shortMs || hasBackedOff(last, Math.min(...waits))) return;
  yield {
    ...{ rule: 'no-back-off', severity: 'rule', clause: '7.retry.back-off' },
    message: `Sent a request ${count(times.length, 'time')} without a response, the last after ${(last / 1_000).toFixed(1)} s.`,
    correct: 'Wait longer before each retry, and limit the number of retries.',
  };
}

/** A body without an end that the client waits for. `report.ts` compares this with the timeout for headers. */
function* hangs({ cell, ending, exchanges }: Observation, control: Observation): Iterable<CellFinding> {
  const last = exchanges.at(-1);
  if (!cell.slowBodyMs || ending !== 'running' || control.ending !== 'returned' || !last?.disturbed) return;
  yield {
    ...{ rule: 'hangs', severity: 'fragile', clause: cell.clauses[0] },
    message: 'Waited without a limit for the rest of a response.',
    correct: 'Let the timeout of a request include its body.',
  };
}

/** A mistake that shows in the comparison of cells, with the ids of those that show it. */
type Compared = readonly [ids: readonly string[], finding: CellFinding];

export function* acrossCells(all: readonly Observation[]): Iterable<Compared> {
  yield* hastyRetries(all);
  yield* plainLimits(all);
  yield* stopsForAll(all);
  yield* writesOverRuns(all);
  yield* repliesAgain(all);
  yield* failsOnPast(all);
  const limited = all.filter(({ cell }) => isOwnLimit(cell));
  if (limited.some(isRetried)) return;
  for (const met of limited) for (const finding of othersInWait(met, true)) yield [[met.cell.id], finding];
}

/** Whether the client sent a disturbed request again. */
function isRetried({ exchanges }: Observation): boolean {
  const isSame = (one: Exchange, next: Exchange) => next.id > one.id && next.print === one.print;
  return exchanges.some((one) => one.disturbed && exchanges.some((next) => isSame(one, next)));
}

/** A client that stops for each error of an account decides so, but provider_auth is not an error of the key. */
function* stopsForAll(all: readonly Observation[]): Iterable<Compared> {
  const met = all.filter(({ cell }) => cell.about === 'one-account');
  const other = met.find(({ cell }) => cell.fault?.error !== 'provider_auth');
  const asked = ({ exchanges }: Observation) => new Set(exchanges.flatMap((each) => accountOf(each) ?? [])).size;
  const reported = ({ seen, files }: Observation) => JSON.stringify([seen, files]).length;
  const stopped = met.flatMap((one) => {
    if (!other || one === other || one.ending === 'running') return [];
    return asked(one) >= asked(other) && 3 * reported(one) > reported(other) ? [] : [one.cell.id];
  });
  if (stopped.length === 0) return;
  const correct = 'Report this account, and continue with the others: the key is valid.';
  const message = 'Left out other accounts after provider_auth for one.';
  yield [stopped, { rule: 'stops-for-all', severity: 'fragile', clause: '5.provider-auth', message, correct }];
}

const hastyMs = 100;
/** As many show that it is no chance. */
const timesMin = 3;

/**
 * Retries without a wait in scaled time, where the mock takes a delay of the machine for one. Timers are never early,
 * so the shortest wait before each retry counts, over all cells.
 */
function* hastyRetries(all: readonly Observation[]): Iterable<Compared> {
  const speed = all[0]?.speed ?? 1;
  const mostMs = hastyMs + reactionMs * speed;
  const least: number[] = [];
  for (const [i, ms] of all.flatMap(waitsAfterFailure)) least[i] = Math.min(least[i] ?? ms, ms);
  if (speed === 1 || least.length < timesMin || Math.max(...least.slice(0, timesMin)) >= mostMs) return;
  const hasty = all.filter((observation) => waitsAfterFailure(observation).length > 0);
  const finding: CellFinding = {
    ...{ rule: 'no-back-off', severity: 'rule', clause: '7.retry.back-off' },
    message: `Retried ${timesMin} times after a 502 or 503 without a wait.`,
    correct: 'Wait longer before each retry.',
  };
  yield [hasty.map(({ cell }) => cell.id), finding];
}

/** Waits before the retries of a request, each with the number of retries before it. */
function waitsAfterFailure({ cell, exchanges }: Observation): [retries: number, ms: number][] {
  const failed = new Map<string, { readonly atMs: number; readonly retries: number }>();
  return exchanges.flatMap(({ print, status, atMs }) => {
    const before = failed.get(print);
    failed.delete(print);
    const retries = before ? before.retries + 1 : 0;
    if (cell.dimension === 'errors' && (status === 502 || status === 503)) failed.set(print, { atMs, retries });
    return before ? [[before.retries, atMs - before.atMs] as [number, number]] : [];
  });
}

/** The same for test cases that differ only in this property of their fault. */
const like = (name: 'error' | 'resetS', { cell: { target, isLater, fault } }: Observation) =>
  JSON.stringify([target, isLater, { ...fault, [name]: null }]);

/** A client that waits after a 429 with a code, but takes the plain string for another error. */
function* plainLimits(all: readonly Observation[]): Iterable<Compared> {
  const coded = all.filter((one) => one.cell.fault?.error === 'rate_limited' && isRetried(one));
  const kinds = coded.map((one) => like('error', one));
  const pairs = all.filter((one) => isOwnLimit(one.cell) && kinds.includes(like('error', one)));
  if (pairs.length < timesMin || pairs.some(isRetried)) return;
  const finding: CellFinding = {
    ...{ rule: 'plain-limit', severity: 'fragile', clause: '7.envelope.two-429' },
    message: 'Retried after a 429 with an error code, but not after a 429 whose error is a string.',
    correct: 'Recognize a 429 by its status, and wait as its headers say.',
  };
  yield [pairs.map(({ cell }) => cell.id), finding];
}

/** A client that retries after a Reset, but fails if that is over already. */
function* failsOnPast(all: readonly Observation[]): Iterable<Compared> {
  const isPast = ({ cell }: Observation) => Number(cell.fault?.resetS) < 0;
  const handled = all.filter((one) => !isPast(one) && one.ending !== 'failed' && isRetried(one));
  const kinds = handled.map((one) => like('resetS', one));
  const failed = all.filter((one) => isPast(one) && one.ending === 'failed' && kinds.includes(like('resetS', one)));
  if (failed.length === 0) return;
  const finding: CellFinding = {
    ...{ rule: 'fails', severity: 'fragile', clause: '7.retry.reset' },
    message: `Failed after an X-RateLimit-Reset in the past: ${failed[0]?.error}.`.replace(/\.\.$/, '.'),
    correct: 'Retry at once if the time in X-RateLimit-Reset is over: clocks differ.',
  };
  yield [failed.map(({ cell }) => cell.id), finding];
}

/** Only the client runs in a test case. The contract does not say which request uses a link: this is advice. */
export function* openedLinks({ opensLink }: Observation): Iterable<CellFinding> {
  if (!opensLink) return;
  yield {
    ...{ rule: 'link-opened', severity: 'advice', clause: '3.link.single-use' },
    message: 'Opened the connect link itself: it can be used once.',
    correct: 'Leave the link to the customer, and check its state with GET /connect/accounts.',
  };
}

/** A parameter without an effect, in which a client can trust. */
export function* unknownParameters({ exchanges }: Observation): Iterable<CellFinding> {
  for (const { operation, list } of exchanges) {
    const known = operation ? operations[operation].query.map(({ name }) => name) : [];
    const unknown = [...new URL(list, 'http://casa').searchParams.keys()].find((name) => !known.includes(name));
    if (operation === null || unknown === undefined) continue;
    yield {
      ...{ rule: 'unknown-parameter', severity: 'advice', clause: operations[operation].cites[0] as ClauseId },
      message: `Sent ${operation} with ${unknown}, which the contract does not have.`,
      correct: 'Select records in the client: the service can ignore this parameter.',
    };
    return;
  }
}

function accountOf({ list }: Exchange): string | undefined {
  return /\/accounts\/([^/?]+)/.exec(list)?.[1];
}

/** Whether one request after the other stays below the limits of a cell. */
export const staysBelow = ({ limits, succeeds }: Cell) => limits === true && succeeds;

/** More requests at once than an address has in ten seconds. Cites 8.address-window. */
function* burst({ exchanges, cell }: Observation): Iterable<CellFinding> {
  if (cell.dimension !== 'load') return;
  const isMany = !cell.fault;
  const isAtOnce = cell.fault && !cell.limits;
  const most = isAtOnce ? peakOf(exchanges) : mostWithin(exchanges, cell.limits ? 1_000 : windowMs);
  const blocked = exchanges.filter(({ disturbed }) => disturbed).length;
  const isBlocked = staysBelow(cell) && blocked > atOnceMax;
  if (most <= atOnceMax || (cell.limits && !isBlocked)) return;
  yield {
    ...{ rule: isBlocked ? 'blocked-often' : 'burst', severity: isBlocked ? 'rule' : 'advice' },
    clause: '8.address-window',
    message: isBlocked
      ? `Sent ${count(most, 'request')} at once, so the rate limit rejected ${blocked}.`
      : `Sent ${count(most, 'request')} ${isMany ? 'in less than 10 seconds' : 'at once'}; the service accepts ${atOnceMax} in 10 seconds from one address.`,
    correct: isMany
      ? 'Count the requests of the last 10 seconds for all parts of the client together.'
      : 'Limit the number of requests that run at once.',
  };
}

const atOnceMax = 10;

/** The window of an address, less the time by which a busy machine delays requests. */
const windowMs = 9_000;

function mostWithin(exchanges: Observation['exchanges'], ms: number): number {
  const countFrom = (startMs: number) => exchanges.filter(({ atMs }) => atMs >= startMs && atMs < startMs + ms).length;
  return Math.max(0, ...exchanges.map(({ atMs }) => countFrom(atMs)));
}

/** The most requests that were under way at one moment. */
export function peakOf(exchanges: Observation['exchanges']): number {
  const slow = exchanges.filter(({ atMs, endsMs }) => endsMs > atMs);
  return Math.max(
    0,
    ...slow.map(({ atMs }) => slow.filter((other) => other.atMs <= atMs && other.endsMs > atMs).length),
  );
}

/** Time between the clock of a client and its request. */
const presentMs = 10_000;
const cutMs = 1_000;

/** A poll continues from a position that is neither the one before nor a nextCursor. Cites 6.keep-since. */
export function* positions({ exchanges }: Observation): Iterable<CellFinding> {
  const polls = exchanges.filter(({ operation, sinceMs }) => operation === 'listCalls' && sinceMs !== null);
  for (const [i, { since, sinceMs, atMs }] of polls.entries()) {
    const before = polls.slice(0, i).filter(({ outcome }) => outcome === '200');
    const isKnown = before.some((poll) => [poll.since, poll.cursor].includes(since));
    if (before.length === 0 || isKnown) continue;
    const cut = before.find(({ cursor }) => cursor !== null && isNear(cursor, sinceMs));
    const last = before.at(-1);
    const clocks = [atMs, last?.atMs ?? 0, last?.endsMs ?? 0];
    const isPresent = last?.cursor === null && clocks.some((ms) => Math.abs(ms - (sinceMs ?? 0)) < presentMs);
    if (cut) {
      yield {
        ...{ rule: 'cursor-changed', severity: 'business', clause: '6.store-cursor' },
        message: `Sent since=${since} after the nextCursor ${cut.cursor}.`,
        correct: 'Store nextCursor unchanged: other digits can lose or repeat calls.',
      };
    } else if (isPresent) {
      yield {
        ...{ rule: 'since-replaced', severity: 'business', clause: '6.keep-since' },
        message: 'Replaced since with the current time after a nextCursor of null.',
        correct: 'Keep the old since: calls that ended before appear only after about five minutes.',
      };
    }
  }
}

function isNear(cursor: string, sinceMs: number | null): boolean {
  const at = parseTimestamp(cursor);
  return at !== null && Math.abs(Number(at / 1_000_000n) - (sinceMs ?? 0)) < cutMs;
}
