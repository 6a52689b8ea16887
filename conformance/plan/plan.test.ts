import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { idleCheck } from '../../fixtures/test-kit/sample-report.ts';
import { checks } from '../checks/index.ts';
import { autoPace, unpaced } from '../pace/lanes.ts';
import type { Check, Cost } from '../probe/check.ts';
import { planText } from '../reporters/progress.ts';
import curve from './generated/curve.json' with { type: 'json' };
import { isBasic, isOfAudit, makePlan } from './plan.ts';
import { depthsOf, shareFound, turnOfRun, usualOrder } from './priority.ts';

const check = (cost: Cost, rest: Partial<Check> = {}) => idleCheck('test/one', { cost, ...rest });

const options = { pace: autoPace(true), maxWrites: 20, requestsMax: null, seed: 7 };
const linesOf = (checks: readonly Check[], given = options) => makePlan(checks, given).lines;

describe('a plan', () => {
  test('counts the preflight, and each shared read once', () => {
    const reads = check({ requests: 1, least: 1, uses: ['sites', 'articles'] });
    expect(makePlan([reads, { ...reads, id: 'test/two' }], options).requests).toEqual({ floor: 4, ceiling: 4 });
  });

  test('cannot promise a read that hangs on what another has shown', () => {
    const reads = check({ requests: 0, uses: ['articles without limit'] });
    expect(makePlan([reads], options).requests).toEqual({ floor: 1, ceiling: 2 });
  });

  test('takes an interval between two requests, and none before the first', () => {
    expect(makePlan([], options).seconds).toEqual({ floor: 0, ceiling: 0 });
    expect(makePlan([check({ requests: 10, least: 10 })], options).seconds).toEqual({ floor: 10, ceiling: 11 });
    expect(makePlan([check({ requests: 10 })], { ...options, pace: unpaced }).seconds).toEqual({
      floor: 0,
      ceiling: 0,
    });
  });

  test('adds what checks wait, and no pace to those that keep their own', () => {
    const waits = check({ requests: 0, seconds: 40, leastSeconds: 20 });
    expect(makePlan([waits], options).seconds).toEqual({ floor: 20, ceiling: 40 });
    const bursts = check({ requests: 24, least: 12, seconds: 40, leastSeconds: 20, ownPace: true });
    expect(makePlan([bursts], options)).toMatchObject({
      requests: { floor: 13, ceiling: 25 },
      seconds: { floor: 20, ceiling: 40 },
    });
  });

  test.each<[string, Check['needs'] & object]>([
    ['writes', ['account', 'writes:posts']],
    ['key window', ['burst', 'source-addresses']],
    ['MCP', ['mcp']],
    ['watch', ['watch']],
    ['second key', ['second-key']],
    ['revoked key', ['revoked-key']],
  ])('has a line for the extra %s', (name, needs) => {
    const lines = linesOf([check({ requests: 2 }), check({ requests: 5 }, { needs })]);
    expect(lines.map((line) => [line.name, line.requests.ceiling])).toEqual([
      ['audit', 3],
      [name, 5],
    ]);
  });

  test('is the sum of its lines', () => {
    const plan = makePlan(
      [check({ requests: 3 }), check({ requests: 5, uses: ['articles'] }, { needs: ['second-key'] })],
      options,
    );
    expect(plan.requests.ceiling).toBe(plan.lines.reduce((sum, { requests }) => sum + requests.ceiling, 0));
    expect(plan.checks).toBe(2);
  });

  test('shows the worst case of writes, and never more than --max-writes', () => {
    const writes = check(
      { requests: 12, writes: 12 },
      { needs: ['writes:posts'], id: 'posts/text-edges', mutates: 'two posts' },
    );
    expect(linesOf([writes])[1]).toMatchObject({ writes: 12, leaves: ['posts/text-edges: two posts'] });
    expect(linesOf([writes], { ...options, maxWrites: 5 })[1]).toMatchObject({ writes: 5 });
    expect(planText(makePlan([writes], options))).toBe(
      [
        '           Checks  Requests  Seconds  Writes',
        '  Default       0         1        0     0-0',
        '  Writes        1      0-12     0-13    0-12',
        '  Total         1      1-13     0-13    0-12',
        '',
        '  Retries can add 30 requests: at most 43 requests in total.',
        '  At most 12 writes. No write is sent twice:',
        '    posts/text-edges: two posts',
        '',
      ].join('\n'),
    );
  });
});

const stepCheck = (id: string, rest: Partial<Check> = {}) => idleCheck(id, { cost: { requests: 2 }, ...rest });

const basic = stepCheck('a/basic', { cost: { requests: 2, withTime: { requests: 9 } } });
const plain = stepCheck('a/plain');
const writes = stepCheck('a/writes', { needs: ['writes:posts'] });
const extended = ['b/one', 'b/two', 'b/three'].map((id) => stepCheck(id, { needs: ['extended'] }));
const all = [basic, plain, writes, ...extended];
const order = {
  basic: [],
  steps: [
    { check: 'b/two', requests: 10 },
    { check: 'a/basic', requests: 10 },
    { check: 'b/one', requests: 10 },
    { check: 'b/three', requests: 10 },
  ],
};

function chosen(requestsMax: number | null, turn = 0): string[] {
  const depths = depthsOf(all, { requestsMax, order, turn });
  return [...depths].filter(([, depth]) => depth === 'all').map(([id]) => id);
}

describe('the checks of a run', () => {
  test.each([
    ['everything without a limit', null, ['a/basic', 'a/plain', 'a/writes', 'b/one', 'b/two', 'b/three']],
    ['nothing beyond one minute', 60, ['a/writes']],
    ['no step that does not fit', 69, ['a/writes']],
    ['the step that fits', 70, ['a/writes', 'b/two']],
    ['two steps', 80, ['a/writes', 'b/two', 'a/basic']],
    ['everything, where all steps fit', 100, ['a/basic', 'a/plain', 'a/writes', 'b/two', 'b/one', 'b/three']],
  ])('have %s', (_, requestsMax, ids) => {
    expect(chosen(requestsMax).sort()).toEqual([...ids].sort());
  });

  test('send a sample of their inputs where nothing more fits', () => {
    expect(depthsOf(all, { requestsMax: 60, order, turn: 0 }).get('a/basic')).toBe('sample');
  });

  test('take turns with half of the requests, and reach every step', () => {
    const runs = [0, 1, 2].map((turn) => chosen(80, turn));
    expect(runs.every((ids) => ids.includes('b/two'))).toBe(true);
    expect(new Set(runs.flat()).size).toBe(5);
  });

  test.each([
    [79, ['b/one']],
    [80, ['b/one', 'b/two']],
  ])('of %i requests have a step only with the one that it follows', (requestsMax, ids) => {
    const follower = stepCheck('b/two', { needs: ['extended'], after: ['b/one'] });
    const some = [...all.filter(({ id }) => id === 'b/one'), follower];
    expect([...depthsOf(some, { requestsMax, order, turn: 0 }).keys()].sort()).toEqual(ids);
  });

  test('with a history are those that were not sent, within eight nights all', () => {
    let sent: string[] = [];
    for (let night = 0; night < 8; night += 1) {
      const depths = depthsOf(checks, { requestsMax: 120, order: usualOrder, turn: night, sent });
      sent = [...sent, ...usualOrder.steps.map(({ check }) => check).filter((id) => depths.get(id) === 'all')];
    }
    expect(usualOrder.steps.filter(({ check }) => !sent.includes(check))).toEqual([]);
  });

  test('that are not in the order come last', () => {
    const depths = depthsOf([...all, stepCheck('c/new', { needs: ['extended'] })], {
      requestsMax: 102,
      order,
      turn: 0,
    });
    expect(depths.get('c/new')).toBe('all');
  });
});

describe('the turn of a run', () => {
  test('is another one each night, and for each seed of a day', () => {
    const nights = [0, 1, 2].map((day) => turnOfRun(29_000_000 + day * 1440));
    expect(nights.map((turn) => turn - (nights[0] ?? 0))).toEqual([0, 1, 2]);
    expect(turnOfRun(5)).toBe(5);
  });
});

describe('the expected share of defects', () => {
  const known = curve.rows.map((row): [number, number] => [row.requests, row.found]);

  test.each(known)('of %i requests is the measured one, as in the docs', (requests, found) => {
    expect(shareFound(requests)).toBe(found);
    const docs = readFileSync(new URL('../../docs/minutes.md', import.meta.url), 'utf8');
    expect(docs).toMatch(new RegExp(`^ +${requests} +█+ +${(100 * found).toFixed(1)} %`, 'm'));
  });

  test('lies between those of the next rows, and is unknown below the first', () => {
    const [first, second] = known as [[number, number], [number, number]];
    expect(shareFound((first[0] + second[0]) / 2)).toBeCloseTo((first[1] + second[1]) / 2);
    expect(shareFound(first[0] - 1)).toBeNull();
    expect(shareFound(10_000)).toBe(known.at(-1)?.[1]);
  });
});

describe('the generated order', () => {
  const further = checks.filter((one) => isOfAudit(one) && (!isBasic(one) || one.cost.withTime !== undefined));
  const lists = [
    [usualOrder.steps.map((step) => step.check), further.map(({ id }) => id)],
    [usualOrder.basic, checks.filter(isBasic).map(({ id }) => id)],
  ] as const;

  test.each(lists)('has each check once', (order, ids) => {
    expect(new Set(order).size).toBe(order.length);
    expect(order.filter((id) => !ids.includes(id))).toEqual([]);
  });

  test.each(lists)('misses few new checks: npm run priorities writes it', (order, ids) => {
    expect(ids.filter((id) => !order.includes(id)).length).toBeLessThan(5);
  });
});
