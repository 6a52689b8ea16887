// Audits without a permission, as most people run them: which defects they find with how many requests.

import type { RunOptions } from '../../conformance/index.ts';
import type { CheckResult } from '../../conformance/judge/result.ts';
import { impliesViolation } from '../../conformance/report/diagnosis/same-fact.ts';
import { allMutants, type MutantRow, runSuite, type Target } from '../../fixtures/test-kit/targets.ts';

/** Options that can be sent to another process. */
export type AuditWish = Pick<RunOptions, 'minutes' | 'requests' | 'pace'>;

export interface AuditOutcome {
  readonly isFound: boolean;
}

/** Defects that a run without permissions can see. */
export function plainMutants(): MutantRow[] {
  const isOfMcp = ({ name, breaks }: MutantRow) => name.includes('mcp') || /^(4\.tools|1\.mcp)/.test(breaks);
  return allMutants().filter((row) => /^(nothing|bursts)$/.test(row.needs) && !isOfMcp(row));
}

/** Removes everything that a user must allow or provide. */
export function withoutPermissions({ options, close }: Target): Target {
  const { baseUrl, keys, clock } = options;
  return { options: { baseUrl, keys: { good: keys.good }, ...(clock === undefined ? {} : { clock }) }, close };
}

export async function auditOf(row: MutantRow, wish: AuditWish): Promise<AuditOutcome> {
  try {
    const { options, close } = withoutPermissions(await row.start());
    const { checks } = await runSuite({ options: { ...options, ...wish }, close });
    return { isFound: checks.some((check) => hasNoticed(check, row)) };
  } catch {
    return { isFound: false };
  }
}

export function hasNoticed({ result, findings }: CheckResult, row: MutantRow): boolean {
  if (result.kind === 'fail') return true;
  const isAbout = findings.some(({ clause, severity }) => severity === 'warn' && impliesViolation(clause, row.breaks));
  return result.kind === 'warn' && row.result === 'warn' && isAbout;
}
