// A run that judges an MCP door by itself (`conformance mcp`): the checks and rules that have something to say of it.
import { unique } from '../../src/contract/unique.ts';
import type { Catalogue } from '../plan/selection.ts';
import type { Check, SharedRead } from '../probe/check.ts';

/** The reads that the door itself is asked for, in place of those of the REST service. */
const atDoor: Readonly<Partial<Record<SharedRead, SharedRead>>> = {
  'call gate': 'calls at the door',
  'call log': 'call log at the door',
};

/** What a run is offered to choose from. */
export function catalogueOf({ isAlone }: { readonly isAlone: boolean }, { checks, rules }: Catalogue): Catalogue {
  // A caller may bring checks along, and results go by their ids.
  unique('checks or rules', [...checks, ...rules], ({ id }) => id);
  if (!isAlone) return { checks, rules };
  const others = [...checks.filter((check) => !isOfDoor(check)), ...rules.filter(({ isForMcp }) => !isForMcp)];
  return {
    checks: checks.filter(isOfDoor).map(withoutRest),
    rules: rules.filter(({ isForMcp }) => isForMcp),
    others: others.map(({ id }) => id),
  };
}

/** Whether a check judges the MCP door. */
export function isOfDoor({ needs = [] }: Pick<Check, 'needs'>): boolean {
  return needs.includes('mcp');
}

/** A check counts in the plan with what it sends to this door. */
function withoutRest(check: Check): Check {
  const { uses = [], ...cost } = check.cost;
  return { ...check, cost: { ...cost, uses: uses.flatMap((read) => atDoor[read] ?? []) } };
}
