import { expect, it } from 'vitest';
import { loadProtocol } from './load-protocol.ts';

it('evaluates no text, neither when the protocol is loaded nor when it speaks', async () => {
  let evaluations = 0;
  const original = globalThis.Function;
  globalThis.Function = new Proxy(original, {
    construct(target, args) {
      evaluations += 1;
      return Reflect.construct(target, args);
    },
  });
  try {
    const { respond } = await loadProtocol();
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const request = {
      method: 'POST',
      path: '/mcp',
      query: '',
      headers,
      body: null,
      peer: '',
      origin: 'http://x.example',
    };
    const value = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'inbox_list', arguments: {} } };
    const call = { tool: 'inbox_list', values: {}, problem: null } as const;
    const message = { value, id: 1, method: 'tools/call', call, isReadable: true } as const;
    const response = await respond(request, message, () => ({ content: [], structuredContent: { data: 7 } }));
    expect(response.body).toContain('"data":7');
  } finally {
    globalThis.Function = original;
  }
  expect(evaluations).toBe(0);
});
