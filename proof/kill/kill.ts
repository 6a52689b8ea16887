// Judges one mutant and says who noticed. A check kills it when it fails, or warns where the interpretations let it
// conclude no more; for the right reason when one of its findings names the clause that the mutant breaks.
import { isDeepStrictEqual } from 'node:util';
import { checks } from '../../conformance/checks/index.ts';
import { type History, load, save } from '../../conformance/exchange/history.ts';
import { type Judged, judgeAll } from '../../conformance/judge/judge.ts';
import type { CheckResult, Finding } from '../../conformance/judge/result.ts';
import { causesOf } from '../../conformance/report/diagnosis/causes.ts';
import { impliesViolation, isSameFact } from '../../conformance/report/diagnosis/same-fact.ts';
import type { Report, StoredExchange } from '../../conformance/report/report.ts';
import type { Capability } from '../../conformance/scenarios/capabilities.ts';
import { scenarios } from '../../conformance/scenarios/index.ts';
import { recordHistory } from '../../fixtures/test-kit/history.ts';
import { errorsOf, type MutantRow } from '../../fixtures/test-kit/targets.ts';
import type { Need } from '../../src/mutants/index.ts';

export interface Killer {
  /** Id of a check or a rule. */
  readonly check: string;
  /** Clauses that its findings name, the gravest findings only. */
  readonly clauses: readonly string[];
  readonly isExpected: boolean;
  /** The permissions that the run needed for that. */
  readonly took: readonly Permission[];
}

export interface Kill {
  readonly mutant: Pick<MutantRow, 'name' | 'of' | 'breaks' | 'shows' | 'needs' | 'result'>;
  readonly killers: readonly Killer[];
  /** Errors of the run itself; a check of ours that broke, or a server that did not start. */
  readonly errors: readonly string[];
  /** Why the run ended before the first check, if it did. */
  readonly abort: string | null;
  /** Checks that are enough to detect it: the killers, and senders of the requests that a rule failed for. */
  readonly shownBy: readonly string[];
  /** Where the whole kit ran and something failed: the number of causes, and whether the first names the clause. */
  readonly causes?: { readonly count: number; readonly isFirst: boolean };
}

/**
 * Never rejects: a broken run is an entry of the matrix. The checks that cite the clause run first, and `hints`, which
 * have detected similar mutants. The complete suite runs only if they do not suffice, or with `isWhole`.
 */
export async function killOne(
  row: MutantRow,
  { isWhole = false, hints = [] }: { readonly isWhole?: boolean; readonly hints?: readonly string[] } = {},
): Promise<Kill> {
  const { name, of, breaks, shows, needs, result: outcome } = row;
  const mutant = { name, of, breaks, shows, needs, result: outcome };
  try {
    const likely = isWhole ? [] : likelyChecks(row, hints);
    const short = likely.length === 0 ? null : await killBy(row, mutant, likely);
    return short !== null && isSettled(short) ? short : await killBy(row, mutant);
  } catch (error) {
    return { mutant, killers: [], errors: [`the run broke: ${(error as Error).message}`], abort: null, shownBy: [] };
  }
}

async function killBy(row: MutantRow, mutant: Kill['mutant'], chosen: readonly Judged[] = checks): Promise<Kill> {
  const { options, close } = await row.start();
  const { report, history } = await recordHistory({ options, close }, chosen);
  const killers = report.checks.flatMap((result) => killerOf(result, row, report) ?? []);
  const expected = killers.flatMap(({ check, isExpected }) => (isExpected ? [check] : []));
  const shownBy = shownIn(report, expected);
  const kill = {
    mutant,
    killers,
    errors: [...errorsOf(report), ...lossIn(history)],
    abort: report.abort?.sentence ?? null,
    shownBy,
  };
  if (chosen !== checks) return kill;
  const [first, ...more] = causesOf(report);
  if (first === undefined) return kill;
  const isFirst = first.clauses.some((clause) => isSameFact(clause, row.breaks));
  return { ...kill, causes: { count: 1 + more.length, isFirst } };
}

/** A history is judged in the same way after it was saved. */
function lossIn(history: History): string[] {
  const [live, saved] = [history, load(save(history))].map((one) => judgeAll(checks, one));
  return isDeepStrictEqual(live, saved) ? [] : ['the saved history is judged in another way'];
}

/** Nothing that the gate demands of this mutant could change with more checks. */
function isSettled(kill: Kill): boolean {
  return gradeOf(kill) === 'right' && !takesMore(kill) && kill.errors.length === 0 && kill.abort === null;
}

/** Killed, but never with only the claimed needs. */
export function takesMore({ mutant, killers }: Kill): boolean {
  return killers.length > 0 && !killers.some(({ took }) => isWithin(mutant.needs, took));
}

/** The checks that cite the clause or are hinted at. */
function likelyChecks({ breaks }: MutantRow, hints: readonly string[]): readonly Judged[] {
  return checks.filter(
    ({ id, clauses }) => hints.includes(id) || clauses.some((clause) => impliesViolation(clause, breaks)),
  );
}

/**
 * Rules send nothing: of a rule, the first check that sent a request for which it failed. Any check is enough for the
 * requests that each run sends before its checks.
 */
function shownIn({ checks: results }: Report, killers: readonly string[]): string[] {
  return killers.map((killer) => {
    if (!killer.startsWith('rule/')) return killer;
    const findings = results.find(({ id }) => id === killer)?.findings ?? [];
    const isSender = ({ id, exchanges }: CheckResult) =>
      !id.startsWith('rule/') && findings.some(({ exchange }) => exchange !== null && exchanges.includes(exchange));
    return (results.find(isSender) ?? results[0])?.id ?? killer;
  });
}

/** null for a check that did not notice. */
function killerOf(result: CheckResult, row: MutantRow, report: Report): Killer | null {
  const { id, result: outcome } = result;
  const isFailure = outcome.kind === 'fail';
  if (!isFailure && !(outcome.kind === 'warn' && row.result === 'warn')) return null;
  const gravest = result.findings.filter(({ severity }) => severity === outcome.kind);
  const about = gravest.filter(({ clause }) => impliesViolation(clause, row.breaks));
  const isExpected = about.length > 0;
  // Warnings are frequent; one counts only when it is about the fact.
  if (!isFailure && !isExpected) return null;
  const took = permissionsTaken(result, isExpected ? about : gravest, report);
  return { check: id, clauses: [...new Set(gravest.map(({ clause }) => clause))], isExpected, took };
}

/** `other`: noticed, but by a finding about something else. */
export type Grade = 'right' | 'other' | 'survivor';

export function gradeOf({ killers }: Pick<Kill, 'killers'>): Grade {
  if (killers.length === 0) return 'survivor';
  return killers.some(({ isExpected }) => isExpected) ? 'right' : 'other';
}

/** A permission of the user that lets a run see more. */
export type Permission = Exclude<Need, 'nothing'>;

const permissionOf: Readonly<Partial<Record<Capability, Permission>>> = {
  'writes:posts': 'writes',
  'writes:replies': 'writes',
  'writes:links': 'writes',
  'writes:contacts': 'writes',
  'source-addresses': 'addresses',
  'second-key': 'second-key',
  'revoked-key': 'revoked-key',
  watch: 'watch',
};

const needsOf = new Map(
  checks.map(({ id, scenarios: own = [] }) => {
    const all = scenarios.filter((scenario) => own.includes(scenario.id)).map(({ needs = [] }) => needs);
    const needs = (all[0] ?? []).filter((need) => all.every((one) => one.includes(need)));
    return [id, needs.flatMap((need) => permissionOf[need] ?? [])];
  }),
);

/** The permissions that a check used for its findings. A rule checks any request, so the exchanges decide. */
export function permissionsTaken(check: CheckResult, findings: readonly Finding[], report: Report): Permission[] {
  const needs = needsOf.get(check.id);
  // The capability `burst` covers all that --gentle omits, including large bodies: the sent requests decide.
  if (needs) return [...new Set([...needs, ...(hasBurst(check, report) ? (['bursts'] as const) : [])])];
  const shown = report.exchanges.filter(({ id }) => findings.some(({ exchange }) => exchange === id));
  // A run with several addresses uses the first by default.
  const own = report.exchanges[0]?.address ?? null;
  const [cheapest = []] = shown.map((each) => permissionsOf(each, own)).sort((a, b) => a.length - b.length);
  return cheapest;
}

/** Whether the check sent many at once. A single read that came out of pace is an ordinary one that checks share. */
function hasBurst({ exchanges }: CheckResult, report: Report): boolean {
  return report.exchanges.filter(({ id, burst }) => burst && exchanges.includes(id)).length > 1;
}

/** By what was sent: a request that was rejected wrote nothing. */
function permissionsOf({ method, status, key, address, burst }: StoredExchange, own: string | null): Permission[] {
  const taken: Partial<Record<Permission, boolean>> = {
    writes: method !== 'GET' && status > 0 && status < 400,
    bursts: burst,
    addresses: address !== own,
    'second-key': key === 'second',
    'revoked-key': key === 'revoked',
  };
  return (Object.keys(taken) as Permission[]).filter((name) => taken[name]);
}

/** Whether the need that a mutant states covers what was taken. Several addresses are of use in bursts only. */
export function isWithin(need: Need, taken: readonly Permission[]): boolean {
  return taken.every((name) => need.split(' and ').includes(name) || (need === 'addresses' && name === 'bursts'));
}
