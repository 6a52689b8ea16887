// The demands on the kill matrix, and the exceptions that are not needed any more.

import type { ClauseId } from '../../src/contract/generated/clauses.ts';
import { grouped } from '../../src/contract/words.ts';
import { type Grade, gradeOf, type Kill, takesMore } from './kill.ts';
import type { Matrix } from './kill-matrix.ts';

/** Exceptions, each with its reason: mutants by `keyOf`, checks by id. */
export interface Excuses {
  /** Mutants that no check may, or can, kill. */
  readonly unkillable: Readonly<Record<string, string>>;
  /** Mutants that show only through what they upset elsewhere. */
  readonly otherReason: Readonly<Record<string, string>>;
  /** Checks of level must that kill nothing. */
  readonly idleChecks: Readonly<Record<string, string>>;
}

/** `mock/NAME` or `independent/NAME`: the two implementations share some names. */
export function keyOf({ of, name }: Kill['mutant']): string {
  return `${of}/${name}`;
}

/** The gate is open when `broken` is empty. */
export interface Gate {
  /** One sentence for each thing that must not be. */
  readonly broken: readonly string[];
  /** Exceptions that the matrix no longer needs. */
  readonly stale: readonly string[];
}

/** `isWhole`: every mutant was checked, so a check which killed nothing is idle indeed. */
export function gate(matrix: Matrix, excuses: Excuses, isWhole: boolean): Gate {
  const { kills, clean } = matrix;
  const { unkillable, otherReason, idleChecks } = excuses;
  const nameOf = ({ mutant: { of, name, breaks } }: Kill) => `${name} of the ${of} (${breaks})`;
  const graded = (grade: Grade, excused: Readonly<Record<string, string>>) =>
    kills.filter((kill) => gradeOf(kill) === grade && !Object.hasOwn(excused, keyOf(kill.mutant)));
  const idle = isWhole ? idleMusts(matrix) : [];
  const broken = [
    ...graded('survivor', unkillable).map((kill) => `Nobody notices ${nameOf(kill)}: ${kill.mutant.shows}`),
    ...graded('other', otherReason).map((kill) => {
      const failed = kill.killers.map(({ check }) => check).join(', ');
      return `No finding names the clause of ${nameOf(kill)}; ${failed} failed.`;
    }),
    ...kills
      .filter(takesMore)
      .map((kill) => `${nameOf(kill)} is said to need ${permissionsOf(kill)}, and no check detects it with that.`),
    ...brokenRuns(kills),
    ...idle.filter((id) => !Object.hasOwn(idleChecks, id)).map((id) => `${id} must hold, and kills nothing.`),
    ...unclear(kills),
    ...clean.flatMap(({ name, failures }) => failures.map((failure) => `False failure on ${name}: ${failure}`)),
    ...unknownNames(matrix, excuses, isWhole),
  ];
  return { broken, stale: staleEntries(matrix, excuses, isWhole ? idle : null) };
}

/** One defect should be one cause that names its clause. A few runs say too little. */
function unclear(kills: readonly Kill[]): string[] {
  const { runs, perDefect, first } = diagnosisOf(kills);
  if (runs < 50 || (perDefect <= 1.15 && first >= 0.95)) return [];
  return [`Causes are unclear: ${perDefect.toFixed(2)} for each defect, ${first.toFixed(2)} named first.`];
}

/** Over the runs of the whole kit in which a check failed. */
function diagnosisOf(kills: readonly Kill[]) {
  const all = kills.flatMap(({ causes }) => causes ?? []);
  const runs = all.length;
  const perDefect = all.reduce((sum, { count }) => sum + count, 0) / runs;
  return { runs, perDefect, first: all.filter(({ isFirst }) => isFirst).length / runs };
}

function permissionsOf({ mutant: { needs }, killers }: Kill): string {
  const taken = [...new Set(killers.map(({ took }) => took.join(' and ')))];
  return `${needs} (taken: ${taken.join('; ')})`;
}

/** An error of one run often breaks many: each sentence once, with the first mutant and how many there are. */
function brokenRuns(kills: readonly Kill[]): string[] {
  const all = kills.flatMap(({ mutant, errors }) => errors.map((error) => ({ name: mutant.name, error })));
  return [...grouped(all, ({ error }) => error)].map(([error, [first, ...rest]]) => {
    const further = rest.length === 0 ? '' : ` and ${rest.length} more`;
    return `While ${first?.name}${further} ran: ${error}`;
  });
}

/** A check that never fails for any mutant proves nothing about a correct server. */
export function idleMusts({ kills, checks }: Pick<Matrix, 'kills' | 'checks'>): string[] {
  const active = new Set(kills.flatMap(({ killers }) => killers.map(({ check }) => check)));
  return checks.filter(({ id, level }) => level === 'must' && !active.has(id)).map(({ id }) => id);
}

/** Shows every fiftieth mutant of one pass. Mutants that run again in a second pass are counted from 1. */
export function counting(all: number, show: (text: string) => void): () => void {
  let done = 0;
  return () => {
    done += 1;
    if (done % 50 === 0) show(`${done} of ${all}\n`);
  };
}

/** Only for a whole run: a part of the mutants lacks the others' names. */
function unknownNames({ kills, checks }: Matrix, excuses: Excuses, isWhole: boolean): string[] {
  if (!isWhole) return [];
  const mutants = new Set(kills.map(({ mutant }) => keyOf(mutant)));
  const names = [...Object.keys(excuses.unkillable), ...Object.keys(excuses.otherReason)];
  const ids = new Set(checks.map(({ id }) => id));
  const idle = Object.keys(excuses.idleChecks).filter((id) => !ids.has(id));
  return [
    ...names.filter((name) => !mutants.has(name)).map((name) => `a mutant that there is not: ${name}.`),
    ...idle.map((id) => `a check that there is not: ${id}.`),
  ].map((what) => `unkillable.ts names ${what}`);
}

/** Told and not held against the run: an exception that is not needed any more is good news. */
function staleEntries({ kills }: Matrix, excuses: Excuses, idle: readonly string[] | null): string[] {
  const listed = (list: Readonly<Record<string, string>>, grades: readonly Grade[]) =>
    kills.filter((kill) => Object.hasOwn(list, keyOf(kill.mutant)) && grades.includes(gradeOf(kill)));
  const busy = idle === null ? [] : Object.keys(excuses.idleChecks).filter((id) => !idle.includes(id));
  return [
    ...listed(excuses.unkillable, ['right', 'other']).map(({ mutant }) => `unkillable, and killed: ${keyOf(mutant)}`),
    ...listed(excuses.otherReason, ['right', 'survivor']).map(
      (kill) => `otherReason, and not so: ${keyOf(kill.mutant)}`,
    ),
    ...busy.map((id) => `idleChecks, and it kills: ${id}`),
  ];
}

const marks = { right: 'killed', other: 'misjudged', survivor: 'SURVIVES' } as const;

/** Problems are printed last, next to the prompt. */
export function printMatrix(matrix: Matrix, { broken, stale }: Gate): string {
  const list = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ['', `${title}: ${lines.length}`, ...lines.map((line) => `  ${line}`)];
  const problems = [...list('The gate is shut', broken), ...list('Better than the lists say', stale)];
  return [...matrix.kills.map(line), ...problems, '', ...figures(matrix), ''].join('\n');
}

/** A check in parentheses failed for another reason. */
function line(kill: Kill): string {
  const { mutant, killers, abort } = kill;
  const names = killers.map(({ check, isExpected }) => (isExpected ? check : `(${check})`)).join(' ');
  const head = `${marks[gradeOf(kill)].padEnd(9)} ${mutant.of.padEnd(11)} ${mutant.name.padEnd(46)} ${mutant.breaks.padEnd(44)}`;
  return `${head} ${abort ?? names}`.trimEnd();
}

/** For the end of the text, and for the head of a hand-back. */
export function figures({ kills, checks, clean, seconds }: Matrix): string[] {
  const count = (grade: string) => kills.filter((kill) => gradeOf(kill) === grade).length;
  const failures = clean.reduce((sum, run) => sum + run.failures.length, 0);
  const { runs, perDefect, first } = diagnosisOf(kills);
  return [
    `${kills.length - count('survivor')} of ${kills.length} mutants killed, ${count('right')} of them by a finding that names the broken clause.`,
    `${checks.length} checks and rules; ${failures} false failures on ${clean.length} servers without a fault (silence.test.ts checks more of them).`,
    `${runs} defects run with every check: ${perDefect.toFixed(2)} causes each, the first names the clause in ${Math.round(100 * first)} %.`,
    `${Math.round(seconds)} s.`,
  ];
}

export const excuses: Excuses = {
  unkillable: {
    'mock/sites-redirected-off-base':
      'The run ends in the preflight, with exit code 4 and one sentence about the redirect, before any check starts.',
    'mock/calls-limit-200-gives-100':
      'A page with a cursor may be short, as R17 says of articles: the kit notes one that always is.',
    'mock/mcp-inbox-without-next-cursor':
      'The place of nextCursor in a tool is not specified (R53), and a last page can lack it (R14): without it further messages are unknown.',
    'mock/mcp-address-not-limited':
      'Section 8 says of the window of the key alone that both endpoints share it; an address may have no limiter at the MCP endpoint (R53).',
  },
  otherReason: {},
  idleChecks: {
    'accounts/six-operations':
      'It holds when each operation has returned 200 once, and leaves to the others what is wrong.',
  },
};

const named = 'Named it is, but not that it lives at the MCP endpoint: a tool that is missing there is a note (R53).';
const permission = 'A permission: no response can break it.';

/** By clause. An entry for a clause that a mutant does break fails a test. */
export const unbroken: Readonly<Partial<Record<ClauseId, string>>> = {
  '1.further-tools': named,
  '2.nullable-marked': permission,
  '4.any-429': permission,
  '4.connect.list-reviews.order': 'Interpretation R23 makes the order a note: review dates are opaque strings.',
  '4.calls.snapshot-repeats': permission,
  '4.calls.snapshot-running':
    'Section 3 hides a call until it has settled (3.call.snapshot-visibility): hiding running calls is also legal.',
  '6.no-webhooks': 'A webhook that is not sent cannot be seen, and one that is sent is not a response to a request.',
  '7.envelope.tool-extra': permission,
  '8.import.either':
    'The mutant that takes both breaks 4.tools.dialer-import-contacts, which says the same of the tool.',
};
