// Judges one mutant and says who noticed. A check kills it when it fails, or warns where the rulings let it conclude no more;
// for the right reason when one of its findings names the clause that the mutant breaks.

import { runConformance } from '../../conformance/index.ts';
import type { CheckResult } from '../../conformance/judge/verdict.ts';
import type { Report } from '../../conformance/report/report.ts';
import type { MutantRow, Target } from '../rigs/targets.ts';
import { saysBroken } from './same-fact.ts';

export interface Killer {
  /** Id of a check or a rule. */
  readonly check: string;
  /** Clauses that its findings name, the gravest findings only. */
  readonly clauses: readonly string[];
  readonly isRight: boolean;
}

export interface Kill {
  readonly mutant: Pick<MutantRow, 'name' | 'of' | 'breaks' | 'shows' | 'verdict'>;
  readonly killers: readonly Killer[];
  /** What went wrong with the run itself; a check of ours that broke, or a server that did not start. */
  readonly errors: readonly string[];
  /** Why the run ended before the first check, if it did. */
  readonly abort: string | null;
}

export async function judge(target: Target): Promise<Report> {
  try {
    return await runConformance(target.options);
  } finally {
    await target.close();
  }
}

export async function killOne(row: MutantRow): Promise<Kill> {
  const { name, of, breaks, shows, verdict } = row;
  const mutant = { name, of, breaks, shows, verdict };
  try {
    const report = await judge(await row.start());
    return {
      mutant,
      killers: report.checks.flatMap((result) => killerOf(result, row) ?? []),
      errors: errorsOf(report),
      abort: report.abort?.sentence ?? null,
    };
  } catch (error) {
    return { mutant, killers: [], errors: [`the run broke: ${(error as Error).message}`], abort: null };
  }
}

export function errorsOf({ checks }: Report): string[] {
  return checks
    .filter((check) => check.verdict.kind === 'error')
    .map(({ id, verdict: { message } }) => `${id}: ${message ?? ''}`);
}

function killerOf({ id, verdict, findings }: CheckResult, row: MutantRow): Killer | null {
  const isFailure = verdict.kind === 'fail';
  if (!isFailure && !(verdict.kind === 'warn' && row.verdict === 'warn')) return null;
  const clauses = findings.filter(({ severity }) => severity === verdict.kind).map(({ clause }) => clause);
  const isRight = clauses.some((clause) => saysBroken(clause, row.breaks));
  // Warnings are frequent; one counts only when it is about the fact.
  return isFailure || isRight ? { check: id, clauses: [...new Set(clauses)], isRight } : null;
}

export type Grade = 'right' | 'other' | 'survivor';

export function gradeOf({ killers }: Pick<Kill, 'killers'>): Grade {
  if (killers.length === 0) return 'survivor';
  return killers.some(({ isRight }) => isRight) ? 'right' : 'other';
}
