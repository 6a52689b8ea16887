import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { mcpHeaders } from '../../fixtures/test-kit/engine.ts';
import { startMock } from '../testing/start-mock.ts';

const casa = await startMock();
const bearer = { authorization: `Bearer ${casa.keys.good}` };

async function send(path: string, init: RequestInit) {
  const headers = { ...mcpHeaders, ...bearer, ...init.headers };
  const response = await fetch(`${casa.origin}${path}`, { ...init, headers });
  return { status: response.status, text: await response.text() };
}

const account = (await (await casa.fetch('/connect/accounts', { headers: bearer })).json()).data.accounts[0].accountId;
const post = `/api/v1/connect/accounts/${account}/posts`;
// Large, because compressed bytes look like JSON with many names.
const large = JSON.stringify({ text: Array.from({ length: 200_000 }, (_, i) => (i * 7919) % 104_729).join() });

describe('a compressed body', () => {
  it.each([
    ['gzip', post, '{"text":"gz"}'],
    ['GZIP', post, large],
    ['br', post, '{}'],
    ['deflate, gzip', '/__admin/faults', '{}'],
    ['gzip', '/mcp', '{"jsonrpc":"2.0","id":1,"method":"ping"}'],
    ['gzip', '/__admin/mcp', '{"jsonrpc":"2.0","id":1,"method":"ping"}'],
  ])('with content-encoding %s at %s has a 400 that names it', async (encoding, path, body) => {
    const headers = { 'content-encoding': encoding };
    const { status, text } = await send(path, { method: 'POST', headers, body: gzipSync(body) });
    expect(status).toBe(400);
    expect(text).toContain(`is sent with content-encoding ${encoding}; send it uncompressed`);
  });

  it.each(['identity', 'Identity', ''])('is not assumed with content-encoding %j', async (encoding) => {
    const headers = { 'content-encoding': encoding };
    const { text } = await send('/__admin/faults', { method: 'POST', headers, body: '{"error":"503"}' });
    expect(text).toContain('"struck": 0');
    casa.faults.clear();
  });
});

describe('a date-time whose + arrived as a blank', () => {
  it.each([
    ['/connect/calls/log?since=2026-11-28T01:50:27+00:00', 'since'],
    ['/connect/calls/log?since=20261128T015027.5+0530', 'since'],
    ['/articles?cursor=2026-11-28T01:50:27.000+02', 'cursor'],
  ])('%s: the message says so', async (path, name) => {
    const { status, text } = await send(`/api/v1${path}`, {});
    expect(status).toBe(400);
    expect(JSON.parse(text).error.issues[0].message).toBe(
      `${name} must be an ISO 8601 date-time. The + in a query is a blank: send it as %2B.`,
    );
    expect((await send(`/api/v1${path.replace('+', '%2B')}`, {})).status).toBe(200);
  });

  it('is not meant by other texts', async () => {
    const { text } = await send('/api/v1/connect/calls/log?since=two+days+ago', {});
    expect(JSON.parse(text).error.issues[0].message).toBe('since must be an ISO 8601 date-time.');
  });
});
