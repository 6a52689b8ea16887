// One mechanism for the options of both commands: the flags, the fields of the config file, the options of functions
// and their validation follow from a table with one row for each option.

import { kebab } from '../contract/words.ts';
import { parseDuration } from '../terminal/duration.ts';
import type { Flag } from '../terminal/flag-parser.ts';
import { didYouMean } from '../terminal/suggestion.ts';
import { UsageError } from '../terminal/usage-error.ts';

/** The kinds of value, in the form of a config file. */
export interface Kinds {
  switch: boolean;
  text: string;
  texts: readonly string[];
  /** Separated by commas on a command line. */
  words: readonly string[];
  whole: number;
  /** On a command line with a unit. */
  seconds: number;
  /** `true` is seed 1, `false` is none. */
  seed: boolean | number;
  /** NAME=VALUE on a command line. */
  pairs: Readonly<Record<string, string>>;
}

/** One option; the fields of `Flag` are those of its flag. */
export interface Option extends Flag {
  readonly kind: keyof Kinds;
  /** The name of the option in kebab case when absent. */
  readonly flag?: string;
  /** The field of the config file: the flag in camel case when absent. */
  readonly field?: string;
  /** Whether a config file cannot have it. */
  readonly hasNoField?: true;
  /** The default; when absent, `false` for a switch and a seed, an empty list or object, and null for others. */
  readonly usual?: unknown;
  /** The value of a flag without its optional value. */
  readonly bare?: unknown;
  readonly min?: number;
  readonly max?: number;
  /** Completes the sentence `--flag takes …`. */
  readonly takes?: string;
  /** Whether the sentence must not quote the value. */
  readonly isSecret?: true;
  /**
   * The value of one text: the only one, each of a list, or a pair. Null for a text that cannot be used, or a
   * `UsageError` with the reason.
   */
  readonly read?: (text: string, flag: string) => unknown;
}
export type Options = Readonly<Record<string, Option>>;

/** The value of an option in the program. */
export type ValueOf<O extends Option> = O extends { read: (text: string, flag: string) => infer V }
  ? O['kind'] extends 'texts' | 'words'
    ? readonly NonNullable<V>[]
    : O['kind'] extends 'pairs'
      ? Kinds['pairs']
      : NonNullable<V>
  : Kinds[O['kind']];
export type ValuesOf<T extends Options> = { readonly [Name in keyof T]?: ValueOf<T[Name]> };
/** The same with every default filled in. */
export type SettledOf<T extends Options> = {
  readonly [Name in keyof T]:
    | ValueOf<T[Name]>
    | (T[Name] extends { usual: unknown } | { kind: 'switch' | 'texts' | 'words' | 'seed' | 'pairs' } ? never : null);
};

/** The help of an option without a flag. */
export const noFlag = '';

/** Returns the makers of rows, which keep literal types; `Extra` are further columns of a table. */
export function rowsOf<Group extends string, Extra = unknown>() {
  type Columns = Omit<Option, 'kind' | 'value' | 'help' | 'repeat'> & Extra;
  const make =
    <const Shape extends Pick<Option, 'kind' | 'repeat' | 'optional'>>(shape: Shape) =>
    <const R extends Columns = Columns>(value: string, help: string, columns?: R) =>
      ({ ...columns, ...shape, value, help }) as R & Shape & { readonly value: string; readonly help: string };
  return {
    toggle: <const R extends Columns = Columns>(help: string, columns?: R) =>
      ({ ...columns, kind: 'switch', help }) as R & { readonly kind: 'switch'; readonly help: string },
    text: make({ kind: 'text' }),
    texts: make({ kind: 'texts', repeat: true }),
    words: make({ kind: 'words' }),
    whole: make({ kind: 'whole' }),
    seconds: make({ kind: 'seconds' }),
    seed: make({ kind: 'seed', optional: true }),
    pairs: make({ kind: 'pairs', repeat: true }),
    /** The rows with the heading under which the help lists them. */
    inGroup: <R extends Readonly<Record<string, object>>>(group: Group, rows: R) =>
      Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, { ...row, group }])) as {
        readonly [Name in keyof R]: R[Name] & { readonly group: string };
      },
  };
}

/** For tables without further columns. */
export const row = rowsOf<string>();

interface KindRow {
  /** Whether it is the value of a config file or of code; `words` name such values. */
  isForm(value: unknown): boolean;
  readonly words: string;
  /** The value of one text of a command line, or null; the text itself when absent. */
  readonly read?: (text: string, option: Option) => unknown;
  /** The default; null when absent. */
  readonly usual?: unknown;
  readonly isList?: true;
}

const textMax = 10_000;
const isText = (value: unknown) => typeof value === 'string' && value.length > 0 && value.length <= textMax;
const areTexts = (value: unknown) => Array.isArray(value) && value.every(isText);
const isBoolean = (value: unknown) => typeof value === 'boolean';
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const arePairs = (value: unknown) => isObject(value) && Object.values(value).every((text) => typeof text === 'string');

const texts: KindRow = { isForm: areTexts, words: 'a list of texts', usual: [], isList: true };
const kinds: { readonly [K in keyof Kinds]: KindRow } = {
  switch: { isForm: isBoolean, words: 'true or false', usual: false },
  text: { isForm: isText, words: 'a text' },
  texts,
  words: texts,
  whole: { isForm: Number.isInteger, words: 'a whole number', read: readWhole },
  seconds: { isForm: Number.isFinite, words: 'a number', read: readSeconds },
  seed: {
    isForm: (value) => isBoolean(value) || Number.isInteger(value),
    words: 'true, false or a seed',
    read: readWhole,
    usual: false,
  },
  pairs: { isForm: arePairs, words: 'an object of texts', read: readPair, usual: {}, isList: true },
};

/** Digits only: `1e6` would be a surprise. */
function readWhole(text: string, { min = 0, max = Number.MAX_SAFE_INTEGER }: Option): number | null {
  const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  return number >= min && number <= max ? number : null;
}

function readSeconds(text: string, { max = Number.POSITIVE_INFINITY }: Option): number | null {
  const ms = parseDuration(text);
  return ms === null || ms > max * 1000 ? null : ms / 1000;
}

function readPair(text: string): readonly string[] | null {
  return /^([^=]+)=(.*)$/s.exec(text)?.slice(1) ?? null;
}

/** Flags of a command line by name: texts as the parser returns them. */
export type Given = Readonly<Record<string, string | readonly string[] | boolean | undefined>>;

/** A value, or the problem as a sentence. */
export type Read<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };
/** Reads a value; `name` is its name in the sentence. */
export type Reader<T> = (value: unknown, name: string) => Read<T>;
export type Readers = Readonly<Record<string, Reader<unknown>>>;

/**
 * Returns what follows from the rows. In a config file, `isLoose` allows the text of a flag for every kind, for example
 * a list with commas.
 */
export function defineOptions<const T extends Options>(options: T, { isLoose = false } = {}) {
  const rows = Object.entries(options) as [keyof T & string, Option][];
  const fields = rows.filter(([, { hasNoField }]) => !hasNoField);
  return {
    /** Without their literal types. */
    rows,
    /** By flag, for the parser and the help. */
    flags: Object.fromEntries(
      rows.filter(([, { help }]) => help !== noFlag).map(([name, row]) => [flagOf(name, row), row]),
    ) as Options,
    /** The readers of a config file, by field. */
    fields: {
      ...Object.fromEntries(fields.map(([name, row]) => [fieldOf(name, row), optional(readerOf(row, isLoose))])),
      $schema: optional(readerOf({ kind: 'text', help: '' })),
    } as Readers,
    /** The values that were given. Throws a `UsageError` for one that cannot be used. */
    read(given: Given): ValuesOf<T> {
      return Object.fromEntries(
        rows.flatMap(([name, row]) => {
          const flag = flagOf(name, row);
          const value = given[flag];
          return value === undefined ? [] : [[name, readGiven(value, row, flag)]];
        }),
      ) as ValuesOf<T>;
    },
    settle(given: ValuesOf<T>): SettledOf<T> {
      return Object.fromEntries(
        rows.map(([name, { usual, kind }]) => [name, given[name] ?? usual ?? kinds[kind].usual ?? null]),
      ) as SettledOf<T>;
    },
    /** The fields of a valid config file as flags. `fill` completes texts. */
    flagsOf(config: object, fill = (text: string, _field: string) => text): Given {
      const entries = fields.flatMap(([name, row]) => {
        const field = fieldOf(name, row);
        const value = (config as Record<string, unknown>)[field];
        // `false` turns off what is on; a flag that is off is not given.
        if (value === undefined || (value === false && !row.negatable)) return [];
        return [[flagOf(name, row), spell(value, row, (text) => fill(text, field))]];
      });
      return Object.fromEntries(entries);
    },
  };
}

export const flagOf = (name: string, { flag }: Pick<Option, 'flag'>): string => flag ?? kebab(name);

const fieldOf = (name: string, { flag = name, field }: Option): string =>
  field ?? flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** As a command line spells it. */
function spell(value: unknown, { kind, repeat }: Option, fill: (text: string) => string): string | boolean | string[] {
  if (isBoolean(value)) return value as boolean;
  const given = isObject(value) ? Object.entries(value).map((pair) => pair.join('=')) : [value].flat();
  const texts = given.map((text) => fill(String(text)));
  return repeat ? texts : `${texts.join(',')}${kind === 'seconds' ? 's' : ''}`;
}

/** From the texts of a command line to the value of an option. */
function readGiven(given: string | readonly string[] | boolean, option: Option, flag: string): unknown {
  if (typeof given === 'boolean') return option.bare ?? given;
  const { kind, min = 0, max, isSecret, read } = option;
  const { isList, read: readKind = (text: string) => text } = kinds[kind];
  const numbers = max === undefined ? `of at least ${min}` : `from ${min} to ${max}`;
  const texts = [given].flat().flatMap((text) => (kind === 'words' ? text.split(',') : [text]));
  const values = texts.map((text) => {
    const value = read ? read(text, flag) : readKind(text, option);
    if (value !== null) return value;
    const { takes = `a whole number ${numbers}` } = option;
    throw new UsageError(`--${flag} takes ${takes}${isSecret ? '' : `, not "${text}"`}.`);
  });
  return kind === 'pairs' ? Object.fromEntries(values as [string, string][]) : isList ? values : values.at(-1);
}

/** A reader of one of the names. Its sentence lists them. */
export function oneOf<const Name extends string>(names: readonly Name[]) {
  return (text: string, flag: string): Name => {
    const found = names.find((name) => name === text.trim());
    if (found !== undefined) return found;
    const hint = didYouMean(text, names, (name) => name);
    throw new UsageError(`--${flag}: "${text}" is not one of ${names.join(', ')}.${hint}`);
  };
}

/** The reader of an option in a config file or in code. */
export function readerOf(option: Option, isLoose = false): Reader<unknown> {
  const { kind, min = 0, max = Number.MAX_SAFE_INTEGER, bare, read, takes, isSecret } = option;
  const { isForm, words, isList } = kinds[kind];
  const isLooseForm = (value: unknown) =>
    isText(value) || (isList ? areTexts(value) : Number.isFinite(value)) || (bare !== undefined && isBoolean(value));
  return (value, name) => {
    const reject = (wanted: string, given: unknown) =>
      ({ ok: false, problem: `${name} ${wanted}${isSecret ? '' : `, not ${shown(given)}`}.` }) as const;
    if (isLoose && kind !== 'switch' && isLooseForm(value)) return { ok: true, value };
    if (!isForm(value)) return reject(kind === 'text' && read ? `takes ${takes}` : `must be ${words}`, value);
    if (typeof value === 'number' && !(value >= min && value <= max))
      return { ok: false, problem: `${name} must be from ${min} to ${max}.` };
    if (read === undefined || isLoose) return { ok: true, value };
    const texts = [value].flat() as string[];
    const found = texts.map((text) => read(text, name));
    const unfit = texts[found.indexOf(null)];
    if (unfit !== undefined) return reject(`takes ${takes}`, unfit);
    return { ok: true, value: isList ? found : found[0] };
  };
}

export const optional =
  <T>(reader: Reader<T>): Reader<T | undefined> =>
  (value, name) =>
    value === undefined ? { ok: true, value } : reader(value, name);

/** A message quotes what was given, and a megabyte of it would bury the reason. */
export const shown = (value: unknown) => clip(JSON.stringify(value) ?? 'nothing');
export const clip = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

export const namesListedMax = 20;

/**
 * Reads the fields of an object. An unknown field is rejected, because it is a typing error and would silently do
 * nothing. `noun` names a field; `place` is the name of the object within another one.
 */
export function readFields(
  given: unknown,
  readers: Readers,
  { noun = 'setting', place = '', hint = didYouMean as (name: string, known: readonly string[]) => string } = {},
): Read<Readonly<Record<string, unknown>>> {
  if (!isObject(given))
    return {
      ok: false,
      problem: `${place === '' ? `the ${noun}s are` : `${place} must be`} an object, not ${shown(given)}.`,
    };
  const known = Object.keys(readers);
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const listed = known.length <= namesListedMax ? ` Options: ${known.join(', ')}.` : '';
    const where = place === '' ? '' : ` in ${place}`;
    return { ok: false, problem: `there is no ${noun} "${unknown}"${where}.${hint(unknown, known) || listed}` };
  }
  return readEach(given, readers, (name) => (place === '' ? name : `${place}.${name}`));
}

/** Reads the fields that have a reader, up to the first problem. `path` names a field in a sentence. */
export function readEach(
  given: Readonly<Record<string, unknown>>,
  readers: Readers,
  path: (name: string) => string,
): Read<Readonly<Record<string, unknown>>> {
  const values: Record<string, unknown> = {};
  for (const [name, read] of Object.entries(readers)) {
    const found = read(Object.hasOwn(given, name) ? given[name] : undefined, path(name));
    if (!found.ok) return found;
    if (found.value !== undefined) values[name] = found.value;
  }
  return { ok: true, value: values };
}
