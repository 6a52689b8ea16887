// Judges one mutant and says who noticed. A check kills it when it fails, or warns where the rulings let it conclude no
// more; for the right reason when one of its findings names the clause that the mutant breaks.

import type { CheckResult } from '../../conformance/judge/verdict.ts';
import type { Report } from '../../conformance/report/report.ts';
import { errorsOf, judge } from '../rigs/judge.ts';
import type { MutantRow } from '../rigs/targets.ts';
import { type Permission, permissionsTaken } from './permissions.ts';
import { saysBroken } from './same-fact.ts';

/** A check that noticed a mutant. */
export interface Killer {
  /** Id of a check or a rule. */
  readonly check: string;
  /** Clauses that its findings name, the gravest findings only. */
  readonly clauses: readonly string[];
  readonly isRight: boolean;
  /** The permissions that the run needed for that. */
  readonly took: readonly Permission[];
}

/** A mutant, and everybody who noticed it. */
export interface Kill {
  readonly mutant: Pick<MutantRow, 'name' | 'of' | 'breaks' | 'shows' | 'needs' | 'verdict'>;
  readonly killers: readonly Killer[];
  /** Errors of the run itself; a check of ours that broke, or a server that did not start. */
  readonly errors: readonly string[];
  /** Why the run ended before the first check, if it did. */
  readonly abort: string | null;
}

/** Never rejects: a broken run is an entry of the matrix, not the end of it. */
export async function killOne(row: MutantRow): Promise<Kill> {
  const { name, of, breaks, shows, needs, verdict } = row;
  const mutant = { name, of, breaks, shows, needs, verdict };
  try {
    const report = await judge(await row.start());
    return {
      mutant,
      killers: report.checks.flatMap((result) => killerOf(result, row, report) ?? []),
      errors: errorsOf(report),
      abort: report.abort?.sentence ?? null,
    };
  } catch (error) {
    return { mutant, killers: [], errors: [`the run broke: ${(error as Error).message}`], abort: null };
  }
}

/** null for a check that did not notice. */
function killerOf(result: CheckResult, row: MutantRow, report: Report): Killer | null {
  const { id, verdict } = result;
  const isFailure = verdict.kind === 'fail';
  if (!isFailure && !(verdict.kind === 'warn' && row.verdict === 'warn')) return null;
  const gravest = result.findings.filter(({ severity }) => severity === verdict.kind);
  const about = gravest.filter(({ clause }) => saysBroken(clause, row.breaks));
  const isRight = about.length > 0;
  // Warnings are frequent; one counts only when it is about the fact.
  if (!isFailure && !isRight) return null;
  const took = permissionsTaken(result, isRight ? about : gravest, report);
  return { check: id, clauses: [...new Set(gravest.map(({ clause }) => clause))], isRight, took };
}

/** `other`: noticed, but by a finding about something else. */
export type Grade = 'right' | 'other' | 'survivor';

export function gradeOf({ killers }: Pick<Kill, 'killers'>): Grade {
  if (killers.length === 0) return 'survivor';
  return killers.some(({ isRight }) => isRight) ? 'right' : 'other';
}
