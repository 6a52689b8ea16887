// Posts to connected accounts. Cites 4.connect.create-post.*, 2.create-post-output.*.
import type { CreatePostInput, Provider } from '../contract/generated/types.ts';
import { formatTimestamp } from '../contract/timestamps.ts';
import type { Random } from './random.ts';
import type { PostData } from './world-data.ts';

// Where a post can be seen; platforms without a public page of a post have no permalink. Assumption C28.
const permalinkBase: Partial<Record<Provider, string>> = {
  facebook_page: 'https://facebook.example/posts/',
  instagram: 'https://instagram.example/p/',
  google_business: 'https://business.example/posts/',
};

/** Draws up a post, which is published once it is among the posts of its account. */
export function draftPost(
  provider: Provider,
  input: Pick<CreatePostInput, 'text' | 'media' | 'link'>,
  { random, nowMs }: { random: Random; nowMs: number },
): PostData {
  const mark = random.hex(16);
  const base = permalinkBase[provider];
  return {
    postId: `post_${mark}`,
    permalink: base ? `${base}${mark}` : null,
    text: input.text,
    ...(input.media ? { imageUrl: input.media.imageUrl } : {}),
    ...(input.link === undefined ? {} : { link: input.link }),
    postedAt: formatTimestamp(nowMs),
  };
}
