// A fresh organization with a separate key, to isolate a test worker. Its records have the ids of the world they are
// copied from, so expectations about that world still hold; only secrets are new.
import type { Random } from '../domain/random.ts';
import type { Organization } from '../domain/world.ts';
import type { OrganizationData, WorldData } from '../domain/world-data.ts';
import { defaultWorld } from '../worlds/load.ts';
import { emptyRecords } from '../worlds/names.ts';
import { rebase } from '../worlds/rebase.ts';

/** Without options it is a copy of the world that the mock was started with. */
export interface OrganizationOptions {
  /** The world whose first organization is copied: `start` (that of the mock), `default`, `empty` or a further one. */
  readonly world?: string | undefined;
  readonly name?: string | undefined;
}

/** The keys that open it, the first of them good. */
export interface FreshOrganization {
  readonly organization: Organization;
  readonly keys: readonly string[];
}

interface Surroundings {
  readonly random: Random;
  readonly nowMs: number;
  readonly start: WorldData;
  readonly worlds: Readonly<Record<string, WorldData>> | undefined;
}

/**
 * Ids of records stay those of the template, so expectations written against it hold; keys, link tokens and the
 * organization's own id are fresh.
 */
export function makeOrganization(options: OrganizationOptions, surroundings: Surroundings): OrganizationData {
  const { random, nowMs } = surroundings;
  const template = findTemplate(options.world ?? 'start', surroundings);
  const first = template && { ...template, organizations: template.organizations.slice(0, 1) };
  const copied = first ? rebase(first, nowMs).organizations[0] : undefined;
  const id = random.uuid();
  const key = `casa_${random.hex(32)}`;
  return {
    ...(copied ?? { payment: 'ok' as const, ...emptyRecords }),
    id,
    name: options.name ?? copied?.name ?? 'Fresh organization',
    keys: [{ key, label: 'Main', revoked: false }],
    links: (copied?.links ?? []).map((link) => ({ ...link, id: random.uuid(), token: random.hex(32) })),
  };
}

export function organizationWorlds(worlds: Readonly<Record<string, WorldData>> = {}): string[] {
  return [...new Set(['start', 'default', 'empty', ...Object.keys(worlds)])];
}

/** Null for `empty`, which has no template. Throws for an unknown name, with the known ones. */
function findTemplate(name: string, { start, worlds = {} }: Surroundings): WorldData | null {
  if (name === 'start') return start;
  if (Object.hasOwn(worlds, name)) return worlds[name] as WorldData;
  if (name === 'default') return defaultWorld;
  if (name === 'empty') return null;
  throw new RangeError(`There is no world "${name}" here; known: ${organizationWorlds(worlds).join(', ')}.`);
}
