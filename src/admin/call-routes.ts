// Telephone calls: ring one, end one, see all of them as the mock knows them.
import { callsLimit } from '../contract/generated/limits.ts';
import { formatTimestamp } from '../contract/timestamps.ts';
import { type Call, describeCall } from '../domain/call.ts';
import type { Organization } from '../domain/world.ts';
import type { CoreResponse } from '../http/message.ts';
import { organizationShape, ringShape } from './live-routes.ts';
import { type AdminCall, fail, reply, withBody, withQuery } from './reply.ts';
import { optional, type Shaped, text } from './shape.ts';

/** The log as the mock knows it, with calls that no poller may see yet: a test wants to know the future responses. */
export const listCalls = (call: AdminCall) =>
  withQuery(call.request, organizationShape, (input) =>
    inOrganization(call, input, (organization) => {
      const { id, calls } = organization;
      const page = calls.snapshot({ limit: callsLimit.max, nowMs: call.engine.clock.now(), unsettled: true });
      const described = page.calls.map((record) => describeWay(calls.get(record.id) as Call, organization, call));
      return reply({ organizationId: id, nextCursor: page.nextCursor, calls: described });
    }),
  );

/** The call settles on the mock's clock: advance it by six minutes to see the call as pollers do. */
export const ringCall = (call: AdminCall) =>
  withBody(call.request, ringShape, ({ organizationId, key, startedAt, ...input }) =>
    inOrganization(call, { organizationId, key }, ({ id }) => {
      const start = startedAt === undefined ? {} : { startedAt: new Date(startedAt).toISOString() };
      const rung = call.engine.ringCall(id, { ...input, ...start });
      return reply({ organizationId: id, call: describeWay(rung, { id }, call) }, 201);
    }),
  );

/** Only a call that is running can be ended; one that is over has its outcome for good. Cites 3.call.final-outcome. */
export const endCall = (call: AdminCall) =>
  withBody(call.request, { ...organizationShape, outcome: optional(text(50)) }, ({ outcome, ...input }) =>
    inOrganization(call, input, ({ id }) => {
      const ended = call.engine.endCall(id, call.path.id ?? '', outcome);
      if (!ended) return fail(404, `No call "${call.path.id}" is running in organization ${id}.`);
      return reply({ organizationId: id, call: describeWay(ended, { id }, call) });
    }),
  );

/** A call as a client sees it, with its end, its visibility to pollers, and when one received it. */
export function describeWay(call: Call, { id }: Pick<Organization, 'id'>, { engine }: AdminCall) {
  const delivery = engine.deliveries.of(id, call.id);
  return {
    ...describeCall(call, engine.clock.now()),
    endsAt: formatTimestamp(call.endedAtMs),
    visibleAt: formatTimestamp(call.visibleAtMs),
    deliveredAt: delivery && formatTimestamp(delivery.atMs),
    deliveredBy: delivery?.requestId ?? null,
  };
}

/** The organization named by id or by key; the first one when none is named. */
function inOrganization(
  { engine: { world } }: AdminCall,
  { organizationId, key }: Shaped<typeof organizationShape>,
  use: (organization: Organization) => CoreResponse,
): CoreResponse {
  if (organizationId !== undefined) {
    const organization = world.organizations.get(organizationId);
    return organization ? use(organization) : fail(400, `organizationId names no organization: "${organizationId}".`);
  }
  if (key !== undefined) {
    const entry = world.keys.get(key);
    return entry ? use(entry.organization) : fail(400, 'key is not an API key of this mock.');
  }
  const [first] = world.organizations.values();
  return first ? use(first) : fail(400, 'This world has no organization; make one with POST /__admin/organizations.');
}
