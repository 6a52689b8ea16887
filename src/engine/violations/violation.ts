// The violations of clients. The mock checks only behavior that the contract rules out, never style.

import type { clauses } from '../../contract/generated/clauses.ts';

/** The rules, each with its clause. Ids of rules are part of the interface: users filter and silence by them. */
export const clauseOf = {
  'unchanged-retry': '7.retry.never-unchanged',
  'early-retry': '7.retry.reset',
  'no-back-off': '7.retry.back-off',
  'lost-since': '6.keep-since',
  'since-backwards': '6.store-cursor',
  'hasty-poll': '6.wait',
  'late-poll': '6.full-page',
  'key-rotated': '5.provider-auth-remedy',
} as const satisfies Record<string, keyof typeof clauses>;

type ViolationRule = keyof typeof clauseOf;
export const violationRules = Object.keys(clauseOf) as ViolationRule[];

/** One violation of a client, as in the dashboard, the log and `casa.violations()`. */
export interface Violation {
  readonly id: number;
  readonly rule: ViolationRule;
  /** The clause of the contract, an id of spec/clauses.yaml. */
  readonly clause: keyof typeof clauses;
  /** One sentence: the mistake of the client and its correction. */
  readonly message: string;
  /** Method and path of the request that is the violation, such as that of an account. */
  readonly request: string;
  /** Ids in the request log: the earlier requests, then the one that is the violation. */
  readonly requestIds: readonly number[];
  /** ISO 8601, on the mock's clock. */
  readonly at: string;
  /** The client, with the last characters of its key. */
  readonly client: { readonly key: string | null; readonly address: string };
}

// Time limits of the checks of clients, in milliseconds of the mock's clock, so the same run gives the same result.
// docs/reference/client-rules.md lists them. Sections 6 and 7 give rules and few numbers (assumption C150).
export const windows = {
  /** Programs retry a rejected request within seconds. Later requests come from users who reload or click again. */
  rejectionStandsMs: 10_000,
  /** A retry after less time counts as one without back-off. */
  backOffMinMs: 100,
  /** A wait that is shorter than this has not grown: a busy machine delays clients whose time is scaled. */
  noiseMs: 0,
  /** Waits below this that never grow are seen after fewer retries. */
  shortGapMs: 2_000,
  /** A wait as long as this is back-off by itself: the window of the address limit is over. */
  backOffEndsMs: 10_000,
  /** After this long, a program that keeps its connections, and comes on a new one, was started again. */
  newRunMs: 2_000,
  /** Timers fire early by a little, and clocks are read in whole milliseconds. */
  earlyToleranceMs: 100,
  /** Two requests as close as this may have been under way together. */
  togetherMs: 100,
  /** After this long another key has other reasons. */
  rotationMs: 60_000,
  /** "At once", plus time for handling a page of calls. */
  atOnceMs: 5_000,
  /** A client that polls later than this was away. */
  awayMs: 300_000,
  /** A timer of a minute that counts from request to request comes early by the time a response takes. */
  pollToleranceMs: 1_000,
  /** A number of requests: so many without a response, whose waits never grow, count as retries without an end. */
  lostMin: Number.POSITIVE_INFINITY,
} as const;

/** The time limits of a log with other clients than those of a mock, such as a test case of `casa try`. */
export type Windows = { readonly [Name in keyof typeof windows]: number };

// Short hashes instead of long texts and bodies. They only distinguish texts and do not protect secrets.
const encoder = new TextEncoder();
const lengthKept = 100;

/** The text itself, or its beginning and a digest when it is long. */
export function shorten(text: string): string {
  return text.length <= lengthKept ? text : `${text.slice(0, lengthKept)}#${digestText(text)}`;
}

/** For texts of any length; the same text always gives the same mark. */
export function digestText(text: string): string {
  return digestBytes(encoder.encode(text));
}

/** Two independent 32-bit sums and the length. */
export function digestBytes(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const tail = bytes.length - (bytes.length % 4);
  let a = 0x811c9dc5;
  let b = 0x9e3779b9;
  // The locals stay in registers here; a function over both costs four times as much, and bodies have megabytes.
  for (let i = 0; i < bytes.length; i += i < tail ? 4 : 1) {
    const word = i < tail ? view.getInt32(i, true) : (bytes[i] as number);
    a = Math.imul(a ^ word, 0x01000193);
    a ^= a >>> 15;
    b = Math.imul(b + word, 0x85ebca6b) ^ (b >>> 13);
  }
  return `${bytes.length} ${a >>> 0} ${b >>> 0}`;
}
