// Patterns over several requests: waits, retries without an end, bursts, and positions of polls.
import type { ClauseId } from '../contract/generated/clauses.ts';
import { operations } from '../contract/generated/operations.ts';
import { parseTimestamp } from '../contract/timestamps.ts';
import { count } from '../terminal/count.ts';
import type { Cell, CellFinding } from './cell.ts';
import type { Exchange, Observation } from './cell-run.ts';
import type { RuleRow } from './judge-row.ts';
import { mostMade, secondReply } from './judge-runs.ts';

/** In each test case, also the undisturbed one. */
// biome-ignore format: one row a rule
export const usualRules: readonly RuleRow[] = [
  ['cursor-changed', 'business', '6.store-cursor', changedCursor,
    'Store nextCursor unchanged: other digits can lose or repeat calls.'],
  ['since-replaced', 'business', '6.keep-since', replacedSince,
    'Keep the old since: calls that ended before appear only after about five minutes.'],
  // Often a retry that does not pass through the code that adds the key.
  ['without-key', 'rule', '5.missing-key', withoutKey,
    'Send the Authorization header with each request, including retries.'],
];

/** Undisturbed only. */
// biome-ignore format: one row a rule
export const controlRules: readonly RuleRow[] = [
  ...usualRules,
  ['unknown-parameter', 'advice', null, unknownParameter,
    'Select records in the client: the service can ignore this parameter.'],
  // Only the client runs in a test case. The contract does not say which request uses a link: this is advice.
  ['link-opened', 'advice', '3.link.single-use',
    ({ opensLink }) => opensLink && 'Opened the connect link itself: it can be used once.',
    'Leave the link to the customer, and check its state with GET /connect/accounts.'],
  ['write-repeated', 'business', '4.connect.reply.twice', secondReply, 'Reply to each review once.'],
];

// biome-ignore format: one row a rule
export const patternRules: readonly RuleRow[] = [
  ...usualRules,
  ['blocked-often', 'rule', '8.address-window', blockedOften, 'Limit the number of requests that run at once.'],
  ['burst', 'advice', '8.address-window', burst, 'Limit the number of requests that run at once.'],
  ['sends-in-wait', 'rule', '7.retry.retry-after', (met) => othersInWait(met),
    'Let all requests wait: the limit is for the key or the address, and not for one request.'],
  ['hangs', 'fragile', null, hangs, 'Let the timeout of a request include its body.'],
];

/** The longest time between two polls of the call log. */
export function longestWaitMs({ exchanges }: Observation): number {
  const polls = exchanges.filter(({ operation }) => operation === 'listCalls').map(({ atMs }) => atMs);
  return Math.max(0, ...polls.slice(1).map((atMs, i) => atMs - (polls[i] ?? atMs)));
}

function withoutKey({ exchanges }: Observation) {
  const sent = exchanges.find(({ operation, hasKey }) => operation !== null && !hasKey);
  return sent && `Sent ${sent.operation} without an API key.`;
}

/** Whether the limit is for the key or the address. */
const isOwnLimit = ({ fault }: Cell) => /^limiter_/.test(fault?.error ?? '');
const longWaitS = 59;
const toleranceMs = 5_000;

/** Others send more in the wait of a 429 of the key or the address. Cites 7.retry.retry-after. */
function othersInWait({ cell, exchanges, startsMs = [] }: Observation, neverRetries = false) {
  const waitS = cell.fault?.retryAfterS ?? 0;
  if (!isOwnLimit(cell) || waitS < longWaitS) return null;
  const others = exchanges.flatMap((blocked) => {
    const retry = exchanges.find(({ id, print }) => id > blocked.id && print === blocked.print);
    const hasWaited = retry ? retry.atMs - blocked.atMs >= waitS * 1_000 - toleranceMs : neverRetries;
    if (!blocked.disturbed || !hasWaited) return [];
    // Not up to the retry: after the wait, requests that were blocked too can come first.
    // A job does not know the waits of its earlier runs.
    const nextRunMs = startsMs.find((ms) => ms > blocked.atMs) ?? Number.POSITIVE_INFINITY;
    const endMs = Math.min(blocked.atMs + waitS * 1_000, nextRunMs);
    const inWait = ({ atMs }: Exchange) => atMs > blocked.endsMs + toleranceMs && atMs < endMs - toleranceMs;
    const afterS = ({ atMs }: Exchange) => count(Math.round((atMs - blocked.endsMs) / 1_000), 'second');
    return exchanges.filter(inWait).map((each) => `${each.operation} after ${afterS(each)}`);
  });
  const sent = count(others.length, 'other request');
  return others.length > 0 && `Sent ${sent} within the wait time of a 429 of the same limit: first ${others[0]}.`;
}

/** A body without an end that the client waits for. `report.ts` compares this with the timeout for headers. */
function hangs({ cell, ending, exchanges }: Observation, control: Observation) {
  const isOpen = ending === 'running' && control.ending === 'returned' && exchanges.at(-1)?.disturbed;
  return cell.slowBodyMs && isOpen ? 'Waited without a limit for the rest of a response.' : null;
}

/** A parameter without an effect, in which a client can trust. */
function unknownParameter({ exchanges }: Observation) {
  for (const { operation, list } of exchanges) {
    const known = operation ? operations[operation].query.map(({ name }) => name) : [];
    const unknown = [...new URL(list, 'http://casa').searchParams.keys()].find((name) => !known.includes(name));
    if (operation === null || unknown === undefined) continue;
    const message = `Sent ${operation} with ${unknown}, which the contract does not have.`;
    return { clause: operations[operation].cites[0] as ClauseId, message };
  }
  return null;
}

/** Whether one request after the other stays below the limits of a cell. */
export const staysBelow = ({ limits, succeeds }: Cell) => limits === true && succeeds;

const atOnceMax = 10;

/** The window of an address, less the time by which a busy machine delays requests. */
const windowMs = 9_000;

function blockedOften({ exchanges, cell }: Observation) {
  const most = mostWithin(exchanges, 1_000);
  const blocked = exchanges.filter(({ disturbed }) => disturbed).length;
  if (cell.dimension !== 'load' || !staysBelow(cell) || most <= atOnceMax || blocked <= atOnceMax) return null;
  return `Sent ${count(most, 'request')} at once, so the rate limit rejected ${blocked}.`;
}

/** More requests at once than an address has in ten seconds. Cites 8.address-window. */
function burst({ exchanges, cell }: Observation) {
  if (cell.dimension !== 'load' || cell.limits) return null;
  const most = cell.fault ? peakOf(exchanges) : mostWithin(exchanges, windowMs);
  const when = cell.fault ? 'at once' : 'in less than 10 seconds';
  const message = `Sent ${count(most, 'request')} ${when}; the service accepts ${atOnceMax} in 10 seconds from one address.`;
  const correct = 'Count the requests of the last 10 seconds for all parts of the client together.';
  return most > atOnceMax && { message, ...(!cell.fault && { correct }) };
}

function mostWithin(exchanges: Observation['exchanges'], ms: number): number {
  const countFrom = (startMs: number) => exchanges.filter(({ atMs }) => atMs >= startMs && atMs < startMs + ms).length;
  return Math.max(0, ...exchanges.map(({ atMs }) => countFrom(atMs)));
}

/** The most requests that were under way at one moment. */
export function peakOf(exchanges: Observation['exchanges']): number {
  const slow = exchanges.filter(({ atMs, endsMs }) => endsMs > atMs);
  const countAt = (ms: number) => slow.filter(({ atMs, endsMs }) => atMs <= ms && endsMs > ms).length;
  return Math.max(0, ...slow.map(({ atMs }) => countAt(atMs)));
}

/** Time between the clock of a client and its request. */
const presentMs = 10_000;
const cutMs = 1_000;

/** Polls that continue from a position that is neither the one before nor a nextCursor. Cites 6.keep-since. */
function strayPolls({ exchanges }: Observation) {
  const polls = exchanges.filter(({ operation, sinceMs }) => operation === 'listCalls' && sinceMs !== null);
  return polls.flatMap((poll, i) => {
    const before = polls.slice(0, i).filter(({ outcome }) => outcome === '200');
    const isKnown = before.some(({ since, cursor }) => [since, cursor].includes(poll.since));
    if (before.length === 0 || isKnown) return [];
    const cut = before.find(({ cursor }) => cursor !== null && isNear(cursor, poll.sinceMs))?.cursor;
    return [{ ...poll, cut, last: before.at(-1) }];
  });
}

function changedCursor(met: Observation) {
  const poll = strayPolls(met).find(({ cut }) => cut);
  return poll && `Sent since=${poll.since} after the nextCursor ${poll.cut}.`;
}

function replacedSince(met: Observation) {
  const isPresent = ({ cut, last, atMs, sinceMs }: ReturnType<typeof strayPolls>[number]) =>
    !cut &&
    last?.cursor === null &&
    [atMs, last.atMs, last.endsMs].some((ms) => Math.abs(ms - (sinceMs ?? 0)) < presentMs);
  return strayPolls(met).some(isPresent) && 'Replaced since with the current time after a nextCursor of null.';
}

function isNear(cursor: string, sinceMs: number | null): boolean {
  const at = parseTimestamp(cursor);
  return at !== null && Math.abs(Number(at / 1_000_000n) - (sinceMs ?? 0)) < cutMs;
}

// Mistakes that show in the comparison of test cases.

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
const acrossRows: readonly AcrossRow[] = [
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
  return acrossRows.flatMap(([rule, severity, clause, find, given, correct]) => {
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
