// A written record stands where it was written, once. The posts of the world are counted, because no operation lists
// them. Cites 4.connect.create-post.*, 4.rules.path-wins.
import type { World } from '../../../src/domain/world.ts';
import type { Exchange } from '../exchange.ts';
import type { KnownAccount, Ledger } from '../ledger.ts';
import { hold } from '../violation.ts';

/** Counts posts by the account of the path; what the body says about it must not matter. */
export function watchWrites({ byKey }: Ledger): (exchange: Exchange) => void {
  const postIds = new Set<string>();
  return ({ operation, request, response, json }) => {
    if (operation !== 'createPost' || response.status !== 200) return;
    const organization = byKey.get(request.headers.authorization?.replace(/^Bearer /, '') ?? '');
    const accountId = decodeURIComponent(request.path.split('/')[5] ?? '').toLowerCase();
    const account = organization?.accounts.find((other) => other.accountId === accountId);
    const { postId } = json.data as { postId: string };
    hold('writes', account !== undefined, () => `a post was made to the account ${accountId}, which there is not`);
    hold('writes', !postIds.has(postId), () => `two posts have the id ${postId}`);
    postIds.add(postId);
    (account as KnownAccount).posts += 1;
  };
}

/** Looks behind the wire: as many posts at each account as were answered with success. */
export function auditPosts({ organizations }: Ledger, world: World): void {
  for (const { id, accounts } of organizations) {
    for (const { accountId, posts } of accounts) {
      if (accountId === null) continue;
      const found = world.organizations.get(id)?.accounts.get(accountId.toLowerCase())?.posts.length;
      hold('writes', found === posts, () => `the account ${accountId} has ${found} posts, ${posts} were made`);
    }
  }
}
