// A mock without a socket: requests go in through `casa.fetch`. Runs wherever there is `fetch`'s Request and Response.

import { createFetchHandler } from '../doors/fetch.ts';
import { basePath } from '../http/route.ts';
import { type MockOptions, prepareEngine } from '../mock/mock-engine.ts';
import type { Casa } from './casa.ts';
import { checkMockOptions } from './check-options.ts';
import { createCasa } from './engine-casa.ts';

/** Options of a mock without a socket. */
export interface CreateMockOptions extends MockOptions {
  /** The base URL that the mock states; `http://casa.mock/api/v1` when absent. Its path has to be `/api/v1`. */
  readonly baseUrl?: string | undefined;
}

/**
 * Makes a mock that is reached through `casa.fetch` alone, with a frozen clock and no limits unless told otherwise.
 * Rejects with a `RangeError` when an option cannot be used.
 *
 * @example
 * const casa = await createMock();
 * const response = await casa.fetch('/articles', { headers: { authorization: `Bearer ${casa.keys.good}` } });
 */
export async function createMock(options: CreateMockOptions = {}): Promise<Casa> {
  checkMockOptions('createMock', options, ['baseUrl', 'persist']);
  const url = readBaseUrl(options.baseUrl ?? `http://casa.mock${basePath}`);
  // Nobody but this process can reach it, so its own name is a trusted one.
  const { engine } = await prepareEngine(options, { adminHosts: [url.hostname] });
  const handler = createFetchHandler(engine);
  return createCasa({
    engine,
    handler,
    baseUrl: `${url.origin}${basePath}`,
    origin: url.origin,
    close: async () => {},
  });
}

/** Refuses another path early: the mock would answer 404 to all requests. */
function readBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && url.pathname.replace(/\/$/, '') === basePath) return url;
  throw new RangeError(`${text} is not a base URL of this API; it has to be absolute and to end in ${basePath}.`);
}
