// The state of the playground, which its URL contains: `?world=empty&mutant=articles-never-end&fault=listSites%3D503`.
import type { Fault } from '../../src/admin/client/responses.ts';

export interface PlaygroundState {
  readonly view: 'dashboard' | 'reference' | 'report';
  /** A built-in world; `default` when absent. */
  readonly world: string | undefined;
  /** The contract violation of the mock, by its name in `casa mutants`. */
  readonly mutant: string | undefined;
  /** Whether the mock enforces the rate limits of the contract. */
  readonly limits: boolean;
  /** Faults as `casa mock --fault` takes them. */
  readonly faults: readonly string[];
}

/** Reads the query of a URL. Unknown views mean the dashboard. */
export function readState(search: string): PlaygroundState {
  const query = new URLSearchParams(search);
  const view = query.get('view');
  return {
    view: view === 'reference' || view === 'report' ? view : 'dashboard',
    world: query.get('world') ?? undefined,
    mutant: query.get('mutant') ?? undefined,
    limits: query.get('limits') !== 'off',
    faults: query.getAll('fault'),
  };
}

/** Returns the query of a URL, without defaults. */
export function writeState({ view, world, mutant, limits, faults }: PlaygroundState): string {
  const query = new URLSearchParams();
  if (view !== 'dashboard') query.set('view', view);
  if (world) query.set('world', world);
  if (mutant) query.set('mutant', mutant);
  if (!limits) query.set('limits', 'off');
  for (const fault of faults) query.append('fault', fault);
  return query.size === 0 ? '' : `?${query}`;
}

/** Returns the rule as one text; null for a rule of one account, key or address. */
export function specOf({ match, error, network, latencyMs, times, probability }: Fault): string | null {
  const { operation = '*', ...others } = match;
  if (Object.keys(others).length > 0) return null;
  const effects = [error, network && `network:${network}`, latencyMs && `latency:${latencyMs}`].filter(Boolean);
  const often = times ? `@${times}x` : probability === undefined ? '' : `@${probability}`;
  return effects.length === 0 ? null : `${operation}=${effects.join('+')}${often}`;
}
