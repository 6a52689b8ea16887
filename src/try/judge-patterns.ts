// Patterns over several requests of one cell: waits, retries without an end, and one account that stops all others.
import { parseTimestamp } from '../contract/timestamps.ts';
import { count } from '../terminal/count.ts';
import type { CellFinding } from './cell.ts';
import type { Exchange, Observation } from './cell-run.ts';

export function* patterns(observation: Observation, control: Observation): Iterable<CellFinding> {
  yield* positions(observation);
  yield* othersInWait(observation);
  yield* steadyRetries(observation);
  yield* hastyRetries(observation);
  yield* hangs(observation, control);
  yield* stopsForAll(observation, control);
}

const longWaitS = 59;
const toleranceMs = 5_000;

/** One worker waits after a 429 of the key or the address, and the others send more. Cites 7.retry.retry-after. */
function* othersInWait({ cell, exchanges }: Observation): Iterable<CellFinding> {
  const waitS = cell.fault?.retryAfterS ?? 0;
  if (!/limiter_(key|address)/.test(cell.id) || waitS < longWaitS) return;
  const others = exchanges.flatMap((blocked) => {
    const retry = exchanges.find(({ id, print }) => id > blocked.id && print === blocked.print);
    if (!blocked.disturbed || !retry || retry.atMs - blocked.atMs < waitS * 1_000 - toleranceMs) return [];
    // Not up to the retry: after the wait, requests that were blocked too can come first.
    const endMs = blocked.atMs + waitS * 1_000;
    return exchanges.filter(({ atMs }) => atMs > blocked.atMs + toleranceMs && atMs < endMs - toleranceMs);
  });
  if (others.length === 0) return;
  yield {
    ...{ rule: 'sends-in-wait', severity: 'rule', clause: '7.retry.retry-after' },
    message: `Sent ${count(others.length, 'other request')} while one waited after a 429 of the same limit.`,
    correct: 'Let all requests wait: the limit is for the key or the address, and not for one request.',
  };
}

const steadyMin = 20;
const shortMs = 10_000;

/** Endless retries of a lost response that do not slow down. The rules of the mock see only responses. */
function* steadyRetries({ cell, exchanges }: Observation): Iterable<CellFinding> {
  if (cell.id !== 'connections/read-always') return;
  const print = exchanges.at(-1)?.print;
  const times = exchanges.filter((exchange) => exchange.print === print).map(({ atMs }) => atMs);
  if (times.length < steadyMin) return;
  const last = (times.at(-1) ?? 0) - (times.at(-2) ?? 0);
  if (last > shortMs) return;
  yield {
    ...{ rule: 'no-back-off', severity: 'rule', clause: '7.retry.back-off' },
    message: `Sent a request ${count(times.length, 'time')} without a response, the last after ${(last / 1_000).toFixed(1)} s.`,
    correct: 'Wait longer before each retry, and limit the number of retries.',
  };
}

const hastyMs = 100;
/** Time that a request takes in a scaled client, in real milliseconds. */
const realMs = 30;

/** Retries without a wait. In scaled time, the rule of the mock takes the time of a request for a wait. */
function* hastyRetries({ cell, exchanges, speed }: Observation): Iterable<CellFinding> {
  if (speed === null || speed <= 1 || !/-50[23]-always$/.test(cell.id)) return;
  const last = exchanges.findLast(({ disturbed }) => disturbed);
  const times = exchanges.filter(({ print }) => print === last?.print).map(({ atMs }) => atMs);
  const waits = times.slice(1).map((atMs, i) => atMs - (times[i] ?? 0));
  // The first one can include the start of the client.
  if (waits.length < 3 || waits.slice(1).some((ms) => ms > hastyMs + realMs * speed)) return;
  yield {
    ...{ rule: 'no-back-off', severity: 'rule', clause: '7.retry.back-off' },
    message: `Retried ${last?.operation} ${count(waits.length, 'time')} after a ${last?.status} without a wait.`,
    correct: 'Wait longer before each retry.',
  };
}

/** A body without an end that the client waits for. `report.ts` compares this with the timeout for headers. */
function* hangs({ cell, ending, exchanges }: Observation, control: Observation): Iterable<CellFinding> {
  const last = exchanges.at(-1);
  if (!cell.id.endsWith('-stalled') || ending !== 'running' || control.ending !== 'returned' || !last?.disturbed)
    return;
  yield {
    ...{ rule: 'hangs', severity: 'fragile', clause: cell.clauses[0] },
    message: 'Waited without a limit for the rest of a response.',
    correct: 'Let the timeout of a request include its body.',
  };
}

/** Nothing is sent for the other accounts after an error of one. */
function* stopsForAll({ cell, exchanges }: Observation, control: Observation): Iterable<CellFinding> {
  const rejected = exchanges.find(({ disturbed }) => disturbed);
  if (!cell.id.startsWith('refusals/one-account-') || !rejected) return;
  const ofOthers = (all: readonly Exchange[]) =>
    all.filter((each) => accountOf(each) !== undefined && accountOf(each) !== accountOf(rejected));
  if (ofOthers(control.exchanges).length === 0 || ofOthers(exchanges).length > 0) return;
  yield {
    ...{ rule: 'stops-for-all', severity: 'fragile', clause: '5.provider-auth' },
    message: `Sent nothing for the other accounts after ${cell.fault?.error} for one.`,
    correct: 'Report this account, and continue with the others: the key is valid.',
  };
}

function accountOf({ list }: Exchange): string | undefined {
  return /\/accounts\/([^/?]+)/.exec(list)?.[1];
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
