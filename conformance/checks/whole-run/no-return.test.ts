import { describe, expect, test } from 'vitest';
import { historyOf, judged, type Line } from '../../../fixtures/test-kit/history.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { noReturn } from './no-return.ts';

const uuid = (digit: string) => `${digit.repeat(8)}-1111-4111-8111-111111111111`;
const [siteId, otherId] = [uuid('a'), uuid('b')];
const sites = (digits: string, rest: Partial<Exchange> = {}): Line => [
  'good GET /sites',
  { data: [...digits].map((digit) => ({ id: uuid(digit) })) },
  rest,
];
/** Articles 9 to 0, of which each is a day older; 5 and 6 have one timestamp. */
const article = (digit: string) => ({
  id: uuid(digit),
  siteId: Number(digit) % 2 ? siteId : otherId,
  createdAt: `2026-01-0${digit === '6' ? 5 : digit}T12:00:00Z`,
});
const page = (query: string, digits: string, cursor: string | null = null, rest: Partial<Exchange> = {}): Line => [
  `good GET /articles${query}`,
  { data: [...digits].map(article), cursor },
  rest,
];
const ofSite = (digits: string) => page(`?siteId=${siteId}`, digits);
const walk = (first: string, second: string) => [page('?limit=3', first, 'c'), page('?limit=3&cursor=c', second)];
const notFound = { error: { code: 'not_found', message: '' } };
const together = { burst: true, sentAt: 0, receivedAt: 0 };

describe('lists/no-return', () => {
  test.each<[string, readonly Line[], string, readonly string[]]>([
    ['a site that is always listed', [sites('12'), sites('12'), sites('12')], 'pass', []],
    ['a site that is deleted', [sites('12'), sites('12'), sites('1'), sites('1')], 'pass', []],
    ['a site that is made', [sites('1'), sites('1'), sites('12'), sites('12')], 'pass', []],
    ['a site that one list lacks', [sites('12'), sites('1'), sites('12')], 'fail', ['fail 4.sites.list x2']],
    ['requests of one burst', [sites('12', together), sites('1', together), sites('12', together)], 'inconclusive', []],
    [
      'a list that is cut off',
      [sites('12'), sites('1', { status: 0, problem: 'truncated' }), sites('12')],
      'inconclusive',
      [],
    ],
    ['two lists', [sites('12'), sites('1')], 'inconclusive', []],
    [
      'a listed site that its id does not return',
      [sites('12'), [`good GET /sites/${uuid('1')}`, notFound], sites('12')],
      'fail',
      ['fail 4.sites.get.endpoint x2'],
    ],
    [
      'a list without a site that its id returns',
      [sites('12'), sites('1'), [`good GET /sites/${uuid('2')}`, { data: { id: uuid('2') } }]],
      'fail',
      ['fail 4.sites.list x2'],
    ],
    ['a walk with every article', [ofSite('97531'), ...walk('987', '654321'), ofSite('97531')], 'pass', []],
    [
      'a walk without an article that lists of a site show',
      [ofSite('97531'), ...walk('987', '65421'), ofSite('97531')],
      'fail',
      ['fail 4.articles.list.walk x3'],
    ],
    [
      'a walk without an article that is read by its id before and after it',
      [ofSite('97531'), ...walk('987', '65421'), [`good GET /articles/${uuid('3')}`, { data: article('3') }]],
      'fail',
      ['fail 4.articles.list.walk x3'],
    ],
    [
      'a loss at the edge of a page, where articles share a timestamp',
      [ofSite('97531'), ...walk('9876', '4321'), ofSite('97531')],
      'warn',
      ['warn 4.articles.list.walk x3'],
    ],
    [
      'a walk that the recording cuts off',
      [ofSite('97531'), page('', '987', 'c'), ofSite('97531')],
      'inconclusive',
      [],
    ],
    ['an article that is deleted before the walk', [ofSite('97531'), ...walk('987', '65421')], 'inconclusive', []],
    [
      'an old article that two lists show only after the walk',
      [...walk('987', '65421'), ofSite('97531'), ofSite('97531')],
      'warn',
      ['warn 4.articles.list.walk x2'],
    ],
    [
      'a new article that two lists show after the walk',
      [...walk('87', '654321'), ofSite('97531'), ofSite('97531')],
      'pass',
      [],
    ],
    ['an invalid limit', [page('', '98'), page('?limit=0', ''), page('', '98')], 'inconclusive', []],
    ['an empty siteId', [page('', '98'), page('?siteId=', ''), page('', '98')], 'inconclusive', []],
    ['another site', [page('', '98'), page(`?siteId=${otherId}`, '8'), page('', '98')], 'pass', []],
    [
      'an article that no list shows',
      [1, 2, 3].map((n) => (n === 2 ? page('', '98') : [`good GET /articles/${uuid('3')}`, { data: article('3') }])),
      'inconclusive',
      [],
    ],
  ])('judges %s', (_, lines, result, findings) => {
    const found = judged(noReturn, historyOf(lines));
    expect([found.result.split('(')[0], found.findings]).toEqual([result, findings]);
  });

  test('leaves an article open that two lists of a recording show after the walk', () => {
    const lines = [...walk('987', '65421'), ofSite('97531'), ofSite('97531')];
    expect(judged(noReturn, historyOf(lines, { isRecorded: true })).result).toBe('inconclusive(interference)');
  });
});
