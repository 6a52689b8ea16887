// Limiter headers that are missing or wrong. Cites 8.headers.*, 8.retry-after, 7.retry.whole-seconds.
import { mutantsNeeding, mutantsOf } from './hooks/mutants-of.ts';
import { onBlock, onEvery } from './hooks/recipes.ts';
import { onHeader, withoutHeader } from './hooks/rewrite.ts';

const limit = 'x-ratelimit-limit';
const remaining = 'x-ratelimit-remaining';
const reset = 'x-ratelimit-reset';
const retryAfter = 'retry-after';

const onAll = mutantsOf({
  '8.headers.remaining': {
    'remaining-header-frozen': [
      '`X-RateLimit-Remaining` stays one below the limit however many requests are made.',
      onEvery((response) =>
        response.status === 429
          ? response
          : onHeader(response, remaining, () => String(Number(response.headers[limit]) - 1)),
      ),
    ],
    'remaining-header-counts-up': [
      '`X-RateLimit-Remaining` counts the requests made, not those left.',
      onEvery((response) =>
        onHeader(response, remaining, (value) => String(Number(response.headers[limit]) - Number(value))),
      ),
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
    'blocked-remaining-negative': [
      'A blocked answer has `X-RateLimit-Remaining` -1.',
      onBlock((response) => onHeader(response, remaining, () => '-1')),
    ],
  },
  '8.headers.reset': {
    'blocked-reset-beyond-the-window': [
      '`X-RateLimit-Reset` of a blocked answer lies ten minutes ahead.',
      onBlock((response, { nowMs }) => onHeader(response, reset, () => String(nowMs() + 600_000))),
    ],
  },
  '7.retry.whole-seconds': {
    'retry-after-fraction': [
      '`Retry-After` has a fraction.',
      onBlock((response) => onHeader(response, retryAfter, (value) => `${value}.25`)),
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
