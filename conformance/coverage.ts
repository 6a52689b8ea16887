// Clause by clause: what the run says about it, and which checks say so.
import { type ClauseId, clauses } from '../src/contract/generated/clauses.ts';
import type { CheckResult, VerdictKind } from './check.ts';

export interface ClauseCoverage {
  readonly clause: ClauseId;
  readonly standing: (typeof clauses)[ClauseId]['standing'];
  readonly seenBy: (typeof clauses)[ClauseId]['seenBy'];
  /** null: no check cites it. */
  readonly verdict: VerdictKind | null;
  readonly checks: readonly string[];
}

/** The gravest verdict speaks for a clause; a pass speaks before those that told nothing. */
const ORDER: readonly VerdictKind[] = [
  'fail',
  'error',
  'warn',
  'note',
  'pass',
  'inconclusive',
  'not-applicable',
  'excluded',
];

export function coverClauses(
  results: readonly CheckResult[],
  tested: (id: string) => ReadonlySet<ClauseId>,
): ClauseCoverage[] {
  const said = new Map<ClauseId, { id: string; verdict: VerdictKind }[]>();
  for (const result of results) {
    for (const clause of result.cites) {
      const kind = verdictFor(result, clause, tested(result.id));
      said.set(clause, [...(said.get(clause) ?? []), { id: result.id, verdict: kind }]);
    }
  }
  return (Object.keys(clauses) as ClauseId[]).map((clause) => {
    const { standing, seenBy } = clauses[clause];
    const verdicts = said.get(clause) ?? [];
    const verdict = ORDER.find((kind) => verdicts.some((each) => each.verdict === kind)) ?? null;
    return { clause, standing, seenBy, verdict, checks: verdicts.map(({ id }) => id) };
  });
}

/** A finding speaks for its own clause; the others that a check cites are proven only where it put them to the test. */
function verdictFor(result: CheckResult, clause: ClauseId, tested: ReadonlySet<ClauseId>): VerdictKind {
  const { kind } = result.verdict;
  const own = result.findings.filter((finding) => finding.clause === clause);
  if (own.some(({ severity }) => severity === 'fail')) return 'fail';
  if (own.some(({ severity }) => severity === 'warn')) return 'warn';
  const isRule = result.id.startsWith('rule/');
  const isMixed = kind === 'fail' || kind === 'warn' || (isRule && kind !== 'excluded');
  if (!isMixed) return kind;
  return tested.has(clause) ? 'pass' : 'inconclusive';
}
