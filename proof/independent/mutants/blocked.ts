import type { Seams } from '../seams.ts';
import type { IndependentMutant } from './mutant.ts';

type Headers = Seams['limit.headers']['value'];
type About = Seams['limit.headers']['about'];

const RESET = 'X-RateLimit-Reset';
const REMAINING = 'X-RateLimit-Remaining';
const LIMIT = 'X-RateLimit-Limit';
const WAIT = 'Retry-After';

function without(headers: Headers, ...names: readonly string[]): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}

/** Replaces `Retry-After` where it is sent. */
function wait(say: (about: About) => string): () => { 'limit.headers': (headers: Headers, about: About) => Headers } {
  return () => ({
    'limit.headers': (headers, about) => (WAIT in headers ? { ...headers, [WAIT]: say(about) } : headers),
  });
}

function reset(say: (reset: number, about: About) => string): ReturnType<typeof wait> {
  return () => ({
    'limit.headers': (headers, about) => ({ ...headers, [RESET]: say(Number(headers[RESET]), about) }),
  });
}

/** What a blocked client is told: status, body, headers. */
export const blockedMutants: readonly IndependentMutant[] = [
  {
    name: 'blocked-503',
    breaks: '8.blocked-429',
    shows: 'A blocked request answers 503.',
    needs: 'bursts',
    variants: ['plain', 'strict', 'lavish'],
    wrong: () => ({ 'limit.answer': (answer) => ({ ...answer, status: 503 }) }),
  },
  {
    name: 'blocked-with-envelope',
    breaks: '7.envelope.limiter',
    shows: 'The body of a blocked request for articles, sites or keywords is an envelope with code and message.',
    needs: 'bursts',
    variants: ['plain', 'strict'],
    wrong: () => ({
      'limit.answer': (answer, { visit }) =>
        visit.segments[0] === 'connect'
          ? answer
          : { ...answer, body: { error: { code: 'rate_limited', message: 'too many requests' } } },
    }),
  },
  {
    name: 'blocked-other-text',
    breaks: '7.envelope.limiter',
    shows: 'The body of a blocked request is { error: "rate_limited" }.',
    needs: 'bursts',
    variants: ['plain', 'frugal', 'mixed'],
    wrong: () => ({ 'limit.answer': (answer) => ({ ...answer, body: { error: 'rate_limited' } }) }),
  },
  {
    name: 'blocked-without-limit',
    breaks: '8.headers.limit',
    shows: 'A blocked request carries no X-RateLimit-Limit.',
    needs: 'bursts',
    variants: ['plain', 'strict'],
    wrong: () => ({ 'limit.headers': (headers, { shown }) => (shown.ok ? headers : without(headers, LIMIT)) }),
  },
  {
    name: 'blocked-without-remaining',
    breaks: '8.headers.remaining',
    shows: 'A blocked request carries no X-RateLimit-Remaining.',
    needs: 'bursts',
    variants: ['plain', 'lavish'],
    wrong: () => ({
      'limit.headers': (headers, { shown }) => (shown.ok ? headers : without(headers, REMAINING)),
    }),
  },
  {
    name: 'blocked-without-rate-headers',
    breaks: '8.headers.reset',
    shows: 'A blocked request carries Retry-After and no other header of the limiter.',
    needs: 'bursts',
    variants: ['plain', 'offsets'],
    wrong: () => ({
      'limit.headers': (headers, { shown }) => (shown.ok ? headers : without(headers, LIMIT, REMAINING, RESET)),
    }),
  },
  {
    name: 'blocked-without-any-time',
    breaks: '8.headers.reset',
    shows: 'A blocked request carries neither Retry-After nor X-RateLimit-Reset, so nobody knows how long to wait.',
    needs: 'bursts',
    variants: ['plain', 'frugal', 'basic'],
    wrong: () => ({ 'limit.headers': (headers, { shown }) => (shown.ok ? headers : without(headers, RESET, WAIT)) }),
  },
  {
    name: 'limit-header-of-the-plan',
    breaks: '8.headers.limit',
    shows: 'X-RateLimit-Limit is 10000, the monthly allowance, which no window of the service has.',
    needs: 'bursts',
    variants: ['plain', 'strict', 'lavish'],
    wrong: () => ({ 'limit.headers': (headers) => ({ ...headers, [LIMIT]: '10000' }) }),
  },
  {
    name: 'remaining-frozen',
    breaks: '8.headers.remaining',
    shows: 'X-RateLimit-Remaining says the same after each request that passes.',
    needs: 'nothing',
    variants: ['strict', 'lavish', 'offsets', 'basic'],
    wrong: () => ({
      'limit.verdict': (verdict) => (verdict.ok ? { ...verdict, remaining: verdict.limit - 1 } : verdict),
    }),
  },
  {
    name: 'remaining-below-zero',
    breaks: '8.headers.remaining',
    shows: 'X-RateLimit-Remaining of a blocked request is -1, -2 and so on.',
    needs: 'bursts',
    variants: ['plain', 'strict', 'lavish'],
    wrong: () => {
      let blocked = 0;
      return {
        'limit.verdict': (verdict) => {
          blocked = verdict.ok ? 0 : blocked + 1;
          return verdict.ok ? verdict : { ...verdict, remaining: -blocked };
        },
      };
    },
  },
  {
    name: 'remaining-counts-used',
    breaks: '8.headers.remaining',
    shows: 'X-RateLimit-Remaining rises with each request and is the whole limit when blocked.',
    needs: 'bursts',
    variants: ['plain', 'strict', 'offsets'],
    wrong: () => ({
      'limit.verdict': (verdict) => ({ ...verdict, remaining: verdict.limit - verdict.remaining }),
    }),
  },
  {
    name: 'reset-in-seconds',
    breaks: '8.headers.reset',
    shows: 'X-RateLimit-Reset is in seconds since the epoch.',
    needs: 'bursts',
    variants: ['plain', 'strict', 'basic'],
    wrong: reset((at) => String(Math.ceil(at / 1000))),
  },
  {
    name: 'reset-is-a-delay',
    breaks: '8.headers.reset',
    shows: 'X-RateLimit-Reset is the number of milliseconds to wait, not a point in time.',
    needs: 'bursts',
    variants: ['plain', 'lavish'],
    wrong: reset((next, { at }) => String(next - at)),
  },
  {
    name: 'reset-is-window-start',
    breaks: '8.headers.reset',
    shows: 'X-RateLimit-Reset lies in the past: it is when the window began.',
    needs: 'bursts',
    variants: ['plain', 'strict', 'frugal'],
    wrong: reset((next, { shown }) => String(next - shown.limit * 1000)),
  },
  {
    name: 'retry-after-date',
    breaks: '7.retry.whole-seconds',
    shows: 'Retry-After is an HTTP date.',
    needs: 'bursts',
    variants: ['plain', 'lavish'],
    wrong: wait(({ shown }) => new Date(shown.next).toUTCString()),
  },
  {
    name: 'retry-after-milliseconds',
    breaks: '7.retry.whole-seconds',
    shows: 'Retry-After is in milliseconds: some thousands where ten seconds at most are to be waited.',
    needs: 'bursts',
    variants: ['plain', 'offsets'],
    wrong: wait(({ shown, at }) => String(Math.max(1, Math.ceil(shown.next - at)))),
  },
  {
    name: 'retry-after-fraction',
    breaks: '7.retry.whole-seconds',
    shows: 'Retry-After has a fraction.',
    needs: 'bursts',
    variants: ['plain', 'lavish'],
    wrong: wait(({ shown, at }) => ((shown.next - at) / 1000).toFixed(3)),
  },
  {
    name: 'retry-after-always-one',
    breaks: '8.retry-after',
    shows: 'Retry-After is 1 whatever is left of the window: after waiting as told one is blocked again and again.',
    needs: 'bursts',
    variants: ['plain', 'offsets', 'consuming'],
    wrong: wait(() => '1'),
  },
  {
    name: 'retry-after-rounded-down',
    breaks: '8.retry-after',
    shows: 'Retry-After is rounded down: after waiting as told one is blocked again, then told to wait 0 seconds.',
    needs: 'bursts',
    variants: ['plain', 'offsets', 'consuming'],
    wrong: wait(({ shown, at }) => String(Math.floor((shown.next - at) / 1000))),
  },
];
