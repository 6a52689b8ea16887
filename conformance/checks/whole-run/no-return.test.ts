import { describe, expect, test } from 'vitest';
import { uuid } from '../../../fixtures/test-kit/articles.ts';
import { historyOf, type Line, outcomeOf } from '../../../fixtures/test-kit/history.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { noReturn } from './no-return.ts';

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
/** Reviews of the account `a`. */
const reviews = (query: string, ids: string, nextCursor: string | null = null, rest: Partial<Exchange> = {}): Line => [
  `good GET /connect/accounts/a/reviews${query}`,
  { data: { reviews: [...ids].map((reviewId) => ({ reviewId })), nextCursor } },
  rest,
];
const notFound = { error: { code: 'not_found', message: '' } };
const together = { burst: true, sentAt: 0, receivedAt: 0 };

describe('lists/no-return', () => {
  // biome-ignore format: one row a line
  test.each<[string, readonly Line[], string]>([
    ['a site that is always listed', [sites('12'), sites('12'), sites('12')], 'pass'],
    ['a site that is deleted', [sites('12'), sites('12'), sites('1'), sites('1')], 'pass'],
    ['a site that is made', [sites('1'), sites('1'), sites('12'), sites('12')], 'pass'],
    ['a site that one list lacks', [sites('12'), sites('1'), sites('12')], 'fail 4.sites.list x2'],
    ['requests of one burst', [sites('12', together), sites('1', together), sites('12', together)], 'inconclusive'],
    ['a list that is cut off', [sites('12'), sites('1', { status: 0, problem: 'truncated' }), sites('12')], 'inconclusive'],
    ['two lists', [sites('12'), sites('1')], 'inconclusive'],
    ['a listed site that its id does not return', [sites('12'), [`good GET /sites/${uuid('1')}`, notFound], sites('12')], 'fail 4.sites.get.endpoint x2'],
    [
      'a list without a site that its id returns',
      [sites('12'), sites('1'), [`good GET /sites/${uuid('2')}`, { data: { id: uuid('2') } }]],
      'fail 4.sites.list x2',
    ],
    ['a walk with every article', [ofSite('97531'), ...walk('987', '654321'), ofSite('97531')], 'pass'],
    ['a walk without an article that lists of a site show', [ofSite('97531'), ...walk('987', '65421'), ofSite('97531')], 'fail 4.articles.list.walk x3'],
    [
      'a walk without an article that is read by its id before and after it',
      [ofSite('97531'), ...walk('987', '65421'), [`good GET /articles/${uuid('3')}`, { data: article('3') }]],
      'fail 4.articles.list.walk x3',
    ],
    [
      'a loss at the edge of a page, where articles share a timestamp',
      [ofSite('97531'), ...walk('9876', '4321'), ofSite('97531')],
      'warn 4.articles.list.walk x3',
    ],
    ['a walk that the recording cuts off', [ofSite('97531'), page('', '987', 'c'), ofSite('97531')], 'inconclusive'],
    ['an article that is deleted before the walk', [ofSite('97531'), ...walk('987', '65421')], 'inconclusive'],
    ['an old article that two lists show only after the walk', [...walk('987', '65421'), ofSite('97531'), ofSite('97531')], 'warn 4.articles.list.walk x2'],
    ['a new article that two lists show after the walk', [...walk('87', '654321'), ofSite('97531'), ofSite('97531')], 'pass'],
    ['an invalid limit', [page('', '98'), page('?limit=0', ''), page('', '98')], 'inconclusive'],
    ['an empty siteId', [page('', '98'), page('?siteId=', ''), page('', '98')], 'inconclusive'],
    ['another site', [page('', '98'), page(`?siteId=${otherId}`, '8'), page('', '98')], 'pass'],
    [
      'an article that no list shows',
      [1, 2, 3].map((n) => (n === 2 ? page('', '98') : [`good GET /articles/${uuid('3')}`, { data: article('3') }])),
      'inconclusive',
    ],
  ])('judges %s', (_, lines, outcome) => {
    expect(outcomeOf(noReturn, historyOf(lines)).replace(/\(.*/, '')).toBe(outcome);
  });

  test('leaves an article open that two lists of a recording show after the walk', () => {
    const lines = [...walk('987', '65421'), ofSite('97531'), ofSite('97531')];
    expect(outcomeOf(noReturn, historyOf(lines, { isRecorded: true }))).toBe('inconclusive(interference)');
  });
});

describe('lists/no-return, of reviews', () => {
  const walked = (second: string, rest: readonly Partial<Exchange>[] = [{}, {}]) => [
    reviews('', '98', 'x', rest[0]),
    reviews('?cursor=x', second, null, rest[1]),
  ];
  const later = reviews('?cursor=x', '76');
  const copies = (second: string) => [
    ...walked(second, [{ confirms: 'x3' }, { confirms: 'x4' }]),
    reviews('?cursor=x', '76', null, { confirms: 'x5' }),
  ];
  test.each<[string, readonly Line[], string]>([
    ['two equal walks', [...walked('76'), ...walked('76'), later], 'pass'],
    [
      'a review that one list lacks',
      [reviews('', '98'), reviews('', '9'), reviews('', '98')],
      'fail 4.rules.reviews-walk x2, fail 4.connect.list-reviews.endpoint x2',
    ],
    [
      'a review that a walk lacks each time',
      [...walked('76'), ...walked('7'), later, ...copies('7')],
      'fail 4.rules.reviews-walk x4',
    ],
    ['a review that one walk lacks', [...walked('76'), ...walked('7'), later, ...copies('76')], 'inconclusive'],
  ])('judges %s', (_, lines, outcome) => {
    expect(outcomeOf(noReturn, historyOf(lines)).replace(/\(.*/, '')).toBe(outcome);
  });
});

describe('lists/no-return, of values', () => {
  const reversed = page('', '789');
  const single = (fields: object): Line => [`good GET /sites/${uuid('1')}`, { data: { id: uuid('1'), ...fields } }];
  const insights = (...keys: string[]): Line => [
    'good GET /connect/accounts/a/insights',
    { data: { metrics: keys.map((key) => ({ key })) } },
  ];
  const [one, other] = [single({ name: 'a' }), single({ name: 'b' })];
  // biome-ignore format: one row a line
  test.each<[string, readonly Line[], string]>([
    ['a page in another order', [page('', '987'), reversed, page('', '987')], 'pass'],
    ['a page that is shorter with a cursor', [page('?limit=3', '987', 'c'), page('?limit=3', '98', 'c'), page('?limit=3', '987', 'c')], 'pass'],
    [
      'a page that is shorter once',
      [page('?limit=3', '987', 'c'), page('?limit=3', '9'), page('?limit=3', '987', 'c')],
      'fail 4.articles.list.walk x2, fail 4.articles.list.walk x2',
    ],
    ['a page that is shorter from now on', [page('', '987', 'c'), page('', '98'), page('', '98')], 'pass'],
    ['a name that changes and returns', [one, other, one], 'fail 4.sites.get.same-id x2'],
    ['a name that changes', [one, other, other], 'inconclusive'],
    ['a score that changes', [single({ seoScore: 1 }), single({ seoScore: 2 }), single({ seoScore: 1 })], 'pass'],
    ['metrics that are gone once', [insights('a', 'b'), insights('a'), insights('a', 'b')], 'fail 4.connect.insights.endpoint x2'],
    [
      'a payment that is due',
      [
        insights('a'),
        ['good GET /connect/accounts/a/insights', { error: { code: 'payment_required' } }],
        insights('a'),
      ],
      'inconclusive',
    ],
  ])('judges %s', (_, lines, outcome) => {
    expect(outcomeOf(noReturn, historyOf(lines)).replace(/\(.*/, '')).toBe(outcome);
  });

  test('leaves names open that change and return in a recording', () => {
    expect(outcomeOf(noReturn, historyOf([one, other, one], { isRecorded: true }))).toBe('inconclusive(vacuous)');
  });
});
