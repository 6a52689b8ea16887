// `casa seed`: writes a world file for `casa mock --data`. The same flags give the same bytes.
import { behaviorsOf } from '../contract/profile.ts';
import { styleWorld } from '../domain/style-world.ts';
import { whyUnwritable } from '../terminal/file-trouble.ts';
import type { FlagTable, FlagValues } from '../terminal/flag-parser.ts';
import { describeExits, describeFlags } from '../terminal/help.ts';
import { type FileKind, writeOwn } from '../terminal/own-file.ts';
import { readProfileFile } from '../terminal/profile-file.ts';
import { RunError, UsageError } from '../terminal/usage-error.ts';
import { formatWorld } from '../worlds/format.ts';
import { defaultSize, worldRanges } from '../worlds/names.ts';
import { command } from './command.ts';

type Generate = typeof import('../worlds/generate.ts').generateWorld;

const seedFlags = {
  seed: { value: 'N', help: 'Seed of all values (default: 1). The same flags return the same bytes' },
  organizations: {
    value: 'N',
    help: `Organizations. The sizes below are for the first one (default: ${defaultSize.organizations})`,
  },
  sites: { value: 'N', help: `Sites (default: ${defaultSize.sites})` },
  articles: { value: 'N', help: `Articles (default: ${defaultSize.articles})` },
  keywords: { value: 'N', help: `Keywords, in all sites except the last (default: ${defaultSize.keywords})` },
  calls: { value: 'N', help: `Calls (default: ${defaultSize.calls})` },
  reviews: { value: 'N', help: `Reviews of the first google_business account (default: ${defaultSize.reviews})` },
  profile: { value: 'FILE', help: 'Write ids and keys like the deployment in FILE; see conformance calibrate' },
  pretty: { help: 'Indent all values (default: one record per line)' },
  output: { short: 'o', value: 'FILE', help: 'Write to FILE instead of standard output' },
  help: { short: 'h', help: 'Show this help' },
} as const satisfies FlagTable;

const usage = `casa seed: generate a data file for casa mock --data

Usage
  casa seed [flags] > world.json

Examples
  casa seed --articles 5000 -o world.json

Flags
${describeFlags(seedFlags)}
${describeExits({ 0: 'Written', 1: 'The file cannot be written', 2: 'Invalid flag' })}`;

/** Writes nothing when a flag is wrong. */
export const seed = command({
  name: 'seed',
  table: seedFlags,
  usage,
  async run({ flags }, out) {
    const { seed: number = 1, ...size } = readNumbers(flags);
    const { profile: file } = flags;
    const profile = file === undefined ? null : readProfileFile(`--profile: ${file}`, file);
    const generate = await loadGenerator();
    const made = await generate({ seed: number, size });
    const world = profile === null ? made : styleWorld(made, behaviorsOf(profile));
    const text = flags.pretty ? `${JSON.stringify(world, null, 2)}\n` : formatWorld(world);
    if (flags.output === undefined) out.write(text);
    else writeWorld(flags.output, text);
  },
});

/** Digits only: `1e6` would be a surprise. */
function readNumbers(flags: FlagValues<typeof seedFlags>): Partial<Record<keyof typeof worldRanges, number>> {
  const numbers: Partial<Record<keyof typeof worldRanges, number>> = {};
  for (const name of Object.keys(worldRanges) as (keyof typeof worldRanges)[]) {
    const text = flags[name];
    if (text === undefined) continue;
    const [min, max] = worldRanges[name];
    const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (!(number >= min && number <= max)) {
      throw new UsageError(`--${name} takes a whole number from ${min} to ${max}, not "${text}".`);
    }
    numbers[name] = number;
  }
  return numbers;
}

// faker is a development tool that the package does not bring along. Only its absence is told; other errors are ours.
async function loadGenerator(): Promise<Generate> {
  try {
    await import('@faker-js/faker/locale/en');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new RunError('this command needs @faker-js/faker: npm install --save-dev @faker-js/faker@10.6.0');
  }
  return (await import('../worlds/generate.ts')).generateWorld;
}

const worldFile: FileKind = { name: 'world', start: /^\s*\{[\s\S]{0,2000}"casaWorld"/ };

function writeWorld(file: string, text: string): void {
  try {
    writeOwn(file, text, worldFile);
  } catch (error) {
    throw new RunError(`--output: ${file} ${whyUnwritable(error)}.`);
  }
}
