// Audits without a permission, as most people run them: which defects they find with how many requests.

import { impliesViolation } from '../../conformance/diagnosis/same-fact.ts';
import type { RunOptions } from '../../conformance/index.ts';
import type { CheckResult } from '../../conformance/judge/result.ts';
import type { Report } from '../../conformance/report/report.ts';
import { allMutants, type MutantRow, runSuite, type Target } from '../../fixtures/test-kit/targets.ts';

/** Options that can be sent to another process. */
export type AuditWish = Pick<RunOptions, 'minutes' | 'requests' | 'pace' | 'seed' | 'order'>;

export interface AuditOutcome {
  readonly isFound: boolean;
  /** The checks that detected the defect, and those that sent what a rule detected. */
  readonly by: readonly string[];
  /** The requests that each check sent first. */
  readonly sent: Readonly<Record<string, number>>;
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
    const report = await runSuite({ options: { ...options, seed: 1, ...wish }, close });
    const noticed = report.checks.filter((check) => hasNoticed(check, row));
    const by = new Set(noticed.flatMap((check) => sendersOf(check, report)));
    return { isFound: noticed.length > 0, by: [...by], sent: sentBy(report) };
  } catch {
    return { isFound: false, by: [], sent: {} };
  }
}

function hasNoticed({ result, findings }: CheckResult, row: MutantRow): boolean {
  if (result.kind === 'fail') return true;
  const isAbout = findings.some(({ clause, severity }) => severity === 'warn' && impliesViolation(clause, row.breaks));
  return result.kind === 'warn' && row.result === 'warn' && isAbout;
}

/** Rules send nothing. */
function sendersOf({ id, findings }: CheckResult, { checks }: Report): string[] {
  if (!id.startsWith('rule/')) return [id];
  const shown = new Set(findings.map(({ exchange }) => exchange));
  return checks
    .filter((check) => !check.id.startsWith('rule/') && check.exchanges.some((sent) => shown.has(sent)))
    .slice(0, 1)
    .map((check) => check.id);
}

/** A shared read counts for the check that sent it. */
export function sentBy({ checks }: Report): Record<string, number> {
  const seen = new Set<string>();
  const sent: Record<string, number> = {};
  for (const { id, exchanges } of checks) {
    const own = exchanges.filter((exchange) => !seen.has(exchange));
    for (const exchange of own) seen.add(exchange);
    if (!id.startsWith('rule/')) sent[id] = own.length;
  }
  return sent;
}
