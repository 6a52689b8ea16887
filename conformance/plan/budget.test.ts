import { describe, expect, test } from 'vitest';
import { idleCheck } from '../../fixtures/test-kit/sample-report.ts';
import { type Check, type Cost, withTime } from '../probe/check.ts';
import { drawForward, makeBudget } from './budget.ts';

const check = (id: string, cost: Cost, rest: Partial<Check> = {}) => idleCheck(id, { cost, ...rest });

const order = {
  basic: ['a/now', 'a/first', 'a/burst'],
  steps: [
    { check: 'a/better', requests: 4 },
    { check: 'a/worse', requests: 2 },
  ],
};
/** Without repeats. */
const budgetOf = (checks: readonly Check[], requestsMax: number | null, requests = () => 0) =>
  makeBudget(checks, { requestsMax, order }, () => ({ requests: requests(), repeats: 0 }));

describe('the budget of an audit', () => {
  test('lets a check begin only when all that it may need is left', () => {
    let sent = 8;
    const [long, short] = [check('a/long', { requests: 3 }), check('a/short', { requests: 2 })];
    const budget = budgetOf([long, short], 10, () => sent);
    expect(budget.allows(long)).toBe(false);
    budget.settle(long, 'nothing found');
    expect(budget.allows(short)).toBe(true);
    sent += 2;
    budget.settle(short, 'nothing found');
    expect(budget.left()).toBe(0);
  });

  test.each([
    ['leaves what a more useful one needs', 'a/other', 12, false],
    ['leaves no more than that', 'a/other', 13, true],
    ['takes what a less useful one needs', 'a/now', 2, true],
  ])('%s', (_, id, requestsMax, isAllowed) => {
    const later = check('a/first', { requests: 12, optional: 1 });
    const own = check(id, { requests: 2 });
    expect(budgetOf([own, later], requestsMax).allows(own)).toBe(isAllowed);
  });

  test('does not count the reads of a check that did not run', () => {
    const [one, two] = ['a/one', 'a/two'].map((id) => check(id, { requests: 0, uses: ['articles'] })) as [Check, Check];
    const budget = budgetOf([one, two], 1);
    budget.settle(one, 'left out');
    expect(budget.allows(two)).toBe(true);
    expect(budgetOf([two], 0).allows(two)).toBe(false);
  });

  test('counts a shared read once, and one that another check replaces not at all', () => {
    const gives = check('a/burst', { requests: 0, gives: ['responses without a key'] });
    const [one, two] = [
      check('a/one', { requests: 0, uses: ['reviews'] }),
      check('a/two', { requests: 0, uses: ['reviews'] }),
    ];
    const keyless = check('a/keyless', { requests: 0, uses: ['responses without a key'] });
    let sent = 0;
    const budget = budgetOf([gives, one, two, keyless], 4, () => sent);
    budget.settle(gives, 'nothing found');
    expect(budget.allows(one)).toBe(true);
    // More than the maximum.
    sent = 5;
    budget.settle(one, 'nothing found');
    expect(budget.allows(two)).toBe(true);
    expect(budget.allows(keyless)).toBe(true);
  });

  test.each([
    ['does not count confirmations of a finding, nor the extras', 'found', true],
    ['counts confirmations without a finding', 'nothing found', false],
  ] as const)('%s', (_, end, isAllowed) => {
    let sent = 0;
    const wrong = check('a/wrong', { requests: 1, confirms: 5 });
    const extra = check('a/extra', { requests: 50 }, { needs: ['writes:posts'] });
    const last = check('a/last', { requests: 3 });
    const budget = budgetOf([wrong, extra, last], 4, () => sent);
    for (const [each, spent] of [
      [wrong, 6],
      [extra, 50],
    ] as const) {
      expect(budget.allows(each)).toBe(true);
      sent += spent;
      budget.settle(each, end);
    }
    expect(budget.allows(last)).toBe(isAllowed);
  });

  test('counts repeats, also beyond the maximum of their check', () => {
    const [one, last] = [check('a/one', { requests: 1 }), check('a/last', { requests: 2 })];
    let sent = { requests: 0, repeats: 0 };
    const budget = makeBudget([one, last], { requestsMax: 4, order }, () => sent);
    expect(budget.allows(one)).toBe(true);
    sent = { requests: 3, repeats: 2 };
    budget.settle(one, 'nothing found');
    expect(budget.allows(last)).toBe(false);
  });

  test('keeps what the other basic checks need from a check under way', () => {
    const now = check('a/now', { requests: 2 });
    const log = check('a/log', { requests: 9, optional: 2, least: 1, uses: ['reviews'] }, { phase: 'log' });
    const other = check('a/other', { requests: 9, least: 3 });
    const extra = check('a/extra', { requests: 9 }, { phase: 'writes', needs: ['writes:posts'] });
    const late = check('a/late', { requests: 5, optional: 1 }, { phase: 'writes' });
    const budget = budgetOf([now, log, late, other, extra], 40);
    expect(budget.allows(now)).toBe(true);
    const readsOfLog = 4;
    expect(budget.left()).toBe(40 - (9 - 2) - (5 - 1) - 9 - readsOfLog);
  });

  test('keeps nothing for reads that a burst is going to give', () => {
    const now = check('a/other', { requests: 1 });
    const burst = check('a/burst', { requests: 3, gives: ['articles without limit'] }, { phase: 'bursts' });
    const behind = check(
      'a/first',
      { requests: 2, uses: ['articles without limit', 'articles'] },
      { phase: 'after bursts' },
    );
    const all = [now, burst, behind];
    const needed = 1 + 3 + 2 + 1;
    expect(budgetOf(all, needed).allows(now)).toBe(true);
    expect(budgetOf(all, needed - 1).allows(now)).toBe(false);
  });

  test('keeps what a check without enough requests is not going to give', () => {
    const burst = check('a/burst', { requests: 9, gives: ['articles without limit'] });
    const user = check('a/first', { requests: 0, uses: ['articles without limit'] });
    const budget = budgetOf([burst, user], 0);
    expect([user, burst, user].map(budget.allows)).toEqual([true, false, false]);
  });

  test('expects of checks what they must have, what is still to be read, and as many optional requests as are to spare', () => {
    const one = check('a/one', { requests: 3, optional: 2, uses: ['articles'] });
    const two = check('a/two', { requests: 2, uses: ['articles'] }, { phase: 'after bursts' });
    const expected = (most: number) => budgetOf([one, two], most).expected([one, two]);
    expect([2, 3, 4, 5, 9].map(expected)).toEqual([4, 4, 4, 5, 6]);
  });

  test('sets no bounds where nothing is scarce', () => {
    const large = check('a/large', { requests: 500 });
    expect(budgetOf([large], null, () => 900).allows(large)).toBe(true);
  });
});

const burst = check('burst', { requests: 11, ownPace: true });
const opener = check('opener', { requests: 2, ownPace: true, opensWindow: true });
const fixed = (requests: number) => check('fixed', { requests });
const earlier = { mayComeEarlier: true };
const two = check('two', { requests: 2 }, earlier);
const one = check('one', { requests: 1 }, earlier);
const another = check('another', { requests: 1 }, earlier);
const sum = (checks: readonly Check[]) => checks.reduce((total, { cost }) => total + cost.requests, 0);
const idsOf = (rest: readonly Check[]) => drawForward(rest, sum).map(({ id }) => id);

describe('an extended check', () => {
  const better = check('a/better', { requests: 5 }, { needs: ['extended'] });
  const worse = check('a/worse', { requests: 2 }, { needs: ['extended'] });
  const basic = check('a/basic', { requests: 3, optional: 1, uses: ['articles'] });
  const sample = check('b/basic', { requests: 1 });
  const all = { ...sample, cost: { requests: 6 } };
  const half = check('b/half', { requests: 5, optional: 1, withTime: { requests: 9, optional: 4 } });

  test.each([
    ['leaves all that basic checks must send', worse, [worse, basic], 5, true],
    ['does not take their requests', worse, [worse, basic], 4, false],
    ['leaves what a better one usually sends', worse, [better, worse], 6, true],
    ['does not take the requests of a better one', worse, [better, worse], 5, false],
    ['ignores worse ones', better, [better, worse], 5, true],
    ['needs its own maximum', better, [better, worse], 4, false],
    ['like a basic one with all inputs, leaves what others must send', all, [sample, basic], 9, true],
    ['like a basic one with all inputs, takes no request of others', all, [sample, basic], 8, false],
    ['like one whose other inputs are optional, begins without these', withTime(half), [half], 10, true],
    ['like one whose other inputs are optional, needs all before them', withTime(half), [half], 9, false],
  ])('%s', (_, current, chosen, requestsMax, isAllowed) => {
    expect(budgetOf(chosen, requestsMax).allows(current)).toBe(isAllowed);
  });

  test('is not waited for by a basic one', () => {
    expect(budgetOf([sample, better], 1).allows(sample)).toBe(true);
  });
});

describe('before the bursts', () => {
  test.each<[string, number, readonly string[]]>([
    ['nothing that fits into the window after them', 4, []],
    ['the smallest that is enough', 5, ['one']],
    ['another when one is not enough', 6, ['one', 'another']],
    ['as many as may come earlier', 8, ['one', 'another', 'two']],
    ['no more than those', 30, ['one', 'another', 'two']],
  ])('goes %s', (_, size, ids) => {
    expect(idsOf([burst, opener, two, one, another, fixed(size)])).toEqual(ids);
  });

  test.each<[string, readonly Check[]]>([
    ['before another check', [fixed(1), burst, opener, one, fixed(30)]],
    ['where no burst is waited for', [burst, one, fixed(30)]],
    ['at the end', []],
  ])('goes nothing %s', (_, rest) => {
    expect(idsOf(rest)).toEqual([]);
  });
});
