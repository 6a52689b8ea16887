// The input of the admin API, as data: a shape names the fields of an object and what each may hold. Input that does
// not fit is rejected with one sentence that names the field and the reason.
import { checkedFormats } from '../contract/formats.ts';
import { dayMs, parseTimestampMs } from '../contract/timestamps.ts';
import type { Reader as PlainReader, Read } from '../options/define-options.ts';
import { clip, isObject, namesListedMax, readEach, shown } from '../options/define-options.ts';
import { parseDuration } from '../terminal/duration.ts';
import { didYouMean } from '../terminal/suggestion.ts';

/** In JSON Schema 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Nothing here throws. */
export interface Reader<T> extends PlainReader<T> {
  /** For documents, tools and commands; absent where nothing more can be said than that it is a value. */
  readonly schema?: JsonSchema;
  readonly isOptional?: boolean;
}

/** The fields of an object; each reader names itself in its problem. */
export type Shape = Readonly<Record<string, Reader<unknown>>>;
export type Shaped<S extends Shape> = { readonly [Name in keyof S]: S[Name] extends Reader<infer T> ? T : never };

const good = <T>(value: T): Read<T> => ({ ok: true, value });
const bad = (problem: string): Read<never> => ({ ok: false, problem });

/** A reader with its schema. Fields of the schema replace those of the reader. */
export const as = <T>(schema: JsonSchema, read: Reader<T>): Reader<T> =>
  Object.assign((value: unknown, name: string) => read(value, name), {
    schema: { ...read.schema, ...schema },
    isOptional: read.isOptional === true,
  });

/** A reader with a description for documents, tools and commands. */
export const about = <T>(description: string, read: Reader<T>): Reader<T> => as({ description }, read);

/** A text has a limit: it is kept, shown and compared. */
export const text = (maxLength = 1000): Reader<string> =>
  as({ type: 'string', minLength: 1, maxLength }, (value, name) => {
    if (typeof value !== 'string') return bad(`${name} must be a text, not ${describe(value)}.`);
    return value.length >= 1 && value.length <= maxLength
      ? good(value)
      : bad(`${name} must have 1 to ${maxLength} characters.`);
  });

/** Bounds are inclusive. */
export const number = ({ min, max, whole = false }: { min: number; max: number; whole?: boolean }): Reader<number> =>
  as({ type: whole ? 'integer' : 'number', minimum: min, maximum: max }, (value, name) => {
    const kind = whole ? 'whole number' : 'number';
    if (typeof value !== 'number' || (whole && !Number.isInteger(value)))
      return bad(`${name} must be a ${kind}, not ${describe(value)}.`);
    return value >= min && value <= max ? good(value) : bad(`${name} must be from ${min} to ${max}.`);
  });

export const flag: Reader<boolean> = as({ type: 'boolean' }, (value, name) =>
  typeof value === 'boolean' ? good(value) : bad(`${name} must be true or false, not ${describe(value)}.`),
);

/** The sentence lists the values. */
export const oneOf = <const T extends string>(values: readonly T[]): Reader<T> =>
  as({ type: 'string', enum: values }, (value, name) =>
    values.includes(value as T)
      ? good(value as T)
      : bad(`${name} must be one of ${values.join(', ')}, not ${describe(value)}.${guess(value, values)}`),
  );

/** Milliseconds. A bare number is rejected: it does not say of what. */
export const duration: Reader<number> = as({ type: 'string' }, (value, name) => {
  const ms = typeof value === 'string' ? parseDuration(value) : null;
  if (ms !== null && ms <= durationMaxMs) return good(ms);
  if (ms !== null) return bad(`${name} must be at most 10 years.`);
  if (typeof value === 'string' && /^\s*-./.test(value))
    return bad(`${name} must be 0 or more, not ${describe(value)}.`);
  return bad(`${name} must be a duration with its unit, such as "5m", "90s" or "PT5M", not ${describe(value)}.`);
});

const durationMaxMs = 10 * 366 * dayMs;

/** A year of four digits: what comes a little later than the last timestamp of a Date could not be written down. */
const farthestMs = Date.UTC(9999, 0);

/** Epoch milliseconds. */
export const timestamp: Reader<number> = as({ type: 'string', format: 'date-time' }, (value, name) => {
  const ms = typeof value === 'string' ? parseTimestampMs(value) : null;
  return ms === null || Math.abs(ms) > farthestMs
    ? bad(`${name} must be an ISO 8601 date-time, such as "2026-01-15T12:00:00Z", not ${describe(value)}.`)
    : good(ms);
});

/** The text itself, as a record of the contract holds it. */
export const dateTime: Reader<string> = as({ type: 'string', format: 'date-time' }, (value, name) => {
  const read = timestamp(value, name);
  return read.ok ? good(value as string) : read;
});

/** The id of an article or a site. */
export const uuid: Reader<string> = as({ type: 'string', format: 'uuid' }, (value, name) =>
  typeof value === 'string' && checkedFormats.uuid(value)
    ? good(value)
    : bad(`${name} must be a UUID, not ${describe(value)}.`),
);

/** Any value that is there, checked by another function. */
export const given: Reader<unknown> = (value, name) => (value === undefined ? bad(`${name} is missing.`) : good(value));

/** Absent is fine; `null` is not absent, and is rejected with its reason. */
export function optional<T>(read: Reader<T>, description?: string): Reader<T | undefined> {
  const reader: Reader<T | undefined> = (value, name) => (value === undefined ? good(undefined) : read(value, name));
  return Object.assign(reader, { schema: { ...read.schema, ...(description && { description }) }, isOptional: true });
}

/** Absent and `null` are both fine. */
export function orNull<T>(read: Reader<T>, description?: string): Reader<T | null | undefined> {
  const reader: Reader<T | null> = (value, name) => (value === null ? good(null) : read(value, name));
  const { type, enum: values } = read.schema ?? {};
  const schema = {
    ...read.schema,
    ...(type !== undefined && { type: [type, 'null'].flat() }),
    ...(values !== undefined && { enum: [values, null].flat() }),
  };
  return optional(as(schema, reader), description);
}

/** Stops at the first bad entry, and names its place. */
export const list = <T>(reader: Reader<T>, maxItems = 100): Reader<readonly T[]> =>
  as({ type: 'array', items: reader.schema ?? {}, maxItems }, (value, name) => {
    if (!Array.isArray(value)) return bad(`${name} must be a list, not ${describe(value)}.`);
    if (value.length > maxItems) return bad(`${name} must have at most ${maxItems} entries.`);
    const values: T[] = [];
    for (const [i, entry] of value.entries()) {
      const read = reader(entry, `${name}[${i}]`);
      if (!read.ok) return read;
      values.push(read.value);
    }
    return good(values);
  });

/** The schema of an object with the fields of a shape. */
export function schemaOf(shape: Shape): JsonSchema {
  const rows = Object.entries(shape);
  return {
    type: 'object',
    properties: Object.fromEntries(rows.map(([name, { schema = {} }]) => [name, schema])),
    required: rows.flatMap(([name, { isOptional }]) => (isOptional ? [] : [name])),
    additionalProperties: false,
  };
}

/** An unknown field is rejected, because it is a typing error and would silently do nothing. */
export const object = <S extends Shape>(shape: S): Reader<Shaped<S>> =>
  as(schemaOf(shape), (value, name) => {
    if (!isObject(value)) return bad(`${name} must be a JSON object, not ${describe(value)}.`);
    const path = (field: string) => (name === 'The body' ? field : `${name}.${field}`);
    const unknown = Object.keys(value).find((field) => !Object.hasOwn(shape, field));
    if (unknown !== undefined) {
      const known = Object.keys(shape);
      const hint = guess(unknown, known);
      // A suggestion replaces a list of sixty names.
      const isListed = hint === '' || known.length <= namesListedMax;
      const listed = isListed ? `; known fields: ${known.join(', ') || 'none'}` : '';
      return bad(`There is no field ${path(clip(unknown))}${listed}.${hint}`);
    }
    return readEach(value, shape, path) as Read<Shaped<S>>;
  });

// Only a word can be mistyped, and a long text is not one.
function guess(value: unknown, known: readonly string[]): string {
  return typeof value === 'string' && value.length <= 60 ? didYouMean(value, known) : '';
}

/** A short word for a message, never the complete value. */
function describe(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return isObject(value) ? 'an object' : shown(value);
}
