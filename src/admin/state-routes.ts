// Health, reset, snapshots, limits, violations and the end.
import { parityOf } from '../contract/parity.ts';
import { formatTimestamp } from '../contract/timestamps.ts';
import type { Bucket } from '../domain/limits.ts';
import type { KeptSnapshot } from '../engine/kept-snapshots.ts';
import { organizationWorlds } from '../engine/organization.ts';
import { redactCutKeys, redactKey } from '../engine/redaction.ts';
import type { CoreResponse } from '../http/message.ts';
import { describeClock } from './clock-routes.ts';
import { baseUrl } from './organization-routes.ts';
import { type AdminCall, fail, reply, withBody, withQuery } from './reply.ts';
import { flag, number, object, oneOf, optional, text } from './shape.ts';

/** Of the admin API, for clients in another process. */
export const adminVersion = '1.1.0';

/** Also for scripts that wait until the mock is up. */
export const getHealth = (call: AdminCall) => {
  const { engine, options } = call;
  return reply({
    status: 'ok',
    adminVersion,
    baseUrl: baseUrl(call),
    organizationHeader: options.organizationHeader ?? false,
    profile: options.profile ?? (engine.limits.enforced ? 'contract' : 'relaxed'),
    clock: describeClock(call),
    worlds: organizationWorlds(options.worlds),
    ...settling(engine),
    requests: engine.requestLog.count,
    violations: engine.violations().length,
    forgotten: { ...engine.forgotten(), streams: call.streams.dropped, histories: call.snapshots.dropped },
    ...options.health?.(),
  });
};

/** The log of every organization has the same; a world without one has none. */
function settling({ world }: AdminCall['engine']): { settleS?: number } {
  const [first] = world.organizations.values();
  return first ? { settleS: first.calls.settleMs / 1000 } : {};
}

export const getParity = ({ engine }: AdminCall) => reply(parityOf(engine.behaviors.learnt));

/** Responses with the health, so a script sees the new clock. */
export const resetAll = (call: AdminCall) => {
  call.engine.reset();
  return getHealth(call);
};

/** Only `casa mock` may be stopped from outside: a mock inside a test belongs to the test. */
export const shutDown = ({ options }: AdminCall) => {
  if (!options.onShutdown) return fail(409, 'Only the program that started this mock can stop it.');
  options.onShutdown();
  return reply({ status: 'stopping' });
};

/** `history`: whether it brings the requests and violations back as well. */
export const describeSnapshot = ({ id, at, historyBytes }: KeptSnapshot) => ({ id, at, history: historyBytes > 0 });

export const listSnapshots = ({ snapshots }: AdminCall) => reply({ snapshots: snapshots.list().map(describeSnapshot) });

/** Kept in the mock and named, so a test comes back to a state without carrying megabytes around. */
export const takeSnapshot = ({ engine, snapshots, request }: AdminCall) =>
  withBody(request, { id: optional(text(100)) }, ({ id }) => {
    const full = snapshots.whyNot(id);
    if (full !== null) return fail(409, full);
    const at = formatTimestamp(engine.clock.now());
    const kept = snapshots.add(engine.snapshot(), { id, at });
    return reply(describeSnapshot(kept), 201);
  });

export const getSnapshot = (call: AdminCall) =>
  withSnapshot(call, (kept) => reply({ ...describeSnapshot(kept), snapshot: kept.snapshot }));

export const removeSnapshot = (call: AdminCall) =>
  withSnapshot(call, ({ id }) => {
    call.snapshots.remove(id);
    return reply({ removed: id });
  });

/** The clock goes back too: otherwise links would have expired and calls settled meanwhile. */
export const restoreSnapshot = (call: AdminCall) =>
  withSnapshot(call, (kept) =>
    withBody(call.request, { clock: optional(oneOf(['back', 'elapsed'])) }, ({ clock = 'back' }) => {
      call.engine.restore(kept.snapshot, { clock });
      return reply({ restored: describeSnapshot(kept), clock: describeClock(call) });
    }),
  );

/** 404 with the way to the list. */
function withSnapshot({ snapshots, path }: AdminCall, use: (kept: KeptSnapshot) => CoreResponse): CoreResponse {
  const kept = snapshots.get(path.id ?? '');
  return kept ? use(kept) : fail(404, `There is no snapshot "${path.id}"; GET /__admin/snapshots lists them.`);
}

export const getLimits = ({ engine }: AdminCall) => reply(engine.limits.settings());

const bucket = object({
  limit: optional(number({ min: 1, max: 1_000_000, whole: true })),
  windowMs: optional(number({ min: 1, max: 86_400_000, whole: true })),
});

/** An absent field changes nothing. */
export const putLimits = (call: AdminCall) =>
  withBody(
    call.request,
    { enforced: optional(flag), address: optional(bucket), key: optional(bucket) },
    ({ enforced, address, key }) => {
      const { limits } = call.engine;
      const now = limits.settings();
      limits.configure({
        enforced: enforced ?? now.enforced,
        address: { limit: address?.limit ?? now.address.limit, windowMs: address?.windowMs ?? now.address.windowMs },
        key: { limit: key?.limit ?? now.key.limit, windowMs: key?.windowMs ?? now.key.windowMs },
      });
      return getLimits(call);
    },
  );

const windowsShown = 50;
/** A gauge needs no more, however high a limit was set. */
const timestampsShown = 100;

/** How full the windows are at this time, the fullest first: each request frees its place a window after it came. */
export const listWindows = ({ engine }: AdminCall) => {
  const nowMs = engine.clock.now();
  const describe = (bucket: Bucket) => {
    const { limit, windowMs } = engine.limits[bucket];
    const windows = engine.limits[bucket].fullest(nowMs, windowsShown).map(({ bucket: name, timestamps }) => ({
      name: bucket === 'key' ? redactKey(name) : redactCutKeys(name),
      used: timestamps.length,
      freesAtMs: timestamps.slice(0, timestampsShown).map((timestamp) => timestamp + windowMs),
    }));
    return { limit, windowMs, windows };
  };
  return reply({ enforced: engine.limits.enforced, nowMs, address: describe('address'), key: describe('key') });
};

/** The last four characters of a key are enough to find it: a reader of a report has no more. */
export const listViolations = ({ engine, request }: AdminCall) =>
  withQuery(request, { rule: optional(text()), key: optional(text()) }, ({ rule, key }) => {
    const found = engine
      .violations()
      .filter((violation) => rule === undefined || violation.rule === rule)
      .filter((violation) => key === undefined || violation.client.key?.slice(-4) === key.slice(-4));
    return reply({ violations: found, total: found.length });
  });

export const clearViolations = ({ engine }: AdminCall) => {
  engine.clearViolations();
  return reply({ violations: [], total: 0 });
};
