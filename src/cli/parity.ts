// `casa parity`: the parity card of a profile, as text, Markdown or JSON.

import type { Aspect } from '../contract/generated/behaviors.ts';
import { aspects, type Parity, type ParityDetail, parityOf, spellCell } from '../contract/parity.ts';
import { sourceOf } from '../contract/profile.ts';
import { row } from '../options/define-options.ts';
import { readProfileFile } from '../terminal/profile-file.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { visible } from '../terminal/visible.ts';
import { command } from './command.ts';

export const parity = command({
  name: 'parity',
  usage: `casa parity: show what a calibrated mock knows about a deployment

Usage
  casa parity [FILE] [flags]    FILE is a profile from calibrate (default: casa.profile.json)

Each cell of the table shows how the mock knows an operation: learnt (from the deployment, with the
number of observations), stated (in the contract), assumed, or unknown.
`,
  options: { json: row.toggle('Print JSON'), markdown: row.toggle('Print Markdown') },
  exits: { 0: 'Printed', 2: 'Not a profile, or an invalid flag' },
  takesWords: true,
  run({ flags, words: [file = 'casa.profile.json', ...more] }, out) {
    if (more.length > 0) throw new UsageError('it reads one profile at a time.');
    if (flags.json && flags.markdown) throw new UsageError('--json and --markdown exclude each other.');
    const card = parityOf(sourceOf(readProfileFile(`profile: ${file}`, file)), file);
    out.write(flags.json ? `${JSON.stringify(card, null, 2)}\n` : flags.markdown ? markdownOf(card) : textOf(card));
  },
});

function tableOf(card: Parity): string[][] {
  const columns = Object.keys(aspects) as Aspect[];
  const rows = Object.entries(card.operations).map(([id, cells]) => [
    id,
    ...columns.map((aspect) => spellCell(cells[aspect], card)),
  ]);
  return [['Operation', ...Object.values(aspects)], ...rows];
}

const headOf = ({ target, learntOn }: Parity) => visible(`Parity of ${target}, learnt on ${learntOn}`);

/** Details that are not learnt, by their reason and command. */
function openOf({ details }: Parity, state: 'unknown' | 'assumed'): ParityDetail[] {
  return Object.values(details).filter((each) => each.state === state);
}

function textOf(card: Parity): string {
  const rows = tableOf(card);
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0))) ?? [];
  const lines = rows.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const unknown = openOf(card, 'unknown').flatMap(({ id, about, reason, command }) => [
    `  ${id}: ${about}`,
    `    ${reason}`,
    `    ${command}`,
  ]);
  const assumed = openOf(card, 'assumed').map(({ id, about, reason }) => `  ${id}: ${about} (${reason})`);
  return [headOf(card), '', ...lines, '', ...listOf('Unknown', unknown), ...listOf('Assumed', assumed)]
    .map(visible)
    .join('\n');
}

const listOf = (title: string, lines: readonly string[]) => (lines.length === 0 ? [] : [title, ...lines, '']);

function markdownOf(card: Parity): string {
  const [head = [], ...rows] = tableOf(card);
  const open = [...openOf(card, 'unknown'), ...openOf(card, 'assumed')].map(({ id, about, state, reason, command }) => [
    id,
    about,
    `${state}: ${reason}`,
    command === null ? '-' : `\`${command}\``,
  ]);
  const table = (all: readonly (readonly string[])[]) =>
    all.map((row) => `| ${row.map((cell) => visible(cell).replaceAll('|', '\\|')).join(' | ')} |`);
  const rule = (columns: readonly string[]) => columns.map(() => '---');
  const openHead = ['Detail', 'About', 'Reason', 'To find out'];
  return `# ${headOf(card)}\n\n${table([head, rule(head), ...rows]).join('\n')}\n\n${table([openHead, rule(openHead), ...open]).join('\n')}\n`;
}
