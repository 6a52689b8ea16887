import { expect, it } from 'vitest';
import { observe as observed } from '../../fixtures/test-kit/observation.ts';
import type { Exchange, Observation } from './cell-run.ts';
import { contentRules } from './judge-contents.ts';
import { findingsOf } from './judge-row.ts';

const accounts = ['account-one', 'account-two'];
const states = ['pending-1', 'expired-1', 'revoked-1', 'waiting-1'];

const observe = (id: string, more: Partial<Observation> = {}) =>
  observed(id, { records: { ...observed(id).records, account: accounts }, ...more });

const rulesOf = (met: Observation, usual = observe('control')) =>
  findingsOf(contentRules, met, usual).map(({ rule }) => rule);

it.each([
  ['a replaced character', [{ text: 'caf\u{fffd}' }], [{ text: 'café' }], ['text-damaged']],
  ['a replaced character of the service', [{ text: 'caf\u{fffd}' }], [{ text: 'caf\u{fffd}' }], []],
  ['all characters', [{ text: 'café' }], [{ text: 'café' }], []],
])('judges texts: %s', (_, seen, usual, rules) => {
  expect(rulesOf(observe('slow/texts', { seen }), observe('control', { seen: usual }))).toEqual(rules);
});

const board = (values: readonly (readonly number[])[]) =>
  values.map((totals, i) => ({ accountId: accounts[i], metrics: totals.map((total) => ({ total })) }));
const [one, two] = [
  [1, 2, 3],
  [4, 5, 6],
];

it.each([
  ['each account with its values', [one, two], []],
  ['values that are exchanged', [two, one], ['account-mixed']],
  ['new values', [[1, 2, 4], two], []],
  ['too few values', [[4, 5], two], []],
])('judges accounts that are read at once: %s', (_, values, rules) => {
  const usual = observe('control', { seen: board([one, two]) });
  expect(rulesOf(observe('load/uneven', { seen: board(values) }), usual)).toEqual(rules);
});

it.each([
  ['all', states, []],
  ['all but one', states.slice(0, 3), ['status-lost']],
  ['two, such as those to reconnect', states.slice(1, 3), []],
  ['none', [], []],
])('judges accounts of each status: %s', (_, seen, rules) => {
  const records = { ...observe('control').records, account: [...accounts, ...states] };
  expect(rulesOf(observe('refusals/account-states', { seen, records }))).toEqual(rules);
});

it.each([
  ['keeps fractions', ['100.7', '3.6', '2.75'], []],
  ['rounds them', ['101', '4', '3'], []],
  ['cuts them off', ['100', '3', '2'], ['number-cut']],
  ['cuts them off, and shows one', ['100', '3', '2', '3.6'], []],
  ['shows totals alone', ['101'], []],
])('judges a client that %s', (_, numbers, rules) => {
  const insightsOf = (...insights: number[][]) => [{ insights }] as unknown as Exchange[];
  const usual = observe('control', { numbers: new Set(['99', '3', '2']), exchanges: insightsOf([99], [3, 2]) });
  const exchanges = insightsOf([100.7], [3.6, 2.75]);
  expect(rulesOf(observe('formats/fractions', { numbers: new Set(numbers), exchanges }), usual)).toEqual(rules);
});

it.each([
  ['of the known values', [['2.67'], ['3.50']], []],
  ['with null as 0', [['2.67'], ['1.75']], ['null-as-zero']],
  ['with null as 0, in one digit', [['2.7'], ['1.8']], []],
  ['of both', [['2.67'], ['1.75', '3.50']], []],
  ['of other values', [['9.99'], ['1.75']], []],
])('judges an average %s', (_, [usual, now], rules) => {
  const averaged = (values: readonly (number | null)[], numbers: readonly string[] = []) => ({
    ...{ numbers: new Set(numbers), groups: [{ clause: '2.review-item.rating' as const, values }] },
  });
  const met = observe('formats/some-null', averaged([3, null, 4, null], now));
  expect(rulesOf(met, observe('control', averaged([3, 4, 1], usual)))).toEqual(rules);
});

it.each([
  ['replyToReview', 400, ['text-too-long']],
  ['replyToReview', 200, []],
  ['createConnectLink', 400, ['text-too-long']],
])('judges a long text: %s with %i', (operation, status, rules) => {
  const exchanges = [{ method: 'POST', operation, status }] as unknown as Exchange[];
  expect(rulesOf(observe('formats/long-texts', { exchanges }))).toEqual(rules);
});
