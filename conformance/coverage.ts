// Clause by clause: what the run says about it, which checks say so, and what keeps it open where none does. A clause holds
// only where something was seen that could have broken this very clause.
import { type ClauseId, clauses } from '../src/contract/generated/clauses.ts';
import type { CheckResult, VerdictKind } from './check.ts';
import { whyUnprovable } from './unprovable.ts';

export interface ClauseCoverage {
  readonly clause: ClauseId;
  readonly standing: (typeof clauses)[ClauseId]['standing'];
  readonly seenBy: (typeof clauses)[ClauseId]['seenBy'];
  /** Whether an answer of a server could break it; the others are not counted. */
  readonly provable: boolean;
  /** null: no check of the run has to do with it. */
  readonly verdict: VerdictKind | null;
  /** Why it was not put to the test: a flag that opens it, what was missing, or that no check looks at it. */
  readonly why: string | null;
  readonly checks: readonly string[];
}

/** Checks that the run did not choose, and why. */
export interface LeftOut {
  readonly checks: readonly { readonly id: string; readonly cites: readonly ClauseId[] }[];
  readonly why: string;
}

interface Said {
  readonly result: CheckResult;
  readonly verdict: VerdictKind;
}

/** The gravest verdict speaks for a clause; a pass speaks before those that told nothing. */
const ORDER: readonly VerdictKind[] = [
  'fail',
  'error',
  'warn',
  'pass',
  'note',
  'inconclusive',
  'not-applicable',
  'excluded',
];

const nothingLeftOut: LeftOut = { checks: [], why: '' };

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
    const verdict = ORDER.find((kind) => verdicts.some((each) => each.verdict === kind)) ?? null;
    const unprovable = whyUnprovable(clause);
    const isOpen = verdict === null || !/^(pass|fail|warn)$/.test(verdict);
    const why = unprovable ?? (isOpen ? whyOpen(clause, verdicts, leftOut) : null);
    const checks = verdicts.map(({ result }) => result.id);
    return { clause, standing, seenBy, provable: unprovable === null, verdict, why, checks };
  });
}

function shownBy({ shown, cites, evidence }: CheckResult): readonly ClauseId[] {
  return shown ?? (cites.length === 1 && evidence > 0 ? cites : []);
}

/** A finding speaks for its own clause; other clauses hold where the check or the rule has shown them. */
function verdictFor(result: CheckResult, clause: ClauseId): VerdictKind {
  const { kind } = result.verdict;
  const has = (severity: 'fail' | 'warn' | 'note') =>
    result.findings.some((finding) => finding.clause === clause && finding.severity === severity);
  if (has('fail')) return 'fail';
  if (has('warn')) return 'warn';
  // A rule looks at each answer by itself: what one of them left open takes nothing from the others.
  const hasConcluded = /^(pass|fail|warn|note)$/.test(kind) || (result.id.startsWith('rule/') && kind !== 'excluded');
  if (!hasConcluded) return kind;
  if (shownBy(result).includes(clause)) return 'pass';
  return has('note') ? 'note' : 'inconclusive';
}

/** The clauses of the MCP door, which is judged only where it is named. */
const OF_MCP =
  /^(1\.mcp-door|1\.further-tools|4\.tools\.|7\.envelope\.mcp|8\.key-window-shared|8\.body-mcp|8\.import\.|8\.customers-max)/;

function whyOpen(clause: ClauseId, said: readonly Said[], leftOut: LeftOut): string {
  const ofKind = (...kinds: VerdictKind[]) => said.filter(({ result }) => kinds.includes(result.verdict.kind));
  const excluded = shortest(ofKind('excluded', 'not-applicable'));
  const halted = shortest(ofKind('inconclusive', 'error').filter(({ result }) => !isIdleRule(result)));
  const silent = ofKind('pass', 'fail', 'warn', 'note').map(({ result }) => result.id);
  const idle = said.filter(({ result }) => isIdleRule(result));
  const parts = [
    ...(excluded ? [sentenceOf(excluded)] : []),
    ...(halted ? [sentenceOf(halted)] : []),
    ...(excluded || halted || (silent.length === 0 && idle.length === 0) ? [] : ['no answer of this run tells of it']),
  ];
  if (parts.length > 0) return parts.join('; ');
  const other = leftOut.checks.find(({ cites }) => cites.includes(clause));
  if (other) return `${other.id} ${leftOut.why}`;
  return OF_MCP.test(clause) ? 'needs --mcp-url URL' : 'no check looks at it';
}

/** A rule that no exchange concerned. */
function isIdleRule({ id, verdict }: CheckResult): boolean {
  return id.startsWith('rule/') && verdict.reason === 'vacuous';
}

function shortest(said: readonly Said[]): CheckResult | null {
  const results = said.map(({ result }) => result).filter(({ verdict }) => verdict.message !== undefined);
  results.sort((a, b) => (a.verdict.message?.length ?? 0) - (b.verdict.message?.length ?? 0));
  return results[0] ?? null;
}

function sentenceOf({ id, verdict }: CheckResult): string {
  const { kind, message = '' } = verdict;
  return kind === 'excluded' ? message : `${id}: ${message}`;
}
