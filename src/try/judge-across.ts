// Mistakes that show in the comparison of test cases.
import type { CellFinding } from './cell.ts';
import type { Exchange, Observation } from './cell-run.ts';
import { isOwnLimit, othersInWait } from './judge-patterns.ts';
import { mostMade } from './judge-runs.ts';

type Observations = readonly Observation[];

/** `find` returns the test cases that show the mistake. */
type AcrossRow = readonly [
  ...columns: [rule: string, severity: CellFinding['severity'], clause: CellFinding['clause']],
  find: (all: Observations) => Observations,
  message: string | ((first: Observation) => string),
  correct: string,
];

/** Fewer can be chance. */
const timesMin = 3;

// biome-ignore format: one row a rule
const rows: readonly AcrossRow[] = [
  ['plain-limit', 'fragile', '7.envelope.two-429', plainLimits,
    'Retried after a 429 with an error code, but not after a 429 whose error is a string.',
    'Recognize a 429 by its status, and wait as its headers say.'],
  ['stops-for-all', 'fragile', '5.provider-auth', stopsForAll, 'Left out other accounts after provider_auth for one.',
    'Report this account, and continue with the others: the key is valid.'],
  // The contract does not say whether two runs can work at the same time, or how a client survives a kill: advice.
  ['write-repeated', 'business', '7.retry.back-off',
    writesOverRuns(({ overlaps, signal }) => !overlaps && signal !== 'SIGKILL'),
    'Sent a write of the first run again in the second, and both were carried out.',
    'Store that a write is sent before sending it. A lost response does not mean that the write failed.'],
  ['write-unsure', 'advice', '7.retry.back-off', writesOverRuns(({ signal }) => signal === 'SIGKILL'),
    'Sent a write again after the client was killed before its response, and both were carried out.',
    'Store that a write is sent before sending it, and let a person decide after a kill.'],
  ['runs-overlap', 'advice', '4.connect.create-post.endpoint', writesOverRuns(({ overlaps }) => overlaps === true),
    'Sent the same write from two runs at the same time, and both were carried out.',
    'Let a run end at once while another one is active, for example with a lock.'],
  ['write-repeated', 'business', '2.review-item.replied', repliesAgain, 'Replied to reviews that have a reply.',
    'Skip a review if replied is true or replyText is there: both fields are optional.'],
  ['fails', 'fragile', '7.retry.reset', failsOnPast,
    ({ error }) => `Failed after an X-RateLimit-Reset in the past: ${error}.`.replace(/\.\.$/, '.'),
    'Retry at once if the time in X-RateLimit-Reset is over: clocks differ.'],
  ['sends-in-wait', 'rule', '7.retry.retry-after', sendsInWait, (first) => othersInWait(first, true) || '',
    'Let all requests wait: the limit is for the key or the address, and not for one request.'],
];

/** The findings, with the ids of the test cases that show them. */
export function acrossCells(all: Observations): (readonly [ids: readonly string[], finding: CellFinding])[] {
  return rows.flatMap(([rule, severity, clause, find, given, correct]) => {
    const shown = find(all);
    const [first] = shown;
    if (!first) return [];
    const message = typeof given === 'string' ? given : given(first);
    return [[shown.map(({ cell }) => cell.id), { rule, severity, clause, message, correct }] as const];
  });
}

/** Whether the client sent a disturbed request again. */
function isRetried({ exchanges }: Observation): boolean {
  const isSame = (one: Exchange, next: Exchange) => next.id > one.id && next.print === one.print;
  return exchanges.some((one) => one.disturbed && exchanges.some((next) => isSame(one, next)));
}

/** A client that never retries after such a 429 sends other requests while the limit lasts. */
function sendsInWait(all: Observations): Observations {
  const limited = all.filter(({ cell }) => isOwnLimit(cell));
  return limited.some(isRetried) ? [] : limited.filter((met) => othersInWait(met, true));
}

/** A client that stops for each error of an account decides so, but provider_auth is not an error of the key. */
function stopsForAll(all: Observations): Observations {
  const met = all.filter(({ cell }) => cell.about === 'one-account');
  const other = met.find(({ cell }) => cell.fault?.error !== 'provider_auth');
  const accountOf = ({ list }: Exchange) => /\/accounts\/([^/?]+)/.exec(list)?.[1] ?? [];
  const asked = ({ exchanges }: Observation) => new Set(exchanges.flatMap(accountOf)).size;
  const reported = ({ seen, files }: Observation) => JSON.stringify([seen, files]).length;
  const stops = (one: Observation) =>
    other && one !== other && (asked(one) < asked(other) || 3 * reported(one) <= reported(other));
  return met.filter((one) => one.ending !== 'running' && stops(one));
}

/** The same for test cases that differ only in this property of their fault. */
const like = (name: 'error' | 'resetS', { cell: { target, isLater, fault } }: Observation) =>
  JSON.stringify([target, isLater, { ...fault, [name]: null }]);

/** A client that waits after a 429 with a code, but takes the plain string for another error. */
function plainLimits(all: Observations): Observations {
  const coded = all.filter((one) => one.cell.fault?.error === 'rate_limited' && isRetried(one));
  const kinds = coded.map((one) => like('error', one));
  const pairs = all.filter((one) => isOwnLimit(one.cell) && kinds.includes(like('error', one)));
  return pairs.length < timesMin || pairs.some(isRetried) ? [] : pairs;
}

/** A client that retries after a Reset, but fails if that is over already. */
function failsOnPast(all: Observations): Observations {
  const isPast = ({ cell }: Observation) => Number(cell.fault?.resetS) < 0;
  const handled = all.filter((one) => !isPast(one) && one.ending !== 'failed' && isRetried(one));
  const kinds = handled.map((one) => like('resetS', one));
  return all.filter((one) => isPast(one) && one.ending === 'failed' && kinds.includes(like('resetS', one)));
}

/** Writes that two runs carry out, of a client that does not repeat them when nothing fails. */
function writesOverRuns(isIt: (restart: NonNullable<Observation['cell']['restart']>) => boolean) {
  return (all: Observations): Observations => {
    const again = all.find(({ cell }) => cell.about === 'second-run');
    if (!again || mostMade(again) > 1) return [];
    const isOfKind = ({ target, restart }: Observation['cell']) => target === 'write' && restart && isIt(restart);
    return all.filter((met) => isOfKind(met.cell) && mostMade(met) > 1);
  };
}

/** A client that knows a reply by one of two optional fields replies again where the other one says so. */
function repliesAgain(all: Observations): Observations {
  const met = all.filter(({ cell }) => cell.about === 'replies');
  const isAgain = ({ exchanges, answered }: Observation) =>
    exchanges.some(({ operation, list }) => {
      const [, id = ''] = /\/reviews\/([^/?]+)\/reply/.exec(list) ?? [];
      return operation === 'replyToReview' && answered?.includes(decodeURIComponent(id));
    });
  const again = met.filter(isAgain);
  // A client that replies twice to all does so on purpose.
  return met.length === 2 && again.length === 1 ? again : [];
}
