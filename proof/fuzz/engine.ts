// The fuzz test: requests from nearly right to absurd against an engine in this process. Whatever is asked, the answer
// has to be one of the contract. `FUZZ_SEED` plays another run.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { adminRoutes } from '../../src/admin/routes.ts';
import { createClock } from '../../src/domain/clock.ts';
import { contractLimits } from '../../src/domain/limits.ts';
import { openDoor } from '../../src/doors/door.ts';
import type { EngineOptions } from '../../src/engine/engine.ts';
import { bodyText } from '../../src/http/message.ts';
import { createEngine } from '../../src/mock/create-engine.ts';
import { defaultWorld } from '../../src/worlds/load.ts';
import { fuzzAdminRequest } from './admin-requests.ts';
import { findFlaw } from './judgement.ts';
import { fuzzRequest } from './requests.ts';
import { vocabularyOf } from './words.ts';

const startMs = Date.parse(defaultWorld.anchor);
const words = vocabularyOf(defaultWorld);
const adminPaths = adminRoutes.map(({ path }) => path);
const batch = 20;
const seed = Number(process.env.FUZZ_SEED ?? 1);

/** An engine whose clock moves on by a second with every look at it, so that windows, calls and links come and go. */
function start(options: Partial<EngineOptions> = {}) {
  let ms = 0;
  const clock = createClock(() => {
    ms += 1_000;
    return ms;
  });
  const data = defaultWorld;
  clock.restore({ baseMs: startMs, sourceMs: ms, scale: 1 });
  const engine = createEngine({ data, clock, limits: { ...contractLimits, enforced: false }, ...options });
  const door = openDoor(engine, {
    onBug: (error) => {
      throw error;
    },
  });
  return { engine, door };
}

function fuzz({ door }: Pick<ReturnType<typeof start>, 'door'>, requests: number): Set<number> {
  const statuses = new Set<number>();
  fc.assert(
    fc.property(fc.array(fuzzRequest(words), { minLength: batch, maxLength: batch }), (asked) => {
      for (const request of asked) {
        const response = door(request);
        statuses.add(response.status);
        const flaw = findFlaw(request, response);
        if (flaw) throw new Error(`${request.method} ${request.path}: ${flaw}`);
      }
    }),
    { numRuns: requests / batch, seed },
  );
  return statuses;
}

/** After a collection, so that only what is still held counts. */
function heapMb(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1e6;
}

/** Asks so many times what the long form asks; a share of 1 is 100,000 requests. */
export function describeFuzz(share: number): void {
  describe('whatever is asked, the answer is one of the contract', () => {
    it.each<[string, number, Partial<EngineOptions>]>([
      ['as it starts', 30_000 * share, {}],
      ['with the limits', 10_000 * share, { limits: contractLimits }],
      ['strict', 20_000 * share, { strict: true }],
      ['greased', 20_000 * share, { grease: 7 }],
      ['greased and strict, with the limits', 10_000 * share, { grease: 8, strict: true, limits: contractLimits }],
    ])(
      '%s, %i times',
      (_how, requests, options) => {
        const statuses = fuzz(start(options), requests);
        expect([...statuses]).toEqual(expect.arrayContaining([200, 204, 400, 401, 402, 404, 405]));
      },
      120_000,
    );

    it(`the control plane included, ${10_000 * share} times, and the API works on`, () => {
      const { door } = start();
      const asked = fc.array(fc.oneof(fuzzAdminRequest(adminPaths), fuzzRequest(words)), {
        minLength: batch,
        maxLength: batch,
      });
      fc.assert(
        fc.property(asked, (requests) => {
          for (const request of requests) {
            const response = door(request);
            expect(response.headers['x-casa-bug']).toBeUndefined();
            if (response.headers['content-type']?.startsWith('application/json'))
              JSON.parse(bodyText(response) || '{}');
          }
        }),
        { numRuns: (10_000 * share) / batch, seed },
      );
    }, 120_000);

    it('and memory does not grow with the number of requests', () => {
      const running = start();
      fuzz(running, 3_000 * share);
      const beforeMb = heapMb();
      fuzz(running, 7_000 * share);
      expect(heapMb() - beforeMb).toBeLessThan(30);
    }, 120_000);
  });
}
