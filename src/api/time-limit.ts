// Ends work after a time, or when its caller wants that, whether the work looks at its signal or not.

/** Who may end the work in addition to the time. */
export interface TimeLimit {
  readonly signal: AbortSignal | undefined;
  /** The error that the work ends with when the time is over. */
  readonly timedOut: () => Error;
}

/** The result of the work. Rejects with the reason of the caller's signal, or with `timedOut`, at once. */
export async function limitTime<Result>(
  ms: number,
  { signal, timedOut }: TimeLimit,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const stop = new AbortController();
  let end: (reason: unknown) => void = () => {};
  const ended = new Promise<never>((_, reject) => {
    end = (reason) => {
      reject(reason);
      stop.abort(reason);
    };
  });
  const leave = () => end(signal?.reason);
  // Timers take no longer times.
  const timer = setTimeout(() => end(timedOut()), Math.min(ms, 2 ** 31 - 1));
  signal?.addEventListener('abort', leave, { once: true });
  if (signal?.aborted) leave();
  try {
    return await Promise.race([ended, work(stop.signal)]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', leave);
  }
}
