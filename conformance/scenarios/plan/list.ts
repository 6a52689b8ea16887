// The one list of scenarios, best first: a limited run takes those that fit. It is computed from recorded histories
// (`npm run priorities`), and so is the share of known defects that its beginning finds.
import curve from './generated/curve.json' with { type: 'json' };
import list from './generated/list.json' with { type: 'json' };

/** The requests of one minute at the contract's limits. Cites 8.key-window. */
export const requestsPerMinute = 60;

const places: ReadonlyMap<string, number> = new Map(list.map((id, place) => [id, place]));
const placeOf = (id: string) => places.get(id) ?? list.length;

/** Those that are not in the list yet come last. `sent` are those of the last runs: after a minute, others first. */
export function bestFirst<One extends { readonly id: string; readonly cost: { readonly most: number } }>(
  scenarios: readonly One[],
  sent: readonly string[] = [],
): readonly One[] {
  const sorted = scenarios.toSorted((one, other) => placeOf(one.id) - placeOf(other.id));
  let requests = 0;
  const first = sorted.filter(({ cost }) => {
    requests += cost.most;
    return requests <= requestsPerMinute;
  });
  const isLater = (one: One) => !first.includes(one) && sent.includes(one.id);
  return [...sorted.filter((one) => !isLater(one)), ...sorted.filter(isLater)];
}

/** The measured share of the known defects; between two rows in proportion, and null below the first. */
export function shareFound(requests: number): number | null {
  const before = curve.rows.findLast((row) => row.requests <= requests);
  const after = curve.rows.find((row) => row.requests > requests) ?? before;
  if (before === undefined || after === undefined) return null;
  const part = (requests - before.requests) / Math.max(1, after.requests - before.requests);
  return before.found + Math.min(1, part) * (after.found - before.found);
}
