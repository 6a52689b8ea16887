// Organizations with their keys, accounts and records: those of the world, and fresh ones for test workers that want to
// be alone. Records change while an application runs: a review arrives, an article is published.
import { type Account, describeAccount } from '../../domain/accounts.ts';
import type { Organization } from '../../domain/world.ts';
import type { ArticleWishes } from '../../engine/live-records.ts';
import type { CoreResponse } from '../../http/message.ts';
import { baseUrlOf } from '../../http/route.ts';
import { type AdminCall, fail, reply } from '../reply.ts';
import { about, dateTime, flag, number, oneOf, optional, orNull, type Shaped, text, uuid } from '../shape.ts';
import { firstOrganization, verb } from '../verb.ts';

// A test run that never cleans up adds one organization for each of its workers.
const organizationsMax = 10_000;
const contactsShown = 1000;
const articlesShown = 200;

/** In order, or one of the two reasons of a 402. */
const payments = ['ok', 'payment_method_required', 'renewal_pending'] as const;

// The fields that a new review and a put article can have. The mock returns them, so they must be what the contract
// promises.
const review = {
  author: optional(text(200), 'Name of the author'),
  rating: orNull(number({ min: 1, max: 5 }), 'Rating, or null (default: 5)'),
  text: optional(text(5000), 'Text of the review'),
  date: optional(dateTime, 'Date as an ISO 8601 date-time (default: now)'),
} as const;

const article = {
  id: optional(uuid, 'ID of the article to change (default: a new one)'),
  siteId: optional(uuid, 'ID of the site (default: the first one)'),
  title: optional(text(500), 'Title'),
  slug: optional(text(500), 'Slug (default: made of the title)'),
  status: optional(oneOf(['planned', 'generating', 'draft', 'scheduled', 'published', 'failed']), 'Status'),
  targetKeyword: orNull(text(500), 'Target keyword, or null'),
  wordCount: optional(number({ min: 0, max: 1_000_000, whole: true }), 'Number of words'),
  seoScore: orNull(number({ min: 0, max: 1000, whole: true }), 'SEO score, or null'),
  publishedAt: orNull(dateTime, 'Date of publication, or null'),
} as const;

// Every state that the contract names can be reached here, because it shows no way into most of them. Cites
// 3.transitions.
const account = {
  status: optional(oneOf(['pending', 'connected', 'expired', 'revoked', 'pending_api_access']), 'Status'),
  locked: optional(flag, 'Whether writes return 402'),
  trouble: orNull(
    oneOf(['provider_error', 'transient', 'rate_limited', 'none']),
    'Error of the platform for every operation on the account',
  ),
  needsPayment: optional(flag, 'Whether paid actions of the whole organization return 402'),
} as const;

export const organizationVerbs = {
  listOrganizations: verb(
    'GET /organizations',
    'Organizations with keys and accounts.',
    null,
    ({ engine: { world }, request }) =>
      reply({
        baseUrl: baseUrlOf(request),
        organizations: [...world.organizations.values()].map(describeOrganization),
      }),
  ),
  /** For a test worker that wants to be alone: own records, an own key, and so a separate key window. */
  addOrganization: verb(
    'POST /organizations',
    'A new organization with its own key.',
    {
      world: optional(text(100), 'World to copy: start (default), default, empty or another one of the mock'),
      name: optional(text(80), 'Name of the organization'),
    },
    ({ engine, request }, input) => {
      if (engine.world.organizations.size >= organizationsMax) {
        const removed = 'POST /__admin/reset removes those that were added';
        return fail(409, `There are ${organizationsMax} organizations already; ${removed}.`);
      }
      try {
        const { organization, keys } = engine.addOrganization(input);
        return reply({ baseUrl: baseUrlOf(request), key: keys[0], ...describeOrganization(organization) }, 201);
      } catch (error) {
        if (error instanceof RangeError) return fail(400, error.message);
        throw error;
      }
    },
  ),
  /** Assumption C30. */
  putOrganization: verb(
    'PUT /organizations/{organizationId}',
    'Set or clear the payment problem of an organization.',
    { payment: about('Reason for which paid actions return 402, or ok', oneOf(payments)) },
    (call, { payment }) =>
      inOrganization(call, (organization) => {
        call.engine.changePayment(organization.id, payment);
        return reply(describeOrganization(organization));
      }),
  ),
  putAccount: verb(
    'PUT /organizations/{organizationId}/accounts/{accountId}',
    'Change the state of an account. Changes the state of an account. Requests for it are then rejected as in production.',
    account,
    (call, { trouble, needsPayment, ...state }) =>
      inOrganization(call, ({ id }) => {
        const { accountId = '' } = call.path;
        const wishes = { ...state, trouble: trouble === 'none' ? null : trouble };
        const changed = call.engine.changeAccount(id, accountId, wishes);
        if (!changed) return unknownAccount(id, `"${accountId}"`);
        if (needsPayment !== undefined) call.engine.changePayment(id, needsPayment ? 'payment_method_required' : 'ok');
        return reply(describeWholeAccount(changed));
      }),
    { tools: ['state'] },
  ),
  addReview: verb(
    'POST /organizations/{organizationId}/accounts/{accountId}/reviews',
    'Add a review by a customer to an account.',
    review,
    (call, input) => addReview(call, input),
    { tools: ['arrive'] },
  ),
  addReviewAnywhere: verb(
    'POST /organizations/{organizationId}/reviews',
    'Add a review to the first account with reviews.',
    review,
    (call, input) => addReview(call, input),
  ),
  /** For people who look for one to publish; the API has all of them. */
  listAdminArticles: verb(
    'GET /organizations/{organizationId}/articles',
    'The newest articles of an organization.',
    null,
    (call) =>
      inOrganization(call, ({ articles }) => {
        const all = articles.toData();
        return reply({ articles: all.slice(0, articlesShown), total: all.length });
      }),
  ),
  putArticle: verb(
    'POST /organizations/{organizationId}/articles',
    'Add an article, or change the one with the given ID.',
    article,
    (call, input) =>
      inOrganization(call, ({ id }) => {
        // Fields that are absent are not in the input.
        const put = call.engine.putArticle(id, input as ArticleWishes);
        return put ? reply(put, 201) : fail(409, `Organization "${id}" has no site that an article could be of.`);
      }),
  ),
  publishArticle: verb(
    'POST /organizations/{organizationId}/articles/{articleId}/publish',
    'Publish an article now.',
    null,
    (call) =>
      inOrganization(call, ({ id }) => {
        const { articleId = '' } = call.path;
        const published = call.engine.publishArticle(id, articleId);
        return published ? reply(published) : fail(404, `Organization "${id}" has no article "${articleId}".`);
      }),
  ),
  listContacts: verb(
    'GET /organizations/{organizationId}/contacts',
    'Contacts that the tool dialer_import_contacts imported.',
    null,
    (call) =>
      inOrganization(call, ({ contacts }) => reply({ contacts: contacts.newest(contactsShown), total: contacts.size })),
  ),
} as const;

const addReview = (call: AdminCall, input: Shaped<typeof review>) =>
  inOrganization(call, ({ id }) => {
    const { accountId } = call.path;
    const added = call.engine.addReview(id, accountId, input);
    if (added.ok) return reply(added.value, 201);
    if (added.rejection.code !== 'not_found') return fail(400, added.rejection.message);
    return unknownAccount(id, accountId === undefined ? 'with reviews' : `"${accountId}"`);
  });

/** 404 with the way to the list. */
const unknownAccount = (id: string, account: string) =>
  fail(404, `Organization "${id}" has no account ${account}; GET /__admin/organizations lists them.`);

/** The organization that the path names. 404 with the way to the list. */
function inOrganization(
  { engine: { world }, path: { organizationId = '' } }: AdminCall,
  use: (organization: Organization) => CoreResponse,
): CoreResponse {
  const [first] = world.organizations.values();
  const organization = organizationId === firstOrganization ? first : world.organizations.get(organizationId);
  if (organization) return use(organization);
  if (!first) return fail(404, 'This world has no organization; make one with POST /__admin/organizations.');
  return fail(404, `There is no organization "${organizationId}"; GET /__admin/organizations lists them.`);
}

/** `none` instead of null, since a form sends a text. */
export const describeWholeAccount = (account: Account) => ({
  ...describeAccount(account),
  trouble: account.trouble ?? 'none',
});

/** Counts instead of records: a world may hold a hundred thousand. */
export function describeOrganization({ id, name, payment, keys, accounts, ...records }: Organization) {
  const { sites, counts, contacts } = records;
  return {
    id,
    name,
    payment,
    keys,
    accounts: [...accounts.values()].map(describeWholeAccount),
    counts: { sites: sites.list().length, ...counts, contacts: contacts.size },
  };
}
