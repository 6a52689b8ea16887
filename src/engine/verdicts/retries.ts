// The same request again, after an answer that says when and whether to come back. Cites 7.retry.never-unchanged,
// 7.retry.back-off, 7.retry.retry-after, 7.retry.reset.
import type { JournalEntry } from '../journal-entry.ts';
import {
  fingerprint,
  formatWait,
  type Heard,
  isDelivered,
  knewAnswer,
  type Moment,
  type Remembered,
  recall,
  remember,
  type Stored,
  store,
  waitedMs,
} from './heard.ts';
import type { Finding } from './verdict.ts';

/**
 * For how long a refusal stands. Programs retry within seconds; what comes later is a person who reloads a page or
 * presses a button again, and may do so.
 */
const refusalStandsMs = 10_000;
/**
 * A repetition this fast had no back-off at all; shorter first delays exist, but a client that waits so little does not
 * back off.
 */
const backOffMinMs = 100;
/** Repetitions further apart are not retries: the client asks regularly. */
const backOffEndsMs = 30_000;
/** How many repetitions may come without the gap between them growing: jitter may shrink one, not two in a row. */
const gapsJudged = 3;
/** Timers fire early by a little, and clocks are read in whole milliseconds. */
const toleranceMs = 100;
/** Requests under way together are not retries; more of them than this are. */
const togetherMax = 2;
/** The same where each came after the answer to the one before. */
const oneByOneMax = 1;
const seriesMax = 1000;
/** Longer than any rule looks back. */
const forgottenAfterMs = 120_000;

/** Three rules about coming back: never unchanged, not before the time told, with growing gaps. */
type Kind = 'refused' | 'limited' | 'failing';

/** A request with its repetitions so far; a change of the outcome starts a new one. */
interface Series {
  readonly kind: Kind;
  readonly last: Remembered;
  /** How long the client was told to wait, and by which header. */
  readonly told: Told;
  /** The gaps between repetitions so far. */
  readonly gaps: readonly Gap[];
  /** Repetitions of which nobody knows whether the client had the answer yet. */
  readonly together: number;
}

/** What the 429 said. Retry-After wins over Reset. Cites 7.retry.retry-after, 7.retry.reset. */
interface Told {
  readonly waitMs: number;
  readonly by: 'Retry-After' | 'X-RateLimit-Reset';
}

/** One wait between two repetitions. */
interface Gap {
  readonly waitedMs: number;
  /** The same on the mock's clock, for messages: the same history has to give the same text. */
  readonly onClockMs: number;
}

type StoredSeries = Omit<Series, 'last' | 'gaps'> & { readonly last: Stored<Remembered>; readonly gaps: number[] };

/** Part of a snapshot. */
export interface RetriesState {
  readonly series: readonly (readonly [fingerprint: string, series: StoredSeries])[];
}

/** By fingerprint: who asked, what, and with which body. Each answer ends the series before it or carries it on. */
export class Retries {
  /** By fingerprint; the oldest first. */
  readonly #series = new Map<string, Series>();
  /** How many series were dropped because there were too many. */
  dropped = 0;

  /** Nothing to do for a good answer when nothing is open: nearly always. */
  isIdle(status: number): boolean {
    return status < 400 && this.#series.size === 0;
  }

  /** The exchange judges the series of its fingerprint, and then opens or continues one. */
  hear(heard: Heard): Finding | null {
    const kind = kindOf(heard.entry);
    if (kind === null && this.#series.size === 0) return null;
    this.#forgetOld(heard);
    const print = fingerprint(heard.entry);
    const series = this.#series.get(print);
    const isRetry = series !== undefined && isRepetition(series, heard);
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

  state(): RetriesState {
    const describe = ({ last, gaps, ...series }: Series): StoredSeries => ({
      ...series,
      last: store(last),
      gaps: gaps.map(({ onClockMs }) => onClockMs),
    });
    return { series: [...this.#series].map(([print, series]) => [print, describe(series)] as const) };
  }

  restore({ series }: RetriesState, now: Moment): void {
    this.clear();
    for (const [print, { last, gaps, ...rest }] of series) {
      const known = gaps.map((onClockMs) => ({ waitedMs: onClockMs, onClockMs }));
      this.#series.set(print, { ...rest, last: recall<Remembered>(last, now), gaps: known });
    }
  }

  /** Gaps are kept as long as the server keeps failing and the client keeps trying in a row. */
  #open(print: string, { kind, heard, before, isRetry }: Opening): void {
    const gap = isRetry && before ? gapBetween(before.last, heard) : null;
    const goesOn = before?.kind === 'failing' && kind === 'failing' && gap !== null && gap.waitedMs < backOffEndsMs;
    this.#series.set(print, {
      kind,
      last: remember(heard),
      told: kind === 'limited' ? toldToWait(heard) : { waitMs: 0, by: 'X-RateLimit-Reset' },
      gaps: goesOn ? [...before.gaps.slice(1 - gapsJudged), gap] : [],
      together: isRetry || !before ? 0 : before.together + 1,
    });
    if (this.#series.size <= seriesMax) return;
    this.#series.delete(this.#series.keys().next().value as string);
    this.dropped += 1;
  }

  /** Stops at the first young one: the map is in the order of the last exchange. */
  #forgetOld(heard: Heard): void {
    for (const [print, { last }] of this.#series) {
      if (waitedMs(last, heard) < forgottenAfterMs) return;
      this.#series.delete(print);
    }
  }
}

/** What `#open` has to know of the exchange and of what was before it. */
interface Opening {
  readonly kind: Kind;
  readonly heard: Heard;
  readonly before: Series | undefined;
  readonly isRetry: boolean;
}

const neverRetried: ReadonlySet<number> = new Set([400, 401, 402, 403, 404]);

/** A 429 of a platform is trouble like 502 and 503: the limiter's alone says when to come back. */
function kindOf({ response: { status }, trace }: JournalEntry): Kind | null {
  if (neverRetried.has(status)) return 'refused';
  if (status === 429) return trace.blockedBy ? 'limited' : 'failing';
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
  const knew = knewAnswer(last, heard);
  return knew === 'yes' || together >= (knew === 'likely' ? oneByOneMax : togetherMax);
}

function gapBetween(earlier: Moment, later: Moment): Gap {
  return { waitedMs: waitedMs(earlier, later), onClockMs: later.atMs - earlier.atMs };
}

/** Each kind has one rule; at most one finding comes of it. */
function judgeRetry(series: Series, heard: Heard): Finding | null {
  const gap = gapBetween(series.last, heard);
  const { kind, last, told } = series;
  if (kind === 'refused') return gap.waitedMs < refusalStandsMs ? unchangedRetry(last) : null;
  if (kind === 'limited') return gap.waitedMs < told.waitMs - toleranceMs ? earlyRetry(series, gap) : null;
  return judgeBackOff(series, gap);
}

function unchangedRetry({ id, status, what }: Remembered): Finding {
  return {
    rule: 'unchanged-retry',
    clause: '7.retry.never-unchanged',
    message: `${what} was answered ${status} and sent again unchanged; a ${status} is never retried unchanged.`,
    because: [id],
  };
}

function earlyRetry({ last: { id, what }, told: { waitMs, by } }: Series, { onClockMs }: Gap): Finding {
  return {
    rule: 'early-retry',
    clause: by === 'Retry-After' ? '7.retry.retry-after' : '7.retry.reset',
    message:
      `${what} was limited (429) and sent again after ${formatWait(onClockMs)}; ` +
      `${by} said to wait ${formatWait(waitMs)}.`,
    because: [id],
  };
}

/** A first wait that is nearly none, or several that do not grow. Cites 7.retry.back-off. */
function judgeBackOff({ last: { id, status, what }, gaps }: Series, gap: Gap): Finding | null {
  const noBackOff = (how: string): Finding => ({
    rule: 'no-back-off',
    clause: '7.retry.back-off',
    message: `${what} was answered ${status} and sent again after ${how}.`,
    because: [id],
  });
  if (gap.waitedMs < backOffMinMs) {
    return noBackOff(`${formatWait(gap.onClockMs)}; a ${status} may be retried with back-off only`);
  }
  const all = [...gaps, gap];
  if (all.length < gapsJudged || gap.waitedMs >= backOffEndsMs || grows(all)) return null;
  const waits = all.map(({ onClockMs }) => formatWait(onClockMs)).join(', ');
  return noBackOff(`${waits}; each wait should be longer than the one before`);
}

/** One wait that is longer by a tenth will do: clients add jitter. */
function grows(gaps: readonly Gap[]): boolean {
  return gaps.some(({ waitedMs }, i) => i > 0 && waitedMs > (gaps[i - 1] as Gap).waitedMs * 1.1);
}
