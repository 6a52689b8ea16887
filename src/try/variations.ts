// Legal variations of data and cursors, for which the mock has no option.
import type { Article, Keyword } from '../contract/generated/types.ts';
import type { AccountData, OrganizationData, WorldData } from '../domain/world-data.ts';
import { bodyText } from '../http/message.ts';
import type { Wrap } from '../mutants/hooks/mutant.ts';
import { onResponse } from '../mutants/hooks/recipes.ts';
import { change, isObject, onJson, withQuery } from '../mutants/hooks/rewrite.ts';
import type { CallPlan } from './world.ts';

function onOrganizations(edit: (organization: OrganizationData) => Partial<OrganizationData>) {
  return (world: WorldData): WorldData => ({
    ...world,
    organizations: world.organizations.map((organization) => ({ ...organization, ...edit(organization) })),
  });
}

const blankArticle = (article: Article) => ({ ...article, targetKeyword: null, seoScore: null, publishedAt: null });
const blankKeyword = (keyword: Keyword) => ({ ...keyword, searchVolume: null, difficulty: null, intent: null });
const blankAccount = (account: AccountData): AccountData => ({
  ...account,
  name: null,
  connectedAt: account.status === 'connected' ? account.connectedAt : null,
  reviews: account.reviews.map((review) => ({ ...review, rating: null })),
});

/** Every nullable field that can be null. */
export const withNulls = onOrganizations(({ articles, keywords, accounts }) => ({
  articles: articles.map((article) =>
    article.status === 'published' ? { ...article, targetKeyword: null, seoScore: null } : blankArticle(article),
  ),
  keywords: keywords.map(blankKeyword),
  accounts: accounts.map(blankAccount),
}));

/** The first two articles share a timestamp, and no page with two articles and more parts them. */
export const withTies = onOrganizations(({ articles }) => {
  const [first, second, ...rest] = articles;
  if (!first || !second) return {};
  return { articles: [first, { ...second, createdAt: first.createdAt }, ...rest] };
});

/** More calls than fit on a page. */
export function withManyCalls(usual: readonly CallPlan[]): CallPlan[] {
  return [...usual, ...Array.from({ length: 205 }, () => ({ visibleS: 200 }))];
}

const firstPage = 'page:0';

/** The first page has no reviews, but a cursor. Cites 4.rules.reviews-stop. */
export const emptyFirstPage: Wrap = (next, context) => {
  const emptied = onResponse('listReviews', (response) =>
    response.status === 200
      ? onJson(
          response,
          change('data', (data) => (isObject(data) ? { ...data, reviews: [], nextCursor: firstPage } : data)),
        )
      : response,
  )(next, context);
  return (request) => {
    const cursor = new URLSearchParams(request.query).get('cursor');
    if (cursor === firstPage) return next(withQuery(request, { cursor: null }));
    return cursor === null ? emptied(request) : next(request);
  };
};

const dress = '+/&=# é%2B';

/** Cursors with characters that a URL gives a meaning. */
export const specialCursors: Wrap = (next, context) => {
  const dressed = onResponse('listReviews', (response) => {
    const hasCursor = response.status === 200 && /"nextCursor":"/.test(bodyText(response));
    if (!hasCursor) return response;
    return onJson(
      response,
      change('data.nextCursor', (cursor) => `${dress}${String(cursor)}`),
    );
  })(next, context);
  return (request) => {
    const cursor = new URLSearchParams(request.query).get('cursor');
    return dressed(cursor?.startsWith(dress) ? withQuery(request, { cursor: cursor.slice(dress.length) }) : request);
  };
};
