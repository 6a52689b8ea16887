import { describe, expect, it } from 'vitest';
import { goodKey, revokedKey, unknownKey } from '../../fixtures/test-kit/actors.ts';
import { openScenario } from '../../fixtures/test-kit/scenario.ts';

const addressOf = (i: number) => `127.0.0.${i + 1}`;

describe('the address limiter', () => {
  it('counts a request without a key, an unknown path and an invalid body', () => {
    const scenario = openScenario({ limits: true });
    for (let i = 0; i < 4; i += 1) {
      scenario.ask('GET', '/sites', { key: null });
      scenario.ask('GET', '/nowhere');
      scenario.ask('POST', '/connect/accounts', { body: 'no json' });
    }
    expect(scenario.ask('GET', '/sites').trace.blockedBy).toBe('address');
  });

  it('has a window for each loopback address', () => {
    const scenario = openScenario({ limits: true });
    for (let i = 0; i < 20; i += 1) scenario.ask('GET', '/sites', { peer: addressOf(i % 2) });
    expect(scenario.ask('GET', '/sites', { peer: addressOf(2) }).status).toBe(200);
    expect(scenario.ask('GET', '/sites', { peer: addressOf(0) }).status).toBe(429);
  });
});

describe('a page from elsewhere', () => {
  it.each([
    ['names its origin', { origin: 'https://evil.example' }],
    ['has an image loaded', { 'sec-fetch-site': 'cross-site' }],
  ])('that %s and sends no key cannot spend the window of the machine', (_how, headers) => {
    const scenario = openScenario({ limits: true });
    const pages = Array.from({ length: 11 }, () => scenario.ask('GET', '/sites', { key: null, headers }));
    expect(pages.map(({ status }) => status)).toEqual([...Array(10).fill(401), 429]);
    expect(pages[10]?.trace).toMatchObject({ blockedBy: 'address', address: '127.0.0.1' });
    expect(scenario.ask('GET', '/sites').status).toBe(200);
  });

  it.each([
    ['a key', { authorization: `Bearer ${unknownKey}`, origin: 'https://evil.example' }],
    ['an origin of this machine', { origin: 'http://localhost:5173' }],
    ['an origin of the private network', { origin: 'http://192.168.1.5:3000' }],
    ['nothing of a browser', {}],
    ['a request of the same site', { 'sec-fetch-site': 'same-site' }],
  ])('counts as every request when it has %s', (_what, headers) => {
    const scenario = openScenario({ limits: true });
    for (let i = 0; i < 10; i += 1) scenario.ask('GET', '/sites', { key: null, headers });
    expect(scenario.ask('GET', '/sites').status).toBe(429);
  });
});

describe('the key limiter', () => {
  it('does not count what was rejected for its key', () => {
    const scenario = openScenario({ limits: true });
    for (let i = 0; i < 80; i += 1) scenario.ask('GET', '/sites', { key: revokedKey, peer: addressOf(i >> 3) });
    expect(scenario.ask('GET', '/sites', { peer: '127.0.0.99' }).headers['x-ratelimit-remaining']).toBe('59');
  });

  it('states a wait after which the address passes too', () => {
    const scenario = openScenario({ limits: true });
    for (let i = 0; i < 60; i += 1) scenario.ask('GET', '/sites', { peer: addressOf(10 + (i >> 3)) });
    scenario.clock.advance(59_000);
    const blocks = Array.from({ length: 10 }, () => scenario.ask('GET', '/sites'));
    expect(blocks[8]?.headers['retry-after']).toBe('1');
    expect(blocks[9]?.headers['x-ratelimit-reset']).toBe(String(scenario.clock.now() + 10_000));
  });
});

describe('the headers of a response that was not blocked', () => {
  it('describe the window of the key, or of the address where no key was accepted', () => {
    const scenario = openScenario({ limits: true });
    const good = scenario.ask('GET', '/sites').headers;
    const bad = scenario.ask('GET', '/sites', { key: unknownKey }).headers;
    expect([good['x-ratelimit-limit'], good['x-ratelimit-remaining']]).toEqual(['60', '59']);
    expect([bad['x-ratelimit-limit'], bad['x-ratelimit-remaining']]).toEqual(['10', '8']);
    expect(good['x-ratelimit-reset']).toBe(String(scenario.clock.now() + 60_000));
  });

  it('are absent where limits are off', () => {
    expect(openScenario().ask('GET', '/sites').headers).not.toHaveProperty('x-ratelimit-limit');
  });
});

describe('the order of rejections', () => {
  const tooLarge = new Uint8Array(2_500_001).fill(0x20);
  const badBody = { method: 'POST', target: '/connect/accounts', body: '{' } as const;

  it('is key, body cap, route, input', () => {
    const scenario = openScenario();
    const ask = (key: string, target: string, body: string | Uint8Array) =>
      scenario.ask('POST', target, { key, body }).status;
    expect(ask(unknownKey, '/nowhere', tooLarge)).toBe(401);
    expect(ask(goodKey, '/nowhere', tooLarge)).toBe(413);
    expect(ask(goodKey, '/nowhere', badBody.body)).toBe(404);
    expect(ask(goodKey, badBody.target, badBody.body)).toBe(400);
  });
});
