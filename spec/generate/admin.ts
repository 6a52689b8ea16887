// The OpenAPI document of the admin API, from the table of control verbs and spec/generate/admin.yaml.
import { readFileSync } from 'node:fs';
import { Document, isCollection, parse, visit } from 'yaml';
import { type JsonSchema, schemaOf } from '../../src/admin/shape.ts';
import { pathShape, routeOf, type VerbRow } from '../../src/admin/verb.ts';
import { type VerbId, verbs } from '../../src/admin/verbs/index.ts';

/** A field in the short form of admin.yaml: `string or null - Why.`, a list of one entry, or an object. */
type Short = string | readonly [Short] | { readonly [field: string]: Short };

interface Parts {
  readonly conflicts: readonly string[];
  readonly responses: Readonly<Record<string, string>>;
  readonly rejections: Readonly<Record<string, string>>;
  readonly schemas: Readonly<Record<string, Short>>;
  readonly tags: readonly { readonly name: string; readonly of?: readonly string[]; readonly description: string }[];
  readonly securitySchemes: object;
  readonly [head: string]: unknown;
}

const read = (): Parts => parse(readFileSync(new URL('admin.yaml', import.meta.url), 'utf8'));
const mapFields = <T>(fields: Readonly<Record<string, T>>, map: (field: T) => object) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, map(field)]));
const schemaRef = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: object) => ({ 'application/json': { schema } });
const rejectionNames = { 400: 'BadRequest', 401: 'Unauthorized', 403: 'Forbidden', 404: 'NotFound', 409: 'Conflict' };

/** File name -> text. */
export function emitAdmin(banner: string): [name: string, text: string][] {
  const document = adminDocument(read());
  const text = compactYaml(document);
  return [
    [
      'spec/admin.openapi.yaml',
      `# Generated from src/admin/verbs/ and spec/generate/admin.yaml by \`npm run generate\`. Do not edit.\n${text}`,
    ],
    [
      'src/contract/generated/admin.ts',
      `${banner}export const adminDocument = ${JSON.stringify(JSON.stringify(document))};\n`,
    ],
  ];
}

/** A collection that fits into a line takes one. */
function compactYaml(value: object): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Node(_, node) {
      if (!isCollection(node) || JSON.stringify(node).length > 100) return undefined;
      node.flow = true;
      return visit.SKIP;
    },
  });
  return document.toString({ lineWidth: 0 });
}

function adminDocument(parts: Parts): object {
  const { rejections, schemas, securitySchemes, tags, responses: _, conflicts: __, ...head } = parts;
  const paths: Record<string, Record<string, object>> = {};
  for (const [id, row] of Object.entries(verbs)) {
    const { method, path } = routeOf(row);
    const place = `/__admin${path === '/' ? '' : path}`;
    paths[place] = { ...paths[place], [method.toLowerCase()]: describeVerb(row, id, parts) };
  }
  const content = json(schemaRef('Rejection'));
  const components = {
    securitySchemes,
    responses: mapFields(rejections, (description) => ({ description, content })),
    schemas: mapFields(schemas, (short) => schemaOfShort(short, schemas)),
  };
  return { openapi: '3.1.0', ...head, tags: tags.map(({ of: _, ...tag }) => tag), paths, components };
}

function describeVerb(row: VerbRow, operationId: string, { responses, conflicts, tags }: Parts): object {
  const { input, text } = row;
  const [summary] = /^.*?\.(?= |$)/.exec(text) ?? [];
  const { method, path, names } = routeOf(row);
  const tag = tags.find(({ of }) => of?.includes(path.split('/')[1] ?? ''))?.name ?? 'State';
  const [, status = '200', returns = '', ok] = /^(201)? ?(\S+) - (.*)$/.exec(responses[operationId] ?? '') ?? [];
  const schema = input && schemaOf(input);
  const inPath = Object.entries(pathShape(row)).map(([name, one]) => parameter(name, one.schema, 'path'));
  const inQuery = method === 'GET' ? Object.entries(input ?? {}).map(([name, one]) => parameter(name, one.schema)) : [];
  const parameters = [...inPath, ...inQuery];
  // The endpoint of the control MCP server reads its body itself.
  const isForeign = operationId === 'askAgentMcpEndpoint';
  const body = isForeign ? schemaRef('AnyObject') : method !== 'GET' && schema;
  const isRequired = isForeign || ((schema?.required as readonly string[] | undefined)?.length ?? 0) > 0;
  // A PUT with an ID of its own creates what does not exist.
  const isCreated = method === 'PUT' && names.join() === 'id';
  const fails = {
    400: input !== null || isForeign,
    401: true,
    403: true,
    404: names.length > 0 && !isCreated,
    409: conflicts.includes(operationId),
  };
  const statuses = ([400, 401, 403, 404, 409] as const).filter((one) => fails[one]);
  const content = returns.includes('/') ? { [returns]: { schema: { type: 'string' } } } : json(schemaRef(returns));
  return {
    operationId,
    tags: [tag],
    summary,
    ...(text !== summary && { description: text }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { ...(isRequired && { required: true }), content: json(body) } }),
    responses: {
      [status]: { description: ok, content },
      ...Object.fromEntries(statuses.map((one) => [one, { $ref: `#/components/responses/${rejectionNames[one]}` }])),
    },
  };
}

function parameter(name: string, { description, ...schema }: JsonSchema = {}, place: 'path' | 'query' = 'query') {
  return { name, in: place, ...(place === 'path' && { required: true }), description, schema };
}

function schemaOfShort(short: Short, all: Parts['schemas']): JsonSchema {
  if (typeof short === 'string') return schemaOfText(short);
  if (Array.isArray(short)) return { type: 'array', items: schemaOfShort(short[0], all) };
  const { $: about, '+': base, '*': any, ...fields } = short as Readonly<Record<string, Short>>;
  const extended = base === undefined ? {} : baseOf(String(base), all);
  const required = Object.keys(fields).filter((name) => !name.endsWith('?'));
  const own = Object.entries(fields).filter(([, field]) => field !== 'same');
  const properties = own.map(([name, field]) => [name.replace('?', ''), schemaOfShort(field, all)]);
  return {
    type: 'object',
    ...(about !== undefined && { description: about }),
    required: [...((extended.required as string[]) ?? []), ...required],
    properties: { ...(extended.properties as object), ...Object.fromEntries(properties) },
    ...(any !== undefined && { additionalProperties: schemaOfShort(any, all) }),
  };
}

/** Another response, or the input of a verb: all of its fields are optional then. */
function baseOf(name: string, all: Parts['schemas']): JsonSchema {
  const input = verbs[name as VerbId]?.input;
  return input ? { ...schemaOf(input), required: [] } : schemaOfShort(all[name] as Short, all);
}

function schemaOfText(text: string): JsonSchema {
  const [, type = '', list, nullable, description] = /^(.*?)(\[\])?( or null)?(?: - (.*))?$/.exec(text) ?? [];
  const one = typeSchema(type);
  const schema = list ? { type: 'array', items: one } : one;
  const about = description ? { description } : {};
  if (!nullable) return { ...schema, ...about };
  if ('$ref' in schema) return { oneOf: [schema, { type: 'null' }], ...about };
  const { enum: values } = schema as { enum?: readonly string[] };
  return { ...schema, type: [schema.type, 'null'], ...(values && { enum: [...values, null] }), ...about };
}

function typeSchema(type: string): JsonSchema {
  if (/^(string|integer|number|boolean|object)$/.test(type)) return { type };
  if (type === 'date-time') return { type: 'string', format: type };
  return /^[A-Z]/.test(type) ? schemaRef(type) : { type: 'string', enum: type.split(' | ') };
}
