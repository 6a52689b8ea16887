// Reads that several checks share. The first check that needs one sends it.
import type { Check, SharedRead } from '../probe/check.ts';

/** The cost for the first check. */
interface ReadCost {
  /** The maximum number of requests, without those of `uses`. */
  readonly requests: number;
  readonly uses?: readonly SharedRead[];
  /** Sent in every run. */
  readonly isSure?: boolean;
}

const costs: Readonly<Record<SharedRead, ReadCost>> = {
  sites: { requests: 1, isSure: true },
  articles: { requests: 1, isSure: true },
  'articles without limit': { requests: 1 },
  'one article': { requests: 1 },
  accounts: { requests: 1, isSure: true },
  reviews: { requests: 3, uses: ['accounts'] },
  'review pages': { requests: 2, uses: ['reviews'] },
  insights: { requests: 3, uses: ['accounts'] },
  'insights ranges': { requests: 2, uses: ['insights'] },
  'insights without range': { requests: 1, uses: ['insights'] },
  'call row': { requests: 1, isSure: true },
  'call gate': { requests: 1, uses: ['call row'] },
  'call log': { requests: 4, uses: ['call gate'] },
  'call cut': { requests: 2, uses: ['call log'] },
  'calls after the cut': { requests: 1, uses: ['call cut'] },
  'call snapshot': { requests: 1 },
  'calls at the MCP endpoint': { requests: 3 },
  'call log at the MCP endpoint': { requests: 3, uses: ['calls at the MCP endpoint'] },
  'lists of the second key': { requests: 3 },
  'call snapshot of the second key': { requests: 1 },
  'responses without a key': { requests: 2 },
  'responses to an unknown key': { requests: 2 },
  'responses to an unknown key and invalid parameters': { requests: 2 },
};

/** Returns the reads of a check, including their own `uses`. */
export function readsOf({ cost }: Pick<Check, 'cost'>): Set<SharedRead> {
  const reads = new Set<SharedRead>();
  const add = (read: SharedRead) => {
    for (const below of costs[read].uses ?? []) add(below);
    reads.add(read);
  };
  for (const read of cost.uses ?? []) add(read);
  return reads;
}

/** Returns the sum if each read is sent. */
export function mostOfReads(reads: Iterable<SharedRead>): number {
  return [...reads].reduce((total, read) => total + costs[read].requests, 0);
}

/** Returns the requests of reads that every run sends. */
export function leastOfReads(reads: Iterable<SharedRead>): number {
  return [...reads].reduce((total, read) => total + (costs[read].isSure ? costs[read].requests : 0), 0);
}
