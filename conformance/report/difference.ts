// The comparison of two deployments as data: the only input of the reporters of `conformance diff`.

import { type BehaviorId, behaviors } from '../../src/contract/generated/behaviors.ts';
import type { ClauseId } from '../../src/contract/generated/clauses.ts';
import { count } from '../../src/terminal/count.ts';
import type { Abort, ExitCode, StoredExchange } from './report.ts';

/** Outcomes of a comparison; the last one never counts as the same. */
export const diffOutcomes = ['differs illegally', 'differs legally', 'same', 'not comparable'] as const;
export type DiffOutcome = (typeof diffOutcomes)[number];

/** Results of clauses, laws over several responses, and unspecified behaviors. */
export type Layer = 'result' | 'law' | 'behavior';

/** A or B; B is checked by the side of A. */
export type SideName = 'A' | 'B';

/** One thing in which two deployments may differ. */
export interface Dimension {
  readonly layer: Layer;
  /** A clause or a behavior. */
  readonly id: string;
  readonly about: string;
  readonly clauses: readonly ClauseId[];
  readonly outcome: DiffOutcome;
  /** Summary of each side; null without evidence. */
  readonly a: string | null;
  readonly b: string | null;
  /** Which side breaks the contract; null where none does. */
  readonly fault: SideName | 'both' | null;
  /** Why the comparison is inconclusive, or the exact difference. */
  readonly why: string | null;
  /** How often A, B and A again showed it. */
  readonly times: number;
  /** In how many stored responses each side showed a behavior; null for the other layers. */
  readonly responses: { readonly a: number; readonly b: number } | null;
  /** Exchanges that show it, by the ids of this report. */
  readonly exchanges: readonly string[];
}

/** Legally or not. */
export function isDifferent({ outcome }: Pick<Dimension, 'outcome'>): boolean {
  return outcome === 'differs legally' || outcome === 'differs illegally';
}

export interface DiffSide {
  readonly name: SideName;
  /** As a person would name it: an address, the mock, a profile. */
  readonly label: string;
  readonly target: string;
  readonly requests: number;
  /** Total time of its rounds, without those that sent requests only to the other side. */
  readonly seconds: number;
  /** Whether they passed on a clock that the kit moved. */
  readonly isMockTime: boolean;
  /** Number of rounds, including the repetitions. */
  readonly rounds: number;
}

/** Its schema is published (`casa-kit/diff.schema.json`). It is redacted before anybody sees it. */
export interface Difference {
  readonly tool: string;
  readonly toolVersion: string;
  readonly contractVersion: string;
  readonly runId: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** From start to end, on the clock of this machine. */
  readonly seconds: number;
  readonly a: DiffSide;
  readonly b: DiffSide;
  readonly dimensions: readonly Dimension[];
  /** Of what differs: the exchanges of either side, with ids such as `a1.x3`. */
  readonly exchanges: readonly StoredExchange[];
  readonly abort: Abort | null;
  readonly keepsBodies: boolean;
}

/** The options of a user. */
export interface DiffRules {
  /** Whether legal differences count too; true when absent. */
  readonly isLegalFine?: boolean;
  /** The least share of behaviors that must have been compared. */
  readonly minCompared?: number;
}

/** Without half of the behaviors two deployments have hardly met. */
export const usualMinCompared = 0.5;

/** For `--help`. */
export const diffExitMeanings: Readonly<Record<ExitCode, string>> = {
  0: 'No difference was found',
  1: 'The deployments differ',
  2: 'Invalid flag, file or API key',
  3: 'Too little could be compared, or a violation did not occur again',
  4: 'A deployment could not be reached, the run was stopped, or conformance itself failed',
};

/** Every outcome is there, also with 0. */
export function tallyOf(dimensions: readonly Dimension[]): Record<DiffOutcome, number> {
  const tally = Object.fromEntries(diffOutcomes.map((outcome) => [outcome, 0])) as Record<DiffOutcome, number>;
  for (const { outcome } of dimensions) tally[outcome] += 1;
  return tally;
}

/** Only a write shows the first two. Quantiles and shares differ between any two runs. */
const neverCompared: readonly BehaviorId[] = ['permalink', 'repliedAt', 'latency', 'records'];

/** Behaviors that a read-only run can compare. */
export const comparableBehaviors: ReadonlySet<string> = new Set(
  (Object.keys(behaviors) as BehaviorId[]).filter((id) => !('unseen' in behaviors[id]) && !neverCompared.includes(id)),
);

/** Rejected input shows a class of it without any data, so it says nothing about how much of the data was compared. */
const isOfInput = (id: string) => 'input' in behaviors[id as BehaviorId];

/** Behaviors that were compared, and those that a read-only run could have shown. */
function behaviorsCompared(dimensions: readonly Dimension[]) {
  const shown = ({ layer, id }: Dimension) => layer === 'behavior' && comparableBehaviors.has(id) && !isOfInput(id);
  const comparable = dimensions.filter(shown);
  return { compared: comparable.filter(({ outcome }) => outcome !== 'not comparable').length, of: comparable.length };
}

/** Fewer responses than this may be the same by chance. */
const responsesMin = 3;

/** Behaviors that are the same in so few responses of a side that it may have been chance. */
export function sameByFew(dimensions: readonly Dimension[]): readonly Dimension[] {
  return dimensions.filter(
    ({ outcome, responses }) =>
      outcome === 'same' && responses !== null && Math.min(responses.a, responses.b) < responsesMin,
  );
}

/** One side was seen to break the contract there, and then nothing reported it any more: no success for either. */
export function seenOnce(dimensions: readonly Dimension[]): readonly Dimension[] {
  return dimensions.filter(({ outcome, fault }) => outcome === 'not comparable' && (fault === 'A' || fault === 'B'));
}

/** The result in one sentence, and one number that a pipeline can trust. */
export interface DiffEnding {
  readonly exitCode: ExitCode;
  readonly sentence: string;
  readonly isLegalFine?: boolean;
}

/** A difference outranks what was not looked at: it is proven. */
export function concludeDiff(difference: Difference, rules: DiffRules = {}): DiffEnding {
  return { ...endingOf(difference, rules), isLegalFine: rules.isLegalFine ?? false };
}

function endingOf(
  difference: Difference,
  { isLegalFine = false, minCompared = usualMinCompared }: DiffRules,
): DiffEnding {
  if (difference.abort !== null) return { ...difference.abort };
  const tally = tallyOf(difference.dimensions);
  const [illegal, legal] = [tally['differs illegally'], tally['differs legally']];
  if (illegal > 0) {
    const rest = legal === 0 ? '' : `, and legally in ${legal}`;
    return { exitCode: 1, sentence: `B differs from A illegally in ${things(illegal)}${rest}.` };
  }
  if (legal > 0 && !isLegalFine) return { exitCode: 1, sentence: `B differs from A legally in ${things(legal)}.` };
  const once = seenOnce(difference.dimensions);
  const [violation] = once;
  const more = once.length < 2 ? '' : `; the same applies to ${once.length - 1} more`;
  if (violation !== undefined)
    return {
      exitCode: 3,
      sentence: `${violation.fault} violated the contract once (${violation.id}), but not when requests were repeated${more}.`,
    };
  const { compared, of } = behaviorsCompared(difference.dimensions);
  if (compared < minCompared * of || tally.same === 0)
    return { exitCode: 3, sentence: `Too little could be compared: ${compared} of ${of} behaviors.` };
  const all = `A and B are the same in all ${things(tally.same)} that could be compared.`;
  const some = `A and B are the same in ${things(tally.same)}, and differ legally in ${legal}.`;
  return { exitCode: 0, sentence: legal === 0 ? all : some };
}

function things(number: number): string {
  return count(number, 'detail');
}
