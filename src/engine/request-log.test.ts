import { describe, expect, it } from 'vitest';
import { operations } from '../contract/generated/operations.ts';
import type { CoreRequest, CoreResponse } from '../http/message.ts';
import { findNearMisses } from '../http/near-miss.ts';
import type { Trace } from '../http/service.ts';
import { RequestLog, requestLogBytesMax, requestLogEntriesMax } from './request-log.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

const request = (wish: Partial<CoreRequest> = {}): CoreRequest => ({
  method: 'POST',
  path: '/api/v1/sites',
  query: 'a=b',
  headers: { host: 'a.example', prefer: 'code=401' },
  body: null,
  peer: '127.0.0.1',
  connection: 3,
  origin: 'http://a.example',
  ...wish,
});
const response = (wish: Partial<CoreResponse> = {}): CoreResponse => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: '{"data":[]}',
  network: undefined,
  latencyMs: undefined,
  ...wish,
});
const trace = (wish: Partial<Trace> = {}): Trace => ({
  routing: { operation: operations.getSite, path: { id: '7' } },
  address: '127.0.0.1',
  key: 'casa_1',
  organizationId: 'org_1',
  nowMs: 1_768_478_400_123.5,
  fault: { source: 'Prefer', error: 'transient' },
  fired: true,
  blockedBy: 'key',
  complaint: 'why',
  ...wish,
});

describe('an entry of the request log', () => {
  it.each<[string, Partial<CoreRequest>, Partial<CoreResponse>, Partial<Trace>]>([
    ['with everything', { body: bytes('{"a":"€🥐"}') }, { network: 'slow', latencyMs: 5 }, {}],
    ['longer than a page', { query: 'q'.repeat(70_000), body: bytes('b'.repeat(16_000)) }, { body: 'é'.repeat(9) }, {}],
  ])('is read back unchanged: %s', (_what, asked, returned, traced) => {
    const requestLog = new RequestLog();
    const [sent, got, way] = [request(asked), response(returned), trace(traced)];
    expect(requestLog.add(sent, got, way)).toEqual({ id: 1, request: sent, response: got, trace: way });
    requestLog.add(request(), response(), trace());
    expect(requestLog.findEntry(1)).toEqual({ id: 1, request: sent, response: got, trace: way });
  });

  it('knows the real time and the size of a request, and leaves both out of a snapshot', () => {
    let sourceMs = 1_000_007;
    const requestLog = new RequestLog(() => sourceMs);
    requestLog.add(request(), response({ body: 'é', latencyMs: 300 }), trace({ arrivedMs: 1_000_000 }));
    sourceMs = 9_000_000;
    requestLog.add(request(), response({ body: 'é'.repeat(40_000) }), trace({ arrivedMs: sourceMs }));
    const receivedAt = '1970-01-01T00:16:40.000Z';
    expect(requestLog.timing(1)).toEqual({ receivedAt, durationMs: 307, responseBytes: 2 });
    expect(requestLog.timing(2)).toMatchObject({ durationMs: 0, responseBytes: 80_000 });
    expect(JSON.stringify(requestLog.state())).not.toContain('durationMs');
    const restored = new RequestLog(() => sourceMs);
    restored.restore(requestLog.state());
    expect([restored.timing(1), restored.timing(3)]).toEqual([null, null]);
  });

  it('keeps an entry that was read while others replace it', () => {
    const requestLog = new RequestLog();
    requestLog.add(request({ body: bytes('first') }), response(), trace());
    const entry = requestLog.findEntry(1);
    for (let i = 0; i < 3 * requestLogEntriesMax; i += 1) {
      requestLog.add(request({ query: `q=${i}`, body: bytes(`body ${i}`) }), response({ body: `"${i}"` }), trace());
    }
    expect(new TextDecoder().decode(entry?.request.body ?? bytes(''))).toBe('first');
    const kept = requestLog
      .records()
      .map(({ id, request: { query, body }, response: { body: apiResponse } }) => [id, query, body, apiResponse]);
    expect(kept).toEqual(
      Array.from({ length: requestLogEntriesMax }, (_, at) => {
        const i = 2 * requestLogEntriesMax + at;
        return [i + 2, `q=${i}`, `body ${i}`, `"${i}"`];
      }),
    );
  });

  it('gets another response, and those after it keep theirs', () => {
    const requestLog = new RequestLog();
    const passage = (came: number) => ({ came, left: null, exact: true });
    const sent = Array.from({ length: 1500 }, (_, i) => request({ query: `q=${i}`, passage: passage(i) }));
    for (const [i, each] of sent.entries()) {
      requestLog.add(each, response({ body: `"${i}"` }), trace());
      if (i % 3 === 0) requestLog.replaceResponse(each, response({ status: 503, body: `"not ${i}"` }));
    }
    expect(requestLog.replaceResponse(sent[0] as CoreRequest, response())).toBeNull();
    const kept = requestLog.records().map(({ response: { status, body } }) => [status, body]);
    expect(kept).toEqual(
      Array.from({ length: requestLogEntriesMax }, (_, at) => {
        const i = at + 500;
        return i % 3 === 0 ? [503, `"not ${i}"`] : [200, `"${i}"`];
      }),
    );
  });

  it('counts all that it holds, and lets it go', () => {
    const requestLog = new RequestLog();
    const long = (name: string, i: number) => `${name}${i}`.padEnd(14_000, 'x');
    for (let i = 0; i < 3000; i += 1) {
      requestLog.add(request({ headers: { a: long('a', i) } }), response(), trace({ key: long('k', i) }));
    }
    const records = requestLog.records();
    const length = records.reduce((sum, { request: { headers } }) => sum + (headers.a?.length ?? 0), 0);
    expect(length * 3).toBeLessThan(requestLogBytesMax);
    expect(records.at(-1)?.id).toBe(3000);
    requestLog.clear();
    expect([requestLog.records(), requestLog.count, requestLog.dropped]).toEqual([[], 0, 0]);
  });
});

const id = '0d9f4c2e-1111-4222-8333-444455556666';

describe('findNearMisses', () => {
  it.each([
    ['GET', '/articles', 'listArticles', 'The path has to start with /api/v1.'],
    ['GET', '/api/v1/api/v1/sites', 'listSites', 'The path repeats /api/v1, which the base URL already has.'],
    ['GET', '/api/v1/article', 'listArticles', 'The path is spelt differently.'],
    ['GET', '/api/v1/Articles', 'listArticles', 'Paths are written in lower case.'],
    ['GET', `/api/v1/articles/${id}/`, 'getArticle', 'The path ends with an extra slash.'],
    ['GET', '/api/v1/articles/%zz', 'getArticle', 'A path value is badly percent-encoded.'],
    ['POST', `/api/v1/connect/accounts//${id}/posts`, 'createPost', 'A path value is empty.'],
    ['GET', `/api/v1/article/${id}`, 'getArticle', 'The path is spelt differently.'],
    ['GET', '/api/v1/connect/account', 'listAccounts', 'The path is spelt differently.'],
    ['POST', '/api/v1/connect/account', 'createConnectLink', 'The path is spelt differently.'],
    ['DELETE', '/api/v1/sites', 'listSites', 'The method is GET, not DELETE.'],
    ['GET', `/api/v1/connect/accounts/${id}/posts`, 'createPost', 'The method is POST, not GET.'],
    ['GET', '/api/v1/connect/calls', 'listCalls', 'The path is spelt differently.'],
    [
      'POST',
      `/api/v1/connect/accounts/${id}/reviews/Café/7/reply`,
      'replyToReview',
      'An ID with / has to be percent-encoded.',
    ],
    [
      'GET',
      '/connect/calls/logs',
      'listCalls',
      'The path has to start with /api/v1, and the path is spelt differently.',
    ],
  ])('for %s %s finds %s first: %s', (method, path, operation, why) => {
    expect(findNearMisses(method, path)[0]).toMatchObject({ operation, why });
  });

  it.each(['/', '/favicon.ico', '/api/v1/this/has/nothing/to/do/with/it/at/all'])('finds none for %s', (path) => {
    expect(findNearMisses('GET', path)).toEqual([]);
  });

  it('gives three at most and stays quick on absurd paths', () => {
    expect(findNearMisses('GET', `/api/v1/${'articles'.repeat(10_000)}`).length).toBeLessThanOrEqual(3);
    expect(findNearMisses('GET', '/api/v1/sites').length).toBeLessThanOrEqual(3);
  });
});
