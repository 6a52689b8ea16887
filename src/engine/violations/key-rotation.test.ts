import { describe, expect, it } from 'vitest';
import { expiredAccount, googleAccount } from '../../../fixtures/test-kit/engine.ts';
import { startWatch } from '../../../fixtures/test-kit/watched-engine.ts';

const post = `POST /connect/accounts/${googleAccount}/posts`;

describe('key-rotated', () => {
  const rejected = `GET /connect/accounts/${expiredAccount}/insights`;

  it('is the same request with a new key after provider_auth', () => {
    const { ask, engine } = startWatch();
    ask(rejected);
    ask(rejected, { key: 'casa_00000000000000000000000000000000' });
    expect(engine.violations()).toMatchObject([
      { rule: 'key-rotated', clause: '5.provider-auth-remedy', requestIds: [1, 2] },
    ]);
  });

  it.each<[string, (mock: ReturnType<typeof startWatch>) => unknown]>([
    ['another client that was there before', ({ ask }) => ask('GET /sites', { key: 'casa_before' })],
    ['after the account was seen to', ({ ask }) => ask(post, { body: { text: 'Hello' } })],
    ['after a minute', ({ wait }) => wait(60_000)],
  ])('is not %s', (what, between) => {
    const mock = startWatch();
    if (what.includes('before')) between(mock);
    mock.ask(rejected);
    if (!what.includes('before')) between(mock);
    mock.ask(rejected, { key: 'casa_before' });
    expect(mock.rules()).toEqual([]);
  });

  it('is not a new key after `unauthorized`, which is the right thing to do', () => {
    const { ask, rules } = startWatch();
    ask(rejected, { key: 'casa_old' });
    ask(rejected);
    expect(rules()).toEqual([]);
  });

  it('is not a client of another organization or at another address', () => {
    const { ask, rules, engine } = startWatch();
    const [key = ''] = engine.addOrganization().keys;
    ask(rejected);
    ask(rejected, { key, peer: '127.0.0.1' });
    ask(rejected, { key: 'casa_new', peer: '127.0.0.9' });
    expect(rules()).toEqual([]);
  });
});
