import { describe, expect, it } from 'vitest';
import { createClock } from '../../src/domain/clock.ts';
import { openDoor } from '../../src/doors/door.ts';
import type { CoreRequest } from '../../src/http/message.ts';
import { createEngine } from '../../src/mock/create-engine.ts';
import { defaultWorld } from '../../src/worlds/load.ts';
import { goodKey, home } from './cast.ts';

const broken = { ...home, sites: home.sites.map((site) => ({ ...site, cms: 7 }) as never) };
const request: CoreRequest = {
  method: 'GET',
  path: '/api/v1/sites',
  query: '',
  headers: { authorization: `Bearer ${goodKey}` },
  body: null,
  peer: '127.0.0.1',
  origin: 'http://mock',
};

function askBroken(strict: boolean) {
  const clock = createClock(() => 0, { startMs: Date.parse(defaultWorld.anchor), frozen: true });
  const engine = createEngine({ data: { ...defaultWorld, organizations: [broken] }, clock, strict });
  const bugs: string[] = [];
  const { status, headers } = openDoor(engine, { onBug: (error) => bugs.push(String(error)) })(request);
  return { status, bug: headers['x-casa-bug'], bugs };
}

describe('an answer against the contract', () => {
  it('is a bug that a strict mock shows', () => {
    const { status, bug, bugs } = askBroken(true);
    expect([status, bug]).toEqual([500, '1']);
    expect(bugs).toEqual([
      'ContractViolation: listSites answered 200 against the contract: /data/0/cms must be string (ListSitesResponse)',
    ]);
  });

  it('leaves a mock that is not strict', () => {
    expect(askBroken(false)).toEqual({ status: 200, bug: undefined, bugs: [] });
  });
});
