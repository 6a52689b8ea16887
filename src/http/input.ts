// From a request to the input of a handler: parameters and body, checked against the contract.

import { articlesLimit, callsLimit } from '../contract/generated/limits.ts';
import type { Operation } from '../contract/generated/operations.ts';
import type { InputMap } from '../contract/generated/types.ts';
import type { SchemaError, Validator } from '../contract/generated/validators.js';
import * as validators from '../contract/generated/validators.js';
import { inputBehavior } from '../contract/input-classes.ts';
import { isDecodable } from '../contract/percent.ts';
import { parseTimestamp } from '../contract/timestamps.ts';
import { type Issue, invalidInput, notFound, type Outcome, ok } from '../domain/outcome.ts';
import type { WorldBehavior } from '../domain/world-behavior.ts';
import { count } from '../terminal/count.ts';
import { whyNotParsed } from './json-size.ts';
import { type CoreRequest, whyEncoded } from './message.ts';
import { readQuery } from './query.ts';
import type { Match } from './route.ts';

/** The rule of an issue about the URL as a whole. */
export const encodingRule = 'encoding';

export type AnyInput = InputMap[keyof InputMap];

const compiled = validators as unknown as Readonly<Record<string, Validator>>;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The path value is put over the body copy before anything is validated. Cites 4.rules.path-wins. */
export function readInput(match: Match, request: CoreRequest, behavior: WorldBehavior): Outcome<AnyInput> {
  const { operation } = match;
  // Assumption C61: rejected as a whole, even for other parameters.
  if (!isDecodable(request.query)) {
    return invalidInput([{ path: '', message: 'The query is not percent-encoded UTF-8.', rule: encodingRule }]);
  }
  if (operation.body) {
    const body = parseObject(request);
    // A body that is not JSON is one problem; a malformed path value is another, and each is listed.
    const issues: Issue[] = body.ok ? [] : [...(body.rejection.issues ?? [])];
    // Changes the body in place: copying a hundred thousand fields would take longer than the rest.
    const values = Object.assign(body.ok ? body.value : {}, match.path);
    if (body.ok) collect(issues, operation.body, values);
    else if (match.path.accountId !== undefined) collect(issues, 'AccountId', match.path.accountId, '/accountId');
    const reported = withoutAccount(issues, behavior);
    return reported.length > 0 ? invalidInput(reported) : ok(values as unknown as AnyInput);
  }
  return readParameters(match, request.query, behavior);
}

function readParameters(match: Match, query: string, behavior: WorldBehavior): Outcome<AnyInput> {
  const { operation } = match;
  const issues: Issue[] = [];
  const values = readQueryValues(operation, query, behavior);
  if (behavior.duplicates === 'reject') issues.push(...repeatedParameters(operation, query));
  collect(issues, `${operation.id}Query`, values);
  Object.assign(values, match.path);
  if (match.path.accountId !== undefined) collect(issues, 'AccountId', match.path.accountId, '/accountId');
  if (match.path.id !== undefined && behavior[idOf[operation.id] ?? 'malformedId'] === 'invalid_input')
    collectId(issues, match.path.id);
  collectCursor(issues, operation, values);
  for (const [at, issue] of issues.entries()) issues[at] = withPlus(issue, values);
  const repairOf = (path: string): Repair => {
    const id = inputBehavior(operation.id, path.slice(1), values[path.slice(1)]);
    return id === null || path === '/id' || path === '/accountId' ? 'reject' : (behavior[id] as Repair);
  };
  const left = withoutAccount(issues, behavior).filter(({ path, rule }) => {
    const how = rule === 'repeated' ? 'reject' : repairOf(path);
    if (how === 'reject' || how === 'not_found') return true;
    repair(values, path.slice(1), { how, operation });
    return false;
  });
  const isMissing = left.some(({ path }) => repairOf(path) === 'not_found');
  if (isMissing && left.every(({ rule }) => rule !== 'repeated')) return notFound('page');
  return left.length > 0 ? invalidInput(left) : ok(values as unknown as AnyInput);
}

const idOf: { readonly [operation: string]: 'malformedArticleId' } = { getArticle: 'malformedArticleId' };

type Repair = 'reject' | 'not_found' | 'clamp' | 'truncate' | 'ignore' | 'empty';

/** A parameter that is ignored is as if it were absent; a filter that is no UUID stays, and finds nothing. */
function repair(
  values: Record<string, unknown>,
  name: string,
  { how, operation }: { how: Repair; operation: Operation },
): void {
  if (how === 'empty') return;
  const { max } = operation.id === 'listCalls' ? callsLimit : articlesLimit;
  const preset = operation.query.find((each) => each.name === name)?.default;
  if (how !== 'ignore') values[name] = Math.min(max, Math.max(1, Math.trunc(Number(values[name]))));
  else if (preset === undefined) delete values[name];
  else values[name] = preset;
}

/** A malformed account may count as one that does not exist (interpretation R1). */
function withoutAccount(issues: readonly Issue[], { malformedAccount }: WorldBehavior): readonly Issue[] {
  return malformedAccount === 'not_found' ? issues.filter(({ path }) => path !== '/accountId') : issues;
}

function repeatedParameters({ query: parameters }: Operation, query: string): Issue[] {
  if (parameters.length === 0) return [];
  const [first, last] = [readQuery(query), readQuery(query, 'last')];
  const isRepeated = ({ name }: { name: string }) => first[name] !== last[name];
  return parameters
    .filter(isRepeated)
    .map(({ name }) => ({ path: `/${name}`, message: `${name} is given twice.`, rule: 'repeated' }));
}

function readQueryValues(
  { query: parameters }: Operation,
  query: string,
  { duplicates }: WorldBehavior,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  const given = parameters.length > 0 ? readQuery(query, duplicates === 'last' ? 'last' : 'first') : {};
  for (const { name, type, default: preset } of parameters) {
    const text = given[name];
    if (text === undefined) {
      if (preset !== undefined) values[name] = preset;
      // A text that is not a whole number stays a text, and the validator rejects it.
    } else values[name] = type === 'integer' ? (/^-?\d{1,15}$/.test(text) ? Number(text) : text) : text;
  }
  return values;
}

function parseObject({ body, headers }: CoreRequest): Outcome<Record<string, unknown>> {
  const rejectBody = (message: string) => invalidInput([{ path: '', message, rule: 'body' }]);
  if (!body || body.length === 0) return rejectBody('A JSON body is required.');
  const problem = whyEncoded(headers) ?? whyNotParsed(body);
  if (problem !== null) return rejectBody(`The body ${problem}.`);
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(body));
  } catch {
    return rejectBody('The body is not valid JSON in UTF-8.');
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    return rejectBody('The body must be a JSON object.');
  return ok(value as Record<string, unknown>);
}

function collect(issues: Issue[], schema: string, value: unknown, base = ''): void {
  const validate = compiled[schema];
  if (!validate) throw new Error(`No validator is compiled for ${schema}.`);
  const found = findIssues(validate, value, base);
  if (found.length === 0) return;
  const known = new Set(issues.map(markOf));
  for (const issue of found) {
    if (!known.has(markOf(issue))) issues.push(issue);
  }
}

/** The problems of a value; an empty list for a good one. */
export function findIssues(validate: Validator, value: unknown, base = ''): Issue[] {
  if (validate(value)) return [];
  const found = new Map<string, Issue>();
  for (const error of validate.errors ?? []) {
    const issue = toIssue(error, base);
    const mark = markOf(issue);
    if (!found.has(mark)) found.set(mark, issue);
  }
  return [...found.values()];
}

// A value can break several rules in one place, of which some say the same: each place and kind of rule counts once.
function markOf({ path, rule }: Issue): string {
  // An account id has a format and a pattern, and either is broken by being no such id.
  return `${rule === 'format' ? 'pattern' : rule} ${path}`;
}

function toIssue({ instancePath, keyword, params, message }: SchemaError, base: string): Issue {
  const missing = keyword === 'required' ? `/${String(params.missingProperty)}` : '';
  const path = `${base}${instancePath}${missing}`;
  const name = path.slice(1) || 'The input';
  if (keyword === 'required') return { path, message: `${name} is required.`, rule: keyword };
  if (keyword === 'pattern') return { path, message: `${name} ${accountIdForm}.`, rule: keyword };
  return { path, message: `${name} ${plainWords(keyword, params) ?? message ?? 'is not valid'}.`, rule: keyword };
}

const formats: Readonly<Record<string, string>> = {
  uuid: 'a UUID',
  uri: 'a URI',
  'date-time': 'an ISO 8601 date-time',
};

/** Rewords a message of the compiled schemas; null when it is plain already. */
function plainWords(keyword: string, params: SchemaError['params']): string | null {
  const { limit } = params as { limit?: number };
  switch (keyword) {
    case 'enum':
      return `must be one of ${(params.allowedValues as unknown[]).join(', ')}`;
    case 'minLength':
      return `must have at least ${count(limit ?? 0, 'character')}`;
    case 'maxLength':
      return `must have at most ${limit} characters`;
    case 'minimum':
      return `must be at least ${limit}`;
    case 'maximum':
      return `must be at most ${limit}`;
    case 'format':
      return `must be ${formats[String(params.format)] ?? String(params.format)}`;
    case 'type':
      return params.type === 'object'
        ? 'must be an object'
        : `must be ${params.type === 'integer' ? 'a whole number' : `a ${String(params.type)}`}`;
    default:
      return null;
  }
}

const accountIdForm = 'must be a UUID of version 1 to 8 with variant 8, 9, a or b, or all zeros, or all f';

function collectId(issues: Issue[], id: string): void {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) return;
  issues.push({ path: '/id', message: 'id must be a UUID.', rule: 'format' });
}

// Assumption C65: a date-time with an offset must be encoded.
function withPlus(issue: Issue, values: Readonly<Record<string, unknown>>): Issue {
  const value = values[issue.path.slice(1)];
  const isMeant =
    issue.rule === 'format' && typeof value === 'string' && parseTimestamp(value.replace(' ', '+')) !== null;
  return isMeant ? { ...issue, message: `${issue.message} The + in a query is a blank: send it as %2B.` } : issue;
}

// The cursor of /articles is a createdAt; the contract's table calls it a string, so the schema does not say more.
function collectCursor(issues: Issue[], { id }: Operation, { cursor }: Record<string, unknown>): void {
  if (id !== 'listArticles' || typeof cursor !== 'string' || parseTimestamp(cursor) !== null) return;
  issues.push({ path: '/cursor', message: 'cursor must be an ISO 8601 date-time.', rule: 'format' });
}
