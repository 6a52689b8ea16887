// Lets a telephone ring: a call that starts, runs, ends and settles on the mock's clock. Cites 4.calls.settled-only.
import { parseInstantMs } from '../contract/instants.ts';
import type { Call, NewCall } from '../domain/call.ts';
import type { Organization, World } from '../domain/world.ts';
import type { EngineCore } from './core.ts';

/** Everything may be left out: a call of a minute then starts now and is answered. */
export interface RingOptions {
  readonly direction?: 'inbound' | 'outbound' | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly agent?: string | undefined;
  /** How long the call lasts; 60 when absent. 0 is a call that nobody took. */
  readonly durationS?: number | undefined;
  /** ISO 8601; now when absent. A call may have started in the past, as one that is reported late. */
  readonly startedAt?: string | undefined;
  /** The final outcome; `answered` when absent, `missed` for a call of no duration. */
  readonly outcome?: string | undefined;
  /** The outcome as it looks while the call settles; the final one when absent. */
  readonly provisional?: string | undefined;
}

/** Adds a call to an organization, the first one when none is named, and gives back what is known of it. */
export function ringCall(core: EngineCore, organizationId: string | undefined, options: RingOptions = {}): Call {
  const organization = findOrganization(core.world, organizationId);
  const nowMs = core.world.clock.now();
  const ring = describeRing(options, nowMs);
  const call = organization.calls.place({ id: `call_${core.world.random.hex(16)}`, ...ring }, nowMs);
  core.changeFromOutside({ kind: 'call', organizationId: organization.id, call }, 'calls');
  return call;
}

/** Ends a running call now. */
export function endCall(
  core: EngineCore,
  organizationId: string | undefined,
  { callId, outcome }: { callId: string; outcome?: string | undefined },
): Call | null {
  const organization = findOrganization(core.world, organizationId);
  const call = organization.calls.ended(callId, core.world.clock.now(), outcome);
  if (call) core.changeFromOutside({ kind: 'call', organizationId: organization.id, call }, 'calls');
  return call;
}

/** Throws for an unknown id: the handles of test runners have nobody to answer 404 to. */
function findOrganization({ organizations }: World, id: string | undefined): Organization {
  const found = id === undefined ? organizations.values().next().value : organizations.get(id);
  if (!found)
    throw new RangeError(id === undefined ? 'This world has no organization.' : `There is no organization "${id}".`);
  return found;
}

/** Throws a RangeError that names the option. Start and end are settled here; the clock does the rest. */
function describeRing(options: RingOptions, nowMs: number): Omit<NewCall, 'id'> {
  const { direction = 'inbound', from = '+15550100', to = '+15550199', agent = 'Reception', durationS = 60 } = options;
  const { outcome = durationS === 0 ? 'missed' : 'answered', provisional = outcome } = options;
  const startedAtMs = options.startedAt === undefined ? nowMs : parseInstantMs(options.startedAt);
  if (startedAtMs === null || Math.abs(startedAtMs) > farthestMs)
    throw new RangeError('startedAt has to be an ISO 8601 date-time before the year 10000.');
  if (!(durationS >= 0 && durationS <= durationMaxS))
    throw new RangeError('durationS has to be from 0 to 86400 seconds.');
  const endedAtMs = startedAtMs + Math.round(durationS * 1000);
  return { direction, from, to, agent, startedAtMs, endedAtMs, reportedAtMs: null, provisional, outcome };
}

/** A year of four digits: a call that ended later could not be written down. */
const farthestMs = Date.UTC(9999, 0);

/** A day: a longer call would be a slip of the unit, milliseconds given as seconds. */
const durationMaxS = 86_400;
