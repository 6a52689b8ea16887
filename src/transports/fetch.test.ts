import { describe, expect, it } from 'vitest';
import { fakeEngine, type Responder } from '../../fixtures/test-kit/client.ts';
import { bodyBytesMax } from '../contract/generated/limits.ts';
import type { CoreRequest, CoreResponse } from '../http/message.ts';
import { createFetchHandler } from './fetch.ts';

const url = 'http://mock.example/api/v1/articles?limit=2';

function handler(apiResponse: Responder = () => ({}), options = {}) {
  return createFetchHandler(fakeEngine(apiResponse), options);
}

async function receive(request: Request, options = {}): Promise<CoreRequest> {
  const seen: CoreRequest[] = [];
  await handler((one) => {
    seen.push(one);
    return {};
  }, options)(request);
  return seen[0] as CoreRequest;
}

describe('a request', () => {
  it('reaches the engine as plain data', async () => {
    const seen = await receive(new Request(url, { headers: { Authorization: 'Bearer k' } }), { peer: '203.0.113.7' });
    expect(seen).toMatchObject({
      method: 'GET',
      path: '/api/v1/articles',
      query: 'limit=2',
      headers: { authorization: 'Bearer k' },
      body: null,
      peer: '203.0.113.7',
      origin: 'http://mock.example',
    });
  });

  it.each([
    ['of a few bytes', '{"a":1}', 7],
    ['at the cap', new Uint8Array(bodyBytesMax), bodyBytesMax],
    ['one byte over the cap', new Uint8Array(bodyBytesMax + 1), bodyBytesMax + 1],
    ['far over the cap', new Uint8Array(3 * bodyBytesMax), bodyBytesMax + 1],
  ])('brings a body %s', async (_what, body, bytes) => {
    const seen = await receive(new Request(url, { method: 'POST', body }));
    expect(seen.body?.length).toBe(bytes);
  });

  it('with an endless body is not read to its end', async () => {
    let given = 0;
    let cancelled = false;
    const body = new ReadableStream({
      pull(controller) {
        given += 1_000_000;
        controller.enqueue(new Uint8Array(1_000_000));
      },
      cancel() {
        cancelled = true;
      },
    });
    const seen = await receive(new Request(url, { method: 'POST', body, duplex: 'half' } as RequestInit));
    expect(seen.body?.length).toBe(bodyBytesMax + 1);
    expect(given).toBeLessThan(10_000_000);
    expect(cancelled).toBe(true);
  });
});

describe('a response', () => {
  it.each([
    ['204', new Request(url), { status: 204, body: '' }],
    ['HEAD', new Request(url, { method: 'HEAD' }), { status: 405, body: '{}' }],
  ])('to %s has no body', async (_what, request, apiResponse) => {
    const response = await handler(() => apiResponse)(request);
    expect([response.status, response.body]).toEqual([apiResponse.status, null]);
  });

  it('to a bug of ours is an envelope', async () => {
    const told: unknown[] = [];
    const broken = () => {
      throw new Error('oops');
    };
    const response = await handler(broken, { onBug: (error: unknown) => told.push(error) })(new Request(url));
    expect([response.status, response.headers.get('x-casa-bug'), told.length]).toEqual([500, '1', 1]);
  });
});

describe('a network fault', () => {
  it.each(['reset', 'empty'] as const)('%s fails as fetch does', async (network) => {
    await expect(handler(() => ({ network }))(new Request(url))).rejects.toThrow(new TypeError('Failed to fetch'));
  });

  it('truncated gives half of the body, then fails', async () => {
    const response = await handler(() => ({ network: 'truncated', body: '0123456789' }))(new Request(url));
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('01234');
    await expect(reader.read()).rejects.toThrow(TypeError);
  });

  it.each(['', 'x'])('truncated fails at once when the body is %j', async (body) => {
    const response = await handler(() => ({ network: 'truncated', body }))(new Request(url));
    await expect(response.text()).rejects.toThrow(TypeError);
  });

  it.each(['', 'x', '0123456789'.repeat(30)])('slow gives all of the body', async (body) => {
    const response = await handler(() => ({ network: 'slow', body }), { slowBodyMs: 20 })(new Request(url));
    expect(await response.text()).toBe(body);
  });

  it('timeout fails at its cap', async () => {
    const response = handler(() => ({ network: 'timeout' }), { timeoutMs: 5 })(new Request(url));
    await expect(response).rejects.toThrow(TypeError);
  });

  const waits = [{ network: 'timeout' as const }, { network: 'slow' as const, body: 'x' }, { latencyMs: 600_000 }];
  it.each(waits)('%o ends when the client leaves', async (fault) => {
    const leave = new AbortController();
    const give = () => {
      queueMicrotask(() => leave.abort());
      return fault;
    };
    const pending = handler(give, { slowBodyMs: 600_000 })(new Request(url, { signal: leave.signal }));
    await expect(pending.then((response) => response.text())).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('a stream', () => {
  function streaming() {
    const sends: ((text: string) => void)[] = [];
    const state = { stopped: 0 };
    const stream: CoreResponse['stream'] = (send) => {
      sends.push(send);
      return () => {
        state.stopped += 1;
      };
    };
    return { state, send: (text: string) => sends[0]?.(text), response: () => ({ body: 'retry: 1\n\n', stream }) };
  }

  it('carries each event and stops when the reader cancels', async () => {
    const { state, send, response: apiResponse } = streaming();
    const response = await handler(apiResponse)(new Request(url));
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const text = async () => new TextDecoder().decode((await reader.read()).value);
    expect(await text()).toBe('retry: 1\n\n');
    send('data: one\n\n');
    expect(await text()).toBe('data: one\n\n');
    await reader.cancel();
    send('data: too late\n\n');
    expect(state.stopped).toBe(1);
  });

  it('stops when the request is aborted', async () => {
    const { state, send, response: apiResponse } = streaming();
    const leave = new AbortController();
    const response = await handler(apiResponse)(new Request(url, { signal: leave.signal }));
    leave.abort();
    send('data: too late\n\n');
    await expect(response.text()).rejects.toThrow();
    expect(state.stopped).toBe(1);
  });

  it('is cut off when it is not read', async () => {
    const { state, send, response: apiResponse } = streaming();
    const response = await handler(apiResponse)(new Request(url));
    for (let i = 0; i < 20_000; i += 1) send('data: more\n\n');
    expect(state.stopped).toBe(1);
    await expect(response.text()).rejects.toThrow(TypeError);
  });
});
