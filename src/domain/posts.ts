// Posts to connected accounts. Cites 4.connect.create-post.*, 2.create-post-output.*.
import type { CreatePostInput, CreatePostOutput, Provider } from '../contract/generated/types.ts';
import { formatInstant } from '../contract/instants.ts';
import type { Account } from './accounts.ts';
import type { Random } from './random.ts';

// Where a post can be seen; platforms without a public page of a post have no permalink. Choice C28.
const permalinkBase: Partial<Record<Provider, string>> = {
  facebook_page: 'https://facebook.example/posts/',
  instagram: 'https://instagram.example/p/',
  google_business: 'https://business.example/posts/',
};

export function publishPost(
  account: Account,
  input: Pick<CreatePostInput, 'text' | 'media' | 'link'>,
  { random, nowMs }: { random: Random; nowMs: number },
): CreatePostOutput {
  const mark = random.hex(16);
  const postId = `post_${mark}`;
  const base = permalinkBase[account.provider];
  const permalink = base ? `${base}${mark}` : null;
  account.posts.push({
    postId,
    permalink,
    text: input.text,
    ...(input.media ? { imageUrl: input.media.imageUrl } : {}),
    ...(input.link === undefined ? {} : { link: input.link }),
    postedAt: formatInstant(nowMs),
  });
  return { postId, permalink };
}
