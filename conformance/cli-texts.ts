// What --list and --explain print.
import { type ClauseId, clauses } from '../src/contract/generated/clauses.ts';
import type { Check, Cost } from './check.ts';
import { nearest } from './nearest.ts';
import { count } from './outcome.ts';
import type { Rule } from './rules/rule.ts';
import { rulings, rulingsOf } from './rulings.ts';
import { UsageError } from './usage-error.ts';

export interface Catalogue {
  readonly checks: readonly Check[];
  readonly rules: readonly Rule[];
}

export function listText({ checks, rules }: Catalogue): string {
  const rows = [
    ['id', 'level', 'phase', 'needs', 'requests', 'cites'],
    ...checks.map((check) => [
      check.id,
      check.level,
      check.phase,
      needsText(check),
      brief(check.cost),
      citesText(check),
    ]),
    ...rules.map((rule) => [rule.id, rule.level, 'always', '-', '0', citesText(rule)]),
  ];
  return `${align(rows).join('\n')}\n`;
}

function needsText({ needs = [] }: Check): string {
  return needs.length === 0 ? '-' : needs.join(' ');
}

/** The first clause speaks for the check; all of them stand in --explain. */
function citesText({ cites: [first, ...more] }: Check | Rule): string {
  return more.length === 0 ? first : `${first} +${more.length}`;
}

function brief({ requests, least = 0, uses = [] }: Cost): string {
  const range = least === requests ? `${requests}` : `${least}-${requests}`;
  return uses.length === 0 ? range : `${range} +${uses.length} shared`;
}

function align(table: readonly (readonly string[])[]): string[] {
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

export function explainText(id: string, { checks, rules }: Catalogue): string {
  const check = checks.find((candidate) => candidate.id === id);
  const row = check ?? rules.find((candidate) => candidate.id === id);
  if (!row) {
    const near = nearest(
      id,
      [...checks, ...rules].map((candidate) => candidate.id),
    );
    throw new UsageError(`No check is called "${id}".${near === null ? '' : ` Did you mean "${near}"?`}`);
  }
  const lines = [
    `${row.id} (${row.level})`,
    `  ${row.title}.`,
    ...(check ? detailsOf(check) : ['  It judges every exchange of a run, and sends nothing itself.']),
    '',
    'What the contract says',
    ...row.cites.flatMap(quote),
    ...rulingLines(row.cites),
  ];
  return `${lines.join('\n')}\n`;
}

function detailsOf({ phase, needs, after, mutates, cost }: Check): string[] {
  const { requests, least = 0, uses = [], seconds, writes } = cost;
  const own = least === requests ? count(requests, 'request') : `${least} to ${requests} requests`;
  const shared = uses.length === 0 ? '' : `, and shares the reads of ${uses.join(', ')}`;
  return [
    `  Sends ${requests === 0 ? 'nothing of its own' : own}${shared}; phase ${phase}.`,
    ...(writes ? [`  At most ${writes} of them may be taken as a post, a reply or a link.`] : []),
    ...(seconds ? [`  Waits up to ${seconds} s.`] : []),
    ...(needs ? [`  Needs ${needs.join(', ')}.`] : []),
    ...(after ? [`  Tells nothing unless these pass: ${after.join(', ')}.`] : []),
    ...(mutates ? [`  Leaves behind: ${mutates}`] : []),
  ];
}

function quote(id: ClauseId): string[] {
  const { fact, standing, at } = clauses[id];
  return [`  ${id} (${standing}; ${at})`, `    ${fact}`];
}

function rulingLines(cites: readonly ClauseId[]): string[] {
  const numbers = [...new Set(cites.flatMap(rulingsOf))].sort((a, b) => a - b);
  if (numbers.length === 0) return [];
  return ['', 'Where it leaves room', ...numbers.map((number) => `  R${number}  ${rulings[number]}`)];
}
