// A comparison of two deployments for a person: differences with the side at fault, totals, and the result.
import { count } from '../../src/terminal/count.ts';
import { type Paint, plain } from '../../src/terminal/paint.ts';
import { clip, visible } from '../../src/terminal/visible.ts';
import {
  type DiffEnding,
  type Difference,
  type DiffOutcome,
  type DiffSide,
  type Dimension,
  diffOutcomes,
  sameByFew,
  seenOnce,
  tallyOf,
} from '../report/difference.ts';
import { fold, type TerminalStyle } from './terminal.ts';

const textCharactersMax = 400;
const shownMax = 60;
const reasonsShownMax = 8;
const fewShownMax = 6;

const styles = {
  'differs illegally': 'red',
  'differs legally': 'yellow',
  same: 'green',
  'not comparable': 'dim',
} as const satisfies Record<DiffOutcome, Parameters<Paint>[0]>;

/** Returns illegal differences first. */
export function renderDiffTerminal(
  difference: Difference,
  ending: DiffEnding,
  { paint, columns }: TerminalStyle = { paint: plain, columns: null },
): string {
  const { a, b, abort, dimensions, seconds } = difference;
  const last = lastLine(ending, paint);
  if (abort !== null) return `${last}\n`;
  const lines = [
    paint(ending.exitCode === 0 ? 'green' : 'red', safe(ending.sentence)),
    ...sides(a, b),
    ...brokenOnce(dimensions, paint),
    ...differing(dimensions, 'differs illegally', paint),
    ...differing(dimensions, 'differs legally', paint),
    ...untold(dimensions, paint),
    '',
    tallyLine(dimensions, paint),
    ...byChance(dimensions, paint),
    ...[a, b].map(effort),
    `both together: ${seconds.toFixed(1)} s`,
    last,
  ];
  return `${lines.map((line) => fold(line, columns)).join('\n')}\n`;
}

function sides(a: DiffSide, b: DiffSide): string[] {
  return ['', ...[a, b].map(({ name, label }) => `  ${name}  ${safe(label)}`)];
}

function differing(dimensions: readonly Dimension[], outcome: DiffOutcome, paint: Paint): string[] {
  const rows = dimensions.filter((each) => each.outcome === outcome);
  const more = rows.length - shownMax;
  return [
    ...rows.slice(0, shownMax).flatMap((row) => describe(row, paint)),
    ...(more > 0 ? [`      and ${more} more; the reports list them`] : []),
  ];
}

/** `--explain` accepts the id of a clause. */
function describe({ layer, id, about, outcome, a, b, fault, why }: Dimension, paint: Paint): string[] {
  const whose = fault === null ? '' : `, and ${fault} violates the contract`;
  return [
    '',
    `${paint(styles[outcome], outcome)}${whose}  ${paint('bold', id)} (${layer})`,
    `      ${safe(about)}`,
    `      A  ${safe(a ?? 'not seen')}`,
    `      B  ${safe(b ?? 'not seen')}`,
    ...(why === null ? [] : [`      ${paint('dim', safe(why))}`]),
  ];
}

/** Violations in one round of one side only, which are not differences yet. */
function brokenOnce(dimensions: readonly Dimension[], paint: Paint): string[] {
  return seenOnce(dimensions).flatMap(({ id, layer, about, fault, a, b, why }) => [
    '',
    `${paint('red', `${fault} violated it once`)}  ${paint('bold', id)} (${layer})`,
    `      ${safe(about)}`,
    `      A  ${safe(a ?? 'not seen')}`,
    `      B  ${safe(b ?? 'not seen')}`,
    `      ${paint('dim', safe(why ?? 'a repeated request did not show it'))}`,
  ]);
}

/** Names behaviors, and counts clauses by reason, the most frequent first. */
function untold(dimensions: readonly Dimension[], paint: Paint): string[] {
  const open = dimensions.filter(({ outcome }) => outcome === 'not comparable');
  if (open.length === 0) return [];
  const behaviors = open.filter(({ layer }) => layer === 'behavior');
  const clauses = open.filter(({ layer }) => layer !== 'behavior');
  const reasons = new Map<string, number>();
  for (const { why, fault } of clauses)
    if (fault === null) reasons.set(headOf(why), (reasons.get(headOf(why)) ?? 0) + 1);
  const ranked = [...reasons].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const rest = ranked.slice(reasonsShownMax).reduce((sum, [, number]) => sum + number, 0);
  const width = Math.max(0, ...behaviors.map(({ id }) => id.length));
  return [
    '',
    `${paint(styles['not comparable'], 'not comparable')}  ${count(behaviors.length, 'behavior')}, ${count(clauses.length, 'clause')}`,
    ...behaviors.map(({ id, why }) => `      ${id.padEnd(width)}  ${paint('dim', safe(why ?? ''))}`),
    ...ranked
      .slice(0, reasonsShownMax)
      .map(([why, number]) => `      ${count(number, 'clause')}  ${paint('dim', safe(why))}`),
    ...(rest > 0 ? [`      ${count(rest, 'more clause')}`] : []),
  ];
}

function headOf(why: string | null): string {
  return (why ?? '').replace(/: an audit needs .*/, '');
}

function tallyLine(dimensions: readonly Dimension[], paint: Paint): string {
  const tally = tallyOf(dimensions);
  const open = dimensions.filter(({ outcome }) => outcome === 'not comparable');
  const behaviors = open.filter(({ layer }) => layer === 'behavior').length;
  const notComparable = `not comparable: ${count(behaviors, 'behavior')}, ${count(open.length - behaviors, 'clause')}`;
  return diffOutcomes
    .filter((outcome) => tally[outcome] > 0)
    .map((outcome) =>
      paint(
        styles[outcome],
        outcome === 'not comparable' ? notComparable : `${tally[outcome]} ${wordFor(outcome, tally[outcome])}`,
      ),
    )
    .join(' · ');
}

function wordFor(outcome: DiffOutcome, number: number): string {
  return number === 1 ? outcome : outcome.replace(/^differs/, 'differ');
}

function byChance(dimensions: readonly Dimension[], paint: Paint): string[] {
  const few = sameByFew(dimensions).map(({ id }) => id);
  if (few.length === 0) return [];
  const more = few.length > fewShownMax ? ` and ${few.length - fewShownMax} more` : '';
  const named = few.slice(0, fewShownMax).join(', ');
  return [paint('dim', `compared in only one or two responses: ${named}${more}`)];
}

function effort({ name, requests, seconds, isMockTime, rounds }: DiffSide): string {
  const time = `${seconds.toFixed(1)} s${isMockTime ? ' (mock time)' : ''}`;
  return `${name}: ${count(requests, 'request')} in ${time}, ${count(rounds, 'run')}`;
}

function lastLine({ exitCode, sentence }: DiffEnding, paint: Paint): string {
  return `${paint(exitCode === 0 ? 'green' : 'red', safe(sentence))} Exit code ${exitCode}.`;
}

function safe(text: string): string {
  return clip(visible(text), textCharactersMax);
}
