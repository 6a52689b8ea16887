// Patterns over several requests: waits, retries without an end, bursts, and positions of polls.
import type { ClauseId } from '../contract/generated/clauses.ts';
import { operations } from '../contract/generated/operations.ts';
import { parseTimestamp } from '../contract/timestamps.ts';
import { count } from '../terminal/count.ts';
import type { Cell } from './cell.ts';
import type { Exchange, Observation } from './cell-run.ts';
import type { RuleRow } from './judge-row.ts';
import { secondReply } from './judge-runs.ts';

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
export const isOwnLimit = ({ fault }: Cell) => /^limiter_/.test(fault?.error ?? '');
const longWaitS = 59;
const toleranceMs = 5_000;

/** Others send more in the wait of a 429 of the key or the address. Cites 7.retry.retry-after. */
export function othersInWait({ cell, exchanges, startsMs = [] }: Observation, neverRetries = false) {
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
