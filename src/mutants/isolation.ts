// Organizations that see each other. Cites 1.organization-scope, 1.foreign-record, 5.key-organization, 4.sites.list.
import type { OperationId } from '../contract/generated/operations.ts';
import { applyWorldChange } from '../domain/change.ts';
import type { Organization } from '../domain/world.ts';
import type { AnyHandler } from '../http/handler.ts';
import { readInput } from '../http/input.ts';
import type { CoreResponse } from '../http/message.ts';
import { handlers } from '../http/routes/index.ts';
import type { Mutant, Wrap } from './hooks/mutant.ts';
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

const records: readonly Mutant[] = [
  {
    name: 'foreign-article-by-id',
    breaks: '1.foreign-record',
    shows: 'GET /articles/{id} answers an article of another organization; its list does not show it.',
    wrap: foundElsewhere('getArticle'),
  },
  {
    name: 'foreign-site-by-id',
    breaks: '1.foreign-record',
    shows: 'GET /sites/{id} answers a site of another organization.',
    wrap: foundElsewhere('getSite'),
  },
  {
    name: 'foreign-keywords',
    breaks: '1.foreign-record',
    shows: 'GET /keywords answers the keywords of another organization’s site.',
    wrap: onAnswer('listKeywords', (response, exchange) => adopt(response, exchange)),
  },
  {
    name: 'foreign-articles-by-site',
    breaks: '1.foreign-record',
    shows: 'GET /articles with the `siteId` of another organization answers that site’s articles.',
    wrap: onSuccessAnswer('listArticles', (response, exchange) => adopt(response, exchange)),
  },
  {
    name: 'foreign-reviews',
    breaks: '1.foreign-record',
    shows: 'Reviews of another organization’s account can be read.',
    wrap: foundElsewhere('listReviews'),
  },
  {
    name: 'foreign-insights',
    breaks: '1.foreign-record',
    shows: 'Insights of another organization’s account can be read.',
    wrap: foundElsewhere('getInsights'),
  },
  {
    name: 'foreign-article-forbidden',
    breaks: '1.foreign-record',
    shows: 'An article of another organization answers 403, where one that does not exist answers 404.',
    wrap: onRefusal({ which: 'getArticle', code: 'not_found' }, (response, _error, exchange) =>
      isKeyed(exchange) && othersOf(exchange).some(({ articles }) => articles.get(exchange.match.path.id ?? ''))
        ? asRefusal(response, 403, { code: 'forbidden', message: 'This article belongs to another organization.' })
        : response,
    ),
  },
];

const lists: readonly Mutant[] = [
  {
    name: 'articles-of-all-organizations',
    breaks: '1.organization-scope',
    shows: 'The last page of GET /articles ends with an article of another organization.',
    wrap: onSuccess('listArticles', (body, exchange) => {
      const stranger = othersOf(exchange)[0]?.articles.toData().at(-1);
      const fits =
        isObject(body) && Array.isArray(body.data) && body.cursor === null && exchange.query.siteId === undefined;
      if (!fits || !stranger || !Array.isArray(body.data)) return body;
      const full = body.data.length >= Number(exchange.query.limit ?? 20);
      return full ? body : { ...body, data: [...body.data, stranger as unknown as Json] };
    }),
  },
  {
    name: 'sites-of-all-organizations',
    breaks: '4.sites.list',
    shows: 'GET /sites lists the sites of all organizations.',
    wrap: onSuccess('listSites', (body, exchange) =>
      isObject(body) && Array.isArray(body.data)
        ? { data: [...body.data, ...othersOf(exchange).flatMap(({ sites }) => sites.list() as unknown as Json[])] }
        : body,
    ),
  },
  {
    name: 'sites-of-first-organization',
    breaks: '5.key-organization',
    shows: 'Whichever key asks, GET /sites lists the first organization’s sites.',
    wrap: ofFirst('listSites'),
  },
  {
    name: 'accounts-of-first-organization',
    breaks: '5.key-organization',
    shows: 'Whichever key asks, GET /connect/accounts lists the first organization’s accounts.',
    wrap: ofFirst('listAccounts'),
  },
  {
    name: 'calls-of-first-organization',
    breaks: '5.key-organization',
    shows: 'Whichever key asks, the call log is the first organization’s.',
    wrap: ofFirst('listCalls'),
  },
  {
    name: 'invites-of-all-organizations',
    breaks: '1.organization-scope',
    shows: '`pendingInvites` has the invites of all organizations.',
    wrap: onSuccess('listAccounts', (body, exchange) => {
      if (!isObject(body) || !isObject(body.data) || !Array.isArray(body.data.pendingInvites)) return body;
      const strangers = othersOf(exchange).flatMap((other) => invitesIn(answerAs(other, exchange)));
      return { ...body, data: { ...body.data, pendingInvites: [...body.data.pendingInvites, ...strangers] } };
    }),
  },
];

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

export const isolationMutants: readonly Mutant[] = [...records, ...lists].map((mutant) => ({
  ...mutant,
  needs: 'second-key' as const,
}));
