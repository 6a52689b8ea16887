// Organizations that see each other. Cites 1.organization-scope, 1.foreign-record, 5.key-organization, 4.sites.list.
import type { OperationId } from '../contract/generated/operations.ts';
import type { CoreResponse } from '../http/message.ts';
import { mutantsNeeding, type Wrap } from './hooks/mutant.ts';
import {
  isKeyed,
  type KeyedRequest,
  onRejection,
  onResponse,
  onSuccess,
  onSuccessResponse,
  type Which,
} from './hooks/recipes.ts';
import { asRejection, asSuccess, isObject, type Json } from './hooks/rewrite.ts';

const othersOf = ({ organization, context }: KeyedRequest) =>
  [...context.world.organizations.values()].filter(({ id }) => id !== organization.id);

/** A record that is unknown to the organization is looked for in the others. */
const foundElsewhere = (which: Which): Wrap =>
  onRejection({ which, code: 'not_found' }, (response, _error, exchange) => {
    if (!isKeyed(exchange)) return response;
    for (const other of othersOf(exchange)) {
      const apiResponse = exchange.context.responseAs(other, exchange.request);
      if (apiResponse !== null) return asSuccess(response, apiResponse);
    }
    return response;
  });

/** Returns the first organization's list to every key, after a number of correct lists. */
const ofFirst =
  (which: OperationId, correct = 0): Wrap =>
  (next, context) => {
    let lists = 0;
    return onSuccessResponse(which, (response, exchange) => {
      const [first] = exchange.context.world.organizations.values();
      if (!first || first.id === exchange.organization.id) return response;
      lists += 1;
      const apiResponse = lists > correct ? exchange.context.responseAs(first, exchange.request) : null;
      return apiResponse === null ? response : asSuccess(response, apiResponse);
    })(next, context);
  };

const cacheMs = 20_000;

/** A cache by URL, without the key, that forgets a page after a few seconds. */
const brieflyCached =
  (which: OperationId): Wrap =>
  (next, context) => {
    const pages = new Map<string, { atMs: number; body: Json }>();
    return onSuccess(which, (body, { request: { path, query } }) => {
      const url = `${path}?${query}`;
      const nowMs = context.nowMs();
      const known = pages.get(url);
      if (known !== undefined && nowMs - known.atMs < cacheMs) return known.body;
      pages.set(url, { atMs: nowMs, body });
      return body;
    })(next, context);
  };

export const isolationMutants = mutantsNeeding('second-key', {
  '1.foreign-record': {
    'foreign-article-by-id': [
      'GET /articles/{id} returns an article of another organization; its list does not show it.',
      foundElsewhere('getArticle'),
    ],
    'foreign-keywords': [
      'GET /keywords returns the keywords of another organization’s site.',
      onResponse('listKeywords', (response, exchange) => adopt(response, exchange)),
    ],
    'foreign-articles-by-site': [
      'GET /articles with the `siteId` of another organization returns that site’s articles.',
      onSuccessResponse('listArticles', (response, exchange) => adopt(response, exchange)),
    ],
    'foreign-reviews': ['Reviews of another organization’s account can be read.', foundElsewhere('listReviews')],
    'foreign-reply': [
      'A reply to a review of another organization’s account is posted.',
      foundElsewhere('replyToReview'),
      { needs: 'second-key and writes' },
    ],
    'foreign-insights': ['Insights of another organization’s account can be read.', foundElsewhere('getInsights')],
    'foreign-article-forbidden': [
      'An article of another organization returns 403, where one that does not exist returns 404.',
      onRejection({ which: 'getArticle', code: 'not_found' }, (response, _error, exchange) =>
        isKeyed(exchange) && othersOf(exchange).some(({ articles }) => articles.get(exchange.match.path.id ?? ''))
          ? asRejection(response, 403, { code: 'forbidden', message: 'This article belongs to another organization.' })
          : response,
      ),
    ],
  },
  '1.organization-scope': {
    'articles-of-all-organizations': [
      'The last page of GET /articles ends with an article of another organization.',
      onSuccess('listArticles', (body, exchange) => {
        const stranger = othersOf(exchange)[0]?.articles.toData().at(-1);
        const fits =
          isObject(body) && Array.isArray(body.data) && body.cursor === null && exchange.query.siteId === undefined;
        if (!fits || !stranger || !Array.isArray(body.data)) return body;
        const full = body.data.length >= Number(exchange.query.limit ?? 20);
        return full ? body : { ...body, data: [...body.data, stranger as unknown as Json] };
      }),
    ],
    'invites-of-all-organizations': [
      '`pendingInvites` has the invites of all organizations.',
      onSuccess('listAccounts', (body, exchange) => {
        if (!isObject(body) || !isObject(body.data) || !Array.isArray(body.data.pendingInvites)) return body;
        const strangers = othersOf(exchange).flatMap((other) =>
          invitesIn(exchange.context.responseAs(other, exchange.request)),
        );
        return { ...body, data: { ...body.data, pendingInvites: [...body.data.pendingInvites, ...strangers] } };
      }),
      { needs: 'second-key and writes' },
    ],
  },
  '4.sites.list': {
    'sites-of-all-organizations': [
      'GET /sites lists the sites of all organizations.',
      onSuccess('listSites', (body, exchange) =>
        isObject(body) && Array.isArray(body.data)
          ? { data: [...body.data, ...othersOf(exchange).flatMap(({ sites }) => sites.list() as unknown as Json[])] }
          : body,
      ),
    ],
  },
  '5.key-organization': {
    'sites-of-first-organization': [
      'With every key, GET /sites lists the first organization’s sites.',
      ofFirst('listSites'),
    ],
    'accounts-of-first-organization': [
      'With every key, GET /connect/accounts lists the first organization’s accounts.',
      ofFirst('listAccounts'),
    ],
    'later-sites-of-first-organization': [
      'With another key, GET /sites lists the first organization’s sites from the second request on.',
      ofFirst('listSites', 1),
    ],
    'articles-cached-for-seconds': [
      'GET /articles is cached by URL for 20 s, without the key: the other organization gets the page.',
      brieflyCached('listArticles'),
    ],
    'accounts-cached-for-seconds': [
      'GET /connect/accounts is cached for 20 s, without the key: the other organization gets the list.',
      brieflyCached('listAccounts'),
    ],
    'calls-of-first-organization': ['With every key, the call log is the first organization’s.', ofFirst('listCalls')],
  },
});

function invitesIn(apiResponse: Json | null): Json[] {
  const data = isObject(apiResponse ?? undefined) ? (apiResponse as { data?: Json }).data : undefined;
  return isObject(data) && Array.isArray(data.pendingInvites) ? data.pendingInvites : [];
}

/** Responses for the site of another organization as that one would get a response. */
function adopt(response: CoreResponse, exchange: Parameters<typeof isKeyed>[0]): CoreResponse {
  const { siteId } = exchange.query;
  if (siteId === undefined || !isKeyed(exchange)) return response;
  const owner = othersOf(exchange).find(({ sites }) => sites.get(siteId));
  const apiResponse = owner ? exchange.context.responseAs(owner, exchange.request) : null;
  return apiResponse === null ? response : asSuccess(response, apiResponse);
}
