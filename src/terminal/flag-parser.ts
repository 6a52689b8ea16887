// Reads a command line by a table of flags. Not node:util's `parseArgs`: that has no flag with an optional value and no
// "did you mean", and it needs more than one sentence to report a mistake.
import { didYouMean } from './suggestion.ts';
import { UsageError } from './usage-error.ts';

export interface Flag {
  /** A single letter: `-p`. */
  readonly short?: string;
  /** Name of the value in the help text; a flag without one is a switch. */
  readonly value?: string;
  /** Whether the value can be left out: `--grease` and `--grease=7`. `word`: it can also be the next word. */
  readonly optional?: true | 'word';
  /** Whether the flag may be given more than once. */
  readonly repeat?: true;
  /** Whether `--no-NAME` is a flag too. */
  readonly negatable?: true;
  /** On by default, so the help lists `--no-NAME`. */
  readonly isOn?: true;
  /** Its section in the help. */
  readonly group?: string;
  /** Only `--help all` lists it. */
  readonly isRare?: true;
  /** No help lists it: only commands that reports print contain it. */
  readonly isHidden?: true;
  readonly help: string;
}

export type FlagTable = Readonly<Record<string, Flag>>;

export type FlagValue<F extends Flag> = F extends { repeat: true }
  ? string[]
  : F extends { optional: true | 'word' }
    ? string | true
    : F extends { value: string }
      ? string
      : boolean;

/** The flags of a command line; a flag that was not given is absent. */
export type FlagValues<Table extends FlagTable> = { [Name in keyof Table]?: FlagValue<Table[Name]> };

export interface CommandWords {
  /** Whether words next to the flags are taken; they are rejected when absent. */
  readonly takesWords?: boolean;
  /** Whether a flag that is given twice is rejected; the last one counts when absent. */
  readonly isStrict?: boolean;
}

/** Throws a `UsageError` for a flag that is unknown, lacks its value or has one too many. */
export function parseFlags<Table extends FlagTable>(argv: readonly string[], table: Table): FlagValues<Table> {
  return parseWords(argv, table).values;
}

/** The same for a command that takes words next to its flags. */
export function parseWords<Table extends FlagTable>(
  argv: readonly string[],
  table: Table,
  { takesWords = false, isStrict = false }: CommandWords = {},
): { readonly values: FlagValues<Table>; readonly words: readonly string[] } {
  const values: Record<string, unknown> = {};
  const words: string[] = [];
  const rest = [...argv];
  /** A flag just before this word that stands without its optional value. */
  let last: string | null = null;
  while (rest.length > 0) {
    const word = rest.shift() as string;
    const bare = last;
    last = null;
    if (takesWords && !word.startsWith('-')) {
      words.push(word);
      continue;
    }
    if (bare !== null && !word.startsWith('-'))
      throw new UsageError(`"${word}" is not a flag. Did you mean ${bare}=${word}?`);
    const given = splitWord(word, table);
    const flag = table[given.name] as Flag;
    const { value, spelled } = given;
    if (isStrict && !flag.repeat && Object.hasOwn(values, given.name))
      throw new UsageError(`${spelled} is given twice.`);
    if (flag.value === undefined) {
      if (value !== null) throw new UsageError(`${spelled} takes no value: remove "=${value}".`);
      values[given.name] = !given.negated;
    } else if (flag.optional === 'word') {
      values[given.name] = value ?? (rest[0] === undefined || rest[0].startsWith('-') ? true : rest.shift());
    } else if (flag.optional) {
      values[given.name] = value ?? true;
      if (value === null) last = spelled;
    } else {
      const text = value ?? takeValue(rest, spelled, flag.value);
      values[given.name] = flag.repeat ? [...((values[given.name] as string[]) ?? []), text] : text;
    }
  }
  return { values: values as FlagValues<Table>, words };
}

interface GivenFlag {
  readonly name: string;
  /** As the user wrote it, for error sentences. */
  readonly spelled: string;
  readonly value: string | null;
  readonly negated: boolean;
}

function splitWord(word: string, table: FlagTable): GivenFlag {
  if (!word.startsWith('-') || word === '-' || word === '--') {
    throw new UsageError(`"${word}" is not a flag, and this command takes only flags.`);
  }
  if (!word.startsWith('--')) return splitShort(word, table);
  const split = word.indexOf('=');
  const spelled = split === -1 ? word : word.slice(0, split);
  const value = split === -1 ? null : word.slice(split + 1);
  const name = spelled.slice(2);
  if (Object.hasOwn(table, name)) return { name, spelled, value, negated: false };
  const positive = name.startsWith('no-') ? name.slice(3) : '';
  if (Object.hasOwn(table, positive) && table[positive]?.negatable) {
    return { name: positive, spelled, value, negated: true };
  }
  throw new UsageError(`Unknown flag ${spelled}.${didYouMean(name, spellings(table), (known) => `--${known}`)}`);
}

// `-p4010` and `-p 4010`; letters are not run together.
function splitShort(word: string, table: FlagTable): GivenFlag {
  const spelled = word.slice(0, 2);
  const name = Object.keys(table).find((known) => table[known]?.short === spelled[1]);
  if (name === undefined) throw new UsageError(`Unknown flag ${word}.`);
  const rest = word.slice(2).replace(/^=/, '');
  return { name, spelled, value: rest === '' ? null : rest, negated: false };
}

function takeValue(rest: string[], spelled: string, valueName: string): string {
  const next = rest[0];
  // A flag after it means that the value was forgotten; a negative number is a value.
  if (next === undefined || (next.startsWith('-') && !/^-\d/.test(next))) {
    throw new UsageError(`${spelled} needs a value: ${spelled} ${valueName}.`);
  }
  rest.shift();
  return next;
}

function spellings(table: FlagTable): string[] {
  return Object.entries(table).flatMap(([name, { negatable }]) => (negatable ? [name, `no-${name}`] : [name]));
}
