import { expect, test } from 'vitest';
import { sampleExchange } from '../../fixtures/test-kit/sample-report.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { makeLedger } from '../judge/ledger.ts';
import { type Judge, judgeAgain } from './confirm.ts';

type Rows = readonly Readonly<Record<string, unknown>>[];

const row = { id: 'a', siteId: 's', updatedAt: '2026-05-01T12:00:00Z' };
const moved = { ...row, siteId: 'other' };
const edited = { ...row, updatedAt: '2026-05-01T12:00:01Z' };

const read = (target: string, data: Rows, method = 'GET'): Exchange => {
  const request = { id: '', operation: null, method, target, key: 'good' } as const;
  return { ...(sampleExchange() as unknown as Exchange), ...request, status: 200, json: { data } };
};
const rowsIn = ({ json }: Exchange) => (json as { data: Rows }).data;
const claim = { clause: '4.articles.list.walk', expected: '', actual: '' } as const;

/** The page lacks an article that the list shows. */
const lacks: Judge<readonly [Exchange, Exchange]> = ([list, page]) =>
  rowsIn(list)
    .filter(({ id }) => !rowsIn(page).some((other) => other.id === id))
    .map((one) => ({ ...claim, exchange: page, rows: [one], witness: list }));
const twice: Judge<readonly [Exchange, Exchange]> = ([, page]) => [
  { ...claim, exchange: page, isTrue: rowsIn(page).length < 2 },
];

/** Responses to the requests that are sent again, in their order. */
test.each<[string, Judge<readonly [Exchange, Exchange]>, [list: Rows, page: Rows], Rows[], string, number]>([
  ['confirms a record that a page lacks again', lacks, [[row], []], [[], [row]], 'stands', 2],
  ['confirms a record that comes back', lacks, [[row], []], [[row], [row]], 'stands', 2],
  ['is open for a record that is removed', lacks, [[row], []], [[], []], 'open', 2],
  ['is open for a record that has moved', lacks, [[row], []], [[], [moved]], 'open', 2],
  ['is open for a record that is edited', lacks, [[row], []], [[], [edited]], 'open', 2],
  ['has no finding about a complete page', lacks, [[row], [row]], [], 'none', 0],
  ['confirms what the third repeat shows', twice, [[], [row, row]], [[row], [row], [row, row]], 'stands', 3],
  ['is open for what six repeats do not show', twice, [[], [row, row]], Array(6).fill([row]), 'open', 6],
])('judging again %s', async (_, judge, [list, page], responses, outcome, requests) => {
  const history = [read('/list', list), read('/page', page)] as const;
  const all: Exchange[] = [...history];
  const ledger = makeLedger('must');
  const send = async ({ path = '' }: { path?: string }) => {
    all.push(read(path, responses[all.length - 2] ?? []));
    return all.at(-1) as Exchange;
  };
  const tools = { ledger, doubt: ledger.doubt, send, history: () => all };
  expect(await judgeAgain({ exchanges: history, judge }, tools)).toBe(outcome);
  expect(all).toHaveLength(2 + requests);
  expect(ledger.conclude().kind).toBe({ stands: 'fail', open: 'inconclusive' }[outcome] ?? 'inconclusive');
});

test('a write is judged once', async () => {
  const ledger = makeLedger('must');
  const send = () => Promise.reject(new Error('sent again'));
  const write = read('/posts', [row, row], 'POST');
  const tools = { ledger, doubt: ledger.doubt, send, history: () => [write] };
  expect(await judgeAgain({ exchanges: [write, write] as const, judge: twice }, tools)).toBe('stands');
});
