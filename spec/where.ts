// `npm run where -- 8.post-text`: the files of a clause, as path:line. Takes a check, a rule, a mutant, a choice (C29)
// and an interpretation (R29) as well.
import { UsageError } from '../src/terminal/usage-error.ts';
import { find, type HttpResponse } from './where/find.ts';
import { readPackages } from './where/packages.ts';

const textWidth = 90;

/** One line per place: kind, path and text. */
export function formatResponse({ title, text, found }: HttpResponse): string {
  const places = found.map(({ path, line }) => `${path}:${line}`);
  const kindWidth = Math.max(0, ...found.map(({ kind }) => kind.length));
  const placeWidth = Math.max(0, ...places.map((place) => place.length));
  const rows = found.map(({ kind, name = '', text: detail = '' }, i) => {
    const label = kind === found[i - 1]?.kind ? '' : kind;
    const words = `${name}  ${detail.length > textWidth ? `${detail.slice(0, textWidth)}…` : detail}`;
    return `${label.padEnd(kindWidth)}  ${places[i]?.padEnd(placeWidth)}  ${words}`.trimEnd();
  });
  return `${[title, `  ${text}`, '', ...rows].join('\n')}\n`;
}

async function main(names: readonly string[]): Promise<void> {
  if (names.length === 0)
    throw new UsageError('Name a clause, a check, a rule, a mutant, a choice or an interpretation.');
  const packages = await readPackages();
  console.log(names.map((name) => formatResponse(find(name, packages))).join('\n'));
}

if (process.argv[1]?.endsWith('where.ts')) {
  try {
    await main(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(error.message);
    process.exitCode = 2;
  }
}
