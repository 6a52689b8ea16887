// Audits without a permission, as most people run them, and the history of a whole one against each mutant: recorded
// once and judged again without a network, for a new check and for every beginning of the list of scenarios.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { checks } from '../../conformance/checks/index.ts';
import { rules } from '../../conformance/checks/rules/index.ts';
import { type History, load, save } from '../../conformance/exchange/history.ts';
import type { RunOptions } from '../../conformance/index.ts';
import { judgeRules } from '../../conformance/judge/judge.ts';
import type { CheckResult } from '../../conformance/judge/result.ts';
import { resultOf } from '../../conformance/judge/verdict.ts';
import { impliesViolation } from '../../conformance/report/diagnosis/same-fact.ts';
import type { Report } from '../../conformance/report/report.ts';
import { recordHistory } from '../../fixtures/test-kit/history.ts';
import { allMutants, type MutantRow, runSuite, type Target } from '../../fixtures/test-kit/targets.ts';

const folder = '.tmp/histories';

interface Recorded {
  readonly history: History;
  readonly scenarios: NonNullable<Report['scenarios']>;
}

/** How the judgment of a recorded history noticed the defect, and who had asked. */
export interface Noticed {
  /** The checks and rules that noticed it. */
  readonly checks: readonly string[];
  /** The scenarios that asked for a response which shows it. */
  readonly by: readonly string[];
  /** The exchanges of each scenario, those of shared reads included. */
  readonly asked: Readonly<Record<string, readonly string[]>>;
}

const fileOf = ({ of, name }: Pick<MutantRow, 'of' | 'name'>) => join(folder, `${of}-${name}.json.gz`);

export const isRecorded = (row: Pick<MutantRow, 'of' | 'name'>) => existsSync(fileOf(row));

/** At full speed, so nothing is left out. */
export async function record(row: MutantRow): Promise<void> {
  const { options, close } = withoutPermissions(await row.start());
  const { report, history } = await recordHistory({ options: { ...options, pace: 'off' }, close }, checks);
  mkdirSync(folder, { recursive: true });
  const text = JSON.stringify({ history: save(history), scenarios: report.scenarios ?? [] });
  writeFileSync(fileOf(row), gzipSync(text, { level: 1 }));
}

/** `only` has the ids of checks and rules to judge; all when empty. */
export function judgeRecorded(row: MutantRow, only: readonly string[] = []): Noticed {
  const { history: text, ...rest } = JSON.parse(gunzipSync(readFileSync(fileOf(row))).toString('utf8'));
  const recorded: Recorded = { history: load(text), ...rest };
  const { scenarios } = recorded;
  const noticed = resultsOf(recorded, only).filter((result) => hasNoticed(result, row));
  const asked = Object.fromEntries(scenarios.map((one) => [one.id, one.kind === 'asked' ? one.exchanges : []]));
  return { checks: noticed.map(({ id }) => id), by: scenariosFor(noticed, scenarios), asked };
}

function resultsOf({ history, scenarios }: Recorded, only: readonly string[]): CheckResult[] {
  const isWanted = ({ id }: { readonly id: string }) => only.length === 0 || only.includes(id);
  const judging = { history, outcomes: new Map(scenarios.map((one) => [one.id, one])) };
  const ofChecks = checks.filter(isWanted).flatMap((check) => resultOf(check, judging) ?? []);
  return [...ofChecks, ...judgeRules(rules.filter(isWanted), history.exchanges, { findSecrets: () => [] })];
}

/** Whose requests show it. A finding about several responses names one of them. */
function scenariosFor(noticed: readonly CheckResult[], scenarios: Recorded['scenarios']): string[] {
  const findings = noticed.flatMap((check) => check.findings.filter(({ severity }) => severity !== 'note'));
  const shown = new Set(findings.flatMap(({ exchange, alike = [] }) => [exchange, ...alike]));
  return scenarios.flatMap((one) =>
    one.kind === 'asked' && one.exchanges.some((id) => shown.has(id)) ? [one.id] : [],
  );
}

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
