// The fuzz test: requests of the generator against a strict engine in this process, which throws at a response that
// violates the contract. `FUZZ_SEED` plays another run.
import { validateHeaderName, validateHeaderValue } from 'node:http';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startMs, startTestEngine } from '../../fixtures/test-kit/engine.ts';
import { routeOf } from '../../src/admin/verb.ts';
import { verbs } from '../../src/admin/verbs/index.ts';
import { createClock } from '../../src/domain/clock.ts';
import { contractLimits } from '../../src/domain/limits.ts';
import type { EngineOptions } from '../../src/engine/engine-options.ts';
import { bodyText, type CoreRequest, type CoreResponse } from '../../src/http/message.ts';
import { assertConforms } from '../../src/http/strict.ts';
import { openSyncTransport } from '../../src/transports/transport.ts';
import { adminRequest, apiRequest } from './requests.ts';

const batch = 20;
const seed = Number(process.env.FUZZ_SEED ?? 1);

/** The clock advances by a second with every look at it, so windows, calls and links come and go. */
function start(options: Partial<EngineOptions> = {}): (request: CoreRequest) => CoreResponse {
  let ms = 0;
  const clock = createClock(() => {
    ms += 1_000;
    return ms;
  });
  clock.restore({ baseMs: startMs, sourceMs: ms, scale: 1 });
  const { engine } = startTestEngine({ clock, strict: true, ...options });
  return openSyncTransport(engine, {
    onBug: (error) => {
      throw error;
    },
  });
}

function sendAll(requests: fc.Arbitrary<CoreRequest>, count: number, send: (request: CoreRequest) => void): void {
  const property = fc.property(fc.array(requests, { minLength: batch, maxLength: batch }), (some) =>
    some.forEach(send),
  );
  fc.assert(property, { numRuns: count / batch, seed });
}

function fuzz(mcpEndpoint: ReturnType<typeof start>, count: number): Set<number> {
  const statuses = new Set<number>();
  sendAll(apiRequest, count, (request) => {
    const response = mcpEndpoint(request);
    statuses.add(response.status);
    check(request, response);
  });
  return statuses;
}

/** Throws at a response that node cannot write, or that the strict engine does not see: of paths outside the API. */
function check({ path }: CoreRequest, response: CoreResponse): void {
  const { headers, status } = response;
  for (const [name, value] of Object.entries(headers)) {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  }
  if (status !== 204) expect(headers).toHaveProperty('content-type');
  expect(headers).not.toHaveProperty('x-casa-bug');
  if (path.startsWith('/api/v1/') || !/^application\/json\b/.test(headers['content-type'] ?? '')) return;
  if (status === 200) expect(['/', '/openapi.json']).toContain(path);
  else assertConforms(response, 'unknown_path', { forced: headers['x-casa-fault'] !== undefined });
}

/** A share of 1 is 100,000 requests. */
export function describeFuzz(share: number): void {
  describe('the response to any request is one of the contract', () => {
    it.each<[string, number, Partial<EngineOptions>]>([
      ['as it starts', 50_000 * share, {}],
      ['with the limits', 10_000 * share, { limits: contractLimits }],
      ['greased', 20_000 * share, { grease: 7 }],
      ['greased, with the limits', 10_000 * share, { grease: 8, limits: contractLimits }],
    ])(
      '%s, %i times',
      (_how, count, options) => {
        const statuses = fuzz(start(options), count);
        expect([...statuses]).toEqual(expect.arrayContaining([200, 204, 400, 401, 402, 404, 405]));
      },
      120_000,
    );

    it(`also after requests to the admin API, ${10_000 * share} times`, () => {
      const mcpEndpoint = start();
      const paths = Object.values(verbs).map((row) => routeOf(row).path);
      sendAll(fc.oneof(adminRequest(paths), apiRequest), 10_000 * share, (request) => {
        const response = mcpEndpoint(request);
        expect(response.headers['x-casa-bug']).toBeUndefined();
        if (response.headers['content-type']?.startsWith('application/json')) JSON.parse(bodyText(response) || '{}');
      });
    }, 120_000);
  });
}
