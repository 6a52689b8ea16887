import type { Seams, Wrongness } from '../seams.ts';
import type { MutantsByClause } from './mutant.ts';

const LIMIT = 'X-RateLimit-Limit';

type Headers = Seams['limit.headers']['value'];

function without(headers: Headers, ...names: readonly string[]): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}

const REMAINING = 'X-RateLimit-Remaining';

const RESET = 'X-RateLimit-Reset';

const WAIT = 'Retry-After';

type About = Seams['limit.headers']['about'];

/** Near the edge of a fixed window a wait of one second may be right. */
const sliding: Wrongness = { 'limit.kind': () => 'sliding' };

/** Replaces `Retry-After` where it is sent. */
function wait(say: (about: About) => string): () => Wrongness {
  return () => ({
    'limit.headers': (headers, about) => (WAIT in headers ? { ...headers, [WAIT]: say(about) } : headers),
  });
}

function reset(say: (reset: number, about: About) => string): () => Wrongness {
  return () => ({
    'limit.headers': (headers, about) => ({ ...headers, [RESET]: say(Number(headers[RESET]), about) }),
  });
}

/** The window of an address: how many pass, who is counted, and what a blocked client is told. */
export const addressLimiterMutants: MutantsByClause = {
  '8.blocked-429': {
    'blocked-503': {
      shows: 'A blocked request answers 503.',
      needs: 'bursts',
      wrong: () => ({ 'limit.answer': (answer) => ({ ...answer, status: 503 }) }),
    },
  },
  '7.envelope.limiter': {
    'blocked-with-envelope': {
      shows: 'The body of a blocked request for articles, sites or keywords is an envelope with code and message.',
      needs: 'bursts',
      wrong: () => ({
        'limit.answer': (answer, { visit }) =>
          visit.segments[0] === 'connect'
            ? answer
            : { ...answer, body: { error: { code: 'rate_limited', message: 'too many requests' } } },
      }),
    },
    'blocked-with-envelope-for-keys': {
      shows: 'A blocked request with a good key gets an envelope with code and message.',
      needs: 'bursts',
      wrong: () => ({
        'limit.answer': (answer, { visit }) =>
          visit.known ? { ...answer, body: { error: { code: 'rate_limited', message: 'too many requests' } } } : answer,
      }),
    },
    'blocked-other-text': {
      shows: 'The body of a blocked request is { error: "rate_limited" }.',
      needs: 'bursts',
      wrong: () => ({ 'limit.answer': (answer) => ({ ...answer, body: { error: 'rate_limited' } }) }),
    },
  },
  '8.headers.limit': {
    'blocked-without-limit': {
      shows: 'A blocked request carries no X-RateLimit-Limit.',
      needs: 'bursts',
      wrong: () => ({ 'limit.headers': (headers, { shown }) => (shown.ok ? headers : without(headers, LIMIT)) }),
    },
    'limit-header-of-the-plan': {
      shows: 'X-RateLimit-Limit is 10000, the monthly allowance, which no window of the service has.',
      needs: 'bursts',
      wrong: () => ({ 'limit.headers': (headers) => ({ ...headers, [LIMIT]: '10000' }) }),
    },
  },
  '8.headers.remaining': {
    'blocked-without-remaining': {
      shows: 'A blocked request carries no X-RateLimit-Remaining.',
      needs: 'bursts',
      wrong: () => ({
        'limit.headers': (headers, { shown }) => (shown.ok ? headers : without(headers, REMAINING)),
      }),
    },
    'remaining-frozen': {
      shows: 'X-RateLimit-Remaining says the same after each request that passes.',
      variant: 'strict',
      wrong: () => ({
        'limit.verdict': (verdict) => (verdict.ok ? { ...verdict, remaining: verdict.limit - 1 } : verdict),
      }),
    },
    'remaining-below-zero': {
      shows: 'X-RateLimit-Remaining of a blocked request is -1, -2 and so on.',
      needs: 'bursts',
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
    'remaining-counts-up': {
      shows: 'X-RateLimit-Remaining says how many of the window are used, and 0 when blocked.',
      needs: 'bursts',
      variant: 'strict',
      wrong: () => ({
        'limit.verdict': (verdict) =>
          verdict.ok ? { ...verdict, remaining: verdict.limit - 1 - verdict.remaining } : verdict,
      }),
    },
    'remaining-counts-used': {
      shows: 'X-RateLimit-Remaining rises with each request and is the whole limit when blocked.',
      needs: 'bursts',
      wrong: () => ({
        'limit.verdict': (verdict) => ({ ...verdict, remaining: verdict.limit - verdict.remaining }),
      }),
    },
  },
  '8.headers.reset': {
    'blocked-without-rate-headers': {
      shows: 'A blocked request carries Retry-After and no other header of the limiter.',
      needs: 'bursts',
      wrong: () => ({
        'limit.headers': (headers, { shown }) => (shown.ok ? headers : without(headers, LIMIT, REMAINING, RESET)),
      }),
    },
    'blocked-without-any-time': {
      shows: 'A blocked request carries neither Retry-After nor X-RateLimit-Reset, so nobody knows how long to wait.',
      needs: 'bursts',
      wrong: () => ({ 'limit.headers': (headers, { shown }) => (shown.ok ? headers : without(headers, RESET, WAIT)) }),
    },
    'reset-in-seconds': {
      shows: 'X-RateLimit-Reset is in seconds since the epoch.',
      needs: 'bursts',
      wrong: reset((at) => String(Math.ceil(at / 1000))),
    },
    'reset-is-a-delay': {
      shows: 'X-RateLimit-Reset is the number of milliseconds to wait, not a point in time.',
      needs: 'bursts',
      wrong: reset((next, { at }) => String(next - at)),
    },
    'reset-is-window-start': {
      shows: 'X-RateLimit-Reset lies in the past: it is when the window began.',
      needs: 'addresses',
      wrong: reset((next, { shown }) => String(next - shown.limit * 1000)),
    },
  },
  '7.retry.whole-seconds': {
    'retry-after-date': {
      shows: 'Retry-After is an HTTP date.',
      needs: 'bursts',
      wrong: wait(({ shown }) => new Date(shown.next).toUTCString()),
    },
    'retry-after-milliseconds': {
      shows: 'Retry-After is in milliseconds: some thousands where ten seconds at most are to be waited.',
      needs: 'bursts',
      wrong: wait(({ shown, at }) => String(Math.max(1, Math.ceil(shown.next - at)))),
    },
    'retry-after-fraction': {
      shows: 'Retry-After has a fraction.',
      needs: 'bursts',
      wrong: wait(({ shown, at }) => ((shown.next - at) / 1000).toFixed(3)),
    },
  },
  '8.retry-after': {
    'retry-after-always-one': {
      shows: 'Retry-After is 1 whatever is left of the window: after waiting as told one is blocked again and again.',
      needs: 'bursts',
      wrong: () => ({ ...sliding, ...wait(() => '1')() }),
    },
    'retry-after-a-minute': {
      shows: 'Retry-After is 60, although the window of ten seconds ends when X-RateLimit-Reset says.',
      needs: 'bursts',
      wrong: () => ({ ...sliding, ...wait(({ shown }) => (shown.limit === 10 ? '60' : '1'))() }),
    },
    'retry-after-one-on-every-other-block': {
      shows: 'Every other blocked answer has Retry-After: 1, whatever is left of the window; the next one has none.',
      needs: 'bursts',
      wrong: () => {
        let blocked = 0;
        return {
          ...sliding,
          'limit.headers': (headers) => {
            if (!(WAIT in headers)) return headers;
            blocked += 1;
            const { [WAIT]: _told, ...others } = headers;
            return blocked % 2 === 1 ? { ...others, [WAIT]: '1' } : others;
          },
        };
      },
    },
    'retry-after-rounded-down': {
      shows: 'Retry-After is rounded down: after waiting as told one is blocked again, then told to wait 0 seconds.',
      needs: 'bursts',
      wrong: wait(({ shown, at }) => String(Math.floor((shown.next - at) / 1000))),
    },
  },
  '8.address-window': {
    'address-eleventh-passes': {
      shows: 'Eleven requests in a burst pass.',
      needs: 'bursts',
      wrong: () => ({
        'limit.size': (size, which) => (which === 'address' ? { ...size, fits: (used, limit) => used <= limit } : size),
      }),
    },
    'address-tenth-refused': {
      shows: 'The tenth request of a burst is blocked.',
      needs: 'bursts',
      wrong: () => ({
        'limit.size': (size, which) =>
          which === 'address' ? { ...size, fits: (used, limit) => used + 1 < limit } : size,
      }),
    },
    'address-window-four-seconds': {
      shows: 'Three bursts of ten, four seconds apart, pass within ten seconds.',
      needs: 'bursts',
      wrong: () => ({ 'limit.size': (size, which) => (which === 'address' ? { ...size, window: 4_000 } : size) }),
    },
    'address-window-eight-seconds': {
      shows:
        'Six bursts of ten pass in forty seconds, eight seconds apart; no window of ten seconds lets more than fifty.',
      needs: 'bursts',
      variant: 'consuming',
      wrong: () => ({ 'limit.size': (size, which) => (which === 'address' ? { ...size, window: 8_000 } : size) }),
    },
    'address-counted-by-key': {
      shows: 'From one address ten requests pass with each key, good or not: the first limiter counts by key.',
      needs: 'bursts',
      wrong: () => ({
        'limit.name': (name, { which, visit }) => (which === 'address' ? (visit.key ?? 'nobody') : name),
      }),
    },
    'address-counted-by-path': {
      shows: 'From one address ten requests pass on each path.',
      needs: 'bursts',
      wrong: () => ({
        'limit.name': (name, { which, visit }) => (which === 'address' ? `${name} ${visit.segments.join('/')}` : name),
      }),
    },
    'address-counts-reads-only': {
      shows: 'However many POST requests come in a burst, even without a key, none is blocked.',
      needs: 'bursts',
      wrong: () => ({
        'limit.name': (name, { which, visit }) => (which === 'address' && visit.method !== 'GET' ? undefined : name),
      }),
    },
  },
  '5.limiter-before-key': {
    'address-counted-after-key': {
      shows: 'However many requests with a bad key come in a burst, each answers 401 and none 429.',
      needs: 'bursts',
      wrong: () => ({
        'limit.name': (name, { which, visit }) => (which === 'address' && !visit.known ? undefined : name),
      }),
    },
  },
};
