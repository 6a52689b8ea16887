// Combines the core, the gateway and the admin API into one engine.
import { styleOrganization } from '../domain/style-world.ts';
import type { Organization, World } from '../domain/world.ts';
import { authenticate, bearerKey } from '../http/caller.ts';
import { type CoreRequest, type CoreResponse, httpDate, mcpPath } from '../http/message.ts';
import { renderComplaint } from '../http/render.ts';
import { basePath } from '../http/route.ts';
import { EngineCore } from './core.ts';
import type { Engine } from './engine.ts';
import type { EngineOptions } from './engine-options.ts';
import { createGateway, type Gateway } from './gateway.ts';
import {
  addReview,
  changeAccount,
  changePayment,
  endCall,
  publishArticle,
  putArticle,
  ringCall,
} from './live-records.ts';
import { makeOrganization, type OrganizationOptions } from './organization.ts';
import { describeWorld } from './snapshot.ts';
import { diffWorlds } from './world-diff.ts';

/** The admin API. It is built on the engine, so whoever starts a mock passes it in. */
export interface AdminApi {
  /** Returns what responds to requests under `adminPath`. */
  connect(engine: Engine, options: EngineOptions): (request: CoreRequest) => CoreResponse;
  /** Returns the rejection of a request that is neither from this machine nor with the token; null for one that is. */
  rejectStranger(request: CoreRequest, options: EngineOptions): CoreResponse | null;
}

export interface CompleteOptions extends EngineOptions {
  /** A mock has no admin API without it. */
  readonly admin?: AdminApi | undefined;
}

export function createEngine(options: CompleteOptions): Engine {
  const core = new EngineCore(options);
  const gateway = createGateway(core, options, options.admin ? (request) => control(request) : null);
  const desk = withChosenOrganizations(gateway, core.world, options);
  const engine: Engine = {
    world: core.world,
    limits: core.limits,
    faults: core.faults,
    requestLog: core.requestLog,
    deliveries: core.deliveries,
    kept: core.kept,
    clock: core.clock,
    get behaviors() {
      return core.behaviors;
    },
    ...desk,
    reset: () => core.reset(),
    snapshot: () => core.snapshot(),
    diff: (before = core.initialWorld(), organizationId) =>
      diffWorlds(before, describeWorld(core.world), organizationId),
    toWrite: () => core.toWrite(),
    restore: (snapshot, { clock = 'back' } = {}) => core.restore(snapshot, clock),
    replay: (entries) => core.replay(entries),
    addOrganization: (wishes) => addFreshOrganization(core, options, wishes),
    changeAccount: (organizationId, accountId, wishes) => changeAccount(core, organizationId, { accountId, wishes }),
    changePayment: (organizationId, payment) => changePayment(core, organizationId, payment),
    addReview: (organizationId, accountId, wishes = {}) => addReview(core, organizationId, { accountId, wishes }),
    putArticle: (organizationId, wishes) => {
      const organization = core.world.organizations.get(organizationId);
      return organization ? putArticle(core, organization, wishes) : null;
    },
    publishArticle: (organizationId, id) => {
      const organization = core.world.organizations.get(organizationId);
      return organization ? publishArticle(core, organization, id) : null;
    },
    ringCall: (organizationId, wishes) => ringCall(core, organizationId, wishes),
    endCall: (organizationId, callId, outcome) => endCall(core, organizationId, { callId, outcome }),
    violations: () => core.judge.violations(),
    clearViolations: () => core.judge.clear(),
    closedConnection: () => {
      core.closedConnections += 1;
    },
    forgotten: () => core.forgotten(),
    subscribe: (listener) => core.subscribe(listener),
  };
  const control = options.admin?.connect(engine, options) ?? engine.handle;
  return engine;
}

export function addFreshOrganization(
  core: EngineCore,
  { data, worlds }: EngineOptions,
  wishes: OrganizationOptions = {},
) {
  const { world } = core;
  const fresh = makeOrganization(wishes, { random: world.random, nowMs: world.clock.now(), start: data, worlds });
  const made = styleOrganization(fresh, world.behavior);
  core.changeFromOutside({ kind: 'organization', organization: made }, 'organizations');
  // It has just been added.
  const organization = world.organizations.get(made.id) as Organization;
  return { organization, keys: made.keys.map(({ key }) => key) };
}

// `--organization-header`: several test workers share one mock and one server of an application. The server sends its
// own key, and forwards a header or a cookie that names the organization of the worker.

/** Gives requests the key of the organization that they name, if the option is on. */
function withChosenOrganizations(gateway: Gateway, world: World, options: CompleteOptions): Gateway {
  if (!options.organizationHeader) return gateway;
  const choose = <Response>(
    request: CoreRequest,
    serve: (chosen: CoreRequest) => Response,
  ): Response | CoreResponse => {
    const chosen = chooseOrganization(request, world, options);
    if (typeof chosen !== 'string') return serve(chosen);
    const { headers, ...rest } = renderComplaint(chosen);
    const response = { ...rest, headers: { ...headers, date: httpDate(world.clock.now()) } };
    gateway.recordRejection(request, response, chosen);
    return response;
  };
  return {
    ...gateway,
    handle: (request) => choose(request, gateway.handle),
    handleMcp: async (request) => choose(request, gateway.handleMcp),
  };
}

/**
 * Returns the request with the key of the organization that it names, or a sentence that says why it cannot have it. A
 * request without a valid key is unchanged, and gets its 401.
 */
function chooseOrganization(request: CoreRequest, world: World, options: CompleteOptions): CoreRequest | string {
  const { headers, path } = request;
  const cookie = () => /(?:^|; *)casa-organization=([^; ]+)/.exec(headers.cookie ?? '')?.[1];
  // The part after a point keeps caches of an application apart: ids are the same in each run.
  const id = (headers['x-casa-organization'] ?? cookie())?.split('.')[0];
  const isApi = path === mcpPath || path.startsWith(`${basePath}/`);
  if (id === undefined || !isApi || !authenticate(bearerKey(headers), world).ok) return request;
  // A page has no more rights with it than with its key.
  const asked = { ...request, headers: { ...headers, origin: undefined, 'sec-fetch-site': undefined } };
  if (options.admin?.rejectStranger(asked, options))
    return 'x-casa-organization needs a request from this machine, or the admin token in x-casa-admin-token.';
  const key = world.organizations.get(id)?.keys.find(({ revoked }) => !revoked)?.key;
  if (key === undefined)
    return `x-casa-organization: there is no organization "${id.slice(0, 100)}". POST /__admin/organizations adds one.`;
  return { ...request, headers: { ...headers, authorization: `Bearer ${key}` } };
}
