import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openClient } from '../../fixtures/test-kit/client.ts';
import { startTestEngine } from '../../fixtures/test-kit/engine.ts';
import { bodyText } from '../../src/http/message.ts';
import { assertConforms } from '../../src/http/strict.ts';
import { listen, type NodeServer } from '../../src/transports/node.ts';
import { describeFuzz } from './fuzz.ts';
import { mcpRequest } from './requests.ts';
import { plainBytes, splicedPieces } from './wire.ts';

// The short form of attack.deep.test.ts.
describeFuzz(0.04);

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
      { numRuns: 800, seed: 11 },
    );
    for (const status of [200, 400, 401, 403, 405, 406, 415, 429]) expect(seen).toContain(status);
  },
  60_000,
);

const bugs: unknown[] = [];
let server: NodeServer;

beforeAll(async () => {
  server = await listen(startTestEngine().engine, { host: '127.0.0.1', port: 0, onBug: (error) => bugs.push(error) });
});
afterAll(() => server.close());

/** Sends the bytes, half-closes, and returns everything that comes until the server closes. */
async function exchange(pieces: readonly Uint8Array[]): Promise<string> {
  const client = await openClient(server.port);
  for (const piece of pieces) client.write(piece);
  client.socket.end();
  await client.ended;
  return client.rest();
}

/** Throws unless the bytes are exactly whole responses of the contract. */
function check(received: string): void {
  for (let rest = received; rest !== ''; ) {
    const head = /^HTTP\/1\.1 (\d{3}) [^\r]*\r\n((?:[^\r]+\r\n)*)\r\n/.exec(rest);
    if (!head || head[1] === '500') throw new Error(`no response of the contract: ${rest.slice(0, 100)}`);
    const [whole, status, headers = ''] = head;
    const length = Number(/^content-length: (\d+)/im.exec(headers)?.[1] ?? 0);
    const body = Buffer.from(rest.slice(whole.length, whole.length + length), 'latin1');
    rest = rest.slice(whole.length + length);
    // HTTP's own errors have the envelope, but no row in the contract's table (assumption C73).
    if (Number(status) < 400 || /^(408|431)$/.test(status ?? '') || !/application\/json/.test(headers)) continue;
    const response = { status: Number(status), headers: { 'content-type': 'application/json' }, body };
    assertConforms(response, 'unknown_path', { forced: false, inBehaviors: true });
  }
}

it('any bytes on a connection get whole responses, and the server keeps running', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(splicedPieces, { minLength: 20, maxLength: 20 }), async (connections) => {
      for (const text of await Promise.all(connections.map(exchange))) check(text);
    }),
    { numRuns: 60, seed: Number(process.env.FUZZ_SEED ?? 1) },
  );
  expect(bugs).toEqual([]);
  expect(await exchange([plainBytes])).toMatch(/^HTTP\/1.1 200 OK/);
}, 120_000);
