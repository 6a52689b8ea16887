// Organizations that see each other. Cites 1.organization-scope, 1.foreign-record, 5.key-organization, 4.sites.list.
import type { OperationId } from '../contract/generated/operations.ts';
import { applyWorldChange } from '../domain/change.ts';
import type { Organization } from '../domain/world.ts';
import type { AnyHandler } from '../http/handler.ts';
import { readInput } from '../http/input.ts';
import type { CoreResponse } from '../http/message.ts';
import { handlers } from '../http/routes/index.ts';
import type { Wrap } from './hooks/mutant.ts';
import { mutantsNeeding } from './hooks/mutants-of.ts';
import {
  isKeyed,
  type KeyedExchange,
  onAnswer,
  onRefusal,
  onSuccess,
  onSuccessAnswer,
  type Which,
} from './hooks/recipes.ts';
import { asRefusal, asSuccess, isObject, type Json } from './hooks/rewrite.ts';

/** What the mock would answer a key of another organization; null for a refusal. */
function answerAs(organization: Organization, { match, request, context }: KeyedExchange): Json | null {
  const { world } = context;
  const input = readInput(match, request, world.choices);
  if (!input.ok) return null;
  const handler = handlers[match.operation.id] as AnyHandler;
  const outcome = handler(input.value, { world, organization, nowMs: context.nowMs(), origin: request.origin });
  if (!outcome.ok) return null;
  const { output, change } = outcome.value;
  if (change) applyWorldChange(world, change);
  return JSON.parse(JSON.stringify(output)) as Json;
}

const othersOf = ({ organization, context }: KeyedExchange) =>
  [...context.world.organizations.values()].filter(({ id }) => id !== organization.id);

/** A record that is unknown to the organization is looked for in the others. */
const foundElsewhere = (which: Which): Wrap =>
  onRefusal({ which, code: 'not_found' }, (response, _error, exchange) => {
    if (!isKeyed(exchange)) return response;
    for (const other of othersOf(exchange)) {
      const answer = answerAs(other, exchange);
      if (answer !== null) return asSuccess(response, answer);
    }
    return response;
  });

/** Whoever asks, the first organization's list comes. */
const ofFirst = (which: OperationId): Wrap =>
  onSuccessAnswer(which, (response, exchange) => {
    const [first] = exchange.context.world.organizations.values();
    if (!first || first.id === exchange.organization.id) return response;
    const answer = answerAs(first, exchange);
    return answer === null ? response : asSuccess(response, answer);
  });

const records = mutantsNeeding('second-key', {
  '1.foreign-record': {
    'foreign-article-by-id': [
      'GET /articles/{id} answers an article of another organization; its list does not show it.',
      foundElsewhere('getArticle'),
    ],
    'foreign-site-by-id': ['GET /sites/{id} answers a site of another organization.', foundElsewhere('getSite')],
    'foreign-keywords': [
      'GET /keywords answers the keywords of another organization’s site.',
      onAnswer('listKeywords', (response, exchange) => adopt(response, exchange)),
    ],
    'foreign-articles-by-site': [
      'GET /articles with the `siteId` of another organization answers that site’s articles.',
      onSuccessAnswer('listArticles', (response, exchange) => adopt(response, exchange)),
    ],
    'foreign-reviews': ['Reviews of another organization’s account can be read.', foundElsewhere('listReviews')],
    'foreign-insights': ['Insights of another organization’s account can be read.', foundElsewhere('getInsights')],
    'foreign-article-forbidden': [
      'An article of another organization answers 403, where one that does not exist answers 404.',
      onRefusal({ which: 'getArticle', code: 'not_found' }, (response, _error, exchange) =>
        isKeyed(exchange) && othersOf(exchange).some(({ articles }) => articles.get(exchange.match.path.id ?? ''))
          ? asRefusal(response, 403, { code: 'forbidden', message: 'This article belongs to another organization.' })
          : response,
      ),
    ],
  },
});

const lists = mutantsNeeding('second-key', {
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
        const strangers = othersOf(exchange).flatMap((other) => invitesIn(answerAs(other, exchange)));
        return { ...body, data: { ...body.data, pendingInvites: [...body.data.pendingInvites, ...strangers] } };
      }),
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
      'Whichever key asks, GET /sites lists the first organization’s sites.',
      ofFirst('listSites'),
    ],
    'accounts-of-first-organization': [
      'Whichever key asks, GET /connect/accounts lists the first organization’s accounts.',
      ofFirst('listAccounts'),
    ],
    'calls-of-first-organization': [
      'Whichever key asks, the call log is the first organization’s.',
      ofFirst('listCalls'),
    ],
  },
});

function invitesIn(answer: Json | null): Json[] {
  const data = isObject(answer ?? undefined) ? (answer as { data?: Json }).data : undefined;
  return isObject(data) && Array.isArray(data.pendingInvites) ? data.pendingInvites : [];
}

/** Answers for the site of another organization as that one would be answered. */
function adopt(response: CoreResponse, exchange: Parameters<typeof isKeyed>[0]): CoreResponse {
  const { siteId } = exchange.query;
  if (siteId === undefined || !isKeyed(exchange)) return response;
  const owner = othersOf(exchange).find(({ sites }) => sites.get(siteId));
  const answer = owner ? answerAs(owner, exchange) : null;
  return answer === null ? response : asSuccess(response, answer);
}

export const isolationMutants = [...records, ...lists];
