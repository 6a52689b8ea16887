// What a tool says it takes. Schemas are written in many ways: bounds may be missing, stand behind a reference, or beside an
// alternative that is null; what cannot be read is no contradiction.
import { isObject } from '../exchange.ts';
import type { Tool } from './door.ts';

type Schema = Readonly<Record<string, unknown>>;

export interface Inputs {
  readonly names: readonly string[];
  readonly required: readonly string[];
  /** Nothing beside the names is taken. */
  readonly isClosed: boolean;
  /** Every schema that an input of that name may fit. */
  of(name: string): readonly Schema[];
}

export interface Bounds {
  readonly lower: number | null;
  readonly upper: number | null;
}

const DEPTH_MAX = 6;

export function readInputs({ inputSchema }: Tool): Inputs {
  const parts = partsOf(inputSchema, inputSchema);
  const properties = parts.flatMap(({ properties: given }) => (isObject(given) ? Object.entries(given) : []));
  return {
    names: [...new Set(properties.map(([name]) => name))],
    required: parts.flatMap(({ required }) => (Array.isArray(required) ? required : [])),
    isClosed: parts.some(({ additionalProperties }) => additionalProperties === false),
    of: (name) =>
      properties
        .filter(([given]) => given === name)
        .flatMap(([, schema]) => partsOf(schema, inputSchema))
        .filter(({ type }) => type !== 'null'),
  };
}

/** The schema and everything that it is put together of. */
function partsOf(schema: unknown, root: Schema, depth = 0): Schema[] {
  if (!isObject(schema) || depth > DEPTH_MAX) return [];
  const referred = typeof schema.$ref === 'string' ? [resolve(schema.$ref, root)] : [];
  const combined = [schema.allOf, schema.anyOf, schema.oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  return [schema, ...[...referred, ...combined].flatMap((part) => partsOf(part, root, depth + 1))];
}

function resolve(reference: string, root: Schema): unknown {
  if (!reference.startsWith('#')) return undefined;
  const steps = reference.slice(1).split('/').slice(1);
  let node: unknown = root;
  for (const step of steps) {
    const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    node = isObject(node) ? node[name] : undefined;
  }
  return node;
}

const KEYWORDS = {
  value: ['minimum', 'maximum'],
  length: ['minLength', 'maxLength'],
  items: ['minItems', 'maxItems'],
} as const;

export function boundsOf(schemas: readonly Schema[], of: keyof typeof KEYWORDS): Bounds {
  const [least, most] = KEYWORDS[of];
  const lowers = [...numbersIn(schemas, least), ...numbersIn(schemas, 'exclusiveMinimum').map((n) => n + 1)];
  const uppers = [...numbersIn(schemas, most), ...numbersIn(schemas, 'exclusiveMaximum').map((n) => n - 1)];
  return {
    lower: lowers.length === 0 ? null : Math.max(...lowers),
    upper: uppers.length === 0 ? null : Math.min(...uppers),
  };
}

/** Some generators write the largest safe integer where there is no bound. */
function numbersIn(schemas: readonly Schema[], keyword: string): number[] {
  return schemas.flatMap((schema) => {
    const value = schema[keyword];
    return typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER ? [value] : [];
  });
}

export function defaultOf(schemas: readonly Schema[]): unknown {
  return schemas.find((schema) => Object.hasOwn(schema, 'default'))?.default;
}
