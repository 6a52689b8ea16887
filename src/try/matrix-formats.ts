// The part of the matrix in which nothing fails: other formats and other pages.
import { type OperationId, operations } from '../contract/generated/operations.ts';
import type { Shape } from '../contract/shape.ts';
import type { WorldBehavior } from '../domain/world-behavior.ts';
import type { AccountData, OrganizationData, WorldData } from '../domain/world-data.ts';
import type { Engine } from '../engine/engine.ts';
import type { CoreRequest } from '../http/message.ts';
import type { Wrap } from '../mutants/hooks/mutant.ts';
import { onResponse } from '../mutants/hooks/recipes.ts';
import { change, isObject, type Json, onJson, withQuery } from '../mutants/hooks/rewrite.ts';
import type { Row } from './cell.ts';

// Legal variations of data and cursors, for which the mock has no option.

export function onOrganizations(edit: (organization: OrganizationData, i: number) => Partial<OrganizationData>) {
  return (world: WorldData): WorldData => ({
    ...world,
    organizations: world.organizations.map((organization, i) => ({ ...organization, ...edit(organization, i) })),
  });
}

type Edit<Item> = (item: Item, i: number, all: readonly Item[]) => Partial<Item> | null;
type Kind = 'sites' | 'articles' | 'keywords' | 'accounts';
type Edits = { readonly [K in Kind]?: Edit<OrganizationData[K][number]> } & {
  readonly reviews?: Edit<AccountData['reviews'][number]>;
};

/** Edits each record of some kinds; null leaves it unchanged. */
export function edited({ reviews, ...edits }: Edits) {
  const editAll = <Item>(all: readonly Item[], edit: Edit<Item> = () => null) =>
    all.map((item, i) => ({ ...item, ...edit(item, i, all) }));
  return onOrganizations(({ sites, articles, keywords, accounts }) => ({
    sites: editAll(sites, edits.sites),
    articles: editAll(articles, edits.articles),
    keywords: editAll(keywords, edits.keywords),
    accounts: editAll(accounts, edits.accounts).map((each) => ({ ...each, reviews: editAll(each.reviews, reviews) })),
  }));
}

const second =
  <Changes>(changes: Changes) =>
  (_: unknown, i: number) =>
    i % 2 === 1 ? changes : null;

/** Every nullable field that can be null. */
const withNulls = edited({
  articles: ({ status }) => ({
    targetKeyword: null,
    seoScore: null,
    ...(status !== 'published' && { publishedAt: null }),
  }),
  keywords: () => ({ searchVolume: null, difficulty: null, intent: null }),
  accounts: () => ({ name: null, connectedAt: null }),
  reviews: () => ({ rating: null }),
});

/** The first two articles share a timestamp, and no page with two articles and more parts them. */
const withTies = edited({ articles: (_, i, [first]) => (i === 1 && first ? { createdAt: first.createdAt } : null) });

/** Every second value of a nullable number is null, so an average shows whether null counts. */
const withSomeNulls = edited({
  articles: second({ seoScore: null }),
  keywords: second({ searchVolume: null, difficulty: null }),
  reviews: second({ rating: null }),
});

/** Clients that select reviews below or above a whole number between 1 and 5 select the same. */
const fractions: Readonly<Record<number, number>> = { 1: 1.25, 2: 1.75, 4: 4.25, 5: 4.75 };
const withFractions = edited({ reviews: ({ rating }) => ({ rating: fractions[rating ?? 0] ?? rating }) });

/** Every second review has a reply. */
const withReplies = edited({ reviews: second({ replied: true, replyText: 'Thanks.' }) });

/** Texts that are longer than those of writes. */
const withLongTexts = edited({
  sites: ({ name }) => ({ name: `${name} ${'and more '.repeat(12)}` }),
  articles: ({ title }) => ({ title: `${title} ${'and more '.repeat(700)}` }),
  accounts: ({ name }) => ({ name: `${name} ${'and more '.repeat(12)}` }),
  reviews: ({ text }) => ({ text: `${text} ${'Very good. '.repeat(450)}` }),
});

const ornate = 'Žižkov "Été" \\ <b>日本語</b> & 𝒩🍕\n’';
/** Texts that are longer in bytes than in characters. */
export const withOrnateTexts = edited({
  sites: ({ name }) => ({ name: `${name} ${ornate}` }),
  articles: ({ title }) => ({ title: `${title} ${ornate}` }),
  keywords: ({ keyword }) => ({ keyword: `${keyword} ${ornate.replace('\n', ' ')}` }),
  accounts: ({ label, metrics }) => ({
    label: `${label} ${ornate}`,
    metrics: metrics.map((metric) => ({ ...metric, label: `${metric.label} ${ornate}` })),
  }),
  reviews: () => ({ author: ornate, text: ornate.repeat(9) }),
});

/** Only the id of an article is its own. */
const withTwins = edited({ articles: (_, __, [first]) => (first ? { title: first.title, slug: first.slug } : null) });

/** Pairs of articles within a millisecond, which pages of two part. */
const withMicroseconds = edited({
  articles: (article, i, all) => {
    const first = all[i - (1 - (i % 2))] ?? article;
    return { createdAt: first.createdAt.replace(/(\.\d{3})?Z$/, `.700${i % 2 === 1 ? '456' : '123'}Z`) };
  },
});

/** Changes a part of the responses with this status to some operations. */
export function onPart(
  names: readonly OperationId[],
  [path, status = 200]: readonly [path: string, status?: number],
  edit: (part: Json, request: CoreRequest) => Json,
): Wrap {
  return (next, context) =>
    names.reduce(
      (handle, name) =>
        onResponse(name, (response, { request }) =>
          response.status === status
            ? onJson(
                response,
                change(path, (part) => edit(part, request)),
              )
            : response,
        )(handle, context),
      next,
    );
}

/** Every second article has the same timestamps with another offset. */
const mixedOffsets = onPart(['listArticles'], ['data'], (rows) =>
  (rows as Json[]).map((row, i) => (i % 2 === 1 || !isObject(row) ? row : shifted(row))),
);

const shiftMs = -8 * 3_600_000;
const shifted = (row: Readonly<Record<string, Json>>): Json => ({
  ...row,
  createdAt: new Date(Date.parse(String(row.createdAt)) + shiftMs).toISOString().replace('Z', '-08:00'),
});

export const accountOperations = ['listReviews', 'getInsights', 'createPost', 'replyToReview'] as const;

/** Those of platforms: sections 4 and 7 list 502, 503 and the code `rate_limited` for them, and not for articles. */
export const platformOperations = [...accountOperations, 'listAccounts', 'createConnectLink', 'listCalls'] as const;

const firstPage = 'page:0';

/** The first page has no reviews, but a cursor. Cites 4.rules.reviews-stop. */
const emptyFirstPage: Wrap = (next, context) => {
  const emptied = onPart(['listReviews'], ['data'], (data) =>
    isObject(data) ? { ...data, reviews: [], nextCursor: firstPage } : data,
  )(next, context);
  return (request) => {
    const cursor = cursorOf(request);
    if (cursor === firstPage) return next(withQuery(request, { cursor: null }));
    return cursor === null ? emptied(request) : next(request);
  };
};

const cursorOf = ({ query }: CoreRequest) => new URLSearchParams(query).get('cursor');

/** One field more in each object that the contract does not close. Cites 2.extra-fields. */
const nestedExtras: Wrap = (next, context) => {
  const more = (inner: Json): Json =>
    Array.isArray(inner) ? inner.map(more) : isObject(inner) ? { ...inner, hint: {} } : inner;
  const paths = {
    listAccounts: ['accounts', 'pendingInvites', 'billing'],
    listReviews: ['aggregate'],
    getInsights: ['range', 'metrics'],
  } as const;
  return Object.entries(paths)
    .flatMap(([operation, names]) => names.map((name) => onPart([operation as OperationId], [`data.${name}`], more)))
    .reduce((handle, wrap) => wrap(handle, context), next);
};

const dress = '+/&=# é%2B';

/** Cursors with characters that a URL gives a meaning. */
const specialCursors: Wrap = (next, context) => {
  const dressed = onPart(['listReviews'], ['data.nextCursor'], (cursor) => (cursor ? `${dress}${cursor}` : cursor))(
    next,
    context,
  );
  return (request) => {
    const cursor = cursorOf(request);
    return dressed(cursor?.startsWith(dress) ? withQuery(request, { cursor: cursor.slice(dress.length) }) : request);
  };
};

/** The first page has an empty string as its cursor, which is one like any other (R14). */
const emptyCursor: Wrap = (next, context) => {
  const cursors = new Map<string, string>();
  const emptied = onPart(['listReviews'], ['data.nextCursor'], (cursor, request) => {
    if (cursorOf(request) !== null || !cursor) return cursor;
    cursors.set(request.path, String(cursor));
    return '';
  })(next, context);
  return (request) => {
    const cursor = cursors.get(request.path);
    return emptied(cursorOf(request) === '' && cursor !== undefined ? withQuery(request, { cursor }) : request);
  };
};

/** The words of an error are free. Cites 7.envelope.branch-on-code. */
export const wordsOfKeys = onPart(
  accountOperations,
  ['error.message', 401],
  () => 'Unauthorized: the key of this account is invalid or was revoked.',
);

const records = ['listArticles', 'listSites', 'listKeywords'] as const;
const lists = [...records, 'listAccounts', 'listReviews'] as const;
const all = [...lists, 'listCalls'] as const;
const single = [...records, 'getArticle', 'getSite'] as const;

export const extra: Shape = {
  type: 'object',
  fields: { hint: { type: 'string' }, nested: { type: 'object', fields: { count: { type: 'integer' } } } },
};
const extraIn = (...kinds: string[]): { behavior: Partial<WorldBehavior> } => ({
  behavior: { extraFields: { type: 'object', fields: Object.fromEntries(kinds.map((kind) => [kind, extra])) } },
});

const forms = {
  seconds: 'YYYY-MM-DDThh:mm:ss[.fff]Z',
  microseconds: 'YYYY-MM-DDThh:mm:ss.ffffffZ',
  'zero-offset': 'YYYY-MM-DDThh:mm:ss.fff+00:00',
  offset: 'YYYY-MM-DDThh:mm:ss.fff+05:30',
  'negative-offset': 'YYYY-MM-DDThh:mm:ss.fff-08:00',
  'short-offset': 'YYYY-MM-DDThh:mm:ss.fff+02',
  comma: 'YYYY-MM-DDThh:mm:ss,fffZ',
  basic: 'YYYYMMDDThhmmss.fffZ',
};
const timestampRows = Object.entries(forms).map(
  ([id, form]): Row => [
    `formats/timestamp-${id}`,
    `writes timestamps as ${form}`,
    '2.at-iso',
    single,
    { sameValues: true, behavior: { timestampForm: form } },
  ],
);

// biome-ignore format: one row a line
export const formatRows: readonly Row[] = [
  ['formats/plain-type', 'sends application/json without a charset', '4.json', all, { behavior: { contentType: 'application/json' } }],
  ['formats/other-type', 'sends application/json;charset=UTF-8', '4.json', all, { behavior: { contentType: 'application/json;charset=UTF-8' } }],
  ['formats/unknown-fields', 'adds unknown fields to articles, sites and keywords', '2.extra-fields', single, extraIn('article', 'site', 'keyword')],
  ['formats/unknown-envelope', 'adds unknown fields next to data', '2.extra-fields', all, extraIn('envelope')],
  ['formats/nested-fields', 'adds unknown fields to accounts, invites, aggregates and metrics', '2.extra-fields',
    ['listAccounts', 'listReviews', 'getInsights'], { wrap: nestedExtras, stated: [] }],
  ['formats/absent', 'leaves out optional fields of reviews and the last cursor', '2.list-reviews-output.next-cursor', ['listReviews'],
    { behavior: { reviewEnd: 'absent', reviewAggregate: 'absent', reviewReplied: 'none' } }],
  ['formats/no-summary', 'sends pages of the call log without summary', '4.calls.summary', ['listCalls'], { behavior: { callSummary: 'absent' } }],
  ['formats/texts', 'sends texts with emoji, quotes, line breaks and HTML', '4.json', [...lists, 'listAccounts', 'listReviews'], { world: withOrnateTexts }],
  ['formats/replied', 'sends replied, but not replyText', '2.review-item.replied', ['listReviews'],
    { about: 'replies', world: withReplies, behavior: { reviewReplied: 'always-without-text' } }],
  ['formats/reply-text', 'sends replyText, but not replied', '2.review-item.replied', ['listReviews'],
    { about: 'replies', world: withReplies, behavior: { reviewReplied: 'text-only' } }],
  ['formats/null', 'sends null for permalink and repliedAt', '2.create-post-output.permalink', ['createPost', 'replyToReview'],
    { behavior: { permalink: 'null', repliedAt: 'null' } }],
  ['formats/null-fields', 'sends null in every nullable field', '2.article.target-keyword', ['listArticles', 'listKeywords', 'listAccounts', 'listReviews'],
    { world: withNulls }],
  ['formats/some-null', 'sends null for every second rating, seoScore, searchVolume and difficulty', '2.review-item.rating',
    ['listReviews', 'listArticles', 'listKeywords'], { about: 'nulls', world: withSomeNulls }],
  ['formats/ratings', 'sends ratings such as 1.75 and 4.25', '2.review-item.rating', ['listReviews'], { about: 'ratings', world: withFractions }],
  ['formats/rate-headers', 'sends the headers of rate limits only with a 429', '8.headers.when', Object.keys(operations) as OperationId[],
    { behavior: { rateHeaders: 'blocked' } }],
  ['formats/long-texts', 'sends reviews of 5,000 characters, titles of 6,300 and names of 110', '8.reply-text',
    ['listReviews', 'listArticles', 'listSites', 'listAccounts'], { about: 'long-texts', world: withLongTexts, succeeds: false }],
  ['formats/uuid-7', 'sends ids that are UUIDs of version 7', '2.ids-uuid', [...records, 'listAccounts'], { behavior: { idVersion: '7' } }],
  ['formats/fractions', 'sends fractions in insights', '2.get-insights-output.metrics.total', ['getInsights'],
    { about: 'fractions', behavior: { numbers: 'fractions' } }],
  ['formats/no-points', 'sends metrics without points', '4.connect.insights.points', ['getInsights'], { behavior: { insightPoints: 'none' } }],
  ['formats/error-fields', 'adds unknown fields to the error of a 503', '7.envelope.tool-extra', accountOperations,
    { ...extraIn('error'), target: 'read', fault: { error: 'transient', times: 1 }, succeeds: true }],
  ['formats/uuid-case', 'sends ids of records in uppercase, and siteId in lowercase', '2.ids-uuid', records,
    { behavior: { idCase: 'mixed' }, stated: [], remedy: 'Compare UUIDs without regard to case.' }],
  ...timestampRows,
  ['formats/timestamp-plain', 'writes dates of accounts and reviews with an offset', '2.review-item.date', ['listAccounts', 'listReviews'],
    { sameValues: true, stated: [], behavior: { plainTimestampForm: forms.offset } }],
  ['formats/timestamp-mixed', 'writes every second createdAt of articles with an offset', '2.at-iso', ['listArticles'],
    { sameValues: true, wrap: mixedOffsets }],
];

export const encoded = 'Percent-encode cursors and ids in URLs.';
const articlesOnly = ['listArticles'] as const;
const reviewsOnly = ['listReviews'] as const;

// biome-ignore format: one row a line
export const pageRows: readonly Row[] = [
  ['pages/articles-short', 'sends at most 2 articles on a page', '4.articles.list.walk', articlesOnly, { behavior: { articlePageCap: 2 } }],
  ['pages/articles-single', 'sends 1 article on a page', '4.articles.list.walk', articlesOnly, { behavior: { articlePageCap: 1 } }],
  ['pages/articles-empty-end', 'ends the articles with an empty page', '4.articles.list.end', articlesOnly, { behavior: { articleEnd: 'empty-page' } }],
  ['pages/articles-oldest', 'sends the oldest article first', '4.articles.list.order', articlesOnly, { behavior: { articleOrder: 'oldest' } }],
  ['pages/articles-plus', 'sends cursors of articles with a +', '2.at-iso', articlesOnly,
    { behavior: { timestampForm: forms.offset, articlePageCap: 2 }, needsMore: true, remedy: encoded }],
  ['pages/articles-ties', 'sends articles of the same time on one page', '4.articles.list.ties', articlesOnly, { world: withTies, leastLimit: 2 }],
  ['pages/articles-alike', 'sends articles with the same title and slug', '2.article.id', articlesOnly, { world: withTwins }],
  ['pages/articles-close', 'sends articles that differ by microseconds', '4.articles.list.cursor-value', articlesOnly,
    { world: withMicroseconds, behavior: { timestampForm: forms.microseconds, articlePageCap: 2 }, needsMore: true,
      remedy: 'Send the cursor unchanged, and compare timestamps with all of their digits.' }],
  ['pages/articles-change', 'gets a new article between two pages', '4.articles.list.walk', articlesOnly,
    { afterFirst: ['listArticles', addArticle], needsMore: true, behavior: { articlePageCap: 5 } }],
  ['pages/reviews-short', 'sends 3 reviews on a page', '4.rules.reviews-walk', reviewsOnly, { behavior: { reviewPageSize: 3 } }],
  ['pages/reviews-single', 'sends 1 review on a page', '4.rules.reviews-walk', reviewsOnly, { behavior: { reviewPageSize: 1 } }],
  ['pages/reviews-empty-end', 'ends the reviews with an empty page', '4.rules.reviews-stop', reviewsOnly, { behavior: { reviewLastPage: 'empty' } }],
  ['pages/reviews-empty-start', 'sends an empty first page with a cursor', '4.rules.reviews-stop', reviewsOnly, { wrap: emptyFirstPage }],
  ['pages/reviews-base64', 'sends cursors of reviews in base64', '4.rules.reviews-pagination', reviewsOnly,
    { behavior: { reviewCursor: 'base64' }, needsMore: true, remedy: encoded }],
  ['pages/reviews-special', 'sends cursors of reviews with +, /, &, =, # and blanks', '4.rules.reviews-pagination', reviewsOnly,
    { wrap: specialCursors, needsMore: true, remedy: encoded }],
  ['pages/reviews-blank', 'sends an empty string as the cursor of the second page', '4.rules.reviews-stop', reviewsOnly,
    { wrap: emptyCursor, needsMore: true, remedy: 'Send back an empty string too: a list ends when its cursor is null or absent.' }],
  ['pages/reviews-ids', 'sends review ids with /, % and blanks', '2.review-item.review-id', [...reviewsOnly, 'replyToReview'],
    { behavior: { reviewIdForm: 'opaque, to be encoded' }, remedy: encoded }],
  ['pages/reviews-change', 'gets a new review between two pages', '4.rules.reviews-walk', reviewsOnly,
    { afterFirst: ['listReviews', addReview], needsMore: true }],
];

function addArticle(engine: Engine): void {
  engine.putArticle(firstOf(engine), { title: 'New' });
}

function addReview(engine: Engine): void {
  const accounts = engine.world.organizations.get(firstOf(engine))?.accounts.values() ?? [];
  for (const { accountId } of accounts) engine.addReview(firstOf(engine), accountId, { text: 'Just now.' });
}

function firstOf({ world }: Engine): string {
  return world.organizations.keys().next().value ?? '';
}
