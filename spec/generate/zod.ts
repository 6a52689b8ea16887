// JSON Schema -> zod, for the part of JSON Schema that the contract uses. Responses keep fields that the contract does
// not name: a client must not break when a service adds one.
import type { Contract, Schema } from './document.ts';
import { refName } from './document.ts';

export function emitZod(contract: Contract): string {
  const lines = [
    "import * as z from 'zod/v4';",
    "import { isDateTime } from '../timestamps.ts';",
    '',
    '/** ISO 8601, in any of its forms. */',
    "const dateTime = z.string().refine(isDateTime, 'not an ISO 8601 date-time');",
    '',
  ];
  for (const [name, schema] of Object.entries(contract.schemas)) {
    lines.push(`export const ${name} = ${toZod(schema, '')};`, '');
  }
  return lines.join('\n');
}

function toZod(schema: Schema, indent: string): string {
  if (typeof schema.$ref === 'string') return refName(schema);
  const union = (schema.oneOf ?? schema.anyOf) as Schema[] | undefined;
  const isAlternative = union?.some(({ type, $ref, const: constant }) => type ?? $ref ?? constant);
  if (union && isAlternative) return `z.union([${union.map((field) => toZod(field, indent)).join(', ')}])`;
  if (schema.enum) return `z.enum(${JSON.stringify(schema.enum)})`;
  if (schema.const !== undefined) return `z.literal(${JSON.stringify(schema.const)})`;
  if (!Array.isArray(schema.type)) return single(schema.type as string | undefined, schema, indent);
  const kinds = schema.type as string[];
  const made = kinds.filter((kind) => kind !== 'null').map((kind) => single(kind, schema, indent));
  const one = made.length === 1 ? (made[0] as string) : `z.union([${made.join(', ')}])`;
  return kinds.includes('null') ? `${one}.nullable()` : one;
}

function single(type: string | undefined, schema: Schema, indent: string): string {
  switch (type) {
    case undefined:
      return 'z.unknown()';
    case 'integer':
      return `z.number().int()${bounds(schema)}`;
    case 'number':
      return `z.number()${bounds(schema)}`;
    case 'boolean':
      return 'z.boolean()';
    case 'array':
      return `z.array(${toZod((schema.items ?? {}) as Schema, indent)})`;
    case 'object':
      return object(schema, indent);
    case 'string':
      return text(schema);
    default:
      throw new Error(`The generator knows no zod schema for the type "${type}".`);
  }
}

function bounds({ minimum, maximum }: Schema): string {
  return `${minimum === undefined ? '' : `.min(${minimum})`}${maximum === undefined ? '' : `.max(${maximum})`}`;
}

// Lengths count code points, as the mock does (assumption C11); zod's own would count UTF-16 units.
function text({ format, pattern, minLength, maxLength }: Schema): string {
  if (format === 'date-time') return 'dateTime';
  if (typeof pattern === 'string') return `z.string().regex(new RegExp(${JSON.stringify(pattern)}))`;
  if (format === 'uuid') return 'z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i)';
  if (format === 'uri') return "z.string().refine((text) => URL.canParse(text), 'not a URI')";
  const checks = [
    ...(minLength === undefined ? [] : [`.min(${minLength})`]),
    ...(maxLength === undefined
      ? []
      : [`.refine((text) => [...text].length <= ${maxLength}, 'longer than ${maxLength} characters')`]),
  ];
  return `z.string()${checks.join('')}`;
}

function object(schema: Schema, indent: string): string {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  if (properties.length === 0) return 'z.record(z.string(), z.unknown())';
  const required = new Set((schema.required ?? []) as string[]);
  const inner = `${indent}  `;
  const fields = properties.map(
    ([name, child]) => `${inner}${name}: ${toZod(child, inner)}${required.has(name) ? '' : '.optional()'},`,
  );
  return `z.looseObject({\n${fields.join('\n')}\n${indent}})`;
}
