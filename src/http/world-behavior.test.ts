import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { goodKey, home } from '../../fixtures/test-kit/actors.ts';
import { openScenario, type Scenario } from '../../fixtures/test-kit/scenario.ts';
import { behaviors } from '../contract/generated/behaviors.ts';
import { kebab } from '../contract/words.ts';
import { behaviorValues, type WorldBehaviorName } from '../domain/world-behavior.ts';

const nil = '00000000-0000-0000-0000-000000000000';
const names = Object.keys(behaviorValues) as WorldBehaviorName[];

interface Probe {
  readonly limits?: boolean;
  readonly see: (scenario: Scenario) => unknown;
  readonly expected: Readonly<Record<string, unknown>>;
}

const tooLarge = new Uint8Array(2_500_001);
const shownOf = (scenario: Scenario, noun: string) => {
  const { status, json, code } = scenario.ask('GET', `/${noun}?siteId=${nil}`);
  return [status, status === 200 ? json : code];
};

const probes: { readonly [Name in WorldBehaviorName]: Probe } = {
  unknownSite: {
    see: (scenario) => shownOf(scenario, 'keywords'),
    expected: { not_found: [404, 'not_found'], empty: [200, { data: [] }] },
  },
  articlesUnknownSite: {
    see: (scenario) => shownOf(scenario, 'articles'),
    expected: { empty: [200, { data: [], cursor: null }], not_found: [404, 'not_found'] },
  },
  badArticleQuery: {
    see: (scenario) =>
      ['limit=0', 'limit=101', 'limit=x', 'siteId=x', 'cursor=x'].map((query) => {
        const response = scenario.ask('GET', `/articles?${query}`);
        return response.status === 200 ? response.success('listArticles').data.length : response.status;
      }),
    expected: { reject: [400, 400, 400, 400, 400], clamp: [1, home.articles.length, 20, 0, 20] },
  },
  malformedId: {
    see: (scenario) => ['/articles/x', '/sites/x', `/sites/${nil}`].map((path) => scenario.ask('GET', path).status),
    expected: { not_found: [404, 404, 404], invalid_input: [400, 400, 404] },
  },
  retryAfter: {
    limits: true,
    see: (scenario) => {
      for (let i = 0; i < 10; i += 1) scenario.ask('GET', '/sites');
      return Array.from({ length: 10 }, () => 'retry-after' in scenario.ask('GET', '/sites').headers);
    },
    expected: {
      usually: [true, true, true, true, false, true, true, true, true, false],
      always: Array(10).fill(true),
      never: Array(10).fill(false),
    },
  },
  reviewEnd: {
    see: (scenario) => {
      const account = home.accounts.find(({ reviews }) => reviews.length > 0 && reviews.length < 10);
      const { data } = scenario.ask('GET', `/connect/accounts/${account?.accountId}/reviews`).success('listReviews');
      return 'nextCursor' in data ? data.nextCursor : 'absent';
    },
    expected: { null: null, absent: 'absent' },
  },
  bodyCap: {
    see: (scenario) =>
      [null, goodKey].map((key) => scenario.ask('POST', '/connect/accounts', { key, body: tooLarge }).status),
    expected: { 'after-key': [401, 413], 'before-key': [413, 413] },
  },
  blockedCount: {
    limits: true,
    see: (scenario) => {
      for (let i = 0; i < 10; i += 1) scenario.ask('GET', '/sites');
      scenario.clock.advance(6000);
      for (let i = 0; i < 5; i += 1) scenario.ask('GET', '/sites');
      scenario.clock.advance(4000);
      return Array.from({ length: 10 }, () => scenario.ask('GET', '/sites').status === 200).filter(Boolean).length;
    },
    expected: { no: 10, yes: 5 },
  },
  snapshotRunning: {
    see: (scenario) => {
      const { calls } = scenario.ask('GET', '/connect/calls/log?limit=200').success('listCalls').data;
      return [...new Set(calls.map(({ status }) => status))].sort();
    },
    expected: { show: ['final', 'in_progress', 'settling'], hide: ['final'] },
  },
};

describe.each(names)('the choice %s', (name) => {
  it.each(behaviorValues[name] as readonly string[])('does what %s says', (value) => {
    const { see, expected, limits = false } = probes[name];
    const scenario = openScenario({ behavior: { [name]: value }, limits });
    expect(see(scenario)).toEqual(expected[value]);
  });

  it('is in spec/assumptions.md with all its values', () => {
    const text = readFileSync('spec/assumptions.md', 'utf8');
    expect(text).toContain(`--behavior ${kebab(name)}=${behaviorValues[name].join('|')}`);
  });
});

describe('spec/assumptions.md', () => {
  it('names no knob that does not exist', () => {
    const named = [...readFileSync('spec/assumptions.md', 'utf8').matchAll(/--behavior ([a-z-]+)=/g)].map(
      ([, name]) => name,
    );
    const known = Object.keys(behaviors).map(kebab);
    expect(named.filter((name) => !known.includes(name as string))).toEqual([]);
  });
});
