// The fields of articles, sites and keywords told wrongly: mostly in one late row only, as real data has it.
// Cites 2.article.*, 2.site.*, 2.keyword.*.
import { change, drop, put } from './hooks/json-path.ts';
import type { Mutant } from './hooks/mutant.ts';
import { onSuccess } from './hooks/recipes.ts';
import type { Json } from './hooks/rewrite.ts';
import { onArticle, onKeyword, onSite } from './hooks/rows.ts';

const epochSeconds = (value: Json): Json => Math.floor(Date.parse(String(value)) / 1000);
const dateOnly = (value: Json): Json => String(value).slice(0, 10);
const unhyphenated = (value: Json): Json => `id-${String(value).replaceAll('-', '')}`;

const articleFields: readonly Mutant[] = [
  {
    name: 'article-id-prefixed',
    breaks: '2.article.id',
    shows: 'The 45th article of GET /articles has an id that is no UUID.',
    wrap: onArticle(44, change('id', unhyphenated)),
  },
  {
    name: 'article-site-id-as-domain',
    breaks: '2.article.site-id',
    shows: 'The 13th article names its site by a domain in `siteId`.',
    wrap: onArticle(12, put('siteId', 'shop.example')),
  },
  {
    name: 'article-site-id-null',
    breaks: '2.article.site-id',
    shows: 'The last article but one has `siteId` null.',
    wrap: onArticle(-2, put('siteId', null)),
  },
  {
    name: 'article-title-number',
    breaks: '2.article.title',
    shows: 'The 22nd article has a number for its `title`.',
    wrap: onArticle(21, put('title', 1984)),
  },
  {
    name: 'article-title-null',
    breaks: '2.nullable-unmarked',
    shows: 'The 31st article has `title` null, although that field is not nullable.',
    wrap: onArticle(30, put('title', null)),
  },
  {
    name: 'article-slug-null',
    breaks: '2.article.slug',
    shows: 'The last article has `slug` null.',
    wrap: onArticle(-1, put('slug', null)),
  },
  {
    name: 'article-slug-missing',
    breaks: '2.fields-present',
    shows: 'The 51st article has no `slug`.',
    wrap: onArticle(50, drop('slug')),
  },
  {
    name: 'article-status-archived',
    breaks: '2.article.status',
    shows: 'The 34th article has the status "archived".',
    wrap: onArticle(33, put('status', 'archived')),
  },
  {
    name: 'article-status-capitalised',
    breaks: '2.article.status',
    shows: 'Articles that are generating have the status "Generating".',
    wrap: onSuccess(
      ['listArticles', 'getArticle'],
      (body) => JSON.parse(JSON.stringify(body).replaceAll('"status":"generating"', '"status":"Generating"')) as Json,
    ),
  },
  {
    name: 'article-target-keyword-array',
    breaks: '2.article.target-keyword',
    shows: 'The 26th article has an array for its `targetKeyword`.',
    wrap: onArticle(
      25,
      change('targetKeyword', (value) => [value]),
    ),
  },
  {
    name: 'article-target-keyword-false',
    breaks: '2.article.target-keyword',
    shows: 'Where `targetKeyword` should be null it is false, on the second article.',
    wrap: onArticle(1, put('targetKeyword', false)),
  },
  {
    name: 'article-word-count-text',
    breaks: '2.article.word-count',
    shows: 'The 37th article has its `wordCount` as a string.',
    wrap: onArticle(36, change('wordCount', String)),
  },
  {
    name: 'article-word-count-fraction',
    breaks: '2.article.word-count',
    shows: 'The 42nd article has a `wordCount` with a fraction.',
    wrap: onArticle(
      41,
      change('wordCount', (value) => Number(value) + 0.5),
    ),
  },
  {
    name: 'article-word-count-null-while-planned',
    breaks: '2.article.word-count',
    shows: 'Articles without a word have `wordCount` null instead of 0.',
    wrap: onSuccess(
      ['listArticles', 'getArticle'],
      (body) => JSON.parse(JSON.stringify(body).replaceAll('"wordCount":0,', '"wordCount":null,')) as Json,
    ),
  },
  {
    name: 'article-word-count-text-by-id',
    breaks: '2.article.word-count',
    shows: 'GET /articles/{id} has `wordCount` as a string; the list has it right.',
    wrap: onSuccess('getArticle', change('data.wordCount', String)),
  },
  {
    name: 'article-seo-score-fraction',
    breaks: '2.article.seo-score',
    shows: 'The 51st article has a `seoScore` with a fraction.',
    wrap: onArticle(50, put('seoScore', 71.25)),
  },
  {
    name: 'article-seo-score-text',
    breaks: '2.article.seo-score',
    shows: 'The fourth article has its `seoScore` as a string.',
    wrap: onArticle(3, change('seoScore', String)),
  },
  {
    name: 'article-published-at-empty',
    breaks: '2.article.published-at',
    shows: 'An article that was never published has `publishedAt` "" instead of null, on the third page.',
    wrap: onArticle(45, put('publishedAt', '')),
  },
  {
    name: 'article-published-at-number',
    breaks: '2.article.published-at',
    shows: 'The 40th article has epoch seconds for its `publishedAt`.',
    wrap: onArticle(39, change('publishedAt', epochSeconds)),
  },
  {
    name: 'article-created-at-rfc-1123',
    breaks: '2.article.created-at',
    shows: 'The 31st article has a `createdAt` in the form of HTTP dates.',
    wrap: onArticle(
      30,
      change('createdAt', (value) => new Date(Date.parse(String(value))).toUTCString()),
    ),
  },
  {
    name: 'article-updated-at-date-only',
    breaks: '2.article.updated-at',
    shows: 'The 29th article has an `updatedAt` without a time.',
    wrap: onArticle(28, change('updatedAt', dateOnly)),
  },
  {
    name: 'article-updated-at-number',
    breaks: '2.article.updated-at',
    shows: 'The tenth article has epoch seconds for its `updatedAt`.',
    wrap: onArticle(9, change('updatedAt', epochSeconds)),
  },
];

const siteFields: readonly Mutant[] = [
  {
    name: 'site-id-prefixed',
    breaks: '2.site.id',
    shows: 'The last site has an id that is no UUID.',
    wrap: onSite(-1, change('id', unhyphenated)),
  },
  {
    name: 'site-name-null',
    breaks: '2.site.name',
    shows: 'The second site has `name` null.',
    wrap: onSite(1, put('name', null)),
  },
  {
    name: 'site-domain-array',
    breaks: '2.site.domain',
    shows: 'The last site has an array for its `domain`.',
    wrap: onSite(
      -1,
      change('domain', (value) => [value]),
    ),
  },
  {
    name: 'site-domain-missing',
    breaks: '2.fields-present',
    shows: 'GET /sites/{id} leaves out `domain`; the list has it.',
    wrap: onSuccess('getSite', drop('data.domain')),
  },
  {
    name: 'site-cms-null',
    breaks: '2.site.cms',
    shows: 'The second site has `cms` null.',
    wrap: onSite(1, put('cms', null)),
  },
  {
    name: 'site-language-array',
    breaks: '2.site.language',
    shows: 'The first site has an array for its `language`.',
    wrap: onSite(
      0,
      change('language', (value) => [value]),
    ),
  },
  {
    name: 'site-created-at-date-only',
    breaks: '2.site.created-at',
    shows: 'The last site has a `createdAt` without a time.',
    wrap: onSite(-1, change('createdAt', dateOnly)),
  },
  {
    name: 'site-created-at-words',
    breaks: '2.at-iso',
    shows: 'Sites have a `createdAt` in words, such as "Mon, 12 May 2025 11:34:30 GMT".',
    wrap: onSuccess(
      'listSites',
      change('data.*.createdAt', (value) => new Date(Date.parse(String(value))).toUTCString()),
    ),
  },
];

const keywordFields: readonly Mutant[] = [
  {
    name: 'keyword-id-braced',
    breaks: '2.ids-uuid',
    shows: 'The 18th keyword has its id in braces, which is not the form of a UUID string.',
    wrap: onKeyword(
      17,
      change('id', (value) => `{${String(value)}}`),
    ),
  },
  {
    name: 'keyword-id-number',
    breaks: '2.keyword.id',
    shows: 'The third keyword has a number for its `id`.',
    wrap: onKeyword(2, put('id', 3)),
  },
  {
    name: 'keyword-site-id-null',
    breaks: '2.keyword.site-id',
    shows: 'The tenth keyword has `siteId` null.',
    wrap: onKeyword(9, put('siteId', null)),
  },
  {
    name: 'keyword-text-number',
    breaks: '2.keyword.keyword',
    shows: 'A keyword that consists of digits is sent as a number.',
    wrap: onKeyword(31, put('keyword', 2026)),
  },
  {
    name: 'keyword-search-volume-text',
    breaks: '2.keyword.search-volume',
    shows: 'The 23rd keyword has its `searchVolume` as a string with a thousands separator.',
    wrap: onKeyword(22, put('searchVolume', '1,200')),
  },
  {
    name: 'keyword-search-volume-fraction',
    breaks: '2.keyword.search-volume',
    shows: 'The last keyword has a `searchVolume` with a fraction.',
    wrap: onKeyword(-1, put('searchVolume', 12.5)),
  },
  {
    name: 'keyword-difficulty-share',
    breaks: '2.keyword.difficulty',
    shows: 'The first keyword has a `difficulty` between 0 and 1 instead of an integer.',
    wrap: onKeyword(0, put('difficulty', 0.42)),
  },
  {
    name: 'keyword-intent-number',
    breaks: '2.keyword.intent',
    shows: 'The second keyword has a number for its `intent`.',
    wrap: onKeyword(1, put('intent', 2)),
  },
  {
    name: 'keyword-created-at-seconds',
    breaks: '2.keyword.created-at',
    shows: 'The 15th keyword has epoch seconds for its `createdAt`.',
    wrap: onKeyword(14, change('createdAt', epochSeconds)),
  },
];

export const typeMutants: readonly Mutant[] = [...articleFields, ...siteFields, ...keywordFields];
