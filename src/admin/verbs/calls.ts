// Telephone calls: ring one, end one, see all of them as the mock knows them.
import { callsLimit } from '../../contract/generated/limits.ts';
import { formatTimestamp } from '../../contract/timestamps.ts';
import { type Call, describeCall } from '../../domain/call.ts';
import type { Organization } from '../../domain/world.ts';
import type { CoreResponse } from '../../http/message.ts';
import { type AdminCall, fail, reply } from '../reply.ts';
import { number, oneOf, optional, type Shaped, text, timestamp } from '../shape.ts';
import { verb } from '../verb.ts';

const owner = {
  organizationId: optional(text(), 'ID of the organization (default: the first one)'),
  key: optional(text(), 'API key of the organization, instead of its ID'),
} as const;

const outcome = optional(text(50), 'Outcome of the call (default: answered, or missed after 0 seconds)');

export const callVerbs = {
  /** As the mock knows them, with calls that no poller may see yet: a test wants to know the future responses. */
  listAdminCalls: verb(
    'GET /calls',
    'The newest calls of an organization, running ones included.',
    owner,
    (call, input) =>
      inOrganization(call, input, (organization) => {
        const { id, calls } = organization;
        const page = calls.snapshot({ limit: callsLimit.max, nowMs: call.engine.clock.now(), unsettled: true });
        const described = page.calls.map((record) => describeWay(calls.get(record.id) as Call, organization, call));
        return reply({ organizationId: id, nextCursor: page.nextCursor, calls: described });
      }),
  ),
  ringCall: verb(
    'POST /calls',
    'Simulate a call. Starts a call. It appears in the call log five minutes after its end. To see it earlier, advance the clock.',
    {
      ...owner,
      direction: optional(oneOf(['inbound', 'outbound']), 'Direction: inbound (default) or outbound'),
      from: optional(text(50), 'Number of the caller'),
      to: optional(text(50), 'Number that is called'),
      agent: optional(text(100), 'Name of the agent'),
      durationS: optional(number({ min: 0, max: 86_400 }), 'Duration in seconds (default: 60)'),
      startedAt: optional(timestamp, 'Start as an ISO 8601 date-time (default: now)'),
      outcome,
      provisional: optional(text(50), 'Outcome until the call is settled'),
    },
    (call, { organizationId, key, startedAt, ...input }) =>
      inOrganization(call, { organizationId, key }, ({ id }) => {
        const start = startedAt === undefined ? {} : { startedAt: new Date(startedAt).toISOString() };
        const rung = call.engine.ringCall(id, { ...input, ...start });
        return reply({ organizationId: id, call: describeWay(rung, { id }, call) }, 201);
      }),
    { tools: ['ring'] },
  ),
  /** Only a running call can be ended: one that is over has its outcome for good. Cites 3.call.final-outcome. */
  endCall: verb(
    'POST /calls/{id}/end',
    'End a running call now.',
    { ...owner, outcome },
    (call, { outcome, ...input }) =>
      inOrganization(call, input, ({ id }) => {
        const ended = call.engine.endCall(id, call.path.id ?? '', outcome);
        if (!ended) return fail(404, `No call "${call.path.id}" is running in organization ${id}.`);
        return reply({ organizationId: id, call: describeWay(ended, { id }, call) });
      }),
  ),
} as const;

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
  { organizationId, key }: Shaped<typeof owner>,
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
