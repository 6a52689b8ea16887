// A mutant is the mock with one deliberate contract violation: a small wrapper around its one function, with the
// violated clause. It violates that clause as stated; behavior that the interpretations allow is not a mutant.
import type { ClauseId } from '../../contract/generated/clauses.ts';
import type { Limits } from '../../domain/limits.ts';
import type { Organization, World } from '../../domain/world.ts';
import type { CoreRequest, CoreResponse } from '../../http/message.ts';
import type { WorldName } from '../../worlds/load.ts';
import type { Json } from './rewrite.ts';

/** A permission or input that an observer needs to see a mutant. */
export type Need =
  | 'nothing'
  | 'writes'
  | 'bursts'
  | 'addresses'
  | 'second-key'
  | 'second-key and writes'
  | 'revoked-key'
  | 'watch';

/**
 * One wrong mock: `options`, `wrap` and `wrapMcp` make it wrong. A wrong limiter needs the first two, since the mock's
 * own is in its way.
 */
export interface Mutant {
  /** In kebab-case; the same fact keeps its name. */
  readonly name: string;
  readonly breaks: ClauseId;
  /** One sentence: the visible effect. */
  readonly shows: string;
  /** `nothing` when absent: reads, and requests that the contract must reject. */
  readonly needs?: Need;
  /** The built-in world in which it shows, where `default` does not show it. */
  readonly world?: WorldName;
  /** The most that the interpretations let a suite conclude, where that is less than a failure. */
  readonly result?: 'warn';
  readonly options?: MutantOptions;
  readonly wrap?: Wrap;
  readonly wrapMcp?: WrapMcp;
}

/** How the engine itself is set up for a mutant, where its own settings suffice. */
export interface MutantOptions {
  readonly limits?: {
    readonly [Bucket in 'address' | 'key']?: { readonly limit?: number; readonly windowMs?: number };
  };
}

/** The mock as a function, and a mutant of it. */
export type Handle = (request: CoreRequest) => CoreResponse;

/** Called once for an engine, so what it remembers belongs to that engine. */
export type Wrap = (next: Handle, context: MutantContext) => Handle;

/** As `Handle`, for the MCP endpoint, which waits. */
export type HandleMcp = (request: CoreRequest) => Promise<CoreResponse>;

export type WrapMcp = (next: HandleMcp, context: MutantContext) => HandleMcp;

export interface MutantContext {
  nowMs(): number;
  readonly world: World;
  readonly limits: Limits;
  /** The body that another organization would get; null for a rejected request. Nothing is counted against a limit. */
  responseAs(organization: Organization, request: CoreRequest): Json | null;
}

type Terms = Pick<Mutant, 'needs' | 'world' | 'result' | 'options' | 'wrap' | 'wrapMcp'>;

/** The sentence that says what is seen, the wrap (none where the engine's own options suffice), and the rest. */
type Row<How> = readonly [shows: string, how: How, terms?: Terms];
/** The clause ids are checked by the compiler, so a mutant cannot claim to break what there is not. */
type Rows<How> = { readonly [Clause in ClauseId]?: { readonly [name: string]: Row<How> } };

/** Mutants of the API, in the order of the rows. */
export function mutantsOf(rows: Rows<Wrap | Terms>): readonly Mutant[] {
  return flat(rows, (how) => (typeof how === 'function' ? { wrap: how } : how));
}

/** Mutants that share a need; a row can override it. */
export function mutantsNeeding(needs: Need, rows: Rows<Wrap | Terms>): readonly Mutant[] {
  return mutantsOf(rows).map((mutant) => ({ needs, ...mutant }));
}

export function mcpMutantsOf(rows: Rows<WrapMcp>): readonly Mutant[] {
  return flat(rows, (wrapMcp) => ({ wrapMcp }));
}

/** Mutants of the MCP endpoint that an observer sees only when he is given the same thing. */
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
