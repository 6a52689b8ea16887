import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { checks } from '../../../conformance/checks/index.ts';
import { rules } from '../../../conformance/checks/rules/index.ts';
import { openHar } from '../../../conformance/cli/har-file.ts';
import { checkRecording, readHar } from '../../../conformance/driver/har.ts';
import { keySpellings, undone } from '../../../fixtures/test-kit/control-characters.ts';
import { newFolder } from '../../../fixtures/test-kit/own-tmp.ts';
import { startScriptedServer, startTcpServer } from '../../../fixtures/test-kit/scripted-server.ts';
import { startHere } from '../../../fixtures/test-kit/test-process.ts';
import { readProfile } from '../../contract/profile.ts';
import { type Casa, startMock } from '../../index.ts';
import { parseFlags } from '../../terminal/flag-parser.ts';
import { plain } from '../../terminal/paint.ts';
import { mockFlags } from '../mock-flags.ts';
import type { MockProcess } from '../mock-process.ts';
import { profileOf } from '../profile.ts';
import { requestLine } from '../request-line.ts';
import { settle } from '../settings.ts';
import { openRecording } from './relay.ts';

const folder = newFolder();

const closing: (() => Promise<unknown>)[] = [];
afterEach(() => Promise.all(closing.splice(0).map((close) => close())));

interface Pair {
  readonly deployment: Casa;
  readonly front: MockProcess;
  /** The output of the terminal. */
  readonly log: () => string;
  /** Asks the mock in front, with a key that only it knows. */
  ask(path: string, init?: RequestInit): Promise<Response>;
}

const clientKey = 'casa_0123456789abcdef0123456789abcdef';

type Front = Omit<Pair, 'deployment'>;

/** A mock in front of a deployment. */
async function startFront(argv: readonly string[], env: Readonly<Record<string, string>>): Promise<Front> {
  const front = await startHere(argv, { env });
  closing.push(() => front.stop());
  let log = '';
  front.engine.subscribe((event) => {
    const options = { paint: plain, isForwarding: true };
    if (event.type === 'exchange') log += requestLine(event.entry, options);
  });
  const ask: Pair['ask'] = (path, { headers, ...init } = {}) =>
    fetch(`${front.server.baseUrl}${path}`, { ...init, headers: { authorization: `Bearer ${clientKey}`, ...headers } });
  return { front, log: () => log, ask };
}

/** Two mocks, one forwarding to the other. The deployment's own key is one that the mock in front does not know. */
async function startPair(argv: readonly string[] = [], options: Parameters<typeof startMock>[0] = {}): Promise<Pair> {
  const deployment = await startMock({ clock: 'running', ...options });
  const { key } = deployment.organizations.add();
  const env = { CASA_UPSTREAM_KEY: key, SECOND_KEY: deployment.keys.second };
  const front = await startFront(['--upstream', deployment.baseUrl, ...argv], env);
  closing.push(() => deployment.close());
  return { deployment, ...front };
}

describe('casa mock --upstream', () => {
  it('forwards reads to the deployment, and responds to writes itself', async () => {
    const { deployment, front, ask, log } = await startPair();
    await deployment.articles.put({ title: 'Only in the deployment' });
    const response = await ask('/sites', { headers: { origin: 'http://localhost:3000' } });
    expect(response.headers.get('access-control-allow-origin')).toBe('http://localhost:3000');
    const body = { provider: 'tiktok', label: 'L' };
    const link = await ask('/connect/accounts', { method: 'POST', body: JSON.stringify(body) });
    expect([response.status, link.status]).toEqual([200, 200]);
    expect(deployment.requests.all().map(({ operation }) => operation)).toEqual(['listSites']);
    const [read, write] = front.engine.requestLog.records();
    const forwarded = { failure: null, findings: [] };
    expect(read).toMatchObject({ operation: 'listSites', key: 'casa_…cdef', forwarded });
    expect(read?.forwarded?.url).toBe(`${deployment.baseUrl}/sites`);
    expect(write).toMatchObject({ operation: 'createConnectLink', forwarded: null });
    expect(log()).toMatch(/listSites …cdef\n +response of http:\S+\/sites in \d+ ms/);
    expect(log()).toMatch(/createConnectLink …cdef\n +response of the mock/);
  });

  it('maps keys by name, and shows none of them', async () => {
    const file = join(folder, 'keys.har');
    const keys = ['--upstream-key', `${clientKey}=SECOND_KEY`];
    const { deployment, front, ask, log } = await startPair([...keys, '--record', file]);
    await ask('/sites');
    const [asked] = deployment.requests.all();
    expect(asked?.organizationId).toBe(
      deployment.keys.list.find(({ key }) => key === deployment.keys.second)?.organizationId,
    );
    const shown = [log(), readFileSync(file, 'utf8'), JSON.stringify(front.engine.snapshot().requestLog)].join('\n');
    expect(shown).not.toContain(deployment.keys.second);
    expect(shown).toContain('$SECOND_KEY');
  });

  it('cancels the request of a client that leaves, so others can start', async () => {
    const server = await startTcpServer(() => {});
    const { ask } = await startFront(['--relaxed', '--upstream', server.origin], { CASA_UPSTREAM_KEY: 'live_0123' });
    closing.push(server.close);
    for (let i = 0; i < 41; i += 1) {
      const leaving = new AbortController();
      const pending = ask('/sites', { signal: leaving.signal });
      const reached = async () => {
        while (server.connections() <= i) await new Promise((resolve) => setImmediate(resolve));
        return null;
      };
      const early = await Promise.race([pending, reached()]);
      expect(early).toBeNull();
      leaving.abort();
      await expect(pending).rejects.toThrow();
    }
  });

  it('rejects a client without a key, and forwards nothing', async () => {
    const { deployment, ask } = await startPair();
    expect((await ask('/sites', { headers: { authorization: `Bearer ${deployment.keys.second}x` } })).status).toBe(401);
    expect(deployment.requests.all()).toEqual([]);
  });

  it('forwards what is named, writes among it', async () => {
    const { deployment, ask } = await startPair(['--forward', 'createConnectLink']);
    const body = JSON.stringify({ provider: 'tiktok', label: 'Forwarded' });
    await ask('/connect/accounts', { method: 'POST', body, headers: { 'content-type': 'application/json' } });
    await ask('/sites');
    expect(deployment.requests.all().map(({ operation, request }) => [operation, request.body])).toEqual([
      ['createConnectLink', body],
    ]);
  });

  it('learns a profile from the traffic, without a value of a customer or an additional request', async () => {
    const canary = 'Kanarienvogel';
    const id = `${canary}-1`;
    const article = { id, siteId: id, title: canary, slug: canary, status: 'draft', createdAt: '2026-01-01T00:00:00Z' };
    const error = { code: 'invalid_input', message: canary, issues: { [canary]: [canary] } };
    const json = (body: object, status = 200) => ({
      status,
      headers: { 'x-request-id': canary, 'www-authenticate': `Bearer realm="${canary}"`, [canary]: canary },
      body,
    });
    const server = await startScriptedServer((url) =>
      url.includes('limit=0')
        ? json({ error, meta: { by: canary } }, 400)
        : url.includes('/calls')
          ? json({ data: { calls: [{ id, note: canary, [`${canary} 1`]: canary, status: canary }], nextCursor: null } })
          : json({ data: [article], cursor: null, meta: { owner: canary }, [`${canary}@example.com`]: canary }),
    );
    closing.push(server.close);
    const file = join(folder, 'learnt.json');
    const flags = ['--relaxed', '--upstream', server.baseUrl, '--learn', file];
    const { ask, front } = await startFront(flags, { CASA_UPSTREAM_KEY: `live_${'0123'.repeat(8)}` });
    for (const path of ['/articles', '/articles?limit=0', '/connect/calls/log', `/articles?cursor=${canary}`])
      await ask(path);
    await front.stop();
    const text = readFileSync(file, 'utf8');
    const profile = readProfile(JSON.parse(text));
    expect(profile.responses).toEqual({ listArticles: 2, listCalls: 1 });
    expect(profile.behaviors.timestampForm).toEqual({ value: 'YYYY-MM-DDThh:mm:ssZ', seen: 2 });
    expect(profile.behaviors.articleLimitBelow).toEqual({ value: 'reject', seen: 1 });
    expect(profile.behaviors.keyPrefix?.value).toBe('live');
    expect(text).not.toMatch(/kanarienvogel|0123/i);
  });

  it('learns no name that is data, wherever a deployment writes it, and keeps the file private', async () => {
    const key = `live_${'0123456789abcdef'.repeat(2)}`;
    const keys = [
      ...Object.values(keySpellings(key)),
      ...['base64', 'base64url', 'hex'].map((form) => Buffer.from(`{${key}}`).toString(form as 'hex')),
    ];
    const canaries = [
      ...keys,
      ...['ann_smith', 'annSmith', 'Ann Smith', 'ann.smith', 'ann@smith.example', 'ann%40smith.example'],
      ...['+1 774 555 0170', '17745550170', '8f3a02b1-c4d5-4e6f-8a8b-0123456789ab', 'ANN-SMITH', 'smith'],
    ];
    const id = '8f3a02b1-c4d5-4e6f-8a8b-0123456789ab';
    const site = { id, name: 'x', domain: 'x', cms: 'x', language: 'x', createdAt: '2026-01-01T00:00:00Z' };
    let canary = '';
    const server = await startScriptedServer((url) => {
      const map = { [canary]: { n: 1 } };
      const usage = { usage: map, totals: { [canary]: 1, total: 2 }, byAgent: { list: [map], [canary]: canary } };
      // A code and a status are words of the service.
      const word = keys.includes(canary) ? canary : 'busy';
      const error = { code: word, message: canary, details: { [canary]: { issues: [map] } }, ...usage };
      const headers = { 'x-request-id': encodeURIComponent(canary), 'x-ratelimit-limit': '60' };
      if (url.includes('/keywords')) return { status: 400, headers, body: { error, ...usage } };
      if (!url.includes('/calls')) return { headers, body: { data: [{ ...site, ...usage }], ...usage } };
      const call = { id, status: word, agent: canary, ...usage };
      return { headers, body: { data: { calls: [1, 2, 3].map((n) => ({ ...call, n })), nextCursor: null }, ...usage } };
    });
    closing.push(server.close);
    for (canary of canaries) {
      const file = join(folder, 'canary.json');
      const flags = ['--relaxed', '--upstream', server.baseUrl, '--learn', file];
      const { ask, front } = await startFront(flags, { CASA_UPSTREAM_KEY: key });
      for (const path of ['/sites', '/keywords', '/connect/calls/log']) await ask(path);
      await front.stop();
      const text = readFileSync(file, 'utf8');
      const { behaviors } = readProfile(JSON.parse(text));
      expect(JSON.stringify(behaviors.extraFields)).toContain('"usage":{"type":"object","fields":{"<name>":{');
      expect(undone(text).toLowerCase(), canary).not.toContain(undone(canary).toLowerCase());
      expect(undone(text), canary).not.toMatch(/smith|0123456789|fedcba98/i);
      expect(statSync(file).mode & 0o777).toBe(0o600);
    }
  });

  it('reports where a response of the deployment violates the contract', async () => {
    const { front, ask, log } = await startPair([], { mutant: 'site-domain-number' });
    await ask('/sites');
    const [record] = front.engine.requestLog.records();
    expect(record?.forwarded?.findings.length).toBeGreaterThan(0);
    expect(log()).toMatch(/deployment: \/data\/\d+\/domain: expected .*, got .* \(rule\//);
  });

  it('forwards its 429 responses, and checks the client by them', async () => {
    const { front, ask, log } = await startPair(['--relaxed'], { limits: true });
    for (let i = 0; i < 10; i += 1) await (await ask(`/sites?n=${i}`)).text();
    for (let i = 0; i < 3; i += 1) expect((await ask('/sites')).status).toBe(429);
    expect(front.engine.requestLog.records().at(-1)).toMatchObject({ blockedBy: 'address' });
    expect(log()).toContain('blocked by a rate limit of the deployment');
    expect(front.engine.violations().map(({ rule }) => rule)).toContain('early-retry');
  });

  it('protects it with separate limits', async () => {
    const { deployment, ask } = await startPair();
    const responses = await Promise.all(Array.from({ length: 12 }, () => ask('/sites')));
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(2);
    expect(deployment.requests.all()).toHaveLength(10);
  });

  it('checks a client that polls too often', async () => {
    const { front, ask } = await startPair();
    const since = encodeURIComponent(new Date().toISOString());
    await ask(`/connect/calls/log?since=${since}`);
    front.engine.clock.advance(30_000);
    await ask(`/connect/calls/log?since=${since}`);
    expect(front.engine.violations().map(({ rule }) => rule)).toEqual(['hasty-poll']);
  });

  it('fails on demand without a request to the deployment, and slows its responses down', async () => {
    const { deployment, front, ask } = await startPair(['--fault', 'listSites=latency:30']);
    const headers = { prefer: 'code=429, example=limiter_key' };
    expect((await ask('/keywords?siteId=x', { headers })).status).toBe(429);
    expect((await ask('/sites?__code=418')).status).toBe(400);
    expect(deployment.requests.all()).toEqual([]);
    const slow = await ask('/sites');
    expect([slow.status, slow.headers.get('x-casa-fault')]).toEqual([200, 'latency']);
    expect(front.engine.requestLog.records().at(-1)?.response.latencyMs).toBe(30);
  });

  it('does not send a request of the request log to it again', async () => {
    const { front, deployment, ask } = await startPair();
    await ask('/sites');
    const url = `${new URL(front.server.baseUrl).origin}/__admin/requests/1/replay`;
    const response = await fetch(url, { method: 'POST' });
    expect(response.status).toBe(409);
    expect((await response.json()).error.message).toContain('send it again from the client');
    expect(deployment.requests.all()).toHaveLength(1);
  });

  it('records what conformance har checks', async () => {
    const file = join(folder, 'traffic.har');
    const { deployment, ask } = await startPair(['--record', file]);
    await ask('/sites');
    await ask('/articles?limit=3');
    await ask('/articles/nothing');
    expect(statSync(file).mode & 0o077).toBe(0);
    const recording = readHar(openHar(file), null);
    const recorded = recording.exchanges.map(({ operation, status }) => `${operation} ${status}`);
    expect(recording.baseUrl).toBe(deployment.baseUrl);
    expect(recorded).toEqual(['listSites 200', 'listArticles 200', 'getArticle 404']);
    const options = { runId: 'r', nowMs: 0, rules, checks: checks, only: [], skip: [], keepBodies: true };
    expect(checkRecording(recording, options).summary.fail).toBe(0);
  });

  it('says in its banner which side responds to each operation', async () => {
    const { front } = await startPair(['--forward', 'listReviews']);
    expect(front.engine.requestLog.count).toBe(0);
    const settings = settle(parseFlags(['--upstream', 'http://a/v1', '--record', 'x.har'], mockFlags));
    expect(profileOf(settings).phrases.slice(1)).toEqual([
      expect.stringMatching(/^http:\/\/a\/v1 responds to listArticles, .*listCalls$/),
      'the mock responds to createConnectLink, createPost, replyToReview; see --forward',
      'recorded: traffic is written to x.har',
    ]);
  });
});

describe('a recording', () => {
  it('is a whole HAR after each entry, and begins again with each start', () => {
    const file = join(folder, 'whole.har');
    for (const entries of [3, 1]) {
      const recording = openRecording(file, () => {});
      for (let count = 0; count < entries; count += 1) {
        recording.add({ text: 'é'.repeat(count) });
        expect(JSON.parse(readFileSync(file, 'utf8')).log.entries).toHaveLength(count + 1);
      }
      recording.close();
    }
  });

  it.each([
    { entries: 1, bytes: 1e6 },
    { entries: 9, bytes: 1000 },
  ])('stops at %j, which are what conformance har takes, and says so once', (limits) => {
    const file = join(folder, 'full.har');
    const told: string[] = [];
    const recording = openRecording(file, (sentence) => told.push(sentence), limits);
    recording.add({ a: 1 });
    recording.add({ text: 'x'.repeat(1000) });
    recording.add({ b: 1 });
    expect(told).toEqual([`${file} is full; later requests are not recorded.`]);
    expect(JSON.parse(readFileSync(file, 'utf8')).log.entries).toEqual([{ a: 1 }]);
  });

  it('needs a place that can be written', () => {
    expect(() => openRecording(folder, () => {})).toThrow(`--record: ${folder} is a folder, not a file.`);
  });
});
