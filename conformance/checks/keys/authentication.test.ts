import { describe, expect, test } from 'vitest';
import { bench, benchStartMs } from '../../../fixtures/test-kit/check-bench.ts';
import { type Exchanged, rejection, type Spoiled } from '../../../fixtures/test-kit/rewriting-proxy.ts';
import { startScriptedServer } from '../../../fixtures/test-kit/scripted-server.ts';
import { virtualClock } from '../../../fixtures/test-kit/virtual-clock.ts';
import { variantNames } from '../../../proof/independent/index.ts';
import { runConformance } from '../../index.ts';
import { addressBurst, keyedBursts } from '../limits/address-burst.ts';
import { afterBurst } from '../limits/after-burst.ts';
import { authentication } from './authentication.ts';

const checks = [...addressBurst, ...afterBurst, ...keyedBursts, ...authentication];
const isRejected = ({ status }: Exchanged) => status === 401;

function benchKeys(spoil: (exchanged: Exchanged) => Spoiled | undefined, gentle = false) {
  return bench({ checks, run: { watch: true, gentle }, spoil: () => spoil });
}

describe('the checks of keys', () => {
  // The kill matrix runs them in a burst on all variants.
  test.each(variantNames)('accept the legal variant %s one by one', async (variant) => {
    expect((await bench({ checks, variant, run: { gentle: true, watch: true } })).failures).toEqual([]);
  });

  test('note a key in another letter case that is accepted, and never fail it (R61)', async () => {
    const run = { gentle: true, watch: true } as const;
    const { result } = await bench({ checks, variant: { keyCase: 'any' }, run });
    const notes = result('auth/altered-keys').findings.map(({ severity, expected }) => [severity, expected]);
    expect(notes).toEqual([['note', '401, or 200 if keys are case-insensitive']]);
    expect((await bench({ checks, run })).result('auth/altered-keys').findings).toEqual([]);
  });

  test('ask every operation without a key, with or without the burst', async () => {
    const { report } = await bench({ checks, run: { gentle: true } });
    const sent = report.exchanges.filter(({ key }) => key === 'none').map(({ operation }) => operation);
    expect(sent.slice(0, 2)).toEqual(['listSites', 'listAccounts']);
    expect(new Set(sent).size).toBe(12);
    const patient = await bench({ checks, run: { watch: true } });
    const rejected = patient.report.exchanges.filter(({ key, status }) => key === 'none' && status === 401);
    expect(new Set(rejected.map(({ operation }) => operation)).size).toBe(12);
  });

  test('send each operation no key or another one in one minute, and one of them another scheme', async () => {
    for (const seed of [1, 2, 3]) {
      const { report, results } = await bench({ checks, run: { minutes: 1, seed } });
      const sent = report.exchanges.filter(({ key, status }) => key !== 'good' && status === 401);
      expect(new Set(sent.map(({ operation }) => operation)).size).toBe(12);
      const headers = sent.map(({ requestHeaders }) => requestHeaders.authorization ?? 'Bearer');
      expect(headers.filter((header) => !header.startsWith('Bearer '))).toContain('Basic $CONFORMANCE_API_KEY');
      expect(results['auth/altered-keys']).toBe('inconclusive(budget)');
    }
  });

  test.each([
    ['/sites', 1],
    ['/connect/accounts', 2],
  ])('detect a server that responds at %s to everybody after a valid key', async (path, minutes) => {
    const known = new Map<string, Spoiled>();
    const spoil = (one: Exchanged) => {
      if (one.status === 200 && one.path === '/sites') known.set(path, { status: 200, body: one.body });
      return isRejected(one) ? known.get(one.path) : undefined;
    };
    const { results } = await bench({ checks, run: { minutes, seed: 1 }, spoil: () => spoil });
    expect(results['auth/after-valid-key']).toBe('fail');
  });

  test('cite the missing key where the scheme has none', async () => {
    const spoil = (one: Exchanged) =>
      isRejected(one) && one.path === '/connect/accounts' ? rejection(403, 'unauthorized') : undefined;
    const { result } = await bench({ checks, run: { minutes: 1, seed: 1 }, spoil: () => spoil });
    const clauses = result('auth/wrong-key').findings.map(({ clause }) => clause);
    expect(clauses).toContain('5.missing-key');
  });

  test('detect a server that checks a range before the key', async () => {
    const spoil = (one: Exchanged) =>
      isRejected(one) && one.query.get('range') === '14d' ? rejection(400, 'invalid_input') : undefined;
    expect((await benchKeys(spoil)).failures).toEqual(['auth/before-parameters fail']);
  });

  test('detect a server that reveals records to an invalid key, in a burst and one by one', async () => {
    const spoil = (one: Exchanged) =>
      isRejected(one) && /c0ffee/.test(one.path) ? rejection(404, 'not_found') : undefined;
    const [atOnce, oneByOne] = [await benchKeys(spoil), await benchKeys(spoil, true)];
    for (const { results } of [atOnce, oneByOne]) {
      expect(results).toMatchObject({ 'auth/wrong-key': 'pass', 'auth/before-parameters': 'fail' });
    }
  });

  test.each([
    ['POST', /posts$/],
    ['GET', /reviews$/],
  ])('catch a server that lets a revoked key %s at %s', async (method, path) => {
    let isRevoked = false;
    const spy = (one: Exchanged) => {
      // Every other key has been tried when the revoked one comes.
      isRevoked ||= one.method === 'POST' && /posts$/.test(one.path);
      return isRejected(one) && isRevoked && one.method === method && path.test(one.path)
        ? rejection(404, 'not_found')
        : undefined;
    };
    const checks = authentication.filter((check) => check.id.startsWith('auth/revoked'));
    expect((await bench({ checks, run: { watch: true }, spoil: () => spy })).results['auth/revoked-key']).toBe('fail');
  });

  const good = 'lim_0123456789abcdef0123456789abcdef';
  async function resultsWith(isAccepted: (authorization: string) => boolean, run: object) {
    const clock = virtualClock(benchStartMs);
    const server = await startScriptedServer((path, { headers: { authorization = '' } }) =>
      isAccepted(authorization)
        ? { body: { data: [] } }
        : { status: 401, body: { error: { code: 'unauthorized', message: path } } },
    );
    const options = { baseUrl: server.baseUrl, keys: { good }, clock, checks, gentle: true, ...run };
    const report = await runConformance(options).finally(() => server.close());
    return Object.fromEntries(report.checks.map(({ id, result: outcome }) => [id, outcome.kind]));
  }

  test.each([
    ['without a scheme', [`Bearer ${good}`, good], 'warn'],
    ['with another scheme', [`Bearer ${good}`, `Basic ${good}`], 'fail'],
    ['with Basic credentials', [`Bearer ${good}`, `Basic ${btoa(`${good}:`)}`], 'fail'],
  ])('judge a server that takes the valid key %s', async (_, accepted, kind) => {
    const isAccepted = (authorization: string) => accepted.includes(authorization);
    expect(await resultsWith(isAccepted, { watch: true })).toMatchObject({
      'auth/other-schemes': kind,
      'auth/everywhere': 'pass',
      'auth/wrong-key': 'pass',
    });
  });

  test('name provider_auth as what it is', async () => {
    const { result } = await benchKeys((one) => (isRejected(one) ? rejection(401, 'provider_auth') : undefined));
    expect(result('auth/missing-key').findings.map(({ clause }) => clause)).toContain('5.provider-auth');
  });
});
