// The fields of articles, sites and keywords told wrongly: mostly in one late row only, as real data has it.
// Cites 2.article.*, 2.site.*, 2.keyword.*.
import { change, drop, put } from './hooks/json-path.ts';
import { mutantsOf } from './hooks/mutants-of.ts';
import { onSuccess } from './hooks/recipes.ts';
import type { Json } from './hooks/rewrite.ts';
import { onArticle, onKeyword, onSite } from './hooks/rows.ts';

const epochSeconds = (value: Json): Json => Math.floor(Date.parse(String(value)) / 1000);
const dateOnly = (value: Json): Json => String(value).slice(0, 10);
const unhyphenated = (value: Json): Json => `id-${String(value).replaceAll('-', '')}`;

const articleFields = mutantsOf({
  '2.article.id': {
    'article-id-prefixed': [
      'The 45th article of GET /articles has an id that is not a UUID.',
      onArticle(44, change('id', unhyphenated)),
    ],
  },
  '2.article.site-id': {
    'article-site-id-as-domain': [
      'The 13th article names its site by a domain in `siteId`.',
      onArticle(12, put('siteId', 'shop.example')),
    ],
    'article-site-id-null': ['The last article but one has `siteId` null.', onArticle(-2, put('siteId', null))],
  },
  '2.article.title': {
    'article-title-number': ['The 22nd article has a number for its `title`.', onArticle(21, put('title', 1984))],
  },
  '2.nullable-unmarked': {
    'article-title-null': [
      'The 31st article has `title` null, although that field is not nullable.',
      onArticle(30, put('title', null)),
    ],
  },
  '2.article.slug': {
    'article-slug-null': ['The last article has `slug` null.', onArticle(-1, put('slug', null))],
  },
  '2.fields-present': {
    'article-slug-missing': ['The 51st article has no `slug`.', onArticle(50, drop('slug'))],
  },
  '2.article.status': {
    'article-status-archived': [
      'The 34th article has the status "archived".',
      onArticle(33, put('status', 'archived')),
    ],
    'article-status-capitalised': [
      'Articles that are generating have the status "Generating".',
      onSuccess(
        ['listArticles', 'getArticle'],
        (body) => JSON.parse(JSON.stringify(body).replaceAll('"status":"generating"', '"status":"Generating"')) as Json,
      ),
    ],
  },
  '2.article.target-keyword': {
    'article-target-keyword-in-snake-case': [
      'Articles have `target_keyword` in the place of `targetKeyword`.',
      onSuccess(
        ['listArticles', 'getArticle'],
        (body) => JSON.parse(JSON.stringify(body).replaceAll('"targetKeyword":', '"target_keyword":')) as Json,
      ),
    ],
    'article-target-keyword-array': [
      'The 26th article has an array for its `targetKeyword`.',
      onArticle(
        25,
        change('targetKeyword', (value) => [value]),
      ),
    ],
    'article-target-keyword-false': [
      'Where `targetKeyword` should be null it is false, on the second article.',
      onArticle(1, put('targetKeyword', false)),
    ],
  },
  '2.article.word-count': {
    'article-word-count-text': [
      'The 37th article has its `wordCount` as a string.',
      onArticle(36, change('wordCount', String)),
    ],
    'article-word-count-fraction': [
      'The 42nd article has a `wordCount` with a fraction.',
      onArticle(
        41,
        change('wordCount', (value) => Number(value) + 0.5),
      ),
    ],
    'article-word-count-null-while-planned': [
      'Articles without a word have `wordCount` null instead of 0.',
      onSuccess(
        ['listArticles', 'getArticle'],
        (body) => JSON.parse(JSON.stringify(body).replaceAll('"wordCount":0,', '"wordCount":null,')) as Json,
      ),
    ],
    'article-word-count-text-by-id': [
      'GET /articles/{id} has `wordCount` as a string; the list has it right.',
      onSuccess('getArticle', change('data.wordCount', String)),
    ],
  },
  '2.article.seo-score': {
    'article-seo-score-fraction': [
      'The 51st article has a `seoScore` with a fraction.',
      onArticle(50, put('seoScore', 71.25)),
    ],
    'article-seo-score-text': [
      'The fourth article has its `seoScore` as a string.',
      onArticle(3, change('seoScore', String)),
    ],
  },
  '2.article.published-at': {
    'article-published-at-empty': [
      'An article that was never published has `publishedAt` "" instead of null, on the third page.',
      onArticle(45, put('publishedAt', '')),
    ],
    'article-published-at-number': [
      'The 40th article has epoch seconds for its `publishedAt`.',
      onArticle(39, change('publishedAt', epochSeconds)),
    ],
  },
  '2.article.created-at': {
    'article-created-at-rfc-1123': [
      'The 31st article has a `createdAt` in the form of HTTP dates.',
      onArticle(
        30,
        change('createdAt', (value) => new Date(Date.parse(String(value))).toUTCString()),
      ),
    ],
  },
  '2.article.updated-at': {
    'article-updated-at-date-only': [
      'The 29th article has an `updatedAt` without a time.',
      onArticle(28, change('updatedAt', dateOnly)),
    ],
    'article-updated-at-number': [
      'The tenth article has epoch seconds for its `updatedAt`.',
      onArticle(9, change('updatedAt', epochSeconds)),
    ],
  },
});

const siteFields = mutantsOf({
  '2.site.id': {
    'site-id-prefixed': ['The last site has an id that is not a UUID.', onSite(-1, change('id', unhyphenated))],
  },
  '2.site.name': {
    'site-name-null': ['The second site has `name` null.', onSite(1, put('name', null))],
  },
  '2.site.domain': {
    'site-domain-array': [
      'The last site has an array for its `domain`.',
      onSite(
        -1,
        change('domain', (value) => [value]),
      ),
    ],
  },
  '2.fields-present': {
    'site-domain-missing': [
      'GET /sites/{id} leaves out `domain`; the list has it.',
      onSuccess('getSite', drop('data.domain')),
    ],
  },
  '2.site.cms': {
    'site-cms-null': ['The second site has `cms` null.', onSite(1, put('cms', null))],
  },
  '2.site.language': {
    'site-language-array': [
      'The first site has an array for its `language`.',
      onSite(
        0,
        change('language', (value) => [value]),
      ),
    ],
  },
  '2.site.created-at': {
    'site-created-at-date-only': [
      'The last site has a `createdAt` without a time.',
      onSite(-1, change('createdAt', dateOnly)),
    ],
  },
  '2.at-iso': {
    'site-created-at-words': [
      'Sites have a `createdAt` in words, such as "Mon, 12 May 2025 11:34:30 GMT".',
      onSuccess(
        'listSites',
        change('data.*.createdAt', (value) => new Date(Date.parse(String(value))).toUTCString()),
      ),
    ],
  },
});

const keywordFields = mutantsOf({
  '2.ids-uuid': {
    'keyword-id-braced': [
      'The 18th keyword has its id in braces, which is not the form of a UUID string.',
      onKeyword(
        17,
        change('id', (value) => `{${String(value)}}`),
      ),
    ],
  },
  '2.keyword.id': {
    'keyword-id-number': ['The third keyword has a number for its `id`.', onKeyword(2, put('id', 3))],
  },
  '2.keyword.site-id': {
    'keyword-site-id-null': ['The tenth keyword has `siteId` null.', onKeyword(9, put('siteId', null))],
  },
  '2.keyword.keyword': {
    'keyword-text-number': [
      'A keyword that consists of digits is sent as a number.',
      onKeyword(31, put('keyword', 2026)),
    ],
  },
  '2.keyword.search-volume': {
    'keyword-search-volume-text': [
      'The 23rd keyword has its `searchVolume` as a string with a thousands separator.',
      onKeyword(22, put('searchVolume', '1,200')),
    ],
    'keyword-search-volume-fraction': [
      'The last keyword has a `searchVolume` with a fraction.',
      onKeyword(-1, put('searchVolume', 12.5)),
    ],
  },
  '2.keyword.difficulty': {
    'keyword-difficulty-share': [
      'The first keyword has a `difficulty` between 0 and 1 instead of an integer.',
      onKeyword(0, put('difficulty', 0.42)),
    ],
  },
  '2.keyword.intent': {
    'keyword-intent-number': ['The second keyword has a number for its `intent`.', onKeyword(1, put('intent', 2))],
  },
  '2.keyword.created-at': {
    'keyword-created-at-seconds': [
      'The 15th keyword has epoch seconds for its `createdAt`.',
      onKeyword(14, change('createdAt', epochSeconds)),
    ],
  },
});

export const fieldMutants = [...articleFields, ...siteFields, ...keywordFields];
