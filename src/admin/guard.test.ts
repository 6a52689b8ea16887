import { describe, expect, it } from 'vitest';
import { type Init, startTestEngine } from '../../fixtures/test-kit/engine.ts';

const host = (name: string): Init => ({ headers: { host: name } });

describe('without a token the admin API', () => {
  const { admin } = startTestEngine({ adminHosts: ['mock.internal'] });
  const status = (asked: Init, line = 'GET /health') => admin(line, asked).status;

  it.each(['127.0.0.1', '127.0.0.9', '::1', '::ffff:127.0.0.1'])('is open to %s', (peer) => {
    expect(status({ peer })).toBe(200);
  });

  it.each(['10.0.0.5', '192.168.1.2', '::2', 'fe80::1', ''])('is closed to %s', (peer) => {
    expect(status({ peer })).toBe(403);
    expect(status({ peer }, 'GET /')).toBe(403);
  });

  it.each<[string, Record<string, string>]>([
    ['a proxy names another client', { 'x-forwarded-for': '10.0.0.5' }],
    ['one of several is another machine', { 'x-forwarded-for': '127.0.0.1, 10.0.0.5' }],
    ['a proxy uses the standard header', { forwarded: 'for=10.0.0.5' }],
    ['a proxy says only that it is one', { via: '1.1 proxy' }],
    ['a proxy names the client in its own way', { 'x-real-ip': '127.0.0.1' }],
    ['a proxy of Cloudflare names the client', { 'cf-connecting-ip': '127.0.0.1' }],
    ['a proxy of Cloudflare or Akamai names the client', { 'true-client-ip': '127.0.0.1' }],
    ['another proxy names the client', { 'x-client-ip': '127.0.0.1' }],
    ['a proxy of Fastly names the client', { 'fastly-client-ip': '127.0.0.1' }],
    ['a proxy of Azure names the client', { 'x-azure-clientip': '127.0.0.1' }],
    ['a proxy counts its hops', { 'cdn-loop': 'cloudflare' }],
    ['a proxy keeps what another one said', { 'x-original-forwarded-for': '127.0.0.1' }],
    ['a proxy names the host', { 'x-forwarded-host': 'mock.example' }],
    ['a proxy names the scheme', { 'x-forwarded-proto': 'https' }],
    ['a proxy hides behind a loopback address', { 'x-forwarded-for': '127.0.0.1', via: '1.1 proxy' }],
  ])('is closed when %s', (_what, headers) => {
    expect(status({ headers })).toBe(403);
  });

  it.each([
    'localhost',
    'localhost:4010',
    'LOCALHOST:4010',
    'casa.localhost',
    '127.0.0.1:1',
    '[::1]:4010',
    '127.1.2.3',
    'mock.internal:4010',
  ])('responds under %s', (name) => {
    expect(status(host(name))).toBe(200);
  });

  it.each([
    'evil.example',
    'evil.example:4010',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'notlocalhost',
    '1.2.3',
    '1.2.3.4',
    '10.1.2.3:4010',
    '999.999.999.999',
    '[2001:db8::1]',
    '',
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

  it('never lets another origin read it', () => {
    for (const line of ['GET /health', 'OPTIONS /health', 'GET /nothing', 'GET /']) {
      const { headers } = admin(line, { headers: { host: 'localhost', origin: 'http://localhost' } });
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
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
