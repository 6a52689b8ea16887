import { afterEach, describe, expect, it } from 'vitest';
import { openClient } from '../../fixtures/test-kit/client.ts';
import { goodKey, mcpHeaders, startTestEngine } from '../../fixtures/test-kit/engine.ts';
import { listen, type NodeServer } from '../transports/node.ts';

let server: NodeServer | undefined;
afterEach(() => server?.close());

/** Returns the status of a valid message with these headers. */
async function ask(headers: Readonly<Record<string, string>>, method = 'POST'): Promise<number> {
  const { engine } = startTestEngine({ adminHosts: ['mock.internal'] });
  await server?.close();
  server = await listen(engine, { host: '127.0.0.1', port: 0 });
  const body = method === 'POST' ? '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' : '';
  const own = { authorization: `Bearer ${goodKey}`, ...mcpHeaders, 'content-length': String(body.length) };
  const head = { ...own, ...headers };
  const client = await openClient(server.port);
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  client.write(`${method} /mcp HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
  const { status } = await client.response();
  client.socket.destroy();
  return status;
}

const evil = 'evil.example:4010';
const here = '127.0.0.1:4010';
const sameOrigin = { 'sec-fetch-site': 'same-origin' };

describe('the MCP endpoint', () => {
  it.each<[string, Record<string, string>]>([
    ['points its name here', { host: evil, origin: `http://${evil}` }],
    ['points its name here, as the browser says', { host: evil, origin: `http://${evil}`, ...sameOrigin }],
    ['points its name here and names no origin', { host: evil, 'sec-fetch-site': 'same-origin' }],
    ['asks for this machine', { host: here, origin: 'https://evil.example' }],
    ['asks for this machine and names no origin', { host: here, 'sec-fetch-site': 'cross-site' }],
    ['has an opaque origin', { host: here, origin: 'null' }],
    ['has a name that looks like this machine', { host: `localhost.${evil}`, origin: `http://localhost.${evil}` }],
    ['names this machine and is another', { host: evil, origin: `http://127.0.0.1.${evil}` }],
    ['is at another port of an address', { host: '203.0.113.9:4011', origin: 'http://203.0.113.9:4010' }],
    ['has a part of an address as its name', { host: '1.2.3', ...sameOrigin }],
  ])('rejects a page that %s', async (_what, headers) => {
    expect(await ask(headers)).toBe(403);
    expect(await ask(headers, 'GET')).toBe(403);
  });

  it.each<[string, Record<string, string>]>([
    ['no page at all, under any name', { host: 'casa.docker:4010' }],
    ['a page of this machine', { host: here, origin: 'http://localhost:5173', 'sec-fetch-site': 'cross-site' }],
    ['its own page', { host: here, origin: `http://${here}`, ...sameOrigin }],
    ['its own page at an address', { host: '203.0.113.9:4010', origin: 'http://203.0.113.9:4010' }],
    ['its own page at an address in capitals', { host: '[2001:DB8::1]:4010', origin: 'http://[2001:db8::1]:4010' }],
    ['its own page at a private address, which names no origin', { host: '10.1.2.3', ...sameOrigin }],
    ['its own page at the loopback address of IPv6', { host: '[::1]:4010', ...sameOrigin }],
    ['a page under a known name', { host: 'mock.internal:4010', origin: 'http://mock.internal:4010' }],
    ['an editor', { host: here, origin: 'vscode-webview://1a2b' }],
    ['an address that was typed', { host: here, 'sec-fetch-site': 'none' }],
  ])('takes %s', async (_what, headers) => {
    expect(await ask(headers)).toBe(200);
  });
});
