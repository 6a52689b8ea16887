import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { goodKey, home, samples, shop } from '../../proof/test-kit/cast.ts';
import { openScene, type Scene } from '../../proof/test-kit/scene.ts';
import { readings } from '../contract/generated/readings.ts';
import { type ChoiceName, choiceValues, defaultChoices } from '../domain/choices.ts';

const nil = '00000000-0000-0000-0000-000000000000';
const names = Object.keys(choiceValues) as ChoiceName[];
const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

interface Probe {
  readonly limits?: boolean;
  readonly see: (scene: Scene) => unknown;
  readonly expected: Readonly<Record<string, unknown>>;
}

const tooLarge = new Uint8Array(2_500_001);

const probes: { readonly [Name in ChoiceName]: Probe } = {
  unknownSite: {
    see: (scene) => {
      const answer = scene.ask('GET', `/keywords?siteId=${nil}`);
      return answer.status === 200 ? answer.success('listKeywords').data : [answer.status, answer.code];
    },
    expected: { not_found: [404, 'not_found'], empty: [] },
  },
  articlesUnknownSite: {
    see: (scene) => {
      const answer = scene.ask('GET', `/articles?siteId=${nil}`);
      return [answer.status, answer.status === 200 ? answer.json : answer.code];
    },
    expected: { empty: [200, { data: [], cursor: null }], not_found: [404, 'not_found'] },
  },
  badArticleQuery: {
    see: (scene) =>
      ['limit=0', 'limit=101', 'limit=x', 'siteId=x', 'cursor=x'].map((query) => {
        const answer = scene.ask('GET', `/articles?${query}`);
        return answer.status === 200 ? answer.success('listArticles').data.length : answer.status;
      }),
    expected: { refuse: [400, 400, 400, 400, 400], clamp: [1, home.articles.length, 20, 0, 20] },
  },
  malformedId: {
    see: (scene) => ['/articles/x', '/sites/x', `/sites/${nil}`].map((path) => scene.ask('GET', path).status),
    expected: { not_found: [404, 404, 404], invalid_input: [400, 400, 404] },
  },
  retryAfter: {
    limits: true,
    see: (scene) => {
      for (let i = 0; i < 10; i += 1) scene.ask('GET', '/sites');
      return Array.from({ length: 10 }, () => 'retry-after' in scene.ask('GET', '/sites').headers);
    },
    expected: {
      usually: [true, true, true, true, false, true, true, true, true, false],
      always: Array(10).fill(true),
      never: Array(10).fill(false),
    },
  },
  reviewEnd: {
    see: (scene) => {
      const account = home.accounts.find(({ reviews }) => reviews.length > 0 && reviews.length < 10);
      const { data } = scene.ask('GET', `/connect/accounts/${account?.accountId}/reviews`).success('listReviews');
      return 'nextCursor' in data ? data.nextCursor : 'absent';
    },
    expected: { null: null, absent: 'absent' },
  },
  bodyCap: {
    see: (scene) =>
      [null, goodKey].map((key) => scene.ask('POST', '/connect/accounts', { key, body: tooLarge }).status),
    expected: { 'after-key': [401, 413], 'before-key': [413, 413] },
  },
  blockedCount: {
    limits: true,
    see: (scene) => {
      for (let i = 0; i < 10; i += 1) scene.ask('GET', '/sites');
      scene.clock.advance(6000);
      for (let i = 0; i < 5; i += 1) scene.ask('GET', '/sites');
      scene.clock.advance(4000);
      return Array.from({ length: 10 }, () => scene.ask('GET', '/sites').status === 200).filter(Boolean).length;
    },
    expected: { no: 10, yes: 5 },
  },
  snapshotRunning: {
    see: (scene) => {
      const { calls } = scene.ask('GET', '/connect/calls/log?limit=200').success('listCalls').data;
      return [...new Set(calls.map(({ status }) => status))].sort();
    },
    expected: { show: ['final', 'in_progress', 'settling'], hide: ['final'] },
  },
};

describe.each(names)('the choice %s', (name) => {
  it.each(choiceValues[name] as readonly string[])('does what %s says', (value) => {
    const { see, expected, limits = false } = probes[name];
    const scene = openScene({ choices: { [name]: value }, limits });
    expect(see(scene)).toEqual(expected[value]);
  });

  it('has its first value as default', () => {
    expect(defaultChoices[name]).toBe(choiceValues[name][0]);
  });

  it('stands in spec/choices.md with all its values', () => {
    const text = readFileSync('spec/choices.md', 'utf8');
    expect(text).toContain(`--choice ${kebab(name)}=${choiceValues[name].join('|')}`);
  });
});

describe('spec/choices.md', () => {
  it('names no knob that does not exist', () => {
    const named = [...readFileSync('spec/choices.md', 'utf8').matchAll(/--choice ([a-z-]+)=/g)].map(([, name]) => name);
    const known = Object.keys(readings).map(kebab);
    expect(named.filter((name) => !known.includes(name as string))).toEqual([]);
  });
});

describe('the cast', () => {
  it('has a sample that succeeds for each operation', () => {
    const scene = openScene();
    expect(shop.reviews.length).toBeGreaterThan(20);
    for (const { method, target, body } of Object.values(samples)) {
      expect(scene.ask(method, target, body ? { body } : {}).status).toBe(200);
    }
  });
});
