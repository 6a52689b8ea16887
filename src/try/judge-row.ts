// A rule of `casa try` as a row: the columns of its finding, and a function of an observation.
import type { ClauseId } from '../contract/generated/clauses.ts';
import type { CellFinding } from './cell.ts';
import type { Observation } from './cell-run.ts';

type Found = string | (Partial<CellFinding> & Pick<CellFinding, 'message'>);

/** `find` returns the message of a mistake, or other columns too. The clause is that of the test case when null. */
export type RuleRow = readonly [
  rule: string,
  severity: CellFinding['severity'],
  clause: ClauseId | null,
  find: (met: Observation, control: Observation) => Found | false | null | undefined,
  correct: string,
];

export function findingsOf(rows: readonly RuleRow[], met: Observation, control = met): CellFinding[] {
  return rows.flatMap(([rule, severity, clause, find, correct]) => {
    const found = find(met, control);
    const columns = { rule, severity, clause: clause ?? met.cell.clauses[0], correct };
    return found ? [{ ...columns, ...(typeof found === 'string' ? { message: found } : found) }] : [];
  });
}
