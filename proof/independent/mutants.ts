import { articleParameterMutants, articleWalkMutants } from './mutants/articles.ts';
import { blockedMutants } from './mutants/blocked.ts';
import { capMutants } from './mutants/bodies.ts';
import { callChainMutants, callWatchMutants } from './mutants/calls.ts';
import { codeMutants, envelopeMutants } from './mutants/errors.ts';
import { linkInputMutants, textInputMutants } from './mutants/inputs.ts';
import { insightMutants } from './mutants/insights.ts';
import { keyMutants, scopeMutants } from './mutants/keys.ts';
import { addressMutants, keyWindowMutants } from './mutants/limiter.ts';
import { toolInputMutants, toolMutants } from './mutants/mcp.ts';
import { doorMutants } from './mutants/mcp-limits.ts';
import type { IndependentMutant } from './mutants/mutant.ts';
import { accountListMutants, writeOutputMutants } from './mutants/outputs.ts';
import { pathMutants } from './mutants/paths.ts';
import { fieldMutants, lookupMutants } from './mutants/records.ts';
import { reviewFieldMutants, reviewWalkMutants } from './mutants/reviews.ts';
import type { Wrongness } from './seams.ts';

function isOfWindow(clause: string): boolean {
  return clause === '7.envelope.mcp' || clause === '8.key-window-shared';
}

/** By what a client has to do to meet them. */
export const MUTANT_GROUPS = {
  articles: [...articleWalkMutants, ...articleParameterMutants],
  records: [...fieldMutants, ...lookupMutants],
  keys: [...keyMutants, ...scopeMutants],
  bursts: [...addressMutants, ...blockedMutants],
  keyWindow: keyWindowMutants,
  cap: capMutants,
  writes: [...textInputMutants, ...linkInputMutants, ...pathMutants, ...writeOutputMutants],
  accounts: [...accountListMutants, ...reviewWalkMutants, ...reviewFieldMutants, ...insightMutants],
  errors: [...codeMutants, ...envelopeMutants],
  calls: [...callChainMutants, ...callWatchMutants],
  mcp: [...toolInputMutants, ...toolMutants, ...doorMutants.filter(({ breaks }) => !isOfWindow(breaks))],
  mcpBurst: doorMutants.filter(({ breaks }) => isOfWindow(breaks)),
} as const satisfies Readonly<Record<string, readonly IndependentMutant[]>>;

/** Every deliberate wrongness of this server, each of one sentence of the contract. */
export const independentMutants: readonly IndependentMutant[] = Object.values(MUTANT_GROUPS).flat();

export function wrongnessOf(name: string | undefined): Wrongness {
  if (name === undefined) return {};
  const found = independentMutants.find((mutant) => mutant.name === name);
  if (found === undefined) throw new Error(`no wrongness is called ${name}`);
  return found.wrong();
}
