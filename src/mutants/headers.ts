// Limiter headers that are missing or wrong. Cites 8.headers.*, 8.retry-after, 7.retry.whole-seconds.
import type { Mutant } from './hooks/mutant.ts';
import { onBlock, onEvery } from './hooks/recipes.ts';
import { onHeader, withHeader, withoutHeader } from './hooks/rewrite.ts';

const limit = 'x-ratelimit-limit';
const remaining = 'x-ratelimit-remaining';
const reset = 'x-ratelimit-reset';
const retryAfter = 'retry-after';

const toSeconds = (ms: string) => String(Math.ceil(Number(ms) / 1000));

const onAll: readonly Mutant[] = [
  {
    name: 'limit-header-100',
    breaks: '8.headers.limit',
    shows: '`X-RateLimit-Limit` says 100 on every answer.',
    wrap: onEvery((response) => onHeader(response, limit, () => '100')),
  },
  {
    name: 'limit-header-policy',
    breaks: '8.headers.limit',
    shows: '`X-RateLimit-Limit` is no number but a policy such as "60;w=60".',
    wrap: onEvery((response) => onHeader(response, limit, (value) => `${value};w=${value}`)),
  },
  {
    name: 'remaining-header-frozen',
    breaks: '8.headers.remaining',
    shows: '`X-RateLimit-Remaining` stays one below the limit however many requests are made.',
    wrap: onEvery((response) =>
      response.status === 429
        ? response
        : onHeader(response, remaining, () => String(Number(response.headers[limit]) - 1)),
    ),
  },
  {
    name: 'remaining-header-fraction',
    breaks: '8.headers.remaining',
    shows: '`X-RateLimit-Remaining` has a fraction.',
    wrap: onEvery((response) => onHeader(response, remaining, (value) => `${value}.5`)),
  },
  {
    name: 'remaining-header-counts-up',
    breaks: '8.headers.remaining',
    shows: '`X-RateLimit-Remaining` counts the requests made, not those left.',
    wrap: onEvery((response) =>
      onHeader(response, remaining, (value) => String(Number(response.headers[limit]) - Number(value))),
    ),
  },
  {
    name: 'reset-header-in-seconds',
    breaks: '8.headers.reset',
    shows: '`X-RateLimit-Reset` is in seconds since the epoch.',
    wrap: onEvery((response) => onHeader(response, reset, toSeconds)),
  },
  {
    name: 'reset-header-as-delay',
    breaks: '8.headers.reset',
    shows: '`X-RateLimit-Reset` is the time left in milliseconds instead of an instant.',
    wrap: onEvery((response, { nowMs }) => onHeader(response, reset, (value) => String(Number(value) - nowMs()))),
  },
  {
    name: 'reset-header-iso',
    breaks: '8.headers.reset',
    shows: '`X-RateLimit-Reset` is an ISO 8601 date-time.',
    wrap: onEvery((response) => onHeader(response, reset, (value) => new Date(Number(value)).toISOString())),
  },
  {
    name: 'reset-header-tomorrow',
    breaks: '8.headers.reset',
    shows: '`X-RateLimit-Reset` lies a day in the future.',
    wrap: onEvery((response) => onHeader(response, reset, (value) => String(Number(value) + 86_400_000))),
  },
];

const onBlocks: readonly Mutant[] = [
  {
    name: 'blocked-without-limit-header',
    breaks: '8.headers.limit',
    shows: 'A blocked answer has no `X-RateLimit-Limit`.',
    wrap: onBlock((response) => withoutHeader(response, limit)),
  },
  {
    name: 'blocked-without-remaining-header',
    breaks: '8.headers.remaining',
    shows: 'A blocked answer has no `X-RateLimit-Remaining`.',
    wrap: onBlock((response) => withoutHeader(response, remaining)),
  },
  {
    name: 'blocked-without-reset-header',
    breaks: '8.headers.reset',
    shows: 'A blocked answer has no `X-RateLimit-Reset`, though it has `Retry-After`.',
    wrap: onBlock((response, { nowMs }) => {
      const waitS = Math.max(1, Math.ceil((Number(response.headers[reset]) - nowMs()) / 1000));
      return withHeader(withoutHeader(response, reset), retryAfter, response.headers[retryAfter] ?? String(waitS));
    }),
  },
  {
    name: 'blocked-without-any-wait',
    breaks: '8.headers.reset',
    shows: 'A blocked answer has neither `Retry-After` nor `X-RateLimit-Reset`.',
    wrap: onBlock((response) => withoutHeader(response, retryAfter, reset)),
  },
  {
    name: 'blocked-remaining-one',
    breaks: '8.headers.remaining',
    shows: 'A blocked answer has `X-RateLimit-Remaining` 1.',
    wrap: onBlock((response) => onHeader(response, remaining, () => '1')),
  },
  {
    name: 'blocked-remaining-negative',
    breaks: '8.headers.remaining',
    shows: 'A blocked answer has `X-RateLimit-Remaining` -1.',
    wrap: onBlock((response) => onHeader(response, remaining, () => '-1')),
  },
  {
    name: 'blocked-reset-in-seconds',
    breaks: '8.headers.reset',
    shows: '`X-RateLimit-Reset` is in seconds on blocked answers; on others it is in milliseconds.',
    wrap: onBlock((response) => onHeader(response, reset, toSeconds)),
  },
  {
    name: 'blocked-reset-in-the-past',
    breaks: '8.headers.reset',
    shows: '`X-RateLimit-Reset` of a blocked answer lies a minute in the past.',
    wrap: onBlock((response, { nowMs }) => onHeader(response, reset, () => String(nowMs() - 60_000))),
  },
  {
    name: 'blocked-reset-beyond-the-window',
    breaks: '8.headers.reset',
    shows: '`X-RateLimit-Reset` of a blocked answer lies ten minutes ahead.',
    wrap: onBlock((response, { nowMs }) => onHeader(response, reset, () => String(nowMs() + 600_000))),
  },
  {
    name: 'retry-after-date',
    breaks: '7.retry.whole-seconds',
    shows: '`Retry-After` is an HTTP date.',
    wrap: onBlock((response, { nowMs }) =>
      onHeader(response, retryAfter, (value) => new Date(nowMs() + Number(value) * 1000).toUTCString()),
    ),
  },
  {
    name: 'retry-after-fraction',
    breaks: '7.retry.whole-seconds',
    shows: '`Retry-After` has a fraction.',
    wrap: onBlock((response) => onHeader(response, retryAfter, (value) => `${value}.25`)),
  },
  {
    name: 'retry-after-with-unit',
    breaks: '7.retry.whole-seconds',
    shows: '`Retry-After` has a unit, as in "7s".',
    wrap: onBlock((response) => onHeader(response, retryAfter, (value) => `${value}s`)),
  },
  {
    name: 'retry-after-milliseconds',
    breaks: '7.retry.whole-seconds',
    shows: '`Retry-After` is in milliseconds, such as 7000.',
    wrap: onBlock((response) => onHeader(response, retryAfter, (value) => `${value}000`)),
  },
  {
    name: 'retry-after-always-one',
    breaks: '8.retry-after',
    shows: '`Retry-After` is always 1: a client that waits as told is blocked again and again.',
    wrap: onBlock((response) => onHeader(response, retryAfter, () => '1')),
  },
  {
    name: 'retry-after-zero',
    breaks: '8.retry-after',
    shows: '`Retry-After` is 0: a client that waits as told is blocked at once.',
    wrap: onBlock((response) => onHeader(response, retryAfter, () => '0')),
  },
];

const seenInBursts = onBlocks.map((mutant): Mutant => ({ ...mutant, needs: 'bursts' }));

export const headerMutants: readonly Mutant[] = [...onAll, ...seenInBursts];
