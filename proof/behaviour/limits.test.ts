import { expect } from 'vitest';
import { errorExamples } from '../../src/contract/generated/errors.ts';
import { findAccount, samples, strangerKey } from './cast.ts';
import { describeDoors, type Stage } from './doors.ts';

const sites = ({ ask }: Stage, from: string, key?: string | null) =>
  ask('GET', '/sites', { from, ...(key === undefined ? {} : { key }) });

async function spendKey(stage: Stage): Promise<void> {
  for (let i = 0; i < 60; i += 1) await sites(stage, `203.0.113.${Math.floor(i / 10)}`);
}

describeDoors('the limits', ({ it, open }) => {
  it('stop the eleventh request of an address in ten seconds, before its key is read', async () => {
    const stage = await open({ limits: true });
    const statuses: number[] = [];
    for (let i = 0; i < 11; i += 1) statuses.push((await sites(stage, '203.0.113.1', strangerKey)).status);
    expect(statuses).toEqual([...Array(10).fill(401), 429]);
    const block = await sites(stage, '203.0.113.1');
    expect([block.status, block.json, block.headers['x-ratelimit-limit']]).toEqual([
      429,
      { error: 'rate_limit_exceeded' },
      '10',
    ]);
    expect((await sites(stage, '203.0.113.2')).status).toBe(200);
  });

  it('stop the sixty-first request of a key in a minute, wherever it comes from', async () => {
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

  it('let a client through that waits as told', async () => {
    const stage = await open({ limits: true });
    await spendKey(stage);
    for (let i = 0; i < 6; i += 1) {
      const block = await sites(stage, '203.0.113.99');
      expect(block.status).toBe(429);
      const retryAfter = block.headers['retry-after'];
      // Usually there, not always: the fifth has none.
      expect(retryAfter === undefined).toBe(i === 4);
    }
    const last = await sites(stage, '203.0.113.99');
    stage.casa.clock.advance(Number(last.headers['retry-after']) * 1000);
    expect((await sites(stage, '203.0.113.99')).status).toBe(200);
  });

  it('tell on every answer where the key stands, in milliseconds since the epoch', async () => {
    const stage = await open({ limits: true });
    const startMs = stage.casa.clock.now();
    const first = (await sites(stage, '203.0.113.1')).headers;
    stage.casa.clock.advance(1000);
    const second = (await sites(stage, '203.0.113.1')).headers;
    expect([first, second].map((headers) => headers['x-ratelimit-remaining'])).toEqual(['59', '58']);
    expect([first, second].map((headers) => headers['x-ratelimit-reset'])).toEqual(
      Array(2).fill(String(startMs + 60_000)),
    );
    expect(Date.parse(second.date ?? '')).toBe(Math.floor((startMs + 1000) / 1000) * 1000);
  });

  it('are told apart from the limit of a platform by the form of the error', async () => {
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

  it('are off where a mock was told so', async () => {
    const stage = await open();
    for (let i = 0; i < 70; i += 1) expect((await sites(stage, '203.0.113.1')).status).toBe(200);
  });
});

describeDoors('an error on demand', ({ it, open }) => {
  it.each(Object.entries(errorExamples))('gives %s on every operation, once', async (name, { status, body }) => {
    const { ask } = await open();
    for (const { method, target, body: sent } of Object.values(samples)) {
      const wish = sent ? { body: sent } : {};
      const answer = await ask(method, target, { ...wish, headers: { prefer: `code=${status}, example=${name}` } });
      const expected = name === 'invalid_input' ? expect.objectContaining({ error: expect.anything() }) : body;
      expect([answer.status, answer.json]).toEqual([status, expected]);
      const separator = target.includes('?') ? '&' : '?';
      const asked = await ask(method, `${target}${separator}__code=${status}&__example=${name}`, wish);
      expect([asked.status, asked.json]).toEqual([status, expected]);
      expect((await ask(method, target, wish)).status).toBe(200);
    }
  });

  it('by rule strikes as often as it says', async () => {
    const { ask, casa } = await open();
    casa.faults.add({ match: { operation: 'listSites' }, error: 'transient', times: 2 });
    const statuses: number[] = [];
    for (let i = 0; i < 3; i += 1) statuses.push((await ask('GET', '/sites')).status);
    expect(statuses).toEqual([503, 503, 200]);
  });
});

describeDoors('bad input', ({ it, open }) => {
  const connect = '/connect/accounts';

  it.each([
    [2_500_000, 400, 'invalid_input'],
    [2_500_001, 413, 'payload_too_large'],
  ])('of %i bytes answers %i', async (bytes, status, code) => {
    const { ask } = await open();
    const answer = await ask('POST', connect, { body: new Uint8Array(bytes).fill(0x20) });
    expect([answer.status, answer.code]).toEqual([status, code]);
  });

  it('counts bytes and not characters', async () => {
    const { ask } = await open();
    const body = `{"provider":"tiktok","label":"x","pad":"${'€'.repeat(833_400)}"}`;
    expect(body.length).toBeLessThan(2_500_000);
    expect((await ask('POST', connect, { body })).status).toBe(413);
  });

  it('nested a hundred thousand times deep is refused like any other', async () => {
    const { ask } = await open();
    const body = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect((await ask('POST', connect, { body })).status).toBe(400);
  });

  it.each(['{"__proto__":{"label":"x"},"provider":"tiktok"}', '{"constructor":{},"provider":"tiktok"}'])(
    'such as %s is a body like any other',
    async (body) => {
      const { ask } = await open();
      expect((await ask('POST', connect, { body })).error.issues).toMatchObject([{ path: '/label', rule: 'required' }]);
    },
  );

  it('with the same member twice means the last', async () => {
    const { ask } = await open();
    const body = '{"provider":"myspace","provider":"tiktok","label":"x"}';
    expect((await ask('POST', connect, { body })).status).toBe(200);
  });

  it.each(['/sites?%', '/sites?%zz=1', '/sites?a=%ff', '/sites?=&&=', '/sites?__proto__=1&constructor=2'])(
    'in a query such as %s changes nothing',
    async (target) => {
      const { ask } = await open();
      expect((await ask('GET', target)).status).toBe(200);
    },
  );
});
