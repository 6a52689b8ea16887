// Mutants as rows, grouped by the clause that they break.
import type { ClauseId } from '../../contract/generated/clauses.ts';
import type { Mutant, Need, Wrap, WrapMcp } from './mutant.ts';

/** What a row may say beyond its sentence and its wrap. */
type Terms = Pick<Mutant, 'needs' | 'world' | 'verdict' | 'options'>;

/** The sentence that says what is seen, the wrap (none where the engine's own options suffice), and the rest. */
type Row<How> = readonly [shows: string, how: How, terms?: Terms];
/** The clause ids are checked by the compiler, so a mutant cannot claim to break what there is not. */
type Rows<How> = { readonly [Clause in ClauseId]?: { readonly [name: string]: Row<How> } };

/** Mutants of the API, in the order of the rows. */
export function mutantsOf(rows: Rows<Wrap | Terms>): readonly Mutant[] {
  return flat(rows, (how) => (typeof how === 'function' ? { wrap: how } : how));
}

/** Mutants that an observer sees only when it is given the same thing; a row can state a need of its own. */
export function mutantsNeeding(needs: Need, rows: Rows<Wrap | Terms>): readonly Mutant[] {
  return mutantsOf(rows).map((mutant) => ({ needs, ...mutant }));
}

/** Mutants of the MCP door. */
export function mcpMutantsOf(rows: Rows<WrapMcp>): readonly Mutant[] {
  return flat(rows, (wrapMcp) => ({ wrapMcp }));
}

/** Mutants of the MCP door that an observer sees only when he is given the same thing. */
export function mcpMutantsNeeding(needs: Need, rows: Rows<WrapMcp>): readonly Mutant[] {
  return mcpMutantsOf(rows).map((mutant) => ({ needs, ...mutant }));
}

function flat<How>(rows: Rows<How>, partsOf: (how: How) => Partial<Mutant>): Mutant[] {
  const clauses = Object.keys(rows) as ClauseId[];
  return clauses.flatMap((breaks) =>
    Object.entries(rows[breaks] ?? {}).map(([name, [shows, how, terms]]) => ({
      ...{ name, breaks, shows },
      ...partsOf(how),
      ...terms,
    })),
  );
}
