// JSON Schema -> TypeScript, for the part of JSON Schema that the contract uses.
import type { Contract, OperationSource, Parameter, Schema } from './document.ts';
import { refName } from './document.ts';

export function emitTypes(contract: Contract): string {
  const lines: string[] = [];
  for (const [name, schema] of Object.entries(contract.schemas)) {
    lines.push(`export type ${name} = ${toType(schema, '')};`, '');
  }
  lines.push('/** What a handler receives: path values, query values with defaults put in, and the body. */');
  lines.push('export interface InputMap {');
  for (const operation of contract.operations) lines.push(`  ${operation.id}: ${inputType(operation)};`);
  lines.push('}', '', '/** What an operation returns 200. */', 'export interface OutputMap {');
  for (const operation of contract.operations) lines.push(`  ${operation.id}: ${operation.outputSchema};`);
  lines.push('}', '');
  return lines.join('\n');
}

function inputType(operation: OperationSource): string {
  const fields = operation.parameters.map((parameter) => {
    const optional = parameter.required || parameter.schema.default !== undefined ? '' : '?';
    return `${parameter.name}${optional}: ${toType(parameter.schema, '')}`;
  });
  const own = fields.length > 0 ? `{ ${fields.join('; ')} }` : 'Record<never, never>';
  return operation.bodySchema ? `${operation.bodySchema} & ${own}` : own;
}

export function typeOf(schema: Schema): string {
  return toType(schema, '');
}

function toType(schema: Schema, indent: string): string {
  if (typeof schema.$ref === 'string') return refName(schema);
  const union = (schema.oneOf ?? schema.anyOf) as Schema[] | undefined;
  if (union) return union.map((field) => toType(field, indent)).join(' | ');
  if (schema.enum) return (schema.enum as string[]).map((value) => JSON.stringify(value)).join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const types = Array.isArray(schema.type) ? (schema.type as string[]) : [schema.type as string | undefined];
  return types.map((type) => single(type, schema, indent)).join(' | ');
}

function single(type: string | undefined, schema: Schema, indent: string): string {
  if (type === undefined) return 'unknown';
  if (type === 'integer') return 'number';
  if (type === 'array') return `Array<${toType((schema.items ?? {}) as Schema, indent)}>`;
  if (type !== 'object') return type;
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  if (properties.length === 0) return 'Record<string, unknown>';
  const required = new Set((schema.required ?? []) as string[]);
  const inner = `${indent}  `;
  const fields = properties.map(
    ([name, child]) => `${inner}${name}${required.has(name) ? '' : '?'}: ${toType(child, inner)};`,
  );
  return `{\n${fields.join('\n')}\n${indent}}`;
}

/** The schema of an operation's query, for the validators. */
export function querySchema(parameters: readonly Parameter[]): Schema {
  const query = parameters.filter((parameter) => parameter.in === 'query');
  return {
    type: 'object',
    properties: Object.fromEntries(query.map((parameter) => [parameter.name, parameter.schema])),
    required: query.filter((parameter) => parameter.required).map((parameter) => parameter.name),
  };
}
