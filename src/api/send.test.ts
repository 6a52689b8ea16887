import { describe, expect, it, vi } from 'vitest';
import { startMock } from '../testing/start-mock.ts';
import { createClient } from './index.ts';

describe('a call without a response', () => {
  it.each(['127.0.0.1', 'localhost'])('does not wait for a mock on %s that is not running', async (host) => {
    const casa = await startMock();
    await casa.close();
    const onRetry = vi.fn();
    const baseUrl = casa.baseUrl.replace('127.0.0.1', host);
    const rejected = createClient({ baseUrl, key: 'x', onRetry }).listSites();
    await expect(rejected).rejects.toMatchObject({ name: 'ApiError', code: 'network', status: 0, attempts: 1 });
    await expect(rejected).rejects.toThrow('ECONNREFUSED');
    await expect(rejected).rejects.toHaveProperty('cause', expect.any(TypeError));
    expect(onRetry).not.toHaveBeenCalled();
  });

  it.each([
    ['http://10.0.0.1:4010/api/v1', { code: 'ECONNREFUSED' }, 4],
    ['http://127.0.0.1.example/api/v1', { code: 'ECONNREFUSED' }, 4],
    ['http://127.0.0.1:4010/api/v1', { code: 'ECONNRESET' }, 4],
    ['http://[::1]:4010/api/v1', { code: 'ECONNREFUSED' }, 1],
    ['http://app.localhost/api/v1', { message: 'Connection rejected' }, 1],
    ['/api/v1', { message: 'Invalid URL' }, 1],
  ])('sends a read to %s after %j %i times', async (baseUrl, cause, attempts) => {
    const fetch = async () => Promise.reject(new TypeError('fetch failed', { cause }));
    const api = createClient({ baseUrl, key: 'x', fetch, sleep: async () => {} });
    await expect(api.listSites()).rejects.toMatchObject({ code: 'network', attempts });
  });

  it.each([
    ['a connection that hangs', { fetch: () => new Promise<never>(() => {}) }],
    ['a body that hangs', { fetch: async () => new Response(new ReadableStream()) }],
    ['a key that hangs', { key: () => new Promise<never>(() => {}) }],
  ])('gives up on %s when the deadline is over', async (_what, options) => {
    vi.useFakeTimers();
    try {
      const api = createClient({ baseUrl: 'http://127.0.0.1:1/api/v1', key: 'x', ...options });
      const timeout = { name: 'ApiError', code: 'timeout', attempts: 1 };
      const rejected = expect(api.listSites()).rejects.toMatchObject(timeout);
      await vi.advanceTimersByTimeAsync(14_999);
      expect(vi.getTimerCount()).toBe(1);
      await vi.advanceTimersByTimeAsync(1);
      await rejected;
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it('reports a 200 without JSON', async () => {
    const fetch = async () => new Response('<h1>Welcome</h1>');
    const api = createClient({ baseUrl: 'http://x/api/v1', key: 'x', fetch });
    await expect(api.listSites()).rejects.toMatchObject({ code: 'http_200', body: '<h1>Welcome</h1>', attempts: 1 });
  });

  it.each([
    ['listens to its signal', undefined],
    ['does not', () => new Promise<never>(() => {})],
  ])('stops a wait at once when its signal aborts, whether the wait %s', async (_what, sleep) => {
    const stop = new AbortController();
    const fetch = async () => new Response('{"error":{"code":"transient","message":""}}', { status: 503 });
    const onRetry = () => stop.abort(new Error('gone'));
    const api = createClient({ baseUrl: 'http://x/api/v1', key: 'x', fetch, onRetry, sleep });
    await expect(api.listSites({}, { signal: stop.signal })).rejects.toThrow('gone');
  });
});
