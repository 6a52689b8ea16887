// Every request arrives here and is led on: to the API, the MCP endpoint, the admin API, the consent pages, or nowhere.
// The request log keeps the requests to the API, to the MCP endpoint and to nowhere; the judge hears those to the API.
import type { WorldChange } from '../domain/change.ts';
import type { ControlledClock } from '../domain/clock.ts';
import { bearerKey, clientAddress } from '../http/caller.ts';
import { type ConsentResponse, serveConsent } from '../http/consent/consent.ts';
import { adminPath, type CoreRequest, type CoreResponse, httpDate } from '../http/message.ts';
import { inOwnTime } from '../http/relay.ts';
import { renderUnmatched } from '../http/render.ts';
import { basePath } from '../http/route.ts';
import { createService, type Served, type Trace } from '../http/service.ts';
import { serveWelcome } from '../http/welcome.ts';
import type { RestView } from '../mcp/rest-view.ts';
import type { McpService } from '../mcp/service.ts';
import type { EngineCore } from './core.ts';
import type { Engine } from './engine.ts';
import type { EngineOptions } from './engine-options.ts';
import { type RequestLogEntry, replayHeader, requestLogBodyBytesMax } from './request-log-record.ts';

export type Gateway = Pick<Engine, 'handle' | 'handleMcp' | 'repeat' | 'recordRejection' | 'replaceResponse'>;

/** `control` is the admin API; null for a mock without one. */
export function createGateway(
  core: EngineCore,
  options: EngineOptions,
  control: ((request: CoreRequest) => CoreResponse) | null,
): Gateway {
  const { world, limits, faults } = core;
  const { trustProxy, onExchange, adminHosts = [] } = options;
  const change = (made: WorldChange) => core.change(made);
  const service = { ...options, world, limits, faults, writer: () => core.writer, change };
  const serve = createService(service);

  const keepExchange = createRecorder(core, onExchange);
  const respondApi = createApi(serve, keepExchange);
  // No client sent it, so no client is checked by it.
  const repeat = (requestId: number): number | null => {
    const request = repeatable(core.requestLog.findEntry(requestId));
    if (!request) return null;
    const served = serve(request);
    if (served.later) return null;
    keepExchange(request, served, null);
    return core.requestLog.count;
  };

  let mcp: Promise<McpService> | undefined;
  const respondMcp = async (request: CoreRequest): Promise<CoreResponse> => {
    mcp ??= import('../mcp/service.ts').then((module) =>
      module.createMcpService({ ...service, knownHosts: adminHosts }),
    );
    const served = await (await mcp)(request);
    keepExchange(request, served, served.restView);
    return served.response;
  };

  const dated = (response: CoreResponse): CoreResponse => ({
    ...response,
    headers: { ...response.headers, date: httpDate(world.clock.now()) },
  });

  const respondConsent = ({ response, change }: ConsentResponse): CoreResponse => {
    if (change) {
      core.change(change);
      core.judge.forgetRejections();
    }
    return dated(response);
  };

  const handle = (request: CoreRequest): CoreResponse => {
    const { path } = request;
    if (path.startsWith(`${basePath}/`)) return respondApi(request);
    if (control && (path === adminPath || path.startsWith(`${adminPath}/`))) return dated(control(request));
    const consent = serveConsent(request, world);
    if (consent) return respondConsent(consent);
    const welcome = serveWelcome(request);
    if (welcome) return dated(welcome);
    const response = dated(renderOutside(request));
    const trace = outsideTrace(request, { trustProxy, clock: core.clock });
    keepExchange(request, { response, trace, output: null, change: null }, null);
    return response;
  };
  const recordRejection: Gateway['recordRejection'] = (request, response, complaint) => {
    const outside = outsideTrace(request, { trustProxy, clock: core.clock });
    const trace: Trace = { ...outside, routing: 'protocol', complaint };
    keepExchange(request, { response, trace, output: null, change: null }, null);
  };
  const replaceResponse = (request: CoreRequest, response: CoreResponse): void => {
    const entry = core.requestLog.replaceResponse(request, response);
    if (!entry) return;
    // The client never saw the response that was checked: a repeated request is not an offence.
    core.judge.forgetRejections();
    onExchange?.(entry, null);
    if (core.hasListeners) core.tell({ type: 'exchange', entry });
  };
  return { handle, repeat, handleMcp: respondMcp, recordRejection, replaceResponse };
}

// Violations are about the request at the API, for REST and MCP alike; `judged` is null for requests outside the
// contract.
type KeepExchange = (request: CoreRequest, served: Served, judged: RestView | 'unchanged' | null) => void;

function createRecorder(core: EngineCore, onExchange: EngineOptions['onExchange']): KeepExchange {
  return (request, served, judged) => {
    const { response, trace, output } = served;
    const entry = core.requestLog.add(request, response, trace);
    const own = trace.forwarded ? { ...entry, response: inOwnTime(response, trace.nowMs) } : entry;
    const heard = judged === null || judged === 'unchanged' ? own : { ...entry, ...judged };
    const violations = judged ? core.judge.hear(heard, output) : [];
    // The ids of a deployment's calls are not known to be ids.
    if (!trace.forwarded) core.deliveries.hear(heard, output);
    if (served.change) core.judge.forgetRejections();
    onExchange?.(entry, judged && heard);
    if (!core.hasListeners) return;
    core.tell({ type: 'exchange', entry });
    for (const violation of violations) core.tell({ type: 'violation', violation });
  };
}

/** A forwarded request gets its response, and its request log entry, when the deployment has responded. */
function createApi(serve: (request: CoreRequest) => Served, keepExchange: KeepExchange) {
  const keep = (request: CoreRequest, served: Served): CoreResponse => {
    keepExchange(request, served, 'unchanged');
    return served.response;
  };
  return (request: CoreRequest): CoreResponse => {
    const served = serve(request);
    const { later } = served;
    if (!later) return keep(request, served);
    return { ...served.response, later: async () => keep(request, await later()) };
  };
}

/** Only requests to the API can be repeated, and only if the request log has the whole body. */
function repeatable(entry: RequestLogEntry | null): CoreRequest | null {
  if (!entry?.request.path.startsWith(`${basePath}/`) || entry.trace.forwarded) return null;
  const { id, request } = entry;
  if ((request.body?.length ?? 0) > requestLogBodyBytesMax) return null;
  return { ...request, headers: { ...request.headers, [replayHeader]: String(id) } };
}

function renderOutside(request: CoreRequest): CoreResponse {
  const { path } = request;
  const text =
    path === basePath
      ? `${path} is the base path of the API. Add the path of an operation, for example ${path}/sites.`
      : `There is no ${path} here. The API is under ${basePath}.`;
  return renderUnmatched(request, text);
}

function outsideTrace(
  request: CoreRequest,
  { trustProxy, clock }: Pick<EngineOptions, 'trustProxy'> & { clock: ControlledClock },
): Trace {
  return {
    routing: 'unknown_path',
    address: clientAddress(request, trustProxy),
    key: bearerKey(request.headers),
    organizationId: null,
    nowMs: clock.now(),
    arrivedMs: clock.source(),
    fault: null,
    fired: false,
    blockedBy: null,
    complaint: null,
  };
}
