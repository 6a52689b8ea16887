// What would open the clauses that a run leaves open, from its plan alone: whatever the target shows, nobody looks at
// them.
import type { ClauseId } from '../../src/contract/generated/clauses.ts';
import type { Rule } from '../judge/rule.ts';
import { type CheckResult, hasConcluded, type Verdict } from '../judge/verdict.ts';
import type { Check } from '../probe/check.ts';
import { coverClauses, fetchers } from './coverage.ts';

/** One way, and the clauses that it would put to the test. */
export interface Opener {
  readonly way: string;
  readonly clauses: readonly ClauseId[];
}

/** A check, and why it is left out; null when it runs. */
interface Planned {
  readonly check: Check;
  readonly excluded: string | null;
}

/** The way that opens most comes first. */
export function openersOf(planned: readonly Planned[], rules: readonly Rule[]): Opener[] {
  const isOut = (id: string | undefined) => planned.some(({ check, excluded }) => check.id === id && excluded !== null);
  const results = [
    ...planned.map(({ check, excluded }) => resultOf(check, excluded)),
    // A rule sees nothing where the check does not run that fetches its answers.
    ...rules.map((rule) => resultOf(rule, isOut(fetchers[rule.id]) ? '' : null)),
  ];
  const ways = new Map<string, ClauseId[]>();
  for (const { clause, provable, verdict, why } of coverClauses(results)) {
    if (!provable || why === null || (verdict !== null && hasConcluded(verdict))) continue;
    ways.set(why, [...(ways.get(why) ?? []), clause]);
  }
  const all = [...ways].map(([way, clauses]) => ({ way, clauses }));
  return all.sort((one, other) => other.clauses.length - one.clauses.length);
}

/** As if whatever runs showed all that it may show. */
function resultOf({ id, title, level, cites }: Check | Rule, excluded: string | null): CheckResult {
  const left: Verdict =
    excluded === '' ? { kind: 'inconclusive', reason: 'vacuous' } : { kind: 'excluded', message: excluded ?? '' };
  const runs = excluded === null;
  const verdict: Verdict = runs ? { kind: 'pass' } : left;
  return { id, title, level, cites, verdict, findings: [], evidence: 0, shown: runs ? cites : [], exchanges: [] };
}
