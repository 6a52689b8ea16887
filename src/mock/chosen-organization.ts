// `--organization-header`: several test workers share one mock and one server of an application. The server sends its
// own key, and forwards a header or a cookie that names the organization of the worker.
import { rejectStranger } from '../admin/guard.ts';
import type { World } from '../domain/world.ts';
import type { EngineOptions } from '../engine/engine-options.ts';
import { authenticate, bearerKey } from '../http/caller.ts';
import { type CoreRequest, type CoreResponse, httpDate, mcpPath } from '../http/message.ts';
import { renderComplaint } from '../http/render.ts';
import { basePath } from '../http/route.ts';
import type { Gateway } from './gateway.ts';

/** Gives requests the key of the organization that they name, if the option is on. */
export function withChosenOrganizations(gateway: Gateway, world: World, options: EngineOptions): Gateway {
  if (!options.organizationHeader) return gateway;
  const choose = <Response>(
    request: CoreRequest,
    serve: (chosen: CoreRequest) => Response,
  ): Response | CoreResponse => {
    const chosen = chooseOrganization(request, world, options);
    if (typeof chosen !== 'string') return serve(chosen);
    const { headers, ...rest } = renderComplaint(chosen);
    const response = { ...rest, headers: { ...headers, date: httpDate(world.clock.now()) } };
    gateway.recordRejection(request, response, chosen);
    return response;
  };
  return {
    ...gateway,
    handle: (request) => choose(request, gateway.handle),
    handleMcp: async (request) => choose(request, gateway.handleMcp),
  };
}

/**
 * Returns the request with the key of the organization that it names, or a sentence that says why it cannot have it. A
 * request without a valid key is unchanged, and gets its 401.
 */
function chooseOrganization(request: CoreRequest, world: World, options: EngineOptions): CoreRequest | string {
  const { headers, path } = request;
  const cookie = () => /(?:^|; *)casa-organization=([^; ]+)/.exec(headers.cookie ?? '')?.[1];
  const id = headers['x-casa-organization'] ?? cookie();
  const isApi = path === mcpPath || path.startsWith(`${basePath}/`);
  if (id === undefined || !isApi || !authenticate(bearerKey(headers), world).ok) return request;
  // A page has no more rights with it than with its key.
  const asked = { ...request, headers: { ...headers, origin: undefined, 'sec-fetch-site': undefined } };
  if (rejectStranger(asked, options))
    return 'x-casa-organization needs a request from this machine, or the admin token in x-casa-admin-token.';
  const key = world.organizations.get(id)?.keys.find(({ revoked }) => !revoked)?.key;
  if (key === undefined)
    return `x-casa-organization: there is no organization "${id.slice(0, 100)}". POST /__admin/organizations adds one.`;
  return { ...request, headers: { ...headers, authorization: `Bearer ${key}` } };
}
