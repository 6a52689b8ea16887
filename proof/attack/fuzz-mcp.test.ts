import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bodyText } from '../../src/http/message.ts';
import { startTestEngine } from '../test-kit/engine.ts';
import { mcpRequest } from './requests.ts';

const allowed = new Set([200, 202, 400, 401, 403, 404, 405, 406, 413, 415, 429]);

it.each([{ strict: true }, { strict: true, grease: 5 }])(
  'the MCP endpoint responds to any message with a response of the protocol, %j',
  async (options) => {
    const { engine } = startTestEngine(options);
    const seen = new Set<number>();
    await fc.assert(
      fc.asyncProperty(mcpRequest, async (request) => {
        const response = await engine.handleMcp(request);
        seen.add(response.status);
        expect(allowed).toContain(response.status);
        if (response.status === 202) return;
        const { jsonrpc, error, result } = JSON.parse(bodyText(response));
        expect([jsonrpc, error === undefined || Number.isInteger(error.code)]).toEqual(['2.0', true]);
        const isCall = request.body !== null && bodyText({ body: request.body }).includes('"tools/call"');
        if (isCall) expect(error?.code).not.toBe(-32_603);
        if (result?.isError) expect(result.structuredContent.error.code).toBeTypeOf('string');
      }),
      { numRuns: 1_500, seed: 11 },
    );
    for (const status of [200, 400, 401, 403, 405, 406, 415, 429]) expect(seen).toContain(status);
  },
  60_000,
);
