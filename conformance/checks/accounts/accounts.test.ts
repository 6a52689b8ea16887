import { describe, expect, test } from 'vitest';
import { bench, firstDraws } from '../../../fixtures/test-kit/check-bench.ts';
import { counted, testResults, withData } from '../../../fixtures/test-kit/check-tests.ts';
import { type Exchanged, rejection } from '../../../fixtures/test-kit/rewriting-proxy.ts';
import type { Independent } from '../../../proof/independent/index.ts';
import { accounts } from './accounts.ts';
import { links } from './links.ts';
import { linksWritten } from './links-written.ts';

const isList = ({ method, path }: Exchanged) => method === 'GET' && path === '/connect/accounts';
const isRefused = ({ path, status }: Exchanged) => /reviews$/.test(path) && status !== 200;
const all = { checks: accounts, run: { watch: true } };
const open = 'inconclusive(precondition)';

/** Replaces responses of the server with a status and code. */
const says = (matches: (one: Exchanged) => boolean, status: number, code: string) => () => (one: Exchanged) =>
  matches(one) ? rejection(status, code) : undefined;

const invite = { id: '1', label: 'x', provider: 'tiktok', maxAccounts: 2, expiresAt: '2026-05-09T00:00:00Z' };

const listed = (change: (data: { accounts: object[] }, count: number) => object) =>
  counted(
    (one) => isList(one) && one.status === 200,
    (one, count) => withData(one, change(one.body.data, count)),
  );

/** The first account is shown where `isShown` is not 0. */
const flickering = (isShown: (count: number) => number) =>
  listed(({ accounts: rows }, count) => ({ accounts: isShown(count) ? rows : rows.slice(1) }));

describe('the checks of accounts', () => {
  const isDenied = ({ path, status }: Exchanged) => /insights$/.test(path) && status === 401;
  const ofStatus = (id: string, matches: (one: Exchanged) => boolean) => (row: readonly [number, string, string]) =>
    [`${id}: take ${row[0]} ${row[1]} for ${row[2]}`, id, row[2], says(matches, row[0], row[1])] as const;
  const [ofList, ofStates] = [ofStatus('accounts/list', isList), ofStatus('accounts/refused-states', isRefused)];
  testResults(all, [
    ofList([500, 'internal', 'fail']),
    ofList([404, 'not_found', 'fail']),
    ofList([401, 'provider_auth', 'fail']),
    ofList([402, 'payment_required', open]),
    ofStates([404, 'not_found', 'warn']),
    ofStates([400, 'invalid_input', 'warn']),
    ofStates([401, 'provider_auth', 'pass']),
    ofStates([403, 'provider_auth', 'fail']),
    ofStates([401, 'unauthorized', 'fail']),
    ofStates([501, 'not_supported', 'fail']),
    // Both reviews and insights of an account are read.
    ofStatus('accounts/each', isDenied)([403, 'provider_auth', 'fail']),
    ['let one be removed', 'accounts/steady', 'inconclusive(interference)', flickering((count) => Number(count < 2))],
    ['fail where one comes back', 'accounts/steady', 'fail', flickering((count) => count % 3)],
  ]);

  test('read one without reviews first, then unusable accounts by turns, each once', async () => {
    const isRead = ({ path }: Exchanged) => /(reviews|insights)$/.test(path);
    const readBy = async (seed: number) => {
      const { report } = await bench({ checks: accounts, run: { seed }, spoil: says(isRead, 503, 'transient') });
      return report.exchanges.filter(({ operation }) => operation === 'listReviews').map(({ target }) => target);
    };
    const runs = await Promise.all([0, 1, 2, 3].map((turn) => readBy(firstDraws + turn)));
    const distinct = [0, 1].map((at) => new Set(runs.map((run) => run[at])).size);
    expect(distinct).toEqual([1, 3]);
    for (const run of runs) expect(new Set(run).size).toBe(run.length);
  });

  const doubled = (fields: object) =>
    listed(({ accounts: rows }) => ({ accounts: [...rows, { ...rows[0], ...fields }] }));
  const inviting = (...pendingInvites: readonly object[]) => listed(() => ({ pendingInvites }));
  testResults({ checks: accounts }, [
    ['fail for an account twice', 'accounts/list', 'fail', doubled({})],
    ['accept two rows of one account that differ', 'accounts/list', 'pass', doubled({ label: 'other' })],
    ['fail for an invite twice', 'accounts/list', 'fail', inviting(invite, invite)],
    ['accept invites alike but for their ids', 'accounts/list', 'pass', inviting(invite, { ...invite, id: '2' })],
    ['warn of an invite for 21 accounts', 'accounts/list', 'warn', inviting({ ...invite, maxAccounts: 21 })],
    ['warn of an invite without a label', 'accounts/list', 'warn', inviting({ ...invite, label: '' })],
  ]);

  test('note an account of --account that the list lacks', async () => {
    const run = { account: '00000000-0000-4000-8000-000000000001' };
    const { result } = await bench({ checks: accounts, run });
    expect(result('accounts/list').findings.map(({ severity }) => severity)).toEqual(['note']);
  });

  test('know an account of --account in any letter case', async () => {
    const run = ({ accounts: { reviewable } }: Independent) => ({ account: reviewable.toUpperCase() });
    const { result } = await bench({ checks: accounts, run });
    expect(result('accounts/list').findings).toEqual([]);
  });
});

const checks = [...links, ...linksWritten];
const run = { allowWrites: ['links'], maxWrites: 40, watch: true } as const;
const isLink = ({ method, path }: Exchanged) => method === 'POST' && path === '/connect/accounts';

/** New links that come back otherwise. */
const made = (fields: object) => () => (one: Exchanged) =>
  isLink(one) && one.status === 200 ? withData(one, fields) : undefined;

describe('the checks of connect links', () => {
  test.each(['absent', 'reject'] as const)('note null as maxAccounts: %s (R63)', async (nullOptional) => {
    const { result, failures } = await bench({ checks, variant: { nullOptional }, run });
    const actual = nullOptional === 'absent' ? '200' : '400 invalid_input';
    expect(result('links/null-max-accounts').findings.map((one) => [one.severity, one.actual])).toEqual([
      ['note', actual],
    ]);
    expect(failures).toEqual([]);
  });

  test('send nothing that could make a link without permission', async () => {
    const { report } = await bench({ checks, run: { watch: true } });
    const posts = report.exchanges.filter(({ method }) => method === 'POST');
    expect(posts.length).toBeGreaterThan(0);
    expect(posts.filter(({ requestBody }) => /"label":"[^"]/.test(requestBody.text ?? ''))).toEqual([]);
  });

  const ofOthers = counted(isList, (one, count) => {
    const other = { ...invite, id: `other-${count}`, label: 'another' };
    return withData(one, { pendingInvites: [...one.body.data.pendingInvites, other] });
  });
  testResults({ checks, run }, [
    ['leave bytes open where a payment is first', 'links/odd-bytes', open, says(isLink, 402, 'payment_required')],
    ['leave open what lacks the platform', 'links/creates', open, says(isLink, 400, 'not_supported')],
    ['leave open what may not make links', 'links/creates', open, says(isLink, 403, 'provider_permission')],
    ['leave open what asks for a payment', 'links/creates', open, says(isLink, 402, 'payment_required')],
    ['warn of links that are over', 'links/creates', 'warn', made({ expiresAt: '2020-01-01T00:00:00Z' })],
    ['fail for links of another provider', 'links/creates', 'fail', made({ provider: 'google_ads' })],
    ['fail for links with a label cut short', 'links/creates', 'fail', made({ label: 'casa' })],
    ['warn of links with another label', 'links/creates', 'warn', made({ label: 'a link' })],
    ['take links that others make for theirs', 'links/refuses-wrong-bodies', 'inconclusive(interference)', ofOthers],
  ]);

  const usedUp = counted(isLink, (_, count) => (count > 1 ? rejection(402, 'payment_required') : undefined));
  testResults(
    { checks: linksWritten, run },
    ['links/edges', 'links/refuses-wrong-bodies'].map((id) => [
      `leave ${id} open once the first link has used up what is free`,
      id,
      open,
      usedUp,
    ]),
  );
});
