// Cites 4.connect.create-post.*.
import { admitAction } from '../../domain/actions.ts';
import { ok } from '../../domain/outcome.ts';
import { publishPost } from '../../domain/posts.ts';
import type { Handler } from '../call.ts';

export const createPost: Handler<'createPost'> = (input, { organization, world, nowMs }) => {
  const admitted = admitAction(organization, { accountId: input.accountId, action: 'posts', paid: true });
  if (!admitted.ok) return admitted;
  const account = admitted.value;
  const data = publishPost(account, input, { random: world.random, nowMs });
  return ok({ data, summary: `Posted to ${account.label}.` });
};
