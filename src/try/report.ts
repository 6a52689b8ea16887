// The report of a run as data, which every output reads.
import type { ClauseId } from '../contract/generated/clauses.ts';
import { readVersion } from '../terminal/version.ts';
import { type Dimension, dimensions } from './cell.ts';
import { disturbedOperations, type Observation } from './cell-run.ts';
import { figureOf } from './figures.ts';
import { type CellFinding, judge, type Severity, severities } from './judge.ts';

/** One mistake, with every cell that shows it. */
export interface ClientViolation extends Omit<CellFinding, 'message'> {
  /** Stable name for baselines: the rule and the dimension, and the clause of a failure. */
  readonly id: string;
  readonly dimension: Dimension;
  /** One sentence about the client in the first of the cells. */
  readonly message: string;
  readonly cells: readonly string[];
}

/** The client in one dimension. */
export interface DimensionReport {
  readonly id: Dimension;
  readonly title: string;
  readonly handled: number;
  readonly violated: number;
  readonly notExercised: number;
  /** One sentence with figures. */
  readonly sentence: string;
}

/** The report of `tryClient` and `casa try`, as in casa-client.json. */
export interface ClientReport {
  readonly casaClient: 1;
  readonly version: string;
  readonly mode: 'virtual' | 'real';
  /** The worst first. */
  readonly violations: readonly ClientViolation[];
  readonly dimensions: readonly DimensionReport[];
  readonly cells: readonly {
    readonly id: string;
    readonly title: string;
    readonly clauses: readonly ClauseId[];
    readonly result: 'handled' | 'violated' | 'not-exercised';
    readonly requests: number;
  }[];
}

/** A client fails for many reasons in formats and pages, and for one in all cells of a status. */
function isApart({ severity }: Pick<CellFinding, 'severity'>, dimension: Dimension): boolean {
  return severity === 'fragile' && dimension !== 'limits' && dimension !== 'errors';
}

export function reportOf(
  first: Observation,
  observations: readonly Observation[],
  mode: ClientReport['mode'],
): ClientReport {
  const used = new Set(first.exchanges.flatMap(({ operation }) => (operation ? [operation] : [])));
  const judged = [first, ...observations].map((observation) => {
    const isControl = observation === first;
    const disturbs =
      isControl || (observation.ending !== 'stalled' && observation.exchanges.some((each) => each.disturbed));
    const isMet = disturbs && (isControl || disturbedOperations(observation.cell, used).length > 0);
    const findings = isMet ? judge(observation, isControl ? null : first) : [];
    const known = isControl ? [] : judge(first, null).map(({ rule }) => rule);
    return { observation, isMet, findings: findings.filter(({ rule }) => !known.includes(rule)) };
  });
  const violations = new Map<string, ClientViolation>();
  for (const {
    observation: { cell },
    findings,
  } of judged) {
    for (const { message, ...finding } of findings) {
      const id = [finding.rule, cell.dimension, ...(isApart(finding, cell.dimension) ? [finding.clause] : [])].join(
        ' ',
      );
      const known = violations.get(id);
      const cells = [...(known?.cells ?? []), cell.id];
      violations.set(id, known ? { ...known, cells } : { id, ...finding, message, dimension: cell.dimension, cells });
    }
  }
  const rankOf = (severity: Severity) => severities.indexOf(severity);
  return {
    casaClient: 1,
    version: readVersion(),
    mode,
    violations: [...violations.values()].sort((a, b) => rankOf(a.severity) - rankOf(b.severity)),
    dimensions: (Object.keys(dimensions) as Dimension[])
      .map((id) => ({ id, own: judged.filter(({ observation }) => observation.cell.dimension === id) }))
      .filter(({ own }) => own.length > 0)
      .map(({ id, own }) => ({
        id,
        title: dimensions[id],
        handled: own.filter(({ isMet, findings }) => isMet && findings.length === 0).length,
        violated: own.filter(({ findings }) => findings.length > 0).length,
        notExercised: own.filter(({ isMet }) => !isMet).length,
        sentence: figureOf(
          id,
          own.filter(({ isMet }) => isMet).map(({ observation }) => observation),
        ),
      })),
    cells: judged.map(({ observation: { cell, exchanges }, isMet, findings }) => ({
      id: cell.id,
      title: cell.title,
      clauses: cell.clauses,
      result: !isMet ? 'not-exercised' : findings.length > 0 ? 'violated' : 'handled',
      requests: exchanges.length,
    })),
  };
}
