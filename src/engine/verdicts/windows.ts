// The windows in which clients are judged, in milliseconds of the mock's clock and of no other: the same run then gives
// the same result. docs/tests.md lists them. Sections 6 and 7 give rules and few numbers (choice C150).
export const windows = {
  /**
   * For how long a refusal stands. Programs retry within seconds; what comes later is a person who reloads a page or
   * presses a button again, and may do so.
   */
  refusalStandsMs: 10_000,
  /**
   * A repetition this fast had no back-off at all; shorter first delays exist, but a client that waits so little does
   * not back off.
   */
  backOffMinMs: 100,
  /** Repetitions further apart are not retries: the client asks regularly. */
  backOffEndsMs: 30_000,
  /** Timers fire early by a little, and clocks are read in whole milliseconds. */
  earlyToleranceMs: 100,
  /** Two requests as close as this may have been under way together. */
  togetherMs: 100,
  /** After this long another key has other reasons. */
  rotationMs: 60_000,
  /** "At once", with room for handling a page of calls. */
  atOnceMs: 5_000,
  /** A client that polls later than this was away. */
  awayMs: 300_000,
  /** A timer of a minute that counts from request to request comes early by the time an answer takes. */
  pollToleranceMs: 1_000,
} as const;
