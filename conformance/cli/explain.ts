// The texts of --list and --explain.

import { type ClauseId, clauses } from '../../src/contract/generated/clauses.ts';
import {
  type Interpretation,
  type InterpretationId,
  interpretations,
} from '../../src/contract/generated/interpretations.ts';
import { count } from '../../src/terminal/count.ts';
import { didYouMean } from '../../src/terminal/suggestion.ts';
import { UsageError } from '../../src/terminal/usage-error.ts';
import { clip } from '../../src/terminal/visible.ts';
import type { Level } from '../judge/result.ts';
import { type Catalog, listOf } from '../plan/selection.ts';
import type { Check, Cost } from '../probe/check.ts';
import { needs } from '../probe/needs.ts';
import { whyUnprovable } from '../report/coverage.ts';
import { align } from '../reporters/terminal.ts';

const interpretationIds = Object.keys(interpretations) as InterpretationId[];

const levelWords: Readonly<Record<Level, string>> = { must: 'fails', should: 'warns', observe: 'is noted' };

/** `columns` is the width of a terminal, null where lines may be as long as they like. */
export function listText({ checks, rules }: Catalog, columns: number | null): string {
  const rows = [
    ['id', 'level', 'requests', 'needs', 'title'],
    ...checks.map((check) => [check.id, check.level, brief(check.cost), needsText(check), check.title]),
    ...rules.map((rule) => [rule.id, rule.level, '0', '-', rule.title]),
  ];
  const named = [...new Set(checks.flatMap((check) => check.needs ?? []))];
  const legend = [
    '',
    'levels    the result of a failed check',
    ...align(Object.entries(levelWords)).map((line) => `  ${line}`),
    'requests  minimum to maximum of this check; --explain shows shared requests and retries',
    'needs     the flag that enables a check',
    ...align(named.map((need) => [need, needs[need].flag])).map((line) => `  ${line}`),
  ];
  const lines = align(rows).map((line) => (columns === null ? line : clip(line, columns - 1)));
  return `${[...lines, ...legend].join('\n')}\n`;
}

function needsText(check: Check): string {
  return check.needs?.join(' ') ?? '-';
}

/** Fewest to most, or one number where they are the same. */
function brief({ requests, least = 0 }: Cost): string {
  return least === requests ? `${requests}` : `${least}-${requests}`;
}

/** Takes ids of checks, rules, clauses and interpretations. Throws a UsageError with a guess for anything else. */
export function explainText(id: string, { checks, rules }: Catalog): string {
  const check = checks.find((candidate) => candidate.id === id);
  const row = check ?? rules.find((candidate) => candidate.id === id);
  if (!row) {
    const about = explainInterpretation(id, { checks, rules }) ?? explainClause(id, { checks, rules });
    if (about !== null) return about;
    const known = [...checks, ...rules].map((candidate) => candidate.id).concat(Object.keys(clauses));
    const hint =
      didYouMean(id, known) ||
      ` --list names the checks; interpretations are ${interpretationIds[0]} to ${interpretationIds.at(-1)}.`;
    throw new UsageError(`No check, clause or interpretation is called "${id}".${hint}`);
  }
  const lines = [
    `${row.id} (${row.level})`,
    `  ${row.title}.`,
    ...(check ? detailsOf(check) : ['  It checks every exchange of a run, and sends nothing itself.']),
    '',
    'The contract',
    ...row.cites.flatMap(quote),
    ...interpretationLines(row.cites),
  ];
  return `${lines.join('\n')}\n`;
}

/** `R19`: the ambiguity of the contract, and the checks that use it. */
function explainInterpretation(id: string, catalog: Catalog): string | null {
  const name = interpretationIds.find((known) => known === id.toUpperCase());
  if (name === undefined) return null;
  const { text, about }: Interpretation = interpretations[name];
  const lines = [`${name}  ${text}`, '', 'Related clauses', ...about.flatMap(quote)];
  return `${[...lines, ...citing(about, catalog)].join('\n')}\n`;
}

/** Returns null for an unknown clause. */
function explainClause(id: string, catalog: Catalog): string | null {
  if (!Object.hasOwn(clauses, id)) return null;
  const clause = id as ClauseId;
  const unprovable = whyUnprovable(clause);
  const open = unprovable === null ? [] : [`    No response can break it: ${unprovable}.`];
  const lines = [...quote(clause), ...open, ...interpretationLines([clause])].map((line) => line.replace(/^ {2}/, ''));
  return `${[...lines, ...citing([clause], catalog)].join('\n')}\n`;
}

/** Where a change of the clause would be felt. */
function citing(cited: readonly ClauseId[], { checks, rules }: Catalog): string[] {
  const found = [...checks, ...rules].filter(({ cites }) => cites.some((clause) => cited.includes(clause)));
  const rows = align(found.map(({ id, title }) => [id, title]));
  return ['', 'Checks and rules that test it', ...(rows.length === 0 ? ['  none'] : rows.map((row) => `  ${row}`))];
}

/** Shared reads whose names only contributors know. */
const readNames: Readonly<Record<string, string>> = {
  'call row': 'one call',
  'call gate': 'one call, read twice',
  'call cut': 'a page of the call log',
  'calls after the cut': 'the next pages of the call log',
  'call snapshot': 'the call log without since',
};

/** The plan's details of this check, as sentences. */
function detailsOf({ after, mutates, cost, ...check }: Check): string[] {
  const { requests, least = 0, uses = [], seconds, writes, confirms } = cost;
  const own = least === requests ? count(requests, 'request') : `${least} to ${count(requests, 'request')}`;
  return [
    `  Sends ${requests === 0 ? 'no additional request' : own}.`,
    ...(uses.length > 0
      ? [`  Uses responses that other checks requested: ${uses.map((read) => readNames[read] ?? read).join(', ')}.`]
      : []),
    ...(writes ? [`  Up to ${writes} of them can create a post, a reply or a link.`] : []),
    ...(seconds ? [`  Waits up to ${seconds} s.`] : []),
    ...(confirms ? [`  Sends up to ${count(confirms, 'more request')} to confirm a failure.`] : []),
    ...(check.needs ? [`  Needs ${listOf(check.needs.map((need) => needs[need].flag))}.`] : []),
    ...(after ? [`  Runs only if these checks pass: ${after.join(', ')}.`] : []),
    ...(mutates ? [`  Leaves behind: ${mutates}`] : []),
  ];
}

/** The fact with its standing, since only stated and implied ones can fail. */
function quote(id: ClauseId): string[] {
  const { fact, standing, at } = clauses[id];
  return [`  ${id} (${standing}; ${at})`, `    ${fact}`];
}

/** Why the kit may be milder than the sentence. */
function interpretationLines(cites: readonly ClauseId[]): string[] {
  const isAbout = ({ about }: Interpretation) => about.some((clause) => cites.includes(clause));
  const names = interpretationIds.filter((name) => isAbout(interpretations[name]));
  if (names.length === 0) return [];
  return ['', 'Interpretations', ...names.map((name) => `  ${name}  ${interpretations[name].text}`)];
}
