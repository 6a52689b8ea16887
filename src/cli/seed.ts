// `casa seed`: writes a world file for `casa mock --data`. The same flags give the same bytes.
import { behaviorsOf } from '../contract/profile.ts';
import { styleWorld } from '../domain/style-world.ts';
import { row } from '../options/define-options.ts';
import { whyUnwritable } from '../terminal/file-trouble.ts';
import { type FileKind, writeOwn } from '../terminal/own-file.ts';
import { readProfileFile } from '../terminal/profile-file.ts';
import { RunError } from '../terminal/usage-error.ts';
import { formatWorld } from '../worlds/format.ts';
import { defaultSize, worldRanges } from '../worlds/names.ts';
import { command } from './command.ts';

const { whole, text, toggle } = row;

type Generate = typeof import('../worlds/generate.ts').generateWorld;

const sized = (name: keyof typeof worldRanges, help: string) => {
  const [min, max] = worldRanges[name];
  return whole('N', help, { min, max });
};

/** Writes nothing when a flag is wrong. */
export const seed = command({
  name: 'seed',
  usage: `casa seed: generate a data file for casa mock --data

Usage
  casa seed [flags] > world.json

Examples
  casa seed --articles 5000 -o world.json
`,
  options: {
    seed: sized('seed', 'Seed of all values (default: 1). The same flags return the same bytes'),
    organizations: sized(
      'organizations',
      `Organizations. The sizes below are for the first one (default: ${defaultSize.organizations})`,
    ),
    sites: sized('sites', `Sites (default: ${defaultSize.sites})`),
    articles: sized('articles', `Articles (default: ${defaultSize.articles})`),
    keywords: sized('keywords', `Keywords, in all sites except the last (default: ${defaultSize.keywords})`),
    calls: sized('calls', `Calls (default: ${defaultSize.calls})`),
    reviews: sized('reviews', `Reviews of the first google_business account (default: ${defaultSize.reviews})`),
    profile: text('FILE', 'Write ids and keys like the deployment in FILE; see conformance calibrate'),
    pretty: toggle('Indent all values (default: one record per line)'),
    output: text('FILE', 'Write to FILE instead of standard output', { short: 'o' }),
  },
  exits: { 0: 'Written', 1: 'The file cannot be written', 2: 'Invalid flag' },
  async run({ flags: { seed = 1, profile: file, pretty, output, ...size } }, out) {
    const profile = file === undefined ? null : readProfileFile(`--profile: ${file}`, file);
    const generate = await loadGenerator();
    const made = await generate({ seed, size });
    const world = profile === null ? made : styleWorld(made, behaviorsOf(profile));
    const text = pretty ? `${JSON.stringify(world, null, 2)}\n` : formatWorld(world);
    if (output === undefined) out.write(text);
    else writeWorld(output, text);
  },
});

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
