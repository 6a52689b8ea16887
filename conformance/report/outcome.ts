// The meaning of a finished run: one sentence for a person, and one number that a pipeline can trust.

import { operations } from '../../src/contract/generated/operations.ts';
import { grouped } from '../../src/contract/words.ts';
import { count } from '../../src/terminal/count.ts';
import { isGatewayPage, isLost } from '../exchange/exchange.ts';
import { type CheckResult, type FailableKind, isOfKind } from '../judge/result.ts';
import { reportKinds } from '../scenarios/capabilities.ts';
import { type ClaimsOutcome, claimNotes, noClaims } from './claims.ts';
import type { Cover } from './cover.ts';
import { countedIn, reachOf } from './coverage.ts';
import type { Trend } from './history.ts';
import type { ExitCode, Report, StoredExchange } from './report.ts';

/** Options that decide the exit code. */
export interface ExitRules {
  /** Results that count as failures next to `fail`. */
  readonly failOn: readonly FailableKind[];
  readonly claims: ClaimsOutcome;
  /** Fewest clauses that must be proven, or a share of those a server can show. */
  readonly minVerified: { readonly count: number } | { readonly share: number } | null;
  /** Checks that also failed in the previous run and do not count: `--fail-on new`. */
  readonly known?: readonly string[];
}

/** Input of a reporter and a pipeline, in addition to the report. */
export interface Outcome {
  readonly exitCode: ExitCode;
  /** The result in one sentence. */
  readonly sentence: string;
  readonly claims: ClaimsOutcome;
  /** The options that decided the exit code. */
  readonly rules?: Required<Omit<ExitRules, 'claims'>>;
  /** The file of the user's repository that started this run, relative to its root; absent if unknown. */
  readonly askedBy?: string;
  /** The run next to those before it; absent without a history. */
  readonly trend?: Trend;
  readonly cover?: Cover;
  /** The JSON and HAR reports of the run, written before the others. */
  readonly files?: readonly { readonly kind: ReportKind; readonly name: string; readonly sha256: string }[];
}

/** For `--help`; a run prints its own result. */
export const exitMeanings: Readonly<Record<ExitCode, string>> = {
  0: 'No check failed, except known failures',
  1: 'A check failed, or the claims do not match the run',
  2: 'A flag, file or API key is invalid, or a gateway returned its login page',
  3: 'Too little was verified, a claim was not tested, the organization is empty, or many checks were blocked',
  4: 'The deployment could not be reached, or conformance itself failed',
};

const plainExit: Required<ExitRules> = {
  failOn: [],
  minVerified: null,
  known: [],
  claims: noClaims,
};

/** Returns the exit code of a report: 0 without failures, 1 for violations, 2 to 4 for errors. */
export function exitCodeOf(report: Report, given: Partial<ExitRules> = {}): ExitCode {
  return conclude(report, given).exitCode;
}

/** Returns exit code and summary. A failure outranks an error, and an error outranks skipped checks. */
export function conclude(report: Report, given: Partial<ExitRules> = {}): Outcome {
  const { claims, ...rest } = { ...plainExit, ...given };
  const rules = { ...rest, claims };
  const [exitCode, sentence] =
    abortEnding(report, rules) ??
    failureOf(report, rules) ??
    errorOf(report) ??
    recordedEnding(report) ??
    lostEnding(report) ??
    shortfallOf(report, rules) ??
    emptyEnding(report, rules) ??
    refusedEnding(rules) ??
    ([0, `${nothingFailed(report, rules)}. ${verifiedIn(report)}${limitOf(report)}${gateFor(report)}`] as const);
  return { exitCode, sentence, claims, rules: rest };
}

/** Distinguishes a run without failures from one with known failures only. */
function nothingFailed(report: Report, rules: ExitRules): string {
  const known = knownIn(report, rules);
  if (known > 0) return `No new failure (${count(known, 'check')} as before)`;
  if (report.recorded !== null) return 'No recorded response violates the contract by itself';
  const excused = rules.claims.excused.length;
  const later = report.summary.fail - failingIn(report).length;
  const parts = [
    ...(excused === 0 ? [] : [count(excused, 'known failure')]),
    ...(later === 0 ? [] : [`${later} of clauses that are new since ${report.requirements.set}`]),
  ];
  return parts.length === 0 ? 'No check failed' : `No check failed, except ${parts.join(' and ')}`;
}

function verifiedIn(report: Report): string {
  const { verified } = reachOf(report);
  return `${count(verified, 'clause')} ${verified === 1 ? 'was' : 'were'} verified.`;
}

/** Warnings pass, which surprises readers who take exit code 0 for a clean run. */
function gateFor({ summary: { warn } }: Report): string {
  return warn === 0 ? '' : ` ${count(warn, 'check')} warned: to fail on warnings, add --fail-on warn.`;
}

/** The failed checks that count. */
function failingIn(report: Report): CheckResult[] {
  return countedIn(report).filter(({ result }) => result.kind === 'fail');
}

/** Checks that failed before and that no claim excuses. */
function knownIn(report: Report, { known = [], claims }: ExitRules): number {
  const isExcused = (id: string) => claims.excused.some(({ check }) => check === id);
  return failingIn(report).filter(({ id }) => known.includes(id) && !isExcused(id)).length;
}

/** An exit code with its sentence; null continues with the next test. */
type Ending = readonly [exitCode: ExitCode, sentence: string];

/** Failures before the deployment changed remain violations. */
function abortEnding(report: Report, rules: ExitRules): Ending | null {
  if (report.abort === null) return null;
  const { exitCode, sentence, since } = report.abort;
  const failed = failedIn(report, rules);
  if (since === undefined || failed === 0) return [exitCode, sentence];
  return [1, `${violated(failed)} Then the run ended early: ${sentence}`];
}

/** Failures that neither the claims nor the history know. */
function failedIn(report: Report, rules: ExitRules): number {
  return failingIn(report).length - rules.claims.excused.length - knownIn(report, rules);
}

function violated(failed: number): string {
  return `The deployment violates the contract: ${count(failed, 'check')} failed.`;
}

/** A claim that does not match the run is a failure too, so claims stay current. */
function failureOf(report: Report, rules: ExitRules): Ending | null {
  const { checks } = report;
  const { failOn, claims } = rules;
  const failed = failedIn(report, rules);
  if (failed > 0) return [1, violated(failed)];
  const isExpected = (id: string) => claims.met.some(({ check }) => check === id);
  const countOf = (kind: FailableKind) =>
    checks.filter(({ id, result }) => isOfKind(result, kind) && !isExpected(id)).length;
  const tightened = failOn.find((kind) => kind !== 'fail' && countOf(kind) > 0);
  if (tightened !== undefined) {
    return [1, `No check failed, but --fail-on ${tightened} counts ${count(countOf(tightened), 'check')} as failed.`];
  }
  const wrong = claimNotes({
    ...noClaims,
    stale: claims.stale,
    missed: claims.missed,
    contradicted: claims.contradicted,
  });
  const texts = wrong.map(({ about, sentence }) => `${about} ${sentence}`);
  return texts.length === 0 ? null : [1, `The claims do not match the run: ${texts.join(' ')}`];
}

/** The suite could not send requests, which is not a failure of the target. */
function errorOf({ summary }: Report): Ending | null {
  return summary.error === 0 ? null : [4, `${count(summary.error, 'check')} could not be carried out.`];
}

/** Less outranks nothing: a run that lost so much has not checked the deployment (interpretation R57). */
function lostEnding(report: Report): Ending | null {
  const sentence = lossOf(report);
  return sentence === null ? null : [3, sentence];
}

const recordedLimit =
  'Recorded traffic shows violations of pagination, order, rate limits and isolation only by chance';

/** Said with a good end, because a reader takes it for that of a run. */
function limitOf(report: Report): string {
  if (report.recorded !== null) return ` ${recordedLimit}; a run does.`;
  const limited = limitedIn(report);
  const open = `${count(limited, 'check')} ${limited === 1 ? 'is' : 'are'} open`;
  return limited === 0 ? '' : ` ${open}: ${limitedWhy(report)}.`;
}

const failedShownMax = 5;

/** The recording of an incomplete run does not prove that a deployment is correct. */
function recordedEnding({ recorded }: Report): Ending | null {
  const { exitCode, failed } = recorded?.run ?? { exitCode: 0, failed: [] };
  if (exitCode === 0) return null;
  if (exitCode === null) return [3, `This recording of a run does not say how the run ended. ${recordedLimit}.`];
  const more = failed.length > failedShownMax ? `, and ${failed.length - failedShownMax} more` : '';
  const names =
    failed.length === 0
      ? ''
      : ` and ${count(failed.length, 'failed check')} (${failed.slice(0, failedShownMax).join(', ')}${more})`;
  const sentence = `The run that made this recording ended with exit code ${exitCode}${names}. ${recordedLimit}: read the report of that run.`;
  return [exitCode === 1 ? 1 : 3, sentence];
}

/** Most clauses need a record that could violate them; `--min-verified` lowers the minimum. */
function emptyEnding(report: Report, { minVerified }: ExitRules): Ending | null {
  return report.isEmpty && minVerified === null ? [3, emptySentence(report)] : null;
}

/** A claim that no check tested is not verified. */
function refusedEnding({ claims: { refused } }: ExitRules): Ending | null {
  if (refused.length === 0) return null;
  const ways = refused.map(({ capability, how }) => `${capability} (${how})`).join(', ');
  return [3, `No check tested ${count(refused.length, 'claimed capability', 'claimed capabilities')}: ${ways}.`];
}

/** For a run and for a comparison with a profile. */
export function emptySentence(report: Report): string {
  const { tested, visible } = reachOf(report);
  const remedy = 'use a key of an organization with data';
  return `The organization is empty, so only ${tested} of ${visible} clauses were tested: ${remedy}.`;
}

/** A run in which nothing could fail must not look like one that passed. */
function shortfallOf(report: Report, { minVerified }: ExitRules): Ending | null {
  const { verified, visible } = reachOf(report);
  if (verified === 0) return [3, 'Nothing was verified: no check has a result.'];
  if (minVerified === null) return null;
  const wanted = 'count' in minVerified ? minVerified.count : Math.ceil(minVerified.share * visible);
  return verified >= wanted
    ? null
    : [
        3,
        `Only ${count(verified, 'clause')} ${verified === 1 ? 'was' : 'were'} verified; --min-verified requires ${wanted}.`,
      ];
}

// Losses to the platform or the network: part of the result, and not a success from a tenth of the checks on
// (interpretation R57).

const lostShareMax = 0.1;
/** So many responses of one operation, and not one of the service. */
const neverAfter = 3;

/** One sentence when so much was lost that the run is not a success; null otherwise. */
export function lossOf(report: Report): string | null {
  const silent = withoutResponses(report);
  if (silent !== null) return silent;
  const ran = report.checks.filter(({ id, result }) => result.kind !== 'skipped' && !id.startsWith('rule/'));
  const lost = ran.filter(({ result }) => result.kind === 'inconclusive' && result.reason === 'platform').length;
  const limited = limitedIn(report);
  if (lost + limited === 0 || lost + limited < lostShareMax * ran.length) return null;
  if (limited > lost) return `${limited} of ${ran.length} checks are open: ${limitedWhy(report)}.`;
  return `${lost} of ${ran.length} checks could not be decided because of platform or network errors: run the suite again.`;
}

function limitedWhy({ inputs }: Report): string {
  return inputs?.options.pace === 'off'
    ? '--pace off exceeds the rate limits, so run it again without this flag'
    : 'other clients use the rate limit, so run it again, or use a separate key';
}

/** Checks that a rate limit ended; data that changed during a check is interference too. */
function limitedIn({ checks, exchanges }: Report): number {
  const blocked = new Set(exchanges.filter(({ status }) => status === 429).map(({ id }) => id));
  return checks.filter(({ result, exchanges: ids }) => {
    const last = ids.at(-1);
    return result.reason === 'interference' && (last === undefined || blocked.has(last));
  }).length;
}

/** Without this, an operation that never responds would be hidden among the inconclusive ones. */
function withoutResponses({ exchanges, recorded }: Report): string | null {
  const usual = exchanges.filter(({ operation, key, burst }) => operation !== null && key === 'good' && !burst);
  for (const all of grouped(usual, ({ operation }) => operation).values()) {
    const last = all.at(-1);
    if (last === undefined || all.length < neverAfter || !all.every(isNoResponse)) continue;
    const name = `${last.method} ${last.target.split('?')[0]}`;
    if (recorded !== null && isLost(last))
      return `The recording holds no body of ${name} that can be read, in ${count(all.length, 'response')}.`;
    if (last.status !== 0)
      return `${name} returned ${last.status} each of ${count(all.length, 'time')}, and nothing more.`;
    return `${name} never responded: ${last.problemDetail ?? last.problem} each of ${count(all.length, 'time')}.`;
  }
  return null;
}

/** Behind articles, sites and keywords there is no platform: trouble there is the service's own. */
function isNoResponse(exchange: StoredExchange): boolean {
  if (isLost(exchange) || isGatewayPage(exchange)) return true;
  const isSimple = exchange.operation !== null && operations[exchange.operation].envelope === 'simple';
  return isSimple && exchange.status >= 502 && exchange.status <= 504;
}

/** Returns how many requests were repeated, and why; null without repetitions. */
export function repeatsOf({ exchanges }: Report): string | null {
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  const first = exchanges.flatMap(({ repeatOf }) => (repeatOf === null ? [] : (byId.get(repeatOf) ?? [])));
  if (first.length === 0) return null;
  const kinds: readonly (readonly [string, number])[] = [
    ['lost', first.filter(isLost).length],
    ['pages of a gateway', first.filter(isGatewayPage).length],
    ['rejected with 429, 502 or 503', first.filter((each) => !isLost(each) && !isGatewayPage(each)).length],
  ];
  const words = kinds.filter(([, number]) => number > 0).map(([kind, number]) => `${number} ${kind}`);
  return `${first.length} repeated (${words.join(', ')})`;
}

// A reporter turns a finished run into text.

/** What `--report KIND=FILE` can write. */
export { reportKinds };
export type ReportKind = (typeof reportKinds)[number];

/** Turns a finished run into text for a file: a pure function. */
export interface Reporter {
  /** As named after `--report`. */
  readonly kind: ReportKind;
  /** Matches the beginning of what `render` makes: only such a file is replaced. */
  readonly start: RegExp;
  render(report: Report, outcome: Outcome): string;
}
