// Judges the clients by what they send. It hears every exchange, so the usual good answer must cost it next to nothing.
import { formatInstant } from '../../contract/instants.ts';
import type { ControlledClock } from '../../domain/clock.ts';
import type { JournalEntry } from '../journal-record.ts';
import { redactCutKeys, redactKey } from '../redaction.ts';
import { type Clients, hear, isOperation } from './heard.ts';
import { KeyRotation, type KeyRotationState } from './key-rotation.ts';
import { type PolledPage, Polls, type PollsState, readPage } from './polls.ts';
import { Retries, type RetriesState } from './retries.ts';
import type { Finding, Verdict } from './verdict.ts';

const verdictsMax = 1000;
const none: readonly Verdict[] = [];

/** The memory of clients, for snapshots. */
export interface ClientsState {
  readonly retries: RetriesState;
  readonly rotation: KeyRotationState;
  readonly polls: PollsState;
}

/**
 * Three rules, each with a bounded memory of its own. A doubt is decided for the client: a false accusation costs more
 * trust than a missed offence.
 */
export class Judge {
  readonly #clock: ControlledClock;
  readonly #clients: Clients;
  /** A test that begins with a frozen clock moves it by hand, so that it says how long its client waits. */
  readonly #startsFrozen: boolean;
  readonly #retries = new Retries();
  readonly #rotation = new KeyRotation();
  readonly #polls = new Polls();
  #verdicts: Verdict[] = [];
  #count = 0;

  constructor(clock: ControlledClock, clients: Clients = 'one') {
    this.#clock = clock;
    this.#clients = clients;
    this.#startsFrozen = clock.frozen;
  }

  /** Hears one exchange and gives back what it shows. `output` is what the answer was made of, null for a refusal. */
  hear(entry: JournalEntry, output: object | null): readonly Verdict[] {
    const { status } = entry.response;
    const polls = isOperation(entry, 'listCalls') && entry.request.method === 'GET';
    const idle = this.#retries.isIdle(status) && this.#rotation.isIdle(status) && !polls;
    const found = idle || this.#isBlind ? none : this.#judge(entry, polls ? readPage(output) : undefined);
    this.#rotation.meet({ entry });
    return found;
  }

  /** Oldest first. */
  verdicts(): readonly Verdict[] {
    return this.#verdicts;
  }

  /** A running clock was stopped or slowed down: a client that goes on waiting on its own clock cannot be judged. */
  get #isBlind(): boolean {
    return !this.#startsFrozen && this.#clock.scale < 1;
  }

  /** The clock runs at another speed: how long clients wait across the change is not known. */
  changePace(): void {
    if (this.#startsFrozen) return;
    this.#retries.clear();
    this.#rotation.forgetRefusals();
    this.#polls.clear();
  }

  /** The world has changed: what was refused before may be tried again. */
  forgetRefusals(): void {
    this.#retries.forgetRefusals();
    this.#rotation.forgetRefusals();
  }

  /** No verdicts, and no memory of what came before. */
  clear(): void {
    this.#retries.clear();
    this.#rotation.clear();
    this.#polls.clear();
    this.#verdicts = [];
    this.#count = 0;
  }

  /** The clients as far as they are remembered; the verdicts are beside it. */
  state(): ClientsState {
    return { retries: this.#retries.state(), rotation: this.#rotation.state(), polls: this.#polls.state() };
  }

  /** Without `clients`, nothing is known of what came before. */
  restore(verdicts: readonly Verdict[], clients?: ClientsState): void {
    this.clear();
    this.#verdicts = [...verdicts];
    this.#count = verdicts.at(-1)?.id ?? 0;
    if (!clients) return;
    this.#retries.restore(clients.retries);
    this.#rotation.restore(clients.rotation);
    this.#polls.restore(clients.polls);
  }

  /** How much of the memory of clients was dropped because there was too much. */
  get dropped(): number {
    return this.#retries.dropped + this.#rotation.dropped + this.#polls.dropped;
  }

  /** `page`: the page that a poll was answered with, null for none; undefined for what is not a poll. */
  #judge(entry: JournalEntry, page: PolledPage | null | undefined): readonly Verdict[] {
    const heard = hear(entry, this.#clock, this.#clients);
    const findings = [
      this.#retries.hear(heard),
      this.#rotation.hear(heard),
      page === undefined ? null : this.#polls.hear(heard, page),
    ].filter((finding) => finding !== null);
    if (findings.length === 0) return none;
    const verdicts = findings.map((finding) => this.#pronounce(finding, entry));
    this.#verdicts = [...this.#verdicts, ...verdicts].slice(-verdictsMax);
    return verdicts;
  }

  /** Adds who and when to a finding, and numbers it. */
  #pronounce({ rule, clause, message, because }: Finding, { id, trace }: JournalEntry): Verdict {
    this.#count += 1;
    return {
      id: this.#count,
      rule,
      clause,
      message,
      requestIds: [...because, id],
      at: formatInstant(trace.nowMs),
      client: { key: trace.key === null ? null : redactKey(trace.key), address: redactCutKeys(trace.address) },
    };
  }
}
