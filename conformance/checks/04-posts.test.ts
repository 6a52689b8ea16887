import { describe, expect, test } from 'vitest';
import { type Independent, VARIANT_NAMES } from '../../proof/independent/index.ts';
import { bench } from '../../proof/rigs/check-bench.ts';
import type { Answered, Spoiled } from '../../proof/rigs/rewriting-proxy.ts';
import { posts } from './04-posts.ts';
import { postsWritten } from './04-posts-written.ts';

const checks = [...posts, ...postsWritten];
const run = ({ accounts: { postable } }: Independent) =>
  ({ allowWrites: ['posts'], maxWrites: 40, account: postable, watch: true }) as const;
const error = (status: number, code: string): Spoiled => ({
  status,
  body: { error: { code, message: '', issues: ['x'], reason: 'card' } },
});
const taken: Spoiled = { status: 200, body: { data: { postId: 'p', permalink: null }, summary: '' } };

function benchPosts(path: RegExp, spoiled: Spoiled) {
  const spoil = () => (one: Answered) => (one.method === 'POST' && path.test(one.path) ? spoiled : undefined);
  return bench({ checks, run, spoil });
}

describe('the checks of posts', () => {
  test.each(VARIANT_NAMES)('raise no alarm on the legal variant %s', async (variant) => {
    const { alarms } = await bench({ checks, variant, run });
    // A body that leaves the copy out may be refused, says the table; the rule that the path wins says otherwise (R24).
    expect(alarms.filter((alarm) => alarm !== 'posts/absent-body-copy warn')).toEqual([]);
  });

  test('name no existing account without permission', async () => {
    const { report } = await bench({ checks, run: { watch: true } });
    const sent = report.exchanges.filter(({ method }) => method === 'POST');
    expect(sent.filter(({ target }) => !/c0ffee|0{8}|f{8}/i.test(target))).toEqual([]);
    expect(sent.filter(({ status }) => status === 200)).toEqual([]);
  });

  test.each<[string, RegExp, Spoiled, string, string]>([
    ['an unknown account taken', /c0ffee00-dead-7bad/i, taken, 'posts/unknown-account', 'fail'],
    ['a version 7 refused', /c0ffee00-dead-7bad/i, error(400, 'invalid_input'), 'posts/unknown-account', 'fail'],
    [
      'an unknown account unpaid',
      /./,
      error(402, 'payment_required'),
      'posts/unknown-account',
      'inconclusive(precondition)',
    ],
    ['the nil id refused', /00000000-0000/, error(400, 'invalid_input'), 'posts/right-inputs', 'fail'],
    ['the nil id taken', /00000000-0000/, taken, 'posts/right-inputs', 'fail'],
    ['an unknown account of no platform', /c0ffee/i, error(400, 'not_supported'), 'posts/unknown-account', 'fail'],
    ['an unknown account to reconnect', /00000000-0000/, error(401, 'provider_auth'), 'posts/right-inputs', 'fail'],
    [
      'an unknown account forbidden',
      /c0ffee/i,
      error(403, 'provider_permission'),
      'posts/unknown-account',
      'inconclusive(precondition)',
    ],
    ['capitals alone refused', /C0FFEE/, error(400, 'invalid_input'), 'posts/unknown-account', 'warn'],
    ['no posts at all', /posts$/, error(404, 'not_found'), 'posts/wrong-inputs', 'inconclusive(precondition)'],
    ['a body taken that is wrong in every member', /c0ffee/i, taken, 'posts/wrong-inputs', 'fail'],
    ['no posts at all', /posts$/, error(404, 'not_found'), 'posts/publishes', 'fail'],
    ['one id for all posts', /posts$/, taken, 'posts/own-ids', 'warn'],
    ['an id of version 9 taken', /c0ffee00-dead-9bad/i, taken, 'posts/malformed-ids', 'fail'],
    [
      'an id of version 0 unknown',
      /dead-0bad/i,
      error(404, 'not_found'),
      'posts/malformed-ids',
      'inconclusive(precondition)',
    ],
    ['an id of variant 7 broken', /dead-4bad-7bad/i, error(500, 'internal'), 'posts/malformed-ids', 'fail'],
    ['an id of version 6 refused', /dead-6bad/i, error(400, 'invalid_input'), 'posts/right-ids', 'fail'],
    ['an id of variant 9 taken', /dead-2bad-9bad/i, taken, 'posts/right-ids', 'fail'],
    ['the max id refused', /ffffffff-ffff/, error(400, 'invalid_input'), 'posts/nil-and-max', 'fail'],
  ])('judge %s', async (_, path, spoiled, id, verdict) => {
    expect((await benchPosts(path, spoiled)).verdicts[id]).toBe(verdict);
  });

  test.each([
    ['post-body-account-wins', 'posts/path-wins'],
    ['post-copy-must-be-uuid', 'posts/path-wins'],
    ['post-account-of-any-version', 'posts/malformed-account-id'],
    ['post-image-url-optional', 'posts/refuses-wrong-bodies'],
    ['post-media-of-any-type', 'posts/refuses-wrong-bodies'],
    ['post-image-url-relative', 'posts/refuses-wrong-bodies'],
    ['post-link-unchecked', 'posts/refuses-wrong-bodies'],
    ['post-link-without-scheme', 'posts/refuses-wrong-bodies'],
  ])('catch the server with %s', async (mutate, id) => {
    expect((await bench({ checks, mutate, run })).verdicts[id]).toBe('fail');
  });

  test('hold no clause of posts where every answer is that of a path that does not exist', async () => {
    const { report } = await benchPosts(/posts$/, error(404, 'not_found'));
    const shown = report.checks.filter(({ id }) => id.startsWith('posts/')).flatMap((check) => check.shown ?? []);
    expect(shown.filter((clause) => /account-id-nil-max|create-post-input.media|1.unknown/.test(clause))).toEqual([]);
  });

  test('show media and link without permission, and alone when all right inputs together are refused', async () => {
    const { report } = await benchPosts(/00000000-0000/, error(400, 'invalid_input'));
    const rich = report.exchanges.filter(({ requestBody }) => requestBody.text?.includes('imageUrl'));
    expect(rich.some(({ target }) => /c0ffee/.test(target))).toBe(true);
  });

  test('catch a server that looks at the copy in the body', async () => {
    const spoil = () => (one: Answered) =>
      one.method === 'POST' && /c0ffee/.test(one.path) ? error(400, 'invalid_input') : undefined;
    expect((await bench({ checks: posts, run: { watch: true }, spoil })).verdicts['posts/right-ids']).toBe('fail');
    const verdicts = (await bench({ checks: posts, mutate: 'post-copy-must-be-uuid', variant: 'strict', run }))
      .verdicts;
    expect(verdicts['posts/right-inputs']).toBe('fail');
  });

  test('catch a server that calls the nil id malformed where it looks at ids first', async () => {
    const { verdicts } = await bench({ checks, variant: 'strict', mutate: 'post-nil-account-malformed', run });
    expect(verdicts['posts/right-inputs']).toBe('fail');
  });

  test('leave open what a platform does not support without an image', async () => {
    const { verdicts } = await bench({
      checks,
      run,
      spoil: () => {
        let posts = 0;
        return (one) => {
          if (one.method !== 'POST' || one.status !== 200) return undefined;
          posts += 1;
          return posts > 1 ? error(400, 'not_supported') : undefined;
        };
      },
    });
    const open = ['posts/path-wins', 'posts/absent-body-copy', 'posts/text-edges'];
    expect(open.map((id) => verdicts[id])).toEqual(open.map(() => 'inconclusive(precondition)'));
  });

  test('stop at an account that cannot post, and fail at an answer of no table', async () => {
    const all = /posts$/;
    const stopped = await benchPosts(all, error(403, 'provider_permission'));
    expect(stopped.verdicts['posts/publishes']).toBe('inconclusive(precondition)');
    expect((await benchPosts(all, error(500, 'internal'))).verdicts['posts/publishes']).toBe('fail');
  });

  test('send nothing to the nil id of an organization that has such an account', async () => {
    const nil = '00000000-0000-0000-0000-000000000000';
    const spoil = () => (one: Answered) =>
      one.method === 'GET' && one.path === '/connect/accounts'
        ? { body: JSON.parse(JSON.stringify(one.body).replace(/"accountId":"[^"]+"/, `"accountId":"${nil}"`)) }
        : undefined;
    const { verdicts, report } = await bench({ checks, spoil });
    expect(verdicts['posts/right-inputs']).toBe('inconclusive(precondition)');
    expect(report.exchanges.filter(({ target }) => target.includes(nil))).toEqual([]);
  });
});
