import { describe, expect, test } from 'vitest';
import { historyOf, judged, type Line } from '../../fixtures/test-kit/history.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { labelled, responsesTo } from '../exchange/history.ts';
import { rowsAt } from '../exchange/records.ts';
import { type Confirmable, confirmationOf, requestsOf } from './confirmation.ts';
import { about, aboutStatus } from './expect.ts';
import { type Judged, nextToConfirm } from './judge.ts';

const site = { id: 's1', createdAt: '2026-01-01T00:00:00Z' };
const list = (...rows: object[]): Line => ['good GET /sites', { data: rows }];
const single: Line = ['good GET /sites/s1', { data: site }];
const missing: Line = ['good GET /sites/s1', { error: { code: 'not_found' } }];
const copy = ([request, body, rest]: Line, confirms: string): Line => [request, body, { ...rest, confirms }];

/** A listed site can be read by its id. */
const byId: Judged = {
  id: 'test/by-id',
  title: 'A listed site can be read by its id',
  clauses: ['4.sites.get.endpoint'],
  *judge(history) {
    const [shown] = responsesTo(history, 'listSites');
    const [row] = shown === undefined ? [] : (rowsAt(shown, '/data') ?? []);
    for (const one of responsesTo(history, 'getSite')) {
      if (shown === undefined || row === undefined) return;
      const claim = { ...aboutStatus(one, '4.sites.get.endpoint'), expected: '200', isTrue: one.status === 200 };
      yield { ...claim, of: [one], rows: [row], witness: shown };
    }
  },
};

/** Every list has a site. */
const notEmpty: Judged = {
  ...byId,
  id: 'test/not-empty',
  *judge(history) {
    for (const one of responsesTo(history, 'listSites')) {
      const isTrue = rowsAt(one, '/data')?.length !== 0;
      yield { ...about(one, '4.sites.list', '/data'), expected: 'a site', actual: 'none', isTrue, of: [one] };
    }
  },
};

/** Of both requests, the list with these records. */
const copiesWith = (...rows: object[]) => [copy(missing, 'x2'), copy(list(...rows), 'x1')];
const open = 'inconclusive(interference)';
const six = Array.from({ length: 6 }, () => list(site));

describe('a finding about a record', () => {
  test.each<[string, Line[], string]>([
    ['is confirmed if it is shown before and after', [list(site), missing, ...copiesWith(site)], 'fail'],
    ['stays open if it is gone', [list(site), missing, ...copiesWith()], open],
    [
      'stays open if it was created again',
      [list(site), missing, ...copiesWith({ ...site, createdAt: '2026-02-01T00:00:00Z' })],
      open,
    ],
    ['is not decided without its copies', [list(site), missing], 'inconclusive(budget)'],
    ['is not reported if the claim holds', [list(site), single], 'pass'],
  ])('%s', (_, lines, result) => {
    expect(judged(byId, historyOf(lines)).result).toBe(result);
  });

  test('repeats its requests and its witness once', () => {
    const history = historyOf([list(site), missing]);
    const finding = nextToConfirm(byId, history);
    expect(finding && requestsOf(finding).map((one) => ('id' in one ? one.id : one))).toEqual(['x2', 'x1']);
    expect(nextToConfirm(byId, historyOf([list(site), missing, ...copiesWith()]))).toBeNull();
  });

  test('of a recording is confirmed only if the record is still there', () => {
    const recorded = { isRecorded: true };
    expect(judged(byId, historyOf([list(site), missing, list(site)], recorded)).result).toBe('fail');
    expect(judged(byId, historyOf([list(site), missing], recorded)).result).toBe(open);
  });
});

describe('a finding about one response', () => {
  const copies = (...bodies: Line[]) => bodies.map((line) => copy(line, 'x1'));

  test.each<[string, Line[], string]>([
    ['is confirmed if it appears again', [list(), ...copies(list())], 'fail'],
    ['is confirmed if one of six copies shows it', [list(), ...copies(list(site), list(site), list())], 'fail'],
    ['is noted if six copies do not show it', [list(), ...copies(...six)], open],
  ])('%s', (_, lines, result) => {
    expect(judged(notEmpty, historyOf(lines)).result).toBe(result);
  });

  test('is repeated up to six times', () => {
    const afterCopies = (count: number) =>
      nextToConfirm(notEmpty, historyOf([list(), ...copies(...Array.from({ length: count }, () => list(site)))]));
    expect([afterCopies(0), afterCopies(5)].map((one) => one?.exchange.id)).toEqual(['x1', 'x1']);
    expect(afterCopies(6)).toBeNull();
  });

  test('of a burst or a write is judged once', () => {
    expect(judged(notEmpty, historyOf([['good GET /sites', { data: [] }, { burst: true }]])).result).toBe('fail');
  });
});

test('a copy has the label of its original, and counts only for the finding', () => {
  const history = historyOf([
    ['good GET /sites', { data: [] }, { label: 'a' }],
    ['good GET /sites', { data: [] }, { label: 'a', confirms: 'x1' }],
  ]);
  expect(labelled(history, 'a')).toHaveLength(2);
  expect(judged(notEmpty, history).findings).toEqual(['fail 4.sites.list x1']);
});

const calls = (shown: readonly string[], rest: Partial<Exchange> = {}): Line => [
  'good GET /connect/calls/log',
  { data: { calls: shown } },
  rest,
];
const again = (second: string[], first: string[]) => [
  calls(second, { confirms: 'x2' }),
  calls(first, { confirms: 'x1' }),
];
const isShownIn = ({ json }: Exchange) => JSON.stringify(json).includes('"a"');

test.each<[string, Line[], 'confirmed' | 'open' | 'unsent']>([
  ['shown before and after', [calls(['a']), calls([]), ...again([], ['a'])], 'confirmed'],
  ['shown again by the same request', [calls(['a']), calls([]), ...again(['a'], [])], 'confirmed'],
  ['gone since', [calls(['a']), calls([]), ...again([], [])], 'open'],
  ['new', [calls([]), calls([]), ...again([], ['a'])], 'open'],
  ['not asked for again', [calls(['a']), calls([])], 'unsent'],
])('a claim about records without ids that are %s', (_, lines, kind) => {
  const history = historyOf(lines);
  const [witness, exchange] = history.exchanges as [Exchange, Exchange];
  const claim = { clause: '4.calls.exactly-once', expected: '', actual: '', isShownIn } as const;
  const finding: Confirmable = { ...claim, exchange, of: [exchange], witness };
  expect(confirmationOf(finding, history, () => []).kind).toBe(kind);
});
