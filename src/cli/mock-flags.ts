// The command line of `casa mock`: flags from the table of options, and the help text.
import { faultGrammar } from '../engine/fault-spec.ts';
import { preferGrammar } from '../http/prefer.ts';
import { type CasaConfig, type Kind, type Kinds, optionRows } from '../options/mock-options.ts';
import { parseDuration } from '../terminal/duration.ts';
import { describeFlags, type Flag, type FlagTable } from '../terminal/flag-parser.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { behaviorSpellings, spellBehavior } from './behavior-flag.ts';

/** The flag of an option, without its dashes. */
export const flagOf = (name: string, { flag }: { readonly flag?: string } = {}): string => flag ?? spellBehavior(name);

const usages: { readonly [K in Kind]?: Pick<Flag, 'repeat' | 'optional'> } = {
  texts: { repeat: true },
  pairs: { repeat: true },
  seed: { optional: true },
};

/** The order is that of the help text. */
export const mockFlags: FlagTable = {
  ...Object.fromEntries(optionRows.map(([name, row]) => [flagOf(name, row), { ...row, ...usages[row.kind] }])),
  'no-color': { help: 'no colors; NO_COLOR, or an output that is not a terminal, does the same' },
  help: { short: 'h', help: 'this text' },
};

/** By name, as they were given. */
export type MockFlagValues = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** The flags in the form of a config file. Throws a `UsageError` for a value that cannot be used. */
export function readFlags(flags: MockFlagValues): CasaConfig {
  return Object.fromEntries(
    optionRows.flatMap(([name, row]) => {
      const flag = flagOf(name, row);
      const given = flags[flag];
      if (given === undefined) return [];
      const value = readers[row.kind](given, row.max);
      if (value !== null) return [[name, value]];
      throw new UsageError(`--${flag} takes ${row.takes ?? `a whole number from 0 to ${row.max}`}, not "${given}".`);
    }),
  );
}

type Given = NonNullable<MockFlagValues[string]>;
const same = (given: Given) => given;
const readWhole = (text: Given, max = 0) =>
  /^\d{1,10}$/.test(String(text)) && Number(text) <= max ? Number(text) : null;

/** Null for a value that cannot be used. */
const readers: { readonly [K in Kind]: (given: Given, max?: number) => Given | Kinds[K] | null } = {
  switch: same,
  text: same,
  texts: same,
  names: (text) =>
    String(text)
      .split(',')
      .map((name) => name.trim()),
  whole: readWhole,
  seconds: (text, max = 0) => {
    const ms = parseDuration(String(text));
    return ms === null || ms > max * 1000 ? null : ms / 1000;
  },
  seed: (given, max) => (given === true ? given : readWhole(given, max)),
  pairs: readPairs,
};

function readPairs(specs: Given): Kinds['pairs'] | null {
  const pairs = [specs].flat().map((spec) => /^([^=]+)=(.*)$/s.exec(String(spec))?.slice(1));
  return pairs.includes(undefined) ? null : Object.fromEntries(pairs as [string, string][]);
}

/** Grammar of faults and choices included, so nobody has to leave the terminal. */
export function mockHelp(): string {
  const behavior = behaviorSpellings.map((spelling) => `  ${spelling}\n`).join('');
  return `casa mock: start the mock of the Content and Social Account service API

Usage
  casa mock [flags]

  casa mock                            the default world on http://127.0.0.1:4010/api/v1
  casa mock --port 0 --relaxed         a free port, no rate limits
  casa mock --save casa.state          what clients create outlives a restart
  casa mock --fault '*=503@0.1'        one request in ten, at random, gets a 503
  casa mock --upstream https://staging.example.com/api/v1   reads get responses by a deployment

Flags
${describeFlags(mockFlags)}
${faultGrammar}
${preferGrammar}
Choices (the first value is the default; spec/behaviors.yaml says what they mean)
${behavior}
Config file
  casa.config.json, .js, .mjs or .ts in the working directory holds the same settings by the names of the flags in
  camel case, such as { "port": 4020, "fault": ["createPost=transient@1x"], "trustProxy": true }. Flags win over it.

Exit codes
  0  stopped by SIGINT or SIGTERM    1  failed while running    2  a flag, the config or a file cannot be used
`;
}
