// A mock for tests: a separate server on a free port, a frozen clock, the same bytes every time.

import { adminApi } from '../admin/control-plane.ts';
import { type MockOptions, prepareEngine } from '../engine/prepare-engine.ts';
import type { CorsSetting } from '../http/cors.ts';
import { createFetchHandler } from '../transports/fetch.ts';
import { listen } from '../transports/node.ts';
import type { Casa } from './casa.ts';
import { checkMockOptions } from './check-options.ts';
import { createCasa } from './engine-casa.ts';

/** Options of `startMock`. */
export interface StartMockOptions extends MockOptions {
  /** Port to listen on; default 0, a free one. */
  readonly port?: number | undefined;
  /** Address to listen on; default 127.0.0.1. */
  readonly host?: string | undefined;
  /** Origins whose pages can read responses, and allowed headers; default `true`, all. */
  readonly cors?: CorsSetting | undefined;
}

/**
 * Starts a mock on its own port, with a frozen clock and limits off by default, and returns its handle. Start one in
 * each test worker to isolate the workers: this takes some milliseconds.
 *
 * Rejects with a `RangeError` for an invalid option, and with one sentence when the port is in use.
 *
 * @example
 * const casa = await startMock();
 * const response = await fetch(`${casa.baseUrl}/articles`, { headers: { authorization: `Bearer ${casa.keys.good}` } });
 * casa.clock.advance('5m');
 * await casa.close();
 */
export async function startMock(options: StartMockOptions = {}): Promise<Casa> {
  // `replaces` is for the browser of Playwright's fixture, which passes its options to this function.
  const own = ['port', 'host', 'cors', 'replaces'] as const;
  const { host = '127.0.0.1', port = 0, cors } = checkMockOptions('startMock', options, own);
  const { engine } = await prepareEngine(options, { admin: adminApi, adminHosts: [host] });
  const server = await listen(engine, { host, port, cors });
  return createCasa({
    engine,
    handler: createFetchHandler(engine, { cors }),
    baseUrl: server.baseUrl,
    origin: new URL(server.baseUrl).origin,
    close: () => server.close(),
  });
}
