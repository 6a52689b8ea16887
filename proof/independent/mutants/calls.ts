import type { Fields } from '../seams.ts';
import { readInstant, writeInstant } from '../time.ts';
import type { Call } from '../types.ts';
import type { IndependentMutant } from './mutant.ts';

const MS = 1_000_000n;
const MINUTE = 60_000;
const ZONE = /(?:Z|[+-]\d{2}(?::?\d{2})?)$/i;

function cursorOf(place: bigint, format: Parameters<typeof writeInstant>[1]): string {
  return writeInstant(place, format, 9);
}

/** Along the chain of `since`: what is lost, repeated or out of order, and what the cursor says. */
export const callChainMutants: readonly IndependentMutant[] = [
  {
    name: 'calls-last-repeats',
    breaks: '4.calls.exactly-once',
    shows: 'The last call of a page is delivered again by the next poll, and the chain never ends in null.',
    needs: 'nothing',
    variants: ['plain', 'mixed', 'lavish'],
    wrong: () => ({ 'calls.follows': (_follows, since) => (placed) => placed.place >= since }),
  },
  {
    name: 'calls-tie-lost',
    breaks: '4.calls.exactly-once',
    shows: 'Of calls that ended in the same millisecond those behind the edge of a page are never delivered.',
    needs: 'nothing',
    variants: ['plain', 'mixed', 'offsets'],
    wrong: () => ({ 'calls.follows': (_follows, since) => (placed) => placed.place / MS > since / MS }),
  },
  {
    name: 'calls-cursor-of-next-call',
    breaks: '4.calls.exactly-once',
    shows: 'nextCursor names the call read ahead, which is then never delivered.',
    needs: 'nothing',
    variants: ['plain', 'mixed', 'lavish'],
    wrong: () => ({
      'calls.cursor': (cursor, { context, rest, size }) => {
        const ahead = rest[size];
        return ahead === undefined ? cursor : cursorOf(ahead.place, context.variant.timeFormat);
      },
    }),
  },
  {
    name: 'calls-cursor-to-seconds',
    breaks: '4.calls.exactly-once',
    shows: 'nextCursor has no fraction of a second, so the calls of its second are delivered again.',
    needs: 'nothing',
    variants: ['plain', 'lavish', 'basic'],
    wrong: () => ({
      'calls.cursor': (cursor, { page }) => {
        const last = page.at(-1);
        return last === undefined ? cursor : writeInstant(last.place, 'seconds');
      },
    }),
  },
  {
    name: 'calls-walked-by-start',
    breaks: '4.calls.exactly-once',
    shows: 'Calls are sorted by their start but walked by their end: short ones beside a long one are never delivered.',
    needs: 'nothing',
    variants: ['plain', 'mixed'],
    wrong: () => ({
      'calls.log': (log) => [...log].sort((left, right) => left.call.started - right.call.started),
    }),
  },
  {
    name: 'calls-page-newest-first',
    breaks: '4.calls.oldest-first',
    shows: 'With since, the calls of a page come newest first.',
    needs: 'nothing',
    variants: ['plain', 'strict', 'offsets'],
    wrong: () => ({ 'calls.shown': (shown) => [...shown].reverse() }),
  },
  {
    name: 'calls-cursor-null-on-short-page',
    breaks: '4.calls.next-cursor-string',
    shows: 'nextCursor is null although calls were returned, when the page is not full.',
    needs: 'nothing',
    variants: ['plain', 'strict', 'frugal'],
    wrong: () => ({ 'calls.cursor': (cursor, { page, size }) => (page.length < size ? null : cursor) }),
  },
  {
    name: 'calls-cursor-echoed',
    breaks: '4.calls.next-cursor-null',
    shows: 'nextCursor repeats since when nothing new arrived.',
    needs: 'nothing',
    variants: ['plain', 'empty', 'lavish'],
    wrong: () => ({ 'calls.cursor': (cursor, { ask, page }) => (page.length === 0 ? ask.query.get('since') : cursor) }),
  },
  {
    name: 'calls-cursor-left-out',
    breaks: '4.calls.next-cursor-null',
    shows: 'nextCursor is left out when nothing new arrived.',
    needs: 'nothing',
    variants: ['plain', 'empty', 'strict'],
    wrong: () => ({ 'calls.cursor': (cursor, { page }) => (page.length === 0 ? undefined : cursor) }),
  },
  {
    name: 'calls-null-when-none',
    breaks: '4.calls.shape',
    shows: 'calls is null when nothing new arrived.',
    needs: 'nothing',
    variants: ['plain', 'empty', 'frugal'],
    wrong: () => ({
      answer: (answer, { visit }) => {
        if (visit.segments[1] !== 'calls' || answer.status !== 200) return answer;
        const { data, ...rest } = answer.body as { data: { calls: Fields[] } };
        return data.calls.length > 0 ? answer : { ...answer, body: { data: { ...data, calls: null }, ...rest } };
      },
    }),
  },
  {
    name: 'calls-own-cursor-refused',
    breaks: '4.calls.next-cursor-string',
    shows: 'The nextCursor of a page, sent back as since, is refused or read as none: it has too many digits.',
    needs: 'nothing',
    variants: ['plain', 'strict', 'offsets'],
    wrong: () => ({
      'calls.since': (since, text) => (/[.,]\d{7,}/.test(text) ? undefined : since),
    }),
  },
  {
    name: 'calls-since-offset-ignored',
    breaks: '4.calls.since',
    shows: 'The offset of since is dropped and its clock time read as UTC, so calls of hours are lost or repeated.',
    needs: 'nothing',
    variants: ['offsets', 'plain'],
    wrong: () => ({
      'calls.since': (since, text) => (since === undefined ? since : readInstant(text.replace(ZONE, ''))),
    }),
  },
  {
    name: 'calls-default-limit-hundred',
    breaks: '4.calls.limit',
    shows: 'Without a limit a page holds more than 50 calls.',
    needs: 'nothing',
    variants: ['plain', 'strict', 'lavish'],
    wrong: () => ({ 'calls.limit': (bounds) => ({ ...bounds, fallback: 100 }) }),
  },
  {
    name: 'calls-limit-200-refused',
    breaks: '4.calls.limit',
    shows: 'limit=200, the largest allowed, is refused.',
    needs: 'nothing',
    variants: ['strict'],
    wrong: () => ({ 'calls.limit': (bounds) => ({ ...bounds, max: 199 }) }),
  },
  {
    name: 'calls-page-keeps-ties-together',
    breaks: '4.calls.limit-ceiling',
    shows: 'A page runs over its limit where calls ended in the same millisecond.',
    needs: 'nothing',
    variants: ['plain', 'strict', 'lavish'],
    wrong: () => ({
      'calls.page': (page, { rest }) => {
        const ended = page.at(-1)?.call.ended;
        const tied = rest.slice(page.length).filter(({ call }) => call.ended === ended);
        return [...page, ...tied];
      },
    }),
  },
];

/** What changes while one watches. */
export const callWatchMutants: readonly IndependentMutant[] = [
  {
    name: 'calls-delivered-after-a-minute',
    breaks: '4.calls.settled-only',
    shows: 'With since, a call is delivered one minute after its end.',
    needs: 'watch',
    variants: ['plain', 'strict', 'lavish'],
    wrong: () => ({ 'calls.settle': () => MINUTE }),
  },
  {
    name: 'calls-settle-from-start',
    breaks: '4.calls.settled-only',
    shows: 'The five minutes count from the start of a call: long ones are delivered at their end, or while running.',
    needs: 'watch',
    variants: ['plain', 'strict', 'lavish'],
    wrong: () => ({ 'calls.visible': (_visible, { call, settle }) => call.started + settle }),
  },
  {
    name: 'calls-delivered-outcome-changes',
    breaks: '3.call.final-outcome',
    shows: 'A call that was delivered reads otherwise when its since is asked again ten minutes later.',
    needs: 'watch',
    variants: ['plain', 'strict', 'offsets'],
    wrong: () => ({ 'calls.final': (_final, { call, at }) => call.ended !== null && at - call.ended >= 15 * MINUTE }),
  },
  {
    name: 'calls-reported-late-are-lost',
    breaks: '4.calls.exactly-once',
    shows: 'A call whose end is reported late takes its place by its end, behind the position of those who poll.',
    needs: 'watch',
    variants: ['plain', 'lavish', 'mixed'],
    wrong: () => ({
      'calls.basis': (basis, { call, context }) => {
        const { sinceCompares, settleSeconds } = context.variant;
        return (call.ended ?? basis) + (sinceCompares === 'visible' ? settleSeconds * 1000 : 0);
      },
    }),
  },
  {
    name: 'calls-cursor-is-now-when-caught-up',
    breaks: '4.calls.exactly-once',
    shows:
      'nextCursor of the newest page is the time of the answer, so calls that are settling then are never delivered.',
    needs: 'watch',
    variants: ['plain', 'strict', 'offsets'],
    wrong: () => ({
      'calls.cursor': (cursor, { context, ask, page, rest }) =>
        page.length === 0 || page.length < rest.length
          ? cursor
          : cursorOf(BigInt(ask.at) * MS, context.variant.timeFormat),
    }),
  },
  {
    name: 'snapshot-hides-running',
    breaks: '4.calls.snapshot-running',
    shows: 'Without since, calls in progress are not shown.',
    needs: 'watch',
    variants: ['plain', 'strict', 'frugal'],
    wrong: () => ({
      'snapshot.includes':
        (includes, { runs }) =>
        (call) =>
          includes(call) && !runs(call),
    }),
  },
  {
    name: 'snapshot-oldest-first',
    breaks: '4.calls.snapshot-order',
    shows: 'Without since, calls come oldest first.',
    needs: 'nothing',
    variants: ['plain', 'offsets', 'strict'],
    wrong: () => ({
      'snapshot.order': (order) => (left: Call, right: Call) => order(right, left),
    }),
  },
  {
    name: 'snapshot-limit-ignored',
    breaks: '4.calls.limit-ceiling',
    shows: 'Without since, limit=3 is answered with fifty calls.',
    needs: 'nothing',
    variants: ['plain', 'strict', 'lavish'],
    wrong: () => ({ 'snapshot.size': () => 50 }),
  },
];
