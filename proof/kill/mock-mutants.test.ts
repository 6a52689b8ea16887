import { describe, expect, it } from 'vitest';
import { goodKey, startTestEngine, toMcp, toolCall, toRequest } from '../../fixtures/test-kit/engine.ts';
import { type ClauseId, clauses } from '../../src/contract/generated/clauses.ts';
import { contractLimits } from '../../src/domain/limits.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { type Act, findMutant, type Mutant, mutantNamed, mutants, mutate } from '../../src/mutants/index.ts';
import { unbroken } from './kill-gate.ts';

const startEngine = (): Engine => startTestEngine({ limits: contractLimits }).engine;
const listSites = toRequest('GET /sites', '/api/v1', {});
const callTool = (max: number, key: string | null = goodKey) => toMcp(toolCall('customers_list', { max }), key);

describe('the list of mutants', () => {
  it('has names that are unique and in kebab-case', () => {
    const names = mutants.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name))).toEqual([]);
  });

  it('says of each mutant in one sentence what can be seen, no two alike', () => {
    const sentences = mutants.map(({ shows }) => shows);
    expect(sentences.filter((text) => !/^\S.*\.$/.test(text) || text.length > 160)).toEqual([]);
    expect(new Set(sentences).size).toBe(sentences.length);
  });

  const isDue = (id: ClauseId) => clauses[id].seenBy === 'server' && /^(stated|implied)$/.test(clauses[id].basis);

  it('breaks only what is stated or implied and seen by the server', () => {
    expect(mutants.filter(({ breaks }) => !isDue(breaks)).map(({ name }) => name)).toEqual([]);
  });

  it('breaks every such clause, or a reason is given', () => {
    const broken = new Set<string>(mutants.map(({ breaks }) => breaks));
    const due = (Object.keys(clauses) as ClauseId[]).filter(isDue);
    expect(due.filter((id) => !broken.has(id)).sort()).toEqual(Object.keys(unbroken).sort());
  });
});

describe('putting a mutant into an engine', () => {
  it('does not change the engine itself', () => {
    const engine = startTestEngine().engine;
    const before = engine.handle(listSites);
    mutate(engine, mutantNamed('no-key-403'));
    expect(engine.handle(listSites)).toEqual(before);
  });

  it('changes nothing by itself', () => {
    const idle: Mutant = { name: 'idle', breaks: '4.json', shows: 'Nothing.', wrap: (next) => next };
    expect(mutate(startEngine(), idle).handle(listSites)).toEqual(startEngine().handle(listSites));
  });

  it.each<[string, string, number, (engine: Engine) => unknown]>([
    ['a reset', 'address-limit-11', 11, (engine) => engine.reset()],
    [
      'the admin API',
      'address-limit-9-told-as-10',
      9,
      ({ handle }) => handle(toRequest('POST /reset', '/__admin', {})),
    ],
  ])('keeps its limits through a reset by %s', (_how, name, limit, reset) => {
    const engine = mutate(startEngine(), mutantNamed(name));
    reset(engine);
    const statuses = Array.from({ length: limit + 1 }, () => engine.handle(listSites).status);
    expect(statuses).toEqual([...Array(limit).fill(401), 429]);
  });

  it('counts again for each engine', () => {
    const [first, second] = [0, 1].map(() => mutate(startEngine(), mutantNamed('address-limit-per-path')));
    for (let i = 0; i < 10; i += 1) first?.handle(listSites);
    expect(first?.handle(listSites).status).toBe(429);
    expect(second?.handle(listSites).status).toBe(401);
  });
});

describe('finding a mutant', () => {
  it('gives every mutant under its name', () => {
    expect(mutants.filter((mutant) => findMutant(mutant.name) !== mutant)).toEqual([]);
  });

  it('suggests nothing when nothing is near', () => {
    expect(() => mutantNamed('zzz')).toThrow(
      /^There is no mutant "zzz"\. There are \d+: npx casa mutants lists them\.$/,
    );
  });
});

/** A limiter of the key has one window for both transports. */
const ofMcpEndpoint = mutants.filter(({ wrap, wrapMcp }) => wrapMcp !== undefined && wrap === undefined);

describe('a mutant of the MCP endpoint', () => {
  it('has a name that says so', () => {
    expect(ofMcpEndpoint.filter(({ name }) => !name.startsWith('mcp-'))).toEqual([]);
  });

  it.each(ofMcpEndpoint.map((mutant) => [mutant.name, mutant] as const))(
    '%s does not change the other transport',
    (_, mutant) => {
      const requests = [goodKey, null].map((key) => toRequest('GET /connect/accounts', '/api/v1', { key }));
      const [clean, mutated] = [startEngine(), mutate(startEngine(), mutant)];
      expect(requests.map(mutated.handle)).toEqual(requests.map(clean.handle));
    },
  );

  it('reports each exchange that it changes, also concurrent ones', async () => {
    const acts: Act[] = [];
    const mutant = mutantNamed('mcp-customers-max-ignored');
    const engine = mutate(startTestEngine().engine, mutant, (act) => acts.push(act));
    await Promise.all([0, 101, 1].map((max) => engine.handleMcp(callTool(max))));
    expect(acts).toEqual([{ what: 'request', ownStatus: 200, status: 200 }]);
  });

  it('reports responses to listeners', async () => {
    const acts: Act[] = [];
    const engine = mutate(startTestEngine().engine, mutantNamed('mcp-no-key-403'), (act) => acts.push(act));
    await engine.handleMcp(callTool(1, null));
    await engine.handleMcp(callTool(1));
    expect(acts).toEqual([{ what: 'response', ownStatus: 401, status: 403 }]);
  });
});
