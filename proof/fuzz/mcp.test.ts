import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tools } from '../../src/contract/generated/tools.ts';
import { bodyText } from '../../src/http/message.ts';
import { goodKey, shop, strangerKey } from '../behaviour/cast.ts';
import { startTestEngine } from '../rigs/engine.ts';

const word = fc.oneof(
  fc.constantFrom(shop.accountId, 'null', '', '2026-01-10T00:00:00Z', 'phone\n1234\n', 'tiktok', '28d', '__proto__'),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
);
const value = fc.oneof(word, word, fc.integer(), fc.double(), fc.constant(null), fc.jsonValue({ maxDepth: 2 }));
const names = ['provider', 'label', 'accountId', 'reviewId', 'text', 'cursor', 'since', 'limit', 'max', 'csv', 'rows'];
const values = fc.dictionary(fc.constantFrom(...names, 'media', 'range', 'constructor', '__proto__'), value);
const method = fc.constantFrom(
  ...[
    'tools/call',
    'tools/call',
    'tools/call',
    'tools/list',
    'initialize',
    'ping',
    'server/discover',
    'x',
    '__proto__',
  ],
);
const meta = fc.constantFrom(undefined, { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }, 7);
const call = fc.record(
  { name: fc.constantFrom(...Object.keys(tools), 'x', 'toString'), arguments: fc.oneof(values, value), _meta: meta },
  { requiredKeys: ['name'] },
);
const message = fc.record(
  {
    jsonrpc: fc.constantFrom('2.0', '1.0'),
    id: fc.oneof(fc.nat(), word, value),
    method,
    params: fc.oneof(call, value),
  },
  { requiredKeys: ['jsonrpc', 'method'] },
);
const body = fc.oneof(
  { weight: 8, arbitrary: message.map((one) => JSON.stringify(one)) },
  { weight: 1, arbitrary: fc.string() },
  { weight: 1, arbitrary: fc.json() },
);
const headers = fc.record(
  {
    authorization: fc.constantFrom(...[goodKey, goodKey, goodKey, strangerKey].map((key) => `Bearer ${key}`)),
    accept: fc.constantFrom('application/json, text/event-stream', 'application/json, text/event-stream', '*/*'),
    'content-type': fc.constantFrom('application/json', 'application/json', 'text/plain'),
    'mcp-protocol-version': fc.constantFrom('2025-11-25', '2026-07-28', 'x'),
    'mcp-method': fc.constantFrom('tools/call', 'x'),
    origin: fc.constantFrom('http://localhost:1', 'http://evil.example', 'null'),
    prefer: fc.constantFrom('code=503', 'code=401', 'code=999', 'example=limiter_key'),
  },
  { requiredKeys: ['authorization', 'accept', 'content-type'] },
);

const allowed = new Set([200, 202, 400, 401, 403, 404, 405, 406, 413, 415, 429]);

describe('whatever is sent to the MCP door', () => {
  it.each([{ strict: true }, { strict: true, grease: 5 }])(
    'gets an answer of the protocol, %j',
    async (options) => {
      const { engine } = startTestEngine(options);
      const seen = new Set<number>();
      await fc.assert(
        fc.asyncProperty(fc.constantFrom('POST', 'POST', 'POST', 'GET'), headers, body, async (verb, named, text) => {
          const response = await engine.handleMcp({
            method: verb,
            path: '/mcp',
            query: '',
            headers: named,
            body: verb === 'POST' ? new TextEncoder().encode(text) : null,
            peer: '127.0.0.1',
            origin: 'http://127.0.0.1:4010',
          });
          seen.add(response.status);
          expect(allowed).toContain(response.status);
          if (response.status === 202) return;
          const { jsonrpc, error, result } = JSON.parse(bodyText(response));
          expect([jsonrpc, error === undefined || Number.isInteger(error.code)]).toEqual(['2.0', true]);
          if (text.includes('"tools/call"')) expect(error?.code).not.toBe(-32_603);
          if (result?.isError) expect(result.structuredContent.error.code).toBeTypeOf('string');
        }),
        { numRuns: 1_500, seed: 11 },
      );
      for (const status of [200, 400, 401, 403, 405, 406, 415, 429]) expect(seen).toContain(status);
    },
    60_000,
  );
});
