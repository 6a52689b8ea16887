// Cites 4.connect.create-post.*.
import { admitAction } from '../../domain/actions.ts';
import { ok } from '../../domain/outcome.ts';
import { draftPost } from '../../domain/posts.ts';
import type { Handler } from '../handler.ts';

export const createPost: Handler<'createPost'> = (input, { organization, world, nowMs }) => {
  const admitted = admitAction(organization, { accountId: input.accountId, action: 'posts', paid: true });
  if (!admitted.ok) return admitted;
  const { accountId, provider, label } = admitted.value;
  const post = draftPost(provider, input, { random: world.random, nowMs });
  const { postId, permalink } = post;
  return ok({
    output: { data: { postId, permalink }, summary: `Posted to ${label}.` },
    change: { kind: 'post', organizationId: organization.id, accountId, post },
  });
};
