import type { VariantName } from '../named.ts';
import type { Wrongness } from '../seams.ts';

/**
 * What a client must have, or be allowed to do, to see a mutant: nothing beyond a good key; permission to write; bursts
 * that draw the limiter from one address; several source addresses; a key of another organization; a revoked key; calls
 * that end, and minutes that pass, while it looks.
 */
export type Need =
  | 'nothing'
  | 'writes'
  | 'bursts'
  | 'addresses'
  | 'second-key'
  | 'second-key and writes'
  | 'revoked-key'
  | 'watch';

/** A row of the lists in this folder. */
interface MutantRow {
  /** How a client can see it. */
  shows: string;
  /** `nothing` unless said. */
  needs?: Need;
  /** The variant of the server that shows it: `plain` unless said. */
  variant?: VariantName;
  /** The most that the rulings let a suite conclude, where that is less than a failure. */
  verdict?: 'warn';
  /** Made anew for each server, so that a wrongness may remember things. */
  wrong: () => Wrongness;
}

/** Rows by the id of the clause that they break, and by the name of the mutant. */
export type MutantsByClause = Readonly<Record<string, Readonly<Record<string, MutantRow>>>>;

/** The independent server with one sentence of the contract broken. */
export interface IndependentMutant extends Required<Omit<MutantRow, 'verdict'>>, Pick<MutantRow, 'verdict'> {
  name: string;
  breaks: string;
}

export function mutantsIn(byClause: MutantsByClause): readonly IndependentMutant[] {
  return Object.entries(byClause).flatMap(([breaks, rows]) =>
    Object.entries(rows).map(([name, row]) => ({ needs: 'nothing', variant: 'plain', ...row, name, breaks }) as const),
  );
}
