// One request, sent as often as section 7 allows: 400, 401, 402, 403 and 404 are never repeated, 429 waits as stated,
// 502 and 503 are repeated with back-off. Cites 7.retry.never-unchanged, 7.retry.back-off, 7.retry.retry-after,
// 7.retry.reset.
import { parseJson } from '../contract/json.ts';
import { ApiError } from './api-error.ts';

/** Waits; rejects with the signal's reason when that aborts. */
export type Sleep = (ms: number, signal?: AbortSignal | undefined) => Promise<void>;

/** A request that is about to be sent again. */
export interface Retry {
  /** The attempt that failed, counted from 1. */
  readonly attempt: number;
  /** How long the client waits before the next attempt. */
  readonly waitMs: number;
  /** Why the attempt failed: a code as `ApiError` has it, for example `transient` or `network`. */
  readonly reason: string;
}

export interface SendOptions {
  readonly fetch: typeof globalThis.fetch;
  readonly sleep: Sleep;
  /** How often a request is repeated at most. */
  readonly retries: number;
  readonly onRetry: (retry: Retry) => void;
  /** The present, in epoch milliseconds, where a response does not say it. */
  readonly now: () => number;
}

export interface Outgoing {
  readonly url: string;
  readonly init: () => Promise<RequestInit>;
  /** Whether the request changes something: it may have been made although the response says that a platform failed. */
  readonly isWrite: boolean;
  /** For the request with all its repetitions, waits included. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal | undefined;
}

const backOffMs = 1_000;
const limitedStatus = 429;
const troubleStatuses: ReadonlySet<number> = new Set([502, 503]);

/** The body of a 200. Rejects with an `ApiError`, or with the reason of the caller's signal. */
export async function send(outgoing: Outgoing, options: SendOptions): Promise<unknown> {
  let attempt = 1;
  const timedOut = () =>
    new ApiError({ code: 'timeout', attempts: attempt, detail: `${outgoing.deadlineMs} ms are over` });
  const endsAtMs = options.now() + outgoing.deadlineMs;
  return limitTime(outgoing.deadlineMs, { signal: outgoing.signal, timedOut }, async (signal) => {
    const init = { ...(await outgoing.init()), signal };
    for (; ; attempt += 1) {
      if (signal.aborted) throw signal.reason;
      const apiResponse = await ask(() => options.fetch(outgoing.url, init), { now: options.now, attempt, signal });
      if (!(apiResponse instanceof ApiError)) return apiResponse.body;
      const waitMs = waitOf(apiResponse, outgoing);
      const isLast = attempt > options.retries || waitMs === null || options.now() + waitMs > endsAtMs;
      if (isLast) throw apiResponse;
      options.onRetry({ attempt, waitMs, reason: apiResponse.code });
      await options.sleep(waitMs, signal);
    }
  });
}

/** Returns the body of a 200, or the error. A truncated body counts as a lost response. */
async function ask(
  request: () => Promise<Response>,
  { now, attempt, signal }: { now: () => number; attempt: number; signal: AbortSignal },
): Promise<{ readonly body: unknown } | ApiError> {
  try {
    const response = await request();
    const text = await response.text();
    // The page of a gateway is no JSON.
    const body = parseJson(text);
    if (response.ok && body !== undefined) return { body };
    return new ApiError({
      status: response.status,
      body: body ?? text,
      attempts: attempt,
      retryAfterMs: response.status === limitedStatus ? toldWait(response, now) : null,
    });
  } catch (error) {
    if (signal.aborted || !(error instanceof Error)) throw error;
    return new ApiError({ code: 'network', attempts: attempt, detail: describe(error), cause: error });
  }
}

/** The reason of `fetch failed` is in its cause. */
function describe({ message, cause }: Error): string {
  const { code, message: why } = (cause ?? {}) as { code?: unknown; message?: unknown };
  const details = [code, why].find((text) => typeof text === 'string' && text !== '');
  return details === undefined ? message : `${message} (${details})`;
}

/** How long to wait before the request is sent again; null when it must not be. */
function waitOf(error: ApiError, { url, isWrite }: Outgoing): number | null {
  const growing = backOffMs * 2 ** (error.attempts - 1);
  // Spreads clients that failed at one moment; each wait stays longer than the one before.
  const backOff = growing * (1 + Math.random() / 4);
  if (error.status === limitedStatus) return error.retryAfterMs ?? backOff;
  if (isWrite || (error.code === 'network' && isHopeless(error, url))) return null;
  return error.code === 'network' || troubleStatuses.has(error.status) ? backOff : null;
}

/** Whether another attempt is useless: the connection was rejected locally, or the URL is invalid. */
function isHopeless({ message }: ApiError, url: string): boolean {
  if (/invalid.url|parse url/i.test(message)) return true;
  const isLoopback = /^https?:\/\/(?:[\w.-]+\.)?(?:localhost|127(?:\.\d+){3}|\[::1\])[:/]/i.test(url);
  return isLoopback && /ECONNREFUSED|connection ?rejected/i.test(message);
}

// Timers fire early by a little.
const slackMs = 100;

/** `Retry-After` in seconds, else the timestamp in `X-RateLimit-Reset`, counted on the clock of the service. */
function toldWait({ headers }: Response, now: () => number): number | null {
  const retryAfter = headers.get('retry-after');
  if (retryAfter !== null && /^\d+$/.test(retryAfter)) return Number(retryAfter) * 1000 + slackMs;
  const reset = headers.get('x-ratelimit-reset');
  if (reset === null || !/^\d+$/.test(reset)) return null;
  const date = Date.parse(headers.get('date') ?? '');
  return Math.max(0, Number(reset) - (Number.isNaN(date) ? now() : date)) + slackMs;
}

/** Waits on the system's timers. */
export const sleepOnTimers: Sleep = (ms, signal) =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const leave = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', leave);
      resolve();
    }, ms);
    signal?.addEventListener('abort', leave, { once: true });
  });

/** A signal that can end the work before the deadline. */
interface TimeLimit {
  readonly signal: AbortSignal | undefined;
  /** The error that the work ends with when the time is over. */
  readonly timedOut: () => Error;
}

/** The result of the work. Rejects with the reason of the caller's signal, or with `timedOut`, at once. */
async function limitTime<Result>(
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
