// Errors on demand. A rule says which requests it strikes and what they get; it is matched when the request comes in and
// fires at the stage of the pipeline that owns its error, so that a forced 401 wins over a bad body.
import type { ErrorExampleName } from '../contract/generated/errors.ts';
import type { OperationId } from '../contract/generated/operations.ts';
import type { ToolName } from '../contract/generated/tools.ts';
import type { Random } from './random.ts';

export const networkFaults = ['reset', 'empty', 'truncated', 'slow', 'timeout'] as const;
type NetworkFault = (typeof networkFaults)[number];

export interface FaultRule {
  readonly id: string;
  readonly match: {
    /** An operation strikes through both doors, the name of a tool through the MCP door alone. */
    readonly operation?: OperationId | ToolName | undefined;
    readonly accountId?: string | undefined;
    readonly key?: string | undefined;
    readonly ip?: string | undefined;
  };
  /** An error of the contract by its example name, such as `provider_auth` or `limiter_key`. */
  readonly error?: ErrorExampleName | undefined;
  readonly network?: NetworkFault | undefined;
  readonly latencyMs?: number | undefined;
  /** Strikes this many requests and is then gone; without it, it stays. */
  readonly times?: number | undefined;
  /** The share of matching requests that it strikes, 0 to 1; without it, all. */
  readonly probability?: number | undefined;
}

/** What one request is to suffer. */
export interface Fault {
  readonly error?: ErrorExampleName | undefined;
  readonly network?: NetworkFault | undefined;
  readonly latencyMs?: number | undefined;
  /** Where it came from, for the journal: a rule's id, `Prefer` or `__code`. */
  readonly source: string;
}

export interface FaultSubject {
  readonly operation: OperationId | ToolName | null;
  /** Set for a call through the MCP door. */
  readonly tool?: ToolName | null;
  readonly accountId: string | null;
  readonly key: string | null;
  readonly ip: string;
}

/** A rule and how often it has struck. */
export interface FaultEntry {
  readonly rule: FaultRule;
  readonly struck: number;
}

export interface FaultsState {
  readonly rules: readonly FaultEntry[];
}

export class Faults {
  #entries: { rule: FaultRule; struck: number }[] = [];
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  get empty(): boolean {
    return this.#entries.length === 0;
  }

  add(rule: FaultRule): void {
    this.#entries = [...this.#entries.filter((entry) => entry.rule.id !== rule.id), { rule, struck: 0 }];
  }

  remove(id: string): boolean {
    const before = this.#entries.length;
    this.#entries = this.#entries.filter((entry) => entry.rule.id !== id);
    return this.#entries.length < before;
  }

  clear(): void {
    this.#entries = [];
  }

  list(): readonly FaultEntry[] {
    return this.#entries;
  }

  /** Keeps a rule as a log tells of it: one that has struck stays in its place, a new one is the newest. */
  put(entry: FaultEntry): void {
    const known = entry.struck > 0 ? this.#entries.find(({ rule }) => rule.id === entry.rule.id) : undefined;
    const others = known ? this.#entries : this.#entries.filter(({ rule }) => rule.id !== entry.rule.id);
    this.#entries = known ? others.map((other) => (other === known ? { ...entry } : other)) : [...others, { ...entry }];
  }

  /** The fault that a request is to suffer, from the newest rule that strikes it. `spend` counts it once it has fired. */
  strike(subject: FaultSubject): Fault | null {
    for (let i = this.#entries.length - 1; i >= 0; i -= 1) {
      const { rule } = this.#entries[i] as { rule: FaultRule };
      if (!matches(rule.match, subject)) continue;
      if (rule.probability !== undefined && this.#random.next() >= rule.probability) continue;
      return { error: rule.error, network: rule.network, latencyMs: rule.latencyMs, source: rule.id };
    }
    return null;
  }

  /** Counts a fault that fired; a rule for a number of times goes with the last. Other sources than rules count nothing. */
  spend(source: string): void {
    const entry = this.#entries.find(({ rule }) => rule.id === source);
    if (!entry) return;
    entry.struck += 1;
    if (entry.rule.times !== undefined && entry.struck >= entry.rule.times) this.remove(source);
  }

  state(): FaultsState {
    return { rules: this.#entries.map((entry) => ({ ...entry })) };
  }

  restore(state: FaultsState): void {
    this.#entries = state.rules.map((entry) => ({ ...entry }));
  }
}

function matches(match: FaultRule['match'], subject: FaultSubject): boolean {
  return (
    (match.operation === undefined || match.operation === subject.operation || match.operation === subject.tool) &&
    (match.accountId === undefined || match.accountId.toLowerCase() === subject.accountId?.toLowerCase()) &&
    (match.key === undefined || match.key === subject.key) &&
    (match.ip === undefined || match.ip === subject.ip)
  );
}
