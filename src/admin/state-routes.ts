// Health, reset, snapshots, limits, violations and the end.
import { parityOf } from '../contract/parity.ts';
import { formatTimestamp } from '../contract/timestamps.ts';
import type { Bucket } from '../domain/limits.ts';
import { styleWorld } from '../domain/style-world.ts';
import type { WorldData } from '../domain/world-data.ts';
import type { KeptSnapshot } from '../engine/kept-snapshots.ts';
import { organizationWorlds } from '../engine/organization.ts';
import { redactCutKeys, redactKey } from '../engine/redaction.ts';
import type { StoredSnapshot } from '../engine/snapshot.ts';
import type { CoreResponse, Remainder } from '../http/message.ts';
import { count } from '../terminal/count.ts';
import { builtInWorld, readWorld } from '../worlds/load.ts';
import { worldNames } from '../worlds/names.ts';
import { rebase } from '../worlds/rebase.ts';
import { baseUrl } from './organization-routes.ts';
import { type AdminCall, fail, reply, withBody, withQuery } from './reply.ts';
import { duration, flag, number, object, oneOf, optional, type Reader, text, timestamp } from './shape.ts';

/** Of the admin API, for clients in another process. */
export const adminVersion = '2.0.0';

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

// The clock of the mock: it only moves forward, and everything that hangs on time follows at once.

/** Both forms of the timestamp: one to read, one to reckon with. */
export function describeClock({ engine: { clock } }: AdminCall) {
  return { now: formatTimestamp(clock.now()), nowMs: clock.now(), frozen: clock.frozen, scale: clock.scale };
}

export const getClock = (call: AdminCall) => reply(describeClock(call));

/** The response comes when the clock has moved, so a test can continue immediately. */
export const advanceClock = (call: AdminCall) =>
  withBody(call.request, { duration }, (input) => {
    call.engine.clock.advance(input.duration);
    return getClock(call);
  });

export const freezeClock = (call: AdminCall) => {
  call.engine.clock.freeze();
  return getClock(call);
};

export const resumeClock = (call: AdminCall) => {
  call.engine.clock.resume();
  return getClock(call);
};

/** The clock never goes back: otherwise timestamps that clients received would be in its future. */
export const setClock = (call: AdminCall) =>
  withBody(call.request, { time: timestamp }, ({ time }) => {
    const { clock } = call.engine;
    if (time < clock.now()) {
      return fail(400, `time is in the clock's past: it is ${formatTimestamp(clock.now())} and only moves forward.`);
    }
    if (time > timeMaxMs) return fail(400, 'time must be before the year 2200.');
    clock.set(time);
    return getClock(call);
  });

// A clock far ahead is a typing error more often than a wish, and it cannot be set back.
const timeMaxMs = Date.UTC(2200, 0);

/** Up to 100,000 times as fast: a day in a second. */
export const scaleClock = (call: AdminCall) =>
  withBody(call.request, { scale: number({ min: 0.001, max: 100_000 }) }, ({ scale }) => {
    call.engine.clock.setScale(scale);
    return getClock(call);
  });

// Another world under the running mock, and snapshots from a file.

/** Checked by all readers of a world or a snapshot. */
const whatever: Reader<unknown> = (value, name) =>
  value === undefined ? { ok: false, problem: `${name} is missing.` } : { ok: true, value };

/** Loads a built-in world or the world of a file. Clients can then repeat earlier requests without a violation. */
export const putWorld = (call: AdminCall): CoreResponse =>
  withBody(call.request, { world: whatever }, ({ world }) => later(() => replaceWorld(call, world)));

async function replaceWorld(call: AdminCall, wanted: unknown): Promise<CoreResponse> {
  const { engine } = call;
  const found = await findWorld(wanted);
  if ('problem' in found) return fail(400, found.problem);
  const { organizations } = styleWorld(rebase(found.data, engine.clock.now()), engine.world.behavior);
  const { clients: _, deliveries: __, ...kept } = engine.snapshot();
  engine.restore({ ...kept, world: organizations });
  return reply({ organizations: engine.world.organizations.size, clock: describeClock(call) });
}

async function findWorld(wanted: unknown): Promise<{ readonly data: WorldData } | { readonly problem: string }> {
  if (typeof wanted === 'string') {
    const name = worldNames.find((known) => known === wanted);
    if (name) return { data: await builtInWorld(name) };
    return { problem: `There is no world "${wanted.slice(0, 100)}": there are ${worldNames.join(', ')}.` };
  }
  const violation = await readWorld(wanted);
  if (violation.ok) return violation;
  const others = violation.problems.length - 1;
  const more = others > 0 ? ` (and ${count(others, 'more problem')})` : '';
  return { problem: `It is not a world: ${violation.problems[0]?.slice(0, 1000)}${more}.` };
}

/** Kept among the others, to be restored like them. Its history of requests, if it has one, is left out. */
export const putSnapshot = (call: AdminCall): CoreResponse =>
  withBody(call.request, { snapshot: whatever }, ({ snapshot }) => later(() => keepSnapshot(call, snapshot)));

async function keepSnapshot({ snapshots, engine, path }: AdminCall, value: unknown): Promise<CoreResponse> {
  const id = path.id ?? '';
  if (id.length > 100) return fail(400, 'The name of a snapshot has 100 characters at most.');
  const { judgeStored } = await import('../engine/snapshot-check.ts');
  const problem = await judgeStored(value);
  if (problem !== null) return fail(400, `It is not a snapshot: ${problem.slice(0, 1000)}.`);
  const full = snapshots.whyNot(id);
  if (full !== null) return fail(409, full);
  const { casaSnapshot, world, limits, clock, random, faults, behaviors } = value as StoredSnapshot;
  const read = behaviors === undefined ? {} : { behaviors };
  const at = formatTimestamp(engine.clock.now());
  return reply(
    describeSnapshot(snapshots.add({ casaSnapshot, world, limits, clock, random, faults, ...read }, { id, at })),
    201,
  );
}

/** The code that reads a world is loaded with the first one. */
function later(response: () => Promise<Remainder & { readonly status: number }>): CoreResponse {
  return { status: 200, headers: {}, body: '', later: response };
}
