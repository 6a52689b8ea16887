// Reads spec/openapi.yaml, clauses.yaml and requirements/ into plain data, and rejects every keyword that the generator
// does not compile: otherwise a sentence of the contract would be ignored silently.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { unique } from '../../src/contract/words.ts';

/** A value of the document, after YAML has been read. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Schema = { [key: string]: Json };

export interface Parameter {
  name: string;
  in: 'path' | 'query';
  required?: boolean;
  schema: Schema;
}

/** An operation with everything that tables, types and validators need of it; bodies by the names of their schemas. */
export interface OperationSource {
  id: string;
  method: string;
  path: string;
  envelope: 'simple' | 'tool';
  cites: string[];
  parameters: Parameter[];
  bodySchema: string | null;
  outputSchema: string;
  statuses: number[];
}

/** A sentence of the contract, as clauses.yaml has it. `seenBy` says who could notice that it is broken. */
export interface Clause {
  id: string;
  fact: string;
  basis: 'stated' | 'implied' | 'contradictory' | 'unspecified';
  seenBy: 'server' | 'client' | 'nobody';
  at: string;
  interpretations?: string[];
}

/** `code` is null for a limiter's body, which has none. */
export interface ErrorExample {
  name: string;
  code: string | null;
  status: number;
  body: Json;
}

/** A released file of spec/requirements/. */
export interface RequirementSet {
  name: string;
  /** SHA-256 of the sentences of its clauses. */
  texts: string;
  must: string[];
  should: string[];
  /** Clause -> why it does not count. */
  not_scored: Record<string, string>;
  /** SHA-256 of the file. */
  digest: string;
}

/** The files, checked against each other. */
export interface Contract {
  version: string;
  schemas: Record<string, Schema>;
  operations: OperationSource[];
  errors: Record<string, number>;
  examples: ErrorExample[];
  clauses: Clause[];
  /** `R19` -> its sentence. */
  interpretations: Record<string, string>;
  /** The oldest first. */
  requirementSets: RequirementSet[];
}

const schemaKeywords = new Set(
  `$ref type enum const properties required additionalProperties items minLength maxLength minimum maximum pattern format
  default oneOf anyOf allOf not minItems maxItems description title example examples x-cites x-assumption`.split(/\s+/),
);

/** Throws on every inconsistency, to generate nothing from an incomplete contract. */
export function readContract(folder: URL): Contract {
  const read = (name: string) => parse(readFileSync(new URL(name, folder), 'utf8'));
  const document = read('openapi.yaml');
  const clauses = unique('clauses', read('clauses.yaml') as Clause[], ({ id }) => id);
  const schemas: Record<string, Schema> = document.components.schemas;
  for (const [name, schema] of Object.entries(schemas)) checkKeywords(schema, `components.schemas.${name}`);
  const operations = readOperations(document);
  const interpretations: Record<string, string> = read('interpretations.yaml');
  checkCites({ schemas, operations, clauses });
  checkInterpretations(clauses, interpretations);
  const errors = Object.fromEntries(
    Object.entries(document['x-errors'] as Record<string, { status: number }>).map(([code, { status }]) => [
      code,
      status,
    ]),
  );
  return {
    version: document.info.version,
    schemas,
    operations,
    errors,
    examples: readExamples(document),
    clauses,
    interpretations,
    requirementSets: readRequirementSets(new URL('requirements/', folder), clauses),
  };
}

/** `at` names the place in the error. Looks into schemas only: a property may be called like a keyword. */
export function checkKeywords(schema: Schema, at: string): void {
  for (const [keyword, value] of Object.entries(schema)) {
    if (!schemaKeywords.has(keyword)) throw new Error(`${at}: the generator does not know the keyword "${keyword}".`);
    if (keyword === 'properties') {
      for (const [name, child] of Object.entries(value as Record<string, Schema>))
        checkKeywords(child, `${at}.${name}`);
    } else if (
      keyword === 'items' ||
      keyword === 'not' ||
      (keyword === 'additionalProperties' && typeof value === 'object')
    ) {
      checkKeywords(value as Schema, `${at}.${keyword}`);
    } else if (keyword === 'oneOf' || keyword === 'anyOf' || keyword === 'allOf') {
      for (const [index, child] of (value as Schema[]).entries()) checkKeywords(child, `${at}.${keyword}[${index}]`);
    }
  }
}

/** Throws for a clause that is missing or was reworded: a released set keeps its meaning. */
function readRequirementSets(folder: URL, clauses: readonly Clause[]): RequirementSet[] {
  const files = readdirSync(folder).sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  return files.map((file) => {
    const text = readFileSync(new URL(file, folder), 'utf8');
    const set: Omit<RequirementSet, 'digest'> = parse(text);
    const ids = [...set.must, ...set.should, ...Object.keys(set.not_scored)];
    if (file !== `${set.name}.yaml` || textsDigest(ids, clauses) !== set.texts)
      throw new Error(
        `requirements/${file}: a clause is missing, or its sentence changed. Give a new clause a new id.`,
      );
    return { ...set, digest: sha256(text) };
  });
}

/** The digest of the sentences of these clauses. */
export function textsDigest(ids: readonly string[], clauses: readonly Clause[]): string {
  const wanted = clauses.filter(({ id }) => ids.includes(id)).map(({ id, fact }) => `${id} ${fact}\n`);
  return wanted.length === ids.length ? sha256(wanted.sort().join('')) : 'missing';
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Throws unless clauses and interpretations name each other. */
function checkInterpretations(clauses: readonly Clause[], interpretations: Readonly<Record<string, string>>): void {
  const named = new Set(clauses.flatMap((clause) => clause.interpretations ?? []));
  for (const id of named)
    if (!Object.hasOwn(interpretations, id)) throw new Error(`clauses.yaml: there is no interpretation ${id}.`);
  for (const id of Object.keys(interpretations))
    if (!named.has(id)) throw new Error(`interpretations.yaml: no clause names ${id}.`);
}

/** Throws on duplicate ids, and on citations of ids that are missing from clauses.yaml. */
function checkCites(contract: Pick<Contract, 'schemas' | 'operations' | 'clauses'>): void {
  const known = new Set<string>();
  for (const { id } of contract.clauses) {
    if (known.has(id)) throw new Error(`clauses.yaml: the id "${id}" stands twice.`);
    known.add(id);
  }
  const check = (at: string, cites: readonly string[]) => {
    for (const id of cites)
      if (!known.has(id)) throw new Error(`${at} cites "${id}", which clauses.yaml does not have.`);
  };
  for (const operation of contract.operations) check(operation.id, operation.cites);
  for (const [name, schema] of Object.entries(contract.schemas)) check(name, (schema['x-cites'] as string[]) ?? []);
}

// biome-ignore lint/suspicious/noExplicitAny: the parsed document is untyped; Redocly has checked its form.
type Loose = any;

/** In the order of the document, which is that of the tables in the contract. */
function readOperations(document: Loose): OperationSource[] {
  const resolve = (node: Loose): Loose => (node?.$ref ? lookUp(document, node.$ref) : node);
  const operations: OperationSource[] = [];
  for (const [path, item] of Object.entries<Loose>(document.paths)) {
    for (const method of ['get', 'post', 'put', 'patch', 'delete'] as const) {
      const operation = item[method];
      if (!operation) continue;
      const parameters: Parameter[] = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(resolve);
      for (const { name, schema } of parameters) checkKeywords(schema, `${operation.operationId}.${name}`);
      const success = resolve(operation.responses['200']);
      const body = resolve(operation.requestBody);
      operations.push({
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        envelope: operation['x-envelope'],
        cites: operation['x-cites'] ?? [],
        parameters: parameters.map((parameter) => ({ ...parameter, schema: inline(document, parameter.schema) })),
        bodySchema: body ? refName(body.content['application/json'].schema) : null,
        outputSchema: refName(success.content['application/json'].schema),
        statuses: Object.keys(operation.responses).map(Number),
      });
    }
  }
  return operations;
}

/** One for each name; several operations share most of them. */
function readExamples(document: Loose): ErrorExample[] {
  const found = new Map<string, ErrorExample>();
  const resolve = (node: Loose): Loose => (node?.$ref ? lookUp(document, node.$ref) : node);
  const operations = Object.values<Loose>(document.paths).flatMap((item) => [item.get, item.post].filter(Boolean));
  // The tool form of an example comes first: it carries the same code as the simple one, and more.
  for (const envelope of ['tool', 'simple']) {
    for (const operation of operations.filter((candidate) => candidate['x-envelope'] === envelope)) {
      for (const [status, reference] of Object.entries<Loose>(operation.responses)) {
        if (Number(status) < 400) continue;
        const examples = resolve(reference).content?.['application/json']?.examples ?? {};
        for (const [name, example] of Object.entries<Loose>(examples)) {
          const body = resolve(example).value;
          const code = typeof body.error === 'object' ? body.error.code : null;
          if (!found.has(name)) found.set(name, { name, code, status: Number(status), body });
        }
      }
    }
  }
  return [...found.values()].sort((a, b) => a.status - b.status || a.name.localeCompare(b.name));
}

/** One level is enough: parameters refer to plain types. */
function inline(document: Loose, schema: Schema): Schema {
  return typeof schema.$ref === 'string' ? { ...lookUp(document, schema.$ref) } : schema;
}

/** Follows references to references; throws for one that leads nowhere. */
function lookUp(document: Loose, reference: string): Loose {
  let node = document;
  for (const part of reference.slice(2).split('/')) node = node?.[part.replace(/~1/g, '/').replace(/~0/g, '~')];
  if (node === undefined) throw new Error(`openapi.yaml: "${reference}" leads nowhere.`);
  return node.$ref ? lookUp(document, node.$ref) : node;
}

/** Bodies are named, because the generated types and validators go by names. */
export function refName(schema: Schema): string {
  if (typeof schema.$ref !== 'string')
    throw new Error('openapi.yaml: bodies are named schemas; found one written in place.');
  return schema.$ref.split('/').at(-1) as string;
}
