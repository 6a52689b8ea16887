// Our OpenAPI document with the examples of a running mock: existing ids, so a tool that sends examples gets success
// responses. Schemas, statuses and headers are unchanged.

import { readFileSync } from 'node:fs';
import { type BuiltMock, usableAccount } from '../built-mock.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document, walked through part by part.
type Json = any;

/** Ids of records that the mock has, by parameter and body field. */
type Known = Readonly<Record<string, string | number>>;

const unknownId = '00000000-0000-4000-8000-000000000000';

/** Two forms of one document: tools handle named examples differently. */
export interface LiveDocuments {
  /** With the examples `live` and, for paths, `unknown`, which belongs to the 404. */
  readonly named: Json;
  /** With one example for each request, and only success responses, for tools without named examples. */
  readonly plain: Json;
}

/** Asks the mock for one record of each kind. */
export async function makeLiveDocuments(mock: BuiltMock): Promise<LiveDocuments> {
  const { baseUrl, read } = mock;
  const [article] = (await read('/articles?limit=1')).data;
  const accountId = await usableAccount(mock);
  const page = (await read(`/connect/accounts/${accountId}/reviews`)).data;
  const [review] = page.reviews;
  const known = { id: article.id, siteId: article.siteId, accountId, reviewId: review.reviewId, limit: 5 };
  const cursors = { since: '2026-01-01T00:00:00Z', createdAt: article.createdAt, cursor: page.nextCursor };
  const document = JSON.parse(readFileSync('dist/openapi.json', 'utf8'));
  document.servers = [{ url: baseUrl }];
  const [named, plain] = [structuredClone(document), structuredClone(document)];
  for (const each of [named, plain])
    for (const operation of operationsOf(each)) exemplify(each, operation, { ...known, ...cursors });
  operationsOf(plain).forEach(simplify);
  return { named, plain };
}

function operationsOf(document: Json): Json[] {
  return Object.values(document.paths).flatMap((item) => Object.values(item as object));
}

/** A copy of the referenced part, so a change affects only this place. */
function follow(document: Json, part: Json): Json {
  if (part?.$ref === undefined) return structuredClone(part);
  const names: string[] = part.$ref.slice(2).split('/');
  return structuredClone(names.reduce((at: Json, name) => at[name], document));
}

/** Gives an operation examples that are true of this mock. */
function exemplify(document: Json, operation: Json, known: Known): void {
  const others: Record<string, string> = { 'id getSite': 'siteId', 'cursor listArticles': 'createdAt' };
  const ofParameter = (name: string) => known[others[`${name} ${operation.operationId}`] ?? name];
  operation.parameters = (operation.parameters ?? []).map((part: Json) => {
    const { example: _one, examples: _all, ...parameter } = follow(document, part);
    const value = ofParameter(parameter.name);
    if (value === undefined) return parameter;
    const unknown = parameter.in === 'path' ? { unknown: { value: unknownId } } : {};
    return { ...parameter, examples: { live: { value }, ...unknown } };
  });
  const body = operation.requestBody?.content['application/json'];
  if (body) {
    const { value } = follow(document, Object.values(body.examples)[0]);
    for (const name of ['accountId', 'reviewId']) if (name in value) value[name] = known[name];
    body.examples = { live: { value }, unknown: { value } };
  }
  const hasPath = operation.parameters.some((parameter: Json) => parameter.in === 'path');
  for (const [status, part] of Object.entries(operation.responses)) {
    const response = follow(document, part);
    operation.responses[status] = response;
    for (const content of Object.values<Json>(response.content ?? {})) {
      const value = follow(document, Object.values<Json>(content.examples ?? {})[0])?.value;
      delete content.examples;
      const name = status === '200' ? 'live' : status === '404' && hasPath ? 'unknown' : null;
      if (name !== null && value !== undefined) content.examples = { [name]: { value } };
    }
  }
}

function simplify(operation: Json): void {
  const single = (part: Json) => {
    if (part?.examples?.live === undefined) return;
    part.example = part.examples.live.value;
    delete part.examples;
  };
  operation.parameters.forEach(single);
  single(operation.requestBody?.content['application/json']);
  operation.responses = { 200: operation.responses[200] };
  // Dredd would take optional fields of an example for required ones.
  delete operation.responses[200].content['application/json'].examples;
}
