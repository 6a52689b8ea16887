// Every change of the world as a line of plain JSON, told before the request that made it is answered. An entry holds what
// came about (the post, the link, the call), not what was asked for: replaying it needs no limiter, no fault and no luck.
import type { Payment } from '../domain/accounts.ts';
import type { Call } from '../domain/call.ts';
import type { ClockState } from '../domain/clock.ts';
import type { FaultEntry, FaultsState } from '../domain/faults.ts';
import type { LimitSettings } from '../domain/limits.ts';
import type { Link } from '../domain/links.ts';
import { addOrganization, type Organization, toAccount, type World } from '../domain/world.ts';
import type { AccountData, ContactData, OrganizationData, PostData } from '../domain/world-data.ts';
import type { StoredSnapshot } from './snapshot.ts';

/** A change that concerns the world alone. */
export type WorldChange =
  | { readonly kind: 'link'; readonly organizationId: string; readonly link: Link }
  | { readonly kind: 'post'; readonly organizationId: string; readonly accountId: string; readonly post: PostData }
  | {
      readonly kind: 'reply';
      readonly organizationId: string;
      readonly accountId: string;
      readonly reviewId: string;
      readonly text: string;
    }
  | {
      readonly kind: 'consent';
      readonly organizationId: string;
      readonly link: Link;
      readonly accounts: readonly AccountData[];
    }
  | { readonly kind: 'organization'; readonly organization: OrganizationData }
  | { readonly kind: 'account'; readonly organizationId: string; readonly account: AccountData }
  | { readonly kind: 'payment'; readonly organizationId: string; readonly payment: Payment }
  | { readonly kind: 'contacts'; readonly organizationId: string; readonly contacts: readonly ContactData[] }
  /** A call that rang, or one that was ended before its time. */
  | { readonly kind: 'call'; readonly organizationId: string; readonly call: Call };

export type Change =
  | WorldChange
  | { readonly kind: 'clock'; readonly clock: ClockState }
  /** All rules at once: none are left, or a file of an older version lists them. */
  | { readonly kind: 'faults'; readonly faults: FaultsState; readonly random: number }
  /** One rule: new or replaced, struck once more, or gone (null). It costs its own bytes, however many others there are. */
  | { readonly kind: 'fault'; readonly id: string; readonly entry: FaultEntry | null; readonly random: number }
  | { readonly kind: 'limits'; readonly limits: LimitSettings }
  | { readonly kind: 'reset' }
  | { readonly kind: 'restore'; readonly snapshot: StoredSnapshot };

/** One change with its circumstances. */
export interface CommitEntry {
  readonly change: Change;
  /** The clock when it happened, in epoch milliseconds. */
  readonly atMs: number;
  /** Position of the world's generator afterwards: later ids go on from there. */
  readonly random: number;
}

/** Is told of each change; `takeBack` undoes it in memory, should it turn out that it cannot be kept. */
export type Commit = (entry: CommitEntry, takeBack: () => void) => void;

/** Does to the world what an entry says was done to it. */
export function applyWorldChange(world: World, change: WorldChange): void {
  if (change.kind === 'organization') {
    addOrganization(world, change.organization);
    return;
  }
  const organization = world.organizations.get(change.organizationId);
  if (organization) applyToOrganization(organization, change);
}

type OrganizationChange = Exclude<WorldChange, { kind: 'organization' }>;

function applyToOrganization(organization: Organization, change: OrganizationChange): void {
  const { accounts, links, calls } = organization;
  switch (change.kind) {
    case 'link':
      links.set(change.link.token, copyLink(change.link));
      return;
    case 'post':
      accounts.get(change.accountId.toLowerCase())?.posts.push(change.post);
      return;
    case 'reply':
      accounts.get(change.accountId.toLowerCase())?.reviews.reply(change.reviewId, change.text);
      return;
    case 'consent':
      links.set(change.link.token, copyLink(change.link));
      for (const account of change.accounts) accounts.set(account.accountId.toLowerCase(), toAccount(account));
      return;
    case 'account':
      accounts.set(change.account.accountId.toLowerCase(), toAccount(change.account));
      return;
    case 'payment':
      organization.payment = change.payment;
      return;
    case 'contacts':
      for (const contact of change.contacts) organization.contacts.put(contact);
      return;
    case 'call':
      calls.put(change.call);
  }
}

/** Links change in place, so what is kept of one must be a copy. */
export function copyLink(link: Link): Link {
  return { ...link, accountIds: [...link.accountIds] };
}
