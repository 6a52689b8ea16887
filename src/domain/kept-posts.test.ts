import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KeptPosts } from './kept-posts.ts';
import type { PostData } from './world-data.ts';

const post = (postId: string, text = 'Bread'): PostData => ({ postId, permalink: null, text, postedAt: 'today' });
const filled = (...posts: readonly PostData[]): KeptPosts => {
  const kept = new KeptPosts();
  for (const one of posts) kept.push(one);
  return kept;
};

describe('kept posts', () => {
  it('come back in their order, whatever is in them and however long they are', () => {
    const unit = fc.constantFrom('a', '\n', '"', '\\', 'é', '面', '\ud83d\ude00', '\ud800', '\u2028', '\ufeff');
    const text = fc.tuple(fc.string({ unit, maxLength: 30 }), fc.constantFrom(1, 1, 1, 50, 400));
    fc.assert(
      fc.property(fc.array(text, { maxLength: 40 }), fc.nat(3), (texts, first) => {
        const posts = texts.map(([part, times], i) => post(`post_${i}`, part.repeat(times)));
        const kept = new KeptPosts(posts.slice(0, first));
        for (const one of posts.slice(first)) kept.push(one);
        expect([kept.length, kept.toData()]).toEqual([posts.length, posts]);
      }),
    );
  });

  it.each<[string, Partial<PostData>]>([
    ['nothing but a text', {}],
    ['a permalink that ends as its id', { permalink: 'https://p.example/posts/1f' }],
    ['a permalink of its own', { permalink: 'https://p.example/1e' }],
    ['an empty permalink', { permalink: '' }],
    ['an id without a mark', { postId: 'post_', permalink: 'https://p.example/' }],
    ['an id of one part', { postId: '7', permalink: 'https://p.example/7' }],
    ['a picture', { imageUrl: 'https://cdn.example/a.jpg' }],
    ['a link', { link: 'https://a.example' }],
    ['both', { imageUrl: 'https://cdn.example/a.jpg', link: 'https://a.example' }],
  ])('come back with %s, to the byte', (_what, rest) => {
    const { postId, permalink, text, postedAt, ...more } = { ...post('post_1f'), ...rest };
    const one = { postId, permalink, text, ...more, postedAt };
    expect(JSON.stringify(filled(one, one).toData())).toBe(JSON.stringify([one, one]));
  });

  it('are written as they were at that moment, in slices of any length, whatever comes and goes meanwhile', () => {
    const texts = fc.array(fc.constantFrom('a', 'b'.repeat(300), 'é'.repeat(9_000)), { maxLength: 30 });
    fc.assert(
      fc.property(texts, texts, fc.nat(5), fc.integer({ min: 1, max: 9 }), (before, after, first, step) => {
        const posts = before.map((text, i) => post(`post_${i}`, text));
        const kept = new KeptPosts(posts.slice(0, first));
        for (const one of posts.slice(first)) kept.push(one);
        const written = kept.toWrite();
        const read: PostData[] = [];
        for (let at = 0; at < written.length; at += step) {
          read.push(...written.slice(at, at + step));
          const text = after[at / step];
          if (text === undefined) continue;
          kept.push(post(`later_${at}`, text));
          kept.drop(at % 2 === 0 ? `later_${at}` : `post_${at}`);
        }
        expect(read).toEqual(posts);
        expect(JSON.stringify(written)).toBe(JSON.stringify(posts));
      }),
    );
  });

  it('come back with more beginnings of permalinks than are remembered', () => {
    const posts = Array.from({ length: 40 }, (_, i) => ({
      ...post(`post_${i}`),
      permalink: `https://${i}.example/${i}`,
    }));
    expect(filled(...posts).toData()).toEqual(posts);
  });

  it.each([
    ['the last', '3', ['1', '2']],
    ['one in the middle', '2', ['1', '3']],
    ['none', '4', ['1', '2', '3']],
  ])('lose %s', (_what, id, left) => {
    const kept = filled(post('1'), post('2'), post('3'));
    kept.drop(id);
    kept.push(post('5'));
    expect(kept.toData().map(({ postId }) => postId)).toEqual([...left, '5']);
    expect(kept.length).toBe(left.length + 1);
  });

  it('lose one of those that they began with, and one on an earlier page, and the newer of two with one id', () => {
    const kept = new KeptPosts([post('a'), post('b')]);
    for (let i = 0; i < 2000; i += 1) kept.push(post(String(i)));
    kept.push(post('7', 'again'));
    for (const id of ['a', '3', '7']) kept.drop(id);
    const left = kept.toData();
    expect([left.length, kept.length, left[0]?.postId, left[8]?.text]).toEqual([2000, 2000, 'b', 'Bread']);
    expect(left.some(({ postId }) => postId === '3')).toBe(false);
    expect(left.filter(({ postId }) => postId === '7')).toEqual([post('7')]);
  });
});
