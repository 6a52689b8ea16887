// All mutants of this server, by the section of the contract.
import { mcpDoorMutants } from './mutants/01-mcp-door.ts';
import { accountMutants } from './mutants/04-accounts.ts';
import { articlePageMutants } from './mutants/04-article-pages.ts';
import { articleMutants } from './mutants/04-articles.ts';
import { callMutants } from './mutants/04-calls.ts';
import { insightMutants } from './mutants/04-insights.ts';
import { keywordMutants } from './mutants/04-keywords.ts';
import { linkMutants, linkTextMutants } from './mutants/04-links.ts';
import { mcpListMutants } from './mutants/04-mcp-lists.ts';
import { mcpTextMutants } from './mutants/04-mcp-texts.ts';
import { oddInputMutants } from './mutants/04-odd-inputs.ts';
import { postMutants, postTextMutants } from './mutants/04-posts.ts';
import { replyMutants, replyTextMutants } from './mutants/04-replies.ts';
import { reviewMutants } from './mutants/04-reviews.ts';
import { secondOnesMutants } from './mutants/04-second-ones.ts';
import { siteMutants } from './mutants/04-sites.ts';
import { authenticationMutants } from './mutants/05-authentication.ts';
import { isolationMutants } from './mutants/05-isolation.ts';
import { isolationTurnMutants } from './mutants/05-isolation-turns.ts';
import { clientScriptMutants } from './mutants/06-client-script.ts';
import { afterRefusalMutants } from './mutants/07-after-refusals.ts';
import { codeMutants } from './mutants/07-codes.ts';
import { envelopeMutants } from './mutants/07-envelopes.ts';
import { oneTruthMutants } from './mutants/07-one-truth.ts';
import { traceMutants } from './mutants/07-traces.ts';
import { addressLimiterMutants } from './mutants/08-address-limiter.ts';
import { bodyCapMutants } from './mutants/08-body-cap.ts';
import { keyLimiterMutants } from './mutants/08-key-limiter.ts';
import { mcpImportMutants } from './mutants/08-mcp-imports.ts';
import { mcpLimitMutants } from './mutants/08-mcp-limits.ts';
import { otherLimiterMutants } from './mutants/08-other-limiters.ts';
import { type IndependentMutant, mutantsIn } from './mutants/mutant.ts';
import type { Wrongness } from './seams.ts';

/** Every deliberate wrongness of this server, each of one sentence of the contract. */
export const independentMutants: readonly IndependentMutant[] = [
  mcpDoorMutants,
  accountMutants,
  articlePageMutants,
  articleMutants,
  callMutants,
  insightMutants,
  keywordMutants,
  linkMutants,
  linkTextMutants,
  mcpListMutants,
  mcpTextMutants,
  oddInputMutants,
  postMutants,
  postTextMutants,
  replyMutants,
  replyTextMutants,
  reviewMutants,
  siteMutants,
  secondOnesMutants,
  authenticationMutants,
  isolationMutants,
  isolationTurnMutants,
  clientScriptMutants,
  codeMutants,
  envelopeMutants,
  oneTruthMutants,
  afterRefusalMutants,
  traceMutants,
  addressLimiterMutants,
  otherLimiterMutants,
  bodyCapMutants,
  keyLimiterMutants,
  mcpImportMutants,
  mcpLimitMutants,
].flatMap(mutantsIn);

/** Throws for a name that nobody has: a test against a faithful server would pass by mistake. */
export function wrongnessOf(name: string | undefined): Wrongness {
  if (name === undefined) return {};
  const found = independentMutants.find((mutant) => mutant.name === name);
  if (found === undefined) throw new Error(`no wrongness is called ${name}`);
  return found.wrong();
}
