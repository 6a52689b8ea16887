// Changes while an application runs: a review arrives, an article is published.
import type { Organization } from '../domain/world.ts';
import type { CoreResponse } from '../http/message.ts';
import { type AdminCall, fail, reply, withBody } from './reply.ts';
import { dateTime, number, oneOf, optional, orNull, text, timestamp, uuid } from './shape.ts';

export const addReview = (call: AdminCall) =>
  withBody(call.request, reviewShape, (wishes) => {
    const { id = '', accountId } = call.path;
    const added = call.engine.addReview(id, accountId, wishes);
    if (added.ok) return reply(added.value, 201);
    if (added.rejection.code !== 'not_found') return fail(400, added.rejection.message);
    return fail(
      404,
      `Organization "${id}" has no account ${accountId === undefined ? 'with reviews' : `"${accountId}"`}; GET /__admin/organizations lists them.`,
    );
  });

const articlesShown = 200;

/** For people who look for one to publish; the API has all of them. */
export const listArticles = (call: AdminCall) =>
  inOrganization(call, ({ articles }) => {
    const all = articles.toData();
    return reply({ articles: all.slice(0, articlesShown), total: all.length });
  });

/** Adds an article, or changes the one whose id is given. */
export const putArticle = (call: AdminCall) =>
  inOrganization(call, ({ id }) =>
    withBody(call.request, articleShape, (wishes) => {
      const defined = Object.fromEntries(Object.entries(wishes).filter(([, value]) => value !== undefined));
      const article = call.engine.putArticle(id, defined);
      return article ? reply(article, 201) : fail(409, `Organization "${id}" has no site that an article could be of.`);
    }),
  );

export const publishArticle = (call: AdminCall) =>
  inOrganization(call, ({ id }) => {
    const { articleId = '' } = call.path;
    const article = call.engine.publishArticle(id, articleId);
    return article ? reply(article) : fail(404, `Organization "${id}" has no article "${articleId}".`);
  });

/** 404 with the way to the list. */
export function inOrganization(
  { engine, path }: AdminCall,
  use: (organization: Organization) => CoreResponse,
): CoreResponse {
  const organization = engine.world.organizations.get(path.id ?? '');
  return organization
    ? use(organization)
    : fail(404, `There is no organization "${path.id}"; GET /__admin/organizations lists them.`);
}

// The fields that a new review and a put article can have. The mock returns them, so
// they must be what the contract promises.

export const reviewShape = {
  author: optional(text(200)),
  rating: orNull(number({ min: 1, max: 5 })),
  text: optional(text(5000)),
  date: optional(dateTime),
} as const;

export const articleShape = {
  id: optional(uuid),
  siteId: optional(uuid),
  title: optional(text(500)),
  slug: optional(text(500)),
  status: optional(oneOf(['planned', 'generating', 'draft', 'scheduled', 'published', 'failed'])),
  targetKeyword: orNull(text(500)),
  wordCount: optional(number({ min: 0, max: 1_000_000, whole: true })),
  seoScore: orNull(number({ min: 0, max: 1000, whole: true })),
  publishedAt: orNull(dateTime),
} as const;

export const troubleShape = orNull(oneOf(['provider_error', 'transient', 'rate_limited']));

/** The organization by its id, or by one of its keys. */
export const organizationShape = { organizationId: optional(text()), key: optional(text()) } as const;

export const ringShape = {
  ...organizationShape,
  direction: optional(oneOf(['inbound', 'outbound'])),
  from: optional(text(50)),
  to: optional(text(50)),
  agent: optional(text(100)),
  durationS: optional(number({ min: 0, max: 86_400 })),
  startedAt: optional(timestamp),
  outcome: optional(text(50)),
  provisional: optional(text(50)),
} as const;
