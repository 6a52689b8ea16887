// Detects violations of clients. Each rule is a fold over the request log: a function of an exchange and of a memory,
// which is plain data of a bounded size. So the live mock needs no log, and success responses cost almost nothing.
import { parseJson } from '../../contract/json.ts';
import { formatTimestamp } from '../../contract/timestamps.ts';
import type { ControlledClock } from '../../domain/clock.ts';
import { bodyText } from '../../http/message.ts';
import { redactCutKeys, redactKey } from '../redaction.ts';
import type { RequestLogEntry } from '../request-log-record.ts';
import { type Clients, type Finding, type Heard, isDoubtful, isOperation, pathOf, Recent, Runs } from './heard.ts';
import { judgePoll, type PolledPage, type PollsMemory, readPage } from './polls.ts';
import {
  forgetRejected,
  judgeRetries,
  judgeRotation,
  meetKey,
  type RetriesMemory,
  type RotationMemory,
} from './retries.ts';
import { clauseOf, type Violation, type Windows, windows } from './violation.ts';

const violationsMax = 1000;
const none: readonly Violation[] = [];

/**
 * In a message while the clock is frozen: each rule has a window, and a client cannot know that its wait did not
 * count.
 */
const frozenNote =
  " The clock of the mock is frozen, so a real wait does not count: start the mock with clock: 'running', or call " +
  'casa.clock.advance() before the request.';

interface Memory {
  readonly retries: RetriesMemory;
  readonly rotation: RotationMemory;
  readonly polls: PollsMemory;
}

type EntriesOf<Rule> = Rule extends Recent<infer Value> ? readonly (readonly [string, Value])[] : never;

/** The memory of clients in a snapshot, without connections: the same history gives the same bytes. */
export interface ClientsState {
  readonly form: 2;
  readonly retries: EntriesOf<RetriesMemory>;
  readonly rejections: RotationMemory['rejections'];
  readonly keys: readonly string[];
  readonly polls: EntriesOf<PollsMemory['clients']>;
}

const empty: ClientsState = { form: 2, retries: [], rejections: [], keys: [], polls: [] };

function recall({ retries, rejections, keys, polls }: ClientsState): Memory {
  return {
    retries: new Recent(retries),
    rotation: { rejections: [...rejections], pairs: new Recent(keys.map((pair) => [pair, true])) },
    polls: { clients: new Recent(polls), count: polls.reduce((sum, [, { pollers }]) => sum + pollers.length, 0) },
  };
}

/** The circumstances of a recorded log. */
export interface LogOptions {
  /** One by default. */
  readonly clients?: Clients;
  /** How much faster than real time the clock ran; 1 by default. */
  readonly scale?: number;
  readonly windows?: Windows;
}

/**
 * Returns the violations in a complete log of a mock, as the mock itself reports them. Changes from outside the API,
 * such as new records or another pace of the clock, are not in a log: these rules cannot know of them.
 */
export function violationsOf(log: Iterable<RequestLogEntry>, options: LogOptions = {}): readonly Violation[] {
  const { clients, scale = 1, windows } = options;
  const judge = new Judge({ scale, frozen: false }, clients, windows);
  for (const entry of log) {
    const { request, response, trace } = entry;
    const isSuccess = response.status === 200 && !trace.fired;
    judge.hear(entry, isSuccess && isOperation(entry, 'listCalls') ? (parseJson(bodyText(response)) as object) : null);
    if (isSuccess && request.method !== 'GET') judge.forgetRejections();
  }
  return judge.violations();
}

/** In doubt there is no violation, because a false positive costs trust. */
export class Judge {
  readonly #clock: Pick<ControlledClock, 'scale' | 'frozen'>;
  readonly #clients: Clients;
  readonly #windows: Windows;
  /** A test that begins with a frozen clock moves it by hand, so it says how long its client waits. */
  readonly #startsFrozen: boolean;
  readonly #runs = new Runs();
  #memory = recall(empty);
  #latest: readonly [key: string | null, address: string] = [null, ''];
  #violations: Violation[] = [];
  #count = 0;

  constructor(clock: Pick<ControlledClock, 'scale' | 'frozen'>, clients: Clients = 'one', own: Windows = windows) {
    this.#clock = clock;
    this.#clients = clients;
    this.#windows = own;
    this.#startsFrozen = clock.frozen;
  }

  /** Returns the violations of one exchange. `output` is the data of the response, null for a rejection. */
  hear(entry: RequestLogEntry, output: object | null): readonly Violation[] {
    const { retries, rotation } = this.#memory;
    const { status, network } = entry.response;
    const { key, address } = entry.trace;
    const polls = isOperation(entry, 'listCalls') && entry.request.method === 'GET';
    if (this.#clients === 'many') this.#runs.meet(entry);
    // Nothing to do for a success response when nothing is open: nearly always.
    const isQuiet = status < 400 && network === undefined && !polls;
    const isIdle = isQuiet && retries.size === 0 && rotation.rejections.length === 0;
    const found = isIdle || this.#isBlind ? none : this.#judge(entry, polls ? readPage(output) : undefined);
    // Nearly always it is the last key again.
    if (key === null || (key === this.#latest[0] && address === this.#latest[1])) return found;
    this.#latest = [key, address];
    meetKey(rotation, entry);
    return found;
  }

  /** Oldest first. */
  violations(): readonly Violation[] {
    return this.#violations;
  }

  /** Whether a running clock was stopped or slowed down: a client that waits on another clock cannot be checked. */
  get #isBlind(): boolean {
    return !this.#startsFrozen && this.#clock.scale < 1;
  }

  /** The clock runs at another speed: how long clients wait across the change is not known. */
  changePace(): void {
    if (this.#startsFrozen) return;
    const { rotation, retries, polls } = this.#memory;
    for (const memory of [retries, polls.clients]) memory.clear();
    [rotation.rejections, polls.count] = [[], 0];
  }

  /** Called after the world changed: rejected requests can be tried again. */
  forgetRejections(): void {
    const { retries, rotation } = this.#memory;
    forgetRejected(retries);
    if (rotation.rejections.length > 0) rotation.rejections = [];
  }

  /** Deletes violations and the recorded history. */
  clear(): void {
    this.restore([]);
  }

  /** Returns the recorded client history, without the violations. */
  state(): ClientsState {
    const { retries, rotation, polls } = this.#memory;
    const { rejections, pairs } = rotation;
    const state = { form: 2, retries: [...retries], rejections, keys: [...pairs.keys()], polls: [...polls.clients] };
    const isOfProcess = (name: string) => name === 'connection' || name === 'passage';
    return JSON.parse(JSON.stringify(state, (name, value) => (isOfProcess(name) ? undefined : value)));
  }

  /** Throws a RangeError for the history of another version. */
  static check(clients: ClientsState | undefined): void {
    if (clients === undefined || clients.form === empty.form) return;
    throw new RangeError(
      'The snapshot has a history of clients of another version: delete "clients", or take it again.',
    );
  }

  /** Without `clients`, the history starts empty. */
  restore(violations: readonly Violation[], clients: ClientsState = empty): void {
    this.#runs.clear();
    this.#memory = recall(structuredClone(clients));
    this.#latest = [null, ''];
    this.#violations = [...violations];
    this.#count = violations.at(-1)?.id ?? 0;
  }

  /** How much of the memory of clients was dropped because there was too much. */
  get dropped(): number {
    const { retries, rotation, polls } = this.#memory;
    return retries.dropped + rotation.pairs.dropped + polls.clients.dropped;
  }

  /** `page`: the page returned to a poll, null without one; undefined for other requests. */
  #judge(entry: RequestLogEntry, page: PolledPage | null | undefined): readonly Violation[] {
    const { retries, rotation, polls } = this.#memory;
    const clock = { atMs: entry.trace.nowMs, scale: this.#clock.scale };
    const heard: Heard = { entry, ...clock, clients: this.#clients, runs: this.#runs, windows: this.#windows };
    const findings = [
      judgeRetries(retries, heard),
      judgeRotation(rotation, heard),
      page === undefined ? null : judgePoll(polls, heard, page),
    ].filter((finding) => finding !== null);
    if (findings.length === 0) return none;
    const violations = findings.map((finding) => this.#pronounce(finding, heard));
    this.#violations = [...this.#violations, ...violations].slice(-violationsMax);
    return violations;
  }

  /** Adds who and when to a finding, and numbers it. */
  #pronounce({ rule, clause = clauseOf[rule], message, earlier }: Finding, heard: Heard): Violation {
    const { id, trace } = heard.entry;
    const isSure = rule === 'lost-since' || rule === 'key-rotated' || !isDoubtful(earlier, heard);
    const doubt = isSure ? '' : ' Ignore this if another run, page load or client sent the request.';
    // A poll is late only if a test has advanced the clock.
    const note = this.#clock.frozen && rule !== 'late-poll' ? frozenNote : '';
    this.#count += 1;
    return {
      ...{ id: this.#count, rule, clause, message: message + doubt + note, request: pathOf(heard.entry) },
      ...{ requestIds: [earlier.id, id], at: formatTimestamp(trace.nowMs) },
      client: { key: trace.key === null ? null : redactKey(trace.key), address: redactCutKeys(trace.address) },
    };
  }
}
