// The shape of values that the contract does not show: names, JSON types and forms, and never a value of a customer.
// The kit learns shapes, and the mock invents records of them.

import { isObject } from './json.ts';
import { words } from './words.ts';
/** A JSON type, or that one of several was seen. */
export type ShapeType = 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'object' | 'array';

/** Of all records, or of those of each class, by its word: `{ draft: 1, published: 0 }`. */
export type Share = number | Readonly<Record<string, number>>;

/** The form of an object in which all timestamps of a record have one form. */
export const recordForm = 'one form a record';

/** Plain JSON, small enough to be read in a review. */
export interface Shape {
  readonly type: ShapeType;
  /** Null was seen as well. */
  readonly nullable?: boolean;
  /** Left out of some records. */
  readonly optional?: boolean;
  /** How many are null, left out of their record, or an empty text: from 0 to 1. */
  readonly nulls?: Share;
  readonly absent?: Share;
  readonly blanks?: Share;
  /** How a string, or a timestamp that is a number, is written: see forms.ts. */
  readonly form?: string;
  /** The words of a small vocabulary of the service, such as outcomes. */
  readonly values?: readonly string[];
  /** Of an object. */
  readonly fields?: Readonly<Record<string, Shape>>;
  /** Of the entries of a list. */
  readonly items?: Shape;
}

/** Milliseconds below which so many responses in a hundred stay. */
export interface Quantiles {
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
}

const types: readonly string[] = ['string', 'number', 'integer', 'boolean', 'null', 'object', 'array'];
const fieldsMax = 60;
const depthMax = 6;
/** Characters of a name, a form or a word. */
export const textMax = 80;

/** Null for a good shape, or what is wrong with it in a few words. Bounded in depth and number. */
export function whyNoShape(value: unknown, depth = 0): string | null {
  if (depth > depthMax) return 'is nested too deeply';
  if (!isObject(value) || typeof value.type !== 'string' || !types.includes(value.type)) return 'has no type';
  const unknown = Object.keys(value).find((name) => !known.has(name));
  if (unknown !== undefined) return `has a field "${unknown.slice(0, textMax)}"`;
  if (value.form !== undefined && !isText(value.form)) return 'has a form that is not a short text';
  for (const flag of ['nullable', 'optional']) {
    if (value[flag] !== undefined && typeof value[flag] !== 'boolean') return `has a ${flag} that is not a boolean`;
  }
  for (const name of ['nulls', 'absent', 'blanks']) {
    if (value[name] !== undefined && !isShare(value[name])) return `has a share ${name} that is not from 0 to 1`;
  }
  if (value.values !== undefined && !(Array.isArray(value.values) && value.values.every(isText)))
    return 'has values that are not short texts';
  if (value.items !== undefined) return whyNoShape(value.items, depth + 1);
  return value.fields === undefined ? null : whyNoFields(value.fields, depth);
}

function isShare(value: unknown): boolean {
  const isNumber = (each: unknown) => typeof each === 'number' && each >= 0 && each <= 1;
  if (!isObject(value)) return isNumber(value);
  const entries = Object.entries(value);
  return entries.length <= fieldsMax && entries.every(([word, each]) => word.length <= textMax && isNumber(each));
}

const known = new Set<string>(words('type nullable optional form values fields items nulls absent blanks'));

function whyNoFields(fields: unknown, depth: number): string | null {
  if (!isObject(fields)) return 'has fields that are not an object';
  const entries = Object.entries(fields);
  if (entries.length > fieldsMax) return `has more than ${fieldsMax} fields`;
  for (const [name, field] of entries) {
    if (name.length > textMax) return 'has a field with a long name';
    const problem = whyNoShape(field, depth + 1);
    if (problem !== null) return problem;
  }
  return null;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.length <= textMax;
}
