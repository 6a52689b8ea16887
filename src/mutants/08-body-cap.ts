// Request bodies that are capped wrongly. Cites 8.body-rest, 7.code.payload-too-large.
import { bodyBytesMax } from '../contract/generated/limits.ts';
import type { CoreRequest } from '../http/message.ts';
import { mutantsOf, type Wrap } from './hooks/mutant.ts';
import { onRejection, restatus } from './hooks/recipes.ts';
import { asCrash, asRejection, withJson } from './hooks/rewrite.ts';

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

const caps = mutantsOf({
  '8.body-rest': {
    'body-cap-one-byte-more': ['A body of 2,500,001 bytes is not too large.', capAt(bodyBytesMax + 1)],
    'body-cap-one-byte-less': ['A body of 2,500,000 bytes is too large.', capAt(bodyBytesMax - 1)],
    'body-cap-binary-megabytes': ['Bodies up to 2.5 MiB (2,621,440 bytes) are not too large.', capAt(2_621_440)],
    'body-cap-of-mcp': ['A body over 1,048,576 bytes is too large, as at the MCP endpoint.', capAt(1_048_576)],
    'body-cap-by-content-length-only': [
      'A body over the cap passes when it is sent in chunks, without `Content-Length`.',
      cap((request) => (request.headers['content-length'] === undefined ? 0 : sizeOf(request) / bodyBytesMax)),
    ],
  },
});

const rejections = mutantsOf({
  '8.body-rest': {
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

export const bodyCapMutants = [...caps, ...rejections];
