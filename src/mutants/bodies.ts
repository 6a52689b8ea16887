// Bodies that are no JSON, are called something else, or are capped wrongly. Cites 1.http-json, 4.json, 8.body-rest,
// 7.code.payload-too-large.
import { bodyBytesMax } from '../contract/generated/limits.ts';
import type { CoreRequest } from '../http/message.ts';
import { change } from './hooks/json-path.ts';
import type { Mutant, Wrap } from './hooks/mutant.ts';
import { onRefusal, onSuccess, onSuccessAnswer } from './hooks/recipes.ts';
import { asRefusal, withHeader, withJson, withoutHeader, withStatus } from './hooks/rewrite.ts';

const type = 'content-type';
const html = (title: string) => `<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`;
const oversize = { code: 'payload_too_large' } as const;

const answers: readonly Mutant[] = [
  {
    name: 'sites-with-guard-prefix',
    breaks: '1.http-json',
    shows: 'The body of GET /sites begins with a guard such as ")]}\'," and so is no JSON.',
    wrap: onSuccessAnswer('listSites', (response) => ({ ...response, body: `)]}',\n${String(response.body)}` })),
  },
  {
    name: 'articles-empty-body-when-empty',
    breaks: '1.http-json',
    shows: 'An empty page of GET /articles answers 200 with an empty body.',
    wrap: onSuccessAnswer('listArticles', (response) =>
      String(response.body).startsWith('{"data":[]') ? { ...response, body: '' } : response,
    ),
  },
  {
    name: 'insights-not-a-number',
    breaks: '4.json',
    shows: 'Insights have NaN for the total of their last metric, which is no JSON.',
    wrap: onSuccessAnswer('getInsights', (response) => ({
      ...response,
      body: String(response.body).replace(/"total":\d+(?!.*"total":)/s, '"total":NaN'),
    })),
  },
  {
    name: 'accounts-as-html',
    breaks: '4.json',
    shows: 'GET /connect/accounts calls its JSON `text/html`.',
    wrap: onSuccessAnswer('listAccounts', (response) => withHeader(response, type, 'text/html; charset=utf-8')),
  },
  {
    name: 'keywords-without-content-type',
    breaks: '4.json',
    shows: 'GET /keywords has no `Content-Type`.',
    wrap: onSuccessAnswer('listKeywords', (response) => withoutHeader(response, type)),
  },
  {
    name: 'not-found-as-html',
    breaks: '4.json',
    shows: 'An unknown article answers 404 with an HTML page.',
    wrap: onRefusal({ which: 'getArticle', code: 'not_found' }, (response) => ({
      ...withHeader(response, type, 'text/html'),
      body: html('404 Not Found'),
    })),
  },
  {
    name: 'unknown-account-empty-body',
    breaks: '4.json',
    shows: 'Reviews of an unknown account answer 404 with an empty body.',
    wrap: onRefusal({ which: 'listReviews', code: 'not_found' }, (response) => ({ ...response, body: '' })),
  },
  {
    name: 'unauthorized-plain-text',
    breaks: '4.json',
    shows: 'A bad key answers 401 with the plain text "Unauthorized".',
    wrap: onRefusal({ code: 'unauthorized' }, (response) => ({
      ...withHeader(response, type, 'text/plain'),
      body: 'Unauthorized',
    })),
  },
  {
    name: 'review-text-cut-inside-a-string',
    breaks: '4.json',
    shows: 'A page of reviews whose texts have line breaks sends them unescaped, which is no JSON.',
    wrap: onSuccessAnswer('listReviews', (response) => ({
      ...response,
      body: String(response.body).replaceAll('\\n', '\n'),
    })),
  },
  {
    name: 'call-log-twice-encoded',
    breaks: '4.json',
    shows: 'The call log answers a JSON string that holds JSON.',
    wrap: onSuccess(
      'listCalls',
      change('', (body) => JSON.stringify(body)),
    ),
  },
];

/** How many bytes were sent; a door keeps no more of a body over the cap than it must. */
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

// A door that knows a body to be over the cap hands in zeros for it; each may then stand for a character of three bytes.
function charactersOf(request: CoreRequest): number {
  const { body } = request;
  if (body === null) return 0;
  return body[0] === 0 ? sizeOf(request) / 3 : [...new TextDecoder().decode(body)].length;
}

const caps: readonly Mutant[] = [
  {
    name: 'body-cap-one-byte-more',
    breaks: '8.body-rest',
    shows: 'A body of 2,500,001 bytes is not too large.',
    wrap: capAt(bodyBytesMax + 1),
  },
  {
    name: 'body-cap-one-byte-less',
    breaks: '8.body-rest',
    shows: 'A body of 2,500,000 bytes is too large.',
    wrap: capAt(bodyBytesMax - 1),
  },
  {
    name: 'body-cap-binary-megabytes',
    breaks: '8.body-rest',
    shows: 'Bodies up to 2.5 MiB (2,621,440 bytes) are not too large.',
    wrap: capAt(2_621_440),
  },
  {
    name: 'body-cap-of-mcp',
    breaks: '8.body-rest',
    shows: 'A body over 1,048,576 bytes is too large, as at the MCP door.',
    wrap: capAt(1_048_576),
  },
  {
    name: 'no-body-cap',
    breaks: '8.body-rest',
    shows: 'No body is too large.',
    wrap: cap(() => 0),
  },
  {
    name: 'body-cap-in-characters',
    breaks: '8.body-rest',
    shows: 'The cap counts characters: 2,500,001 bytes of three-byte characters are not too large.',
    wrap: cap((request) => charactersOf(request) / bodyBytesMax),
  },
  {
    name: 'body-cap-in-utf-16',
    breaks: '8.body-rest',
    shows: 'The cap counts two bytes for each character, so that 1,250,001 letters are too large.',
    wrap: cap((request) => (sizeOf(request) > bodyBytesMax ? 2 : (charactersOf(request) * 2) / bodyBytesMax)),
  },
  {
    name: 'body-cap-by-content-length-only',
    breaks: '8.body-rest',
    shows: 'A body over the cap passes when it is sent in chunks, without `Content-Length`.',
    wrap: cap((request) => (request.headers['content-length'] === undefined ? 0 : sizeOf(request) / bodyBytesMax)),
  },
];

const refusals: readonly Mutant[] = [
  {
    name: 'body-too-large-400',
    breaks: '8.body-rest',
    shows: 'A body over the cap answers 400 `invalid_input`.',
    wrap: onRefusal(oversize, (response, { message }) =>
      asRefusal(response, 400, {
        code: 'invalid_input',
        message: message ?? '',
        issues: [{ path: '', message: 'The body is too large.', rule: 'maxBytes' }],
      }),
    ),
  },
  {
    name: 'body-too-large-500',
    breaks: '8.body-rest',
    shows: 'A body over the cap answers 500.',
    wrap: onRefusal(oversize, (response) =>
      asRefusal(response, 500, { code: 'internal_error', message: 'request entity too large' }),
    ),
  },
  {
    name: 'body-too-large-post-500',
    breaks: '8.body-rest',
    shows: 'A post or a reply over the cap answers 500; a link over it is refused as it should be.',
    wrap: onRefusal({ which: ['createPost', 'replyToReview'], code: 'payload_too_large' }, (response) =>
      asRefusal(response, 500, { code: 'internal_error', message: 'request entity too large' }),
    ),
  },
  {
    name: 'body-too-large-resets',
    breaks: '8.body-rest',
    shows: 'A body over the cap has its connection reset, without an answer.',
    wrap: onRefusal(oversize, (response) => ({ ...response, network: 'reset' })),
  },
  {
    name: 'body-too-large-says-invalid-input',
    breaks: '7.code.payload-too-large',
    shows: 'A body over the cap answers 413 with `invalid_input`.',
    wrap: onRefusal(oversize, (response) =>
      asRefusal(response, 413, { code: 'invalid_input', message: 'Too large.', issues: [{ path: '' }] }),
    ),
  },
  {
    name: 'body-too-large-422',
    breaks: '7.code.payload-too-large',
    shows: '`payload_too_large` comes with 422.',
    wrap: onRefusal(oversize, (response) => withStatus(response, 422)),
  },
  {
    name: 'body-too-large-error-text',
    breaks: '7.envelope.tool',
    shows: 'A body over the cap answers 413 with a plain string for `error`.',
    wrap: onRefusal(oversize, (response) => withJson(response, { error: 'payload_too_large' })),
  },
  {
    name: 'body-too-large-as-html',
    breaks: '4.json',
    shows: 'A body over the cap answers 413 with an HTML page.',
    wrap: onRefusal(oversize, (response) => ({
      ...withHeader(response, type, 'text/html'),
      body: html('413 Request Entity Too Large'),
    })),
  },
];

export const bodyMutants: readonly Mutant[] = [...answers, ...caps, ...refusals];
