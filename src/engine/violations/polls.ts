// Polling of the call log. Each poller is known by the `since` that it is to send next, so two pages that poll
// with one key are two pollers. Cites 6.poll, 6.store-cursor, 6.keep-since, 6.wait, 6.full-page.
import { callsLimit, pollIntervalMs } from '../../contract/generated/limits.ts';
import type { ListCallsResponse } from '../../contract/generated/types.ts';
import { parseTimestamp } from '../../contract/timestamps.ts';
import { readQuery } from '../../http/query.ts';
import type { RequestLogEntry } from '../request-log-record.ts';
import {
  formatWait,
  type Heard,
  isDelivered,
  keyMark,
  knewResponse,
  type Remembered,
  remember,
  type Stored,
  store,
  waitedMs,
} from './heard.ts';
import { withDoubt } from './runs.ts';
import { type Finding, shorten, windows } from './violation.ts';

const { atOnceMs, awayMs } = windows;
const pollersMax = 20;
const clientsMax = 1000;
const historyMax = 50;
/** Of all clients together, with at most two kilobytes each: this bounds the memory. */
const allPollersMax = 4_000;
const snapshotsMax = 20;

/** One loop of a client. It is known by its position alone, because a request says nothing more of who sends it. */
interface Poller {
  /** The position that the last request sent, and the one that the next is to send. */
  sent: bigint;
  next: bigint;
  readonly history: bigint[];
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
  pollers: Poller[];
  /** Parameters of requests without `since`: a client that asked so before it polled reads snapshots next to. */
  readonly snapshots: Set<string>;
  /** Set while the last request to the call log was a poll. */
  latest: Poller | null;
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

/** The same for a snapshot: bigints as texts. */
type StoredPoller = Omit<Poller, 'sent' | 'next' | 'history' | 'last'> & {
  readonly sent: string;
  readonly next: string;
  readonly history: readonly string[];
  readonly last: Stored<Remembered>;
};

interface StoredClient {
  readonly name: string;
  readonly pollers: readonly StoredPoller[];
  readonly snapshots: readonly string[];
  /** Place among the pollers. */
  readonly latest: number | null;
}

export interface PollsState {
  readonly clients: readonly StoredClient[];
}

/** Limits clients, pollers of a client, and all pollers. A dropped client gets no violations. */
export class Polls {
  /** The oldest first. */
  readonly #clients = new Map<string, Client>();
  /** Of all clients together. */
  #pollers = 0;
  /** How many clients were dropped because there were too many. */
  dropped = 0;

  /** Returns null when the poll follows section 6, or the case is ambiguous. */
  hear(heard: Heard, page: PolledPage | null): Finding | null {
    const client = this.#client(heard.entry);
    const before = client.pollers.length;
    const finding = hearRequest(client, heard, page);
    this.#pollers += client.pollers.length - before;
    this.#dropOldest();
    return finding;
  }

  clear(): void {
    this.#clients.clear();
    this.#pollers = 0;
  }

  state(): PollsState {
    return { clients: [...this.#clients].map(([name, client]) => storeClient(name, client)) };
  }

  restore({ clients }: PollsState): void {
    this.clear();
    for (const stored of clients) {
      const client = recallClient(stored);
      this.#clients.set(stored.name, client);
      this.#pollers += client.pollers.length;
    }
  }

  #client(entry: RequestLogEntry): Client {
    const name = `${keyMark(entry) ?? ''} ${entry.trace.address}`;
    let client = this.#clients.get(name);
    if (!client) {
      client = { pollers: [], snapshots: new Set(), latest: null };
      this.#clients.set(name, client);
    }
    return client;
  }

  #dropOldest(): void {
    while (this.#clients.size > clientsMax || this.#pollers > allPollersMax) {
      const [name, client] = this.#clients.entries().next().value as [string, Client];
      this.#clients.delete(name);
      this.#pollers -= client.pollers.length;
      this.dropped += 1;
    }
  }
}

/** Refers to the latest poller by its place, because a reference does not survive JSON. */
function storeClient(name: string, { pollers, snapshots, latest }: Client): StoredClient {
  const describe = ({ sent, next, history, last, ...rest }: Poller): StoredPoller => ({
    ...rest,
    sent: String(sent),
    next: String(next),
    history: history.map(String),
    last: store(last),
  });
  const place = latest ? pollers.indexOf(latest) : -1;
  return { name, pollers: pollers.map(describe), snapshots: [...snapshots], latest: place === -1 ? null : place };
}

function recallClient({ pollers, snapshots, latest }: StoredClient): Client {
  const known = pollers.map(
    ({ sent, next, history, ...rest }): Poller => ({
      ...rest,
      sent: BigInt(sent),
      next: BigInt(next),
      history: history.map(BigInt),
    }),
  );
  return { pollers: known, snapshots: new Set(snapshots), latest: latest === null ? null : (known[latest] ?? null) };
}

/** Sorts a request by its `since`: none, one that is not a timestamp, or a position. */
function hearRequest(client: Client, heard: Heard, page: PolledPage | null): Finding | null {
  const { since, ...rest } = readQuery(heard.entry.request.query);
  const others = shorten(new URLSearchParams(Object.entries(rest).sort()).toString());
  if (since === undefined) return hearSnapshot(client, others, heard);
  const position = parseTimestamp(since);
  if (position === null) {
    return /^(null|undefined|none|nil|nan|)$/i.test(since) ? hearNothing(client, since, heard) : null;
  }
  const limit = Number(rest.limit ?? callsLimit.preset);
  return hearPoll(client, { position, others, limit, page: isDelivered(heard.entry) ? page : null }, heard);
}

function hadResponse(earlier: Remembered, later: Heard): boolean {
  return knewResponse(earlier, later) === 'yes';
}

/** One request with a position, and the page it got. */
interface Poll {
  readonly position: bigint;
  readonly others: string;
  readonly limit: number;
  /** Null when no success response reached the client. */
  readonly page: PolledPage | null;
}

/** Finds the poller whose turn this is, checks the wait or the standstill, and moves the poller on. */
function hearPoll(client: Client, poll: Poll, heard: Heard): Finding | null {
  const found = findPoller(client.pollers, poll.position);
  const isOther = found !== null && found.next !== poll.position && isOfOther(found, heard);
  // Two requests under way at once are two pollers.
  const poller = found && !isOther && hadResponse(found.last, heard) ? found : null;
  if (!poller) {
    const moved = found ? null : findMoved(client, poll, heard);
    const finding = moved ? movedBack(moved, poll.position, heard) : null;
    client.latest = advance(moved ?? addPoller(client, poll, heard), poll, heard);
    return finding;
  }
  const finding = poller.next === poll.position ? judgeInterval(poller, heard) : judgeStuck(poller, heard);
  client.latest = advance(poller, poll, heard);
  return finding;
}

// Among several pollers at one position, this takes the one that has waited longest, in favor of the client.
function findPoller(pollers: readonly Poller[], position: bigint): Poller | null {
  const candidates = pollers.filter(({ next }) => next === position);
  const known = candidates.length > 0 ? candidates : pollers.filter(({ sent }) => sent === position);
  return known.reduce<Poller | null>(
    (oldest, other) => (oldest && oldest.last.atMs <= other.last.atMs ? oldest : other),
    null,
  );
}

const nsPerMs = 1_000_000n;

// An earlier position of a poller, or its next one with digits cut off: both read again what was read.
function findMoved(client: Client, poll: Poll, heard: Heard): Poller | null {
  const { position } = poll;
  const earlier = client.pollers.find(({ history }) => history.includes(position));
  if (earlier) return isOfOther(earlier, heard) ? null : earlier;
  const cut = client.pollers.find(({ next, succeeded }) => succeeded && position < next && next - position < nsPerMs);
  return cut ?? findStranded(client, poll, heard);
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
function findStranded({ pollers }: Client, { position }: Poll, heard: Heard): Poller | null {
  const [poller, ...more] = pollers;
  if (!poller?.succeeded || more.length > 0 || !hadResponse(poller.last, heard)) return null;
  if ((poller.next === poller.sent && poller.history.length === 0) || isOfOther(poller, heard)) return null;
  const isStart = heard.atMs - Number(position / nsPerMs) <= pollIntervalMs;
  return position < poller.next && !isStart && waitedMs(poller.last, heard) <= awayMs ? poller : null;
}

/** The oldest poller of a client goes when there are too many. */
function addPoller(client: Client, { position, others }: Poll, heard: Heard): Poller {
  const poller: Poller = {
    sent: position,
    next: position,
    history: [],
    others,
    last: remember(heard),
    succeeded: false,
    full: false,
    stuck: 0,
  };
  client.pollers = [...client.pollers, poller].slice(-pollersMax);
  return poller;
}

/** Records a request of a poller and its response. */
function advance(poller: Poller, { position, limit, page }: Poll, heard: Heard): Poller {
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
  if (page) poller.next = cursor ?? position;
  return poller;
}

/** Too early after a page that was not full, or too late after one that was. Cites 6.wait, 6.full-page. */
function judgeInterval({ last, succeeded, full }: Poller, heard: Heard): Finding | null {
  if (!succeeded) return null;
  if (!full) {
    if (waitedMs(last, heard) >= pollIntervalMs - windows.pollToleranceMs) return null;
    const message = `Polled the call log again after ${formatWait(waitedMs(last, heard))} although the page was not full. Wait at least one minute.`;
    return {
      rule: 'hasty-poll',
      clause: '6.wait',
      message: withDoubt(message, last, heard),
      because: [last.id],
    };
  }
  const waited = waitedMs(last, heard);
  // A client that handles a page in a second has taken a minute on a clock that runs sixty times as fast.
  if (waited <= atOnceMs * Math.max(1, heard.scale) || waited > awayMs) return null;
  const message = `Waited ${formatWait(waited)} after a full page of the call log. Request the next page immediately.`;
  return {
    rule: 'late-poll',
    clause: '6.full-page',
    message: withDoubt(message, last, heard),
    because: [last.id],
  };
}

// Once is a client that lost the response; a second time in a row is one that does not keep the cursor.
function judgeStuck({ stuck, last, succeeded }: Poller, heard: Heard): Finding | null {
  if (stuck < 1 || !succeeded) return null;
  return {
    rule: 'since-backwards',
    clause: '6.store-cursor',
    message: withDoubt(
      'Sent the same since three times, although each response had a nextCursor. Store nextCursor as the new since.',
      last,
      heard,
    ),
    because: [last.id],
  };
}

function movedBack({ last }: Poller, position: bigint, heard: Heard): Finding {
  const message = `Moved since back to ${new Date(Number(position / nsPerMs)).toISOString()}. Send the last nextCursor unchanged.`;
  return {
    rule: 'since-backwards',
    clause: '6.store-cursor',
    message: withDoubt(message, last, heard),
    because: [last.id],
  };
}

/** `since=null` and its like: code that wrote a missing cursor into its position. Cites 6.keep-since. */
function hearNothing(client: Client, since: string, heard: Heard): Finding | null {
  const poller = client.pollers.findLast(({ last }) => hadResponse(last, heard));
  return poller ? losePosition(client, poller, `Sent since as "${since}"`) : null;
}

/** A request without `since` instead of the next poll: the position was replaced by nothing. */
function hearSnapshot(client: Client, others: string, heard: Heard): Finding | null {
  const poller = client.latest;
  const isReader = client.snapshots.has(others);
  const takesPlace =
    poller?.succeeded === true && poller.others === others && hadResponse(poller.last, heard) && isDue(poller, heard);
  if (!isReader && takesPlace && !isOfOther(poller, heard)) return losePosition(client, poller, 'Left out since');
  client.snapshots.add(others);
  if (client.snapshots.size > snapshotsMax) client.snapshots.delete(client.snapshots.values().next().value as string);
  client.latest = null;
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
  client.latest = null;
  return {
    rule: 'lost-since',
    clause: '6.keep-since',
    message: `${what} after polls with a position. If nextCursor is null, keep the last since.`,
    because: [poller.last.id],
  };
}
