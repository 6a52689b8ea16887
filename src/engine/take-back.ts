// The way back from a change that could not be kept. It is prepared while the change is made, from what only then is still
// known, and looks everything else up when it runs: records may have been replaced in between.
import type { World } from '../domain/world.ts';
import type { WorldChange } from './commit.ts';

export type TakeBack = () => void;

/** Prepares the way back from a change that a request has just made. */
export function prepareTakeBack(world: World, change: WorldChange): TakeBack {
  switch (change.kind) {
    case 'link':
      return () => void world.organizations.get(change.organizationId)?.links.delete(change.link.token);
    case 'post':
      return () => takeBackPost(accountOf(world, change), change.post.postId);
    case 'reply': {
      const before = accountOf(world, change)?.reviews.replaced;
      return () => before && accountOf(world, change)?.reviews.put(before);
    }
    case 'consent':
      return () => takeBackConsent(world, change);
    case 'organization':
      return () => {
        world.organizations.delete(change.organization.id);
        for (const { key } of change.organization.keys) world.keys.delete(key);
      };
    case 'contacts': {
      const before = world.organizations.get(change.organizationId)?.contacts.replaced ?? [];
      return () => {
        const contacts = world.organizations.get(change.organizationId)?.contacts;
        const known = new Set(before.map(({ contactId }) => contactId));
        for (const { contactId, phone } of change.contacts) if (!known.has(contactId)) contacts?.remove(phone);
        for (const contact of before) contacts?.put(contact);
      };
    }
    default:
      throw new RangeError(`Whoever makes a change of kind "${change.kind}" prepares the way back.`);
  }
}

function accountOf(world: World, { organizationId, accountId }: { organizationId: string; accountId: string }) {
  return world.organizations.get(organizationId)?.accounts.get(accountId.toLowerCase());
}

// Nearly always it is the last one.
function takeBackPost(account: ReturnType<typeof accountOf>, postId: string): void {
  const at = account?.posts.findLastIndex((post) => post.postId === postId) ?? -1;
  if (at !== -1) account?.posts.splice(at, 1);
}

function takeBackConsent(world: World, { organizationId, link, accounts }: WorldChange & { kind: 'consent' }): void {
  const organization = world.organizations.get(organizationId);
  const open = organization?.links.get(link.token);
  if (open) {
    open.usedAtMs = null;
    open.accountIds.length = 0;
  }
  for (const { accountId } of accounts) organization?.accounts.delete(accountId.toLowerCase());
}
