// A cell of the matrix: one legal disturbance, as data.
import type { ClauseId } from '../contract/generated/clauses.ts';
import type { OperationId } from '../contract/generated/operations.ts';
import type { FaultRule } from '../domain/faults.ts';
import type { WorldBehavior } from '../domain/world-behavior.ts';
import type { WorldData } from '../domain/world-data.ts';
import type { Engine } from '../engine/engine.ts';
import type { Wrap } from '../mutants/hooks/mutant.ts';
import { fillWorld } from '../worlds/fill.ts';

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
  restart: 'Restart',
} as const;
export type Dimension = keyof typeof dimensions;

type Field = 'replies' | 'ratings' | 'nulls' | 'fractions' | 'long-texts' | 'call-fields' | 'states' | 'accounts';

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
  /**
   * The operations for which the contract states the fault or format. A client that uses none of them meets it in
   * others, and its failures are advice.
   */
  readonly stated?: readonly OperationId[];
  /** The mistake that shows only in this cell. */
  readonly about?: Field | 'one-account' | 'second-run' | 'changes' | 'used-links';
  /** Only a page for a `limit` of at least as many records counts as disturbed. */
  readonly leastLimit?: number;
  /** Whether the fault strikes requests of all operations together, and not those of each. */
  readonly isShared?: true;
  /** Whether the fault strikes only requests for the first account of the list. */
  readonly isOfFirstAccount?: true;
  /** Whether the cell leaves the first operation of the client unchanged. */
  readonly isLater?: true;
  readonly behavior?: Partial<WorldBehavior>;
  /** Whether the rate limits of the contract are on. */
  readonly limits?: true;
  readonly world?: (world: WorldData) => WorldData;
  readonly wrap?: Wrap;
  readonly calls?: readonly CallPlan[];
  /** Instead of `pastCalls`, as many. */
  readonly past?: readonly CallPlan[];
  /** Done before the client starts. */
  readonly before?: (engine: Engine, key: string) => void;
  /** Done once, after the first response to this operation. */
  readonly afterFirst?: readonly [OperationId, (engine: Engine) => void];
  readonly restart?: Restart;
  /** Time in addition to that of the control cell for each disturbed operation, in milliseconds. */
  readonly extraMs?: number;
  /** How long a slow body takes; 5 s when absent. */
  readonly slowBodyMs?: number;
  /** Only a page that another page follows counts as disturbed. */
  readonly needsMore?: true;
  /** Only this page of the call log counts as disturbed: one with calls, a full one, or one without `since`. */
  readonly delivers?: 'calls' | 'full' | 'snapshot';
  /** Whether a poll must follow the page, because the cell is about its cursor. */
  readonly needsNext?: true;
  /** One sentence: the usual correction of a client that fails. */
  readonly remedy?: string;
  /** Whether random numbers of the client are low, because jitter can make a wait shorter. */
  readonly drawsLow?: true;
  /** Whether reported values have to be those of the control cell. */
  readonly sameValues?: true;
}

/** A cell as data. The id begins with the dimension. The place is the target, or the disturbed operations. */
export type Row = readonly [
  id: `${Dimension}/${string}`,
  title: string,
  clauses: ClauseId | Cell['clauses'],
  place: Target | readonly OperationId[] | undefined,
  setUp: Partial<Cell>,
];

/** A client succeeds where nothing fails, unless a row says otherwise. */
export const cellsOf = (rows: readonly Row[]): Cell[] =>
  rows.map(([id, title, clauses, place, setUp]) => ({
    ...{ id, title, dimension: id.slice(0, id.indexOf('/')) as Dimension, succeeds: setUp.fault === undefined },
    clauses: typeof clauses === 'string' ? [clauses] : clauses,
    ...(place && (typeof place === 'string' ? { target: place } : { operations: place })),
    ...setUp,
  }));

/**
 * Stops the client after this time, without the fault from then on, and starts it again in the same folder. A job that
 * ends is started again after each `everyS`, as by cron.
 */
export interface Restart {
  readonly afterS: number;
  readonly downS: number;
  readonly everyS?: number;
  /** The time counts from the first response with calls, or to a write; from the first request when absent. */
  readonly from?: 'calls' | 'write';
  readonly signal?: 'SIGTERM' | 'SIGKILL';
  /** Leaves the first run alone, so two run at the same time. */
  readonly overlaps?: true;
  /** Begins with the restart. */
  readonly fault?: Omit<FaultRule, 'id' | 'match'>;
  /** Done while the client is stopped. */
  readonly between?: (engine: Engine) => void;
}

/** The cell that all others are compared with. */
export const control: Cell = {
  id: 'control',
  dimension: 'control',
  title: 'responds without a disturbance',
  clauses: ['4.json'],
  succeeds: true,
};

// The data of a cell: small, complete, and without an account that fails.

/** A call by the moment when pollers see it, in seconds after the start of the cell. */
export interface CallPlan {
  readonly visibleS: number;
  /** When it ended; 300 s before it is visible when absent. A call that ended earlier is reported late. */
  readonly endedS?: number;
}

/** Calls of the last hour, for clients that continue from a stored position and end. */
export const pastCalls: readonly CallPlan[] = [2400, 2200, 2000, 1800, 1600, 1400, 1200].map((agoS) => ({
  visibleS: -agoS,
}));
/** After the start, with two minutes in which nothing is new. */
export const usualCalls: readonly CallPlan[] = [30, 95, 130, 310, 370, 430].map((visibleS) => ({ visibleS }));
export const settleS = 300;

/** From the worst: lost or duplicated business, rules of the contract, errors that the contract spares, and advice. */
export const severities = ['business', 'rule', 'fragile', 'advice'] as const;
type Severity = (typeof severities)[number];

/** One mistake in one cell. */
export interface CellFinding {
  /** For example `write-repeated`, or the id of a client rule, such as `early-retry`. */
  readonly rule: string;
  /** `advice` is about legal behavior, and no violation. */
  readonly severity: Severity;
  readonly clause: ClauseId;
  /** One sentence about the client. */
  readonly message: string;
  /** One sentence: the correct behavior. */
  readonly correct: string;
}

/** One built-in set of records for all cells, so their reports can be compared. */
export function usualWorld(): WorldData {
  const sites = [1, 2].map((n) => ({ id: `7c1d5e2${n}-4b1f-4c58-9d8e-2f6a90b3c7d${n}`, name: `Café ${n}` }));
  // Clients often reply to bad reviews only.
  const review = (n: number) => ({
    author: `Guest ${n}`,
    text: `Très bien, ${n}.`,
    rating: 1 + (n % 5),
    replied: false,
  });
  return fillWorld({
    sites,
    // One more than on a page, so a client that reads one page on purpose does so undisturbed too.
    articles: Array.from({ length: 21 }, (_, i) => ({
      ...{ title: `Menu ${i + 1}`, siteId: sites[i % 2]?.id ?? '' },
      ...{ targetKeyword: `menu ${i + 1}`, seoScore: 50 + i },
    })),
    keywords: Array.from({ length: 6 }, (_, i) => ({
      ...{ siteId: sites[i % 2]?.id ?? '', keyword: `café ${i}` },
      ...{ searchVolume: 100 + i, difficulty: i, intent: 'local' },
    })),
    accounts: (['google_business', 'facebook_page'] as const).map((provider, k) => ({
      provider,
      reviews: Array.from({ length: 23 - 10 * k }, (_, i) => review(i + 1)),
    })),
    calls: [],
  });
}

/** Adds the calls of the past, which the log of the world already has when the client starts. */
export function withPast(world: WorldData, plans: readonly CallPlan[], startMs: number): WorldData {
  const at = (s: number) => new Date(startMs + s * 1_000).toISOString();
  const calls = plans.map(({ visibleS, endedS = visibleS - settleS }, i) => ({
    ...{ id: pastCallId(i), startedAt: at(endedS - callS), endedAt: at(endedS), from: `+1555${i}` },
    ...(endedS < visibleS - settleS && { reportedAt: at(visibleS) }),
  }));
  const [filled] = fillWorld({ calls }).organizations;
  const [first, ...others] = world.organizations;
  return {
    ...world,
    organizations: [{ ...first, calls: filled?.calls ?? [] } as typeof first, ...others],
  } as WorldData;
}

export const pastCallId = (i: number) => `call_7f3a90c4d51e8b2${i.toString(16)}`;

const callS = 40;

/** Lets the calls of a cell ring, and returns their ids in the order of the plan, also of those that come later. */
export function placeCalls(
  engine: Engine,
  plans: readonly CallPlan[],
  later: (ms: number, work: () => void) => void,
): (string | null)[] {
  const startMs = engine.clock.now();
  const ids: (string | null)[] = plans.map(() => null);
  for (const [i, { visibleS, endedS = visibleS - settleS }] of plans.entries()) {
    const ring = () => {
      const startedAt = new Date(startMs + (endedS - callS) * 1_000).toISOString();
      ids[i] = engine.ringCall(undefined, { startedAt, durationS: callS, from: `+1556${i}` }).id;
    };
    if (visibleS > 0 && endedS < visibleS - settleS) later(visibleS * 1_000, ring);
    else ring();
  }
  return ids;
}
