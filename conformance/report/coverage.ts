// Coverage by clause: the result of the run, its checks, and the reason if a clause is open. A clause is verified only
// by evidence that could have violated it.
import { type ClauseId, clauses } from '../../src/contract/generated/clauses.ts';
import { newestSet, type RequirementSetName, requirementSets } from '../../src/contract/generated/requirements.ts';
import type { Section } from '../../src/contract/sections.ts';
import { grouped } from '../../src/contract/words.ts';
import type { Judged, Rule } from '../judge/judge.ts';
import {
  type CheckResult,
  type Finding,
  hasConcluded,
  isTested,
  type Result,
  type ResultKind,
  resultKinds,
  type Severity,
} from '../judge/result.ts';

/** One row of the matrix in every report. */
export interface ClauseCoverage {
  readonly clause: ClauseId;
  readonly basis: (typeof clauses)[ClauseId]['basis'];
  readonly seenBy: (typeof clauses)[ClauseId]['seenBy'];
  /** Whether it is in the requirement set, and a response of a server could break it; the others are not counted. */
  readonly provable: boolean;
  /** null: no check of the run has to do with it. */
  readonly result: ResultKind | null;
  /** Why it was not tested: a flag would open it, something was missing, or no check tests it. */
  readonly why: string | null;
  readonly checks: readonly string[];
}

export interface LeftOut {
  readonly checks: readonly { readonly id: string; readonly cites: readonly ClauseId[]; readonly why?: string }[];
  readonly why: string;
}

interface Evidence {
  readonly check: CheckResult;
  readonly result: ResultKind;
}

const nothingLeftOut: LeftOut = { checks: [], why: '' };

/** Every clause of the contract once, in order, with its most severe result; a pass outranks no evidence. */
export function coverClauses(
  results: readonly CheckResult[],
  leftOut: LeftOut = nothingLeftOut,
  { set, newSince }: Requirements = requirementsOf(),
): ClauseCoverage[] {
  const evidence = new Map<ClauseId, Evidence[]>();
  for (const result of results) {
    const about = [...result.cites, ...shownBy(result), ...result.findings.map(({ clause }) => clause)];
    for (const clause of new Set(about)) {
      evidence.set(clause, [...(evidence.get(clause) ?? []), { check: result, result: resultFor(result, clause) }]);
    }
  }
  return (Object.keys(clauses) as ClauseId[]).map((clause) => {
    const { basis, seenBy } = clauses[clause];
    const outcomes = evidence.get(clause) ?? [];
    const outcome = resultKinds.find((kind) => outcomes.some((each) => each.result === kind)) ?? null;
    const unprovable = newSince.includes(clause) ? `new since ${set}` : whyUnprovable(clause, set);
    const why = unprovable ?? (isTested(outcome) ? null : whyOpen(clause, outcomes, { results, leftOut }));
    const checks = outcomes.map(({ check }) => check.id);
    return { clause, basis, seenBy, provable: unprovable === null, result: outcome, why, checks };
  });
}

/** A result without claims counts for its clause if it cites only one. */
function shownBy({ id, shown, cites, evidence }: CheckResult): readonly ClauseId[] {
  const all = shown ?? (cites.length === 1 && evidence > 0 ? cites : []);
  return isOfIsolation(id) ? all : all.filter((clause) => !betweenKeys.has(clause));
}

export const isOfIsolation = (id: string) => id.startsWith('isolation/');

/** One key can show that isolation is violated, and only two keys that it is not. */
export const betweenKeys: ReadonlySet<ClauseId> = new Set<ClauseId>([
  '1.organization-scope',
  '1.foreign-record',
  '5.key-organization',
]);

/** A finding counts for its own clause; other clauses are verified by the claims of the check or rule. */
function resultFor(result: CheckResult, clause: ClauseId): ResultKind {
  const { kind } = result.result;
  const has = (severity: Severity) =>
    result.findings.some((finding) => finding.clause === clause && finding.severity === severity);
  if (has('fail')) return 'fail';
  if (has('warn')) return 'warn';
  // A rule checks each response separately: an inconclusive one does not affect the others.
  const isTested = hasConcluded(kind) || (result.id.startsWith('rule/') && kind !== 'skipped');
  if (!isTested) return kind;
  if (shownBy(result).includes(clause)) return 'pass';
  return has('note') ? 'note' : 'inconclusive';
}

/** The clauses of the MCP endpoint, which is checked only where it is named. */
const ofMcp =
  /^(1\.mcp-door|4\.tools\.|7\.envelope\.mcp|8\.key-window-shared|8\.body-mcp|8\.import\.|8\.customers-max)/;

export const isOfMcp = (clause: ClauseId) => ofMcp.test(clause);

/** The check that fetches the responses which a rule has to see. */
export const fetchers: Readonly<Record<string, string>> = {
  'rule/create-connect-link-shape': 'links/creates',
  'rule/create-post-shape': 'posts/publishes',
  'rule/reply-to-review-shape': 'replies/path-wins',
};

/** The most useful reason first: a flag that would open it, then an obstacle, then a missing check. */
function whyOpen(
  clause: ClauseId,
  evidence: readonly Evidence[],
  { results, leftOut }: { results: readonly CheckResult[]; leftOut: LeftOut },
): string {
  const about = evidence.map(({ check }) => check);
  const fetched = about.flatMap(({ id }) => results.filter((result) => result.id === fetchers[id]));
  const skipped = [...about, ...fetched].filter(({ result: outcome }) => outcome.kind === 'skipped');
  const halted = about.find(
    (result) => /^(inconclusive|error)$/.test(result.result.kind) && result.result.message && !isIdleRule(result),
  );
  const rare = seldom[clause];
  const isConcluded = about.some(({ result: { kind } }) => hasConcluded(kind));
  const parts = [
    ...(rare !== undefined && isConcluded ? [rare] : []),
    ...(skipped.length === 0 ? [] : [waysIn(skipped)]),
    ...(halted ? [`${halted.id}: ${halted.result.message}`] : []),
  ];
  if (parts.length > 0) return parts.join('; ');
  const violated = about.find(({ result: outcome }) => /^(fail|warn)$/.test(outcome.kind));
  if (violated) return `${violated.id} failed on another clause`;
  if (about.length > 0) return 'no response of this run shows it';
  const other = leftOut.checks.find(({ cites }) => cites.includes(clause));
  if (other) return `${other.id} ${other.why ?? leftOut.why}`;
  return isOfMcp(clause) ? 'needs --mcp-url URL' : (untestable[clause] ?? 'no check tests it');
}

/** Flags that enable the skipped checks. Extended checks are last, because they add the least. */
function waysIn(skipped: readonly CheckResult[]): string {
  const messages = [...new Set(skipped.map(({ result: outcome }) => outcome.message ?? ''))];
  const isLong = (message: string) => Number(message.includes('--minutes'));
  messages.sort((a, b) => isLong(a) - isLong(b) || a.length - b.length);
  const [first = '', ...others] = messages;
  // A longer way may include the first one; then it is not a second way.
  const second = others.find((message) => !message.includes(first.replace(/^needs /, '')));
  if (second === undefined) return first;
  const areNeeds = [first, second].every((message) => message.startsWith('needs '));
  return areNeeds ? `${first}, or ${second.replace(/^needs /, '')}` : `${first}; ${second}`;
}

/** A rule that no exchange concerned. */
function isIdleRule({ id, result: outcome }: CheckResult): boolean {
  return id.startsWith('rule/') && outcome.reason === 'vacuous';
}

// How far a run has come, in clauses.

/**
 * Every number of clauses that is shown comes from here. Clauses that no response can break are not counted: no run
 * could ever reach them.
 */
export function reachOf({ coverage }: { readonly coverage: readonly ClauseCoverage[] }) {
  const visible = coverage.filter(({ provable }) => provable);
  const having = (kind: ResultKind) => visible.filter(({ result }) => result === kind).length;
  const [violated, warned, verified] = [having('fail'), having('warn'), having('pass')];
  const tested = violated + warned + verified;
  const undecided = having('inconclusive') + having('error') + having('note');
  return { visible: visible.length, tested, violated, warned, verified, undecided, untested: visible.length - tested };
}

// The sections of the contract, by which reports are ordered.

export { type Section, sections } from '../../src/contract/sections.ts';

/** The first part of a clause id is the number of its section. */
export function isInSection(clause: ClauseId, section: Section): boolean {
  return clause.startsWith(`${section.number}.`);
}

// Clauses that no response can break. A run cannot prove them, and reports say why.

/** A clause that could be broken, and that no polite request can put to the test. */
export const untestable: Partial<Record<ClauseId, string>> = {
  '1.read-only': 'no check tests it, because a test request might change data',
};

const nextAudit = 'another run tests it: use --history DIR, or a larger --minutes';
const trouble = 'shows only while a platform fails';
const unpaid = 'needs an unpaid organization, or a locked account';

/** Clauses that a run without extra keys can leave untested, and how to test them at the least cost. */
export const seldom: Partial<Record<ClauseId, string>> = {
  '4.articles.get.id': nextAudit,
  '4.articles.get.not-found': nextAudit,
  '4.sites.get.id': nextAudit,
  '4.sites.get.not-found': nextAudit,
  '4.connect.account-id': nextAudit,
  '7.code.payment-required': unpaid,
  '7.code.payment-required-reason': unpaid,
  '7.code.rate-limited': trouble,
  '7.code.provider-error': trouble,
  '7.code.transient': trouble,
};

/** Why no response of a server can break the clause; null when one can. */
export function whyUnprovable(clause: ClauseId, set = newestSet): string | null {
  const { basis, seenBy } = clauses[clause];
  const { notScored, levels } = requirementSets[set];
  if (levels[clause] !== undefined || notScored[clause] !== undefined) return notScored[clause] ?? null;
  if (basis === 'unspecified') return 'the contract leaves it open';
  if (seenBy === 'client') return 'a rule for clients';
  if (seenBy === 'nobody') return 'responses cannot show it';
  return null;
}

// The requirement set that a report counts.

export interface Requirements {
  readonly set: RequirementSetName;
  /** SHA-256 of spec/requirements/SET.yaml. */
  readonly digest: string;
  /** Later clauses, which are tested and never counted. */
  readonly newSince: readonly ClauseId[];
}

/** The checks without failures of later clauses, which never count. */
export function countedIn({
  checks,
  requirements: { newSince },
}: {
  readonly checks: readonly CheckResult[];
  readonly requirements: Requirements;
}): readonly CheckResult[] {
  return checks.map((check) => {
    const isLater = ({ severity, clause }: Finding) => severity === 'fail' && newSince.includes(clause);
    const findings = check.findings.filter((finding) => !isLater(finding));
    const isFailed = findings.length === check.findings.length || findings.some(({ severity }) => severity === 'fail');
    return isFailed ? { ...check, findings } : { ...check, findings, result: { kind: 'note' } };
  });
}

export function requirementsOf(set = newestSet): Requirements {
  const { digest, levels, notScored } = requirementSets[set];
  const isNew = (id: ClauseId) => levels[id] === undefined && notScored[id] === undefined;
  return { set, digest, newSince: (Object.keys(clauses) as ClauseId[]).filter(isNew) };
}

// Flags that would open the clauses that a plan can never verify, independent of the target.

/** One way, and the clauses that it would put to the test. */
export interface Opener {
  readonly way: string;
  readonly clauses: readonly ClauseId[];
}

/** A check, and why it is left out; null when it runs. */
export interface PlannedCheck {
  readonly check: Judged;
  readonly skipped: string | null;
}

/** The way that opens most comes first. */
export function openersOf(planned: readonly PlannedCheck[], rules: readonly Rule[]): Opener[] {
  const isOut = (id: string | undefined) => planned.some(({ check, skipped }) => check.id === id && skipped !== null);
  const results = [
    ...planned.map(({ check, skipped }) => resultOf({ level: 'must', ...check, cites: check.clauses }, skipped)),
    // A rule sees nothing where the check does not run that fetches its responses.
    ...rules.map((rule) => resultOf(rule, isOut(fetchers[rule.id]) ? '' : null)),
  ];
  const open = coverClauses(results).filter(
    ({ provable, result: outcome }) => provable && (outcome === null || !hasConcluded(outcome)),
  );
  const all = [...grouped(open, ({ why }) => why)].flatMap(([way, rows]) =>
    way === null ? [] : [{ way, clauses: rows.map(({ clause }) => clause) }],
  );
  return all.sort((one, other) => other.clauses.length - one.clauses.length);
}

/** The result if the check passed completely. */
function resultOf(
  { id, title, level, cites }: Pick<Rule, 'id' | 'title' | 'level' | 'cites'>,
  skipped: string | null,
): CheckResult {
  const left: Result =
    skipped === '' ? { kind: 'inconclusive', reason: 'vacuous' } : { kind: 'skipped', message: skipped ?? '' };
  const runs = skipped === null;
  const outcome: Result = runs ? { kind: 'pass' } : left;
  return {
    id,
    title,
    level,
    cites,
    result: outcome,
    findings: [],
    evidence: 0,
    shown: runs ? cites : [],
    exchanges: [],
  };
}
