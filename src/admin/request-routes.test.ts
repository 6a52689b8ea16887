import { describe, expect, it } from 'vitest';
import { keySpellings, undone } from '../../fixtures/test-kit/control-characters.ts';
import { goodKey, googleAccount, json, startMs, startTestEngine, toRequest } from '../../fixtures/test-kit/engine.ts';
import { requestLogBodyBytesMax } from '../engine/request-log-record.ts';

/** The key stands where the request log cuts. */
function longBody(spelt: string): object {
  const frame = '{"text":"'.length;
  return { text: `${'x'.repeat(requestLogBodyBytesMax - frame - Math.round(spelt.length * 0.8))}${spelt}` };
}

describe('the request log', () => {
  it('reports each request what became of it, with keys redacted', () => {
    const { ask, admin } = startTestEngine();
    ask(`POST /connect/accounts/${googleAccount}/posts?k=${goodKey}`, {
      body: { accountId: 'ed9776e6-218f-4fa8-9b09-d049f71b0001', text: goodKey },
      headers: { cookie: 'a=b', 'x-note': goodKey },
    });
    const response = admin('GET /requests');
    expect(json(response).requests).toMatchObject([
      {
        id: 1,
        at: new Date(startMs).toISOString(),
        operation: 'createPost',
        organizationId: 'org_1',
        key: 'casa_…cdef',
        request: { method: 'POST', headers: { authorization: 'Bearer casa_…cdef', cookie: '…' } },
        response: { status: 200 },
        bodyIgnored: ['accountId'],
        nearMisses: [],
      },
    ]);
    expect(String(response.body)).not.toContain(goodKey);
  });

  describe.each(Object.entries(keySpellings(goodKey)))('a key in the form of %s', (_, spelt) => {
    const header = spelt.replaceAll(/[^\x21-\x7e]/g, '');
    it.each([
      ['a path outside the API', `GET /nothing/${spelt}`, {}],
      ['a path of the API', `GET /sites/${spelt}`, {}],
      ['a long path', `GET /sites/${'x'.repeat(150)}${spelt}`, {}],
      ['a query', `GET /sites?key=${spelt}&__example=${spelt}`, {}],
      ['a header', 'GET /sites', { headers: { prefer: `example=${header}`, referer: header, [`x-${header}`]: '1' } }],
      ['an address', 'GET /sites', { headers: { 'x-forwarded-for': header } }],
      ['a body', `POST /connect/accounts/${googleAccount}/posts`, { body: { text: spelt } }],
      ['a body that is cut', `POST /connect/accounts/${googleAccount}/posts`, { body: longBody(spelt) }],
    ] as const)('cannot be read in %s', (_place, line, options) => {
      const { ask, admin } = startTestEngine();
      for (let i = 0; i < 3; i += 1) ask(line, options);
      ask(line, { ...options, key: 'casa_ffffffffffffffffffffffffffffffff' });
      const told = ['GET /requests', 'GET /violations', 'GET /requests/1'].map((wish) => String(admin(wish).body));
      const secret = goodKey.slice(5, 29);
      expect(told.map((text) => undone(text).toLowerCase().includes(secret))).toEqual([false, false, false]);
    });
  });

  it('lists the requests that fit', () => {
    const { ask, admin } = startTestEngine();
    const [fault] = [{ id: 'down', match: { operation: 'getSite' }, error: 'transient' }];
    admin('POST /faults', { body: fault });
    ask('GET /sites');
    ask('GET /sites/1', { peer: '127.0.0.9' });
    ask('GET /site');
    ask('GET /sites', { key: 'casa_ffffffffffffffffffffffffffffffff' });
    ask(`POST /connect/accounts/${googleAccount}/posts`, { body: { text: 'needle' } });
    const ids = (query: string) => json(admin(`GET /requests?${query}`)).requests.map(({ id }: { id: number }) => id);
    expect(ids('operation=listSites')).toEqual([4, 1]);
    expect(ids('operation=listSites&status=200')).toEqual([1]);
    expect(ids('organizationId=org_2')).toEqual([]);
    expect(ids('beforeId=3')).toEqual([2, 1]);
    const found = json(admin('GET /requests?operation=listSites&limit=1'));
    expect([found.total, found.requests.length, found.requests[0].id]).toEqual([2, 1, 4]);
  });

  it('says of requests that met no operation what they may have meant, also outside the API', () => {
    const { engine, ask, admin } = startTestEngine();
    ask('GET /article');
    engine.handle(toRequest('GET /articles', '', {}));
    const { requests, total } = json(admin('GET /requests'));
    expect(total).toBe(2);
    expect(
      requests.map((record: { nearMisses: { operation: string; why: string }[] }) => record.nearMisses[0]),
    ).toMatchObject([
      { operation: 'listArticles', why: 'The path has to start with /api/v1.' },
      { operation: 'listArticles', why: 'The path is spelt differently.' },
    ]);
  });

  it('names limiter, fault, complaint and assumptions', () => {
    const { ask, admin } = startTestEngine();
    ask('GET /sites', { headers: { prefer: 'code=429, example=limiter_key' } });
    ask('GET /sites?__code=418');
    ask('GET /connect/calls/log');
    const [calls, complained, limited] = json(admin('GET /requests')).requests;
    expect(limited).toMatchObject({ blockedBy: 'key', fault: 'Prefer' });
    expect(complained.complaint).toContain('418');
    expect(calls.assumptions).toEqual(['The contract does not show the fields of a call (assumption C34).']);
  });

  it('keeps 16 KB of long bodies and says so', () => {
    const { ask, admin } = startTestEngine();
    for (const length of [16_384, 16_385, 2_500_000]) ask('POST /connect/accounts', { body: 'x'.repeat(length) });
    ask('GET /connect/calls/log?limit=200');
    const [calls, ...posts] = json(admin('GET /requests')).requests;
    const kept = posts.map(({ request }: { request: { body: string; bodyCut: boolean } }) => request);
    expect(kept.map(({ body }: { body: string }) => body.length)).toEqual([16_384, 16_384, 16_384]);
    expect(kept.map(({ bodyCut }: { bodyCut: boolean }) => bodyCut)).toEqual([true, true, false]);
    expect([calls.response.body.length, calls.response.bodyCut]).toEqual([16_384, true]);
  });

  it('keeps the last thousand requests and counts all', () => {
    const { ask, admin } = startTestEngine();
    for (let i = 0; i < 1003; i += 1) ask('GET /sites');
    const { requests, total } = json(admin('GET /requests?limit=1000'));
    expect([total, requests.length, requests[0].id, requests.at(-1).id]).toEqual([1003, 1000, 1003, 4]);
    expect(admin('GET /requests/3').status).toBe(404);
    expect(json(admin('DELETE /requests')).total).toBe(0);
    ask('GET /sites');
    expect(json(admin('GET /requests')).requests[0].id).toBe(1);
  });
});
