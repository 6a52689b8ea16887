// The ways in which a mutant takes hold of the pipeline: before a request goes in, or when a response of one kind comes
// out.

import type { OperationId } from '../../contract/generated/operations.ts';
import { words } from '../../contract/words.ts';
import type { Account } from '../../domain/accounts.ts';
import type { Organization } from '../../domain/world.ts';
import { bearerKey } from '../../http/caller.ts';
import type { CoreRequest, CoreResponse } from '../../http/message.ts';
import { readQuery } from '../../http/query.ts';
import { basePath, type Match, route } from '../../http/route.ts';
import type { MutantContext, Wrap } from './mutant.ts';
import {
  asCrash,
  change,
  type Edit,
  isBlock,
  isObject,
  type Json,
  type JsonObject,
  onJson,
  readJson,
  withBody,
  withQuery,
  withStatus,
} from './rewrite.ts';

/** The operations on connected accounts, which have the tool envelope. */
export const connectOperations = words(
  'listAccounts createConnectLink createPost listReviews replyToReview getInsights',
);

/** One operation, several, or all of them. */
export type Which = OperationId | readonly OperationId[] | 'every';

/** A request that names an operation, and who sends it. */
export interface MatchedRequest {
  readonly request: CoreRequest;
  readonly match: Match;
  readonly query: Readonly<Record<string, string>>;
  /** Whose key the request carries; null when the key is not a good one. */
  readonly organization: Organization | null;
  readonly context: MutantContext;
}

export interface KeyedRequest extends MatchedRequest {
  readonly organization: Organization;
}

/** null for no key, a wrong one and a revoked one alike. */
export function ownerOf(request: CoreRequest, { world }: MutantContext): Organization | null {
  const entry = world.keys.get(bearerKey(request.headers) ?? '');
  return entry && !entry.revoked ? entry.organization : null;
}

/** null for a request that a mutant is not about. */
function exchangeOf(request: CoreRequest, context: MutantContext, which: Which): MatchedRequest | null {
  const match = route(request.method, request.path);
  if (typeof match === 'string') return null;
  const { id } = match.operation;
  if (which !== 'every' && id !== which && !which.includes(id)) return null;
  return { request, match, query: readQuery(request.query), organization: ownerOf(request, context), context };
}

export function isKeyed(exchange: MatchedRequest): exchange is KeyedRequest {
  return exchange.organization !== null;
}

/** Undefined where the organization does not have the account of the path. */
export function accountOf({ organization, match }: KeyedRequest): Account | undefined {
  return organization.accounts.get((match.path.accountId ?? '').toLowerCase());
}

/** Changes requests to an operation before the mock sees them. */
export function onRequest(which: Which, edit: (exchange: MatchedRequest) => CoreRequest): Wrap {
  return (next, context) => (request) => {
    const exchange = exchangeOf(request, context, which);
    return next(exchange ? edit(exchange) : request);
  };
}

/** Changes one parameter of the query before the mock sees it; null takes it away. */
export function onQuery(
  which: Which,
  name: string,
  edit: (value: string | undefined, exchange: MatchedRequest) => string | null | undefined,
): Wrap {
  return onRequest(which, (exchange) => {
    const value = exchange.query[name];
    const edited = edit(value, exchange);
    return edited === value ? exchange.request : withQuery(exchange.request, { [name]: edited ?? null });
  });
}

/** Changes responses of an operation with any content, except a limiter's block. */
export function onResponse(
  which: Which,
  edit: (response: CoreResponse, exchange: MatchedRequest) => CoreResponse,
): Wrap {
  return (next, context) => (request) => {
    const exchange = exchangeOf(request, context, which);
    const response = next(request);
    return exchange && !isBlock(response) ? edit(response, exchange) : response;
  };
}

export function onSuccess(which: Which, edit: (body: Json, exchange: KeyedRequest) => Json): Wrap {
  return onResponse(which, (response, exchange) =>
    response.status === 200 && isKeyed(exchange) ? onJson(response, (body) => edit(body, exchange)) : response,
  );
}

/** Edits the values at a path of a success. */
export function onField(which: Which, path: string, edit: (value: Json, exchange: KeyedRequest) => Json): Wrap {
  return onSuccess(which, (body, exchange) => change(path, (value) => edit(value, exchange))(body));
}

/** Edits every `nth` success, as one of several instances would do it. */
export function onEach(nth: number, which: Which, edit: (body: Json, exchange: KeyedRequest) => Json): Wrap {
  return (next, context) => {
    let count = 0;
    return onSuccess(which, (body, exchange) => {
      count += 1;
      return count % nth === 0 ? edit(body, exchange) : body;
    })(next, context);
  };
}

export function onSuccessResponse(
  which: Which,
  edit: (response: CoreResponse, exchange: KeyedRequest) => CoreResponse,
): Wrap {
  return onResponse(which, (response, exchange) =>
    response.status === 200 && isKeyed(exchange) ? edit(response, exchange) : response,
  );
}

/** Which rejections; all when both are absent. */
export interface RejectionKind {
  readonly which?: Which;
  readonly code?: string;
}

/** Changes a rejection that has a code, as a whole. */
export function onRejection(
  { which = 'every', code }: RejectionKind,
  edit: (response: CoreResponse, error: JsonObject, exchange: MatchedRequest) => CoreResponse,
): Wrap {
  return onResponse(which, (response, exchange) => {
    const body = response.status >= 400 ? readJson(response.body) : undefined;
    if (!isObject(body) || !isObject(body.error)) return response;
    return code === undefined || body.error.code === code ? edit(response, body.error, exchange) : response;
  });
}

/** A server error instead of the response to a request with a valid key that matches. */
export function crash(which: Which, when: (exchange: KeyedRequest) => boolean): Wrap {
  return onResponse(which, (response, exchange) =>
    isKeyed(exchange) && when(exchange) ? asCrash(response) : response,
  );
}

export function restatus(kind: RejectionKind, status: number): Wrap {
  return onRejection(kind, (response) => withStatus(response, status));
}

export function onError(kind: RejectionKind, edit: Edit): Wrap {
  return onRejection(kind, (response) => onJson(response, edit));
}

export function onBlock(edit: (response: CoreResponse, context: MutantContext) => CoreResponse): Wrap {
  return (next, context) => (request) => {
    const response = next(request);
    return isBlock(response) ? edit(response, context) : response;
  };
}

export function onEvery(edit: (response: CoreResponse, context: MutantContext) => CoreResponse): Wrap {
  return (next, context) => (request) => {
    const response = next(request);
    return request.path.startsWith(`${basePath}/`) ? edit(response, context) : response;
  };
}

/** Edits the JSON object that a request carries, so the mock accepts or rejects another one than was sent. */
export function onBody(which: Which, edit: (body: JsonObject, exchange: MatchedRequest) => JsonObject): Wrap {
  return onRequest(which, (exchange) => {
    const body = readJson(exchange.request.body);
    if (!isObject(body)) return exchange.request;
    const edited = edit(body, exchange);
    return edited === body ? exchange.request : withBody(exchange.request, edited);
  });
}

/** Undefined where the organization has no such row: then nothing is changed. */
type IdOf = (organization: Organization) => string | undefined;

/** An article by its rank, newest first, counted from 0. */
export function onArticle(rank: number, edit: Edit): Wrap {
  return onRow(['listArticles', 'getArticle'], ({ articles }) => articles.toData().at(rank)?.id, edit);
}

export function onSite(rank: number, edit: Edit): Wrap {
  return onRow(['listSites', 'getSite'], ({ sites }) => sites.list().at(rank)?.id, edit);
}

export function onKeyword(rank: number, edit: Edit): Wrap {
  return onRow(['listKeywords'], ({ keywords }) => keywords.toData().at(rank)?.id, edit);
}

/** By id instead of place, so the row is wrong on every page and with every filter. */
function onRow(
  operations: readonly ('listArticles' | 'getArticle' | 'listSites' | 'getSite' | 'listKeywords')[],
  idOf: IdOf,
  edit: Edit,
): Wrap {
  return onSuccess(operations, (body, { organization }: KeyedRequest) => {
    if (!isObject(body)) return body;
    const id = idOf(organization);
    const editRow = (row: Json) => (isObject(row) && row.id === id ? edit(row) : row);
    const { data } = body;
    return { ...body, data: Array.isArray(data) ? data.map(editRow) : editRow(data ?? null) };
  });
}
