// Another world under the running mock, and snapshots from a file.
import { formatTimestamp } from '../contract/timestamps.ts';
import { styleWorld } from '../domain/style-world.ts';
import type { WorldData } from '../domain/world-data.ts';
import type { StoredSnapshot } from '../engine/snapshot.ts';
import type { CoreResponse, Remainder } from '../http/message.ts';
import { count } from '../terminal/count.ts';
import { builtInWorld, readWorld } from '../worlds/load.ts';
import { quickWorldNames } from '../worlds/names.ts';
import { rebase } from '../worlds/rebase.ts';
import { describeClock } from './clock-routes.ts';
import { type AdminCall, fail, reply, withBody } from './reply.ts';
import type { Reader } from './shape.ts';
import { describeSnapshot } from './state-routes.ts';

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
    const name = quickWorldNames.find((known) => known === wanted);
    if (name) return { data: await builtInWorld(name) };
    const others = `there are ${quickWorldNames.join(', ')}; huge is one to start with (--world huge)`;
    return { problem: `There is no world "${wanted.slice(0, 100)}" to change to: ${others}.` };
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
