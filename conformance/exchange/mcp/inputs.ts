// The input that a tool declares. Schemas vary: bounds can be missing, in a reference, or in an alternative to null. An
// unknown part is not a contradiction.
import type { ClauseId } from '../../../src/contract/generated/clauses.ts';
import { labelLength, linkAccounts, postTextLength, replyTextLength } from '../../../src/contract/generated/limits.ts';
import { percentDecoded } from '../../../src/contract/percent.ts';
import { isObject } from '../exchange.ts';
import type { Tool } from './tools.ts';

/** As it came; nothing of it is trusted. */
type Schema = Readonly<Record<string, unknown>>;

/** Questions to the schema of a tool. Each response errs on the side of the tool. */
export interface Inputs {
  readonly names: readonly string[];
  /** Those without which no alternative is complete. */
  readonly required: readonly string[];
  /** Nothing next to the names is taken. */
  readonly isClosed: boolean;
  /** Every schema that an input of that name may fit. */
  of(name: string): readonly Schema[];
  /** The facts that hold in every alternative. */
  bounds(name: string, of: Measure): Bounds;
  /** Null means an omitted input. */
  mayBeNull(name: string): boolean;
}

export interface Bounds {
  readonly lower: number | null;
  readonly upper: number | null;
}

const depthMax = 6;

/** Never throws: an unreadable part has no effect. */
export function readInputs({ inputSchema }: Tool): Inputs {
  const parts = partsOf(inputSchema, inputSchema);
  const properties = parts.flatMap(({ properties: given }) => (isObject(given) ? Object.entries(given) : []));
  const every = (name: string) =>
    properties.filter(([given]) => given === name).flatMap(([, schema]) => partsOf(schema, inputSchema));
  return {
    names: [...new Set(properties.map(([name]) => name))],
    required: [...requiredOf(inputSchema, inputSchema)],
    isClosed: parts.some(({ additionalProperties }) => additionalProperties === false),
    of: (name) => every(name).filter(({ type }) => type !== 'null'),
    bounds: (name, of) => boundsOf(propertyOf(inputSchema, name, inputSchema), { root: inputSchema, of }),
    mayBeNull: (name) => every(name).some(takesNull),
  };
}

/** JSON Schema, OpenAPI 3.0 and enumerations write it in different ways. */
function takesNull({ type, nullable, enum: values, const: value }: Schema): boolean {
  const isListed = [type, values].some((list) => Array.isArray(list) && (list.includes('null') || list.includes(null)));
  return type === 'null' || nullable === true || value === null || isListed;
}

/** Schemas that hold together with this one: the target of its reference, and its parts. */
function conditionsOf(schema: Schema, root: Schema): unknown[] {
  const referred = typeof schema.$ref === 'string' ? [resolve(schema.$ref, root)] : [];
  return [...referred, ...(Array.isArray(schema.allOf) ? schema.allOf : [])];
}

/** Lists of which one must fit. */
function assumptionsOf({ anyOf, oneOf }: Schema): unknown[][] {
  return [anyOf, oneOf].filter(Array.isArray).filter((list) => list.length > 0);
}

/** The schema and everything that it is put together of. */
function partsOf(schema: unknown, root: Schema, depth = 0): Schema[] {
  if (!isObject(schema) || depth > depthMax) return [];
  const combined = [...conditionsOf(schema, root), ...assumptionsOf(schema).flat()];
  return [schema, ...combined.flatMap((part) => partsOf(part, root, depth + 1))];
}

/** In a choice, only inputs that every alternative requires are required. */
function requiredOf(schema: unknown, root: Schema, depth = 0): Set<string> {
  if (!isObject(schema) || depth > depthMax) return new Set();
  const own = new Set(Array.isArray(schema.required) ? schema.required.map(String) : []);
  const of = (part: unknown) => requiredOf(part, root, depth + 1);
  const conditional = conditionsOf(schema, root).flatMap((part) => [...of(part)]);
  const common = assumptionsOf(schema).flatMap((list) => {
    const [first = new Set<string>(), ...others] = list.map(of);
    return [...first].filter((name) => others.every((other) => other.has(name)));
  });
  return new Set([...own, ...conditional, ...common]);
}

/** The statements of a schema about one property, in the same order of parts and choices; undefined if it has none. */
function propertyOf(schema: unknown, name: string, root: Schema, depth = 0): Schema | undefined {
  if (!isObject(schema) || depth > depthMax) return undefined;
  const of = (part: unknown) => propertyOf(part, name, root, depth + 1);
  const given = isObject(schema.properties) ? schema.properties[name] : undefined;
  const parts = [isObject(given) ? given : undefined, ...conditionsOf(schema, root).map(of)];
  const behavior = assumptionsOf(schema).map((list) => list.map(of).filter((part) => part !== undefined));
  const chosen = behavior.filter((list) => list.length > 0).map((anyOf) => ({ anyOf }));
  const allOf = [...parts.filter((part) => part !== undefined), ...chosen];
  return allOf.length > 0 ? { allOf } : undefined;
}

/** References within the schema only; none is ever fetched. */
function resolve(reference: string, root: Schema): unknown {
  if (!reference.startsWith('#')) return undefined;
  const steps = reference.slice(1).split('/').slice(1);
  let node: unknown = root;
  for (const step of steps) {
    const name = percentDecoded(step).replaceAll('~1', '/').replaceAll('~0', '~');
    node = isObject(node) ? node[name] : undefined;
  }
  return node;
}

const measures = {
  value: { least: 'minimum', most: 'maximum', types: ['integer', 'number'] },
  length: { least: 'minLength', most: 'maxLength', types: ['string'] },
  items: { least: 'minItems', most: 'maxItems', types: ['array'] },
} as const;

/** The type of a bound: a number, the characters of a text, the items of a list. */
export type Measure = keyof typeof measures;

/** The same for every level of the recursion. */
interface BoundsQuery {
  readonly root: Schema;
  readonly of: Measure;
}

/** All parts bind, and of a choice the widest alternative. */
function boundsOf(schema: unknown, query: BoundsQuery, depth = 0): Bounds {
  if (!isObject(schema) || depth > 2 * depthMax) return { lower: null, upper: null };
  const of = (part: unknown) => boundsOf(part, query, depth + 1);
  const chosen = assumptionsOf(schema).map((list) => {
    const bounds = list.filter((part) => !isOfOtherType(part, query)).map(of);
    return { lower: widest(bounds, 'lower'), upper: widest(bounds, 'upper') };
  });
  const all = [ownBounds(schema, query.of), ...conditionsOf(schema, query.root).map(of), ...chosen];
  const lowers = all.flatMap(({ lower }) => lower ?? []);
  const uppers = all.flatMap(({ upper }) => upper ?? []);
  return {
    lower: lowers.length === 0 ? null : Math.max(...lowers),
    upper: uppers.length === 0 ? null : Math.min(...uppers),
  };
}

/** Null when one alternative is unbounded: then the choice is. */
function widest(bounds: readonly Bounds[], side: keyof Bounds): number | null {
  const known = bounds.flatMap((each) => each[side] ?? []);
  if (known.length === 0 || known.length < bounds.length) return null;
  return side === 'lower' ? Math.min(...known) : Math.max(...known);
}

/** An alternative of another type has no bound of this measure, and must not count as unbounded. */
function isOfOtherType(schema: unknown, { root, of }: BoundsQuery): boolean {
  if (schema === false) return true;
  if (!isObject(schema)) return false;
  const whole = typeof schema.$ref === 'string' ? resolve(schema.$ref, root) : schema;
  const types: unknown[] = isObject(whole) && whole.type !== undefined ? [whole.type].flat() : [];
  return types.length > 0 && !measures[of].types.some((type) => types.includes(type));
}

/** For whole numbers: a bound that excludes 200.5 allows 200. Older drafts have a flag next to the bound. */
function ownBounds(schema: Schema, of: Measure): Bounds {
  const { least, most } = measures[of];
  const isNumber = of === 'value';
  const [above, below] = isNumber ? [schema.exclusiveMinimum, schema.exclusiveMaximum] : [undefined, undefined];
  const [minimum, maximum] = [numberIn(schema[least]), numberIn(schema[most])];
  const lowers = [
    ...minimum.map((n) => (above === true ? Math.floor(n) + 1 : Math.ceil(n))),
    ...numberIn(above).map((n) => Math.floor(n) + 1),
  ];
  const uppers = [
    ...maximum.map((n) => (below === true ? Math.ceil(n) - 1 : Math.floor(n))),
    ...numberIn(below).map((n) => Math.ceil(n) - 1),
  ];
  return {
    lower: lowers[0] === undefined ? null : Math.max(...lowers),
    upper: uppers[0] === undefined ? null : Math.min(...uppers),
  };
}

/** Some generators write the largest safe integer where there is no bound. */
function numberIn(value: unknown): number[] {
  return typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER ? [value] : [];
}

/** The first that a schema states. */
export function defaultOf(schemas: readonly Schema[]): unknown {
  return schemas.find((schema) => Object.hasOwn(schema, 'default'))?.default;
}

// The connect tools of the MCP endpoint. Their names are not shown, so a tool counts as one only when it takes every
// input of the operation.

/** The contract's bound of one input, and its unit. */
export interface BoundClaim {
  readonly input: string;
  readonly of: Measure;
  readonly clause: ClauseId;
  readonly lower?: number;
  readonly upper: number;
  readonly usual?: number;
}

/** A connect operation, known by its inputs, and the limits that a tool for it may state. */
export interface Operation {
  readonly inputs: readonly string[];
  readonly bounds: readonly BoundClaim[];
}

export const post: Operation = {
  inputs: ['accountId', 'text', 'media', 'link'],
  bounds: [{ input: 'text', of: 'length', clause: '8.post-text', lower: 1, upper: postTextLength.max }],
};
export const reply: Operation = {
  inputs: ['accountId', 'reviewId', 'text'],
  bounds: [{ input: 'text', of: 'length', clause: '8.reply-text', lower: 1, upper: replyTextLength.max }],
};
export const link: Operation = {
  inputs: ['provider', 'label', 'maxAccounts'],
  bounds: [
    { input: 'label', of: 'length', clause: '8.label', lower: 1, upper: labelLength.max },
    {
      input: 'maxAccounts',
      of: 'value',
      clause: '8.max-accounts',
      lower: 1,
      upper: linkAccounts.max,
      usual: linkAccounts.preset,
    },
  ],
};

type Tools = readonly Tool[] | null;

/** The only tool that accepts all inputs of an operation and requires only these. */
export function findTool(tools: Tools, operation: Operation): Tool | null {
  const fitting = fittingTools(tools, operation);
  return fitting.length === 1 ? (fitting[0] ?? null) : null;
}

/** All tools that could be the operation; more than one, and none is taken. */
function fittingTools(tools: Tools, { inputs }: Operation): readonly Tool[] {
  return (tools ?? []).filter((tool) => {
    const { names, required } = readInputs(tool);
    return inputs.every((input) => names.includes(input)) && required.every((name) => inputs.includes(name));
  });
}

/** Why no tool is taken for any of the operations. */
export function whyNone(tools: Tools, wanted: readonly Operation[]): string {
  const isSeveral = wanted.some((operation) => fittingTools(tools, operation).length > 1);
  const inputs = wanted.map((operation) => operation.inputs.join(', ')).join('; or ');
  return `${isSeveral ? 'several tools of the MCP endpoint take' : 'no tool of the MCP endpoint takes'} ${inputs}`;
}
