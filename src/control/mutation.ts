// What a request that succeeded did to the world, read off the world itself.
import type { Link } from '../domain/links.ts';
import type { Organization, World } from '../domain/world.ts';
import type { Trace } from '../http/service.ts';
import { copyLink, type WorldChange } from './commit.ts';
import { describeAccount } from './world-state.ts';

export function describeMutation(world: World, { routing, organizationId }: Trace): WorldChange | null {
  const organization = organizationId === null ? undefined : world.organizations.get(organizationId);
  if (!organization || typeof routing === 'string') return null;
  const { accountId = '', reviewId = '' } = routing.path;
  const account = organization.accounts.get(accountId.toLowerCase());
  switch (routing.operation.id) {
    case 'createConnectLink':
      return { kind: 'link', organizationId: organization.id, link: copyLink(newestLink(organization)) };
    case 'createPost': {
      const post = account?.posts.at(-1);
      return post ? { kind: 'post', organizationId: organization.id, accountId, post } : null;
    }
    case 'replyToReview': {
      const text = account?.reviews.get(reviewId)?.replyText;
      return text === undefined ? null : { kind: 'reply', organizationId: organization.id, accountId, reviewId, text };
    }
    default:
      return null;
  }
}

/** A consent session that was just finished. */
export function describeConsent(world: World, token: string): WorldChange | null {
  for (const organization of world.organizations.values()) {
    const link = organization.links.get(token);
    if (!link) continue;
    const accounts = link.accountIds.flatMap((id) => organization.accounts.get(id.toLowerCase()) ?? []);
    return {
      kind: 'consent',
      organizationId: organization.id,
      link: copyLink(link),
      accounts: accounts.map(describeAccount),
    };
  }
  return null;
}

// A map keeps the order of insertion, and a link is never replaced by the API.
function newestLink({ links }: Organization): Link {
  return [...links.values()].at(-1) as Link;
}
