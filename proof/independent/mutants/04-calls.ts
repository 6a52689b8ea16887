import type { Fields, Wrongness } from '../seams.ts';
import { readInstant, writeInstant } from '../time.ts';
import type { Call } from '../types.ts';
import type { MutantsByClause } from './mutant.ts';

const MS = 1_000_000n;

function cursorOf(place: bigint, format: Parameters<typeof writeInstant>[1]): string {
  return writeInstant(place, format, 9);
}

const ZONE = /(?:Z|[+-]\d{2}(?::?\d{2})?)$/i;

const MINUTE = 60_000;

function provisionalAtFirst(): Wrongness {
  const delivered = new Set<string>();
  return {
    'calls.shown': (calls, page) =>
      calls.map((call, index) => {
        const ref = page[index]?.call.ref ?? '';
        if (delivered.has(ref)) return call;
        delivered.add(ref);
        return { ...call, outcome: 'being assessed' };
      }),
  };
}

/** Calls: along the chain of `since`, and while one watches. */
export const callMutants: MutantsByClause = {
  '4.calls.exactly-once': {
    'calls-last-repeats': {
      shows: 'The last call of a page is delivered again by the next poll, and the chain never ends in null.',
      wrong: () => ({ 'calls.follows': (_follows, since) => (placed) => placed.place >= since }),
    },
    'calls-tie-lost': {
      shows: 'Of calls that ended in the same millisecond those behind the edge of a page are never delivered.',
      wrong: () => ({ 'calls.follows': (_follows, since) => (placed) => placed.place / MS > since / MS }),
    },
    'calls-since-gives-the-newest': {
      shows: 'since has no effect: each poll answers the newest calls that fit into the page, oldest first.',
      wrong: () => ({
        'calls.follows': () => () => true,
        'calls.page': (_page, { rest, size }) => rest.slice(-size),
      }),
    },
    'calls-cursor-of-next-call': {
      shows: 'nextCursor names the call read ahead, which is then never delivered.',
      wrong: () => ({
        'calls.cursor': (cursor, { context, rest, size }) => {
          const ahead = rest[size];
          return ahead === undefined ? cursor : cursorOf(ahead.place, context.variant.timeFormat);
        },
      }),
    },
    'calls-cursor-to-seconds': {
      shows: 'nextCursor has no fraction of a second, so the calls of its second are delivered again.',
      wrong: () => ({
        'calls.cursor': (cursor, { page }) => {
          const last = page.at(-1);
          return last === undefined ? cursor : writeInstant(last.place, 'seconds');
        },
      }),
    },
    'calls-walked-by-start': {
      shows:
        'Calls are sorted by their start but walked by their end: short ones beside a long one are never delivered.',
      wrong: () => ({
        'calls.log': (log) => [...log].sort((left, right) => left.call.started - right.call.started),
      }),
    },
    'calls-reported-late-are-lost': {
      shows: 'A call whose end is reported late takes its place by its end, behind the position of those who poll.',
      needs: 'watch',
      wrong: () => ({
        'calls.basis': (basis, { call, context }) => {
          const { sinceCompares, settleSeconds } = context.variant;
          return (call.ended ?? basis) + (sinceCompares === 'visible' ? settleSeconds * 1000 : 0);
        },
      }),
    },
    'calls-cursor-is-now-when-caught-up': {
      shows:
        'nextCursor of the newest page is the time of the answer, so calls that are settling then are never delivered.',
      needs: 'watch',
      wrong: () => ({
        'calls.cursor': (cursor, { context, ask, page, rest }) =>
          page.length === 0 || page.length < rest.length
            ? cursor
            : cursorOf(BigInt(ask.at) * MS, context.variant.timeFormat),
      }),
    },
  },
  '4.calls.oldest-first': {
    'calls-page-newest-first': {
      shows: 'With since, the calls of a page come newest first.',
      wrong: () => ({ 'calls.shown': (shown) => [...shown].reverse() }),
    },
  },
  '4.calls.next-cursor-string': {
    'calls-cursor-null-on-short-page': {
      shows: 'nextCursor is null although calls were returned, when the page is not full.',
      wrong: () => ({ 'calls.cursor': (cursor, { page, size }) => (page.length < size ? null : cursor) }),
    },
    'calls-own-cursor-refused': {
      shows: 'The nextCursor of a page, sent back as since, is refused or read as none: it has too many digits.',
      wrong: () => ({
        'calls.since': (since, text) => (/[.,]\d{7,}/.test(text) ? undefined : since),
      }),
    },
  },
  '4.calls.next-cursor-null': {
    'calls-cursor-echoed': {
      shows: 'nextCursor repeats since when nothing new arrived.',
      wrong: () => ({
        'calls.cursor': (cursor, { ask, page }) => (page.length === 0 ? ask.query.get('since') : cursor),
      }),
    },
    'calls-cursor-left-out': {
      shows: 'nextCursor is left out when nothing new arrived.',
      wrong: () => ({ 'calls.cursor': (cursor, { page }) => (page.length === 0 ? undefined : cursor) }),
    },
  },
  '4.calls.shape': {
    'calls-null-when-none': {
      shows: 'calls is null when nothing new arrived.',
      wrong: () => ({
        answer: (answer, { visit }) => {
          if (visit.segments[1] !== 'calls' || answer.status !== 200) return answer;
          const { data, ...rest } = answer.body as { data: { calls: Fields[] } };
          return data.calls.length > 0 ? answer : { ...answer, body: { data: { ...data, calls: null }, ...rest } };
        },
      }),
    },
  },
  '4.calls.since': {
    'calls-since-offset-ignored': {
      shows: 'The offset of since is dropped and its clock time read as UTC, so calls of hours are lost or repeated.',
      variant: 'offsets',
      wrong: () => ({
        'calls.since': (since, text) => (since === undefined ? since : readInstant(text.replace(ZONE, ''))),
      }),
    },
  },
  '4.calls.limit': {
    'calls-default-limit-hundred': {
      shows: 'Without a limit a page holds more than 50 calls.',
      wrong: () => ({ 'calls.limit': (bounds) => ({ ...bounds, fallback: 100 }) }),
    },
    'calls-limit-200-refused': {
      shows: 'limit=200, the largest allowed, is refused.',
      variant: 'strict',
      wrong: () => ({ 'calls.limit': (bounds) => ({ ...bounds, max: 199 }) }),
    },
  },
  '4.calls.limit-ceiling': {
    'calls-page-keeps-ties-together': {
      shows: 'A page runs over its limit where calls ended in the same millisecond.',
      wrong: () => ({
        'calls.page': (page, { rest }) => {
          const ended = page.at(-1)?.call.ended;
          const tied = rest.slice(page.length).filter(({ call }) => call.ended === ended);
          return [...page, ...tied];
        },
      }),
    },
    'snapshot-limit-ignored': {
      shows: 'Without since, limit=3 is answered with fifty calls.',
      wrong: () => ({ 'snapshot.size': () => 50 }),
    },
  },
  '4.calls.settled-only': {
    'calls-delivered-after-a-minute': {
      shows: 'With since, a call is delivered one minute after its end.',
      needs: 'watch',
      wrong: () => ({ 'calls.settle': () => MINUTE }),
    },
    'calls-settle-from-start': {
      shows: 'The five minutes count from the start of a call: long ones are delivered at their end, or while running.',
      needs: 'watch',
      wrong: () => ({ 'calls.visible': (_visible, { call, settle }) => call.started + settle }),
    },
  },
  '6.no-webhooks': {
    'calls-never-new': {
      shows: 'The log delivers what it held when the server started: whoever polls never learns of a new call.',
      needs: 'watch',
      // A call that does not come is worth a warning at most (R39).
      verdict: 'warn',
      wrong: () => {
        let start: number | undefined;
        return {
          'calls.pool': (pool, { ask }) => {
            const first = start ?? ask.at;
            start = first;
            const isOld = ({ ended, reported }: Call) =>
              ended !== null && Math.max(ended + 5 * MINUTE, reported) < first;
            return ask.query.has('since') ? pool.filter(isOld) : pool;
          },
        };
      },
    },
  },
  '3.call.final-outcome': {
    'calls-first-delivery-provisional': {
      shows: 'The first page that delivers a call tells a provisional outcome; every later page tells the final one.',
      wrong: provisionalAtFirst,
    },
    'calls-first-delivery-provisional-without-ids': {
      shows: 'The same, where no member of a call is named as an id.',
      variant: 'lavish',
      wrong: provisionalAtFirst,
    },
    'calls-provisional-on-a-page-of-one': {
      shows: 'A page of one call tells a provisional outcome, and a longer page the final one.',
      wrong: () => ({
        'calls.shown': (calls) =>
          calls.length === 1 ? calls.map((call) => ({ ...call, outcome: 'being assessed' })) : calls,
      }),
    },
    'snapshot-other-outcome': {
      shows: 'The snapshot tells another outcome of a settled call than the log has delivered.',
      wrong: () => ({
        'snapshot.shown': (calls) =>
          calls.map((call) => (typeof call.outcome === 'string' ? { ...call, outcome: 'being assessed' } : call)),
      }),
    },
    'calls-delivered-outcome-changes': {
      shows: 'A call that was delivered reads otherwise when its since is asked again ten minutes later.',
      needs: 'watch',
      wrong: () => ({ 'calls.final': (_final, { call, at }) => call.ended !== null && at - call.ended >= 15 * MINUTE }),
    },
  },
  '4.calls.snapshot-running': {
    'snapshot-hides-running': {
      shows: 'Without since, calls in progress are not shown.',
      needs: 'watch',
      wrong: () => ({
        'snapshot.includes':
          (includes, { runs }) =>
          (call) =>
            includes(call) && !runs(call),
      }),
    },
  },
  '4.calls.snapshot-order': {
    'snapshot-oldest-first': {
      shows: 'Without since, calls come oldest first.',
      wrong: () => ({
        'snapshot.order': (order) => (left: Call, right: Call) => order(right, left),
      }),
    },
  },
};
