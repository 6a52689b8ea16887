// Every change that a request can make to the world, as plain data. A handler says which change it wants and touches
// nothing; the change is kept first and made afterwards, so a rejected write leaves no trace. Replaying a log makes
// the same changes again through the same function.
import type { Article } from '../contract/generated/types.ts';
import type { Payment } from './accounts.ts';
import type { Call } from './call.ts';
import type { Given } from './contacts.ts';
import { readSent, type Sent } from './csv.ts';
import { dropOldLinks, type Link } from './links.ts';
import { addOrganization, type Organization, toAccount, type World } from './world.ts';
import type { AccountData, OrganizationData, PostData } from './world-data.ts';

/** A change names its organization by id, not by reference: it is replayed in another process. */
interface OfOrganization {
  readonly organizationId: string;
}

/** A connect link was made; its use is a `ConsentChange`. */
export interface LinkChange extends OfOrganization {
  readonly kind: 'link';
  readonly link: Link;
}

/** The post as it got a response, with its id: replaying draws nothing at random. */
export interface PostChange extends OfOrganization {
  readonly kind: 'post';
  readonly accountId: string;
  readonly post: PostData;
}

/** The newest reply stands (assumption C31), so the text is all that a replay needs. */
export interface ReplyChange extends OfOrganization {
  readonly kind: 'reply';
  readonly accountId: string;
  readonly reviewId: string;
  readonly text: string;
}

/** A consent session was finished: its link is used up, its accounts are connected. */
export interface ConsentChange extends OfOrganization {
  readonly kind: 'consent';
  readonly link: Link;
  readonly accounts: readonly AccountData[];
}

/** Contacts as sent, with their assigned values: a replay uses no random numbers. */
export interface ImportChange extends OfOrganization, Given {
  readonly kind: 'import';
  readonly sent: Sent;
}

/** A whole record after a change through the admin API, or a call that rang or ended. */
type RecordChange<Kind extends string, Data> = OfOrganization & { readonly kind: Kind } & {
  readonly [K in Kind]: Data;
};

/** Those that happen within one organization. */
type OrganizationChange =
  | LinkChange
  | PostChange
  | ReplyChange
  | ConsentChange
  | ImportChange
  // A single locked account is an account; the payment is that of the whole organization.
  | RecordChange<'account', AccountData>
  | RecordChange<'payment', Payment>
  | RecordChange<'article', Article>
  | RecordChange<'call', Call>;

/** A log of `--save` holds these as lines of JSON: a field that is renamed here breaks the files of users. */
export type WorldChange =
  | OrganizationChange
  | { readonly kind: 'organization'; readonly organization: OrganizationData };

/** Makes a change. It never fails, because invalid changes are rejected before. */
export function applyWorldChange(world: World, change: WorldChange): void {
  if (change.kind === 'organization') {
    addOrganization(world, change.organization);
    return;
  }
  const organization = world.organizations.get(change.organizationId);
  if (!organization) return;
  applyToOrganization(organization, change);
  world.forgotten.links += dropOldLinks(organization.links);
}

/** A record that is unknown by now is passed over: a log may report an account that a later reset took away. */
function applyToOrganization(organization: Organization, change: OrganizationChange): void {
  const { accounts, links } = organization;
  switch (change.kind) {
    case 'link':
      links.set(change.link.token, change.link);
      return;
    case 'post':
      accounts.get(change.accountId.toLowerCase())?.posts.push(change.post);
      return;
    case 'reply':
      accounts.get(change.accountId.toLowerCase())?.reviews.reply(change.reviewId, change.text);
      return;
    case 'consent':
      links.set(change.link.token, change.link);
      for (const account of change.accounts) accounts.set(account.accountId.toLowerCase(), toAccount(account));
      return;
    case 'account':
      accounts.set(change.account.accountId.toLowerCase(), toAccount(change.account));
      return;
    case 'article':
      organization.articles.put(change.article);
      return;
    case 'payment':
      organization.payment = change.payment;
      return;
    case 'import': {
      const read = readSent(change.sent);
      if (read.ok) organization.contacts.putImport(read.value, change);
      return;
    }
    case 'call':
      organization.calls.put(change.call);
  }
}
