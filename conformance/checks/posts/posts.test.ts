import { describe, expect, test } from 'vitest';
import { bench } from '../../../fixtures/test-kit/check-bench.ts';
import { counted } from '../../../fixtures/test-kit/check-tests.ts';
import { type Exchanged, rejection, type Spoiled } from '../../../fixtures/test-kit/rewriting-proxy.ts';
import type { Independent } from '../../../proof/independent/index.ts';
import { replies } from '../reviews/reviews.ts';
import { absentCopiesOfWrites } from './inputs.ts';
import { posts } from './posts.ts';
import { postsWritten } from './written.ts';

const open = 'inconclusive(precondition)';
const checks = [...posts, ...postsWritten];
const run = ({ accounts: { postable } }: Independent) =>
  ({ allowWrites: ['posts'], maxWrites: 40, account: postable, watch: true }) as const;

/** With all checks, or with one, those that it follows, and one that posts. */
function benchPosts(path: RegExp, spoiled: Spoiled, only?: string) {
  const spoil = () => (one: Exchanged) => (one.method === 'POST' && path.test(one.path) ? spoiled : undefined);
  const followed = ['posts/text-edges', ...(checks.find(({ id }) => id === only)?.after ?? [])];
  const chosen = checks.filter(({ id }) => only === undefined || id === only || followed.includes(id));
  return bench({ checks: chosen, run, spoil });
}

describe('the checks of posts', () => {
  test('warn of a null copy of the account that is missed, as of an absent one (R66)', async () => {
    const schemaFirst = { precedence: ['schema', 'existence', 'state', 'payment', 'item'] } as const;
    const { result } = await bench({ checks, variant: { ...schemaFirst, absentCopy: 'reject' }, run: { watch: true } });
    const { result: outcome, findings } = result('posts/any-copy');
    expect([outcome.kind, findings.map(({ clause }) => clause)]).toEqual([
      'warn',
      ['2.create-post-input.account-id', '2.reply-review-input.account-id'],
    ]);
  });

  test.each(['absent', 'reject'] as const)('note null for optional fields: %s (R63)', async (nullOptional) => {
    const { result } = await bench({ checks, variant: { nullOptional }, run });
    const { findings } = result('posts/null-optionals');
    const actual = nullOptional === 'absent' ? '200' : '400 invalid_input';
    expect(findings.map((finding) => [finding.severity, finding.actual])).toEqual([['note', actual]]);
  });

  test('name no existing account without permission', async () => {
    const { report } = await bench({ checks, run: { watch: true } });
    const sent = report.exchanges.filter(({ method }) => method === 'POST');
    expect(sent.filter(({ target }) => !/c0ffee|0{8}|f{8}/i.test(target))).toEqual([]);
    expect(sent.filter(({ status }) => status === 200)).toEqual([]);
  });

  test.each<[string, RegExp, Spoiled, string, string]>([
    ['an unknown account unpaid', /./, rejection(402, 'payment_required'), 'posts/unknown-account', open],
    ['an unknown account forbidden', /c0ffee/i, rejection(403, 'provider_permission'), 'posts/unknown-account', open],
    ['capitals alone rejected', /C0FFEE/, rejection(400, 'invalid_input'), 'posts/unknown-account', 'warn'],
    ['no posts at all', /posts$/, rejection(404, 'not_found'), 'posts/wrong-inputs', open],
    ['an id of version 0 unknown', /dead-0bad/i, rejection(404, 'not_found'), 'posts/malformed-ids', open],
  ])('check %s', async (_, path, spoiled, id, outcome) => {
    expect((await benchPosts(path, spoiled, id)).results[id]).toBe(outcome);
  });

  test('hold no clause of posts where every response is that of a path that does not exist', async () => {
    const { report } = await benchPosts(/posts$/, rejection(404, 'not_found'));
    const shown = report.checks.filter(({ id }) => id.startsWith('posts/')).flatMap((check) => check.shown ?? []);
    expect(shown.filter((clause) => /account-id-nil-max|create-post-input.media|1.unknown/.test(clause))).toEqual([]);
  });

  test('show media and link without permission, and alone when all right inputs together are rejected', async () => {
    const { report } = await benchPosts(/00000000-0000/, rejection(400, 'invalid_input'));
    const rich = report.exchanges.filter(({ requestBody }) => requestBody.text?.includes('imageUrl'));
    expect(rich.some(({ target }) => /c0ffee/.test(target))).toBe(true);
  });

  test('leave open what a platform does not support without an image', async () => {
    const isPost = ({ method, status }: Exchanged) => method === 'POST' && status === 200;
    const spoil = counted(isPost, (_, posts) => (posts > 1 ? rejection(400, 'not_supported') : undefined));
    const { results } = await bench({ checks, run, spoil });
    const ids = ['posts/path-wins', 'posts/absent-body-copy', 'posts/text-edges'];
    expect(ids.map((each) => results[each])).toEqual(ids.map(() => open));
  });

  test('stop at an account that cannot post, and fail at a response of no table', async () => {
    const all = /posts$/;
    const stopped = await benchPosts(all, rejection(403, 'provider_permission'));
    expect(stopped.results['posts/publishes']).toBe('inconclusive(precondition)');
    expect((await benchPosts(all, rejection(500, 'internal'))).results['posts/publishes']).toBe('fail');
  });

  test('send nothing to the nil id of an organization that has such an account', async () => {
    const nil = '00000000-0000-0000-0000-000000000000';
    const spoil = () => (one: Exchanged) =>
      one.method === 'GET' && one.path === '/connect/accounts'
        ? { body: JSON.parse(JSON.stringify(one.body).replace(/"accountId":"[^"]+"/, `"accountId":"${nil}"`)) }
        : undefined;
    const { results, report } = await bench({ checks, spoil });
    expect(results['posts/right-inputs']).toBe('inconclusive(precondition)');
    expect(report.exchanges.filter(({ target }) => target.includes(nil))).toEqual([]);
  });
});

const copyChecks = [...posts.filter(({ id }) => id === 'posts/wrong-inputs'), ...replies, ...absentCopiesOfWrites];
/** Looks at the input before the account. */
const inputFirst = { precedence: ['schema', 'existence', 'state', 'payment', 'item'] } as const;
const id = 'connect/absent-copies';

/** Adds a problem of a field to what rejects posts or replies. */
const naming = (path: RegExp, field: string) => () => (one: Exchanged) =>
  one.method === 'POST' && one.status === 400 && path.test(one.path)
    ? { body: { error: { code: 'invalid_input', message: '', issues: [{ path: 'text' }, { path: field }] } } }
    : undefined;

/** Rejects ids of version 7 before it looks at anything else. */
const malformed = () => (one: Exchanged) =>
  one.method === 'POST' && /dead-7bad/i.test(one.path)
    ? { status: 400, body: { error: { code: 'invalid_input', message: '', issues: [{ path: 'accountId' }] } } }
    : undefined;

describe('copies that a body lacks', () => {
  test.each([
    ['that takes them for granted', inputFirst, 'pass'],
    ['that requires them', 'strict', 'warn'],
    ['that looks for the account first', 'plain', 'inconclusive(vacuous)'],
  ] as const)('are checked on a legal server %s', async (_, variant, result) => {
    const { results, report } = await bench({ checks: copyChecks, variant });
    expect(results[id]).toBe(result);
    expect(report.checks.find((check) => check.id === id)?.exchanges).toEqual([]);
  });

  test('fail a server that calls an id of version 7 malformed, where replies miss no copy', async () => {
    const { results, report } = await bench({ checks: copyChecks, variant: inputFirst, spoil: malformed });
    expect(results[id]).toBe('fail');
    const [finding] = report.checks.find((check) => check.id === id)?.findings ?? [];
    expect(finding?.clause).toBe('2.create-post-input.account-id-pattern');
  });

  test('warn of posts alone that miss theirs, when a right copy is taken', async () => {
    const { report } = await bench({ checks: copyChecks, variant: inputFirst, spoil: naming(/posts$/, 'accountId') });
    const findings = report.checks.find((check) => check.id === id)?.findings.map(({ clause }) => clause);
    expect(findings).toEqual(['2.create-post-input.account-id']);
  });
});
