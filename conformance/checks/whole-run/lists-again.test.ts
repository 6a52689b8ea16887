import { describe, expect, test } from 'vitest';
import { bench } from '../../../fixtures/test-kit/check-bench.ts';
import { counted, type ResultRow, testResults, withData, withRows } from '../../../fixtures/test-kit/check-tests.ts';
import { type Exchanged, rejection } from '../../../fixtures/test-kit/rewriting-proxy.ts';
import { accounts } from '../accounts/accounts.ts';
import { links } from '../accounts/links.ts';
import { sites } from '../sites/sites.ts';
import { listsAgain } from './lists-again.ts';
import { noReturn } from './no-return.ts';

const checks = [...sites, ...accounts, ...links, ...listsAgain, noReturn];
const isAccounts = ({ method, path }: Exchanged) => method === 'GET' && path === '/connect/accounts';

/** The list of accounts with as many more invites as have been made. */
function withInvites(one: Exchanged, made: number, fields: object = {}) {
  const { pendingInvites } = one.body.data;
  const more = Array.from({ length: made }, (_, index) => ({ ...pendingInvites[0], id: `made-${index}` }));
  return withData(one, { pendingInvites: [...pendingInvites, ...more], ...fields });
}

/** An invite for each rejected link, and other rows: invites from the second read on, accounts with every read. */
const invited = (title: string, result: string, { invites = 0, accounts: more = 0 } = {}): ResultRow => [
  title,
  'lists/again',
  result,
  () => {
    let made = 0;
    const spoil = counted(isAccounts, (one, reads) => {
      const rows = one.body.data.accounts;
      const added = Array.from({ length: more * reads }, (_, index) => ({ ...rows[0], accountId: `a-${index}` }));
      return withInvites(one, reads === 1 ? 0 : invites + made, { accounts: [...rows, ...added] });
    })();
    return (one) => {
      made += Number(one.method === 'POST' && one.path === '/connect/accounts');
      return spoil(one);
    };
  },
];

/** A site that every list but the first lacks. */
const lost = (isDeleted: boolean) => () => {
  let lists = 0;
  return (one: Exchanged) => {
    if (one.path === '/sites' && one.status === 200) lists += 1;
    if (lists < 2 || one.status !== 200) return undefined;
    if (one.path === '/sites') return withRows(one, one.body.data.slice(1));
    return isDeleted && one.path.startsWith('/sites/') ? rejection(404, 'not_found') : undefined;
  };
};

describe('lists/again', () => {
  // One at the beginning, and one more between two of the last reads.
  const byOthers = counted(isAccounts, (one, reads) => withInvites(one, reads === 1 ? 0 : reads < 4 ? 1 : 2));
  const always = counted(isAccounts, (one, reads) => withInvites(one, reads));
  testResults({ checks }, [
    ['accepts invites that others create during the run', 'lists/again', 'pass', byOthers],
    ['passes rejected links if others create invites all the time', 'lists/again', 'pass', always],
    invited('fails with an invite for each rejected link', 'fail'),
    invited('passes such invites where accounts appear as well', 'pass', { accounts: 1 }),
    invited('passes such invites where others appear before them', 'pass', { invites: 50 }),
  ]);

  testResults({ checks: [...sites.slice(0, 1), ...listsAgain] }, [
    ['fails for a site that the list loses and that is still returned by its id', 'lists/again', 'fail', lost(false)],
    ['lets the list lose a site that is deleted', 'lists/again', 'inconclusive(interference)', lost(true)],
  ]);

  test('takes an account that is gone at the end as gone', async () => {
    const spoil = counted(isAccounts, (one, reads) =>
      reads === 1 ? undefined : withData(one, { accounts: one.body.data.accounts.slice(1) }),
    );
    const { results } = await bench({ checks, spoil });
    expect(results['lists/again']).toBe('pass');
    expect(results['lists/no-return']).not.toBe('fail');
  });
});
