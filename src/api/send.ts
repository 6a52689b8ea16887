// One request, sent as often as section 7 allows: 400, 401, 402, 403 and 404 are never repeated, 429 waits as it is
// told, 502 and 503 are repeated with back-off. Cites 7.retry.never-unchanged, 7.retry.back-off, 7.retry.retry-after,
// 7.retry.reset.
import { ApiError } from './api-error.ts';

/** Waits; rejects with the signal's reason when that aborts. */
export type Sleep = (ms: number, signal?: AbortSignal | undefined) => Promise<void>;

export interface SendOptions {
  readonly fetch: typeof globalThis.fetch;
  readonly sleep: Sleep;
  /** How often a request is repeated at most. */
  readonly retries: number;
  /** A longer wait is not waited for: the refusal is handed on. */
  readonly waitMaxMs: number;
  /** The present, in epoch milliseconds, where an answer does not say it. */
  readonly now: () => number;
}

export interface Outgoing {
  readonly url: string;
  readonly init: RequestInit;
  /** Whether the request changes something: it may have been made although the answer says that a platform failed. */
  readonly isWrite: boolean;
  readonly signal: AbortSignal | undefined;
}

const backOffMs = 1_000;
const limitedStatus = 429;
const troubleStatuses: ReadonlySet<number> = new Set([502, 503]);

/** The body of a 200. Rejects with an `ApiError`, or as `fetch` does. */
export async function send(outgoing: Outgoing, options: SendOptions): Promise<unknown> {
  const { url, init, signal } = outgoing;
  for (let attempt = 1; ; attempt += 1) {
    const answer = await ask(() => options.fetch(url, { ...init, ...(signal && { signal }) }), outgoing);
    const isLast = attempt > options.retries;
    if (answer instanceof Response && answer.ok) return await answer.json();
    const waitMs = isLast ? null : waitOf(answer, attempt, { outgoing, options });
    if (waitMs === null || waitMs > options.waitMaxMs) await fail(answer, attempt);
    else {
      // A connection is free again only when the body was read.
      if (answer instanceof Response) await answer.body?.cancel();
      await options.sleep(waitMs, signal);
    }
  }
}

/** The answer, or the error that stood in its place. */
async function ask(request: () => Promise<Response>, { signal }: Outgoing): Promise<Response | Error> {
  try {
    return await request();
  } catch (error) {
    if (signal?.aborted || !(error instanceof Error)) throw error;
    return error;
  }
}

async function fail(answer: Response | Error, attempts: number): Promise<never> {
  if (answer instanceof Error) throw answer;
  const text = await answer.text();
  let body: unknown = text;
  try {
    body = JSON.parse(text);
  } catch {
    // A page of a gateway.
  }
  throw new ApiError({ status: answer.status, body, attempts });
}

interface Circumstances {
  readonly outgoing: Outgoing;
  readonly options: SendOptions;
}

/** How long to wait before the request is sent again; null when it must not be. */
function waitOf(answer: Response | Error, attempt: number, { outgoing, options }: Circumstances): number | null {
  const growing = backOffMs * 2 ** (attempt - 1);
  // Spreads clients that failed at one moment; each wait stays longer than the one before.
  const backOff = growing * (1 + Math.random() / 4);
  if (answer instanceof Error) return outgoing.isWrite ? null : backOff;
  if (answer.status === limitedStatus) return toldWait(answer, options) ?? backOff;
  if (!troubleStatuses.has(answer.status) || outgoing.isWrite) return null;
  return backOff;
}

// Timers fire early by a little.
const slackMs = 100;

/** `Retry-After` in seconds, else the instant in `X-RateLimit-Reset`, counted on the clock of the service. */
function toldWait({ headers }: Response, { now }: SendOptions): number | null {
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
