// All mutants, and how to put one into an engine.

import type { BehaviorsSource } from '../contract/profile.ts';
import { unique } from '../contract/words.ts';
import { applyWorldChange } from '../domain/change.ts';
import type { LimitSettings, Limits } from '../domain/limits.ts';
import type { Organization, World } from '../domain/world.ts';
import type { AnyHandler } from '../http/handler.ts';
import { handlers } from '../http/handlers.ts';
import { readInput } from '../http/input.ts';
import { bodyText, type CoreRequest, type CoreResponse } from '../http/message.ts';
import { route } from '../http/route.ts';
import { didYouMean } from '../terminal/suggestion.ts';
import { fieldMutants, inputMutants } from './02-fields.ts';
import { accountMutants, linkMutants } from './04-accounts.ts';
import { articleMutants } from './04-articles.ts';
import { articleByIdMutants } from './04-articles-by-id.ts';
import { callChainMutants } from './04-call-chain.ts';
import { callMutants } from './04-calls.ts';
import { idMutants } from './04-ids.ts';
import { mcpCallMutants, mcpListMutants, mcpTextMutants } from './04-mcp-tools.ts';
import { postMutants } from './04-posts.ts';
import { replyMutants } from './04-replies.ts';
import { insightMutants, reviewMutants } from './04-reviews.ts';
import { keywordMutants, siteMutants } from './04-sites.ts';
import { authenticationMutants } from './05-authentication.ts';
import { isolationMutants } from './05-isolation.ts';
import { betweenRequestsMutants } from './07-between-requests.ts';
import { codeMutants, envelopeMutants, jsonMutants, oddInputMutants } from './07-codes.ts';
import { instanceMutants } from './07-instances.ts';
import { addressLimiterMutants, bodyCapMutants, keyLimiterMutants, rateHeaderMutants } from './08-limiters.ts';
import { mcpImportMutants, mcpLimitMutants, mcpProtocolMutants } from './08-mcp-limits.ts';
import type { Handle, HandleMcp, Mutant, MutantContext } from './hooks/mutant.ts';
import { type Json, readJson } from './hooks/rewrite.ts';

export type { Mutant, Need } from './hooks/mutant.ts';

/** In the order of the contract's sections. */
const all: readonly Mutant[] = [
  ...fieldMutants,
  ...inputMutants,
  ...articleMutants,
  ...articleByIdMutants,
  ...idMutants,
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
  ...instanceMutants,
  ...addressLimiterMutants,
  ...keyLimiterMutants,
  ...rateHeaderMutants,
  ...jsonMutants,
  ...bodyCapMutants,
  ...mcpProtocolMutants,
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

/** Returns the mutant of that name. Throws a `RangeError` with a suggestion for an unknown one. */
export function mutantNamed(name: string): Mutant {
  const found = findMutant(name);
  if (found) return found;
  const hint = didYouMean(name, [...byName.keys()]);
  throw new RangeError(
    `There is no mutant "${name}".${hint} There are ${mutants.length}: npx casa mutants lists them.`,
  );
}

/** The part of an engine that a mutant changes or looks at. */
interface Mutable {
  readonly world: World;
  readonly limits: Limits;
  readonly behaviors: BehaviorsSource;
  handle: Handle;
  handleMcp: HandleMcp;
  reset(): void;
}

/**
 * The same engine, wrong in one fact: its `handle` or its `handleMcp` is wrapped, everything else is shared. `onAct` is
 * reported each exchange in which the mutant changed something.
 */
export function mutate<E extends Mutable>(engine: E, mutant: Mutant, onAct?: (act: Act) => void): E {
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
    responseAs: (organization, request) => responseAs(world, organization, request),
  };
  const wrap = (inner: Handle) => mutant.wrap?.(inner, context) ?? inner;
  const wrapMcp = (inner: HandleMcp) => mutant.wrapMcp?.(inner, context) ?? inner;
  return {
    ...engine,
    get behaviors() {
      return engine.behaviors;
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

/** Marks a request and its changed copies, because several can be open at once. */
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

/** null for a rejected request. Nothing is counted against a limit. */
export function responseAs(world: World, organization: Organization, request: CoreRequest): Json | null {
  const match = route(request.method, request.path);
  if (typeof match === 'string') return null;
  const input = readInput(match, request, world.behavior);
  if (!input.ok) return null;
  const handler = handlers[match.operation.id] as AnyHandler;
  const nowMs = world.clock.now();
  const outcome = handler(input.value, { world, organization, nowMs, origin: request.origin });
  if (!outcome.ok) return null;
  const { output, change } = outcome.value;
  if (change) applyWorldChange(world, change);
  return readJson(JSON.stringify(output)) ?? null;
}

// The effect of a mutant on one exchange, for observers: the request log has only the mock's own requests and
// responses.

/** One exchange that a mutant changed, so a user can distinguish it from the mock's behavior. */
export interface Act {
  /**
   * `request`: the mock was given another one than was sent. `response`: its response was changed, or it was not asked
   * at all.
   */
  readonly what: 'request' | 'response';
  /** Status of the mock's own response; null when it was not asked. */
  readonly ownStatus: number | null;
  readonly status: number;
}

interface Passed {
  readonly request: CoreRequest;
  readonly response: CoreResponse;
}

/** Compares an exchange of a mutant with the last exchange of the wrapped mock; null when both are the same. */
export function actOf(outer: Passed, inner: Passed | null): Act | null {
  const { status } = outer.response;
  if (inner === null) return { what: 'response', ownStatus: null, status };
  const ownStatus = inner.response.status;
  if (!isSameResponse(outer.response, inner.response)) return { what: 'response', ownStatus, status };
  return isSameRequest(outer.request, inner.request) ? null : { what: 'request', ownStatus, status };
}

/** By content: many wrappers make a new object and change nothing in it. */
function isSameResponse(a: CoreResponse, b: CoreResponse): boolean {
  return (
    a === b ||
    (a.status === b.status &&
      a.network === b.network &&
      isSameRecord(a.headers, b.headers) &&
      bodyText(a) === bodyText(b))
  );
}

function isSameRequest(a: CoreRequest, b: CoreRequest): boolean {
  const target = ({ method, path, query, peer }: CoreRequest) => [method, path, query, peer].join(' ');
  return a === b || (target(a) === target(b) && isSameRecord(a.headers, b.headers) && textOf(a) === textOf(b));
}

function isSameRecord(a: Readonly<Record<string, string | undefined>>, b: typeof a): boolean {
  return [...Object.keys(a), ...Object.keys(b)].every((name) => a[name] === b[name]);
}

function textOf({ body }: CoreRequest): string | null {
  return body === null ? null : bodyText({ body });
}
