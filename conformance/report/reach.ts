// How far a run has come, in clauses.
import { isTested } from '../judge/verdict.ts';
import type { Report } from './report.ts';

/** Of the clauses that an answer can break: how many were put to the test, and how many of those held. */
export interface Reach {
  readonly visible: number;
  readonly tested: number;
  readonly proven: number;
}

/** Clauses that no answer can break are not counted: no run could ever reach them. */
export function reachOf({ coverage }: Pick<Report, 'coverage'>): Reach {
  const visible = coverage.filter(({ provable }) => provable);
  const tested = visible.filter(({ verdict }) => isTested(verdict));
  return {
    visible: visible.length,
    tested: tested.length,
    proven: visible.filter(({ verdict }) => verdict === 'pass').length,
  };
}
