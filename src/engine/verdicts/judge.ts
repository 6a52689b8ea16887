// Judges the clients by what they send. It hears every exchange, so the usual good answer must cost it next to nothing.
import { formatInstant } from '../../contract/instants.ts';
import type { ControlledClock } from '../../domain/clock.ts';
import type { JournalEntry } from '../journal-entry.ts';
import { redactKey } from '../redaction.ts';
import { hear, isOperation } from './heard.ts';
import { KeyRotation } from './key-rotation.ts';
import { type PolledPage, Polls, readPage } from './polls.ts';
import { Retries } from './retries.ts';
import type { Finding, Verdict } from './verdict.ts';

const verdictsMax = 1000;
const none: readonly Verdict[] = [];

export class Judge {
  readonly #clock: ControlledClock;
  readonly #retries = new Retries();
  readonly #rotation = new KeyRotation();
  readonly #polls = new Polls();
  #verdicts: Verdict[] = [];
  #count = 0;

  constructor(clock: ControlledClock) {
    this.#clock = clock;
  }

  /** Hears one exchange and gives back what it shows. `output` is what the answer was made of, null for a refusal. */
  hear(entry: JournalEntry, output: object | null): readonly Verdict[] {
    const { status } = entry.response;
    const { key, address } = entry.trace;
    const polls = isOperation(entry, 'listCalls') && entry.request.method === 'GET';
    const idle = this.#retries.isIdle(status) && this.#rotation.isIdle(status) && !polls;
    const found = idle ? none : this.#judge(entry, polls ? readPage(output) : undefined);
    this.#rotation.meet(key, address);
    return found;
  }

  /** Oldest first. */
  verdicts(): readonly Verdict[] {
    return this.#verdicts;
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

  restore(verdicts: readonly Verdict[]): void {
    this.clear();
    this.#verdicts = [...verdicts];
    this.#count = verdicts.at(-1)?.id ?? 0;
  }

  /** `page`: the page that a poll was answered with, null for none; undefined for what is not a poll. */
  #judge(entry: JournalEntry, page: PolledPage | null | undefined): readonly Verdict[] {
    const heard = hear(entry, this.#clock);
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

  #pronounce({ rule, clause, message, because }: Finding, { id, trace }: JournalEntry): Verdict {
    this.#count += 1;
    return {
      id: this.#count,
      rule,
      clause,
      message,
      requestIds: [...because.map((cause) => cause.id), id],
      at: formatInstant(trace.nowMs),
      client: { key: trace.key === null ? null : redactKey(trace.key), address: trace.address },
    };
  }
}
