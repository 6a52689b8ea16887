import { expect, it } from 'vitest';
import { control } from './cell.ts';
import type { Observation } from './cell-run.ts';
import { contents } from './judge-contents.ts';
import { matrix } from './matrix.ts';

const accounts = ['account-one', 'account-two'];
const states = ['pending-1', 'expired-1', 'revoked-1', 'waiting-1'];

function observe(id: string, more: Partial<Observation> = {}): Observation {
  return {
    ...{ cell: matrix.find((cell) => cell.id === id) ?? control, exchanges: [], violations: [], ending: 'returned' },
    ...{ error: null, seen: [], files: {}, complaints: [], callsVisibleMs: [], speed: null },
    records: { site: [], article: ['article-1', 'article-2'], keyword: [], account: accounts, review: [], call: [] },
    ...more,
  };
}

const rulesOf = (met: Observation, usual = observe('control')) => [...contents(met, usual)].map(({ rule }) => rule);

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

const [both, first] = [['article-1', 'article-2'], ['article-1']];

it.each([
  ['keeps its records', both, both, []],
  ['loses a record', both, first, ['file-shortened']],
  ['gets a record', first, both, []],
  ['is removed', both, undefined, []],
])('judges a file after a run that failed: it %s', (_, before, now, rules) => {
  const files = now ? { 'articles.json': now } : {};
  expect(rulesOf(observe('restart/page-500', { files, filesBefore: { 'articles.json': before } }))).toEqual(rules);
});
