// Limiter headers that are missing or wrong. Cites 8.headers.*, 8.retry-after, 7.retry.whole-seconds.
import { mutantsNeeding, mutantsOf } from './hooks/mutants-of.ts';
import { onBlock, onEvery } from './hooks/recipes.ts';
import { onHeader, withHeader, withoutHeader } from './hooks/rewrite.ts';

const limit = 'x-ratelimit-limit';
const remaining = 'x-ratelimit-remaining';
const reset = 'x-ratelimit-reset';
const retryAfter = 'retry-after';

const toSeconds = (ms: string) => String(Math.ceil(Number(ms) / 1000));

const onAll = mutantsOf({
  '8.headers.limit': {
    'limit-header-100': [
      '`X-RateLimit-Limit` says 100 on every answer.',
      onEvery((response) => onHeader(response, limit, () => '100')),
    ],
    'limit-header-policy': [
      '`X-RateLimit-Limit` is not a number but a policy such as "60;w=60".',
      onEvery((response) => onHeader(response, limit, (value) => `${value};w=${value}`)),
    ],
  },
  '8.headers.remaining': {
    'remaining-header-frozen': [
      '`X-RateLimit-Remaining` stays one below the limit however many requests are made.',
      onEvery((response) =>
        response.status === 429
          ? response
          : onHeader(response, remaining, () => String(Number(response.headers[limit]) - 1)),
      ),
    ],
    'remaining-header-fraction': [
      '`X-RateLimit-Remaining` has a fraction.',
      onEvery((response) => onHeader(response, remaining, (value) => `${value}.5`)),
    ],
    'remaining-header-counts-up': [
      '`X-RateLimit-Remaining` counts the requests made, not those left.',
      onEvery((response) =>
        onHeader(response, remaining, (value) => String(Number(response.headers[limit]) - Number(value))),
      ),
    ],
  },
  '8.headers.reset': {
    'reset-header-in-seconds': [
      '`X-RateLimit-Reset` is in seconds since the epoch.',
      onEvery((response) => onHeader(response, reset, toSeconds)),
    ],
    'reset-header-as-delay': [
      '`X-RateLimit-Reset` is the time left in milliseconds instead of an instant.',
      onEvery((response, { nowMs }) => onHeader(response, reset, (value) => String(Number(value) - nowMs()))),
    ],
    'reset-header-iso': [
      '`X-RateLimit-Reset` is an ISO 8601 date-time.',
      onEvery((response) => onHeader(response, reset, (value) => new Date(Number(value)).toISOString())),
    ],
    'reset-header-tomorrow': [
      '`X-RateLimit-Reset` lies a day in the future.',
      onEvery((response) => onHeader(response, reset, (value) => String(Number(value) + 86_400_000))),
    ],
  },
});

const onBlocks = mutantsNeeding('bursts', {
  '8.headers.limit': {
    'blocked-without-limit-header': [
      'A blocked answer has no `X-RateLimit-Limit`.',
      onBlock((response) => withoutHeader(response, limit)),
    ],
  },
  '8.headers.remaining': {
    'blocked-without-remaining-header': [
      'A blocked answer has no `X-RateLimit-Remaining`.',
      onBlock((response) => withoutHeader(response, remaining)),
    ],
    'blocked-remaining-one': [
      'A blocked answer has `X-RateLimit-Remaining` 1.',
      onBlock((response) => onHeader(response, remaining, () => '1')),
    ],
    'blocked-remaining-negative': [
      'A blocked answer has `X-RateLimit-Remaining` -1.',
      onBlock((response) => onHeader(response, remaining, () => '-1')),
    ],
  },
  '8.headers.reset': {
    'blocked-without-reset-header': [
      'A blocked answer has no `X-RateLimit-Reset`, though it has `Retry-After`.',
      onBlock((response, { nowMs }) => {
        const waitS = Math.max(1, Math.ceil((Number(response.headers[reset]) - nowMs()) / 1000));
        return withHeader(withoutHeader(response, reset), retryAfter, response.headers[retryAfter] ?? String(waitS));
      }),
    ],
    'blocked-without-any-wait': [
      'A blocked answer has neither `Retry-After` nor `X-RateLimit-Reset`.',
      onBlock((response) => withoutHeader(response, retryAfter, reset)),
    ],
    'blocked-reset-in-seconds': [
      '`X-RateLimit-Reset` is in seconds on blocked answers; on others it is in milliseconds.',
      onBlock((response) => onHeader(response, reset, toSeconds)),
    ],
    'blocked-reset-in-the-past': [
      '`X-RateLimit-Reset` of a blocked answer lies a minute in the past.',
      onBlock((response, { nowMs }) => onHeader(response, reset, () => String(nowMs() - 60_000))),
    ],
    'blocked-reset-beyond-the-window': [
      '`X-RateLimit-Reset` of a blocked answer lies ten minutes ahead.',
      onBlock((response, { nowMs }) => onHeader(response, reset, () => String(nowMs() + 600_000))),
    ],
  },
  '7.retry.whole-seconds': {
    'retry-after-date': [
      '`Retry-After` is an HTTP date.',
      onBlock((response, { nowMs }) =>
        onHeader(response, retryAfter, (value) => new Date(nowMs() + Number(value) * 1000).toUTCString()),
      ),
    ],
    'retry-after-fraction': [
      '`Retry-After` has a fraction.',
      onBlock((response) => onHeader(response, retryAfter, (value) => `${value}.25`)),
    ],
    'retry-after-with-unit': [
      '`Retry-After` has a unit, as in "7s".',
      onBlock((response) => onHeader(response, retryAfter, (value) => `${value}s`)),
    ],
    'retry-after-milliseconds': [
      '`Retry-After` is in milliseconds, such as 7000.',
      onBlock((response) => onHeader(response, retryAfter, (value) => `${value}000`)),
    ],
  },
  '8.retry-after': {
    'retry-after-always-one': [
      '`Retry-After` is always 1: a client that waits as told is blocked again and again.',
      onBlock((response) => onHeader(response, retryAfter, () => '1')),
    ],
    'retry-after-zero': [
      '`Retry-After` is 0: a client that waits as told is blocked at once.',
      onBlock((response) => onHeader(response, retryAfter, () => '0')),
    ],
  },
});

export const rateHeaderMutants = [...onAll, ...onBlocks];
