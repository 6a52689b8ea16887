import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, describe, expect, test } from 'vitest';
import { bundledCommand, captured, runCli } from '../../fixtures/test-kit/command.ts';
import { endless, startHttp } from '../../fixtures/test-kit/scripted-server.ts';
import { agentTools } from '../../src/admin/agent/tools.ts';
import { ctl } from '../../src/cli/ctl.ts';
import { health } from '../../src/cli/health.ts';
import type { Casa } from '../../src/testing/casa.ts';
import { startMock } from '../../src/testing/start-mock.ts';
import { eras, mcpHeaders, readResponse } from './transports.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function mock(options: Parameters<typeof startMock>[0] = {}): Promise<Casa> {
  const casa = await startMock(options);
  cleanups.push(() => casa.close());
  return casa;
}

async function agentOf(casa: Casa, era: (typeof eras)[number] = 'legacy') {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: era } });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${casa.origin}/__admin/mcp`)));
  cleanups.push(() => client.close());
  return makeCall(client);
}

function makeCall(client: Client) {
  const call = async (name: string, values: Record<string, unknown> = {}) =>
    readResponse(await client.callTool({ name, arguments: values }));
  return { client, call };
}

const asClient = (casa: Casa, path: string, init: RequestInit = {}) =>
  fetch(`${casa.baseUrl}${path}`, { ...init, headers: { authorization: `Bearer ${casa.keys.good}`, ...init.headers } });

describe('the control MCP server', () => {
  test.each(eras)('lists its tools to the official client (%j)', async (era) => {
    const { client } = await agentOf(await mock(), era);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(agentTools.map(({ name }) => name));
    for (const { inputSchema, description } of tools) {
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(description?.length).toBeGreaterThan(20);
    }
  });

  test('moves time, makes requests fail and reports violations of the client', async () => {
    const casa = await mock();
    const { call } = await agentOf(casa);
    const before = Date.parse((await call('casa_status')).body.health.clock.now);
    await call('casa_advance', { duration: '5m' });
    const status = await call('casa_status');
    expect(Date.parse(status.body.health.clock.now) - before).toBe(300_000);
    expect((await call('casa_fault', { operation: 'listSites', error: 'transient', times: 1 })).isError).toBe(false);
    expect((await asClient(casa, '/sites')).status).toBe(503);
    expect((await asClient(casa, '/sites')).status).toBe(200);
    const requestLog = await call('casa_requests', { limit: 1, status: 503 });
    expect(requestLog.body.requests).toHaveLength(1);
    expect((await call('casa_clear')).body).toEqual({ faults: [] });
  });

  test('rings a call, adds a review, sets an account, and goes back to a snapshot', async () => {
    const casa = await mock();
    const { call } = await agentOf(casa);
    const organization = (await call('casa_status')).body.organizations.organizations[0];
    const account = organization.accounts.find(({ provider }: { provider: string }) => provider.startsWith('google'));
    await call('casa_snapshot', { id: 'before' });
    expect((await call('casa_ring', { durationS: 30 })).isError).toBe(false);
    expect((await call('casa_arrive', { accountId: account.accountId, rating: 4, text: 'Fine' })).isError).toBe(false);
    const state = { status: 'revoked', locked: true, trouble: 'transient' };
    const set = await call('casa_state', { accountId: account.accountId, ...state });
    expect(set.body).toMatchObject(state);
    const { counts, changed } = (await call('casa_diff', { snapshot: 'before' })).body;
    expect(counts).toEqual({ accounts: 1, reviews: 1, calls: 1 });
    expect(changed).toEqual([
      {
        kind: 'accounts',
        id: account.accountId,
        organizationId: organization.id,
        fields: {
          status: { before: 'connected', after: 'revoked' },
          locked: { before: false, after: true },
          trouble: { before: null, after: 'transient' },
        },
      },
    ]);
    await call('casa_restore', { id: 'before' });
    const after = (await call('casa_status')).body.organizations.organizations[0];
    expect(after.accounts).toEqual(organization.accounts);
    expect((await call('casa_reset')).body).toMatchObject({ status: 'ok' });
  });

  test('checks the client, and reports a client without requests', async () => {
    const casa = await mock();
    const { call } = await agentOf(casa);
    expect((await call('casa_violations')).body.conclusion).toContain('There were no requests yet');
    const body = JSON.stringify({ summary: 1 });
    const path = '/connect/accounts/not-an-id/posts';
    for (let i = 0; i < 2; i += 1)
      await asClient(casa, path, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
    const { violations } = (await call('casa_violations')).body;
    expect(violations[0]).toMatchObject({ rule: 'unchanged-retry', contract: expect.any(String) });
    expect(violations[0].requestIds).toHaveLength(2);
  });

  test('explains a clause, and guesses at a wrong one', async () => {
    const { call } = await agentOf(await mock());
    const { clauses } = (await call('casa_explain', { clause: '8.post-text' })).body;
    expect(clauses[0]).toMatchObject({ id: '8.post-text', basis: 'stated' });
    const below = (await call('casa_explain', { clause: '4.calls' })).body;
    expect(below.total).toBeGreaterThan(10);
    const unknown = await call('casa_explain', { clause: '8.post-txt' });
    expect(unknown).toMatchObject({ isError: true, text: expect.stringContaining('Did you mean 8.post-text?') });
  });

  test.each([
    ['casa_advance', {}, 'casa_advance needs duration.'],
    ['casa_advance', { duration: 'soon' }, 'duration'],
    ['casa_reset', { all: true }, 'casa_reset has no argument \\"all\\". Arguments: none.'],
    ['casa_fault', { latencyMs: 'x' }, 'latencyMs'],
    ['casa_requests', { id: 99 }, 'no request'],
    ['casa_restore', { id: '../reset' }, 'There is no snapshot'],
    ['casa_state', { accountId: 'none' }, 'has no account'],
  ])('%s with %j is rejected with one sentence', async (name, values, sentence) => {
    const { call } = await agentOf(await mock());
    const { isError, text } = await call(name, values);
    expect(isError).toBe(true);
    expect(text).toContain(sentence);
  });

  test('adds no entry to the request log of the client, and uses no part of its limits', async () => {
    const casa = await mock({ limits: true });
    const { call } = await agentOf(casa);
    for (let i = 0; i < 15; i += 1) await call('casa_status');
    expect((await call('casa_requests')).body).toEqual({ requests: [], total: 0 });
    expect((await asClient(casa, '/sites')).status).toBe(200);
  });

  test.each([
    ['a page of another origin', { origin: 'https://evil.example' }],
    ['a proxy in front', { 'x-forwarded-for': '203.0.113.9' }],
    ['another name of this machine', { via: '1.1 proxy' }],
  ])('is shut for %s', async (_, headers) => {
    const casa = await mock();
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const response = await fetch(`${casa.origin}/__admin/mcp`, {
      method: 'POST',
      body,
      headers: { ...mcpHeaders, ...headers },
    });
    expect(response.status).toBe(403);
  });

  test('cannot be reached through the MCP endpoint of the API, which has different tools', async () => {
    const casa = await mock();
    const client = new Client({ name: 'test', version: '1' });
    const requestInit = { headers: { authorization: `Bearer ${casa.keys.good}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(casa.mcpUrl), { requestInit }));
    cleanups.push(() => client.close());
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names.filter((name) => agentTools.some((tool) => tool.name === name))).toEqual([]);
  });

  test.each([
    ['GET', null, 405],
    ['POST', 'nonsense', 400],
    ['POST', '[]', 400],
  ])('%s with %j returns %i', async (method, body, status) => {
    const casa = await mock();
    const init = { method, body, headers: mcpHeaders };
    expect((await fetch(`${casa.origin}/__admin/mcp`, init)).status).toBe(status);
  });
});

describe('casa mcp', () => {
  async function overStdio(...args: string[]) {
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [bundledCommand, 'mcp', ...args], stderr: 'ignore' }),
    );
    cleanups.push(() => client.close());
    return makeCall(client);
  }

  test('starts a mock and serves the same tools over standard streams', async () => {
    const { client, call } = await overStdio();
    expect((await client.listTools()).tools).toHaveLength(agentTools.length);
    const { health, limits } = (await call('casa_status')).body;
    expect(limits.enforced).toBe(true);
    const response = await fetch(`${health.baseUrl}/sites`);
    expect(response.status).toBe(401);
    expect((await call('casa_requests')).body.total).toBe(1);
  });

  test('drives a mock that runs', async () => {
    const casa = await mock();
    const { call } = await overStdio('--url', casa.baseUrl);
    await call('casa_advance', { duration: '1h' });
    expect((await call('casa_status')).body.health.baseUrl).toBe(casa.baseUrl);
    await casa.close();
    const gone = await call('casa_status');
    expect(gone.text).toContain('No response of a casa mock');
    cleanups.splice(0, 1);
  });

  test.each([
    [['--prt', '1'], 2, 'Did you mean --port?'],
    [['--port', 'x'], 2, '--port takes a whole number'],
    [['--url', 'nowhere'], 2, '--url takes an address'],
    [['--world', 'moon'], 2, 'there is no world "moon"'],
    [['--admin-token', 'abcdefgh'], 2, '--admin-token needs --url URL'],
  ])('rejects %j', async (args, wanted, sentence) => {
    const { ended, stderr } = runCli(['mcp', ...args]);
    expect(await ended).toBe(wanted);
    expect(stderr()).toContain(sentence);
  });
});

describe('casa ctl', () => {
  const textOf = async (command: Parameters<typeof captured>[0]) => {
    const { code, out, err } = await captured(command);
    return { code, text: out + err };
  };
  const run = (...argv: string[]) => textOf((io) => ctl(argv, io));
  const healthOf = (url: string) => textOf((io) => health(['--url', url], io));

  test('has a command for each tool, with the bytes of the control MCP server', async () => {
    const casa = await mock();
    const { call } = await agentOf(casa);
    await asClient(casa, '/sites');
    const accountId = (await (await asClient(casa, '/connect/accounts')).json()).data.accounts[0].accountId;
    // Values that both sides can be given twice, with the same effect.
    const words: Readonly<Record<string, readonly [string[], Record<string, unknown>]>> = {
      explain: [['8.post-text'], { clause: '8.post-text' }],
      advance: [['0s'], { duration: '0s' }],
      fault: [['listSites=503'], { spec: 'listSites=503' }],
      respond: [
        ['listSites', '--body', '{"a":[1]}', '--status', '418'],
        { operation: 'listSites', body: { a: [1] }, status: 418 },
      ],
      ring: [['--duration-s', '30'], { durationS: 30 }],
      arrive: [[accountId, '--rating', '1'], { accountId, rating: 1 }],
      state: [[accountId, '--locked', '--trouble', 'none'], { accountId, locked: true, trouble: 'none' }],
      snapshot: [['start'], { id: 'start' }],
      restore: [['start'], { id: 'start' }],
      diff: [['start'], { snapshot: 'start' }],
    };
    for (const { name, verb } of agentTools) {
      const [argv, values] = words[verb] ?? [[], {}];
      const before = await call('casa_snapshot', { id: 'same' });
      expect(before.isError).toBe(false);
      const shell = await run(verb, ...argv, '--url', casa.origin);
      await call('casa_restore', { id: 'same' });
      const agent = await call(name, values);
      await call('casa_restore', { id: 'same' });
      expect(shell).toEqual({ code: agent.isError ? 1 : 0, text: `${agent.text}\n` });
    }
  });

  test.each([
    [['stauts'], 2, 'Did you mean "status"?'],
    [['advance', '5m', '6m'], 2, 'Unexpected argument "6m". Usage: advance DURATION.'],
    [['--port', '4010', 'status'], 2, 'Unknown flag --port.'],
    [['--url'], 2, '--url needs a value'],
    [['status', 'now'], 2, 'Unexpected argument "now". Usage: status.'],
    [['advance', '5m', '--url', 'x'], 2, '--url takes an address'],
    [['advance', '5'], 1, 'duration must be a duration with its unit'],
    [['advance'], 2, 'Missing DURATION. Usage: advance DURATION.'],
    ...['{"data":[}', '[1,]', '"open', " {'a':1}"].map((body): [string[], number, string] => [
      ['respond', 'listSites', '--body', body],
      2,
      '--body is not valid JSON. To send it unchanged, write it as a JSON string.',
    ]),
    [['respond', '--headers', '{bad'], 2, '--headers is not valid JSON.'],
    [['respond', 'listSites', '--body', '<html>'], 0, '"body": "<html>"'],
    [['respond', 'listSites', '--body', '"{broken"'], 0, '"body": "{broken"'],
    [['respond', 'listSites', '--body', '{}', '--account-id', 'a', '--skip', '2'], 0, '"accountId": "a"'],
    [['fault', '--operation', 'createPost', '--key', 'k', '--error', '503'], 0, '"operation": "createPost"'],
    [['ring', '--from', '+15550101', '--to', '+15550102', '--agent', 'Ada'], 0, '"from": "+15550101"'],
  ])('%j exits with %i', async (argv, code, text) => {
    const casa = await mock();
    const url = argv.includes('--url') ? [] : ['--url', casa.origin];
    expect(await run(...argv, ...url)).toEqual({ code, text: expect.stringContaining(text) });
  });

  test('accepts its flags before the command', async () => {
    const casa = await mock();
    const after = await run('violations', '--url', casa.origin);
    expect(await run('--url', casa.origin, 'violations')).toEqual(after);
    expect(after.code).toBe(0);
  });

  test('prints a warning next to the JSON', async () => {
    const casa = await mock();
    const { text } = await run('--url', casa.origin, 'fault', 'listSites=429');
    expect(text).toMatch(/\ncasa ctl: .*"429" means limiter_key\. It also fits /);
  });

  test.each([
    ['http://127.0.0.1:1', /No response of a casa mock at .*: (bad port|ECONNREFUSED)\./],
    ['http://127.0.0.1:6000', /: bad port\./],
    ['http://casa.invalid', /: (ENOTFOUND|EAI_AGAIN)\./],
  ])('exits with 1 if no mock responds at %s, and prints the cause', async (url, cause) => {
    expect(await run('status', '--url', url)).toEqual({ code: 1, text: expect.stringMatching(cause) });
    const { text, code } = await healthOf(url);
    expect([code, text]).toEqual([1, expect.stringMatching(/no mock responds at .* \((bad port|E\w+)\)/)]);
  });

  test.each<[what: string, body: string | null, text: RegExp]>([
    ['a response without an end', null, /its response is over 50 MB/],
    ['a deep response', '['.repeat(100_000) + ']'.repeat(100_000), /is not a casa mock/],
    ['a response of another form', '{}', /do not have the form of casa mock/],
  ])('reports %s in one sentence', async (_, body, sentence) => {
    const server = await startHttp((_request, response) =>
      body === null ? endless().pipe(response) : response.end(body),
    );
    expect(await run('violations', '--url', server.origin)).toEqual({ code: 1, text: expect.stringMatching(sentence) });
    expect((await healthOf(server.origin)).code).toBe(1);
    await server.close();
  });

  test('escapes what is invisible in a pipe, and prints the same JSON', async () => {
    const hidden = '\u009b31m \u202e \u2066 \u2028 \u200b \u{e0041}';
    const server = await startHttp((_request, response) => response.end(JSON.stringify({ requests: [hidden] })));
    const { text } = await run('requests', '--url', server.origin);
    expect(text).toMatch(/^[\n\x20-\x7e]+$/);
    expect(JSON.parse(text)).toEqual({ requests: [hidden] });
    await server.close();
  });
});
