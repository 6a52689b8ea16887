// API keys while the mock runs: another one for an organization, or one that is revoked at once (choice C125).
// Cites 5.key-organization, 5.revoked-key.
import type { Organization, World } from './world.ts';
import type { KeyData } from './world-data.ts';

/** Gives an organization a key, or changes one that it has. A key of another organization is taken from it. */
export function setKey(world: World, organization: Organization, key: KeyData): void {
  const owner = world.keys.get(key.key)?.organization;
  if (owner) removeKey(owner, key.key);
  organization.keys.push(key);
  world.keys.set(key.key, { organization, revoked: key.revoked });
}

/** From now on the key answers 401 `unauthorized`. False when nobody has it. */
export function revokeKey(world: World, key: string): boolean {
  const entry = world.keys.get(key);
  const known = entry?.organization.keys.find((other) => other.key === key);
  if (!entry || !known) return false;
  const { keys } = entry.organization;
  keys[keys.indexOf(known)] = { ...known, revoked: true };
  world.keys.set(key, { organization: entry.organization, revoked: true });
  return true;
}

function removeKey({ keys }: Organization, key: string): void {
  const index = keys.findIndex((other) => other.key === key);
  if (index !== -1) keys.splice(index, 1);
}
