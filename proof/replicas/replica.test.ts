import { describe, expect, it } from 'vitest';
import { goodKey, googleAccount, type Init, json, startTestEngine, toRequest } from '../../fixtures/test-kit/engine.ts';
import { createRandom } from '../../src/domain/random.ts';
import type { CoreResponse } from '../../src/http/message.ts';
import type { ReplicaPace } from '../../src/replicas/replica.ts';
import { createSecretStore } from '../../src/replicas/secret-store.ts';
import type { MakeEngine } from '../../src/replicas/state.ts';
import { type ModelOptions, ModelReplica, makeEngineOf } from './model-replica.ts';
import { ModelStream, VirtualTime } from './model-stream.ts';

const startMs = Date.parse('2026-03-01T12:00:00Z');
const relaxed = makeEngineOf({ limits: undefined });

async function start(count = 3, options: Partial<ModelOptions> = {}) {
  const time = new VirtualTime(startMs);
  const stream = new ModelStream(time, createRandom(7));
  const settle = (ms = 1000) => time.play(time.nowMs + ms);
  const add = async (more: Partial<ModelOptions> = {}) => {
    const replica = new ModelReplica({ stream, ...options, ...more });
    await settle();
    return replica;
  };
  const replicas: ModelReplica[] = [];
  while (replicas.length < count) replicas.push(await add());
  const ask = async (replica: ModelReplica, line: string, init: Init = {}): Promise<CoreResponse> => {
    const base = / \/(__|mcp)/.test(line) ? '' : '/api/v1';
    let apiResponse: CoreResponse | undefined;
    replica.ask(toRequest(line, base, { key: goodKey, ...init })).then((response) => {
      apiResponse = response;
    });
    for (let turns = 0; !apiResponse && turns < 200; turns += 1) await settle(100);
    if (!apiResponse) throw new Error('There was no response.');
    return apiResponse;
  };
  /** That all hold the same state. */
  const expectOne = async (others: readonly ModelReplica[] = replicas) => {
    await settle(2000);
    expect(new Set(others.map(stateOf)).size).toBe(1);
  };
  const [one, two] = replicas as [ModelReplica, ModelReplica];
  return { time, stream, replicas, one, two, add, settle, ask, expectOne };
}

const post = { body: { text: 'Hello' } };
const postLine = `POST /connect/accounts/${googleAccount}/posts`;

function postsAt({ replica }: ModelReplica): number | undefined {
  const [organization] = replica.state?.engine.world.organizations.values() ?? [];
  return organization?.accounts.get(googleAccount)?.posts.length;
}

const countAt = ({ replica }: ModelReplica) => replica.state?.engine.requestLog.count;

const stateOf = ({ replica }: ModelReplica) => JSON.stringify(replica.state?.engine.snapshot());

describe('replicas of one log', () => {
  it('takes the state from a checkpoint, and continues with the same bytes as the older replicas', async () => {
    const pace = { checkpointBytes: 20_000 };
    const { stream, replicas, one, add, ask, expectOne } = await start(2, { makeEngine: relaxed, pace });
    await ask(one, 'POST /__admin/snapshots', { body: { id: 'kept' } });
    await ask(one, 'POST /__admin/clock/scale', { body: { scale: 10 } });
    await ask(one, 'POST /__admin/clock/freeze');
    for (let i = 0; i < 80; i += 1) {
      await ask(replicas[i % 2] as ModelReplica, i % 3 === 0 ? postLine : 'GET /nowhere', i % 3 === 0 ? post : {});
    }
    expect(stream.entries.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(60_000);
    const third = await add();
    await ask(third, 'POST /__admin/clock/resume');
    await ask(third, 'POST /__admin/requests/3/replay');
    await ask(third, 'GET /connect/calls/log?since=2026-01-01T00:00:00Z');
    expect(json(await ask(third, 'GET /__admin/clock')).scale).toBe(10);
    await ask(third, 'POST /__admin/snapshots/kept/restore');
    await expectOne([...replicas, third]);
  });

  it.each<[string, Partial<ReplicaPace>, boolean]>([
    ['nothing of it is much', {}, false],
    ['so many characters', { checkpointBytes: 4000 }, true],
    ['so many requests', { checkpointRequests: 15 }, true],
    ['so much time', { checkpointMs: 1500 }, true],
    ['so much work', { checkpointWorkMs: 30 }, true],
  ])('takes a checkpoint on all, after %s', async (_what, due, isTaken) => {
    const never = { checkpointBytes: 1e9, checkpointRequests: 1e9, checkpointMs: 1e9, checkpointWorkMs: 1e9 };
    const makeEngine: MakeEngine = async (...at) => {
      const engine = await relaxed(...at);
      const handle: typeof engine.handle = (request) => {
        time.nowMs += 2;
        return engine.handle(request);
      };
      return { ...engine, handle };
    };
    const { time, stream, replicas, one, ask, add } = await start(3, { pace: { ...never, ...due }, makeEngine });
    for (let i = 0; i < 20; i += 1) await ask(replicas[i % 3] as ModelReplica, 'GET /sites');
    expect(stream.checkpoint !== null).toBe(isTaken);
    expect(one.replica.health().sinceCheckpoint < 20).toBe(isTaken);
    expect((await add()).replica.health().applied < 20).toBe(isTaken);
  });

  it('leaves a checkpoint when it stops, and none where nothing has come', async () => {
    const { stream, one, two, add, ask, settle, expectOne } = await start(2);
    await two.replica.leaveCheckpoint();
    expect(stream.checkpoint).toBeNull();
    await ask(one, postLine, post);
    let hasLeft = false;
    one.replica.leaveCheckpoint().then(() => {
      hasLeft = true;
    });
    await settle();
    one.kill();
    const next = await add();
    expect([hasLeft, next.replica.isReady, next.replica.health().applied]).toEqual([true, true, 0]);
    await expectOne([next, two]);
  });

  it('reads its state again when the log has lost its end, and agrees with the others', async () => {
    const { stream, replicas, one, two, ask, settle, expectOne } = await start();
    const before = postsAt(one) ?? 0;
    for (let i = 0; i < 5; i += 1) await ask(one, postLine, post);
    stream.loseEnd(2);
    await settle(5000);
    expect(replicas.map(postsAt)).toEqual([before + 3, before + 3, before + 3]);
    expect((await ask(two, postLine, post)).status).toBe(200);
    await expectOne();
    expect(one.replica.health().restored).toBe(2);
  });

  it('begins again on all when the log has lost everything, with the requests under way', async () => {
    const { stream, replicas, one, two, ask, settle, expectOne } = await start();
    const before = postsAt(one) ?? 0;
    await ask(one, postLine, post);
    stream.isDown = true;
    stream.loseEverything();
    const underway = replicas.map((replica) => ask(replica, postLine, post));
    await settle();
    stream.isDown = false;
    const made = (await Promise.all(underway)).filter(({ status }) => status === 200).length;
    await settle(5000);
    expect(replicas.map(({ failure }) => failure)).toEqual([null, null, null]);
    expect(replicas.map(postsAt)).toEqual([before + made, before + made, before + made]);
    expect((await ask(two, postLine, post)).status).toBe(200);
    await expectOne();
  });

  it('applies no entry of another version, and such a replica does not start', async () => {
    const { stream, one, add, ask, settle } = await start(1);
    await ask(one, postLine, post);
    const other = await add({ version: 'v2' });
    expect(other.failure?.message).toMatch(
      /differ from this one in version\. Start this replica with the same settings/,
    );
    const request = { m: 'GET', p: '/x', h: {}, a: '', o: '' };
    stream.add(JSON.stringify({ from: 'x', n: 1, f: 'other', kind: 'requests', requests: [request] }));
    stream.add('not ours');
    await settle(30_000);
    expect([countAt(one), one.replica.health().fenced]).toEqual([1, 2]);
  });

  it('rejects with 503 while it lags or the log is full, reports it, and recovers', async () => {
    const { stream, one, ask, settle, expectOne } = await start(2);
    const expectRejected = async (reason: RegExp) => {
      const rejected = await ask(one, postLine, post);
      expect([rejected.status, json(rejected).error.code]).toEqual([503, 'transient']);
      expect(json(rejected).error.message).toMatch(reason);
    };
    stream.isFull = true;
    await expectRejected(/^Nothing was done: OOM/);
    stream.isFull = false;
    one.isCutOff = true;
    stream.cut((deliver) => deliver === one.deliver);
    await settle(70_000);
    await expectRejected(/^Nothing was done: this replica has not caught up/);
    for (const path of ['/__ready', '/__admin/health']) expect((await ask(one, `GET ${path}`)).status).toBe(503);
    one.isCutOff = false;
    await settle(5000);
    expect((await ask(one, postLine, post)).status).toBe(200);
    await expectOne();
  });

  it('keeps keys, cookies, tokens and bodies over the cap out of the log', async () => {
    const { stream, one, two, ask, settle } = await start(2, { makeEngine: relaxed });
    const stranger = 'casa_00112233445566778899aabbccddeeff';
    await ask(one, 'GET /sites', { headers: { cookie: 'session=12345', 'x-casa-admin-token': 'tokentoken' } });
    expect((await ask(one, 'GET /sites', { key: stranger })).status).toBe(401);
    expect((await ask(one, 'POST /connect/accounts', { body: 'x'.repeat(2_500_001) })).status).toBe(413);
    const texts = stream.entries.map(({ text }) => text).join('\n');
    expect(texts).not.toMatch(/session=|tokentoken|Bearer /);
    expect(texts.length).toBeLessThan(5000);
    await settle();
    expect([countAt(two), two.replica.state?.engine.requestLog.find(2)?.key]).toEqual([3, '…eeff']);
  });

  it('checks the admin token once, where the request arrives, and keeps it out of the log', async () => {
    const adminToken = 'the-token-of-9876';
    const makeEngine = makeEngineOf({ limits: undefined, adminToken });
    const { stream, one, two, ask, expectOne } = await start(2, {
      adminToken,
      makeEngine,
      secretStore: createSecretStore([]),
    });
    // A client on another machine, so the token alone opens the admin API.
    const far = { peer: '203.0.113.7', key: null };
    const bearer = { ...far, headers: { authorization: `Bearer ${adminToken}`, referer: `https://x/?${adminToken}` } };
    const header = { ...far, headers: { 'x-casa-admin-token': adminToken } };
    expect((await ask(one, 'POST /__admin/organizations', { ...bearer, body: { name: 'Team A' } })).status).toBe(201);
    expect((await ask(two, 'POST /__admin/calls', { ...header, body: {} })).status).toBe(201);
    expect(String((await ask(two, 'GET /__admin/organizations', header)).body)).toContain('Team A');
    const before = stream.entries.length;
    for (const headers of [{}, { 'x-casa-admin-token': 'the-token-of-9875' }]) {
      expect((await ask(one, 'POST /__admin/reset', { ...far, headers })).status).toBe(401);
    }
    expect(stream.entries).toHaveLength(before);
    for (const query of ['', `?token=${adminToken}`]) await ask(one, `GET /sites${query}`, { key: adminToken });
    await ask(one, postLine, { body: { text: adminToken } });
    expect(stream.entries.map(({ text }) => text).join()).not.toMatch(/the-token-of|9876/);
    await expectOne();
  });

  it('carries out on each the requests at both MCP endpoints', async () => {
    const { one, two, ask, expectOne } = await start(2, { makeEngine: relaxed });
    const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
    const call = async (path: string, name: string, args: object) => {
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
      const response = await ask(one, `POST ${path}`, { body, headers });
      expect([response.status, json(response).result.isError]).toEqual([200, undefined]);
    };
    // Both modules load with the first request, which takes real time.
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    const { engine, admin } = startTestEngine();
    await engine.handleMcp(toRequest('POST /mcp', '', { body: list, headers }));
    await admin('POST /mcp', { body: list, headers }).later?.();
    await call('/mcp', 'list_reviews', { accountId: googleAccount });
    await call('/__admin/mcp', 'casa_advance_clock', { duration: '1h' });
    await expectOne();
    expect(countAt(two)).toBe(1);
    expect(two.replica.state?.engine.clock.now()).toBeGreaterThan(startMs + 3_600_000);
  });

  it('streams events of every replica on each', async () => {
    const { one, two, ask, settle } = await start(2);
    const events = await ask(two, 'GET /__admin/events', { key: null });
    const heard: string[] = [];
    const hear = (text: string) => void heard.push(text);
    events.stream?.(hear, () => hear('end'));
    await ask(one, 'GET /sites');
    await settle();
    expect(heard.join('')).toMatch(/event: exchange\ndata: .*"path":"\/api\/v1\/sites"/);
    two.replica.stop();
    expect(heard.at(-1)).toBe('end');
  });
});
