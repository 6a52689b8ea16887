import { describe, expect, it } from 'vitest';
import { contractLimits } from '../../src/domain/limits.ts';
import { goodKey, startTestEngine, toRequest } from '../test-kit/engine.ts';
import { type Recorded, Restoration } from './simulate.ts';

const request = toRequest('GET /sites', '/api/v1', { key: goodKey });
const link = { provider: 'tiktok', label: 'Shop' };
const write = toRequest('POST /connect/accounts', '/api/v1', { key: goodKey, body: link });

function start(change: (made: Recorded['engine']) => Partial<Recorded['engine']> = () => ({})): Recorded {
  const commits: Recorded['commits'] = [];
  const { engine } = startTestEngine({
    limits: contractLimits,
    commit: (entry) => commits.push(structuredClone(entry)),
  });
  return { engine: { ...engine, ...change(engine) }, commits };
}

function play(original: Recorded, make: () => Recorded): void {
  original.engine.handle(request);
  const restoration = new Restoration(original, make, 2);
  for (const one of [request, write]) restoration.compare(one, original.engine.handle(one));
  expect(restoration.isOver).toBe(true);
  restoration.finish();
}

describe('a restored mock', () => {
  it('is equal to the original', () => {
    expect(() => play(start(), start)).not.toThrow();
  });

  it('that has lost something is detected at once', () => {
    const forgetful = () =>
      start(({ restore, limits }) => ({
        restore: (snapshot) => {
          restore(snapshot);
          limits.clear();
        },
      }));
    expect(() => play(start(), forgetful)).toThrow('a snapshot that was restored reads otherwise');
  });

  it('that responds differently is detected by the response', () => {
    const other = () => start((engine) => ({ handle: (one) => ({ ...engine.handle(one), status: 201 }) }));
    expect(() => play(start(), other)).toThrow('a restored mock returns /api/v1/sites otherwise: …200');
  });

  it('that missed a change is detected at the end', () => {
    const deaf = () => start(() => ({ replay: () => {} }));
    expect(() => play(start(), deaf)).toThrow('the replayed mock holds something else');
  });
});
