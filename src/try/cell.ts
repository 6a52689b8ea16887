// A cell of the matrix: one legal disturbance, as data.
import type { ClauseId } from '../contract/generated/clauses.ts';
import type { OperationId } from '../contract/generated/operations.ts';
import type { FaultRule } from '../domain/faults.ts';
import type { WorldBehavior } from '../domain/world-behavior.ts';
import type { WorldData } from '../domain/world-data.ts';
import type { Engine } from '../engine/engine.ts';
import type { Wrap } from '../mutants/hooks/mutant.ts';
import type { CallPlan } from './world.ts';

/** The purpose of a request. A fault of a cell strikes each operation of its target that the client uses. */
export type Target = 'read' | 'poll' | 'write';

/** The dimensions of the report, in its order. */
export const dimensions = {
  control: 'Undisturbed',
  limits: 'Rate limits',
  errors: 'Server errors',
  connections: 'Lost responses',
  slow: 'Slow responses',
  refusals: 'Rejections',
  formats: 'Formats',
  pages: 'Pages',
  calls: 'Call log',
  load: 'Concurrency',
} as const;
export type Dimension = keyof typeof dimensions;

export interface Cell {
  /** In the form `limits/read-limiter_key-61`. Stable, because baselines name it. */
  readonly id: string;
  readonly dimension: Dimension;
  /** Completes the sentence `The mock …`. */
  readonly title: string;
  readonly clauses: readonly [ClauseId, ...ClauseId[]];
  /** Whether the contract lets a client read everything and end without an error. */
  readonly succeeds: boolean;
  readonly target?: Target;
  readonly fault?: Omit<FaultRule, 'id' | 'match'>;
  /** The operations that the cell disturbs; those of the target when absent. */
  readonly operations?: readonly OperationId[];
  readonly behavior?: Partial<WorldBehavior>;
  /** Whether the rate limits of the contract are on. */
  readonly limits?: true;
  readonly world?: (world: WorldData) => WorldData;
  readonly wrap?: Wrap;
  readonly calls?: readonly CallPlan[];
  /** Done before the client starts. */
  readonly before?: (engine: Engine, key: string) => void;
  /** Done once, after the first response to this operation. */
  readonly afterFirst?: readonly [OperationId, (engine: Engine) => void];
  /** Time in addition to that of the control cell for each disturbed operation, in milliseconds. */
  readonly extraMs?: number;
  /** Only a page that another page follows counts as disturbed. */
  readonly needsMore?: true;
  /** One sentence: the usual correction of a client that fails. */
  readonly remedy?: string;
  /** Whether reported values have to be those of the control cell. */
  readonly sameValues?: true;
}

/** The cell that all others are compared with. */
export const control: Cell = {
  id: 'control',
  dimension: 'control',
  title: 'responds without a disturbance',
  clauses: ['4.json'],
  succeeds: true,
};
