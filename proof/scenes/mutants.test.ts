import { describe, expect, it } from 'vitest';
import { type ClauseId, clauses } from '../../src/contract/generated/clauses.ts';
import type { WorldData } from '../../src/domain/world-data.ts';
import { route } from '../../src/http/route.ts';
import { assertConforms } from '../../src/http/strict.ts';
import { findMutant, type Mutant, mutantNamed, mutants, mutate } from '../../src/mutants/index.ts';
import { builtInWorld, type WorldName } from '../../src/worlds/load.ts';
import { type Heard, startEngine, startProbe, transcribe } from './probe.ts';
import { type Scene, scenes } from './scenes.ts';
import { uncovered } from './uncovered.ts';

const worlds = new Map<WorldName, WorldData>();
for (const name of new Set(scenes.map(({ world }) => world))) worlds.set(name, await builtInWorld(name));

function play(scene: Scene, mutant?: Mutant): readonly Heard[] {
  const probe = startProbe(startEngine(worlds.get(scene.world) as WorldData, scene.limited, mutant));
  scene.play(probe);
  return probe.heard;
}

const cleanTranscripts = new Map<Scene, string>();

function isDifferent(scene: Scene, heard: readonly Heard[]): boolean {
  const clean = cleanTranscripts.get(scene) ?? play(scene).map(transcribe).join('\n\n');
  cleanTranscripts.set(scene, clean);
  return heard.map(transcribe).join('\n\n') !== clean;
}

/** Neighbours in the list mostly show in the same scene, so that one is played first. */
let lately: Scene | null = null;

/** The first scene, of those that need no more than the mutant says, in which it is seen; and what was heard there. */
function reveal(mutant: Mutant): { scene: Scene; heard: readonly Heard[] } | null {
  const { needs = 'nothing', world } = mutant;
  const fitting = scenes.filter((scene) => scene.needs === needs && (world === undefined || scene.world === world));
  const affordable = fitting.filter(({ world: own }) => own !== 'huge' || world === 'huge');
  for (const scene of affordable.sort((a, b) => Number(b === lately) - Number(a === lately))) {
    const heard = play(scene, mutant);
    if (!isDifferent(scene, heard)) continue;
    lately = scene;
    return { scene, heard };
  }
  return null;
}

function brokenForms(heard: readonly Heard[]): string[] {
  return heard.flatMap(({ request, response }) => {
    try {
      assertConforms(response, route(request.method, request.path), false);
      return [];
    } catch (error) {
      return [(error as Error).message];
    }
  });
}

/** Clauses about the form of an answer: breaking one shows in a single answer. */
const aboutForm =
  /^(2\.(article|site|keyword|connect-account-output|list-accounts-output|create-post-output|list-reviews-output|review-item|reply-review-output|get-insights-output)\.|7\.(envelope|code)\.|4\.connect\.envelope|4\.calls\.shape|4\.json|1\.http-json|2\.(ids-uuid|at-iso|provider|fields-present|nullable-unmarked)$)/;
const formallyRight = new Set(['reviews-cursor-empty-at-end', 'limiter-body-like-a-tool']);

/** Clauses about what is answered: each answer by itself must stay right. */
const aboutConduct =
  /^(4\.articles\.list\.(walk|end|cursor|cursor-value|site-id|limit|limit-ceiling)$|4\..*\.(same-id|of-site|id)$|4\.rules\.|4\.calls\.(exactly-once|oldest-first|settled-only|limit|limit-ceiling|snapshot-order|next-cursor-null|since)$|3\.|2\.[a-z-]+-input\.|8\.(label|max-accounts|post-text|reply-text|key-window|address-window|articles-limit|calls-limit)|5\.(limiter-before-key|key-organization)|1\.organization-scope)/;

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

  it('breaks only what is stated or implied and seen by the server', () => {
    const unfit = mutants.filter(({ breaks }) => {
      const { standing, seenBy } = clauses[breaks];
      return seenBy !== 'server' || (standing !== 'stated' && standing !== 'implied');
    });
    expect(unfit.map(({ name }) => name)).toEqual([]);
  });

  it('breaks every such clause, or a reason is given', () => {
    const broken = new Set<string>(mutants.map(({ breaks }) => breaks));
    const due = (Object.keys(clauses) as ClauseId[]).filter((id) => {
      const { standing, seenBy } = clauses[id];
      return seenBy === 'server' && (standing === 'stated' || standing === 'implied');
    });
    expect(due.filter((id) => !broken.has(id)).sort()).toEqual(Object.keys(uncovered).sort());
  });
});

const ofRest = mutants.filter(({ wrapMcp }) => wrapMcp === undefined);

describe('a mutant', () => {
  it.each(ofRest.map((mutant) => [mutant.name, mutant] as const))('%s can be seen by a client', (name, mutant) => {
    const revealed = reveal(mutant);
    expect(revealed).not.toBeNull();
    const broken = brokenForms(revealed?.heard ?? []);
    if (aboutConduct.test(mutant.breaks)) expect(broken.filter((text) => !text.startsWith('unknown_path'))).toEqual([]);
    if (aboutForm.test(mutant.breaks) && !formallyRight.has(name)) expect(broken).not.toEqual([]);
  });
});

describe('a wrapper that does nothing', () => {
  const idle: Mutant = { name: 'idle', breaks: '4.json', shows: 'Nothing.', wrap: (next) => next };

  it.each(scenes.map((scene) => [scene.name, scene] as const))('changes nothing in the scene %s', (_name, scene) => {
    expect(isDifferent(scene, play(scene, idle))).toBe(false);
  });

  it.each(scenes.map((scene) => [scene.name, scene] as const))('leaves the scene %s true to form', (_name, scene) => {
    expect(brokenForms(play(scene))).toEqual([]);
  });
});

describe('putting a mutant into an engine', () => {
  const sites = { method: 'GET', path: '/api/v1/sites', query: '', body: null, peer: '127.0.0.1', origin: 'http://a' };
  const request = { ...sites, headers: {} };
  const data = worlds.get('default') as WorldData;

  it('leaves the engine itself as it was', () => {
    const engine = startEngine(data, false);
    const before = engine.handle(request);
    mutate(engine, mutantNamed('no-key-403'));
    expect(engine.handle(request)).toEqual(before);
  });

  it('keeps its limits through a reset', () => {
    const engine = mutate(startEngine(data, true), mutantNamed('address-limit-11'));
    engine.reset();
    const statuses = Array.from({ length: 12 }, () => engine.handle(request).status);
    expect(statuses).toEqual([...Array(11).fill(401), 429]);
  });

  it('keeps its limits through a reset by the control plane', () => {
    const engine = mutate(startEngine(data, true), mutantNamed('address-limit-9-told-as-10'));
    engine.handle({ ...request, method: 'POST', path: '/__admin/reset' });
    const statuses = Array.from({ length: 10 }, () => engine.handle(request).status);
    expect(statuses).toEqual([...Array(9).fill(401), 429]);
  });

  it('counts anew for each engine', () => {
    const [first, second] = [0, 1].map(() => mutate(startEngine(data, true), mutantNamed('address-limit-per-path')));
    for (let i = 0; i < 10; i += 1) first?.handle(request);
    expect(first?.handle(request).status).toBe(429);
    expect(second?.handle(request).status).toBe(401);
  });
});

describe('finding a mutant', () => {
  it('gives every mutant under its name', () => {
    expect(mutants.filter((mutant) => findMutant(mutant.name) !== mutant)).toEqual([]);
  });

  it.each([
    ['adress-limit-11', '"address-limit-11"'],
    ['articles-filter-ignore', '"articles-filter-ignored"'],
    ['ACCOUNTS-FLICKER', '"accounts-flicker"'],
  ])('says for %s that %s may be meant', (typed, meant) => {
    expect(() => mutantNamed(typed)).toThrow(RangeError);
    expect(() => mutantNamed(typed)).toThrow(`There is no mutant "${typed}". Did you mean ${meant}`);
  });

  it('suggests nothing when nothing is near', () => {
    expect(() => mutantNamed('zzz')).toThrow(/^There is no mutant "zzz"\. There are \d+: casa mutants lists them\.$/);
  });
});
