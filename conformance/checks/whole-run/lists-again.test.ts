import { describe, expect, test } from 'vitest';
import { bench } from '../../../fixtures/test-kit/check-bench.ts';
import { counted, withData, withRows } from '../../../fixtures/test-kit/check-tests.ts';
import { historyOf, type Line, outcomeOf } from '../../../fixtures/test-kit/history.ts';
import type { Exchanged } from '../../../fixtures/test-kit/rewriting-proxy.ts';
import type { Judged } from '../../judge/judge.ts';
import { accounts } from '../accounts/accounts.ts';
import { links } from '../accounts/links.ts';
import { sites } from '../sites/sites.ts';
import { listsAgain } from './lists-again.ts';
import { noReturn } from './no-return.ts';

const [again] = listsAgain as [Judged];
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
  test.each<[string, readonly Line[], string]>([
    ['the same lists', [sitesOf('12'), sitesOf('12'), list('a', '1'), list('a', '1')], 'pass'],
    ['one list of each', [sitesOf('12'), list('a', '1')], 'inconclusive(vacuous)'],
    [
      'a key that is rejected later',
      [sitesOf('1'), ['good GET /sites', rejected('unauthorized')]],
      'fail 7.code.unauthorized x2',
    ],
    [
      'a payment that is due later',
      [sitesOf('1'), sitesOf('1'), list('a', ''), [list('a', '')[0], rejected('payment_required')]],
      'pass',
    ],
    [
      'a list that breaks down later',
      [sitesOf('1'), ['good GET /sites', {}, { status: 500 }]],
      'fail 4.sites.list.statuses x2',
    ],
    [
      'a site that was unknown',
      [sitesOf('1'), ['good GET /sites/2', rejected('not_found')], sitesOf('12')],
      'fail 4.sites.list x3',
    ],
    [
      'a site that was listed before it was unknown',
      [sitesOf('12'), ['good GET /sites/2', rejected('not_found')], sitesOf('12')],
      'pass',
    ],
    [
      'an account that was unknown',
      [list('a', ''), ['good GET /connect/accounts/b/reviews', rejected('not_found')], list('ab', '')],
      `fail ${accounts} x3`,
    ],
    ['an invite for each rejected link', three, 'fail 4.connect.create-link.invalid x10'],
    ['an invite for two of them', three.slice(0, 7), `note ${accounts} x7`],
    ['such invites where one link made none', [...three, link, list('a', '1234')], `note ${accounts} x12`],
    [
      'such invites where accounts appear as well',
      [...three.slice(0, 8), list('ab', '1234'), list('ab', '1234')],
      `note ${accounts} x10`,
    ],
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

    const { results } = await bench({ checks: [...accounts, ...links, ...listsAgain], spoil: () => counting });
    expect(results['lists/again']).toBe('fail');
  });

  test('reads a site by its id that the list has lost', async () => {
    const spoil = counted(
      ({ path, status }) => path === '/sites' && status === 200,
      (one, lists) => (lists < 2 ? undefined : withRows(one, one.body.data.slice(1))),
    );
    const { results } = await bench({ checks: [...sites.slice(0, 1), ...listsAgain, noReturn], spoil });
    expect(results['lists/no-return']).toBe('fail');
  });
});
