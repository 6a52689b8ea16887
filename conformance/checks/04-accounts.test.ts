import { describe, expect, test } from 'vitest';
import { bench } from '../selftest/check-bench.ts';
import { VARIANT_NAMES } from '../selftest/independent/index.ts';
import type { Answered, Spoiled } from '../selftest/rewriting-proxy.ts';
import { accounts } from './04-accounts.ts';

const error = (status: number, code: string): Spoiled => ({
  status,
  body: { error: { code, message: '', reason: 'card' } },
});

function benchAccounts(path: RegExp, spoiled: Spoiled) {
  const spoil = () => (answered: Answered) => (path.test(answered.path) ? spoiled : undefined);
  return bench({ checks: accounts, spoil });
}

describe('the checks of accounts', () => {
  test.each(VARIANT_NAMES)('raise no alarm on the legal variant %s', async (variant) => {
    expect((await bench({ checks: accounts, variant })).alarms).toEqual([]);
  });

  test.each([
    [500, 'internal', 'fail'],
    [404, 'not_found', 'fail'],
    [402, 'payment_required', 'inconclusive(precondition)'],
  ])('take a list that answers %i %s for %s', async (status, code, verdict) => {
    const { verdicts } = await benchAccounts(/^\/connect\/accounts$/, error(status, code));
    expect(verdicts['accounts/list']).toBe(verdict);
  });

  test.each<[string, RegExp, Spoiled, string]>([
    ['reviews that break down', /no-uuid\/reviews$/, error(500, 'internal'), 'fail'],
    ['insights that are shown', /no-uuid\/insights$/, { status: 200, body: { data: {}, summary: '' } }, 'fail'],
    ['reviews behind a payment', /no-uuid\/reviews$/, error(402, 'payment_required'), 'inconclusive(precondition)'],
    ['insights that say 404', /no-uuid\/insights$/, error(404, 'not_found'), 'pass'],
    ['insights that say 400', /no-uuid\/insights$/, error(400, 'invalid_input'), 'pass'],
  ])('judge %s for an id that is no UUID', async (_, path, spoiled, verdict) => {
    const { verdicts } = await benchAccounts(path, spoiled);
    expect(verdicts['accounts/malformed-id']).toBe(verdict);
  });

  test('note an account of --account that the list lacks', async () => {
    const run = { account: '00000000-0000-4000-8000-000000000001' };
    const { result } = await bench({ checks: accounts, run });
    expect(result('accounts/list').findings.map(({ severity }) => severity)).toEqual(['note']);
  });

  test('know an account of --account in any letter case', async () => {
    const run = ({ accounts: { reviewable } }: { accounts: { reviewable: string } }) => ({
      account: reviewable.toUpperCase(),
    });
    const { result } = await bench({ checks: accounts, run });
    expect(result('accounts/list').findings).toEqual([]);
  });
});
