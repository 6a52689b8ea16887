// Help texts, generated from tables of flags: `--help` has the first page, `--help all` everything.
import type { Flag, FlagTable } from './flag-parser.ts';
import { outputLost } from './output.ts';
import { didYouMean } from './suggestion.ts';
import { UsageError } from './usage-error.ts';

/** Returns the lines that list the flags; `all` gives several lists one width. */
export function describeFlags(table: FlagTable, all = table): string {
  const rows = Object.entries(table).map(([name, flag]) => [spellFlag(name, flag), flag.help] as const);
  const width = Math.max(...Object.entries(all).map(([name, flag]) => spellFlag(name, flag).length));
  const indent = `\n${' '.repeat(width + 4)}`;
  return rows.map(([spelled, help]) => `  ${spelled.padEnd(width)}  ${help.replaceAll('\n', indent)}\n`).join('');
}

function spellFlag(name: string, { short, value, optional, isOn }: Flag): string {
  const lead = short === undefined ? '    ' : `-${short}, `;
  const given = optional === 'word' ? ` [${value}]` : optional ? `[=${value}]` : ` ${value}`;
  return `${lead}--${isOn ? 'no-' : ''}${name}${value === undefined ? '' : given}`;
}

/** Returns a section for each group of flags. Without `isAll`, only flags of the first page are listed. */
export function describeGroups(table: FlagTable, groups: readonly string[], isAll = true): string {
  const rows = Object.entries(table).filter(([, { isRare, isHidden }]) => !isHidden && (isAll || !isRare));
  return groups
    .map((group) => [group, rows.filter(([, flag]) => flag.group === group)] as const)
    .filter(([, own]) => own.length > 0)
    .map(([group, own]) => `${group}\n${describeFlags(Object.fromEntries(own), Object.fromEntries(rows))}\n`)
    .join('');
}

/** Every command can lose its output. */
export function describeExits(meanings: Readonly<Record<number, string>>): string {
  return `Exit codes\n${Object.entries({ [outputLost]: 'The output cannot be written', ...meanings })
    .map(([code, meaning]) => `  ${code}  ${meaning}\n`)
    .join('')}`;
}

/** Returns the page of a topic; `true` is `--help` alone, the page ''. Throws a `UsageError` for an unknown topic. */
export function helpOn(topic: string | true, pages: Readonly<Record<string, () => string>>): string {
  const name = topic === true ? '' : topic;
  const page = Object.hasOwn(pages, name) ? pages[name] : undefined;
  if (page) return page();
  const topics = Object.keys(pages).filter(Boolean);
  throw new UsageError(`Unknown help topic "${name}".${didYouMean(name, topics)} Topics: ${topics.join(', ')}.`);
}
