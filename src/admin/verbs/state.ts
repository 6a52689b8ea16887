// Health, reset, snapshots, world, limits, violations and the end.
import { parityOf } from '../../contract/parity.ts';
import { formatTimestamp } from '../../contract/timestamps.ts';
import type { Bucket } from '../../domain/limits.ts';
import { styleWorld } from '../../domain/style-world.ts';
import type { WorldData } from '../../domain/world-data.ts';
import type { KeptSnapshot } from '../../engine/kept-snapshots.ts';
import { organizationWorlds } from '../../engine/organization.ts';
import { redactCutKeys, redactKey } from '../../engine/redaction.ts';
import type { StoredSnapshot } from '../../engine/snapshot.ts';
import type { CoreResponse, Remainder } from '../../http/message.ts';
import { baseUrlOf } from '../../http/route.ts';
import { count } from '../../terminal/count.ts';
import { builtInWorld, readWorld } from '../../worlds/load.ts';
import { worldNames } from '../../worlds/names.ts';
import { rebase } from '../../worlds/rebase.ts';
import { showDashboard, showReference } from '../dashboard.ts';
import { type AdminCall, fail, reply, replyText } from '../reply.ts';
import { as, flag, given, number, object, oneOf, optional, text } from '../shape.ts';
import { verb } from '../verb.ts';
import { describeClock } from './clock.ts';

/** Of the admin API, for clients in another process. */
export const adminVersion = '2.0.0';

const bucket = object({
  limit: optional(number({ min: 1, max: 1_000_000, whole: true }), 'Number of requests in a window'),
  windowMs: optional(number({ min: 1, max: 86_400_000, whole: true }), 'Length of the window in milliseconds'),
});

const windowsShown = 50;
/** A gauge needs no more, however high a limit was set. */
const timestampsShown = 100;

export const stateVerbs = {
  showDashboard: verb('GET /', 'The dashboard.', null, showDashboard),
  showReference: verb('GET /docs', 'The API reference.', null, showReference),
  /** Loaded with the first reader: the mock itself has no use for it. */
  getAdminDocument: verb('GET /openapi.json', 'This document.', null, () => ({
    ...replyText('', { 'content-type': 'application/json; charset=utf-8' }),
    later: async () => ({ headers: {}, body: (await import('../../contract/generated/admin.ts')).adminDocument }),
  })),
  /** Loaded with its first message, which it reads itself. */
  askAgentMcpEndpoint: verb(
    'POST /mcp',
    'The control MCP server, for agents. ' +
      'Streamable HTTP without sessions; one JSON-RPC message per request. Its tools call these endpoints. ' +
      '/mcp is the MCP endpoint of the API.',
    null,
    (call) => ({ ...replyText('', {}), later: () => call.askAgent() }),
  ),
  /** Also for scripts that wait until the mock is up. */
  getHealth: verb('GET /health', 'Whether the mock is up, and how it was started.', null, (call) =>
    reply(describeHealth(call)),
  ),
  getParity: verb(
    'GET /parity',
    'How the mock knows each operation of the deployment of its profile (parity).',
    null,
    ({ engine }) => reply(parityOf(engine.behaviors.learnt)),
  ),
  /** Responds with the health, so a script sees the new clock. */
  resetAll: verb(
    'POST /reset',
    'Reset the mock. ' +
      'Restores the initial world, rate limits and faults, and clears request log and violations. ' +
      'A running clock keeps its time: to set it back, restart the mock.',
    null,
    (call) => {
      call.engine.reset();
      return reply(describeHealth(call));
    },
    { discards: true, tools: ['reset'] },
  ),
  /** Only `casa mock` may be stopped from outside: a mock inside a test belongs to the test. */
  shutDown: verb('POST /shutdown', 'Stop the mock.', null, ({ options }) => {
    if (!options.onShutdown) return fail(409, 'Only the program that started this mock can stop it.');
    options.onShutdown();
    return reply({ status: 'stopping' });
  }),
  listSnapshots: verb('GET /snapshots', 'Saved snapshots.', null, ({ snapshots }) =>
    reply({ snapshots: snapshots.list().map(describeSnapshot) }),
  ),
  /** Kept in the mock and named, so a test comes back to a state without carrying megabytes around. */
  takeSnapshot: verb(
    'POST /snapshots',
    'Take a snapshot. Saves the complete state under a name, to restore it later.',
    { id: optional(text(100), 'Name (default: generated). Replaces the snapshot with the same name') },
    ({ engine, snapshots }, { id }) => {
      const full = snapshots.whyNot(id);
      if (full !== null) return fail(409, full);
      const at = formatTimestamp(engine.clock.now());
      return reply(describeSnapshot(snapshots.add(engine.snapshot(), { id, at })), 201);
    },
    { tools: [{ name: 'snapshot', word: 'id' }] },
  ),
  getSnapshot: verb('GET /snapshots/{id}', 'A complete snapshot.', null, (call) =>
    withSnapshot(call, (kept) => reply({ ...describeSnapshot(kept), snapshot: kept.snapshot })),
  ),
  /** Kept among the others, to be restored like them. Its history of requests, if it has one, is left out. */
  putSnapshot: verb(
    'PUT /snapshots/{id}',
    'Import a snapshot from a file.',
    { snapshot: as({ type: 'object', description: 'Field snapshot of GET /__admin/snapshots/{id}' }, given) },
    (call, { snapshot }) => later(() => keepSnapshot(call, snapshot)),
  ),
  removeSnapshot: verb('DELETE /snapshots/{id}', 'Delete a snapshot.', null, (call) =>
    withSnapshot(call, ({ id }) => {
      call.snapshots.remove(id);
      return reply({ removed: id });
    }),
  ),
  /** The clock goes back too: otherwise links would have expired and calls settled meanwhile. */
  restoreSnapshot: verb(
    'POST /snapshots/{id}/restore',
    'Restore a snapshot: data, rate limits, clock and request log.',
    {
      clock: optional(
        oneOf(['back', 'elapsed']),
        'Clock: back (default), or elapsed to add the time since the snapshot',
      ),
    },
    (call, { clock = 'back' }) =>
      withSnapshot(call, (kept) => {
        call.engine.restore(kept.snapshot, { clock });
        return reply({ restored: describeSnapshot(kept), clock: describeClock(call) });
      }),
    { discards: true, tools: ['restore'] },
  ),
  /** For graders that compare the end state, without requests, limits and clock. */
  getDiff: verb(
    'GET /diff',
    'Records that changed. ' +
      'Returns what was added, changed or removed since a snapshot. Without a snapshot, what a reset would undo.',
    {
      snapshot: optional(text(100), 'Name of the snapshot (default: the initial world)'),
      organizationId: optional(text(), 'Only records of this organization'),
    },
    ({ engine, snapshots }, { snapshot, organizationId }) => {
      const kept = snapshot === undefined ? null : snapshots.get(snapshot);
      if (kept === undefined) return fail(400, noSnapshot(snapshot));
      return reply(engine.diff(kept?.snapshot.world, organizationId));
    },
    { tools: [{ name: 'diff', word: 'snapshot' }] },
  ),
  /** Clients can then repeat earlier requests without a violation. */
  putWorld: verb(
    'PUT /world',
    'Replace the running world.',
    {
      world: as(
        {
          oneOf: [{ type: 'string', enum: worldNames }, { type: 'object' }],
          description: 'Name of a built-in world, a world file as casa seed writes it, or parts of one as for --data',
        },
        given,
      ),
    },
    (call, { world }) => later(() => replaceWorld(call, world)),
    { discards: true },
  ),
  getLimits: verb('GET /limits', 'The rate limits.', null, ({ engine }) => reply(engine.limits.settings())),
  putLimits: verb(
    'PUT /limits',
    'Change the rate limits.',
    {
      enforced: optional(flag, 'Whether the limits apply'),
      address: optional(bucket, 'Limit for each IP address'),
      key: optional(bucket, 'Limit for each API key'),
    },
    ({ engine: { limits } }, { enforced, address, key }) => {
      const now = limits.settings();
      limits.configure({
        enforced: enforced ?? now.enforced,
        address: { limit: address?.limit ?? now.address.limit, windowMs: address?.windowMs ?? now.address.windowMs },
        key: { limit: key?.limit ?? now.key.limit, windowMs: key?.windowMs ?? now.key.windowMs },
      });
      return reply(limits.settings());
    },
  ),
  listWindows: verb(
    'GET /limits/windows',
    'Usage of the rate-limit windows of addresses and keys.',
    null,
    ({ engine }) => reply(describeWindows(engine)),
  ),
  /** The last four characters of a key are enough to find it: a reader of a report has no more. */
  listViolations: verb(
    'GET /violations',
    'Violations of the contract by clients.',
    {
      rule: optional(text(), 'Only violations of this rule'),
      key: optional(text(), 'Only violations with this API key. Its last four characters are enough'),
    },
    ({ engine }, { rule, key }) => {
      const found = engine
        .violations()
        .filter((violation) => rule === undefined || violation.rule === rule)
        .filter((violation) => key === undefined || violation.client.key?.slice(-4) === key.slice(-4));
      return reply({ violations: found, total: found.length });
    },
  ),
  clearViolations: verb('DELETE /violations', 'Delete all violations.', null, ({ engine }) => {
    engine.clearViolations();
    return reply({ violations: [], total: 0 });
  }),
} as const;

export function describeHealth(call: AdminCall) {
  const { engine, options, request } = call;
  const [first] = engine.world.organizations.values();
  return {
    status: 'ok',
    adminVersion,
    baseUrl: baseUrlOf(request),
    organizationHeader: options.organizationHeader ?? false,
    profile: options.profile ?? (engine.limits.enforced ? 'contract' : 'relaxed'),
    clock: describeClock(call),
    worlds: organizationWorlds(options.worlds),
    // The log of every organization has the same; a world without one has none.
    ...(first && { settleS: first.calls.settleMs / 1000 }),
    requests: engine.requestLog.count,
    violations: engine.violations().length,
    forgotten: { ...engine.forgotten(), streams: call.streams.dropped, histories: call.snapshots.dropped },
    ...options.health?.(),
  };
}

/** The fullest first: each request frees its place a window after it came. */
export function describeWindows({ limits, clock }: AdminCall['engine']) {
  const nowMs = clock.now();
  const describe = (bucket: Bucket) => {
    const { limit, windowMs } = limits[bucket];
    const windows = limits[bucket].fullest(nowMs, windowsShown).map(({ bucket: name, timestamps }) => ({
      name: bucket === 'key' ? redactKey(name) : redactCutKeys(name),
      used: timestamps.length,
      freesAtMs: timestamps.slice(0, timestampsShown).map((timestamp) => timestamp + windowMs),
    }));
    return { limit, windowMs, windows };
  };
  return { enforced: limits.enforced, nowMs, address: describe('address'), key: describe('key') };
}

/** `history`: whether it brings the requests and violations back as well. */
export const describeSnapshot = ({ id, at, historyBytes }: KeptSnapshot) => ({ id, at, history: historyBytes > 0 });

/** 404 with the way to the list. */
function withSnapshot({ snapshots, path }: AdminCall, use: (kept: KeptSnapshot) => CoreResponse): CoreResponse {
  const kept = snapshots.get(path.id ?? '');
  return kept ? use(kept) : fail(404, noSnapshot(path.id));
}

const noSnapshot = (id = '') => `There is no snapshot "${id}"; GET /__admin/snapshots lists them.`;

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

async function keepSnapshot({ snapshots, engine, path }: AdminCall, value: unknown): Promise<CoreResponse> {
  const id = path.id ?? '';
  if (id.length > 100) return fail(400, 'The name of a snapshot has 100 characters at most.');
  const { judgeStored } = await import('../../engine/snapshot-check.ts');
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
