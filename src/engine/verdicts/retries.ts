// The same request again, after an answer that says when and whether to come back. Cites 7.retry.never-unchanged,
// 7.retry.back-off, 7.retry.retry-after, 7.retry.reset.
import type { JournalEntry } from '../journal-entry.ts';
import { describeRequest, fingerprint, formatWait, type Heard, isDelivered, knewAnswer, waitedMs } from './heard.ts';
import type { Finding } from './verdict.ts';

/**
 * For how long a refusal stands. Programs retry within seconds; what comes later is a person who reloads a page or presses
 * a button again, and may do so.
 */
const refusalStandsMs = 10_000;
/** A repetition this fast had no back-off at all; shorter first delays exist, but a client that waits so little does not back off. */
const backOffMinMs = 100;
/** Repetitions further apart are not retries: the client asks regularly. */
const backOffEndsMs = 30_000;
/** How many repetitions may come without the gap between them growing: jitter may shrink one, not two in a row. */
const gapsJudged = 3;
/** Timers fire early by a little, and clocks are read in whole milliseconds. */
const toleranceMs = 100;
/** Requests under way together are not retries; more of them than this are. */
const togetherMax = 2;
const seriesMax = 1000;
/** Longer than any rule looks back. */
const forgottenAfterMs = 120_000;

type Kind = 'refused' | 'limited' | 'failing';

interface Series {
  readonly kind: Kind;
  readonly last: Heard;
  /** How long the client was told to wait. */
  readonly waitMs: number;
  /** The gaps between repetitions so far. */
  readonly gaps: readonly number[];
  /** Repetitions of which nobody knows whether the client had the answer yet. */
  readonly together: number;
}

export class Retries {
  /** By fingerprint; the oldest first. */
  readonly #series = new Map<string, Series>();

  /** Nothing to do for a good answer when nothing is open: nearly always. */
  isIdle(status: number): boolean {
    return status < 400 && this.#series.size === 0;
  }

  hear(heard: Heard): Finding | null {
    const kind = kindOf(heard.entry);
    if (kind === null && this.#series.size === 0) return null;
    this.#forgetOld(heard);
    const print = fingerprint(heard.entry);
    const series = this.#series.get(print);
    const isRetry = series !== undefined && (knewAnswer(series.last, heard) || series.together >= togetherMax);
    const finding = isRetry ? judgeRetry(series, heard) : null;
    this.#series.delete(print);
    if (kind !== null && isDelivered(heard.entry)) this.#open(print, { kind, heard, before: series, isRetry });
    return finding;
  }

  /** The world has changed: what was refused may be tried again. Failures and limits stand. */
  forgetRefusals(): void {
    for (const [print, { kind }] of this.#series) if (kind === 'refused') this.#series.delete(print);
  }

  clear(): void {
    this.#series.clear();
  }

  #open(print: string, { kind, heard, before, isRetry }: Opening): void {
    const gap = isRetry && before ? waitedMs(before.last, heard) : Number.POSITIVE_INFINITY;
    const goesOn = before?.kind === 'failing' && kind === 'failing' && gap < backOffEndsMs;
    this.#series.set(print, {
      kind,
      last: heard,
      waitMs: kind === 'limited' ? toldToWaitMs(heard) : 0,
      gaps: goesOn ? [...before.gaps.slice(1 - gapsJudged), gap] : [],
      together: isRetry || !before ? 0 : before.together + 1,
    });
    if (this.#series.size > seriesMax) this.#series.delete(this.#series.keys().next().value as string);
  }

  #forgetOld(heard: Heard): void {
    for (const [print, { last }] of this.#series) {
      if (waitedMs(last, heard) < forgottenAfterMs) return;
      this.#series.delete(print);
    }
  }
}

interface Opening {
  readonly kind: Kind;
  readonly heard: Heard;
  readonly before: Series | undefined;
  readonly isRetry: boolean;
}

const neverRetried: ReadonlySet<number> = new Set([400, 401, 402, 403, 404]);

function kindOf({ response: { status }, trace }: JournalEntry): Kind | null {
  if (neverRetried.has(status)) return 'refused';
  if (status === 429) return trace.blockedBy ? 'limited' : 'failing';
  return status === 502 || status === 503 ? 'failing' : null;
}

// Retry-After when present, else the time in X-RateLimit-Reset.
function toldToWaitMs({ entry: { response }, atMs }: Heard): number {
  const { 'retry-after': retryAfter, 'x-ratelimit-reset': reset } = response.headers;
  if (retryAfter !== undefined) return Number(retryAfter) * 1000;
  return reset === undefined ? 0 : Math.max(0, Number(reset) - atMs);
}

function judgeRetry(series: Series, heard: Heard): Finding | null {
  const waited = waitedMs(series.last, heard);
  if (series.kind === 'refused') return waited < refusalStandsMs ? unchangedRetry(series.last.entry) : null;
  if (series.kind === 'limited') return waited < series.waitMs - toleranceMs ? earlyRetry(series, waited) : null;
  return judgeBackOff(series, waited);
}

function unchangedRetry(refused: JournalEntry): Finding {
  const { status } = refused.response;
  return {
    rule: 'unchanged-retry',
    clause: '7.retry.never-unchanged',
    message: `${describeRequest(refused)} was answered ${status} and sent again unchanged; a ${status} is never retried unchanged.`,
    because: [refused],
  };
}

function earlyRetry({ last: { entry }, waitMs }: Series, waited: number): Finding {
  const told = entry.response.headers['retry-after'] !== undefined;
  return {
    rule: 'early-retry',
    clause: told ? '7.retry.retry-after' : '7.retry.reset',
    message:
      `${describeRequest(entry)} was limited (429) and sent again after ${formatWait(waited)}; ` +
      `${told ? 'Retry-After' : 'X-RateLimit-Reset'} said to wait ${formatWait(waitMs)}.`,
    because: [entry],
  };
}

function judgeBackOff({ last: { entry }, gaps }: Series, waited: number): Finding | null {
  const { status } = entry.response;
  const what = `${describeRequest(entry)} was answered ${status}`;
  if (waited < backOffMinMs) {
    return {
      rule: 'no-back-off',
      clause: '7.retry.back-off',
      message: `${what} and sent again after ${formatWait(waited)}; a ${status} may be retried with back-off only.`,
      because: [entry],
    };
  }
  const all = [...gaps, waited];
  if (all.length < gapsJudged || waited >= backOffEndsMs || grows(all)) return null;
  return {
    rule: 'no-back-off',
    clause: '7.retry.back-off',
    message: `${what} and sent again after ${all.map(formatWait).join(', ')}; each wait should be longer than the one before.`,
    because: [entry],
  };
}

function grows(gaps: readonly number[]): boolean {
  return gaps.some((gap, i) => i > 0 && gap > (gaps[i - 1] as number) * 1.1);
}
