// Where each object of the contract is in a response, which fields it lists, and how open it is. The validators know
// the closed objects. This table knows the open ones too: an extra field there is a warning or a note (R12).
import { type ClauseId, clauses } from '../../../src/contract/generated/clauses.ts';
import { type OperationId, operations } from '../../../src/contract/generated/operations.ts';
import { fields, nullableFields, type Openness, places } from '../../../src/contract/generated/record-fields.ts';
import type { SchemaError, Validator } from '../../../src/contract/generated/validators.js';
import * as validators from '../../../src/contract/generated/validators.js';
import { objectClauses } from '../../../src/contract/object-clauses.ts';
import { kebab } from '../../../src/contract/words.ts';
import { count } from '../../../src/terminal/count.ts';
import { type Exchange, isObject } from '../../exchange/exchange.ts';
import { shownNames } from '../../exchange/personal.ts';
import { pointerTo, splitPointer, valueAt } from '../../exchange/pointer.ts';
import type { Rule } from '../../judge/judge.ts';
import { type Ledger, show } from '../../judge/ledger.ts';
import type { Severity } from '../../judge/result.ts';
import { inWhole, isInRow, rowsCheckedMax, rowWindows } from './row-windows.ts';

interface Home {
  /** Field names from the root of the body, `*` for every item of a list. */
  readonly path: string;
  readonly fields: readonly string[];
  readonly openness: Openness;
  /** Clause ids of the fields are this, a dot and the field in kebab case. */
  readonly clauses: string;
}

export const homes = {} as Record<OperationId, readonly Home[]>;
for (const [operation, objects] of Object.entries(places))
  homes[operation as OperationId] = objects.map(({ of, ...place }) => {
    return { ...place, fields: fields[of], clauses: objectClauses[of] };
  });

const known = (id: string): ClauseId | null => (Object.hasOwn(clauses, id) ? (id as ClauseId) : null);
const pathOf = (names: readonly string[]): string => names.map((name) => `/${name}`).join('');

/** Fields that may be null, and whose absence is therefore a warning only (interpretation R13). */
const fieldsThatMayBeNull: ReadonlySet<string> = new Set(nullableFields);

// The body of every 200, checked by the compiled schema of its operation: one row of the report for each operation.

const compiled = validators as unknown as Readonly<Record<string, Validator>>;

/** One for each operation, so a report shows which table is broken. */
export const shapes: readonly Rule[] = Object.values(operations).map((operation) => shapeOf(operation.id));

function shapeOf(operation: OperationId): Rule {
  return {
    id: `rule/${kebab(operation)}-shape`,
    title: `${operations[operation].method} ${operations[operation].path} returns the documented fields and types`,
    cites: citesOf(operation),
    level: 'must',
    check(exchange, ledger) {
      if (exchange.operation !== operation || exchange.status !== 200 || exchange.problem !== 'none') return;
      checkShape(exchange, operation, ledger);
    },
  };
}

/** Errors come from the compiled schema. Evidence comes from the fields of the response. */
function checkShape(exchange: Exchange, operation: OperationId, ledger: Ledger): void {
  const validate = compiled[operations[operation].output] as Validator;
  const { windows, isCut } = rowWindows(exchange.json, listedFields);
  let found = 0;
  for (const { value, offset } of windows) {
    if (found > errorsMax) {
      ledger.doubt(
        'budget',
        `only the first ${count(offset, 'row')} of the longest list were tested, because they have many errors`,
      );
      break;
    }
    // All windows share the fields outside of the lists, so only the first window checks these.
    const isOwn = (pointer: string) => offset === 0 || isInRow(pointer);
    const all = validate(value) ? [] : (validate.errors ?? []);
    found += all.length;
    const errors = alike(all, offset).filter(({ at }) => isOwn(at));
    for (const home of homes[operation]) {
      const nodes = nodesAt(value, home.path).filter(({ pointer }) => isOwn(pointer));
      testFields(exchange, operation, { nodes, offset, home, ledger });
    }
    for (const error of errors) reportError(exchange, operation, { ...error, ledger });
  }
  if (isCut) ledger.doubt('budget', `only the first ${rowsCheckedMax} rows of the longest list were tested`);
  const clause = clauseAt(operation, []);
  const proves = [clause, endpointClause(operation)];
  ledger.holds(true, { clause, proves, expected: 'the documented fields and types', actual: 'as expected', exchange });
}

const listedFields: ReadonlySet<string> = new Set(
  Object.values(homes).flatMap((ofOperation) => ofOperation.flatMap(({ fields }) => fields)),
);

type AlikeErrors = { readonly error: SchemaError; readonly at: string; readonly places: number };

const alikeMax = 500;
/** For one response: further errors would only be counted. */
const errorsMax = 5000;

/** Counts errors that differ only in their row as one claim: there can be a million of them. */
function alike(errors: readonly SchemaError[], offset: number): AlikeErrors[] {
  const groups = new Map<string, { error: SchemaError; at: string; places: number }>();
  for (const error of errors) {
    const { schemaPath = '', instancePath, keyword, params } = error;
    const name = String(params.missingProperty ?? params.additionalProperty ?? '');
    const exact = `${schemaPath} ${keyword} ${name} ${instancePath.replace(/\/\d+(?=\/|$)/g, '/*')}`;
    const key = groups.has(exact) || groups.size < alikeMax ? exact : `${schemaPath} ${keyword}`;
    const group = groups.get(key);
    if (group) group.places += 1;
    else groups.set(key, { error, at: inWhole(instancePath, offset), places: 1 });
  }
  return [...groups.values()];
}

interface FoundNodes {
  readonly nodes: readonly { readonly node: Record<string, unknown>; readonly pointer: string }[];
  readonly offset: number;
  readonly home: Home;
  readonly ledger: Ledger;
}

/** The schema tests each listed field that exists; R12 applies to unlisted ones. */
function testFields(exchange: Exchange, operation: OperationId, { nodes, offset, home, ledger }: FoundNodes): void {
  if (nodes.length === 0) return;
  const tested = { expected: 'as documented', actual: 'as documented', exchange };
  for (const clause of wholeClauses(home)) ledger.holdsAt(nodes.length, true, { ...tested, clause });
  for (const name of home.fields) {
    const places = nodes.filter(({ node }) => Object.hasOwn(node, name)).length;
    if (places === 0) continue;
    for (const clause of testedBy(home, name)) ledger.holdsAt(places, true, { ...tested, clause });
  }
  if (home.openness !== 'closed') noteExtras(exchange, operation, { nodes, offset, home, ledger });
  for (const { name, as, pointer } of renamedIn(nodes, home)) {
    const clause = fieldClause(home, name) ?? clauseAt(operation, splitPointer(home.path));
    const claim = {
      clause,
      pointer: `${inWhole(pointer, offset)}${pointerTo(as)}`,
      expected: show(name),
      actual: `a field named ${show(as)}`,
      exchange,
    };
    ledger.holdsAt(nodes.length, false, { ...claim, message: 'every row has this name' });
  }
}

/** The first object with further fields is quoted, the others are counted. */
function noteExtras(exchange: Exchange, operation: OperationId, { nodes, offset, home, ledger }: FoundNodes): void {
  const listed = new Set(home.fields);
  const isExtra = (name: string) => !listed.has(name);
  const having = nodes.filter(({ node }) => Object.keys(node).some(isExtra));
  const [first] = having;
  if (!first) return;
  const isNested = home.openness === 'nested';
  const path = splitPointer(home.path);
  const clause = isNested ? closedClause(operation, path) : (openClause(home) ?? clauseAt(operation, path));
  const actual = `the extra fields ${shownNames(Object.keys(first.node).filter(isExtra), extraShownMax)}`;
  const pointer = inWhole(first.pointer, offset);
  const claim = { clause, pointer, expected: 'only documented fields', actual, exchange };
  ledger.record(isNested ? 'warn' : 'note', claim, having.length);
}

const extraShownMax = 8;

function wholeClauses(home: Home): ClauseId[] {
  if (home.openness === 'closed') {
    return [known(`${home.clauses}.closed`), known(`${home.clauses}.required`)].filter((id) => id !== null);
  }
  return openClause(home) === null ? [] : ['2.fields-present', '2.nullable-unmarked'];
}

function testedBy(home: Home, name: string): ClauseId[] {
  const own = fieldClause(home, name);
  const isRecord = openClause(home) !== null;
  const shared: (ClauseId | null)[] = [
    isRecord && /^(id|siteId)$/.test(name) ? '2.ids-uuid' : null,
    isRecord && name.endsWith('At') ? '2.at-iso' : null,
    name === 'provider' ? '2.provider' : null,
  ];
  return [own, ...shared].filter((id) => id !== null);
}

/** Article, Site and Keyword: the tables of section 2 that say nothing of further fields. */
function openClause(home: Home): ClauseId | null {
  return home.openness === 'open' && home.clauses.startsWith('2.') ? '2.extra-fields' : null;
}

/** The value is looked up in the whole response, because the window has been cut. */
function reportError(
  exchange: Exchange,
  operation: OperationId,
  { error, at, places, ledger }: AlikeErrors & { readonly ledger: Ledger },
): void {
  const { pointer, expected, severity } = explain(error, at);
  const names = splitPointer(pointer).map((name) => (/^\d+$/.test(name) ? '*' : name));
  const clause = clauseOf(operation, error, names);
  const actual = error.keyword === 'required' ? 'nothing' : show(valueAt(exchange.json, pointer));
  const proves = [clause, ...sharedClauses(operation, error, names)];
  ledger.holdsAt(places, false, { clause, proves, pointer, expected, actual, exchange }, severity);
}

function sharedClauses(operation: OperationId, { keyword, params }: SchemaError, names: readonly string[]): ClauseId[] {
  const parent = pathOf(names.slice(0, -1));
  const home = homes[operation].find(({ path }) => path === parent);
  if (!home) return [];
  // An absent value, or one of another type, can be an attempt at null where null is not allowed.
  const isWhole = keyword === 'required' || (keyword === 'type' && ![params.type].flat().includes('null'));
  return [...testedBy(home, names.at(-1) ?? ''), ...(isWhole ? wholeClauses(home) : [])];
}

/** The most specific clause: a sentence about the field, then the row of the field, then the endpoint. */
function clauseOf(operation: OperationId, { keyword }: SchemaError, names: readonly string[]): ClauseId {
  const parent = pathOf(names.slice(0, -1));
  if (keyword === 'additionalProperties') return closedClause(operation, names.slice(0, -1));
  if (keyword === 'enum' && names.at(-1) === 'provider') return '2.provider';
  // If the whole output has another type than its table, the row of the endpoint is violated.
  if (keyword === 'type' && names.length === 1 && names[0] === 'data') return endpointClause(operation);
  const home = homes[operation].find(({ path, openness }) => path === parent && openness === 'closed');
  const required = keyword === 'required' && home ? known(`${home.clauses}.required`) : null;
  return required ?? clauseAt(operation, names);
}

function endpointClause(operation: OperationId): ClauseId {
  // Only some have a table for `data`.
  const stated = operations[operation].cites.find((id) => /^4\.connect\..*\.endpoint$/.test(id));
  return stated ?? clauseAt(operation, ['data']);
}

type Explained = { readonly pointer: string; readonly expected: string; readonly severity: Severity };

function withArticle(type: unknown): string {
  return type === 'null' ? type : `${/^[aeiou]/.test(String(type)) ? 'an' : 'a'} ${type}`;
}

/** In words of the contract instead of those of the validator. */
function explain({ keyword, params, message }: SchemaError, at: string): Explained {
  const fail = (expected: string, pointer = at): Explained => ({ pointer, expected, severity: 'fail' });
  switch (keyword) {
    case 'required': {
      const name = String(params.missingProperty);
      const severity = fieldsThatMayBeNull.has(name) ? 'warn' : 'fail';
      return { ...fail('this field', `${at}${pointerTo(name)}`), severity };
    }
    case 'additionalProperties':
      return fail('no such field', `${at}${pointerTo(String(params.additionalProperty))}`);
    case 'type':
      return fail([params.type].flat().map(withArticle).join(' or '));
    case 'enum':
      return fail(`one of ${[params.allowedValues].flat().join(', ')}`);
    case 'format':
      return fail(params.format === 'uuid' ? 'a UUID' : 'an ISO 8601 date-time');
    default:
      return fail(message ?? keyword);
  }
}

function nodesAt(root: unknown, path: string): { node: Record<string, unknown>; pointer: string }[] {
  let places: { value: unknown; pointer: string }[] = [{ value: root, pointer: '' }];
  for (const name of splitPointer(path)) {
    places = places.flatMap(({ value, pointer }) => {
      if (name !== '*') return isObject(value) ? [{ value: value[name], pointer: `${pointer}/${name}` }] : [];
      return Array.isArray(value) ? value.map((item, index) => ({ value: item, pointer: `${pointer}/${index}` })) : [];
    });
  }
  return places.flatMap(({ value, pointer }) => (isObject(value) ? [{ node: value, pointer }] : []));
}

/** The clause of the innermost listed field on the way to a place. */
function clauseAt(operation: OperationId, names: readonly string[]): ClauseId {
  for (let depth = names.length; depth > 0; depth -= 1) {
    const parent = pathOf(names.slice(0, depth - 1));
    const home = homes[operation].find(({ path }) => path === parent);
    const name = names[depth - 1] ?? '';
    const clause = home ? (fieldClause(home, name) ?? listClause(operation, `${parent}/${name}`)) : null;
    if (clause) return clause;
  }
  return (homes[operation][0]?.clauses ?? '4.json') as ClauseId;
}

/** For a list without a row: the first row of its items implies the list. */
function listClause(operation: OperationId, path: string): ClauseId | null {
  const items = homes[operation].find((home) => home.path === `${path}/*`);
  return items ? fieldClause(items, items.fields[0] ?? '') : null;
}

/** The "no extra properties" sentence of the nearest closed object around a place. */
function closedClause(operation: OperationId, names: readonly string[]): ClauseId {
  for (let depth = names.length; depth >= 0; depth -= 1) {
    const path = pathOf(names.slice(0, depth));
    const home = homes[operation].find((candidate) => candidate.path === path && candidate.openness === 'closed');
    const clause = home ? known(`${home.clauses}.closed`) : null;
    if (clause) return clause;
  }
  return clauseAt(operation, names);
}

/** Clause ids follow the field names. If a table has no row for a field, the clause of the table applies. */
function fieldClause(home: Home, name: string): ClauseId | null {
  return known(`${home.clauses}.${kebab(name)}`) ?? known(home.clauses);
}

function citesOf(operation: OperationId): [ClauseId, ...ClauseId[]] {
  const cited = homes[operation].flatMap((home) => [
    ...wholeClauses(home),
    ...home.fields.flatMap((name) => testedBy(home, name)),
  ]);
  const ids = new Set([clauseAt(operation, []), endpointClause(operation), ...cited]);
  return [...ids] as [ClauseId, ...ClauseId[]];
}

// A nullable field that no row of a response has, while each has one that is written alike: the field under another
// name. Interpretation R13 bears with a nullable field that is left out, and R12 with a further one; both together are
// neither.

type Node = { readonly node: Readonly<Record<string, unknown>>; readonly pointer: string };

export type Renamed = { readonly name: string; readonly as: string; readonly pointer: string };

/** `targetKeyword`, `target_keyword` and `TargetKeyword` are written with the same letters. */
const lettersOf = (name: string): string => name.toLowerCase().replace(/[^a-z\d]/g, '');

/** The old and new names of renamed fields, if most rows of the list have them. */
export function renamedIn(nodes: readonly Node[], { fields }: Home): Renamed[] {
  const missing = fields.filter(
    (name) => fieldsThatMayBeNull.has(name) && !nodes.some(({ node }) => Object.hasOwn(node, name)),
  );
  return missing.flatMap((name) => {
    const isAlike = (other: string) => !fields.includes(other) && lettersOf(other) === lettersOf(name);
    const as = Object.keys(nodes[0]?.node ?? {}).find(isAlike);
    if (as === undefined || !nodes.every(({ node }) => Object.hasOwn(node, as))) return [];
    const full = nodes.find(({ node }) => node[as] !== null);
    return full === undefined ? [] : [{ name, as, pointer: full.pointer }];
  });
}
