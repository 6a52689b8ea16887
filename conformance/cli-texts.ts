// What --list, --explain, --plan and --version print.
import { type ClauseId, clauses } from '../src/contract/generated/clauses.ts';
import type { Check } from './check.ts';
import { nearest } from './nearest.ts';
import type { Plan } from './plan.ts';
import type { Rule } from './rules/rule.ts';
import { UsageError } from './usage-error.ts';

export function listText(checks: readonly Check[], rules: readonly Rule[]): string {
  const rows = [...checks, ...rules];
  const width = Math.max(...rows.map(({ id }) => id.length));
  return `${rows.map(({ id, level, title }) => `${id.padEnd(width)}  ${level.padEnd(7)}  ${title}`).join('\n')}\n`;
}

export function explainText(id: string, checks: readonly Check[], rules: readonly Rule[]): string {
  const check = checks.find((candidate) => candidate.id === id);
  const row = check ?? rules.find((candidate) => candidate.id === id);
  if (!row) {
    const near = nearest(
      id,
      [...checks, ...rules].map((candidate) => candidate.id),
    );
    throw new UsageError(`No check is called "${id}".${near === null ? '' : ` Did you mean "${near}"?`}`);
  }
  const details = check ? detailsOf(check) : ['judges every exchange of a run, and sends nothing itself'];
  const quotes = row.cites.flatMap(quote);
  return `${[`${row.id} (${row.level})`, `  ${row.title}`, ...details.map((line) => `  ${line}`), '  cites', ...quotes].join('\n')}\n`;
}

function detailsOf({ phase, needs, after, mutates, cost }: Check): string[] {
  return [
    `phase ${phase}; at most ${cost.requests} requests of its own${cost.uses ? `, and the shared ${cost.uses.join(', ')}` : ''}`,
    ...(needs ? [`needs ${needs.join(', ')}`] : []),
    ...(after ? [`tells nothing unless these pass: ${after.join(', ')}`] : []),
    ...(mutates ? [`leaves behind: ${mutates}`] : []),
  ];
}

function quote(id: ClauseId): string[] {
  const { fact, standing, at } = clauses[id];
  return [`    ${id} (${standing}; ${at})`, `      ${fact}`];
}

export function planText(plan: Plan): string {
  const { requests, seconds } = plan;
  const writes = plan.writes === 0 ? '' : `, at most ${plan.writes} of them writes`;
  return `${plan.checks} checks, ${requests.floor} to ${requests.ceiling} requests${writes}, ${seconds.floor} to ${seconds.ceiling} s`;
}
