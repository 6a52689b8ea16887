import { describe, expect, it } from 'vitest';
import { json, startTestEngine, toRequest } from '../../proof/rigs/engine.ts';
import type { CoreResponse } from '../http/message.ts';
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
