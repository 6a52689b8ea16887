// Judges every mutant and says who noticed. A mutant is killed when some check or rule fails on it, and for the right reason
// when the one that fails cites the clause that the mutant breaks.
import { clauses } from '../../src/contract/generated/clauses.ts';
import { runConformance } from '../index.ts';
import type { Report } from '../report.ts';
import { allMutants, type MutantRow, type Target } from './targets.ts';

export interface Kill {
  readonly mutant: Pick<MutantRow, 'name' | 'of' | 'breaks' | 'shows' | 'verdict'>;
  /** Checks and rules that failed (or warned, where no more can be concluded). */
  readonly killers: readonly string[];
  /** Those among them that cite the broken clause, or found it broken. */
  readonly rightly: readonly string[];
  readonly errors: readonly string[];
}

export async function judge(target: Target): Promise<Report> {
  try {
    return await runConformance(target.options);
  } finally {
    await target.close();
  }
}

export async function killOne(row: MutantRow): Promise<Kill> {
  const report = await judge(await row.start());
  const noticed = report.checks.filter(
    ({ verdict }) => verdict.kind === 'fail' || (row.verdict === 'warn' && verdict.kind === 'warn'),
  );
  const rightly = noticed.filter(
    ({ cites, findings }) =>
      cites.some((id) => id === row.breaks) || findings.some(({ clause }) => clause === row.breaks),
  );
  const { name, of, breaks, shows, verdict } = row;
  return {
    mutant: { name, of, breaks, shows, verdict },
    killers: noticed.map(({ id }) => id),
    rightly: rightly.map(({ id }) => id),
    errors: report.checks
      .filter((check) => check.verdict.kind === 'error')
      .map(({ id, verdict: { message } }) => `${id}: ${message ?? ''}`),
  };
}

export interface Matrix {
  readonly kills: readonly Kill[];
  readonly survivors: readonly Kill[];
  readonly misjudged: readonly Kill[];
  /** Checks and rules that killed nothing. */
  readonly idle: readonly string[];
}

export async function buildMatrix(
  rows: readonly MutantRow[] = allMutants(),
  onKill: (kill: Kill) => void = () => {},
): Promise<Matrix> {
  const kills: Kill[] = [];
  for (const row of rows) {
    const kill = await killOne(row);
    kills.push(kill);
    onKill(kill);
  }
  const { checks } = await import('../checks/index.ts');
  const { rules } = await import('../rules/index.ts');
  const active = new Set(kills.flatMap(({ killers }) => killers));
  return {
    kills,
    survivors: kills.filter(({ killers }) => killers.length === 0),
    misjudged: kills.filter(({ killers, rightly }) => killers.length > 0 && rightly.length === 0),
    idle: [...checks, ...rules].filter(({ id, level }) => level === 'must' && !active.has(id)).map(({ id }) => id),
  };
}

/** The matrix as text: a line for each mutant, then what is missing. */
export function printMatrix({ kills, survivors, misjudged, idle }: Matrix): string {
  const lines = kills.map(({ mutant, killers, rightly }) => {
    const mark = killers.length === 0 ? 'SURVIVES' : rightly.length === 0 ? 'misjudged' : 'killed';
    return `${mark.padEnd(10)} ${mutant.of.padEnd(12)} ${mutant.name.padEnd(48)} ${mutant.breaks.padEnd(40)} ${killers.join(' ')}`;
  });
  const describe = ({ mutant, killers }: Kill) => {
    const fact = Object.hasOwn(clauses, mutant.breaks) ? clauses[mutant.breaks as keyof typeof clauses].fact : '';
    return `  ${mutant.of} ${mutant.name}: ${mutant.shows} (${mutant.breaks}: ${fact}) ${killers.join(' ')}`;
  };
  const list = (title: string, rows: readonly string[]) =>
    rows.length === 0 ? [] : ['', `${title}: ${rows.length}`, ...rows];
  return [
    ...lines,
    ...list('Survivors', survivors.map(describe)),
    ...list('Killed for another reason', misjudged.map(describe)),
    ...list(
      'Checks and rules that killed nothing',
      idle.map((id) => `  ${id}`),
    ),
    '',
    `${kills.length - survivors.length} of ${kills.length} mutants killed, ${misjudged.length} of them for another reason than the broken clause.`,
    '',
  ].join('\n');
}
