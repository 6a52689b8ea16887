// behaviors.yaml -> the table of behaviors and their types. Each row has a separate type, to make a behavior without an
// observer or an implementation fail to compile.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Contract } from './document.ts';

const kinds = ['behavior', 'form', 'shape', 'order', 'size', 'rate', 'timing'] as const;

const aspects = ['shape', 'rejections', 'order', 'effects', 'limits', 'time'] as const;
const groups = ['all', 'tool', 'write'] as const;

export interface BehaviorSource {
  readonly about: string;
  readonly interpretation: string;
  readonly clauses: readonly string[];
  readonly kind: (typeof kinds)[number];
  readonly input?: { readonly class: string };
  readonly fields?: readonly string[];
  readonly aspect?: string;
  /** A list, or the word for one. */
  readonly operations?: readonly string[] | string;
  readonly values?: readonly string[];
  readonly default?: string | number;
  readonly range?: readonly [number, number];
  /** Values that is inconclusive from outside, each with its reason. */
  readonly blind?: Readonly<Record<string, string>>;
  readonly seen?: string;
  readonly unseen?: string;
  readonly plays?: string;
  readonly unplayed?: string;
  readonly variants: readonly string[];
}

/** The whole file: rows, and what differs without being a behavior. */
export interface BehaviorsSource {
  readonly rows: ReadonlyMap<string, BehaviorSource>;
  /** Details that no behavior covers. */
  readonly assumed: Readonly<Record<string, BehaviorSource>>;
  readonly notBehaviors: Readonly<Record<string, string>>;
  /** The variations of grease that are not behaviors, each with its reason. */
  readonly chance: Readonly<Record<string, string>>;
}

/**
 * Throws for a row that names no clause, no interpretation, or says both or neither of seen and unseen, plays and
 * unplayed.
 */
export function readBehaviors(
  specFolder: URL,
  contract: Pick<Contract, 'clauses' | 'interpretations'>,
): BehaviorsSource {
  const file = parse(readFileSync(new URL('behaviors.yaml', specFolder), 'utf8'), { merge: true });
  type Lists = Omit<BehaviorsSource, 'rows'>;
  const { assumed, notBehaviors, chance, ...rest } = file as Lists & Record<string, never>;
  const rows = Object.entries(rest as Record<string, BehaviorSource>);
  const known = new Set(contract.clauses.map(({ id }) => id));
  for (const [id, row] of rows) {
    const wrong = row.clauses.find((clause) => !known.has(clause));
    const isTold = (row.seen === undefined) !== (row.unseen === undefined);
    const isPlayed = (row.plays === undefined) !== (row.unplayed === undefined);
    if (wrong !== undefined) throw new Error(`behaviors.yaml: ${id} names ${wrong}, which is not a clause.`);
    if (contract.interpretations[row.interpretation] === undefined)
      throw new Error(`behaviors.yaml: ${id} names no interpretation.`);
    if (!kinds.includes(row.kind)) throw new Error(`behaviors.yaml: ${id} is of no kind.`);
    if (!isTold || !isPlayed) throw new Error(`behaviors.yaml: ${id} says both or neither of a pair.`);
  }
  return { rows: new Map(rows), assumed, notBehaviors, chance };
}

export function emitBehaviors({ rows, assumed, chance }: BehaviorsSource): string {
  const all = [...rows];
  const table = all.map(([id, row]) => `  ${id}: ${JSON.stringify(rowOf(row))},`);
  const types = all.map(
    ([id, row]) => `  /** ${row.interpretation}: ${row.about}. */\n  readonly ${id}: ${typeOf(row)};`,
  );
  const defaults = all.map(([id, row]) => `  ${id}: ${JSON.stringify(defaultOf(row))},`);
  const idsWith = (has: (row: BehaviorSource) => boolean) =>
    all
      .filter(([, row]) => has(row))
      .map(([id]) => JSON.stringify(id))
      .join(' | ') || 'never';
  return `import type { Quantiles, Shape } from '../shape.ts';
import type { ClauseId } from './clauses.ts';
import type { InterpretationId } from './interpretations.ts';
import type { OperationId } from './operations.ts';

/** The class "unknown" is a UUID that names no record; input-classes.ts finds the others. */
export type InputClass = ${union(all.flatMap(([, { input }]) => input?.class ?? []))};

/** The class of input that a behavior reacts to. */
export interface InputRow {
  readonly operations: readonly OperationId[];
  readonly name: string;
  readonly class: InputClass;
  /** The text that calibration sends. */
  readonly send: string;
  /** The behavior that a mock uses if a profile lacks this one. */
  readonly nearest?: string;
}

/** All operations, those with the tool envelope, or those that write. */
export type OperationGroup = ${union(groups)};

/** A column of the parity card. */
export type Aspect = ${union(aspects)};

/** One dimension in which two deployments may legally differ. */
export interface Behavior {
  readonly about: string;
  readonly interpretation: InterpretationId;
  readonly clauses: readonly ClauseId[];
  readonly kind: ${kinds.map((kind) => `'${kind}'`).join(' | ')};
  readonly input?: InputRow;
  /** The fields of success responses that it changes, as Article.createdAt. */
  readonly fields?: readonly string[];
  /** Its column and rows of the parity card, where the input or the fields do not say them. */
  readonly aspect?: Aspect;
  readonly operations?: readonly OperationId[] | OperationGroup;
  /** The legal values of a behavior, an order or a rate; the default comes first. */
  readonly values?: readonly string[];
  readonly range?: readonly [min: number, max: number];
  /** Values that is inconclusive from outside, each with its reason. */
  readonly blind?: Readonly<Record<string, string>>;
  /** How the kit learns it, or why it cannot. */
  readonly seen?: string;
  readonly unseen?: string;
}

/** A value for each dimension: how one deployment reads what the contract leaves open. */
export interface Behaviors {
${types.join('\n')}
}

export const behaviors = {
${table.join('\n')}
} as const satisfies { readonly [Id in keyof Behaviors]: Behavior };

/** Details that the mock assumes and no behavior covers, in the same form. */
export const assumedDetails: Readonly<
  Record<string, Pick<Behavior, 'about' | 'interpretation' | 'aspect' | 'operations' | 'fields'>>
> = ${JSON.stringify(assumed)};

export type BehaviorId = keyof Behaviors;

/** The behaviors that the kit learns from responses. */
export type SeenId = ${idsWith(({ seen }) => seen !== undefined)};

/** The behaviors that the mock follows. */
export type PlayedId = ${idsWith(({ plays }) => plays !== undefined)};

/** A variation of grease that is not a behavior. */
export type ChanceId = ${union(Object.keys(chance))};

/** The behaviors of the mock by default. */
export const defaultBehaviors: Behaviors = {
${defaults.join('\n')}
};
`;
}

function union(words: readonly string[]): string {
  return [...new Set(words)].map((word) => JSON.stringify(word)).join(' | ');
}

/** The fields of a row in the table, in this order. */
const listed = [
  ...['about', 'interpretation', 'clauses', 'input', 'fields', 'aspect', 'operations', 'kind', 'values', 'range'],
  ...['blind', 'seen', 'unseen'],
] as readonly (keyof BehaviorSource)[];

function rowOf(source: BehaviorSource): object {
  return Object.fromEntries(listed.map((name) => [name, source[name]]));
}

function typeOf({ kind, values = [] }: BehaviorSource): string {
  if (kind === 'form') return 'string';
  if (kind === 'size') return 'number';
  if (kind === 'shape') return 'Shape | null';
  if (kind === 'timing') return 'Quantiles | null';
  return values.map((value) => JSON.stringify(value)).join(' | ');
}

function defaultOf({ kind, values = [], default: preset }: BehaviorSource): string | number | null {
  return kind === 'shape' || kind === 'timing' ? null : (preset ?? values[0] ?? null);
}
