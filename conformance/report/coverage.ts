// Clause by clause: the verdict of the run, the checks behind it, and the reason where a clause stays open. A clause
// holds only where something was seen that could have broken this very clause.
import { type ClauseId, clauses } from '../../src/contract/generated/clauses.ts';
import {
  type CheckResult,
  hasConcluded,
  isTested,
  type Severity,
  type VerdictKind,
  verdictKinds,
} from '../judge/verdict.ts';
import { seldom, untestable, whyUnprovable } from './unprovable.ts';

/** One row of the matrix in every report. */
export interface ClauseCoverage {
  readonly clause: ClauseId;
  readonly standing: (typeof clauses)[ClauseId]['standing'];
  readonly seenBy: (typeof clauses)[ClauseId]['seenBy'];
  /** Whether an answer of a server could break it; the others are not counted. */
  readonly provable: boolean;
  /** null: no check of the run has to do with it. */
  readonly verdict: VerdictKind | null;
  /** Why it was not tested: a flag would open it, something was missing, or no check looks at it. */
  readonly why: string | null;
  readonly checks: readonly string[];
}

/** Checks that the run did not choose, and why. */
export interface LeftOut {
  readonly checks: readonly { readonly id: string; readonly cites: readonly ClauseId[]; readonly why?: string }[];
  readonly why: string;
}

/** All that may explain an open clause. */
interface Run {
  readonly results: readonly CheckResult[];
  readonly leftOut: LeftOut;
}

/** What one check or rule says of one clause. */
interface Said {
  readonly result: CheckResult;
  readonly verdict: VerdictKind;
}

const nothingLeftOut: LeftOut = { checks: [], why: '' };

/**
 * Every clause of the contract once, in its order. The gravest verdict speaks for a clause, and a pass outranks
 * silence.
 */
export function coverClauses(results: readonly CheckResult[], leftOut: LeftOut = nothingLeftOut): ClauseCoverage[] {
  const said = new Map<ClauseId, Said[]>();
  for (const result of results) {
    const about = [...result.cites, ...shownBy(result), ...result.findings.map(({ clause }) => clause)];
    for (const clause of new Set(about)) {
      said.set(clause, [...(said.get(clause) ?? []), { result, verdict: verdictFor(result, clause) }]);
    }
  }
  return (Object.keys(clauses) as ClauseId[]).map((clause) => {
    const { standing, seenBy } = clauses[clause];
    const verdicts = said.get(clause) ?? [];
    const verdict = verdictKinds.find((kind) => verdicts.some((each) => each.verdict === kind)) ?? null;
    const unprovable = whyUnprovable(clause);
    const why = unprovable ?? (isTested(verdict) ? null : whyOpen(clause, verdicts, { results, leftOut }));
    const checks = verdicts.map(({ result }) => result.id);
    return { clause, standing, seenBy, provable: unprovable === null, verdict, why, checks };
  });
}

/** A result that does not say what it has shown speaks for its clause where it cites a single one. */
function shownBy({ shown, cites, evidence }: CheckResult): readonly ClauseId[] {
  return shown ?? (cites.length === 1 && evidence > 0 ? cites : []);
}

/** A finding speaks for its own clause; other clauses hold where the check or the rule has shown them. */
function verdictFor(result: CheckResult, clause: ClauseId): VerdictKind {
  const { kind } = result.verdict;
  const has = (severity: Severity) =>
    result.findings.some((finding) => finding.clause === clause && finding.severity === severity);
  if (has('fail')) return 'fail';
  if (has('warn')) return 'warn';
  // A rule looks at each answer by itself: what one of them left open takes nothing from the others.
  const isJudged = hasConcluded(kind) || (result.id.startsWith('rule/') && kind !== 'excluded');
  if (!isJudged) return kind;
  if (shownBy(result).includes(clause)) return 'pass';
  return has('note') ? 'note' : 'inconclusive';
}

/** The clauses of the MCP door, which is judged only where it is named. */
const OF_MCP =
  /^(1\.mcp-door|4\.tools\.|7\.envelope\.mcp|8\.key-window-shared|8\.body-mcp|8\.import\.|8\.customers-max)/;

/** The check that fetches the answers which a rule has to see. */
export const fetchers: Readonly<Record<string, string>> = {
  'rule/create-connect-link-shape': 'links/creates',
  'rule/create-post-shape': 'posts/publishes',
  'rule/reply-to-review-shape': 'replies/path-wins',
};

/** The most useful reason first: a flag that would open it, then what stood in the way, then that nobody looks. */
function whyOpen(clause: ClauseId, said: readonly Said[], { results, leftOut }: Run): string {
  const about = said.map(({ result }) => result);
  const behind = about.flatMap(({ id }) => results.filter((result) => result.id === fetchers[id]));
  const excluded = [...about, ...behind].filter(({ verdict }) => verdict.kind === 'excluded');
  const halted = about.find(
    (result) => /^(inconclusive|error)$/.test(result.verdict.kind) && result.verdict.message && !isIdleRule(result),
  );
  const rare = seldom[clause];
  const isAsked = about.some(({ verdict: { kind } }) => hasConcluded(kind));
  const parts = [
    ...(rare !== undefined && isAsked ? [rare] : []),
    ...(excluded.length === 0 ? [] : [waysIn(excluded)]),
    ...(halted ? [`${halted.id}: ${halted.verdict.message}`] : []),
  ];
  if (parts.length > 0) return parts.join('; ');
  const broken = about.find(({ verdict }) => /^(fail|warn)$/.test(verdict.kind));
  if (broken) return `${broken.id} failed on another clause`;
  if (about.length > 0) return 'no answer of this run tells of it';
  const other = leftOut.checks.find(({ cites }) => cites.includes(clause));
  if (other) return `${other.id} ${other.why ?? leftOut.why}`;
  return OF_MCP.test(clause) ? 'needs --mcp-url URL' : (untestable[clause] ?? 'no check looks at it');
}

/** The ways to let the checks run. The way of the rarer checks comes last, because it tells the least. */
function waysIn(excluded: readonly CheckResult[]): string {
  const messages = [...new Set(excluded.map(({ verdict }) => verdict.message ?? ''))];
  const isLong = (message: string) => Number(message.includes('more time'));
  messages.sort((a, b) => isLong(a) - isLong(b) || a.length - b.length);
  const [first = '', ...others] = messages;
  // A longer way may include the first one; then it is not a second way.
  const second = others.find((message) => !message.includes(first.replace(/^needs /, '')));
  return second === undefined ? first : `${first}, or ${second.replace(/^needs /, '')}`;
}

/** A rule that no exchange concerned. */
function isIdleRule({ id, verdict }: CheckResult): boolean {
  return id.startsWith('rule/') && verdict.reason === 'vacuous';
}
