import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { idleCheck, idleScenario } from '../../../fixtures/test-kit/sample-report.ts';
import { checks } from '../../checks/index.ts';
import { autoPace, unpaced } from '../../exchange/lanes.ts';
import { planText } from '../../reporters/progress.ts';
import { scenarios } from '../index.ts';
import type { Scenario } from '../scenario.ts';
import curve from './generated/curve.json' with { type: 'json' };
import list from './generated/list.json' with { type: 'json' };
import { bestFirst, chooseFrom, isOfAudit, makePlan, requestsMaxOf, shareFound } from './plan.ts';

type Needs = NonNullable<Scenario['needs']>;
const asks = (least: number, most = least, rest: Partial<Scenario> = {}) =>
  idleScenario('test/one', { cost: { least, most }, ...rest });

const options = { pace: autoPace(true), maxWrites: 20, requestsMax: null };
const planOf = (some: readonly Scenario[], given: Parameters<typeof makePlan>[2] = options) =>
  makePlan(
    some.map((scenario) => ({ scenario, skipped: null })),
    some.map(({ id }) => idleCheck(id)),
    given,
  );
const linesOf = (...given: Parameters<typeof planOf>) => planOf(...given).lines;

describe('a plan', () => {
  test('counts the preflight, and the lists that scenarios share', () => {
    expect(planOf([asks(1, 2)]).requests).toEqual({ floor: 2, ceiling: 5 });
  });

  test('takes an interval between two requests, and none before the first', () => {
    expect(planOf([]).seconds).toEqual({ floor: 0, ceiling: 3 });
    expect(planOf([asks(10)]).seconds).toEqual({ floor: 10, ceiling: 13 });
    expect(planOf([asks(10)], { ...options, pace: unpaced }).seconds).toEqual({ floor: 0, ceiling: 0 });
  });

  test('adds what scenarios wait', () => {
    expect(planOf([asks(0, 0, { cost: { least: 0, most: 0, seconds: 40 } })]).seconds.ceiling).toBe(43);
  });

  test.each<[string, Needs]>([
    ['writes', ['account', 'writes:posts']],
    ['key window', ['burst', 'source-addresses']],
    ['MCP', ['mcp']],
    ['watch', ['watch']],
    ['second key', ['second-key']],
    ['revoked key', ['revoked-key']],
  ])('has a line for the extra %s', (name, needs) => {
    const lines = linesOf([asks(2), asks(5, 5, { needs, id: 'test/two' })]);
    expect(lines.map((line) => [line.name, line.requests.ceiling])).toEqual([
      ['audit', 5],
      [name, 5],
    ]);
  });

  test('is the sum of its lines', () => {
    const plan = planOf([asks(3), asks(5, 5, { needs: ['second-key'], id: 'test/two' })]);
    expect(plan.requests.ceiling).toBe(plan.lines.reduce((sum, { requests }) => sum + requests.ceiling, 0));
    expect(plan.checks).toBe(2);
  });

  test('shows the worst case of writes, and never more than --max-writes', () => {
    const writes = asks(0, 12, { needs: ['writes:posts'], id: 'posts/text-edges', changes: 'two posts' });
    expect(linesOf([writes])[1]).toMatchObject({ writes: 12, leaves: ['posts/text-edges: two posts'] });
    expect(linesOf([writes], { ...options, maxWrites: 5 })[1]).toMatchObject({ writes: 5 });
    expect(planText(planOf([writes], { ...options, isChoice: true }))).toBe(
      [
        '           Checks  Requests  Seconds  Writes',
        '  Default       0       1-3      0-3     0-0',
        '  Writes        1      0-12     0-13    0-12',
        '  Total         1      1-15     0-16    0-12',
        '',
        '  Up to 15 requests in 16 s.',
        '  Retries and confirmations can add 60 requests: at most 75 requests in total.',
        '  At most 12 writes. No write is sent twice:',
        '    posts/text-edges: two posts',
        '',
      ].join('\n'),
    );
  });
});

const sized = (id: string, most: number) => idleScenario(id, { cost: { least: 0, most } });
const idsOf = (some: readonly Scenario[], sent: readonly string[] = []) => bestFirst(some, sent).map(({ id }) => id);

describe('the list', () => {
  const [head = '', next = ''] = list as string[];

  test('begins with the best scenario, and ends with those that are not in it yet', () => {
    expect(idsOf([sized('new/one', 1), sized(next, 1), sized(head, 1)])).toEqual([head, next, 'new/one']);
  });

  test('continues after the first minute with those that the last runs have not sent', () => {
    const some = [sized('a', 60), sized('b', 10), sized('c', 10)];
    expect(idsOf(some, ['a', 'b'])).toEqual(['a', 'c', 'b']);
    expect(idsOf(some, ['a', 'b', 'c'])).toEqual(['a', 'b', 'c']);
  });

  test('has each scenario that needs no permission once: npm run priorities writes it', () => {
    const known = scenarios.map(({ id }) => id);
    expect(new Set(list).size).toBe(list.length);
    expect((list as string[]).filter((id) => !known.includes(id))).toEqual([]);
    const missing = scenarios.filter((one) => isOfAudit(one) && !(list as string[]).includes(one.id));
    expect(missing.map(({ id }) => id)).toEqual([]);
  });

  test('contains the scenarios of the selected checks, with the flag that a scenario lacks', () => {
    const given = {
      checks: [idleCheck('a/one'), idleCheck('b/one', { scenarios: ['b/one', 'b/two'] })],
      rules: [],
      scenarios: ['a/one', 'b/one', 'b/two'].map((id) => sized(id, 1)).map((one) => withNeed(one)),
    };
    const settings = { only: ['b/*'], skip: [] };
    const planned = chooseFrom(given, { settings, capabilities: new Set() });
    expect(planned.map(({ scenario: { id }, skipped }) => [id, skipped])).toEqual([
      ['b/one', null],
      ['b/two', 'needs CONFORMANCE_SECOND_KEY'],
    ]);
  });
});

const withNeed = (one: Scenario): Scenario => (one.id === 'b/two' ? { ...one, needs: ['second-key'] } : one);

describe('the requests of a run', () => {
  const settings = { minutes: 0, requests: 0, watch: false, control: null };
  const planned = [sized('a', 9), { ...sized('b', 100), needs: ['second-key'] as const }];
  const maxOf = (given: Partial<typeof settings>, pace = autoPace(true)) =>
    requestsMaxOf(
      planned.map((scenario) => ({ scenario, skipped: null })),
      { settings: { ...settings, ...given }, pace, isOfMcpEndpoint: false, usualMinutes: 2 },
    );

  test.each([
    ['two minutes by default, next to those of permissions', {}, 120],
    ['as many as the user says', { requests: 20 }, 20],
    ['those of the minutes, without those of permissions', { minutes: 8 }, 380],
    ['one minute at least', { minutes: 2 }, 60],
    ['all with --watch', { watch: true }, null],
  ])('are %s', (_, given, most) => {
    expect(maxOf(given)).toBe(most);
  });

  test('are not limited where time costs nothing', () => {
    expect(maxOf({}, unpaced)).toBeNull();
  });
});

describe('a check', () => {
  test('names scenarios that exist, and each scenario has a check', () => {
    const named = new Set(checks.flatMap(({ scenarios: own = [] }) => own));
    const known = new Set(scenarios.map(({ id }) => id));
    expect([...named].filter((id) => !known.has(id))).toEqual([]);
    expect([...known].filter((id) => !named.has(id))).toEqual([]);
  });
});

describe('the expected share of defects', () => {
  const known = curve.rows.map((row): [number, number] => [row.requests, row.found]);

  test.each(known)('of %i requests is the measured one, as in the docs', (requests, found) => {
    expect(shareFound(requests)).toBe(found);
    const docs = readFileSync(new URL('../../../docs/minutes.md', import.meta.url), 'utf8');
    expect(docs).toMatch(new RegExp(`^ +${requests} +█+ +${(100 * found).toFixed(1)} %`, 'm'));
  });

  test('lies between those of the next rows, and is unknown below the first', () => {
    const [first, second] = known as [[number, number], [number, number]];
    expect(shareFound((first[0] + second[0]) / 2)).toBeCloseTo((first[1] + second[1]) / 2);
    expect(shareFound(first[0] - 1)).toBeNull();
    expect(shareFound(10_000)).toBe(known.at(-1)?.[1]);
  });
});
