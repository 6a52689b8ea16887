// The same request again, after a response that says when and whether to come back. Cites 7.retry.never-unchanged,
// 7.retry.back-off, 7.retry.retry-after, 7.retry.reset.
import type { RequestLogEntry } from '../request-log-record.ts';
import {
  fingerprint,
  formatWait,
  type Heard,
  isDelivered,
  knewResponse,
  type Remembered,
  remember,
  type Stored,
  store,
  waitedMs,
} from './heard.ts';
import { keepsConnections, withDoubt } from './runs.ts';
import { type Finding, windows } from './violation.ts';

/** So many short waits in a row must not grow: jitter can shrink one wait, but not two in a row. */
const shortGapsJudged = 3;
/** The same for longer waits: an exponential delay with a minimum starts with three equal waits of 4 s. */
const gapsJudged = 5;
/** Requests under way together are not retries; more of them than this are. */
const togetherMax = 2;
/** The same where each came after the response to the one before. */
const oneByOneMax = 1;
const seriesMax = 1000;
/** Instead of Infinity, which JSON cannot hold. */
const longest = Number.MAX_SAFE_INTEGER;
/** Longer than any rule looks back, but for the wait time of a 429. */
const forgottenAfterMs = 120_000;

/** Three rules about retries: never unchanged, not before the stated wait time, with growing delays. */
type Kind = 'rejected' | 'limited' | 'failing';

/** A request with its repetitions so far; a change of the outcome starts a new one. */
interface Series {
  readonly kind: Kind;
  readonly last: Remembered;
  /** The wait time in the response, and its header. */
  readonly told: Told;
  /** The last gaps between repetitions, and the shortest of all. */
  readonly gaps: readonly number[];
  readonly leastMs: number;
  /** Concurrent repetitions: the client might not have had the response yet. */
  readonly together: number;
}

/** The wait time of a 429. Retry-After wins over Reset. Cites 7.retry.retry-after, 7.retry.reset. */
interface Told {
  readonly waitMs: number;
  readonly by: 'Retry-After' | 'X-RateLimit-Reset';
}

type StoredSeries = Omit<Series, 'last'> & { readonly last: Stored<Remembered> };

export interface RetriesState {
  readonly series: readonly (readonly [fingerprint: string, series: StoredSeries])[];
}

/** By fingerprint: who asked, what, and with which body. Each response ends the series before it or carries it on. */
export class Retries {
  /** By fingerprint; the oldest first. */
  readonly #series = new Map<string, Series>();
  /** How many series were dropped because there were too many. */
  dropped = 0;

  /** Nothing to do for a success response when nothing is open: nearly always. */
  isIdle(status: number): boolean {
    return status < 400 && this.#series.size === 0;
  }

  /** The exchange checks the series of its fingerprint, and then opens or continues one. */
  hear(heard: Heard): Finding | null {
    const kind = kindOf(heard.entry);
    if (kind === null && this.#series.size === 0) return null;
    this.#forgetOld(heard);
    const print = fingerprint(heard.entry);
    const known = this.#series.get(print);
    const series = known && !isOfOtherRun(known, heard) ? known : undefined;
    const isRetry = series !== undefined && isRepetition(series, heard);
    const finding = isRetry ? judgeRetry(series, heard) : null;
    this.#series.delete(print);
    if (kind !== null && isDelivered(heard.entry)) this.#open(print, { kind, heard, before: series, isRetry });
    return finding;
  }

  /** Called after the world changed: rejected requests can be tried again. Failures and limits remain. */
  forgetRejections(): void {
    for (const [print, { kind }] of this.#series) if (kind === 'rejected') this.#series.delete(print);
  }

  clear(): void {
    this.#series.clear();
  }

  state(): RetriesState {
    const describe = ({ last, ...series }: Series): StoredSeries => ({ ...series, last: store(last) });
    return { series: [...this.#series].map(([print, series]) => [print, describe(series)] as const) };
  }

  restore({ series }: RetriesState): void {
    this.clear();
    for (const [print, stored] of series) this.#series.set(print, stored);
  }

  /** Gaps are kept as long as the server keeps failing and the client keeps trying in a row. */
  #open(print: string, { kind, heard, before, isRetry }: Opening): void {
    const gap = isRetry && before ? waitedMs(before.last, heard) : null;
    const goesOn = before?.kind === 'failing' && kind === 'failing' && gap !== null && !isAsTold(before, gap);
    const isShort = gap !== null && gap < windows.backOffEndsMs;
    this.#series.set(print, {
      kind,
      last: remember(heard),
      told: heard.entry.response.status === 429 ? toldToWait(heard) : { waitMs: 0, by: 'X-RateLimit-Reset' },
      gaps: goesOn && isShort ? [...before.gaps.slice(1 - gapsJudged), gap] : [],
      leastMs: goesOn ? Math.min(before.leastMs, gap) : longest,
      together: isRetry || !before ? 0 : before.together + 1,
    });
    if (this.#series.size <= seriesMax) return;
    this.#series.delete(this.#series.keys().next().value as string);
    this.dropped += 1;
  }

  /** Stops at the first young one: the map is in the order of the last exchange. */
  #forgetOld(heard: Heard): void {
    for (const [print, { last, told }] of this.#series) {
      if (waitedMs(last, heard) < Math.max(forgottenAfterMs, told.waitMs)) return;
      this.#series.delete(print);
    }
  }
}

/** The exchange and the previous ones, for `#open`. */
interface Opening {
  readonly kind: Kind;
  readonly heard: Heard;
  readonly before: Series | undefined;
  readonly isRetry: boolean;
}

const neverRetried: ReadonlySet<number> = new Set([400, 401, 402, 403, 404]);

/** A 429 of a platform without Retry-After is trouble like 502 and 503: a client backs off, or waits until Reset. */
function kindOf({ response: { status, headers }, trace }: RequestLogEntry): Kind | null {
  if (neverRetried.has(status)) return 'rejected';
  if (status === 429) return trace.blockedBy || headers['retry-after'] !== undefined ? 'limited' : 'failing';
  return status === 502 || status === 503 ? 'failing' : null;
}

// Retry-After when present, else the time in X-RateLimit-Reset.
function toldToWait({ entry: { response }, atMs }: Heard): Told {
  const { 'retry-after': retryAfter, 'x-ratelimit-reset': reset } = response.headers;
  if (retryAfter !== undefined) return { waitMs: Number(retryAfter) * 1000, by: 'Retry-After' };
  return { waitMs: reset === undefined ? 0 : Math.max(0, Number(reset) - atMs), by: 'X-RateLimit-Reset' };
}

/** Requests under way together are not a retry; more of them than a page sends at once are. */
function isRepetition({ last, together }: Series, heard: Heard): boolean {
  const knew = knewResponse(last, heard);
  return knew === 'yes' || together >= (knew === 'likely' ? oneByOneMax : togetherMax);
}

/** Another run or client does not know the response. The wait time of a 429 is for all clients of the key. */
function isOfOtherRun({ kind, last }: Series, heard: Heard): boolean {
  const isProgram = kind !== 'limited' && keepsConnections(heard.entry.request);
  const isLater = isProgram && waitedMs(last, heard) >= windows.newRunMs && heard.runs.isOnNew(last, heard);
  return isLater || heard.runs.startsAgain(last, heard);
}

/** Each kind has one rule; at most one finding comes of it. */
function judgeRetry(series: Series, heard: Heard): Finding | null {
  const { kind, last, told } = series;
  const gap = waitedMs(last, heard);
  if (kind === 'rejected') return gap < windows.rejectionStandsMs ? unchangedRetry(last, heard) : null;
  if (kind === 'failing') return judgeBackOff(series, heard);
  return gap < told.waitMs - windows.earlyToleranceMs ? earlyRetry(series, heard) : null;
}

const remedies: Readonly<Record<number, string>> = {
  400: 'Correct the request',
  401: 'Correct the key (unauthorized), reconnect the account (provider_auth),',
  402: 'Resolve the payment',
  403: 'Get the permission',
  404: 'Correct the id',
};

function unchangedRetry(last: Remembered, heard: Heard): Finding {
  const { id, status, what } = last;
  const message = `Retried ${what} after a ${status} without a change. ${remedies[status]} or show the error to the user.`;
  return {
    rule: 'unchanged-retry',
    clause: '7.retry.never-unchanged',
    message: withDoubt(message, last, heard),
    because: [id],
  };
}

function earlyRetry({ last, told: { waitMs, by } }: Series, heard: Heard): Finding {
  const message =
    `Retried ${last.what} after a 429 with a wait of ${formatWait(waitedMs(last, heard))}. ` +
    `Wait until ${by} has passed (${formatWait(waitMs)}).`;
  return {
    rule: 'early-retry',
    clause: by === 'Retry-After' ? '7.retry.retry-after' : '7.retry.reset',
    message: withDoubt(message, last, heard),
    because: [last.id],
  };
}

/** The wait of a client that obeys the Reset of a platform's 429, however near that is. Cites 7.retry.reset. */
const isAsTold = ({ told: { waitMs } }: Series, gap: number) =>
  waitMs > 0 && gap >= waitMs - Math.min(windows.earlyToleranceMs, waitMs / 2);

/** A wait that is nearly none, or several short ones that never grew. Cites 7.retry.back-off. */
function judgeBackOff(series: Series, heard: Heard): Finding | null {
  const { last, gaps, leastMs } = series;
  const noBackOff = (how: string): Finding => ({
    rule: 'no-back-off',
    clause: '7.retry.back-off',
    message: withDoubt(`Retried ${last.what} after a ${last.status} with ${how}.`, last, heard),
    because: [last.id],
  });
  const gap = waitedMs(last, heard);
  if (isAsTold(series, gap)) return null;
  if (gap < windows.backOffMinMs) {
    return noBackOff(`a wait of ${formatWait(gap)}. Use back-off: wait longer before each retry`);
  }
  if (gap >= windows.backOffEndsMs || hasBackedOff(gap, leastMs)) return null;
  const judged = gap < windows.shortGapMs ? shortGapsJudged : gapsJudged;
  const all = [...gaps, gap].slice(-judged);
  if (all.length < judged || grows(all)) return null;
  const waits = all.map((ms) => formatWait(ms)).join(', ');
  return noBackOff(`waits of ${waits}. Make each wait longer than the previous one, up to a maximum`);
}

/** Growth and then a plateau: an exponential delay with a maximum. Cites 7.retry.back-off. */
export function hasBackedOff(lastMs: number, leastMs: number): boolean {
  return lastMs >= leastMs * 1.5;
}

/** One wait that is longer by a tenth will do: clients add jitter. */
function grows(gaps: readonly number[]): boolean {
  return gaps.some((gap, i) => i > 0 && gap > (gaps[i - 1] as number) * 1.1);
}
