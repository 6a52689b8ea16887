// Detects violations of clients. It receives every exchange, so that success responses must cost almost nothing.
import { formatTimestamp } from '../../contract/timestamps.ts';
import type { ControlledClock } from '../../domain/clock.ts';
import { redactCutKeys, redactKey } from '../redaction.ts';
import type { RequestLogEntry } from '../request-log-record.ts';
import { type Clients, hear, isOperation, pathOf } from './heard.ts';
import { KeyRotation, type KeyRotationState } from './key-rotation.ts';
import { type PolledPage, Polls, type PollsState, readPage } from './polls.ts';
import { Retries, type RetriesState } from './retries.ts';
import { Runs } from './runs.ts';
import type { Finding, Violation } from './violation.ts';

const violationsMax = 1000;
const none: readonly Violation[] = [];

/**
 * In a message while the clock is frozen: each rule has a window, and a client cannot know that its wait did not
 * count.
 */
export const frozenNote =
  " The clock of the mock is frozen, so a real wait does not count: start the mock with clock: 'running', or call " +
  'casa.clock.advance() before the request.';

/** The memory of clients, for snapshots. */
export interface ClientsState {
  readonly retries: RetriesState;
  readonly rotation: KeyRotationState;
  readonly polls: PollsState;
}

/** Three rules, each with a bounded memory. In doubt there is no violation, because a false positive costs trust. */
export class Judge {
  readonly #clock: ControlledClock;
  readonly #clients: Clients;
  /** A test that begins with a frozen clock moves it by hand, so it says how long its client waits. */
  readonly #startsFrozen: boolean;
  readonly #retries = new Retries();
  readonly #rotation = new KeyRotation();
  readonly #polls = new Polls();
  readonly #runs = new Runs();
  #violations: Violation[] = [];
  #count = 0;

  constructor(clock: ControlledClock, clients: Clients = 'one') {
    this.#clock = clock;
    this.#clients = clients;
    this.#startsFrozen = clock.frozen;
  }

  /** Returns the violations of one exchange. `output` is the data of the response, null for a rejection. */
  hear(entry: RequestLogEntry, output: object | null): readonly Violation[] {
    const { status } = entry.response;
    const polls = isOperation(entry, 'listCalls') && entry.request.method === 'GET';
    if (this.#clients === 'many') this.#runs.meet(entry);
    const idle = this.#retries.isIdle(status) && this.#rotation.isIdle(status) && !polls;
    const found = idle || this.#isBlind ? none : this.#judge(entry, polls ? readPage(output) : undefined);
    this.#rotation.meet({ entry });
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
    this.#retries.clear();
    this.#rotation.forgetRejections();
    this.#polls.clear();
  }

  /** Called after the world changed: rejected requests can be tried again. */
  forgetRejections(): void {
    this.#retries.forgetRejections();
    this.#rotation.forgetRejections();
  }

  /** Deletes violations and the recorded history. */
  clear(): void {
    this.#retries.clear();
    this.#rotation.clear();
    this.#polls.clear();
    this.#runs.clear();
    this.#violations = [];
    this.#count = 0;
  }

  /** Returns the recorded client history, without the violations. */
  state(): ClientsState {
    return { retries: this.#retries.state(), rotation: this.#rotation.state(), polls: this.#polls.state() };
  }

  /** Without `clients`, the history starts empty. */
  restore(violations: readonly Violation[], clients?: ClientsState): void {
    this.clear();
    this.#violations = [...violations];
    this.#count = violations.at(-1)?.id ?? 0;
    if (!clients) return;
    this.#retries.restore(clients.retries);
    this.#rotation.restore(clients.rotation);
    this.#polls.restore(clients.polls);
  }

  /** How much of the memory of clients was dropped because there was too much. */
  get dropped(): number {
    return this.#retries.dropped + this.#rotation.dropped + this.#polls.dropped;
  }

  /** `page`: the page returned to a poll, null without one; undefined for other requests. */
  #judge(entry: RequestLogEntry, page: PolledPage | null | undefined): readonly Violation[] {
    const heard = hear(entry, this.#clock, { clients: this.#clients, runs: this.#runs });
    const findings = [
      this.#retries.hear(heard),
      this.#rotation.hear(heard),
      page === undefined ? null : this.#polls.hear(heard, page),
    ].filter((finding) => finding !== null);
    if (findings.length === 0) return none;
    const violations = findings.map((finding) => this.#pronounce(finding, entry));
    this.#violations = [...this.#violations, ...violations].slice(-violationsMax);
    return violations;
  }

  /** Adds who and when to a finding, and numbers it. */
  #pronounce({ rule, clause, message, because }: Finding, entry: RequestLogEntry): Violation {
    const { id, trace } = entry;
    this.#count += 1;
    return {
      id: this.#count,
      rule,
      clause,
      // A poll is late only if a test has advanced the clock.
      message: this.#clock.frozen && rule !== 'late-poll' ? message + frozenNote : message,
      request: pathOf(entry),
      requestIds: [...because, id],
      at: formatTimestamp(trace.nowMs),
      client: { key: trace.key === null ? null : redactKey(trace.key), address: redactCutKeys(trace.address) },
    };
  }
}
