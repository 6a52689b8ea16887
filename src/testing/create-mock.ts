// A mock without a socket: requests go in through `casa.fetch`. Runs wherever there is `fetch`'s Request and Response.

import { basePath } from '../http/route.ts';
import { type MockOptions, prepareEngine } from '../mock/mock-engine.ts';
import { createFetchHandler } from '../transports/fetch.ts';
import type { Casa } from './casa.ts';
import { checkMockOptions } from './check-options.ts';
import { createCasa } from './engine-casa.ts';

/** Options of a mock without a socket. */
export interface CreateMockOptions extends MockOptions {
  /** Where clients reach the API: any path of any origin. `http://casa.mock/api/v1` when absent. */
  readonly baseUrl?: string | undefined;
}

/**
 * Returns a mock without a server, reached through `casa.fetch`, with a frozen clock and limits off by default. Rejects
 * with a `RangeError` for an invalid option.
 *
 * @example
 * const casa = await createMock();
 * const response = await casa.fetch('/articles', { headers: { authorization: `Bearer ${casa.keys.good}` } });
 */
export async function createMock(options: CreateMockOptions = {}): Promise<Casa> {
  checkMockOptions('createMock', options, ['baseUrl', 'persist']);
  const baseUrl = (options.baseUrl ?? `http://casa.mock${basePath}`).replace(/\/$/, '');
  const { origin, hostname } = new URL(baseUrl);
  // Nobody but this process can reach it, so its own name is a trusted one.
  const { engine } = await prepareEngine(options, { adminHosts: [hostname] });
  const handler = createFetchHandler(engine, baseUrl === `${origin}${basePath}` ? {} : { baseUrl });
  return createCasa({ engine, handler, baseUrl, origin, close: async () => {} });
}
