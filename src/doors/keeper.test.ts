import { describe, expect, it } from 'vitest';
import { goodKey, googleAccount, json, startTestEngine, toRequest } from '../../proof/test-kit/engine.ts';
import type { CoreResponse } from '../http/message.ts';
import { openDoors } from './door.ts';
import { type Keeper, whenKept } from './keeper.ts';

const kept: CoreResponse = {
  status: 200,
  headers: { 'content-type': 'application/json', 'x-ratelimit-remaining': '9', date: 'now' },
  body: '{}',
};
const post = toRequest('POST /sites', '/api/v1', { body: {} });
const failure = '/state cannot be written: the disk is full.';
const envelope = {
  error: { code: 'transient', message: `The mock could not save the change, so it was not made: ${failure}` },
};

function keeperWith(parts: Partial<Keeper>): Keeper {
  return { failures: 0, failure: '', pending: null, ...parts };
}

describe('an answer', () => {
  it('leaves at once, as it is, when nothing is pending', () => {
    expect(whenKept(() => kept, keeperWith({ failures: 7 }))(post)).toBe(kept);
  });

  it('waits for what is pending, and then leaves as it is', async () => {
    let settle: (failure: string | null) => void = () => {};
    const pending = new Promise<string | null>((resolve) => {
      settle = resolve;
    });
    const answer = whenKept(() => kept, keeperWith({ pending }))(post);
    const first = await Promise.race([answer, new Promise((resolve) => setImmediate(resolve, 'waiting'))]);
    expect(first).toBe('waiting');
    settle(null);
    expect(await answer).toBe(kept);
  });

  it('becomes a refusal that keeps the headers of the limiters when its change was taken back', async () => {
    const refused = (await whenKept(
      () => kept,
      keeperWith({ pending: Promise.resolve(failure) }),
    )(post)) as CoreResponse;
    expect([refused.status, json(refused)]).toEqual([503, envelope]);
    expect(refused.headers).toMatchObject({ 'x-ratelimit-remaining': '9', date: 'now' });
    expect(refused.headers['content-type']).toMatch(/^application\/json/);
  });

  it('of the MCP door becomes a refusal in the form of JSON-RPC, also when its change was taken back before it was there', async () => {
    const { engine } = startTestEngine();
    const body = { jsonrpc: '2.0', id: 7, method: 'tools/list' };
    const request = { ...toRequest('POST /mcp', '', { body }), path: '/mcp' };
    const keeper = { failures: 0, failure, pending: null };
    const answer = async () => {
      await engine.handleMcp(request);
      keeper.failures += 1;
      return kept;
    };
    const refused = await whenKept(answer, keeper)(request);
    expect(refused.status).toBe(503);
    expect(json(refused)).toMatchObject({ jsonrpc: '2.0', id: 7, error: { data: envelope } });
  });
});

describe('a refusal in place of an answer', () => {
  const keeper = keeperWith({ failure, failures: 1, pending: Promise.resolve(failure) });

  it.each([
    ['a read', toRequest('GET /sites', '/api/v1', {})],
    ['a write', toRequest(`POST /connect/accounts/${googleAccount}/posts`, '/api/v1', { body: { text: 'x' } })],
    ['a long body', toRequest('POST /connect/accounts', '/api/v1', { body: { label: 'x'.repeat(50_000) } })],
    ['an unknown path', toRequest('GET /nothing', '', {})],
    [
      'the MCP door',
      { ...toRequest('POST /mcp', '', { body: { jsonrpc: '2.0', id: 1, method: 'ping' } }), path: '/mcp' },
    ],
  ])('is what the journal tells of %s', async (_, request) => {
    const { engine } = startTestEngine();
    const answer = (await openDoors(engine, { keeper })(request)) as CoreResponse;
    const [record, ...others] = engine.journal.records();
    expect([answer.status, record?.response.status, others]).toEqual([503, 503, []]);
    expect(record?.response.body).toBe(String(answer.body));
  });

  it('is not an answer that a client has to follow', async () => {
    const { engine } = startTestEngine();
    const request = () => toRequest('GET /keywords', '/api/v1', { key: goodKey });
    await openDoors(engine, { keeper })(request());
    await openDoors(engine, {})(request());
    expect(engine.journal.records().map(({ response }) => response.status)).toEqual([503, 400]);
    expect(engine.verdicts()).toEqual([]);
  });
});
