// The way back from a change that could not be kept after all. It is prepared before the change is made, from the
// records that it replaces, and looks up everything else when it runs: the records around may have been replaced in
// between.
import type { WorldChange } from './change.ts';
import { readSent } from './csv.ts';
import { linksMax } from './links.ts';
import type { Organization, World } from './world.ts';

/** Runs at most once, and only for a change that could not be kept. */
export type TakeBack = () => void;

/**
 * To be called before the change is made. It holds the records that the change replaces and no copy of the world, so
 * that a write costs the same however large the world is.
 */
export function prepareTakeBack(world: World, change: WorldChange): TakeBack {
  if (change.kind === 'organization') {
    const { id, keys } = change.organization;
    return () => {
      world.organizations.delete(id);
      for (const { key } of keys) world.keys.delete(key);
    };
  }
  const { organizationId } = change;
  const before = world.organizations.get(organizationId);
  if (!before) return () => {};
  const takeBack = prepareForOrganization(before, change);
  return () => {
    const organization = world.organizations.get(organizationId);
    if (organization) takeBack(organization);
  };
}

/** All but a whole organization, which has its own way back. */
type OrganizationChange = Exclude<WorldChange, { kind: 'organization' }>;

/** One case for each kind: a new kind of change does not compile until it has a way back. */
function prepareForOrganization(before: Organization, change: OrganizationChange): (now: Organization) => void {
  switch (change.kind) {
    case 'link':
      return takeBackLink(before, change.link.token);
    case 'post':
      return ({ accounts }) => {
        const posts = accounts.get(change.accountId.toLowerCase())?.posts ?? [];
        const at = posts.findLastIndex(({ postId }) => postId === change.post.postId);
        if (at !== -1) posts.splice(at, 1);
      };
    case 'reply': {
      const accountId = change.accountId.toLowerCase();
      const known = before.accounts.get(accountId)?.reviews;
      const [review, isReplied] = [known?.get(change.reviewId), known?.isReplied === true];
      return ({ accounts }) => {
        const reviews = accounts.get(accountId)?.reviews;
        if (review === undefined || reviews === undefined) return;
        reviews.put(review);
        reviews.isReplied = isReplied;
      };
    }
    case 'consent': {
      const takeBack = takeBackLink(before, change.link.token);
      return (now) => {
        takeBack(now);
        for (const { accountId } of change.accounts) now.accounts.delete(accountId.toLowerCase());
      };
    }
    case 'account': {
      const accountId = change.account.accountId.toLowerCase();
      const account = before.accounts.get(accountId);
      return ({ accounts }) => void (account ? accounts.set(accountId, account) : accounts.delete(accountId));
    }
    case 'article': {
      const { id } = change.article;
      const article = before.articles.get(id);
      return ({ articles }) => (article ? articles.put(article) : articles.remove(id));
    }
    case 'payment': {
      const { payment } = before;
      return (now) => {
        now.payment = payment;
      };
    }
    case 'import': {
      const read = readSent(change.sent);
      if (!read.ok) return () => {};
      const replaced = before.contacts.replacedBy(read.value);
      return ({ contacts }) => contacts.takeBack(read.value, replaced);
    }
    case 'call': {
      const call = before.calls.get(change.call.id);
      return ({ calls }) => (call ? calls.put(call) : calls.remove(change.call.id));
    }
  }
}

// A link that is one too many takes the oldest along.
function takeBackLink({ links }: Organization, token: string): (now: Organization) => void {
  const link = links.get(token);
  const all = links.size >= linksMax ? [...links] : null;
  return (now) => {
    if (all) {
      now.links.clear();
      for (const [known, value] of all) now.links.set(known, value);
    } else if (link) now.links.set(token, link);
    else now.links.delete(token);
  };
}
