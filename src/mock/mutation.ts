// What a request that succeeded did to the world, read off the world itself.
import type { World } from '../domain/world.ts';
import { copyLink, type WorldChange } from '../engine/commit.ts';
import { describeAccount } from '../engine/world-state.ts';
import { consentPath } from '../http/consent/consent.ts';
import { bodyText, type CoreResponse } from '../http/message.ts';
import type { Trace } from '../http/service.ts';

export function describeMutation(
  world: World,
  { routing, organizationId }: Trace,
  response: CoreResponse,
): WorldChange | null {
  const organization = organizationId === null ? undefined : world.organizations.get(organizationId);
  if (!organization || typeof routing === 'string') return null;
  const { accountId = '', reviewId = '' } = routing.path;
  const account = organization.accounts.get(accountId.toLowerCase());
  switch (routing.operation.id) {
    case 'createConnectLink': {
      const link = organization.links.get(readToken(response));
      return link ? { kind: 'link', organizationId: organization.id, link: copyLink(link) } : null;
    }
    case 'createPost': {
      const post = account?.posts.at(-1);
      return post ? { kind: 'post', organizationId: organization.id, accountId, post } : null;
    }
    case 'replyToReview': {
      const text = account?.reviews.get(reviewId)?.replyText;
      return text === undefined ? null : { kind: 'reply', organizationId: organization.id, accountId, reviewId, text };
    }
    case 'dialer_import_contacts':
      return { kind: 'contacts', organizationId: organization.id, contacts: organization.contacts.latest };
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

// The link is known by the URL that was just given out.
function readToken(response: CoreResponse): string {
  return new RegExp(`${consentPath}(\\w+)`).exec(bodyText(response))?.[1] ?? '';
}
