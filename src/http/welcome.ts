// The response at the root of the mock, for people and tools that only have its address, and the contract's document
// for client generators.
import { loginPath } from '../domain/faults.ts';
import { escapeHtml } from '../terminal/visible.ts';
import { renderPage } from './consent/consent-page.ts';
import type { CoreRequest, CoreResponse } from './message.ts';
import { mcpPath } from './message.ts';
import { basePath } from './route.ts';

const json = { 'content-type': 'application/json; charset=utf-8', 'x-content-type-options': 'nosniff' } as const;

/** The response at `/`, `/openapi.json` and the page of `login_redirect`; null for a request for something else. */
export function serveWelcome(request: CoreRequest): CoreResponse | null {
  const { method, path } = request;
  if (method !== 'GET' && method !== 'HEAD') return null;
  if (path === '/') return withoutBody(request, welcome(request));
  if (path === loginPath) return withoutBody(request, renderPage({ title: 'Sign in', body: '<h1>Sign in</h1>' }, 200));
  if (path === '/openapi.json') return withoutBody(request, showDocument(request));
  return null;
}

function withoutBody({ method }: CoreRequest, response: CoreResponse): CoreResponse {
  return method === 'HEAD' ? { status: response.status, headers: response.headers, body: '' } : response;
}

/** The document around the address of the mock: serialized once, because anybody may request it all the time. */
let around: readonly string[] | undefined;

/** The document is large, so it is loaded with the first request for it. */
function showDocument({ origin }: CoreRequest): CoreResponse {
  return {
    status: 200,
    headers: json,
    body: '',
    later: async () => {
      around ??= await serializeDocument();
      return { headers: {}, body: around.join(JSON.stringify(`${origin}${basePath}`)) };
    },
  };
}

async function serializeDocument(): Promise<string[]> {
  const { apiDocument } = await import('../contract/generated/document.ts');
  const url = 'the address of the mock';
  const servers = [{ url, description: 'The mock that served this document' }];
  return `${JSON.stringify({ ...JSON.parse(apiDocument), servers }, null, 1)}\n`.split(JSON.stringify(url));
}

const what = 'A mock of the Content and Social Account service (CASA). It is stateful, and contacts no platform.';

const places = [
  ['baseUrl', basePath, 'The API. Every request needs a key: Authorization: Bearer API_KEY'],
  ['mcpUrl', mcpPath, 'The MCP endpoint'],
  ['dashboard', '/__admin', 'The dashboard: request log, clock, faults, calls, accounts, keys'],
  ['reference', '/__admin/docs', 'The API reference, with a form to try each operation'],
  ['document', '/openapi.json', 'The OpenAPI document, for client generators'],
] as const;

function welcome({ headers, origin }: CoreRequest): CoreResponse {
  const wantsPage = headers.accept?.includes('text/html') ?? false;
  if (!wantsPage) {
    const addresses = places.map(([name, path]) => [name, `${origin}${path}`]);
    const body = `${JSON.stringify({ name: 'casa mock', what, ...Object.fromEntries(addresses) }, null, 2)}\n`;
    return { status: 200, headers: { ...json, vary: 'accept' }, body };
  }
  // A proxy can put the mock below a path; links leave out other parts of a name.
  const root = /^https?:\/\/[^/?#]+((?:\/[\w.~-]+)*)$/.exec(origin)?.[1] ?? '';
  const rows = places.map(([name, path, text]) => {
    const address = escapeHtml(`${origin}${path}`);
    const shown =
      name === 'baseUrl' || name === 'mcpUrl' ? `<code>${address}</code>` : `<a href="${root}${path}">${address}</a>`;
    return `<li>${shown}<br>${escapeHtml(text)}</li>`;
  });
  const body = `<h1>casa mock</h1>\n<p>${what}</p>\n<ul>${rows.join('\n')}</ul>`;
  return renderPage({ title: 'casa mock', body }, 200, { vary: 'accept' });
}
