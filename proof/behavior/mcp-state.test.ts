import { describe, expect } from 'vitest';
import { goodKey, shop } from '../../fixtures/test-kit/actors.ts';
import { mcpHeaders, startTestEngine, toMcp, toolCall } from '../../fixtures/test-kit/engine.ts';
import type { ToolName } from '../../src/contract/generated/tools.ts';
import type { CommitEntry } from '../../src/engine/commit.ts';
import { describeTransports, readResponse, testMock } from './transports.ts';

const it = testMock();
const { accountId } = shop;
const csv = 'Phone,Name,City\r\n"+1 202 555 0100","Doe, Ada",Ghent\r\n+12025550101,,\r\n';

/** Replaced by a list of 6,000 levels, which is too deep for a literal. */
const deep = '@deep';

const deepened = (message: object) =>
  toMcp(JSON.stringify(message).replace(`"${deep}"`, '['.repeat(6000) + ']'.repeat(6000)));

describe('a call with arguments that no tool can mean', () => {
  const texts = { accountId, text: 'Hello' };
  const posts = (engine: ReturnType<typeof startTestEngine>['engine']) =>
    [...engine.world.organizations.values()].flatMap(({ accounts }) =>
      [...accounts.values()].flatMap((one) => one.posts),
    );

  it.each<[string, ToolName, Record<string, unknown>]>([
    ['half a character in a text', 'create_post', { ...texts, text: '\ud800' }],
    ['half a character in a path value', 'reply_review', { ...texts, reviewId: '\udc00' }],
    ['half a character in a query value', 'list_reviews', { accountId, cursor: '\ud800' }],
    ['half a character in a name', 'create_post', { ...texts, 'a\ud800': 1 }],
    ['an object instead of a text', 'list_reviews', { accountId, cursor: { toString: 1 } }],
    ['a list instead of a text', 'inbox_list', { cursor: [[{ toString: 1, valueOf: 2 }]] }],
    ['an object instead of an id', 'create_post', { ...texts, accountId: { toString: 1 } }],
    ['6,000 levels', 'create_post', { ...texts, more: deep }],
  ])('is rejected as invalid_input and changes nothing: %s', async (_what, name, values) => {
    const { engine } = startTestEngine({ strict: true });
    const response = await engine.handleMcp(deepened(toolCall(name, values)));
    expect(response.status).toBe(200);
    const structuredContent = { error: { code: 'invalid_input' } };
    expect(JSON.parse(String(response.body)).result).toMatchObject({ isError: true, structuredContent });
    expect(posts(engine)).toHaveLength(posts(startTestEngine().engine).length);
  });

  it.each<[string, object]>([
    ['a notification', { id: undefined }],
    ['an id that is not one', { id: {} }],
    ['an envelope of 6,000 levels', { params: { name: 'create_post', arguments: texts, _meta: { a: deep } } }],
    ['half a character in the envelope', { params: { name: 'create_post', arguments: texts, _meta: { a: '\ud800' } } }],
    ['a token that is not one', { params: { name: 'create_post', arguments: texts, _meta: { progressToken: {} } } }],
    ['a task that is not one', { params: { name: 'create_post', arguments: texts, task: 5 } }],
    ['arguments that are a list', { params: { name: 'create_post', arguments: [texts] } }],
    ['another protocol', { jsonrpc: '1.0' }],
  ])('makes no post that it does not report: %s', async (_what, parts) => {
    const { engine } = startTestEngine({ strict: true });
    const before = posts(engine).length;
    const response = await engine.handleMcp(deepened({ ...toolCall('create_post', texts), ...parts }));
    expect(response.status).toBeLessThan(500);
    expect(posts(engine).length - before).toBe(String(response.body).includes('postId') ? 1 : 0);
  });
});

describeTransports('an error on demand at the MCP endpoint', ({ it }) => {
  it.for([
    ['provider_auth', 'code=401, example=provider_auth'],
    ['not_found', 'code=404'],
    ['payment_required', 'example=renewal_pending'],
    ['transient', 'code=503'],
    ['rate_limited', 'example=rate_limited'],
    ['invalid_input', 'code=400'],
  ] as const)('gives %s as a tool error', async ([code, prefer], { connect }) => {
    const client = await connect({ headers: { prefer } });
    const { isError, ...apiResponse } = readResponse(await client.callTool({ name: 'inbox_list', arguments: {} }));
    expect([isError, apiResponse.code]).toEqual([true, code]);
  });

  it.for([
    ['code=401', 401, 'unauthorized'],
    ['code=413', 413, 'payload_too_large'],
    ['example=limiter_address', 429, undefined],
    ['example=limiter_key', 429, undefined],
  ] as const)('returns the errors of the MCP endpoint itself, %s', async ([prefer, status, code], { send }) => {
    const response = await send(toolCall('inbox_list'), { headers: { prefer } });
    const { error } = (await response.json()) as { error: { data: { error: { code?: string } } } };
    expect([response.status, error.data.error.code]).toEqual([status, code]);
    expect(response.headers.get('x-casa-fault')).toBeTruthy();
  });
});

describe('fault rules at the MCP endpoint', () => {
  it('strike an operation through both endpoints and a tool through one', async ({ call, casa }) => {
    const rest = async () =>
      (await casa.fetch('/connect/calls/log', { headers: { authorization: `Bearer ${goodKey}` } })).status;
    casa.faults.add('listCalls=transient');
    expect([await rest(), (await call('calls_log')).code]).toEqual([503, 'transient']);
    casa.faults.clear();
    casa.faults.add('calls_log=provider_error@1x');
    const both = [(await call('calls_log')).code, (await call('calls_log')).code];
    expect([await rest(), ...both]).toEqual([200, 'provider_error', 'ok']);
    casa.faults.add('customers_list=not_supported');
    expect([(await call('customers_list')).code, (await call('inbox_list')).code]).toEqual(['not_supported', 'ok']);
  });

  it('strike an account by its argument', async ({ call, casa }) => {
    casa.faults.add({ match: { accountId }, error: 'provider_permission' });
    expect((await call('list_reviews', { accountId })).code).toBe('provider_permission');
    expect((await call('list_accounts')).code).toBe('ok');
  });

  it('break the network', async ({ send, casa }) => {
    casa.faults.add('inbox_list=network:reset@1x');
    await expect(send(toolCall('inbox_list'))).rejects.toThrow();
    expect((await send(toolCall('inbox_list'))).status).toBe(200);
  });
});

describe('the request log', () => {
  it('names the tool and its operation', async ({ call, casa }) => {
    await call('calls_log', { limit: 1 });
    await call('inbox_list');
    const named = casa.requests.all().map(({ operation, tool, request }) => [request.path, operation, tool]);
    expect(named.slice(-2)).toEqual([
      ['/mcp', 'listCalls', 'calls_log'],
      ['/mcp', 'inbox_list', 'inbox_list'],
    ]);
    expect(casa.requests.count({ operation: 'calls_log' })).toBe(1);
    expect(casa.requests.count({ operation: 'listCalls' })).toBe(1);
    expect(JSON.stringify(casa.requests.all())).not.toContain(goodKey);
  });
});

describe('violations on clients of the MCP endpoint', () => {
  const rules = (casa: { violations(): readonly { rule: string }[] }) => casa.violations().map(({ rule }) => rule);

  it('see a poll that comes too soon, and one that comes in time', async ({ call, casa }) => {
    casa.clock.advance('1h');
    const since = new Date(casa.clock.now()).toISOString();
    await call('calls_log', { since });
    casa.clock.advance('61s');
    await call('calls_log', { since });
    expect(rules(casa)).toEqual([]);
    casa.clock.advance('10s');
    await call('calls_log', { since });
    expect(rules(casa)).toEqual(['hasty-poll']);
  });

  it('see one client through both endpoints', async ({ send, ask, casa }) => {
    const since = new Date(casa.clock.now()).toISOString();
    await send(toolCall('calls_log', { since }));
    casa.clock.advance('10s');
    await ask('GET', `/connect/calls/log?since=${since}`);
    expect(rules(casa)).toEqual(['hasty-poll']);
  });

  it('detect a rejected call that is sent again unchanged, with any id of its message', async ({ casa }) => {
    for (const id of [1, 2]) {
      const headers = { ...mcpHeaders, authorization: `Bearer ${goodKey}` };
      const body = JSON.stringify(toolCall('create_post', { accountId, text: '' }, id));
      await casa.fetch(casa.mcpUrl, { method: 'POST', headers, body });
    }
    expect(rules(casa)).toEqual(['unchanged-retry']);
  });

  it('take no offence at what is changed, or good', async ({ call, casa }) => {
    await call('create_post', { accountId, text: '' });
    await call('create_post', { accountId, text: 'x' });
    for (let i = 0; i < 3; i += 1) await call('customers_list', {});
    expect(rules(casa)).toEqual([]);
  });
});

describe('rows with lists instead of texts', () => {
  it.for([
    [3, ' (and 5 more, see issues)'],
    [300, ' (and 599 more; issues lists the first 100)'],
  ] as const)('are all counted, and a hundred are described: %i', async ([count, rest], { call }) => {
    const rows = Array.from({ length: count }, () => ({ phone: '+12025550100', a: [], b: {} }));
    const { code, body } = await call('dialer_import_contacts', { rows });
    expect([code, body.error.issues.length]).toEqual(['invalid_input', Math.min(100, 2 * count)]);
    expect(body.error.message).toBe(`${body.error.issues[0].message}${rest}`);
    expect(new Set(body.error.issues.map(({ path }: { path: string }) => path)).size).toBe(body.error.issues.length);
  });

  it('are rejected for their number as well', async ({ call }) => {
    const { body } = await call('dialer_import_contacts', { rows: Array.from({ length: 6_000 }, () => []) });
    expect(body.error.issues).toContainEqual(expect.objectContaining({ path: '/rows', rule: 'maxItems' }));
  });
});

describe('imported contacts', () => {
  it('are state: a snapshot brings them back, a reset takes them away', async ({ call, casa }) => {
    const contacts = async () => (await casa.fetch('/__admin/organizations/org_1/contacts')).json();
    expect((await call('dialer_import_contacts', { csv })).body.data).toEqual({ imported: 2, updated: 0, total: 2 });
    const kept = casa.snapshot();
    const before = await contacts();
    expect(before.contacts.map(({ phone, name, fields }: Record<string, unknown>) => [phone, name, fields])).toEqual([
      ['+1 202 555 0100', 'Doe, Ada', { City: 'Ghent' }],
      ['+12025550101', null, {}],
    ]);
    const rows = [{ phone: '+1 (202) 555-0101', name: 'Grace', vip: true }, { phone: '+12025550102' }];
    expect((await call('dialer_import_contacts', { rows })).body.data).toEqual({ imported: 1, updated: 1, total: 3 });
    casa.restore(JSON.parse(JSON.stringify(kept)));
    expect(await contacts()).toEqual(before);
    expect((await call('dialer_import_contacts', { rows })).body.data.total).toBe(3);
    casa.reset();
    expect((await contacts()).total).toBe(0);
  });

  it('are reported to the listener, and replayed from its records', async () => {
    const entries: CommitEntry[] = [];
    const { engine, admin } = startTestEngine({ commit: (entry) => entries.push(entry) });
    await engine.handleMcp(toMcp(toolCall('dialer_import_contacts', { csv })));
    expect(entries.map(({ change }) => change.kind)).toEqual(['import']);
    const again = startTestEngine();
    again.engine.replay(entries);
    const path = 'GET /organizations/org_1/contacts';
    expect(again.admin(path).body).toBe(admin(path).body);
    expect(again.admin(path).body).toContain('Doe, Ada');
  });

  it('are written to a file in their state at its start, and read from it again', async () => {
    const { engine } = startTestEngine();
    const send = (values: Record<string, unknown>) =>
      engine.handleMcp(toMcp(toolCall('dialer_import_contacts', values)));
    await send({ csv });
    await send({ rows: [{ phone: '+1 202 555 0103', vip: true, note: null, rank: 1 }] });
    const { requestLog: _, violations: __, deliveries: ___, ...kept } = engine.snapshot();
    const written = engine.toWrite();
    await send({ csv: 'phone,name\n+12025550100,Grace\n+12025550199,Joan\n' });
    expect(JSON.stringify(written)).toBe(JSON.stringify(kept));
    const again = startTestEngine();
    again.engine.restore(JSON.parse(JSON.stringify(written)));
    expect(again.engine.snapshot().world).toEqual(kept.world);
  });

  it('are shown from the newest on when there are many', async ({ call, casa }) => {
    const phones = Array.from({ length: 1_001 }, (_, i) => `+1555${1_000 + i}`);
    await call('dialer_import_contacts', { csv: ['phone', ...phones].join('\n') });
    const { contacts, total } = await (await casa.fetch('/__admin/organizations/org_1/contacts')).json();
    expect(contacts.map(({ phone }: { phone: string }) => phone)).toEqual(phones.slice(1));
    expect(total).toBe(1_001);
  });

  it('are reported at once, even if requests arrive while the response is written', async () => {
    const texts: string[] = [];
    const { engine, ask } = startTestEngine({
      commit: ({ change }) => texts.push(change.kind === 'post' ? change.post.text : change.kind),
    });
    const posts = [1, 2, 3].map((i) => {
      const pending = engine.handleMcp(toMcp(toolCall('create_post', { accountId, text: `mcp ${i}` })));
      ask(`POST /connect/accounts/${accountId}/posts`, { body: { text: `rest ${i}` } });
      return pending;
    });
    await Promise.all(posts);
    expect(texts.sort()).toEqual(['mcp 1', 'mcp 2', 'mcp 3', 'rest 1', 'rest 2', 'rest 3']);
  });
});
