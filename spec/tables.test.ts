// The contract's tables, transcribed by two hands, must agree: tables.json and openapi.yaml are compared both ways.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

interface Ref {
  $ref?: string;
}
interface Schema extends Ref {
  pattern?: string;
  oneOf?: Schema[];
  [keyword: string]: unknown;
}
interface Parameter extends Ref {
  name: string;
  in: string;
  required?: boolean;
  schema: Schema;
}
interface Body extends Ref {
  required?: boolean;
  headers?: Record<string, Ref & { required?: boolean }>;
  content: Record<string, { schema: Schema; examples: Record<string, Ref & { value: { error?: { code?: string } } }> }>;
}
interface Operation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: Body;
  responses: Record<string, Body>;
  security?: Record<string, string[]>[];
}
interface OpenApi {
  info: { version: string };
  servers: { url: string }[];
  security: Record<string, string[]>[];
  'x-errors': Record<string, { status: number }>;
  paths: Record<string, Record<string, Operation>>;
}

interface Entry {
  schema?: string;
  items?: string;
  fields?: Record<string, Entry>;
  required?: 'implied' | string[] | boolean;
  closed?: true;
  enum?: Listed | 'codes' | string[];
  rule?: 'accountId';
  shape?: 'not shown';
}
interface Endpoint {
  operation: string;
  method: string;
  path: string;
  params?: Record<string, Entry>;
  query?: Record<string, Entry>;
  body?: { schema: string; required: boolean };
  ok: Record<string, Entry>;
  statuses: number[];
  error: 'SimpleError' | 'ToolError';
}
type Listed = 'providers' | 'articleStatuses' | 'accountStatuses';
interface Tables extends Record<Listed, string[]> {
  version: string;
  basePath: string;
  auth: { scheme: string };
  codes: Record<string, number>;
  accountId: { versions: string; variants: string; also: string[] };
  rateLimitHeaders: string[];
  blockedHeaders: { usually: string[] };
  limits: Record<string, object>;
  endpoints: Endpoint[];
  schemas: Record<string, Entry>;
}

const text = (file: string): string => readFileSync(new URL(file, import.meta.url), 'utf8');
const tables: Tables = JSON.parse(text('./tables.json'));
const openapi: OpenApi = withoutAssumptions(parse(text('./openapi.yaml')));
const { endpoints } = tables;
const { schemas: toolSchemas }: { schemas: Record<string, { properties?: Record<string, Record<string, unknown>> }> } =
  parse(text('./tools.yaml'));

const resolve = <T extends Ref>(node: T): T => {
  if (node.$ref === undefined) return node;
  const keys = node.$ref.replace('#/', '').split('/');
  const target = keys.reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], openapi);
  if (target === undefined) throw new Error(`openapi.yaml has no ${node.$ref}`);
  return resolve(target as T);
};
const schema = (name: string): Schema => resolve({ $ref: `#/components/schemas/${name}` });

const mapValues = <In, Out>(record: Record<string, In>, map: (value: In) => Out): Record<string, Out> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));

const readKeyword = (keyword: string, value: unknown): object => {
  if (keyword === 'description' || keyword.startsWith('x-')) return {};
  if (keyword === '$ref') return read(resolve({ $ref: value as string }));
  if (keyword === 'items') return { items: read(value as Schema) };
  if (keyword === 'properties') return { properties: mapValues(value as Record<string, Schema>, read) };
  if (keyword === 'const') return { enum: [value] };
  if (keyword === 'additionalProperties' && typeof value === 'boolean') return value ? {} : { closed: true };
  if (keyword === 'type' && Array.isArray(value) && value.length === 2 && value.includes('null')) {
    return { type: value.find((type) => type !== 'null'), nullable: true };
  }
  return { [keyword]: keyword === 'enum' || keyword === 'required' ? [...(value as string[])].sort() : value };
};

function read(node: Schema): object {
  return Object.assign({}, ...Object.entries(node).map(([keyword, value]) => readKeyword(keyword, value)));
}

const valuesOf = (recordFields: Listed | 'codes' | string[]): string[] => {
  if (recordFields === 'codes') return Object.keys(tables.codes).sort();
  return [...(typeof recordFields === 'string' ? tables[recordFields] : recordFields)].sort();
};

const named = (name: string): object => stated(tables.schemas[name] ?? {});

const statedObject = ({ fields = {}, required = [], closed }: Entry): object => {
  const names = required === 'implied' ? Object.keys(fields) : [...(required as string[])];
  return {
    type: 'object',
    ...(Object.keys(fields).length > 0 && { properties: mapValues(fields, stated) }),
    ...(names.length > 0 && { required: names.sort() }),
    ...(closed && { closed }),
  };
};

function stated(entry: Entry): object {
  if (entry.schema) return named(entry.schema);
  if (entry.items) return { type: 'array', items: named(entry.items) };
  if (entry.fields) return statedObject(entry);
  const { required: _required, shape: _shape, rule, enum: recordFields, ...scalar } = entry;
  return {
    ...scalar,
    ...(recordFields && { enum: valuesOf(recordFields) }),
    ...(rule && { pattern: expect.any(String) }),
  };
}

const operationOf = ({ method, path }: Endpoint): Operation => {
  const operation = openapi.paths[path]?.[method];
  if (!operation) throw new Error(`openapi.yaml has no ${method} ${path}`);
  return operation;
};
const parametersOf = (endpoint: Endpoint): Parameter[] => (operationOf(endpoint).parameters ?? []).map(resolve);
const responsesOf = (endpoint: Endpoint) => Object.entries(mapValues(operationOf(endpoint).responses, resolve));
const jsonOf = ({ content }: Body) => content['application/json'] ?? { schema: {}, examples: {} };

const withoutAccountIdPattern = (shape: { pattern?: string }): object => {
  const { pattern, ...rest } = shape;
  return pattern === schema('AccountId').pattern ? rest : shape;
};

const declared = (endpoint: Endpoint, place: 'path' | 'query'): Record<string, object> =>
  Object.fromEntries(
    parametersOf(endpoint)
      .filter((parameter) => parameter.in === place)
      .map((parameter) => [
        parameter.name,
        { ...withoutAccountIdPattern(read(parameter.schema)), required: parameter.required ?? false },
      ]),
  );

const queryOf = (operation: string): Record<string, object> =>
  declared(endpoints.find((endpoint) => endpoint.operation === operation) as Endpoint, 'query');

const propertyOf = (name: string, property: string): object | undefined =>
  (read(schema(name)) as { properties: Record<string, object> }).properties[property];

const envelopesIn = ({ $ref, oneOf = [] }: Schema): string[] =>
  [...($ref ? [$ref.replace('#/components/schemas/', '')] : []), ...oneOf.flatMap(envelopesIn)].sort();

const statusesByInterpretation = (operation: string): number[] => {
  if (operation === 'listCalls') return [400, 402, 403, 404, 413, 502, 503];
  if (operation === 'listArticles') return [400, 404];
  if (['getArticle', 'getSite'].includes(operation)) return [400];
  if (operation === 'listKeywords') return [404];
  return operation === 'listSites' ? [] : [403, 413, 503];
};

describe('the operations of openapi.yaml', () => {
  it('are exactly the endpoints of the contract', () => {
    const found = Object.entries(openapi.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { operationId }]) => `${operationId} ${method} ${path}`),
    );
    expect(found.sort()).toEqual(endpoints.map((e) => `${e.operation} ${e.method} ${e.path}`).sort());
  });

  it.each(endpoints)('$operation takes exactly the stated parameters', (endpoint) => {
    const inPath = mapValues(endpoint.params ?? {}, (entry) => ({ ...stated(entry), required: true }));
    const inQuery = mapValues(endpoint.query ?? {}, (entry) => ({ ...stated(entry), required: entry.required }));
    expect(declared(endpoint, 'path')).toEqual(inPath);
    expect(declared(endpoint, 'query')).toEqual(inQuery);
    expect(parametersOf(endpoint)).toHaveLength(Object.keys({ ...inPath, ...inQuery }).length);
  });

  it.each(endpoints)('$operation takes a body exactly where one is stated', (endpoint) => {
    const body = operationOf(endpoint).requestBody;
    const found = body && { required: body.required, schema: jsonOf(body).schema.$ref?.split('/').at(-1) };
    expect(found).toEqual(endpoint.body);
    expect(Object.keys(body?.content ?? {})).toEqual(endpoint.body ? ['application/json'] : []);
  });

  it.each(endpoints)('$operation requires the bearer credential', (endpoint) => {
    const demands = operationOf(endpoint).security ?? openapi.security;
    const schemes = demands.flatMap((demand) => Object.keys(demand));
    expect(schemes).toHaveLength(1);
    const scheme = resolve({ $ref: `#/components/securitySchemes/${schemes[0]}` });
    expect(scheme).toMatchObject({ type: 'http', scheme: tables.auth.scheme });
  });
});

describe('the responses of openapi.yaml', () => {
  it.each(endpoints)('$operation wraps its 200 response as stated', (endpoint) => {
    const { operation, ok } = endpoint;
    const apiResponse = resolve(operationOf(endpoint).responses['200'] as Body);
    expect(jsonOf(apiResponse).schema.$ref).toMatch(new RegExp(`/${operation}Response$`, 'i'));
    expect(read(jsonOf(apiResponse).schema)).toEqual(stated({ required: 'implied', fields: ok }));
  });

  it.each(endpoints)('$operation lists its stated statuses and no others but the ruled ones', (endpoint) => {
    const statuses = responsesOf(endpoint).map(([status]) => Number(status));
    expect(statuses).toEqual(expect.arrayContaining(endpoint.statuses));
    expect([...endpoint.statuses, ...statusesByInterpretation(endpoint.operation)]).toEqual(
      expect.arrayContaining(statuses),
    );
  });

  it.each(endpoints)('$operation returns only JSON, and rejects in the stated envelope', (endpoint) => {
    const limited = endpoint.error === 'ToolError' ? ['LimiterError', 'ToolError'] : ['LimiterError'];
    for (const [status, response] of responsesOf(endpoint)) {
      expect(Object.keys(response.content), status).toEqual(['application/json']);
      const rejected = status === '429' ? limited : [endpoint.error];
      if (status !== '200') expect(envelopesIn(jsonOf(response).schema), status).toEqual(rejected);
    }
  });

  it.each(endpoints)('$operation names the rate-limit headers of the contract and no others', (endpoint) => {
    const known = [...tables.rateLimitHeaders, ...tables.blockedHeaders.usually].sort();
    for (const [status, { headers = {} }] of responsesOf(endpoint)) {
      expect(known, status).toEqual(expect.arrayContaining(Object.keys(headers)));
      if (status === '429') expect(Object.keys(headers).sort()).toEqual(known);
      for (const name of tables.blockedHeaders.usually) expect(resolve(headers[name] ?? {}).required).not.toBe(true);
    }
  });

  it.each(endpoints)('$operation shows each error code under its own status only', (endpoint) => {
    for (const [status, response] of responsesOf(endpoint)) {
      const codes = Object.values(jsonOf(response).examples).map((example) => resolve(example).value.error?.code);
      for (const code of codes.filter((code) => code !== undefined)) expect(tables.codes[code]).toBe(Number(status));
    }
  });
});

describe('the schemas of openapi.yaml', () => {
  it.each(Object.keys(tables.schemas))('%s has exactly the stated fields, values, bounds and closedness', (name) => {
    expect(read(schema(name))).toEqual(named(name));
  });

  it('leave the JSON-RPC form of the MCP limiter, which is not shown, open', () => {
    expect(read(schema('McpLimiterError'))).toMatchObject({ type: 'object' });
    expect(read(schema('McpLimiterError'))).not.toHaveProperty('closed');
  });

  it.each([
    ['articlesLimit', queryOf('listArticles').limit],
    ['callsLogLimit', queryOf('listCalls').limit],
    ['connectLabel', propertyOf('ConnectAccountInput', 'label')],
    ['connectMaxAccounts', propertyOf('ConnectAccountInput', 'maxAccounts')],
    ['postText', propertyOf('CreatePostInput', 'text')],
    ['replyText', propertyOf('ReplyReviewInput', 'text')],
  ])('%s has exactly the bounds of section 8', (limit, found) => {
    const { type: _type, required: _required, ...bounds } = found as Record<string, unknown>;
    expect(bounds).toEqual(tables.limits[limit]);
  });

  it.each([
    ['callsLogLimit', 'CallsLogInput', 'limit', 'minimum'],
    ['customersListMax', 'CustomersListInput', 'max', 'default'],
  ])('%s has exactly the bounds of section 8 at the MCP endpoint', (limit, name, property, assumed) => {
    const { type: _type, [assumed]: _assumed, ...bounds } = toolSchemas[name]?.properties?.[property] ?? {};
    expect(bounds).toEqual(tables.limits[limit]);
  });

  it('hold the limits of an import', () => {
    const { csv, rows } = toolSchemas.DialerImportContactsInput?.properties ?? {};
    expect([csv?.maxLength, rows?.maxItems]).toEqual([
      (tables.limits.dialerCsvCharacters as { maximum: number }).maximum,
      (tables.limits.dialerRows as { maximum: number }).maximum,
    ]);
  });

  it('give every error code its status and leave out unknown codes', () => {
    expect(mapValues(openapi['x-errors'], ({ status }) => status)).toEqual(tables.codes);
  });

  it('use the version of the description and of the base path', () => {
    expect(openapi.info.version).toBe(tables.version);
    for (const { url } of openapi.servers) expect(url.endsWith(tables.basePath)).toBe(true);
  });
});

describe('the account id pattern', () => {
  const pattern = new RegExp(schema('AccountId').pattern ?? '', 'u');
  const { versions, variants, also } = tables.accountId;
  const uuid = (version: string, variant: string): string => `3f2a9c10-5b7e-${version}d41-${variant}c08-9e6f01a2b3c4`;
  const hex = [...'0123456789abcdef'];
  const pairs = hex.flatMap((version) => hex.map((variant) => ({ version, variant })));

  it.each(pairs)('checks version $version with variant $variant by the rule, in either case', (pair) => {
    const good = versions.includes(pair.version) && variants.includes(pair.variant);
    const id = uuid(pair.version, pair.variant);
    expect([pattern.test(id), pattern.test(id.toUpperCase())]).toEqual([good, good]);
  });

  it.each(also)('accepts %s in either case, but not with one digit changed', (id) => {
    expect([id, id.toUpperCase()].filter((value) => !pattern.test(value))).toEqual([]);
    expect([`${id.slice(0, -1)}5`, `5${id.slice(1)}`].filter((value) => pattern.test(value))).toEqual([]);
  });

  it.each([uuid('4', '8'), ...also])('rejects %s in a wrong length or form', (id) => {
    const lengths = [id.slice(1), id.slice(0, -1), `${id}0`, `0${id}`, `${id},${id}`, id.replaceAll('-', ''), ''];
    const forms = [` ${id}`, `${id} `, `${id}\n`, `{${id}}`, `urn:uuid:${id}`, id.replace('-', '_'), `g${id.slice(1)}`];
    expect([...lengths, ...forms].filter((value) => pattern.test(value))).toEqual([]);
  });
});

// Two parts of the description go beyond the contract's tables and say so: the lower bound C38 and the field C33.
function withoutAssumptions(document: OpenApi): OpenApi {
  const limit = document.paths['/connect/calls/log']?.get?.parameters?.find((parameter) => parameter.name === 'limit');
  if (limit?.schema?.['x-assumption'] === 'C38') delete limit.schema.minimum;
  const { components } = document as unknown as { components: { schemas: Record<string, Schema> } };
  const properties = components.schemas.ListCallsResponse?.properties as { summary?: Schema } | undefined;
  if (properties?.summary?.['x-assumption'] === 'C33') delete properties.summary;
  return document;
}
