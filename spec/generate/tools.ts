// The tools of the MCP endpoint, from spec/tools.yaml: a small table for the whole core, and separately the schemas and
// validators, which are loaded with the first MCP request.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { type Contract, checkKeywords, type Json, type Schema } from './document.ts';
import { typeOf } from './types.ts';
import { compileValidators } from './validators.ts';

interface ToolSource {
  readonly title: string;
  readonly description: string;
  /** The REST operation of the tool; null if REST has no such operation. */
  readonly operation: string | null;
  readonly readOnly?: boolean;
  readonly input: string;
  readonly output: string;
  readonly cites: readonly string[];
}

/** All that the three generated files about tools are made of. */
interface Tools {
  readonly contract: Contract;
  readonly tools: Readonly<Record<string, ToolSource>>;
  /** Those of tools.yaml alone. */
  readonly own: Readonly<Record<string, Schema>>;
  /** Those of openapi.yaml as well. */
  readonly schemas: Readonly<Record<string, Schema>>;
}

/** Throws for a tool that names an operation, a schema or a clause that there is not. */
export function readTools(folder: URL, contract: Contract): Tools {
  const { tools, schemas: own } = parse(readFileSync(new URL('tools.yaml', folder), 'utf8')) as {
    tools: Record<string, ToolSource>;
    schemas: Record<string, Schema>;
  };
  const schemas = { ...contract.schemas, ...own };
  const clauses = new Set(contract.clauses.map(({ id }) => id));
  const check = (at: string, cites: readonly string[]) => {
    const unknown = cites.find((id) => !clauses.has(id));
    if (unknown !== undefined)
      throw new Error(`tools.yaml: ${at} cites "${unknown}", which clauses.yaml does not have.`);
  };
  for (const [name, schema] of Object.entries(own)) {
    if (contract.schemas[name]) throw new Error(`tools.yaml: openapi.yaml has a schema ${name} already.`);
    checkKeywords(schema, `tools.yaml ${name}`);
    check(name, (schema['x-cites'] as string[]) ?? []);
  }
  for (const [name, { operation, input, output, cites }] of Object.entries(tools)) {
    check(name, cites);
    if (operation !== null && !contract.operations.some(({ id }) => id === operation))
      throw new Error(`tools.yaml: ${name} names the operation "${operation}", which openapi.yaml does not have.`);
    const missing = [input, output].find((schema) => !schemas[schema]);
    if (missing !== undefined) throw new Error(`tools.yaml: ${name} names the schema ${missing}, which is nowhere.`);
  }
  return { contract, tools, own, schemas };
}

export function emitTools({ tools, own: ownSchemas, schemas }: Tools): string {
  const names = Object.keys(tools);
  const own = names.filter((name) => tools[name]?.operation === null);
  const rows = Object.entries(tools).map(([name, { operation, readOnly, input, output }]) => {
    const defaults = defaultsOf(schemas[input] ?? {});
    const row = { name, operation, ...(operation === null ? { readOnly } : {}), input, defaults, output };
    return `  ${name}: ${JSON.stringify(row)},`;
  });
  const types = Object.entries(ownSchemas).map(([name, schema]) => `export type ${name} = ${typeOf(schema)};\n`);
  const refs = referredTypes(ownSchemas).filter((name) => !ownSchemas[name]);
  return `import type { OperationId } from './operations.ts';
import type { ${refs.join(', ')} } from './types.ts';

export type ToolName = ${names.map((name) => JSON.stringify(name)).join(' | ')};

/** Tools without a REST operation. */
export type OwnToolName = ${own.map((name) => JSON.stringify(name)).join(' | ')};

/** Those of them that change the world. */
export type OwnWriteToolName = ${own
    .filter((name) => !tools[name]?.readOnly)
    .map((name) => JSON.stringify(name))
    .join(' | ')};

export interface Tool {
  readonly name: ToolName;
  /** The REST operation that the tool is under another name; null for a tool of the MCP endpoint alone. */
  readonly operation: OperationId | null;
  /** Whether a tool without a REST operation only reads. */
  readonly readOnly?: boolean;
  /** Names of schemas. */
  readonly input: string;
  readonly output: string;
  /** Values of the arguments that a call leaves out. */
  readonly defaults: Readonly<Record<string, unknown>>;
}

export const tools: { readonly [Name in ToolName]: Tool } = {
${rows.join('\n')}
};

${types.join('\n')}`;
}

/** Only those of the first level: tools have no others. */
function defaultsOf({ properties }: Schema): Record<string, Json> {
  const stated = Object.entries((properties ?? {}) as Record<string, Schema>);
  return Object.fromEntries(
    stated.flatMap(([name, { default: preset }]) => (preset === undefined ? [] : [[name, preset]])),
  );
}

/** What \`tools/list\` says of each tool; the schemas stand alone, without references. */
export function emitToolSchemas({ contract, tools, schemas }: Tools): string {
  const rows = Object.entries(tools).map(([name, { title, description, operation, readOnly, input, output }]) => {
    const method = contract.operations.find(({ id }) => id === operation)?.method;
    const readOnlyHint = readOnly ?? method === 'GET';
    const listed = {
      name,
      title,
      description: description.trim(),
      // The description of the tool says it already, and that of openapi.yaml speaks of paths and bodies.
      inputSchema: standAlone({ ...schemas[input], description: undefined } as unknown as Schema, schemas),
      outputSchema: standAlone(resultSchema(output, schemas), schemas),
      annotations: { title, readOnlyHint, ...(readOnlyHint ? {} : { destructiveHint: false }), openWorldHint: false },
    };
    return `  ${JSON.stringify(listed)},`;
  });
  return `import type { ToolName } from './tools.ts';

interface ObjectSchema {
  readonly type: 'object';
  readonly [keyword: string]: unknown;
}

/** A tool as \`tools/list\` shows it. */
export interface ListedTool {
  readonly name: ToolName;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema: ObjectSchema;
  readonly annotations: Readonly<Record<string, string | boolean>>;
}

export const listedTools: readonly ListedTool[] = [
${rows.join('\n')}
];
`;
}

/** Outputs of REST operations have validators already. */
export function emitToolValidators({ tools, schemas }: Tools, folder: URL): Promise<{ code: string; types: string }> {
  const names = Object.values(tools).flatMap(({ operation, input, output }) => [
    input,
    ...(operation === null ? [output] : []),
  ]);
  return compileValidators(schemas, [...new Set(names)], folder);
}

/** Names of the schemas that are referred to, for the imports of the generated file. */
function referredTypes(node: Json | Readonly<Record<string, Schema>>): string[] {
  const found = [...JSON.stringify(node).matchAll(/"\$ref":"[^"]*\/(\w+)"/g)].map(([, name]) => name as string);
  return [...new Set(found)].sort();
}

// Clients validate every result with the schema, also rejections, so it allows both.
function resultSchema(output: string, schemas: Tools['schemas']): Schema {
  const { type, properties, required } = schemas[output] as Schema & { properties: Schema };
  const { error } = (schemas.ToolError as { properties: Schema }).properties;
  return { type, properties: { ...properties, error }, anyOf: [{ required }, { required: ['error'] }] } as Schema;
}

// Clients of the protocol get one schema, so references are written out and our own keywords left away.
function standAlone(node: Json, schemas: Tools['schemas']): Json {
  if (Array.isArray(node)) return node.map((item) => standAlone(item, schemas));
  if (node === null || typeof node !== 'object') return node;
  if (typeof node.$ref === 'string') {
    const { $ref, ...rest } = node;
    return standAlone({ ...(schemas[$ref.split('/').at(-1) as string] as Schema), ...rest }, schemas);
  }
  return Object.fromEntries(
    Object.entries(node)
      .filter(([keyword, child]) => !keyword.startsWith('x-') && child !== undefined)
      .map(([keyword, child]) => [keyword, standAlone(child, schemas)]),
  );
}
