import { describe, expect, it } from 'vitest';
import { mcpBodyBytesMax } from '../../src/contract/generated/limits.ts';
import type { ToolName } from '../../src/contract/generated/tools.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { type CoreRequest, type CoreResponse, mcpPath } from '../../src/http/message.ts';
import type { Act } from '../../src/mutants/hooks/act.ts';
import type { Mutant, Need } from '../../src/mutants/hooks/mutant.ts';
import { isObject, type Json, type JsonObject, readJson } from '../../src/mutants/hooks/rewrite.ts';
import { mutantNamed, mutants, mutate } from '../../src/mutants/index.ts';
import { defaultWorld } from '../../src/worlds/load.ts';
import { goodKey, revokedKey, startEngine, startProbe, transcribe } from './probe.ts';

interface Sent {
  readonly method?: string;
  readonly params?: JsonObject;
  readonly key?: string | null;
}

function toRequest({ method = 'tools/list', params = {}, key = goodKey(1) }: Sent): CoreRequest {
  return {
    method: 'POST',
    path: mcpPath,
    query: '',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    },
    body: new TextEncoder().encode(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })),
    peer: '127.0.0.1',
    origin: 'http://127.0.0.1:4010',
  };
}

interface Guest {
  readonly engine: Engine;
  ask(sent: Sent): Promise<CoreResponse>;
  call(tool: ToolName, input?: JsonObject): Promise<JsonObject>;
}

function startGuest(engine: Engine, heard: string[]): Guest {
  const ask = async (sent: Sent) => {
    const request = toRequest(sent);
    const response = await engine.handleMcp(request);
    heard.push(transcribe({ request, response }));
    return response;
  };
  const call = async (name: ToolName, input: JsonObject = {}) => {
    const body = readJson((await ask({ method: 'tools/call', params: { name, arguments: input } })).body);
    const result = isObject(body) && isObject(body.result) ? body.result.structuredContent : null;
    return isObject(result) && isObject(result.data) ? result.data : {};
  };
  return { engine, ask, call };
}

const unknown = '5f0c2a34-9d3b-4c6e-8f21-0a1b2c3d4e5f';
const longAgo = '2000-01-01T00:00:00Z';
const padding = (bytes: number) => {
  const empty = toRequest({ params: { _meta: { pad: '' } } }).body?.length ?? 0;
  return { params: { _meta: { pad: 'x'.repeat(bytes - empty) } } };
};
const contacts = (count: number) => Array.from({ length: count }, (_, i) => ({ phone: `+1201${5_550_000 + i}` }));
const csvOf = (count: number) => ['phone', ...contacts(count).map(({ phone }) => phone)].join('\n');

async function look({ ask, call }: Guest): Promise<void> {
  await ask({});
  for (const max of [0, 1, 20, 100, 101]) await call('customers_list', { max });
  const { nextCursor = '' } = await call('inbox_list');
  await call('inbox_list', { cursor: nextCursor });
  for (const limit of [1, 50, 200, 201]) await call('calls_log', { limit });
  await call('calls_log');
  const { nextCursor: since = '' } = await call('calls_log', { since: longAgo, limit: 150 });
  const { nextCursor: last = '' } = await call('calls_log', { since, limit: 200 });
  await call('calls_log', { since: last });
  await call('list_reviews', { accountId: unknown });
  for (const length of [5000, 5001]) await call('create_post', { accountId: unknown, text: 'é'.repeat(length) });
  for (const length of [4096, 4097]) {
    await call('reply_review', { accountId: unknown, reviewId: 'x', text: 'é'.repeat(length) });
  }
  await call('dialer_import_contacts', { csv: '\n', rows: [] });
  for (const key of [null, 'nobody_0']) await ask({ key });
}

async function count({ ask, engine }: Guest): Promise<void> {
  await ask({});
  await ask({});
  const headers = toRequest({}).headers;
  engine.handle({ ...toRequest({}), method: 'GET', path: '/api/v1/sites', body: null, headers });
  await ask({});
}

async function write({ call }: Guest): Promise<void> {
  const link = { provider: 'google_business', label: 'A' };
  for (const length of [80, 81]) await call('connect_account', { ...link, label: 'x'.repeat(length) });
  for (const maxAccounts of [20, 21]) await call('connect_account', { ...link, maxAccounts });
  for (const rows of [5000, 5001]) await call('dialer_import_contacts', { rows: contacts(rows) as unknown as Json });
  for (const lines of [20_000, 20_001]) await call('dialer_import_contacts', { csv: csvOf(lines) });
}

async function press({ ask }: Guest): Promise<void> {
  for (const bytes of [mcpBodyBytesMax, mcpBodyBytesMax + 1, 2_000_000]) await ask(padding(bytes));
  for (let i = 0; i < 12; i += 1) await ask({ key: null });
}

const scenes: Readonly<Partial<Record<Need, readonly { limited: boolean; play(guest: Guest): Promise<void> }[]>>> = {
  nothing: [
    { limited: false, play: look },
    { limited: true, play: count },
  ],
  writes: [{ limited: false, play: write }],
  bursts: [{ limited: true, play: press }],
  'revoked-key': [{ limited: false, play: async ({ ask }) => void (await ask({ key: revokedKey })) }],
};

async function transcript(need: Need, mutant?: Mutant): Promise<string> {
  const heard: string[] = [];
  for (const { limited, play } of scenes[need] ?? []) {
    const engine = startEngine(defaultWorld, limited, mutant);
    await play(startGuest(engine, heard));
    // A window is shared when the other door tells of it as well.
    const probe = startProbe(engine);
    probe.ask('/sites');
    heard.push(...probe.heard.map(transcribe));
  }
  return heard.join('\n\n');
}

const clean = new Map<Need, Promise<string>>();
function cleanTranscript(need: Need): Promise<string> {
  const known = clean.get(need) ?? transcript(need);
  clean.set(need, known);
  return known;
}

const ofDoor = mutants.filter(({ wrapMcp }) => wrapMcp !== undefined);

describe('a mutant of the MCP door', () => {
  it.each(ofDoor.map((mutant) => [mutant.name, mutant] as const))('%s can be seen by a client', async (_, mutant) => {
    const need = mutant.needs ?? 'nothing';
    expect(await transcript(need, mutant)).not.toBe(await cleanTranscript(need));
  });

  it.each(ofDoor.map((mutant) => [mutant.name, mutant] as const))('%s leaves the other door as it is', (_, mutant) => {
    const heard = [undefined, mutant].map((each) => {
      const probe = startProbe(startEngine(defaultWorld, true, each));
      for (const key of [goodKey(1), null]) probe.ask('/connect/accounts', { key });
      return probe.heard.map(transcribe);
    });
    expect(heard[0]).toEqual(heard[1]);
  });

  it('has a name that says so', () => {
    expect(ofDoor.filter(({ name }) => !name.startsWith('mcp-'))).toEqual([]);
  });
});

describe('a wrapper of the MCP door that does nothing', () => {
  it.each(Object.keys(scenes) as Need[])('changes nothing for who has: %s', async (need) => {
    const idle: Mutant = { name: 'idle', breaks: '1.mcp-door', shows: 'Nothing.', wrapMcp: (next) => next };
    expect(await transcript(need, idle)).toBe(await cleanTranscript(need));
  });
});

describe('who watches a mutant of the MCP door', () => {
  const call = (max: number) =>
    toRequest({ method: 'tools/call', params: { name: 'customers_list', arguments: { max } } });

  it('is told of each exchange that it changes, though several are under way', async () => {
    const acts: Act[] = [];
    const engine = mutate(startEngine(defaultWorld, false), mutantNamed('mcp-customers-max-ignored'), (act) =>
      acts.push(act),
    );
    await Promise.all([0, 101, 1].map((max) => engine.handleMcp(call(max))));
    expect(acts).toEqual([{ what: 'request', ownStatus: 200, status: 200 }]);
  });

  it('is told of answers', async () => {
    const acts: Act[] = [];
    const engine = mutate(startEngine(defaultWorld, false), mutantNamed('mcp-no-key-403'), (act) => acts.push(act));
    await engine.handleMcp(toRequest({ key: null }));
    await engine.handleMcp(call(1));
    expect(acts).toEqual([{ what: 'answer', ownStatus: 401, status: 403 }]);
  });
});
