// The kill matrix as text: a line for each mutant, what the gate says, and one line of figures.
import { gradeOf, type Kill } from './kill.ts';
import type { Gate } from './kill-gate.ts';
import type { Matrix } from './kill-matrix.ts';

const marks = { right: 'killed', other: 'misjudged', survivor: 'SURVIVES' } as const;

/** What has to be mended stands last, where a terminal ends. */
export function printMatrix(matrix: Matrix, { broken, stale }: Gate): string {
  const list = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ['', `${title}: ${lines.length}`, ...lines.map((line) => `  ${line}`)];
  return [
    ...matrix.kills.map(line),
    ...list('The gate is shut', broken),
    ...list('Better than the lists say', stale),
    '',
    ...figures(matrix),
    '',
  ].join('\n');
}

/** A check in parentheses failed for another reason. */
function line(kill: Kill): string {
  const { mutant, killers, abort } = kill;
  const names = killers.map(({ check, isRight }) => (isRight ? check : `(${check})`)).join(' ');
  const head = `${marks[gradeOf(kill)].padEnd(9)} ${mutant.of.padEnd(11)} ${mutant.name.padEnd(46)} ${mutant.breaks.padEnd(44)}`;
  return `${head} ${abort ?? names}`.trimEnd();
}

/** For the end of the text, and for the head of a hand-back. */
export function figures({ kills, checks, clean, seconds }: Matrix): string[] {
  const count = (grade: string) => kills.filter((kill) => gradeOf(kill) === grade).length;
  const alarms = clean.reduce((sum, run) => sum + run.alarms.length, 0);
  return [
    `${kills.length - count('survivor')} of ${kills.length} mutants killed, ${count('right')} of them by a finding that names the broken clause.`,
    `${checks.length} checks and rules; ${alarms} alarms on ${clean.length} servers without a fault (silence.test.ts judges more of them).`,
    `${Math.round(seconds)} s.`,
  ];
}
