// The composition root: combines the core, the gateway and the admin API into one engine.
import { createControlPlane } from '../admin/control-plane.ts';
import { styleOrganization } from '../domain/style-world.ts';
import type { Organization } from '../domain/world.ts';
import { EngineCore } from '../engine/core.ts';
import type { Engine } from '../engine/engine.ts';
import type { EngineOptions } from '../engine/engine-options.ts';
import {
  addReview,
  changeAccount,
  changePayment,
  endCall,
  publishArticle,
  putArticle,
  ringCall,
} from '../engine/live-records.ts';
import { makeOrganization, type OrganizationOptions } from '../engine/organization.ts';
import { withChosenOrganizations } from './chosen-organization.ts';
import { createGateway } from './gateway.ts';

export function createEngine(options: EngineOptions): Engine {
  const core = new EngineCore(options);
  const gateway = createGateway(core, options, (request) => control(request));
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
    toWrite: () => core.toWrite(),
    restore: (snapshot, { clock = 'back' } = {}) => core.restore(snapshot, clock),
    checkpoint: () => core.checkpoint(),
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
  const control = createControlPlane(engine, options);
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
