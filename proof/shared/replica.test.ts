import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../src/domain/random.ts';
import type { CoreResponse } from '../../src/http/message.ts';
import { goodKey, googleAccount, json, startTestEngine, toRequest } from '../rigs/engine.ts';
import { ModelStream } from './model-stream.ts';
import { makeEngineOf, type ProcessOptions, ReplicaProcess } from './process.ts';
import { VirtualTime } from './virtual-time.ts';

const startMs = Date.parse('2026-03-01T12:00:00Z');
const relaxed = makeEngineOf({ limits: undefined });

function start(count = 3, options: Partial<ProcessOptions> = {}) {
  const time = new VirtualTime(startMs);
  const stream = new ModelStream(time, createRandom(7));
  const add = (more: Partial<ProcessOptions> = {}) => new ReplicaProcess({ time, stream, ...options, ...more });
  const replicas = Array.from({ length: count }, () => add());
  const settle = (ms = 1000) => time.play(time.nowMs + ms);
  const ask = async (replica: ReplicaProcess, line: string, asked = {}): Promise<CoreResponse> => {
    const [method, path = ''] = line.split(' ');
    const base = path.startsWith('/__') || path === '/mcp' ? '' : '/api/v1';
    let answer: CoreResponse | undefined;
    replica.ask(toRequest(`${method} ${path}`, base, { key: goodKey, ...asked })).then((response) => {
      answer = response;
    });
    for (let turns = 0; !answer && turns < 200; turns += 1) await settle(100);
    if (!answer) throw new Error('There was no answer.');
    return answer;
  };
  return { time, stream, replicas: replicas as [ReplicaProcess, ReplicaProcess, ReplicaProcess], add, settle, ask };
}

const post = { body: { text: 'Hello' } };
const postLine = `POST /connect/accounts/${googleAccount}/posts`;

function postsAt({ replica }: ReplicaProcess): number | undefined {
  const [organization] = replica.state?.engine.world.organizations.values() ?? [];
  return organization?.accounts.get(googleAccount)?.posts.length;
}

/** A digest: the state itself is too long to be read in a report. */
function stateOf({ replica }: ReplicaProcess): string {
  const text = JSON.stringify(replica.state?.engine.snapshot());
  return createHash('sha256').update(text).digest('hex');
}

describe('replicas of one log', () => {
  it('hold the same state, and count one limiter together', async () => {
    const { replicas, ask, settle } = start();
    await settle();
    const statuses: number[] = [];
    for (let i = 0; i < 12; i += 1) {
      const replica = replicas[i % 3] as ReplicaProcess;
      statuses.push((await ask(replica, 'GET /sites')).status);
    }
    await settle();
    // 12 requests of 10 in 10 s: which ones are blocked depends on how long each took, so the state tells.
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(10);
    expect(new Set(replicas.map(stateOf)).size).toBe(1);
    expect(replicas[0].replica.state?.engine.journal.count).toBe(12);
  });

  it('answers a read at one replica with what was written at another', async () => {
    const { replicas, ask, settle } = start(3, { makeEngine: relaxed });
    await settle();
    const label = 'Branch of the second replica';
    expect((await ask(replicas[0], 'POST /connect/accounts', { body: { provider: 'tiktok', label } })).status).toBe(
      200,
    );
    const { data } = json(await ask(replicas[1], 'GET /connect/accounts'));
    expect(data.pendingInvites.map((invite: { label: string }) => invite.label)).toContain(label);
  });

  it('carries an append out once whose answer was lost', async () => {
    const { stream, replicas, ask, settle } = start();
    await settle();
    const before = postsAt(replicas[1]) ?? 0;
    for (let i = 1; i <= 8; i += 1) {
      const asked = ask(replicas[0], postLine, post);
      await settle(0);
      stream.cut();
      expect((await asked).status).toBe(200);
    }
    await settle(30_000);
    expect(replicas.map(postsAt)).toEqual([before + 8, before + 8, before + 8]);
    expect(stream.entries.length - 1).toBeGreaterThan(8);
    expect(replicas[2].replica.health().duplicates).toBeGreaterThan(0);
  });

  it('takes the state from a checkpoint, and goes on with the same bytes as those that were there all the time', async () => {
    const { stream, replicas, add, ask, settle } = start(2, { makeEngine: relaxed, pace: { checkpointBytes: 20_000 } });
    await settle();
    await ask(replicas[0], 'POST /__admin/snapshots', { body: { id: 'kept' } });
    await ask(replicas[0], 'POST /__admin/clock/scale', { body: { scale: 10 } });
    await ask(replicas[0], 'POST /__admin/clock/freeze');
    for (let i = 0; i < 80; i += 1) {
      await ask(replicas[i % 2] as ReplicaProcess, i % 3 === 0 ? postLine : 'GET /nowhere', i % 3 === 0 ? post : {});
    }
    expect(stream.checkpoint).not.toBeNull();
    expect(stream.entries.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(60_000);
    const third = add();
    await settle(5000);
    await ask(third, 'POST /__admin/clock/resume');
    await ask(third, 'POST /__admin/requests/3/replay');
    await ask(third, 'GET /connect/calls/log?since=2026-01-01T00:00:00Z');
    expect(json(await ask(third, 'GET /__admin/clock')).scale).toBe(10);
    expect(json(await ask(third, 'GET /__admin/snapshots')).snapshots).toHaveLength(1);
    await ask(third, 'POST /__admin/snapshots/kept/restore');
    await settle(5000);
    expect([stateOf(third), stateOf(replicas[1])]).toEqual([stateOf(replicas[0]), stateOf(replicas[0])]);
  });

  it('reads its state anew when the log has lost its end, and agrees with the others again', async () => {
    const { stream, replicas, ask, settle } = start();
    await settle();
    const before = postsAt(replicas[0]) ?? 0;
    for (let i = 0; i < 5; i += 1) await ask(replicas[0], postLine, post);
    stream.loseEnd(2);
    await settle(5000);
    expect(replicas.map(postsAt)).toEqual([before + 3, before + 3, before + 3]);
    expect((await ask(replicas[1], postLine, post)).status).toBe(200);
    await settle();
    expect(new Set(replicas.map(stateOf)).size).toBe(1);
    expect(replicas[0].replica.health().restored).toBe(2);
  });

  it('begins anew on all when the log has lost everything, with what was under way', async () => {
    const { stream, replicas, ask, settle } = start();
    await settle();
    const before = postsAt(replicas[0]) ?? 0;
    await ask(replicas[0], postLine, post);
    stream.isDown = true;
    stream.loseEverything();
    const underway = replicas.map((replica) => ask(replica, postLine, post));
    await settle(1000);
    stream.isDown = false;
    const statuses = (await Promise.all(underway)).map(({ status }) => status);
    await settle(5000);
    expect(replicas.map(({ failure }) => failure)).toEqual([null, null, null]);
    const made = statuses.filter((status) => status === 200).length;
    expect(replicas.map(postsAt)).toEqual([before + made, before + made, before + made]);
    expect((await ask(replicas[2], postLine, post)).status).toBe(200);
    await settle();
    expect(new Set(replicas.map(stateOf)).size).toBe(1);
  });

  it('applies no entry of another version, and such a replica refuses to start', async () => {
    const { stream, replicas, add, ask, settle } = start(2);
    await settle();
    await ask(replicas[0], postLine, post);
    const other = add({ fingerprint: 'v2' });
    await settle();
    expect(other.failure?.message).toMatch(/another version, world or setting \(v1, this is v2\)/);
    const before = replicas[0].replica.state?.engine.journal.count;
    stream.add('{"from":"x","n":1,"f":"v2","kind":"requests","requests":[{"m":"GET","p":"/x","h":{},"a":"","o":""}]}');
    stream.add('not ours');
    await settle(30_000);
    expect(replicas[0].replica.state?.engine.journal.count).toBe(before);
    expect(replicas[1].replica.health().fenced).toBe(2);
  });

  it('refuses with 503 while it is behind, says so, and comes back', async () => {
    const { stream, replicas, ask, settle } = start(2);
    await settle();
    replicas[0].isCutOff = true;
    stream.cut((deliver) => deliver === replicas[0].deliver);
    await settle(70_000);
    const refused = await ask(replicas[0], postLine, post);
    expect([refused.status, json(refused).error.code]).toEqual([503, 'transient']);
    expect(json(refused).error.message).toMatch(/^Nothing was done: this replica is behind/);
    expect((await ask(replicas[0], '/__ready'.replace(/^/, 'GET '))).status).toBe(503);
    const health = await ask(replicas[0], 'GET /__admin/health', { key: null });
    expect(health.status).toBe(503);
    replicas[0].isCutOff = false;
    await settle(5000);
    expect((await ask(replicas[0], postLine, post)).status).toBe(200);
    await settle();
    expect(stateOf(replicas[0])).toBe(stateOf(replicas[1]));
  });

  it('says that nothing was done when the log takes no more', async () => {
    const { stream, replicas, ask, settle } = start(1);
    await settle();
    stream.isFull = true;
    const refused = await ask(replicas[0], postLine, post);
    expect(refused.status).toBe(503);
    expect(json(refused).error.message).toMatch(/^Nothing was done: OOM/);
    stream.isFull = false;
    expect((await ask(replicas[0], postLine, post)).status).toBe(200);
  });

  it('keeps keys, cookies, tokens and bodies over the cap out of the log', async () => {
    const { stream, replicas, ask, settle } = start(2, { makeEngine: relaxed });
    await settle();
    const stranger = 'casa_00112233445566778899aabbccddeeff';
    await ask(replicas[0], 'GET /sites', { headers: { cookie: 'session=12345', 'x-casa-admin-token': 'tokentoken' } });
    expect((await ask(replicas[0], 'GET /sites', { key: stranger })).status).toBe(401);
    const large = new TextEncoder().encode('x'.repeat(2_500_001));
    const request = { ...toRequest('POST /connect/accounts', '/api/v1', { key: goodKey }), body: large };
    const answers: CoreResponse[] = [];
    replicas[0].ask(request).then((response) => answers.push(response));
    await settle(2000);
    expect(answers[0]?.status).toBe(413);
    const texts = stream.entries.map(({ text }) => text).join('\n');
    expect(texts).not.toMatch(/session=|tokentoken|Bearer /);
    expect(texts.length).toBeLessThan(5000);
    expect(replicas[1].replica.state?.engine.journal.count).toBe(3);
    expect(replicas[1].replica.state?.engine.journal.find(2)?.key).toBe('…eeff');
  });

  it('shares faults, the clock and the MCP door', async () => {
    const { replicas, ask, settle } = start(2, { makeEngine: relaxed });
    await settle();
    await ask(replicas[0], 'POST /__admin/faults', { body: { error: 'transient', times: 1 } });
    expect((await ask(replicas[1], 'GET /sites')).headers['x-casa-fault']).toBe('transient');
    expect((await ask(replicas[0], 'GET /sites')).status).toBe(200);
    await ask(replicas[0], 'POST /__admin/clock/advance', { body: { duration: '1h' } });
    expect(json(await ask(replicas[1], 'GET /__admin/clock')).nowMs).toBeGreaterThan(startMs + 3_600_000);
    await startTestEngine().engine.handleMcp(toRequest('GET /mcp', '', {}));
    const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_reviews', arguments: {} } };
    const params = { ...call.params, arguments: { accountId: googleAccount } };
    const called = await ask(replicas[1], 'POST /mcp', { body: { ...call, params }, headers });
    expect([called.status, json(called).result?.isError]).toEqual([200, undefined]);
    await settle(2000);
    expect(stateOf(replicas[0])).toBe(stateOf(replicas[1]));
    expect(replicas[0].replica.state?.engine.journal.count).toBe(3);
  });

  it('carries out on each what an agent asks for at its own door', async () => {
    const { replicas, ask, settle } = start(2, { makeEngine: relaxed });
    await settle();
    const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    const known = startTestEngine().admin('POST /mcp', { body: list, headers });
    const names = json({ body: (await known.later?.())?.body ?? '' } as CoreResponse).result.tools as {
      name: string;
    }[];
    const advance = names.find(({ name }) => /clock/.test(name) && /advance/.test(name))?.name;
    expect(advance).toBeDefined();
    const call = { ...list, method: 'tools/call', params: { name: advance, arguments: { duration: '1h' } } };
    expect((await ask(replicas[0], 'POST /__admin/mcp', { body: call, headers, key: null })).status).toBe(200);
    await settle(2000);
    expect(replicas[1].replica.state?.engine.clock.now()).toBeGreaterThan(startMs + 3_600_000);
    expect(stateOf(replicas[0])).toBe(stateOf(replicas[1]));
  });

  it('tells events of every replica on each', async () => {
    const { replicas, ask, settle } = start(2, { makeEngine: relaxed });
    await settle();
    const events = await ask(replicas[1], 'GET /__admin/events', { key: null });
    const heard: string[] = [];
    events.stream?.(
      (text) => heard.push(text),
      () => heard.push('end'),
    );
    await ask(replicas[0], 'GET /sites');
    await settle();
    expect(heard.join('')).toMatch(/event: exchange\ndata: .*"path":"\/api\/v1\/sites"/);
    replicas[1].replica.stop();
    expect(heard.at(-1)).toBe('end');
  });
});
