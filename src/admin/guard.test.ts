import { describe, expect, it } from 'vitest';
import { type Init, startTestEngine } from '../../fixtures/test-kit/engine.ts';

const host = (name: string): Init => ({ headers: { host: name } });

describe('without a token the admin API', () => {
  const { admin } = startTestEngine({ adminHosts: ['mock.internal'] });
  const status = (asked: Init, line = 'GET /health') => admin(line, asked).status;

  it.each(['127.0.0.1', '127.0.0.9', '127.255.0.9', '::1', '::ffff:127.0.0.1'])('is open to %s', (peer) => {
    expect(status({ peer })).toBe(200);
  });

  it.each(['10.0.0.5', '192.168.1.2', '128.0.0.1', '::2', 'fe80::1', ''])('is closed to %s', (peer) => {
    expect(status({ peer })).toBe(403);
    expect(status({ peer }, 'GET /')).toBe(403);
  });

  it.each([
    ...['x-forwarded-for: 10.0.0.5', 'x-forwarded-for: 127.0.0.1, 10.0.0.5', 'forwarded: for=10.0.0.5'],
    ...['via: 1.1 proxy', 'x-forwarded-for: 127.0.0.1; via: 1.1 proxy', 'cdn-loop: cloudflare'],
    ...['x-forwarded-host: mock.example', 'x-forwarded-proto: https', 'x-original-forwarded-for: 127.0.0.1'],
    ...['x-real-ip', 'cf-connecting-ip', 'true-client-ip', 'x-client-ip', 'fastly-client-ip', 'x-azure-clientip'],
  ])('is closed to a proxy that adds %s', (lines) => {
    const added = lines.split('; ').map((line) => [...line.split(': '), '127.0.0.1'].slice(0, 2));
    expect(status({ headers: Object.fromEntries(added) })).toBe(403);
  });

  it.each([
    ...['localhost', 'localhost:4010', 'LOCALHOST:4010', 'casa.localhost', '127.0.0.1:1', '[::1]:4010', '127.1.2.3'],
    'mock.internal:4010',
  ])('responds under %s', (name) => {
    expect(status(host(name))).toBe(200);
  });

  it.each([
    ...['evil.example', 'evil.example:4010', 'localhost.evil.example', '127.0.0.1.evil.example', 'notlocalhost'],
    ...['1.2.3', '1.2.3.4', '10.1.2.3:4010', '999.999.999.999', '[2001:db8::1]', ''],
  ])('does not respond under %j, which can point here', (name) => {
    expect(status(host(name))).toBe(403);
    expect(status(host(name), 'GET /')).toBe(403);
  });

  it.each<[string, Record<string, string>]>([
    ['of another site', { origin: 'http://evil.example' }],
    ['of another port', { origin: 'http://127.0.0.1:3000' }],
    ['that hides its origin', { origin: 'null' }],
    ['that reads across sites', { 'sec-fetch-site': 'cross-site' }],
    ['that reads across ports', { 'sec-fetch-site': 'same-site' }],
  ])('rejects a page %s', (_what, headers) => {
    expect(status({ headers: { host: '127.0.0.1:4010', ...headers } })).toBe(403);
    expect(status({ headers: { host: '127.0.0.1:4010', ...headers } }, 'POST /reset')).toBe(403);
  });

  it('lets its own page in, and people who type the address', () => {
    const own = { host: '127.0.0.1:4010', origin: 'http://127.0.0.1:4010', 'sec-fetch-site': 'same-origin' };
    expect(status({ headers: own }, 'POST /reset')).toBe(200);
    expect(status({ headers: { host: '127.0.0.1:4010', 'sec-fetch-site': 'none' } })).toBe(200);
  });

  it('shows its page to who follows a link from elsewhere', () => {
    expect(status({ headers: { host: 'localhost:4010', 'sec-fetch-site': 'cross-site' } }, 'GET /')).toBe(200);
  });

  it('changes nothing for those it rejects', () => {
    const { engine, admin: ask } = startTestEngine();
    ask('POST /clock/advance', { peer: '10.0.0.5', body: { duration: '5m' } });
    ask('POST /faults', { headers: { origin: 'http://evil.example' }, body: { error: 'transient' } });
    expect(engine.clock.now()).toBe(engine.world.clock.now());
    expect(engine.faults.empty).toBe(true);
  });
});

describe('with a token the admin API', () => {
  const { admin } = startTestEngine({ adminToken: 's3cret-token' });
  const status = (headers: Record<string, string>, asked: Init = {}, line = 'GET /health') =>
    admin(line, { peer: '10.0.0.5', ...asked, headers: { host: 'mock.example', ...headers } }).status;

  it('is open to who sends it, from anywhere and under any name', () => {
    expect(status({ authorization: 'Bearer s3cret-token' })).toBe(200);
    expect(status({ authorization: 'bearer  s3cret-token' })).toBe(200);
    expect(status({ 'x-casa-admin-token': 's3cret-token' })).toBe(200);
  });

  it.each<Record<string, string>>([
    {},
    { authorization: 'Bearer s3cret-toke' },
    { authorization: 'Bearer s3cret-token2' },
    { authorization: 'Basic s3cret-token' },
    { authorization: 'Bearer ' },
    { 'x-casa-admin-token': '' },
    { 'x-casa-admin-token': 'S3cret-token' },
  ])('is closed to %j, on this machine too', (headers) => {
    expect(status(headers)).toBe(401);
    expect(status(headers, { peer: '127.0.0.1' })).toBe(401);
  });

  it('still rejects pages of other origins', () => {
    expect(status({ 'x-casa-admin-token': 's3cret-token', origin: 'http://evil.example' })).toBe(403);
  });

  it('shows its page, which has no data and requests the token', () => {
    expect(status({}, {}, 'GET /')).toBe(200);
    expect(status({}, {}, 'GET /requests')).toBe(401);
  });

  it('takes an empty token for none', () => {
    const open = startTestEngine({ adminToken: '' });
    expect(open.admin('GET /health').status).toBe(200);
    expect(open.admin('GET /health', { peer: '10.0.0.5' }).status).toBe(403);
  });
});
