import { describe, expect, test } from 'vitest';
import { bench } from '../../../fixtures/test-kit/check-bench.ts';
import type { Exchanged, Spoiled } from '../../../fixtures/test-kit/rewriting-proxy.ts';
import { accounts } from '../accounts/accounts.ts';
import { links } from '../accounts/links.ts';
import { sites } from '../sites/sites.ts';
import { listsAgain } from './lists-again.ts';
import { returningRows } from './whole-run.ts';

const checks = [...sites, ...accounts, ...links, ...listsAgain, ...returningRows];
const isAccounts = ({ method, path }: Exchanged) => method === 'GET' && path === '/connect/accounts';

/** The list of accounts with as many more invites as have been made. */
function withInvites({ body }: Exchanged, made: number): Spoiled {
  const more = Array.from({ length: made }, (_, index) => ({ ...body.data.pendingInvites[0], id: `made-${index}` }));
  return { body: { ...body, data: { ...body.data, pendingInvites: [...body.data.pendingInvites, ...more] } } };
}

/** Spoils the list of accounts by how often it has been read. */
function accountsOnRead(spoil: (one: Exchanged, read: number) => Spoiled | undefined) {
  return () => {
    let reads = 0;
    return (one: Exchanged) => {
      if (!isAccounts(one)) return undefined;
      reads += 1;
      return spoil(one, reads);
    };
  };
}

describe('lists/again', () => {
  test('accepts invites that others create during the run', async () => {
    const { results } = await bench({
      checks,
      // One at the beginning, and one more between two of the last reads.
      spoil: accountsOnRead((one, reading) => withInvites(one, reading === 1 ? 0 : reading < 4 ? 1 : 2)),
    });
    expect(results['lists/again']).toBe('pass');
  });

  test('passes rejected links if others create invites all the time', async () => {
    const { results } = await bench({ checks, spoil: accountsOnRead(withInvites) });
    expect(results['lists/again']).toBe('pass');
  });

  test.each([
    ['only they', 0, 0, 'fail'],
    ['accounts as well', 0, 1, 'pass'],
    ['others before them', 50, 0, 'pass'],
  ])('with an invite for each rejected link, where %s appear', async (_, invitesBefore, accountsMore, outcome) => {
    const spoil = () => {
      let [made, reads] = [0, 0];
      return (one: Exchanged) => {
        if (one.method === 'POST' && one.path === '/connect/accounts') made += 1;
        if (!isAccounts(one)) return undefined;
        reads += 1;
        const body: Exchanged['body'] = withInvites(one, reads === 1 ? 0 : invitesBefore + made).body;
        const [account] = body.data.accounts;
        const more = Array.from({ length: accountsMore * reads }, (_, index) => ({
          ...account,
          accountId: `a-${index}`,
        }));
        return { body: { ...body, data: { ...body.data, accounts: [...body.data.accounts, ...more] } } };
      };
    };
    expect((await bench({ checks, spoil })).results['lists/again']).toBe(outcome);
  });

  test.each([
    ['is still returned by its id', false, 'fail'],
    ['is deleted', true, 'pass'],
  ])('with a site that the list loses and that %s', async (_, isDeleted, outcome) => {
    const spoil = () => {
      let lists = 0;
      return ({ path, status, body }: Exchanged) => {
        if (path === '/sites' && status === 200) lists += 1;
        if (lists < 2 || status !== 200) return undefined;
        if (path === '/sites') return { body: { ...body, data: body.data.slice(1) } };
        const error = { code: 'not_found', message: 'gone' };
        return isDeleted && path.startsWith('/sites/') ? { status: 404, body: { error } } : undefined;
      };
    };
    expect((await bench({ checks: [...sites.slice(0, 1), ...listsAgain], spoil })).results['lists/again']).toBe(
      outcome,
    );
  });

  test('takes an account that is gone at the end as gone', async () => {
    const { results } = await bench({
      checks,
      spoil: accountsOnRead(({ body }, reading) =>
        reading === 1
          ? undefined
          : { body: { ...body, data: { ...body.data, accounts: body.data.accounts.slice(1) } } },
      ),
    });
    expect(results['lists/again']).toBe('pass');
    expect(results['lists/no-return']).not.toBe('fail');
  });
});
