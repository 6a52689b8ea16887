import type { Operation, Visit, Wrongness } from '../seams.ts';
import type { Answer, Ask } from '../types.ts';
import type { MutantsByClause } from './mutant.ts';
import { bodyOf } from './recipes.ts';

// Inputs that no client of good will sends, each of which breaks one operation down with 500, or is taken.

const CRASH: Answer = { status: 500, body: { error: { code: 'internal_error', message: 'Something went wrong.' } } };
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** A row of a mutant. */
function breaksOn(shows: string, wrong: () => Wrongness) {
  return { shows: `${shows} is answered with 500.`, wrong };
}

type Where = (visit: Visit) => boolean;

const articles: Where = ({ segments }) => segments[0] === 'articles' && segments.length === 1;
const article: Where = ({ segments }) => segments[0] === 'articles' && segments.length === 2;
const site: Where = ({ segments }) => segments[0] === 'sites' && segments.length === 2;
const keywords: Where = ({ segments }) => segments[0] === 'keywords';
const log: Where = ({ segments }) => segments[1] === 'calls';
const reviews: Where = ({ segments }) => segments[3] === 'reviews' && segments.length === 4;
const insights: Where = ({ segments }) => segments[3] === 'insights';

/** Requests with a good key break down where the value fits. */
function onVisit(where: Where, fits: Where): () => Wrongness {
  return () => ({ answer: (answer, { visit }) => (visit.known && where(visit) && fits(visit) ? CRASH : answer) });
}

/** The first value of a parameter of the query. */
function onValue(where: Where, name: string, fits: (value: string) => boolean): () => Wrongness {
  return onVisit(where, ({ query }) => {
    const value = query.get(name);
    return value !== null && fits(value);
  });
}

function onTwice(where: Where, name: string): () => Wrongness {
  return onVisit(where, ({ query }) => query.getAll(name).length > 1);
}

/** The last segment of the path, or the one before it. */
function onId(where: Where, fits: (id: string) => boolean): () => Wrongness {
  return onVisit(where, ({ segments }) => fits(segments[segments[0] === 'connect' ? 2 : 1] ?? ''));
}

/** Bodies of writes, whole or by their members. */
function onBody(operation: Operation, fits: (ask: Ask) => boolean): () => Wrongness {
  return () => ({
    'schema.issues': (issues, about) => {
      if (about.operation === operation && fits(about.ask)) throw new TypeError('cannot read properties');
      return issues;
    },
    'crash.answer': () => CRASH,
  });
}

const textOf = ({ body }: Ask): string => Buffer.from(body).toString('utf8');
const is = (text: string) => (ask: Ask) => textOf(ask) === text;
const startsWith = (sign: string) => (ask: Ask) => textOf(ask).startsWith(sign);
const isEmpty = (value: string) => value === '';
const hasNul = (value: string) => value.includes('\0');
const isNoInstant = (value: string) => value !== '' && !/^\d{4}-/.test(value);
const isImpossible = (value: string) => /^\d{4}-/.test(value) && Number.isNaN(Date.parse(value));

/** What a body that is no object does to one operation. */
function bodies(called: string, operation: Operation): MutantsByClause[string] {
  return {
    [`${called}-null-crashes`]: breaksOn('The body null', onBody(operation, is('null'))),
    [`${called}-empty-body-crashes`]: breaksOn('An empty body', onBody(operation, is(''))),
    [`${called}-array-crashes`]: breaksOn('A body that is a list', onBody(operation, startsWith('['))),
    [`${called}-number-crashes`]: breaksOn('A body that is a number', onBody(operation, is('42'))),
    [`${called}-empty-object-crashes`]: breaksOn('The body {}', onBody(operation, is('{}'))),
  };
}

function member(operation: Operation, name: string, fits: (value: unknown) => boolean): () => Wrongness {
  return onBody(operation, (ask) => Object.hasOwn(bodyOf(ask), name) && fits(bodyOf(ask)[name]));
}

const isNull = (value: unknown) => value === null;
const isOver = (max: number) => (value: unknown) => typeof value === 'string' && value.length > max;

export const oddInputMutants: MutantsByClause = {
  '4.articles.list.statuses': {
    'articles-odd-limit-crashes': breaksOn(
      'A limit that is no number',
      onValue(articles, 'limit', (v) => /[a-z]/.test(v)),
    ),
    'articles-negative-limit-crashes': breaksOn(
      'A negative limit',
      onValue(articles, 'limit', (v) => v.startsWith('-')),
    ),
    'articles-huge-limit-crashes': breaksOn(
      'A limit of ten digits',
      onValue(articles, 'limit', (v) => /^\d{10,}$/.test(v)),
    ),
    'articles-empty-limit-crashes': breaksOn('An empty limit', onValue(articles, 'limit', isEmpty)),
    'articles-limit-twice-crashes': breaksOn('A limit given twice', onTwice(articles, 'limit')),
    'articles-empty-cursor-crashes': breaksOn('An empty cursor', onValue(articles, 'cursor', isEmpty)),
    'articles-nul-cursor-crashes': breaksOn('A cursor with a NUL', onValue(articles, 'cursor', hasNul)),
    'articles-impossible-cursor-crashes': breaksOn('A date that is none', onValue(articles, 'cursor', isImpossible)),
    'articles-odd-site-crashes': breaksOn(
      'A siteId that is no UUID',
      onValue(articles, 'siteId', (v) => v !== '' && !UUID.test(v)),
    ),
    'articles-empty-site-crashes': breaksOn('An empty siteId', onValue(articles, 'siteId', isEmpty)),
  },
  '4.articles.get.statuses': {
    'article-odd-id-crashes': breaksOn(
      'An id that is no UUID',
      onId(article, (id) => !UUID.test(id)),
    ),
    'article-quoted-id-crashes': breaksOn(
      "An id with the sign '",
      onId(article, (id) => id.includes("'")),
    ),
    'article-numeric-id-crashes': breaksOn(
      'An id of digits',
      onId(article, (id) => /^\d+$/.test(id)),
    ),
    'article-nil-id-crashes': breaksOn(
      'The all-zero id',
      onId(article, (id) => /^[0-]+$/.test(id)),
    ),
  },
  '4.sites.get.statuses': {
    'site-odd-id-crashes': breaksOn(
      'An id that is no UUID',
      onId(site, (id) => !UUID.test(id)),
    ),
    'site-long-id-crashes': breaksOn(
      'An id of more than 255 characters',
      onId(site, (id) => id.length > 255),
    ),
    'site-percent-id-crashes': breaksOn(
      'An id with the sign %',
      onId(site, (id) => id.includes('%')),
    ),
  },
  '4.keywords.list.statuses': {
    'keywords-empty-site-crashes': breaksOn('An empty siteId', onValue(keywords, 'siteId', isEmpty)),
    'keywords-nul-site-crashes': breaksOn('A siteId with a NUL', onValue(keywords, 'siteId', hasNul)),
  },
  '4.keywords.list.invalid-site-id': {
    'keywords-empty-site-shows-all': {
      shows: 'An empty siteId is answered with an empty list.',
      wrong: () => ({
        answer: (answer, { visit }) =>
          visit.known && keywords(visit) && visit.query.get('siteId') === ''
            ? { status: 200, body: { data: [] } }
            : answer,
      }),
    },
  },
  '4.calls.statuses': {
    'calls-odd-since-crashes': breaksOn('A since that is no instant', onValue(log, 'since', isNoInstant)),
    'calls-empty-since-crashes': breaksOn('An empty since', onValue(log, 'since', isEmpty)),
    'calls-impossible-since-crashes': breaksOn('A since that no calendar has', onValue(log, 'since', isImpossible)),
    'calls-null-since-crashes': breaksOn(
      'The since null',
      onValue(log, 'since', (value) => value === 'null'),
    ),
    'calls-future-since-crashes': breaksOn(
      'A since after 2090',
      onValue(log, 'since', (value) => value > '2090' && value < '3'),
    ),
    'calls-negative-limit-crashes': breaksOn(
      'A negative limit',
      onValue(log, 'limit', (v) => v.startsWith('-')),
    ),
    'calls-huge-limit-crashes': breaksOn(
      'A limit of ten digits',
      onValue(log, 'limit', (v) => /^\d{10,}$/.test(v)),
    ),
    'calls-empty-limit-crashes': breaksOn('An empty limit', onValue(log, 'limit', isEmpty)),
    'calls-zero-limit-crashes': breaksOn(
      'The limit 0',
      onValue(log, 'limit', (value) => value === '0'),
    ),
  },
  '4.connect.statuses': {
    'reviews-odd-account-crashes': breaksOn(
      'Reviews of an id that is no UUID',
      onId(reviews, (id) => !UUID.test(id)),
    ),
    'reviews-empty-cursor-crashes': breaksOn('An empty cursor', onValue(reviews, 'cursor', isEmpty)),
    'reviews-nul-cursor-crashes': breaksOn('A cursor with a NUL', onValue(reviews, 'cursor', hasNul)),
    'reviews-cursor-twice-crashes': breaksOn('A cursor given twice', onTwice(reviews, 'cursor')),
    'insights-odd-account-crashes': breaksOn(
      'Insights of an id that is no UUID',
      onId(insights, (id) => !UUID.test(id)),
    ),
    'insights-empty-range-crashes': breaksOn('An empty range', onValue(insights, 'range', isEmpty)),
    'insights-proto-range-crashes': breaksOn(
      'The range constructor',
      onValue(insights, 'range', (value) => value in {}),
    ),
    'insights-range-twice-crashes': breaksOn('A range given twice', onTwice(insights, 'range')),
    ...bodies('link', 'link'),
    ...bodies('post', 'post'),
    ...bodies('reply', 'reply'),
    'link-null-label-crashes': breaksOn('A label that is null', member('link', 'label', isNull)),
    'link-long-label-crashes': breaksOn('A label of more than 80 characters', member('link', 'label', isOver(80))),
    'link-null-provider-crashes': breaksOn('A provider that is null', member('link', 'provider', isNull)),
    'link-proto-provider-crashes': breaksOn(
      'The provider constructor',
      member('link', 'provider', (value) => typeof value === 'string' && value in {}),
    ),
    'link-text-max-crashes': breaksOn(
      'A text for maxAccounts',
      member('link', 'maxAccounts', (value) => typeof value === 'string'),
    ),
    'post-null-text-crashes': breaksOn('A text that is null', member('post', 'text', isNull)),
    'post-long-text-crashes': breaksOn('A text of more than 5000 characters', member('post', 'text', isOver(5000))),
    'post-null-media-crashes': breaksOn('Media that are null', member('post', 'media', isNull)),
    'post-null-image-crashes': breaksOn(
      'An imageUrl that is null',
      member('post', 'media', (value) => (value as { imageUrl?: unknown } | null)?.imageUrl === null),
    ),
    'post-null-link-crashes': breaksOn('A link that is null', member('post', 'link', isNull)),
    'reply-null-text-crashes': breaksOn('A text that is null', member('reply', 'text', isNull)),
    'reply-long-text-crashes': breaksOn('A text of more than 4096 characters', member('reply', 'text', isOver(4096))),
  },
};
