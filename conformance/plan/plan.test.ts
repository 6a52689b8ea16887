import { describe, expect, test } from 'vitest';
import { idleCheck } from '../../fixtures/test-kit/sample-report.ts';
import { autoPace, unpaced } from '../pace/lanes.ts';
import type { Check, Cost } from '../probe/check.ts';
import { planText } from '../reporters/progress.ts';
import { makePlan } from './plan.ts';

const check = (cost: Cost, rest: Partial<Check> = {}) => idleCheck('test/one', { cost, ...rest });

const options = { pace: autoPace(true), maxWrites: 20, requestsMax: null, seed: 7 };
const linesOf = (checks: readonly Check[], given = options) => makePlan(checks, given).lines;

describe('a plan', () => {
  test('counts the preflight, and each shared read once', () => {
    const reads = check({ requests: 1, least: 1, uses: ['sites', 'articles'] });
    expect(makePlan([reads, { ...reads, id: 'test/two' }], options).requests).toEqual({ floor: 4, ceiling: 4 });
  });

  test('cannot promise a read that hangs on what another has shown', () => {
    const reads = check({ requests: 0, uses: ['one article'] });
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
        '  To repeat this run with the same malformed inputs, add --seed 7.',
        '  At most 12 writes. No write is sent twice:',
        '    posts/text-edges: two posts',
        '',
      ].join('\n'),
    );
  });
});
