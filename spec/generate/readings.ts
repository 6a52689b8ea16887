// readings.yaml -> the table of readings and their types. A row that the kit must learn, or the mock must play, is in a
// type of its own: a reading without observer or behaviour does not compile.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Contract } from './document.ts';

const kinds = ['choice', 'form', 'shape', 'order', 'size', 'rate', 'timing'] as const;

/** A row of readings.yaml. */
export interface ReadingSource {
  readonly about: string;
  readonly ruling: string;
  readonly clauses: readonly string[];
  readonly kind: (typeof kinds)[number];
  readonly values?: readonly string[];
  readonly default?: string | number;
  readonly range?: readonly [number, number];
  /** Values that cannot be told from outside, each with its reason. */
  readonly blind?: Readonly<Record<string, string>>;
  readonly seen?: string;
  readonly unseen?: string;
  readonly plays?: string;
  readonly unplayed?: string;
  readonly variants: readonly string[];
}

/** The whole file: rows, and what differs without being a reading. */
export interface ReadingsSource {
  readonly rows: ReadonlyMap<string, ReadingSource>;
  readonly notReadings: Readonly<Record<string, string>>;
  /** What grease varies without a reading, each with its reason. */
  readonly chance: Readonly<Record<string, string>>;
}

/** Throws for a row that names no clause, no ruling, or says both or neither of seen and unseen, plays and unplayed. */
export function readReadings(specFolder: URL, contract: Pick<Contract, 'clauses' | 'rulings'>): ReadingsSource {
  const file = parse(readFileSync(new URL('readings.yaml', specFolder), 'utf8'), { merge: true });
  type Lists = { notReadings: Record<string, string>; chance: Record<string, string> };
  const { notReadings, chance, ...rest } = file as Lists & Record<string, ReadingSource>;
  const rows = Object.entries(rest as Record<string, ReadingSource>);
  const known = new Set(contract.clauses.map(({ id }) => id));
  for (const [id, row] of rows) {
    const wrong = row.clauses.find((clause) => !known.has(clause));
    const isTold = (row.seen === undefined) !== (row.unseen === undefined);
    const isPlayed = (row.plays === undefined) !== (row.unplayed === undefined);
    if (wrong !== undefined) throw new Error(`readings.yaml: ${id} names ${wrong}, which is no clause.`);
    if (contract.rulings[row.ruling] === undefined) throw new Error(`readings.yaml: ${id} names no ruling.`);
    if (!kinds.includes(row.kind)) throw new Error(`readings.yaml: ${id} is of no kind.`);
    if (!isTold || !isPlayed) throw new Error(`readings.yaml: ${id} says both or neither of a pair.`);
  }
  return { rows: new Map(rows), notReadings, chance };
}

/** Source text of generated/readings.ts. */
export function emitReadings({ rows, chance }: ReadingsSource): string {
  const all = [...rows];
  const table = all.map(([id, row]) => `  ${id}: ${JSON.stringify(rowOf(row))},`);
  const types = all.map(([id, row]) => `  /** ${row.ruling}: ${row.about}. */\n  readonly ${id}: ${typeOf(row)};`);
  const defaults = all.map(([id, row]) => `  ${id}: ${JSON.stringify(defaultOf(row))},`);
  const idsWith = (has: (row: ReadingSource) => boolean) =>
    all
      .filter(([, row]) => has(row))
      .map(([id]) => JSON.stringify(id))
      .join(' | ') || 'never';
  return `import type { Quantiles, Shape } from '../shape.ts';
import type { ClauseId } from './clauses.ts';
import type { RulingId } from './rulings.ts';

/** One dimension in which two deployments may legally differ. */
export interface Reading {
  readonly about: string;
  readonly ruling: RulingId;
  readonly clauses: readonly ClauseId[];
  readonly kind: ${kinds.map((kind) => `'${kind}'`).join(' | ')};
  /** The legal values of a choice, an order or a rate; the default comes first. */
  readonly values?: readonly string[];
  readonly range?: readonly [min: number, max: number];
  /** Values that cannot be told from outside, each with its reason. */
  readonly blind?: Readonly<Record<string, string>>;
  /** How the kit learns it, or why it cannot. */
  readonly seen?: string;
  readonly unseen?: string;
}

/** A value for each dimension: how one deployment reads what the contract leaves open. */
export interface Readings {
${types.join('\n')}
}

export const readings = {
${table.join('\n')}
} as const satisfies { readonly [Id in keyof Readings]: Reading };

export type ReadingId = keyof Readings;

/** The readings that the kit learns from answers. */
export type SeenId = ${idsWith(({ seen }) => seen !== undefined)};

/** The readings that the mock follows. */
export type PlayedId = ${idsWith(({ plays }) => plays !== undefined)};

/** What grease varies by chance, although it is no reading. */
export type ChanceId = ${Object.keys(chance)
    .map((id) => JSON.stringify(id))
    .join(' | ')};

/** What the mock does unless told otherwise. */
export const defaultReadings: Readings = {
${defaults.join('\n')}
};
`;
}

function rowOf({ about, ruling, clauses, kind, values, range, blind, seen, unseen }: ReadingSource): object {
  return { about, ruling, clauses, kind, values, range, blind, seen, unseen };
}

function typeOf({ kind, values = [] }: ReadingSource): string {
  if (kind === 'form') return 'string';
  if (kind === 'size') return 'number';
  if (kind === 'shape') return 'Shape | null';
  if (kind === 'timing') return 'Quantiles | null';
  return values.map((value) => JSON.stringify(value)).join(' | ');
}

function defaultOf({ kind, values = [], default: preset }: ReadingSource): string | number | null {
  return kind === 'shape' || kind === 'timing' ? null : (preset ?? values[0] ?? null);
}
