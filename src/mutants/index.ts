// All mutants, and how to put one into an engine.

import { unique } from '../contract/unique.ts';
import type { LimitSettings } from '../domain/limits.ts';
import type { Engine } from '../engine/engine.ts';
import type { CoreRequest } from '../http/message.ts';
import { jsonMutants } from './01-json.ts';
import { mcpDoorMutants } from './01-mcp-door.ts';
import { fieldMutants } from './02-fields.ts';
import { inputMutants } from './02-inputs.ts';
import { accountMutants } from './04-accounts.ts';
import { articleByIdMutants } from './04-article-by-id.ts';
import { articleMutants } from './04-articles.ts';
import { callChainMutants } from './04-call-chain.ts';
import { callMutants } from './04-calls.ts';
import { insightMutants } from './04-insights.ts';
import { keywordMutants } from './04-keywords.ts';
import { linkMutants } from './04-links.ts';
import { mcpCallMutants } from './04-mcp-calls.ts';
import { mcpListMutants } from './04-mcp-lists.ts';
import { mcpTextMutants } from './04-mcp-texts.ts';
import { postMutants } from './04-posts.ts';
import { replyMutants } from './04-replies.ts';
import { reviewMutants } from './04-reviews.ts';
import { siteMutants } from './04-sites.ts';
import { authenticationMutants } from './05-authentication.ts';
import { isolationMutants } from './05-isolation.ts';
import { betweenRequestsMutants } from './07-between-requests.ts';
import { codeMutants } from './07-codes.ts';
import { envelopeMutants } from './07-envelopes.ts';
import { oddInputMutants } from './07-odd-inputs.ts';
import { addressLimiterMutants } from './08-address-limiter.ts';
import { bodyCapMutants } from './08-body-cap.ts';
import { keyLimiterMutants } from './08-key-limiter.ts';
import { mcpImportMutants } from './08-mcp-imports.ts';
import { mcpLimitMutants } from './08-mcp-limits.ts';
import { rateHeaderMutants } from './08-rate-headers.ts';
import { type Act, actOf, type Passed } from './hooks/act.ts';
import { answerAs } from './hooks/answer-as.ts';
import type { Handle, HandleMcp, Mutant, MutantContext } from './hooks/mutant.ts';
import { nearestNames } from './hooks/nearest.ts';

export type { Act } from './hooks/act.ts';
export type { Mutant, Need } from './hooks/mutant.ts';

/** In the order of the contract's sections. */
const all: readonly Mutant[] = [
  ...fieldMutants,
  ...inputMutants,
  ...articleMutants,
  ...articleByIdMutants,
  ...siteMutants,
  ...keywordMutants,
  ...accountMutants,
  ...linkMutants,
  ...postMutants,
  ...reviewMutants,
  ...replyMutants,
  ...insightMutants,
  ...callMutants,
  ...callChainMutants,
  ...authenticationMutants,
  ...isolationMutants,
  ...envelopeMutants,
  ...codeMutants,
  ...oddInputMutants,
  ...betweenRequestsMutants,
  ...addressLimiterMutants,
  ...keyLimiterMutants,
  ...rateHeaderMutants,
  ...jsonMutants,
  ...bodyCapMutants,
  ...mcpDoorMutants,
  ...mcpListMutants,
  ...mcpTextMutants,
  ...mcpImportMutants,
  ...mcpCallMutants,
  ...mcpLimitMutants,
];

export const mutants = unique('mutants', all, ({ name }) => name);

const byName = new Map(mutants.map((mutant) => [mutant.name, mutant]));

/** Undefined for a name that there is not; `mutantNamed` says which may have been meant. */
export function findMutant(name: string): Mutant | undefined {
  return byName.get(name);
}

/** The mutant of that name; a `RangeError` whose message says what may have been meant when there is none. */
export function mutantNamed(name: string): Mutant {
  const found = findMutant(name);
  if (found) return found;
  const near = nearestNames(name, [...byName.keys()]);
  const hint = near.length > 0 ? ` Did you mean ${near.map((known) => `"${known}"`).join(' or ')}?` : '';
  throw new RangeError(`There is no mutant "${name}".${hint} There are ${mutants.length}: casa mutants lists them.`);
}

/**
 * The same engine, wrong in one fact: its `handle` or its `handleMcp` is wrapped, everything else is shared. `onAct` is
 * told of each exchange in which the mutant changed something.
 */
export function mutate(engine: Engine, mutant: Mutant, onAct?: (act: Act) => void): Engine {
  const { world, limits } = engine;
  const configure = () => {
    const wished = mutant.options?.limits;
    if (wished) limits.configure(mergeLimits(limits.settings(), wished));
  };
  configure();
  // A reset goes back to the limits that the engine was started with.
  const next: Handle = (request) => {
    const response = engine.handle(request);
    if (request.path === '/__admin/reset') configure();
    return response;
  };
  const reset = () => {
    engine.reset();
    configure();
  };
  const context: MutantContext = {
    ...{ world, limits, nowMs: () => world.clock.now() },
    answerAs: (organization, request) => answerAs(world, organization, request),
  };
  const wrap = (inner: Handle) => mutant.wrap?.(inner, context) ?? inner;
  const wrapMcp = (inner: HandleMcp) => mutant.wrapMcp?.(inner, context) ?? inner;
  return {
    ...engine,
    get readings() {
      return engine.readings;
    },
    handle: onAct ? watched(wrap, next, onAct) : wrap(next),
    handleMcp: onAct ? watchedMcp(wrapMcp, engine.handleMcp, onAct) : wrapMcp(engine.handleMcp),
    reset,
  };
}

/** One request at a time: this side of the engine never waits, so one variable is enough. */
function watched(wrap: (inner: Handle) => Handle, next: Handle, onAct: (act: Act) => void): Handle {
  let inner: Passed | null = null;
  const handle = wrap((request) => {
    const response = next(request);
    inner = { request, response };
    return response;
  });
  return (request) => {
    inner = null;
    const response = handle(request);
    const act = actOf({ request, response }, inner);
    if (act) onAct(act);
    return response;
  };
}

/** Marks a request and whatever it is changed into: at this door several may be under way. */
const passage = Symbol('passage');

/** As `watched`, but the wrapper may be in several requests at once. */
function watchedMcp(wrap: (inner: HandleMcp) => HandleMcp, next: HandleMcp, onAct: (act: Act) => void): HandleMcp {
  const handle = wrap(async (request: CoreRequest & { [passage]?: { inner: Passed | null } }) => {
    const response = await next(request);
    if (request[passage]) request[passage].inner = { request, response };
    return response;
  });
  return async (request) => {
    const passed: { inner: Passed | null } = { inner: null };
    const marked = { ...request, [passage]: passed };
    const response = await handle(marked);
    const act = actOf({ request: marked, response }, passed.inner);
    if (act) onAct(act);
    return response;
  };
}

/** Only what is wished changes; the user's own settings of the rest stay. */
function mergeLimits(
  settings: LimitSettings,
  wished: NonNullable<NonNullable<Mutant['options']>['limits']>,
): LimitSettings {
  return {
    ...settings,
    address: { ...settings.address, ...wished.address },
    key: { ...settings.key, ...wished.key },
  };
}
