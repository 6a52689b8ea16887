import { expect } from 'vitest';
import { errorExamples } from '../../src/contract/generated/errors.ts';
import { findAccount, samples, unknownKey } from '../test-kit/actors.ts';
import { describeTransports, type TestMock } from './transports.ts';

const sites = ({ ask }: TestMock, from: string, key?: string | null) =>
  ask('GET', '/sites', { from, ...(key === undefined ? {} : { key }) });

async function spendKey(stage: TestMock): Promise<void> {
  for (let i = 0; i < 60; i += 1) await sites(stage, `203.0.113.${Math.floor(i / 10)}`);
}

describeTransports('the limits', ({ it }) => {
  it('stop the eleventh request of an address in ten seconds, before its key is read', async ({ open }) => {
    const stage = await open({ limits: true });
    const statuses: number[] = [];
    for (let i = 0; i < 11; i += 1) statuses.push((await sites(stage, '203.0.113.1', unknownKey)).status);
    expect(statuses).toEqual([...Array(10).fill(401), 429]);
    const block = await sites(stage, '203.0.113.1');
    expect([block.status, block.json, block.headers['x-ratelimit-limit']]).toEqual([
      429,
      { error: 'rate_limit_exceeded' },
      '10',
    ]);
    expect((await sites(stage, '203.0.113.2')).status).toBe(200);
  });

  it('stop the sixty-first request of a key in a minute, wherever it comes from', async ({ open }) => {
    const stage = await open({ limits: true });
    await spendKey(stage);
    const block = await sites(stage, '203.0.113.99');
    expect([block.status, block.json, block.headers['x-ratelimit-limit']]).toEqual([
      429,
      { error: 'rate_limit_exceeded' },
      '60',
    ]);
    expect((await sites(stage, '203.0.113.99', stage.casa.keys.second)).status).toBe(200);
  });

  it('are distinguished from the limit of a platform by the form of the error', async ({ open }) => {
    const stage = await open({ limits: true });
    const limited = findAccount(({ trouble }) => trouble === 'rate_limited');
    const platform = await stage.ask('GET', `/connect/accounts/${limited.accountId}/insights`, { from: '203.0.113.1' });
    expect([platform.status, platform.error.code]).toEqual([429, 'rate_limited']);
    const key = await stage.ask('GET', '/sites', { from: '203.0.113.1', headers: { prefer: 'example=limiter_key' } });
    const address = await stage.ask('GET', '/sites', {
      from: '203.0.113.1',
      headers: { prefer: 'example=limiter_address' },
    });
    expect([key.code, key.headers['x-ratelimit-limit']]).toEqual(['rate_limit_exceeded', '60']);
    expect([address.code, address.headers['x-ratelimit-limit']]).toEqual(['rate_limit_exceeded', '10']);
  });

  it('can be disabled', async ({ stage }) => {
    for (let i = 0; i < 70; i += 1) expect((await sites(stage, '203.0.113.1')).status).toBe(200);
  });
});

describeTransports('an error on demand', ({ it }) => {
  it.for(Object.entries(errorExamples))(
    'gives %s on every operation, once',
    async ([name, { status, body }], { ask }) => {
      for (const { method, target, body: sent } of Object.values(samples)) {
        const wish = sent ? { body: sent } : {};
        const response = await ask(method, target, { ...wish, headers: { prefer: `code=${status}, example=${name}` } });
        const expected = name === 'invalid_input' ? expect.objectContaining({ error: expect.anything() }) : body;
        expect([response.status, response.json]).toEqual([status, expected]);
        const separator = target.includes('?') ? '&' : '?';
        const forced = await ask(method, `${target}${separator}__code=${status}&__example=${name}`, wish);
        expect([forced.status, forced.json]).toEqual([status, expected]);
        expect((await ask(method, target, wish)).status).toBe(200);
      }
    },
  );

  it('by rule strikes as often as it says', async ({ ask, casa }) => {
    casa.faults.add({ match: { operation: 'listSites' }, error: 'transient', times: 2 });
    const statuses: number[] = [];
    for (let i = 0; i < 3; i += 1) statuses.push((await ask('GET', '/sites')).status);
    expect(statuses).toEqual([503, 503, 200]);
  });
});

describeTransports('invalid input', ({ it }) => {
  const connect = '/connect/accounts';

  it.for([
    [2_500_000, 400, 'invalid_input'],
    [2_500_001, 413, 'payload_too_large'],
  ] as const)('of %i bytes responses %i', async ([bytes, status, code], { ask }) => {
    const response = await ask('POST', connect, { body: new Uint8Array(bytes).fill(0x20) });
    expect([response.status, response.code]).toEqual([status, code]);
  });

  it('counts bytes and not characters', async ({ ask }) => {
    const body = `{"provider":"tiktok","label":"x","pad":"${'€'.repeat(833_400)}"}`;
    expect(body.length).toBeLessThan(2_500_000);
    expect((await ask('POST', connect, { body })).status).toBe(413);
  });

  it.for(['/sites?%', '/sites?%zz=1', '/sites?a=%ff'])('in the URL itself is rejected: %s', async (target, { ask }) => {
    const { status, error } = await ask('GET', target);
    expect([status, error.code]).toEqual([400, 'invalid_input']);
  });

  it('in the URL itself is rejected in every form of issues', async ({ open }) => {
    for (const grease of [1, 2, 7]) {
      const { ask } = await open({ strict: true, grease });
      expect((await ask('GET', '/sites?a=%ff')).status).toBe(400);
    }
  });
});
