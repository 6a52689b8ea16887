import { describe, expect, test } from 'vitest';
import { historyOf, type Line, outcomeOf } from '../../../fixtures/test-kit/history.ts';
import type { Judged } from '../../judge/judge.ts';
import { encodedTwice, nilUuid } from '../../scenarios/inputs.ts';
import { rareIds } from './rare-ids.ts';

const [rareForms] = rareIds as [Judged];
const [site, other] = ['a', 'b'].map((digit) => `${digit.repeat(8)}-1111-4111-8111-111111111111`) as [string, string];
const rows = (...ids: string[]) => ({ data: ids.map((siteId, id) => ({ id: `${id}`, siteId })) });
const sent = (target: string, body: unknown, label = 'id in a rare form'): Line => [
  `good GET ${target}`,
  body,
  { label },
];
const all: Line = ['good GET /articles', rows(site, other)];
const notFound = { error: { code: 'not_found', message: '' } };

describe('ids/rare-forms', () => {
  const list = '4.articles.list.site-id';
  test.each<[string, readonly Line[], string]>([
    ['an unknown article', [sent(`/articles/${nilUuid}`, notFound)], 'pass'],
    ['an article of the nil UUID', [sent(`/articles/${nilUuid}`, { data: {} })], 'fail 4.articles.get.not-found x1'],
    ['keywords of the nil UUID', [sent(`/keywords?siteId=${nilUuid}`, rows(site))], 'fail 4.keywords.list.of-site x1'],
    ['no keywords', [sent(`/keywords?siteId=${nilUuid}`, rows())], 'pass'],
    ['all articles for the nil UUID', [all, sent(`/articles?siteId=${nilUuid}`, rows(site, other))], `warn ${list} x2`],
    ['all articles for bytes that are not UTF-8', [all, sent('/articles?siteId=%FF', rows(site, other))], 'pass'],
    [
      'articles of a site that is encoded twice',
      [all, sent(`/articles?siteId=${encodedTwice(site)}`, rows(site))],
      `fail ${list} x2`,
    ],
    ['all articles of the only site', [sent(`/articles?siteId=${encodedTwice(site)}`, rows(site))], 'pass'],
    [
      'reviews of a malformed id',
      [sent('/connect/accounts/%FF/reviews', { data: {} }, 'account id in a rare form')],
      'fail 4.connect.account-id x1',
    ],
  ])('judges %s', (_, lines, outcome) => {
    expect(outcomeOf(rareForms, historyOf(lines))).toBe(outcome);
  });
});
