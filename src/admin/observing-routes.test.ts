import { describe, expect, it } from 'vitest';
import { goodKey, json, startMs, startTestEngine, toMcp, toolCall, toRequest } from '../../fixtures/test-kit/engine.ts';
import { contractLimits } from '../domain/limits.ts';

const limited = () => startTestEngine({ limits: contractLimits });

describe('the windows of the limiters', () => {
  it('have the timestamps at which their places come free, the fullest first', () => {
    const { admin, ask, engine } = limited();
    for (const peer of ['10.0.0.1', '10.0.0.2', '10.0.0.2']) {
      ask('GET /sites', { peer });
      engine.clock.advance(1000);
    }
    const { address, key, enforced, nowMs } = json(admin('GET /limits/windows'));
    expect([enforced, nowMs]).toEqual([true, startMs + 3000]);
    expect(address).toEqual({
      limit: 10,
      windowMs: 10_000,
      windows: [
        { name: '10.0.0.2', used: 2, freesAtMs: [startMs + 11_000, startMs + 12_000] },
        { name: '10.0.0.1', used: 1, freesAtMs: [startMs + 10_000] },
      ],
    });
    expect(key.windows).toEqual([{ name: 'casa_…cdef', used: 3, freesAtMs: expect.any(Array) }]);
    expect(JSON.stringify(key)).not.toContain(goodKey);
  });

  it('forget what is a window old, and looking changes nothing', () => {
    const { admin, ask, engine } = limited();
    ask('GET /sites');
    engine.clock.advance(10_000);
    const before = JSON.stringify(engine.limits.state());
    expect(json(admin('GET /limits/windows')).address.windows).toEqual([]);
    expect(JSON.stringify(engine.limits.state())).toBe(before);
  });

  it('are fifty at most, with a hundred timestamps each', () => {
    const { admin, ask, engine } = limited();
    engine.limits.configure({ ...contractLimits, key: { limit: 1000, windowMs: 60_000 } });
    for (let i = 0; i < 120; i += 1) ask('GET /sites', { peer: `10.0.0.${i}` });
    const { address, key } = json(admin('GET /limits/windows'));
    expect([address.windows.length, key.windows[0].used, key.windows[0].freesAtMs.length]).toEqual([50, 120, 100]);
  });
});

describe('a replay', () => {
  it('sends the request again with its key, is counted by windows, and does not count as a retry of the client', () => {
    const { admin, ask } = limited();
    ask('GET /nowhere');
    const again = json(admin('POST /requests/1/replay'));
    expect(again).toMatchObject({ id: 2, replayOf: 1, response: { status: 404 }, key: 'casa_…cdef' });
    expect(json(admin('GET /violations')).total).toBe(0);
    expect(json(admin('GET /limits/windows')).key.windows[0].used).toBe(2);
    ask('GET /nowhere');
    expect(json(admin('GET /violations')).total).toBe(1);
  });

  it('does a write again', () => {
    const { admin, ask } = startTestEngine();
    ask('POST /connect/accounts', { body: { provider: 'tiktok', label: 'One' } });
    const again = json(admin('POST /requests/1/replay'));
    expect(again.response.status).toBe(200);
    expect(again.response.body).not.toBe(json(admin('GET /requests/1')).response.body);
  });

  it('of a replay names the request that it repeats', () => {
    const { admin, ask } = startTestEngine();
    ask('GET /sites');
    admin('POST /requests/1/replay');
    expect(json(admin('POST /requests/2/replay'))).toMatchObject({ id: 3, replayOf: 2 });
  });

  it.each([
    ['went elsewhere', 'did not go to the API under /api/v1'],
    ['had a long body', 'longer than the request log keeps'],
    ['came out of a snapshot', 'comes from a snapshot'],
  ])('of a request that %s is rejected with the reason', (what, reason) => {
    const { admin, ask, engine } = startTestEngine();
    if (what === 'went elsewhere') engine.handle(toRequest('GET /elsewhere', '', {}));
    else ask('POST /connect/accounts', { body: 'x'.repeat(what === 'had a long body' ? 20_000 : 10) });
    if (what === 'came out of a snapshot') engine.restore(JSON.parse(JSON.stringify(engine.snapshot())));
    const rejected = admin('POST /requests/1/replay');
    expect([rejected.status, json(rejected).error.message.includes(reason)]).toEqual([409, true]);
    expect(json(admin('GET /requests')).total).toBe(1);
  });
});

describe('the way of a call', () => {
  const callOf = (admin: ReturnType<typeof startTestEngine>['admin'], id: string) =>
    json(admin('GET /calls')).calls.find((call: { id: string }) => call.id === id);

  it('ends, becomes visible and is delivered to the poller that asks with since', () => {
    const { admin, ask, engine } = startTestEngine();
    const since = new Date(startMs).toISOString();
    const { id } = engine.ringCall();
    const way = {
      endsAt: new Date(startMs + 60_000).toISOString(),
      visibleAt: new Date(startMs + 360_000).toISOString(),
    };
    expect(callOf(admin, id)).toMatchObject({ ...way, status: 'in_progress', deliveredAt: null, deliveredBy: null });
    engine.clock.advance(360_000);
    ask('GET /connect/calls/log');
    expect(callOf(admin, id)).toMatchObject({ status: 'final', deliveredAt: null });
    ask(`GET /connect/calls/log?limit=200&since=${since}`);
    expect(callOf(admin, id)).toMatchObject({ deliveredAt: way.visibleAt, deliveredBy: 2 });
    engine.clock.advance(1000);
    ask(`GET /connect/calls/log?limit=200&since=${since}`);
    expect(callOf(admin, id)).toMatchObject({ deliveredAt: way.visibleAt, deliveredBy: 2 });
    admin('POST /reset');
    expect(engine.deliveries.of('org_1', id)).toBeNull();
  });

  it.each([
    ['a response that the network lost', { network: 'reset' }],
    ['a response that never was one', { error: 'transient' }],
  ])('does not end at %s', (_what, fault) => {
    const { admin, ask, engine } = startTestEngine();
    const { id } = engine.ringCall();
    engine.clock.advance(360_000);
    admin('POST /faults', { body: fault });
    ask(`GET /connect/calls/log?limit=200&since=${new Date(startMs).toISOString()}`);
    expect(callOf(admin, id).deliveredAt).toBeNull();
  });

  it('goes through the MCP endpoint as well', async () => {
    const { admin, engine } = startTestEngine();
    const { id } = engine.ringCall();
    engine.clock.advance(360_000);
    await engine.handleMcp(toMcp(toolCall('calls_log', { since: new Date(startMs).toISOString(), limit: 200 })));
    expect(callOf(admin, id).deliveredBy).toBe(1);
  });
});

describe('an archive of the request log', () => {
  it('holds requests and responses, oldest first, without keys', () => {
    const { admin, ask } = startTestEngine();
    ask('GET /articles?limit=3&cursor=a%20b');
    ask('POST /connect/accounts', { body: { provider: 'tiktok', label: 'One' } });
    const { log } = json(admin('POST /requests/har'));
    expect(log.version).toBe('1.2');
    const [first, second] = log.entries;
    expect(first.startedDateTime).toBe(new Date(startMs).toISOString());
    expect(first.request).toMatchObject({
      method: 'GET',
      url: 'http://127.0.0.1:4010/api/v1/articles?limit=3&cursor=a%20b',
      queryString: [
        { name: 'limit', value: '3' },
        { name: 'cursor', value: 'a b' },
      ],
    });
    expect(second.request.postData.text).toBe('{"provider":"tiktok","label":"One"}');
    expect(JSON.parse(second.response.content.text).data.label).toBe('One');
    expect(JSON.stringify(log)).not.toContain(goodKey);
  });

  it('has the requested records', () => {
    const { admin, ask } = startTestEngine();
    for (const path of ['sites', 'articles', 'sites']) ask(`GET /${path}`);
    const ids = (body: object) =>
      json(admin('POST /requests/har', { body })).log.entries.map((entry: { _casa: { id: number } }) => entry._casa.id);
    expect(ids({ ids: [3, 1, 99] })).toEqual([1, 3]);
  });

  it('ends where its bodies become long, and says so', () => {
    const { admin, ask } = startTestEngine();
    for (let i = 0; i < 120; i += 1) ask('POST /connect/accounts', { body: { label: 'x'.repeat(16_000) } });
    const { log } = json(admin('POST /requests/har'));
    expect(log.entries.length).toBeLessThan(100);
    expect(log.entries.at(-1)._casa.id).toBe(120);
    expect(log.comment).toBe(
      `The newest ${log.entries.length} of 120 requests: their bodies are long. Name older ones by ids.`,
    );
    expect(json(admin('POST /requests/har', { body: { ids: [1] } })).log.entries).toHaveLength(1);
    expect(json(admin('POST /requests/har', { body: { ids: [1] } })).log.comment).toBeUndefined();
  });

  it('has no status where the network left no response', () => {
    const { admin, ask } = startTestEngine();
    admin('POST /faults', { body: { network: 'reset' } });
    ask('GET /sites');
    expect(json(admin('POST /requests/har')).log.entries[0].response).toMatchObject({ status: 0, statusText: 'reset' });
  });
});
