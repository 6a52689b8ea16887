// Errors on demand. A rule says which requests it applies to and with which effect. It is matched when the request
// arrives and fires at the stage of the pipeline that owns its error, so a forced 401 wins over an invalid body.

import {
  type ErrorCode,
  type ErrorExample,
  type ErrorExampleName,
  errorExamples,
  errorStatus,
} from '../contract/generated/errors.ts';
import type { OperationId } from '../contract/generated/operations.ts';
import type { ToolName } from '../contract/generated/tools.ts';
import { parseDuration } from '../terminal/duration.ts';
import { didYouMean } from '../terminal/suggestion.ts';
import type { Random } from './random.ts';

/**
 * A network fault, in addition to a response or instead of it. The transport applies it, because the core has no
 * sockets.
 */
export const networkFaults = ['reset', 'empty', 'truncated', 'slow', 'timeout'] as const;
/** The longest delay of a response. */
export const latencyMaxMs = 600_000;
type NetworkFault = (typeof networkFaults)[number];

/** A response by hand. A text is sent as is, anything else as JSON. */
export interface CustomResponse {
  /** Default 200. */
  readonly status?: number | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A requested fault. An error, a network fault and a delay can be combined; an empty `match` matches every request. */
export interface FaultRule {
  readonly id: string;
  readonly match: {
    /** An operation strikes through both endpoints, the name of a tool through the MCP endpoint alone. */
    readonly operation?: OperationId | ToolName | undefined;
    readonly accountId?: string | undefined;
    readonly key?: string | undefined;
    readonly ip?: string | undefined;
  };
  /** An error by its name, such as `provider_auth` or `limiter_key`. */
  readonly error?: FaultError | undefined;
  /** Replaces the response of the mock, after rate limits and the key. */
  readonly respond?: CustomResponse | undefined;
  readonly network?: NetworkFault | undefined;
  readonly latencyMs?: number | undefined;
  /** `Retry-After` of a 429, in seconds; null leaves the header out. */
  readonly retryAfterS?: number | null | undefined;
  /** `X-RateLimit-Reset` of a 429, in seconds from now; the same as `retryAfterS` when absent. */
  readonly resetS?: number | undefined;
  /** Number of matching requests that it lets pass before it strikes. */
  readonly skip?: number | undefined;
  /** Strikes this many requests and is then gone; without it, it stays. */
  readonly times?: number | undefined;
  /** The share of matching requests that it strikes, 0 to 1; without it, all. */
  readonly probability?: number | undefined;
}

/** The fault that one request suffers. */
export interface Fault
  extends Pick<FaultRule, 'error' | 'respond' | 'network' | 'latencyMs' | 'retryAfterS' | 'resetS'> {
  /** Where it came from, for the request log: a rule's id, `Prefer` or `query`. */
  readonly source: string;
}

/** A request as the rules see it. Fields are null where the request has none, such as an account id on a list. */
export interface FaultSubject {
  readonly operation: OperationId | ToolName | null;
  /** Set for a call through the MCP endpoint. */
  readonly tool?: ToolName | null;
  readonly accountId: string | null;
  readonly key: string | null;
  readonly ip: string;
}

/** A rule and how often it has struck. */
export interface FaultEntry {
  readonly rule: FaultRule;
  readonly struck: number;
  /** How many requests it has let pass, with `skip`. */
  readonly passed?: number;
}

/** Order counts: the newest rule is last and is tried first. */
export interface FaultsState {
  readonly rules: readonly FaultEntry[];
  /** The number of the last new id; 0 if absent. */
  readonly lastNumber?: number;
}

/** Why the rules changed: a command, or a rule with a number of uses was applied. */
export type FaultsCause = 'told' | 'struck';

/** A notification with enough data to store the change and to undo it. */
export interface FaultsNews {
  readonly cause: FaultsCause;
  /** The rule that changed; null for all of them. */
  readonly id: string | null;
  /** The rule as it is now; null when it is gone. */
  readonly entry: FaultEntry | null;
  readonly before: FaultsState;
}

/**
 * Matching and counting are two steps: a fault that an earlier stage prevents (a limiter, say) must not use up its
 * `times`.
 */
export class Faults {
  #entries: readonly FaultEntry[] = [];
  #lastNumber = 0;
  readonly #random: Random;
  readonly #changed: (news: FaultsNews) => void;

  /** `changed` is called after each change, but for `restore`. */
  constructor(random: Random, changed: (news: FaultsNews) => void = () => {}) {
    this.#random = random;
    this.#changed = changed;
  }

  /** Nearly always, so the usual request skips matching. */
  get empty(): boolean {
    return this.#entries.length === 0;
  }

  /** Returns a new id. Ended rules keep theirs, and rules can have custom ids of the same form. */
  newId(): string {
    const taken = new Set(this.#entries.map(({ rule }) => rule.id));
    do this.#lastNumber += 1;
    while (taken.has(`fault-${this.#lastNumber}`));
    return `fault-${this.#lastNumber}`;
  }

  /** A rule with a known id replaces that one and becomes the newest. */
  add(rule: FaultRule): void {
    const before = this.#entries;
    this.#entries = [...this.#entries.filter((entry) => entry.rule.id !== rule.id), { rule, struck: 0 }];
    this.#tell('told', rule.id, before);
  }

  /** False when there was no such rule. */
  remove(id: string): boolean {
    const before = this.#entries;
    const removed = this.#drop(id);
    if (removed) this.#tell('told', id, before);
    return removed;
  }

  clear(): void {
    const before = this.#entries;
    this.#entries = [];
    this.#tell('told', null, before);
  }

  /** Oldest first, with how often each has struck. */
  list(): readonly FaultEntry[] {
    return this.#entries;
  }

  /** Stores a rule of a log, without a notification. A changed rule keeps its place, a new one is the newest. */
  put(entry: FaultEntry): void {
    const known = entry.struck > 0 ? this.#entries.find(({ rule }) => rule.id === entry.rule.id) : undefined;
    if (known) this.#entries = this.#entries.map((other) => (other === known ? { ...entry } : other));
    else this.#entries = [...this.#entries.filter(({ rule }) => rule.id !== entry.rule.id), { ...entry }];
  }

  /**
   * The fault that a request is to suffer, from the newest rule that strikes it. `spend` counts it once it has fired.
   */
  strike(subject: FaultSubject): Fault | null {
    for (let i = this.#entries.length - 1; i >= 0; i -= 1) {
      const { rule } = this.#entries[i] as { rule: FaultRule };
      if (!matches(rule.match, subject)) continue;
      if (this.#letsPass(i)) continue;
      if (rule.probability !== undefined && this.#random.next() >= rule.probability) continue;
      const { error, respond, network, latencyMs, retryAfterS, resetS } = rule;
      return { error, respond, network, latencyMs, retryAfterS, resetS, source: rule.id };
    }
    return null;
  }

  #letsPass(index: number): boolean {
    const entry = this.#entries[index] as FaultEntry;
    const passed = entry.passed ?? 0;
    if (passed >= (entry.rule.skip ?? 0)) return false;
    this.#entries = this.#entries.with(index, { ...entry, passed: passed + 1 });
    return true;
  }

  /**
   * Counts a fault that fired; a rule for a number of times goes with the last. Other sources than rules count nothing.
   */
  spend(source: string): void {
    const entry = this.#entries.find(({ rule }) => rule.id === source);
    if (!entry) return;
    const before = this.#entries;
    const counted = { ...entry, struck: entry.struck + 1 };
    this.#entries = before.map((other) => (other === entry ? counted : other));
    const { times } = entry.rule;
    if (times === undefined) return;
    if (counted.struck >= times) this.#drop(source);
    this.#tell('struck', source, before);
  }

  /** After the change: `entry` is looked up again and is null for a rule that is gone. */
  #tell(cause: FaultsCause, id: string | null, before: readonly FaultEntry[]): void {
    const entry = id === null ? null : (this.#entries.find(({ rule }) => rule.id === id) ?? null);
    this.#changed({ cause, id, entry, before: { rules: before, lastNumber: this.#lastNumber } });
  }

  #drop(id: string): boolean {
    const before = this.#entries.length;
    this.#entries = this.#entries.filter((entry) => entry.rule.id !== id);
    return this.#entries.length < before;
  }

  /** Copies, so a snapshot does not change with later strikes. */
  state(): FaultsState {
    return { rules: this.#entries.map((entry) => ({ ...entry })), lastNumber: this.#lastNumber };
  }

  /** Sends no notification, because the engine reports a restored snapshot as a whole. */
  restore(state: FaultsState): void {
    this.#entries = state.rules.map((entry) => ({ ...entry }));
    // The same state gives the same ids.
    this.#lastNumber = state.lastNumber ?? 0;
  }
}

/**
 * Every field that the rule names has to fit. Account ids are compared without case, keys and addresses to the letter.
 */
function matches(match: FaultRule['match'], subject: FaultSubject): boolean {
  return (
    (match.operation === undefined || match.operation === subject.operation || match.operation === subject.tool) &&
    (match.accountId === undefined || match.accountId.toLowerCase() === subject.accountId?.toLowerCase()) &&
    (match.key === undefined || match.key === subject.key) &&
    (match.ip === undefined || match.ip === subject.ip)
  );
}

// The words for the effects of a fault. The URL, the `Prefer` header, `--fault`, `casa.faults.add` and
// `/__admin/faults` read them here, so a word means the same everywhere.

/** An error, a network fault and a delay can be combined. */
export type Effects = Pick<FaultRule, 'error' | 'network' | 'latencyMs' | 'retryAfterS'>;

/** Reads a status, a code or the name of an error. Returns one sentence for any other word. */
export function readErrorWord(word: string): Effects | string {
  const [error] = errorsOfWord(word);
  if (error !== undefined) return { error };
  const guess = didYouMean(word, faultErrorNames);
  const known = guess || ` Statuses: ${faultStatuses.join(', ')}. Errors: ${faultErrorNames.join(', ')}.`;
  return `There is no error "${word}".${known}`;
}

/** Reads the kind of a network fault. Returns one sentence for any other word. */
export function readNetworkWord(word: string): Effects | string {
  const network = networkFaults.find((known) => known === word);
  if (network !== undefined) return { network };
  const known = didYouMean(word, networkFaults) || ` Kinds: ${networkFaults.join(', ')}.`;
  return `There is no network fault "${word}".${known}`;
}

/** Reads a delay. `unitMs` is the unit of a number without one; null rejects such a number. */
export function readDelay(text: string, name: string, unitMs: number | null): Effects | string {
  const latencyMs = unitMs !== null && /^\d{1,9}$/.test(text) ? Number(text) * unitMs : parseDuration(text);
  if (latencyMs !== null && latencyMs <= latencyMaxMs) return { latencyMs };
  return `${name} takes a time up to ${latencyMaxMs / 1000} s, for example 2s or 250ms, not "${text}".`;
}

/** The longest wait that a 429 on demand asks for. */
export const retryAfterMaxS = 86_400;

/** Reads the `Retry-After` of a 429: seconds, or `none`. Returns one sentence for any other word. */
export function readRetryAfter(text: string): Effects | string {
  if (text === 'none') return { retryAfterS: null };
  const retryAfterS = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (retryAfterS <= retryAfterMaxS) return { retryAfterS };
  return `retry-after takes seconds up to ${retryAfterMaxS}, or none, not "${text}".`;
}

/** Explains the chosen error of a status with several errors; null for any other word. */
export function ambiguity(word: string): string | null {
  const [first, ...others] = /^\d/.test(word) ? errorsOfWord(word) : [];
  return others.length === 0 ? null : `"${word}" means ${first}. It also fits ${others.join(', ')}.`;
}

// The errors that a fault may ask for: those of the contract by the names of their examples, and common ones
// that the contract leaves out: a failure of the service, and responses of gateways in front of it.

export type FaultError = ErrorExampleName | 'internal_error' | GatewayError;
export type GatewayError = 'gateway_error' | 'empty_success' | 'login_redirect';

/** Names that a user may write: the codes of the contract too. */
export type FaultErrorName = FaultError | ErrorCode;

interface ErrorOnDemand extends Omit<ErrorExample, 'code'> {
  readonly code: ErrorCode | 'internal_error' | null;
}

const html = { 'content-type': 'text/html; charset=utf-8' };
/** The target of `login_redirect`. */
export const loginPath = '/login';

/** Responses of a proxy or a gateway that did not forward the request. */
export const gatewayErrors: Readonly<Record<GatewayError, CustomResponse & { status: number; body: string }>> = {
  gateway_error: {
    status: 502,
    headers: html,
    body: '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body><h1>502 Bad Gateway</h1></body>\r\n</html>\r\n',
  },
  empty_success: { status: 200, headers: { 'content-type': 'application/json' }, body: '' },
  login_redirect: { status: 302, headers: { ...html, location: loginPath }, body: '' },
};

export const isGatewayError = (name: string | undefined): name is GatewayError =>
  name !== undefined && Object.hasOwn(gatewayErrors, name);

export const errorsOnDemand: { readonly [Name in Exclude<FaultError, GatewayError>]: ErrorOnDemand } = {
  ...errorExamples,
  internal_error: {
    code: 'internal_error',
    status: 500,
    body: { error: { code: 'internal_error', message: 'The service failed.' } },
  },
};

const errorNames = Object.keys(errorsOnDemand) as (keyof typeof errorsOnDemand)[];

// Where several errors share a status or a code, the one that most requests mean.
const usual: readonly FaultError[] = ['invalid_input', 'unauthorized', 'payment_method_required', 'limiter_key'];

/** Names that a fault accepts in addition to statuses: those of the errors, and the codes of the contract. */
export const faultErrorNames = [
  ...new Set([...errorNames, ...Object.keys(errorStatus), ...Object.keys(gatewayErrors)]),
] as FaultErrorName[];

export const faultStatuses = [...new Set(errorNames.map((name) => errorsOnDemand[name].status))].sort((a, b) => a - b);

/** Returns the errors for a status (`"503"`), a code or a name, the most common one first; empty for any other word. */
export function errorsOfWord(word: string): readonly FaultError[] {
  if (isGatewayError(word)) return [word];
  const same = errorNames.filter((name) => {
    const { status, code } = errorsOnDemand[name];
    return name === word || code === word || String(status) === word;
  });
  const named = same.find((name) => name === word);
  if (named !== undefined) return [named];
  return [...same].sort((a, b) => Number(usual.includes(b)) - Number(usual.includes(a)));
}
