// Handlers for Mock Service Worker, versions 2 and 3, in Node and in the browser: the mock without a server.
import * as msw from 'msw';
import type { ConnectAccountOutput } from '../contract/generated/types.ts';
import { mcpPath } from '../http/message.ts';
import { basePath } from '../http/route.ts';
import type { Casa } from './casa.ts';
import { checkMockOptions } from './check-options.ts';
import { consentDocument, isConsent, openConsentPages } from './consent-in-page.ts';
import { type CreateMockOptions, createMock } from './create-mock.ts';
import { keepInSession } from './session-state.ts';

/** Options of `casaHandlers`. */
export interface CasaHandlersOptions extends CreateMockOptions {
  /**
   * The base URL that the page uses for the API, with any path: absolute, or in a browser a path relative to the page,
   * such as `/api/v1`. The default is `http://casa.mock/api/v1`.
   */
  readonly baseUrl?: string | undefined;
}

/** Persistence of a mock in a page. */
export interface KeepOptions {
  /** Whether a browser keeps the state in its session storage when the page reloads; default `true`. */
  readonly persist?: boolean | undefined;
}

/** A handler in msw's own type, for every supported version. */
export type CasaHandler = ReturnType<typeof msw.http.all>;

/**
 * Returns request handlers for `setupWorker` and `setupServer`.
 *
 * With options, they use a new mock that behaves like production: limits on, a running clock. All requests of a page
 * share one client address, and so one address limiter (8.address-window). With a mock from `createMock`, they use that
 * mock, so a test can control it: its clock is frozen and limits are off by default.
 *
 * Throws a `RangeError` for an unknown option and for an invalid base URL. The first request reports an unknown world,
 * start or mutant.
 *
 * @example
 * setupWorker(...casaHandlers({ baseUrl: 'https://api.example.com/api/v1' }));
 * @example
 * const casa = await createMock();
 * setupServer(...casaHandlers(casa));
 */
export function casaHandlers(
  source: (CasaHandlersOptions & KeepOptions) | Casa = {},
  keep: KeepOptions = {},
): CasaHandler[] {
  const isCasa = 'fetch' in source && 'requests' in source;
  const baseUrl = isCasa ? source.baseUrl : absolute(source.baseUrl ?? `http://casa.mock${basePath}`);
  const { persist = true } = isCasa ? keep : source;
  // At once, and not with the first request, where a service worker would turn it into a 500.
  if (!isCasa) checkMockOptions('casaHandlers', { ...source, baseUrl }, ['baseUrl', 'persist']);
  const made = isCasa ? Promise.resolve(source) : createMock({ limits: true, clock: 'running', ...source, baseUrl });
  const ready = made.then((casa) => {
    const keep = persist ? keepInSession(casa) : () => {};
    const notifyPages = openConsentPages(casa);
    // A tab that is opened for the link starts with the current session.
    const onLink = (connectUrl: string) => {
      keep();
      notifyPages(connectUrl);
    };
    return { casa, onLink };
  });
  // The first request reports a failure; until then it must not count as an unhandled rejection.
  ready.catch(() => {});
  const apiResponse = async ({ request }: { request: Request }): Promise<Response> => {
    const { casa, onLink } = await ready;
    try {
      if (isConsentVisit(request))
        return await consentDocument(casa, request.url.slice(new URL(request.url).origin.length));
      const response = await casa.fetch(request);
      // The response that hands out a connect link.
      if (response.ok && request.method === 'POST' && /\/connect\/accounts$/.test(new URL(request.url).pathname))
        onLink(await readLink(response.clone()));
      return response;
    } catch (error) {
      // `fetch` rejects with this: to the page the network failed.
      if (error instanceof TypeError) return Response.error();
      throw error;
    }
  };
  const { origin } = new URL(baseUrl);
  const paths = [
    `${baseUrl}/*`,
    `${origin}/connect/*`,
    `${origin}${mcpPath}`,
    `${origin}/__admin`,
    `${origin}/__admin/*`,
  ];
  return paths.map((path) => httpOf(msw).all(path, apiResponse));
}

// Users of the server alone can have any version of msw, so only this entry point can check it.
function httpOf({ http }: Partial<typeof msw>): typeof msw.http {
  if (http) return http;
  throw new RangeError('casa-kit/msw needs msw 2 or 3, and this project has an older one.');
}

// A tab that was opened with the link; only the worker of msw 3 asks us for it.
function isConsentVisit({ method, url, headers }: Request): boolean {
  return method === 'GET' && isConsent(new URL(url).pathname) && /text\/html/.test(headers.get('accept') ?? '');
}

async function readLink(response: Response): Promise<string> {
  const { data } = (await response.json()) as { data: ConnectAccountOutput };
  return data.connectUrl;
}

/** Outside a browser there is no page to count from, so a relative URL stays one. */
function absolute(baseUrl: string): string {
  const page = (globalThis as { location?: { href: string } }).location?.href;
  const url = URL.canParse(baseUrl, page) ? new URL(baseUrl, page).href : baseUrl;
  return url.replace(/\/$/, '');
}
