// Limiters that let too many through, too few, or the wrong ones, and their headers. Cites 8.address-window,
// 8.key-window, 5.limiter-before-key, 8.blocked-429, 8.headers.*, 8.retry-after, 7.retry.whole-seconds.

import { bodyBytesMax } from '../contract/generated/limits.ts';
import type { CoreRequest } from '../http/message.ts';
import { addressLimiter, fixedCounter, keyLimiter, slidingCounter, statedAs, without } from './hooks/limiters.ts';
import { mutantsNeeding, mutantsOf, type Wrap } from './hooks/mutant.ts';
import { onBlock, onEvery, onRejection, ownerOf, restatus } from './hooks/recipes.ts';
import { asCrash, asRejection, onHeader, withJson, withoutHeader, withStatus } from './hooks/rewrite.ts';

export const addressLimiterMutants = mutantsNeeding('bursts', {
  '8.address-window': {
    'address-limit-11': [
      'An address may make 11 requests per 10 seconds, and the headers say so.',
      { options: { limits: { address: { limit: 11 } } } },
    ],
    'address-limit-9-told-as-10': [
      'The tenth request of an address within 10 seconds is blocked, although the headers say 10.',
      statedAs(9, 10),
      { options: { limits: { address: { limit: 9 } } } },
    ],
    'address-limit-20': [
      'An address may make 20 requests per 10 seconds.',
      { options: { limits: { address: { limit: 20 } } } },
    ],
    'address-window-3s': [
      'An address may make 10 requests per 3 seconds.',
      { options: { limits: { address: { windowMs: 3000 } } } },
    ],
    'address-window-20s': [
      'An address is blocked for up to 20 seconds after 10 requests.',
      { options: { limits: { address: { windowMs: 20_000 } } } },
    ],
    'address-limit-per-path': [
      'Eleven requests at once pass when they go to different paths.',
      addressLimiter({ bucket: ({ path }, address) => `${address} ${path}` }),
      { options: without('address') },
    ],
    'address-limit-counts-successes': [
      'Requests that are rejected do not count for the address limiter.',
      addressLimiter({ counts: ({ status }) => status < 400 }),
      { options: without('address') },
    ],
    'address-named-by-client': [
      'The address of a request is the first one in `X-Forwarded-For`, which a client can write itself.',
      addressLimiter({ bucket: ({ headers }, address) => headers['x-forwarded-for']?.split(',')[0] ?? address }),
      { options: without('address') },
    ],
    'address-in-real-ip': [
      'The address of a request is the one in `X-Real-IP`, from any client.',
      addressLimiter({ bucket: ({ headers }, address) => headers['x-real-ip'] ?? address }),
      { options: without('address') },
    ],
    'address-counts-every-second-with-a-good-key': [
      'A request with a valid key directly after one that was counted is not counted for its address.',
      (next, context) => {
        let wasCounted = false;
        const exempt = (request: CoreRequest) => {
          const isGood = ownerOf(request, context) !== null;
          wasCounted = isGood && !wasCounted;
          return isGood && !wasCounted;
        };
        return addressLimiter({ exempt })(next, context);
      },
      { options: without('address') },
    ],
  },
  '5.limiter-before-key': {
    'address-limit-after-key': [
      'Requests with an invalid key return 401 however many come, because the address limiter runs after the key is read.',
      addressLimiter({ exempt: (request, context) => ownerOf(request, context) === null }),
      { options: without('address') },
    ],
  },
  '8.blocked-429': {
    'blocked-200': [
      'A blocked request returns 200 with the limiter’s body.',
      onBlock((response) => withStatus(response, 200)),
    ],
  },
});

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
      'A blocked response has no `X-RateLimit-Limit`.',
      onBlock((response) => withoutHeader(response, limit)),
    ],
  },
  '8.headers.remaining': {
    'blocked-remaining-negative': [
      'A blocked response has `X-RateLimit-Remaining` -1.',
      onBlock((response) => onHeader(response, remaining, () => '-1')),
    ],
  },
  '8.headers.reset': {
    'blocked-reset-beyond-the-window': [
      '`X-RateLimit-Reset` of a blocked response lies ten minutes ahead.',
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
      '`Retry-After` is always 1: a client that waits as stated is blocked again and again.',
      onBlock((response) => onHeader(response, retryAfter, () => '1')),
    ],
    'retry-after-zero': [
      '`Retry-After` is 0: a client that waits as stated is blocked at once.',
      onBlock((response) => onHeader(response, retryAfter, () => '0')),
    ],
  },
});

export const rateHeaderMutants = [...onAll, ...onBlocks];

export const keyLimiterMutants = mutantsOf({
  '8.key-window': {
    'key-limit-61': [
      'A key may make 61 requests per minute, and the headers say so.',
      { options: { limits: { key: { limit: 61 } } } },
    ],
    'key-limit-600': [
      'A key may make 600 requests per minute, and the headers say so.',
      { options: { limits: { key: { limit: 600 } } } },
    ],
    'key-posts-not-counted': [
      'A POST does not count in the window of its key: `X-RateLimit-Remaining` stays unchanged.',
      keyLimiter({ counter: () => slidingCounter(60_000), exempt: ({ method }) => method === 'POST' }),
    ],
    'key-some-rejections-not-counted': [
      'Requests that are rejected with 400 and 404 count in the window of the key only if they are POSTs.',
      keyLimiter({
        counter: () => slidingCounter(60_000),
        exempt: ({ method }, { status }) => method !== 'POST' && (status === 400 || status === 404),
      }),
    ],
    'key-window-two-minutes': [
      'Requests of a key count for two minutes, and `X-RateLimit-Reset` says so.',
      { options: { limits: { key: { windowMs: 120_000 } } } },
    ],
    'key-window-fixed-by-clock': [
      'The window of a key is the minute of the clock, so 120 requests pass around a full minute.',
      keyLimiter({ counter: () => fixedCounter(60_000, 'clock') }),
    ],
    'key-window-fixed-from-first': [
      'The window of a key begins with its first request and is emptied at once a minute later.',
      keyLimiter({ counter: () => fixedCounter(60_000, 'first-request') }),
    ],
  },
});

// Request bodies that are capped wrongly. Cites 8.body-rest, 7.code.payload-too-large.

const oversize = { code: 'payload_too_large' } as const;

/** Returns the number of bytes sent; transports keep at most one byte more than the cap. */
function sizeOf({ headers, body }: CoreRequest): number {
  return Math.max(Number(headers['content-length'] ?? 0), body?.length ?? 0);
}

/** Another measure of the body against the cap: over 1 is too large. */
const cap = (measure: (request: CoreRequest) => number): Wrap => {
  const large = new Uint8Array(bodyBytesMax + 1);
  return (next) => (request) => {
    if (request.body === null) return next(request);
    const isTooLarge = measure(request) > 1;
    if (isTooLarge === sizeOf(request) > bodyBytesMax) return next(request);
    return next({ ...request, body: isTooLarge ? large : request.body.slice(0, bodyBytesMax) });
  };
};

const capAt = (bytesMax: number) => cap((request) => sizeOf(request) / bytesMax);

export const bodyCapMutants = mutantsOf({
  '8.body-rest': {
    'body-cap-one-byte-more': ['A body of 2,500,001 bytes is not too large.', capAt(bodyBytesMax + 1)],
    'body-cap-one-byte-less': ['A body of 2,500,000 bytes is too large.', capAt(bodyBytesMax - 1)],
    'body-cap-binary-megabytes': ['Bodies up to 2.5 MiB (2,621,440 bytes) are not too large.', capAt(2_621_440)],
    'body-cap-of-mcp': ['A body over 1,048,576 bytes is too large, as at the MCP endpoint.', capAt(1_048_576)],
    'body-cap-by-content-length-only': [
      'A body over the cap passes when it is sent in chunks, without `Content-Length`.',
      cap((request) => (request.headers['content-length'] === undefined ? 0 : sizeOf(request) / bodyBytesMax)),
    ],
    'body-too-large-post-500': [
      'A post or a reply over the cap returns 500; a link over it is rejected as it should be.',
      onRejection({ which: ['createPost', 'replyToReview'], code: 'payload_too_large' }, (response) =>
        asCrash(response, 'request entity too large'),
      ),
    ],
    'body-too-large-resets': [
      'A body over the cap has its connection reset, without a response.',
      onRejection(oversize, (response) => ({ ...response, network: 'reset' })),
    ],
  },
  '7.code.payload-too-large': {
    'body-too-large-says-invalid-input': [
      'A body over the cap returns 413 with `invalid_input`.',
      onRejection(oversize, (response) =>
        asRejection(response, 413, { code: 'invalid_input', message: 'Too large.', issues: [{ path: '' }] }),
      ),
    ],
    'body-too-large-422': ['`payload_too_large` comes with 422.', restatus(oversize, 422)],
  },
  '7.envelope.tool': {
    'body-too-large-error-text': [
      'A body over the cap returns 413 with a plain string for `error`.',
      onRejection(oversize, (response) => withJson(response, { error: 'payload_too_large' })),
    ],
  },
});
