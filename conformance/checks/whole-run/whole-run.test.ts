import { describe, expect, test } from 'vitest';
import { bench } from '../../../fixtures/test-kit/check-bench.ts';
import { counted, withData, withRows } from '../../../fixtures/test-kit/check-tests.ts';
import { historyOf, judged, type Line, outcomeOf } from '../../../fixtures/test-kit/history.ts';
import type { Exchanged } from '../../../fixtures/test-kit/rewriting-proxy.ts';
import { invalidLinkLabel } from '../../exchange/request.ts';
import type { Judged } from '../../judge/judge.ts';
import { encodedTwice, nilUuid } from '../../scenarios/inputs.ts';
import { accounts } from '../accounts/accounts.ts';
import { links } from '../accounts/links.ts';
import { sites } from '../sites/sites.ts';
import { noReturn } from './no-return.ts';
import { connect, listsAgain } from './whole-run.ts';

const [again, rareForms] = listsAgain as [Judged, Judged];
const rejected = (code: string) => ({ error: { code, message: '', issues: ['x'] } });
const sitesOf = (ids: string): Line => ['good GET /sites', { data: [...ids].map((id) => ({ id })) }];
/** Accounts, and invites. */
const list = (accounts: string, invites: string): Line => [
  'good GET /connect/accounts',
  {
    data: {
      accounts: [...accounts].map((accountId) => ({ accountId, status: 'connected' })),
      pendingInvites: [...invites].map((id) => ({ id })),
    },
  },
];
const link: Line = ['good POST /connect/accounts', rejected('invalid_input')];
const made: Line = ['good POST /connect/accounts', { data: {} }];

describe('lists/again', () => {
  const rounds = [link, list('a', '12'), list('a', '12'), link, list('a', '123'), list('a', '123')];
  const three = [list('a', '1'), ...rounds, link, list('a', '1234'), list('a', '1234')];
  const accounts = '4.connect.list-accounts.content';
  // biome-ignore format: one row a line
  test.each<[string, readonly Line[], string]>([
    ['the same lists', [sitesOf('12'), sitesOf('12'), list('a', '1'), list('a', '1')], 'pass'],
    ['one list of each', [sitesOf('12'), list('a', '1')], 'inconclusive(vacuous)'],
    ['a key that is rejected later', [sitesOf('1'), ['good GET /sites', rejected('unauthorized')]], 'fail 7.code.unauthorized x2'],
    ['a payment that is due later', [sitesOf('1'), sitesOf('1'), list('a', ''), [list('a', '')[0], rejected('payment_required')]], 'pass'],
    ['a list that breaks down later', [sitesOf('1'), ['good GET /sites', {}, { status: 500 }]], 'fail 4.sites.list.statuses x2'],
    ['a site that was unknown', [sitesOf('1'), ['good GET /sites/2', rejected('not_found')], sitesOf('12')], 'fail 4.sites.list x3'],
    ['a site that was listed before it was unknown', [sitesOf('12'), ['good GET /sites/2', rejected('not_found')], sitesOf('12')], 'pass'],
    ['an account that was unknown', [list('a', ''), ['good GET /connect/accounts/b/reviews', rejected('not_found')], list('ab', '')], `fail ${accounts} x3`],
    ['an invite for each rejected link', three, 'fail 4.connect.create-link.invalid x10'],
    ['an invite for two of them', three.slice(0, 7), `note ${accounts} x7`],
    ['such invites where one link made none', [...three, link, list('a', '1234')], `note ${accounts} x12`],
    ['such invites where accounts appear as well', [...three.slice(0, 8), list('ab', '1234'), list('ab', '1234')], `note ${accounts} x10`],
    ['such invites where others create some', [list('a', ''), ...three], `note ${accounts} x11`],
    ['an invite of a link', [list('a', '1'), made, list('a', '12')], 'pass'],
  ])('judges %s', (_, lines, outcome) => {
    expect(outcomeOf(again, historyOf(lines))).toBe(outcome);
  });

  test('claims nothing about a recording', () => {
    expect(outcomeOf(again, historyOf(three, { isRecorded: true }))).toBe('inconclusive(vacuous)');
  });
});

describe('the scenario of lists', () => {
  const isAccounts = ({ method, path }: Exchanged) => method === 'GET' && path === '/connect/accounts';

  test('repeats a rejected link that seems to make an invite', async () => {
    let sent = 0;
    const spoil = counted(isAccounts, (one, reads) => {
      const { pendingInvites } = one.body.data;
      const more = Array.from({ length: reads === 1 ? 0 : sent }, (_, id) => ({
        ...pendingInvites[0],
        id: `made-${id}`,
      }));
      return withData(one, { pendingInvites: [...pendingInvites, ...more] });
    })();
    const counting = (one: Exchanged) => {
      sent += Number(one.method === 'POST' && one.path === '/connect/accounts');
      return spoil(one);
    };

    const { results } = await bench({ checks: [...accounts, ...links, again], spoil: () => counting });
    expect(results['lists/again']).toBe('fail');
  });

  test('reads a site by its id that the list has lost', async () => {
    const spoil = counted(
      ({ path, status }) => path === '/sites' && status === 200,
      (one, lists) => (lists < 2 ? undefined : withRows(one, one.body.data.slice(1))),
    );
    const { results } = await bench({ checks: [...sites.slice(0, 1), again, noReturn], spoil });
    expect(results['lists/no-return']).toBe('fail');
  });
});

const [site, other] = ['a', 'b'].map((digit) => `${digit.repeat(8)}-1111-4111-8111-111111111111`) as [string, string];
const rows = (...ids: string[]) => ({ data: ids.map((siteId, id) => ({ id: `${id}`, siteId })) });
const sent = (target: string, body: unknown, label = 'id in a rare form'): Line => [
  `good GET ${target}`,
  body,
  { label },
];
const all: Line = ['good GET /articles', rows(site, other)];
const notFound = { error: { code: 'not_found', message: '' } };

describe('ids/rare-forms', () => {
  const list = '4.articles.list.site-id';
  test.each<[string, readonly Line[], string]>([
    ['an unknown article', [sent(`/articles/${nilUuid}`, notFound)], 'pass'],
    ['an article of the nil UUID', [sent(`/articles/${nilUuid}`, { data: {} })], 'fail 4.articles.get.not-found x1'],
    ['keywords of the nil UUID', [sent(`/keywords?siteId=${nilUuid}`, rows(site))], 'fail 4.keywords.list.of-site x1'],
    ['no keywords', [sent(`/keywords?siteId=${nilUuid}`, rows())], 'pass'],
    ['all articles for the nil UUID', [all, sent(`/articles?siteId=${nilUuid}`, rows(site, other))], `warn ${list} x2`],
    ['all articles for bytes that are not UTF-8', [all, sent('/articles?siteId=%FF', rows(site, other))], 'pass'],
    [
      'articles of a site that is encoded twice',
      [all, sent(`/articles?siteId=${encodedTwice(site)}`, rows(site))],
      `fail ${list} x2`,
    ],
    ['all articles of the only site', [sent(`/articles?siteId=${encodedTwice(site)}`, rows(site))], 'pass'],
    [
      'reviews of a malformed id',
      [sent('/connect/accounts/%FF/reviews', { data: {} }, 'account id in a rare form')],
      'fail 4.connect.account-id x1',
    ],
  ])('judges %s', (_, lines, outcome) => {
    expect(outcomeOf(rareForms, historyOf(lines))).toBe(outcome);
  });
});

const [sixOperations, eachProblem, ownIds] = connect as [(typeof connect)[0], (typeof connect)[0], (typeof connect)[0]];
const at = '/connect/accounts';
const text = (value: unknown) => ({ requestBody: { text: JSON.stringify(value), bytes: 2 } });
const withIssues = (issues?: unknown) => ({ error: { code: 'invalid_input', message: '', issues } });
const twice = text({ provider: 'casa', label: '' });

describe('accounts/six-operations', () => {
  const all: Line[] = [
    [`good GET ${at}`, { data: {} }],
    [`good POST ${at}`, withIssues()],
    [`good POST ${at}/a/posts`, { data: {} }],
    [`good GET ${at}/a/reviews`, { data: {} }],
    [`good POST ${at}/a/reviews/r/reply`, withIssues()],
    [`good GET ${at}/a/insights`, { data: {} }],
  ];
  test('passes if each operation returned a response, and is inconclusive without one', () => {
    expect(judged(sixOperations, historyOf(all)).result).toBe('pass');
    expect(judged(sixOperations, historyOf(all.slice(1))).result).toBe('inconclusive(precondition)');
  });
});

describe('links/each-problem', () => {
  test.each<[string, unknown, object, string]>([
    ['one of two problems', [{ path: 'provider', message: 'missing' }], twice, 'warn'],
    ['only an empty entry', [{}], twice, 'warn'],
    ['both in one entry', [{ message: 'provider and label are missing' }], twice, 'pass'],
    ['both, one level deeper', { fieldErrors: { provider: ['missing'], label: ['missing'] } }, twice, 'pass'],
    ['one, of a body that is too long to keep', [{ path: 'label' }], { label: invalidLinkLabel }, 'warn'],
    ['one, of a body with one', [{ path: 'label' }], text({ provider: 'tiktok', label: '' }), 'inconclusive(vacuous)'],
    ['one, of an empty body', [{ path: 'label' }], text({}), 'inconclusive(vacuous)'],
  ])('checks issues that list %s', (_, issues, rest, result) => {
    expect(judged(eachProblem, historyOf([[`good POST ${at}`, withIssues(issues), rest]])).result).toBe(result);
  });
});

describe('posts/own-ids', () => {
  const post = (postId: string | undefined, words: string): Line => [
    `good POST ${at}/a/posts`,
    { data: { postId } },
    text(words),
  ];
  test.each<[string, Line[], string]>([
    ['that differ', [post('1', 'a'), post('2', 'b')], 'pass'],
    ['in common', [post('1', 'a'), post('1', 'b')], 'warn'],
    ['in common for the same text', [post('1', 'a'), post('1', 'a')], 'pass'],
    ['that the recording lacks', [post(undefined, 'a'), post(undefined, 'b')], 'inconclusive(vacuous)'],
  ])('checks posts with ids %s', (_, lines, result) => {
    expect(judged(ownIds, historyOf(lines)).result).toBe(result);
  });
});
