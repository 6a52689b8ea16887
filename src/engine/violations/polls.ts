// Polling of the call log. Each poller is known by the `since` that it is to send next, so two pages that poll
// with one key are two pollers. Cites 6.poll, 6.store-cursor, 6.keep-since, 6.wait, 6.full-page.
import { callsLimit, pollIntervalMs } from '../../contract/generated/limits.ts';
import type { ListCallsResponse } from '../../contract/generated/types.ts';
import { parseTimestamp } from '../../contract/timestamps.ts';
import { readQuery } from '../../http/query.ts';
import {
  type Finding,
  formatWait,
  type Heard,
  isDelivered,
  keyMark,
  knewResponse,
  type Recent,
  type Remembered,
  remember,
  waitedMs,
} from './heard.ts';
import { shorten, windows } from './violation.ts';

/** Those of clients that poll by their own clock; a page is late by the windows of the log. */
const { atOnceMs, awayMs } = windows;
const pollersMax = 20;
const clientsMax = 1000;
const historyMax = 50;
/** Of all clients together, with at most two kilobytes each: this bounds the memory. */
const allPollersMax = 4_000;
const snapshotsMax = 20;

/** One loop of a client. It is known by its position alone, because a request says nothing more of who sends it. */
interface Poller {
  /** The position that the last request sent, and the one that the next is to send, in nanoseconds. */
  sent: string;
  next: string;
  readonly history: string[];
  /** The parameters in addition to `since`. */
  readonly others: string;
  last: Remembered;
  /** Whether the last response arrived with success. If not, the rules for retries apply instead. */
  succeeded: boolean;
  full: boolean;
  /** How often the position was sent again in a row although the response gave a new one. */
  stuck: number;
}

/** A key at an address; its pollers are distinguished by their requests. */
interface Client {
  /** The one that polled last is the last. */
  pollers: Poller[];
  /** Parameters of requests without `since`: a client that asked so before it polled reads snapshots next to. */
  snapshots: string[];
  /** Whether the last request to the call log was a poll. */
  polls: boolean;
}

export interface PolledPage {
  readonly count: number;
  readonly nextCursor: string | null;
}

/** The page of a success response to `listCalls`; null for a rejection. */
export function readPage(output: object | null): PolledPage | null {
  if (output === null) return null;
  const { calls, nextCursor } = (output as ListCallsResponse).data;
  return { count: calls.length, nextCursor };
}

/** By key and address. A dropped client gets no violations. */
export interface PollsMemory {
  readonly clients: Recent<Client>;
  /** Pollers of all clients. */
  count: number;
}

/** Returns null when the poll follows section 6, or the case is ambiguous. */
export function judgePoll(memory: PollsMemory, heard: Heard, page: PolledPage | null): Finding | null {
  const { clients } = memory;
  const name = `${keyMark(heard.entry) ?? ''} ${heard.entry.trace.address}`;
  const client = clients.get(name) ?? { pollers: [], snapshots: [], polls: false };
  clients.set(name, client);
  const before = client.pollers.length;
  const finding = judgeRequest(client, heard, page);
  memory.count += client.pollers.length - before;
  for (let most = clientsMax; ; most = clients.size - 1) {
    for (const { pollers } of clients.limit(most)) memory.count -= pollers.length;
    if (memory.count <= allPollersMax) return finding;
  }
}

/** Sorts a request by its `since`: none, one that is not a timestamp, or a position. */
function judgeRequest(client: Client, heard: Heard, page: PolledPage | null): Finding | null {
  const { since, ...rest } = readQuery(heard.entry.request.query);
  const others = shorten(new URLSearchParams(Object.entries(rest).sort()).toString());
  if (since === undefined) return judgeSnapshot(client, others, heard);
  const position = parseTimestamp(since);
  if (position === null) {
    if (!/^(null|undefined|none|nil|nan|)$/i.test(since)) return null;
    // Code that wrote a missing cursor into its position. Cites 6.keep-since.
    const poller = client.pollers.findLast(({ last }) => hadResponse(last, heard));
    return poller ? losePosition(client, poller, `Sent since as "${since}"`) : null;
  }
  const limit = Number(rest.limit ?? callsLimit.preset);
  const poll = { position: String(position), others, limit, page: isDelivered(heard.entry) ? page : null };
  return judgePosition(client, poll, heard);
}

const hadResponse = (earlier: Remembered, later: Heard) => knewResponse(earlier, later) === 'yes';

/** One request with a position, and the page it got. */
interface Poll {
  readonly position: string;
  readonly others: string;
  readonly limit: number;
  /** Null when no success response reached the client. */
  readonly page: PolledPage | null;
}

/** Finds the poller whose turn this is, checks the wait or the standstill, and moves the poller on. */
function judgePosition(client: Client, poll: Poll, heard: Heard): Finding | null {
  const { position, others } = poll;
  // Among several pollers at one position, this is the one that has waited longest, in favor of the client: the first.
  const at = (key: 'next' | 'sent') => client.pollers.find((each) => each[key] === position);
  const found = at('next') ?? at('sent') ?? null;
  const isOther = found !== null && found.next !== position && isOfOther(found, heard);
  // Two requests under way at once are two pollers.
  const poller = found && !isOther && hadResponse(found.last, heard) ? found : null;
  const moved = found ? null : findMoved(client, position, heard);
  const finding = poller ? judgeTurn(poller, position, heard) : moved && movedBack(moved, position);
  const next = poller ?? moved ?? startPoller(position, others, heard);
  advance(next, poll, heard);
  // The oldest goes when there are too many.
  client.pollers = [...client.pollers.filter((other) => other !== next), next].slice(-pollersMax);
  client.polls = true;
  return finding;
}

const nsPerMs = 1_000_000n;

// An earlier position of a poller, or its next one with digits cut off: both read again what was read.
function findMoved(client: Client, position: string, heard: Heard): Poller | null {
  const earlier = client.pollers.find(({ history }) => history.includes(position));
  if (earlier) return isOfOther(earlier, heard) ? null : earlier;
  const cut = client.pollers.find(({ next, succeeded }) => {
    const lackNs = BigInt(next) - BigInt(position);
    return succeeded && lackNs > 0n && lackNs < nsPerMs;
  });
  return cut ?? findStranded(client, position, heard);
}

/** Whether another run or client reads from its own position: on a new connection, and not when a poll is due. */
function isOfOther({ last, full }: Poller, heard: Heard): boolean {
  const waited = waitedMs(last, heard);
  const isDue = full || waited >= pollIntervalMs - windows.pollToleranceMs;
  const isTurn = isDue && waited <= (full ? 0 : pollIntervalMs) + atOnceMs;
  return heard.runs.isOnNew(last, heard) && (!isTurn || heard.runs.startsAgain(last, heard));
}

// A poller begins at the current time (6.first-poll). Where one alone polls and was given a cursor, an older position
// is its own, gone astray.
function findStranded({ pollers }: Client, position: string, heard: Heard): Poller | null {
  const [poller, ...more] = pollers;
  if (!poller?.succeeded || more.length > 0 || !hadResponse(poller.last, heard)) return null;
  if ((poller.next === poller.sent && poller.history.length === 0) || isOfOther(poller, heard)) return null;
  const isStart = heard.atMs - Number(BigInt(position) / nsPerMs) <= pollIntervalMs;
  return BigInt(position) < BigInt(poller.next) && !isStart && waitedMs(poller.last, heard) <= awayMs ? poller : null;
}

function startPoller(position: string, others: string, heard: Heard): Poller {
  const none = { succeeded: false, full: false, stuck: 0 };
  return { sent: position, next: position, history: [], others, last: remember(heard), ...none };
}

/** Records a request of a poller and its response. */
function advance(poller: Poller, { position, limit, page }: Poll, heard: Heard): void {
  if (poller.sent !== position) {
    poller.history.push(poller.sent);
    if (poller.history.length > historyMax) poller.history.shift();
  }
  const cursor = page?.nextCursor == null ? null : parseTimestamp(page.nextCursor);
  poller.stuck = poller.sent === position && poller.succeeded && poller.next !== position ? poller.stuck + 1 : 0;
  poller.sent = position;
  poller.last = remember(heard);
  poller.succeeded = page !== null;
  poller.full = page !== null && page.count > 0 && page.count >= limit;
  if (page) poller.next = cursor === null ? position : String(cursor);
}

/** Too early after a page that was not full, too late after one that was, or a position that was not stored. */
function judgeTurn({ last, next, succeeded, full, stuck }: Poller, position: string, heard: Heard): Finding | null {
  const { scale, windows } = heard;
  if (!succeeded) return null;
  const found = (rule: Finding['rule'], message: string): Finding => ({ rule, message, earlier: last });
  if (next !== position) {
    // Once is a client that lost the response; a second time in a row is one that does not keep the cursor.
    const message =
      'Sent the same since three times, although each response had a nextCursor. Store nextCursor as the new since.';
    return stuck < 1 ? null : found('since-backwards', message);
  }
  const [waited, wait] = [waitedMs(last, heard), formatWait(waitedMs(last, heard))];
  if (!full) {
    const message = `Polled the call log again after ${wait} although the page was not full. Wait at least one minute.`;
    return waited >= pollIntervalMs - windows.pollToleranceMs ? null : found('hasty-poll', message);
  }
  // A client that handles a page in a second has taken a minute on a clock that runs sixty times as fast.
  if (waited <= windows.atOnceMs * Math.max(1, scale) || waited > awayMs) return null;
  return found('late-poll', `Waited ${wait} after a full page of the call log. Request the next page immediately.`);
}

function movedBack({ last }: Poller, position: string): Finding {
  const at = new Date(Number(BigInt(position) / nsPerMs)).toISOString();
  const message = `Moved since back to ${at}. Send the last nextCursor unchanged.`;
  return { rule: 'since-backwards', message, earlier: last };
}

/** A request without `since` instead of the next poll: the position was replaced by nothing. */
function judgeSnapshot(client: Client, others: string, heard: Heard): Finding | null {
  const poller = client.polls ? client.pollers.at(-1) : undefined;
  const isReader = client.snapshots.includes(others);
  const takesPlace =
    poller?.succeeded === true && poller.others === others && hadResponse(poller.last, heard) && isDue(poller, heard);
  if (!isReader && takesPlace && !isOfOther(poller, heard)) return losePosition(client, poller, 'Left out since');
  if (!isReader) client.snapshots = [...client.snapshots, others].slice(-snapshotsMax);
  client.polls = false;
  return null;
}

/** Whether a poll was due: only then does a snapshot replace it. */
function isDue({ last, full }: Poller, heard: Heard): boolean {
  const waited = waitedMs(last, heard);
  return full ? waited <= atOnceMs : waited >= pollIntervalMs - atOnceMs && waited <= awayMs;
}

/** Ends the poller, to report the loss once. */
function losePosition(client: Client, poller: Poller, what: string): Finding {
  client.pollers = client.pollers.filter((other) => other !== poller);
  client.polls = false;
  const message = `${what} after polls with a position. If nextCursor is null, keep the last since.`;
  return { rule: 'lost-since', message, earlier: poller.last };
}
