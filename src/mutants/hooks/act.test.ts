import { describe, expect, it } from 'vitest';
import { startTestEngine, toRequest } from '../../../fixtures/test-kit/engine.ts';
import type { CoreRequest, CoreResponse } from '../../http/message.ts';
import { type Act, actOf, mutantNamed, mutate } from '../index.ts';

const request: CoreRequest = { ...toRequest('GET /sites', '/api/v1', {}), headers: {} };
const response: CoreResponse = { status: 200, headers: { 'content-type': 'x' }, body: '{}' };

describe('the acts of a mutant', () => {
  it.each<[string, Partial<CoreRequest>, Partial<CoreResponse>, Act | null]>([
    ['nothing', {}, {}, null],
    ['only another writing of the same', { headers: {} }, { body: new TextEncoder().encode('{}') }, null],
    ['another status', {}, { status: 401 }, { what: 'response', ownStatus: 401, status: 200 }],
    ['another body', {}, { body: '[]' }, { what: 'response', ownStatus: 200, status: 200 }],
    ['a header more', {}, { headers: {} }, { what: 'response', ownStatus: 200, status: 200 }],
    ['another query', { query: 'limit=1' }, {}, { what: 'request', ownStatus: 200, status: 200 }],
    ['another key', { headers: { authorization: 'x' } }, {}, { what: 'request', ownStatus: 200, status: 200 }],
    ['a body', { body: new Uint8Array(1) }, {}, { what: 'request', ownStatus: 200, status: 200 }],
  ])('%s', (_what, innerRequest, innerResponse, act) => {
    const inner = { request: { ...request, ...innerRequest }, response: { ...response, ...innerResponse } };
    expect(actOf({ request, response }, inner)).toEqual(act);
  });

  it('without the mock', () => {
    expect(actOf({ request, response }, null)).toEqual({ what: 'response', ownStatus: null, status: 200 });
  });

  it('is notified of the exchanges that it changes only', () => {
    const acts: Act[] = [];
    const { engine } = startTestEngine();
    const mutated = mutate(engine, mutantNamed('no-key-403'), (act) => acts.push(act));
    expect(mutated.handle(request).status).toBe(403);
    const key = [...engine.world.keys.keys()][0] ?? '';
    expect(mutated.handle({ ...request, headers: { authorization: `Bearer ${key}` } }).status).toBe(200);
    expect(acts).toEqual([{ what: 'response', ownStatus: 401, status: 403 }]);
  });
});
