// A mock without a socket, for every runtime with the Request and Response of `fetch`.

import { adminApi } from '../admin/control-plane.ts';
import { type MockOptions, prepareEngine } from '../engine/prepare-engine.ts';
import { basePath } from '../http/route.ts';
import { createFetchHandler } from '../transports/fetch.ts';
import type { Casa } from './casa.ts';
import { checkMockOptions } from './check-options.ts';
import { createCasa } from './engine-casa.ts';

/** Options of `createMock`. */
export interface CreateMockOptions extends MockOptions {
  /** Base URL for clients, with any origin and path; default `http://casa.mock/api/v1`. */
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
  // Only this process can reach it, so its own name is trusted.
  const { engine } = await prepareEngine(options, { admin: adminApi, adminHosts: [hostname] });
  const handler = createFetchHandler(engine, baseUrl === `${origin}${basePath}` ? {} : { baseUrl });
  return createCasa({ engine, handler, baseUrl, origin, close: async () => {} });
}
