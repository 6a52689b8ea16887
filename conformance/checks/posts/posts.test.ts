import { describe, expect, test } from 'vitest';
import { bench } from '../../../fixtures/test-kit/check-bench.ts';
import { historyOf, judged, type Line } from '../../../fixtures/test-kit/history.ts';
import { type Exchanged, rejection } from '../../../fixtures/test-kit/rewriting-proxy.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { posts as checks } from './posts.ts';

const account = '0190f6a2-1111-4a1b-8c2d-aaaaaaaaaaaa';
const nobody = '0190f6a2-dead-4bad-8bad-c0ffeec0ffee';
const given = { ...historyOf([]).given, account, unknownId: nobody, runId: 'test' };

const error = (code: string, issues: readonly string[] = []) => ({ error: { code, message: '', issues } });
const [unknown, invalid, unpaid] = [error('not_found'), error('invalid_input'), error('payment_required')];
const posted = { data: { postId: '1' } };

/** A post and its response; `sent` is the body. */
function post(label: string, response: unknown, { sent, id = nobody }: { sent?: object; id?: string } = {}): Line {
  const text = JSON.stringify(sent ?? {});
  return [`good POST /connect/accounts/${id}/posts`, response, { label, requestBody: { text, bytes: text.length } }];
}
const own = (label: string, response: unknown) => post(label, response, { id: account });
const accounts: Line = ['good GET /connect/accounts', { data: { accounts: [{ accountId: account }] } }];
const reviews: Line = [`good GET /connect/accounts/${account}/reviews`, { data: { reviews: [] } }];
const broken: Partial<Exchange> = { status: 500 };

const open = 'inconclusive(precondition)';
const [right, wrong, first, valid] = [
  'posts/right-inputs',
  'posts/wrong-inputs',
  'posts/publishes',
  'posts/text-edges',
];
const ofPattern = '2.create-post-input.account-id-pattern';
const twoIssues = error('invalid_input', ['text', 'media']);
const withoutCopy = { sent: { text: 7 } };
const copies = 'connect/absent-copies';
const plainToo = [post('post: longest', invalid), post('plain createPost', invalid)];
const oneOfAll = [post('post: together', invalid), post('post: link', invalid)];
const missed = post('invalid input', error('invalid_input', ['text', 'accountId']), withoutCopy);

describe('the checks of posts', () => {
  test.each<[title: string, id: string, lines: readonly Line[], result: string, findings?: readonly string[]]>([
    ['a path that does not exist', right, [post('post: media', unknown)], 'inconclusive(vacuous)'],
    ['a payment', right, [post('post: media', unpaid)], open],
    ['an unknown account', right, [post('post: media', unknown), post('', invalid)], 'pass'],
    ['a post to an unknown id', right, [post('post: media', posted)], 'fail', ['fail 4.connect.unknown-account x1']],
    ['an input', right, [post('post: longest', invalid)], 'fail', ['fail 8.post-text x1']],
    ['a plain input too', right, plainToo, 'fail', ['fail 4.connect.unknown-account x1']],
    ['capitals', right, [post('post: capitals', invalid, { id: nobody.toUpperCase() })], 'warn'],
    ['all together', right, [post('post: together', invalid)], 'fail', ['fail 7.code.invalid-input x1']],
    ['one of all', right, oneOfAll, 'fail', ['fail 2.create-post-input.link x2']],
    ['no posts at all', wrong, [post('invalid input', unknown)], open],
    ['an invalid post', wrong, [post('invalid input', posted)], 'fail', ['fail 4.connect.create-post.invalid x1']],
    ['a link that is not checked', wrong, [post('invalid input', twoIssues, { sent: { link: 7 } })], 'warn'],
    ['null as link', wrong, [post('invalid input', twoIssues, { sent: { link: null } })], 'pass'],
    ['a malformed id', 'posts/malformed-ids', [post('post: malformed account', unknown)], open],
    ['a copy', copies, [missed], 'warn', ['warn 2.create-post-input.account-id x1']],
    ['no copy', copies, [post('', twoIssues, withoutCopy)], 'pass'],
    ['an id, not the copy of it', copies, [missed, post('post: its copy', invalid)], 'fail', [`fail ${ofPattern} x2`]],
    ['an account that may not post', first, [own('first post', error('provider_permission'))], open],
    ['an account that is not listed', first, [own('first post', unknown)], open],
    ['an account that exists', first, [own('first post', unknown), accounts, reviews], 'fail'],
    ['a post', first, [accounts, [own('first post', {})[0], {}, { label: 'first post', ...broken }]], 'fail'],
    ['a platform without texts', valid, [own('post without a copy', error('not_supported'))], open],
    ['null as absent (R63)', valid, [own('post with null fields', posted)], 'inconclusive(vacuous)', ['note']],
    ['null as invalid (R63)', valid, [own('post with null fields', invalid)], 'inconclusive(vacuous)', ['note']],
    ['null with a breakdown', valid, [[own('', {})[0], {}, { label: 'post with null fields', ...broken }]], 'warn'],
  ])('judge a rejection of %s', (_, id, lines, result, findings = []) => {
    const check = checks.find((one) => one.id === id);
    const found = judged(check as (typeof checks)[number], historyOf(lines, { given }));
    expect(found.result).toBe(result);
    for (const [index, words] of findings.entries()) expect(found.findings[index]).toContain(words);
  });

  test('name no existing account without permission', async () => {
    const { report } = await bench({ checks, run: { watch: true } });
    const sent = report.exchanges.filter(({ method, target }) => method === 'POST' && target !== '/connect/accounts');
    expect(sent.filter(({ target }) => !/c0ffee|0{8}|f{8}/i.test(target))).toEqual([]);
    expect(sent.filter(({ status }) => status === 200)).toEqual([]);
  });

  test('send each valid input alone when all together are rejected', async () => {
    const spoil = () => (one: Exchanged) =>
      /00000000-0000/.test(one.path) ? rejection(400, 'invalid_input') : undefined;
    const { report } = await bench({ checks, spoil });
    const rich = report.exchanges.filter(({ requestBody }) => requestBody.text?.includes('imageUrl'));
    expect(rich.some(({ target }) => /c0ffee/.test(target))).toBe(true);
  });

  test('send nothing to the nil id of an organization that has such an account', async () => {
    const nil = '00000000-0000-0000-0000-000000000000';
    const spoil = () => (one: Exchanged) =>
      one.method === 'GET' && one.path === '/connect/accounts'
        ? { body: JSON.parse(JSON.stringify(one.body).replace(/"accountId":"[^"]+"/, `"accountId":"${nil}"`)) }
        : undefined;
    const { results, report } = await bench({ checks, spoil });
    expect(results['posts/right-inputs']).toBe(open);
    expect(report.exchanges.filter(({ target }) => target.includes(nil))).toEqual([]);
  });
});
