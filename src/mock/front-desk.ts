// Every request arrives here and is led on: to the API, the MCP door, the control plane, the consent pages, or nowhere.
// The journal keeps the requests to the API, to the MCP door and to nowhere; the judge hears those to the API.
import { adminPath } from '../admin/control-plane.ts';
import type { WorldChange } from '../domain/change.ts';
import type { EngineCore } from '../engine/core.ts';
import type { Engine } from '../engine/engine.ts';
import type { EngineOptions } from '../engine/engine-options.ts';
import { type JournalEntry, journalBodyBytesMax, replayHeader } from '../engine/journal-record.ts';
import { bearerKey, clientAddress } from '../http/caller.ts';
import { type ConsentAnswer, serveConsent } from '../http/consent/consent.ts';
import { type CoreRequest, type CoreResponse, httpDate } from '../http/message.ts';
import { inOwnTime } from '../http/relay.ts';
import { renderRefusal } from '../http/render.ts';
import { basePath } from '../http/route.ts';
import { createService, type Served, type Trace } from '../http/service.ts';
import { serveWelcome } from '../http/welcome.ts';
import type { RestView } from '../mcp/rest-view.ts';
import type { McpService } from '../mcp/service.ts';

export type FrontDesk = Pick<Engine, 'handle' | 'handleMcp' | 'repeat' | 'recordRejection' | 'replaceAnswer'>;

/** `control` is the control plane. */
export function createFrontDesk(
  core: EngineCore,
  options: EngineOptions,
  control: (request: CoreRequest) => CoreResponse,
): FrontDesk {
  const { world, limits, faults } = core;
  const { trustProxy, onExchange, adminHosts = [] } = options;
  const change = (made: WorldChange) => core.change(made);
  const service = { ...options, world, limits, faults, writer: () => core.writer, change };
  const serve = createService(service);

  const keepExchange = createRecorder(core, onExchange);

  const answerApi = createApi(serve, keepExchange);

  // No client sent it, so no client is judged by it.
  const repeat = (requestId: number): number | null => {
    const request = repeatable(core.journal.findEntry(requestId));
    if (!request) return null;
    const served = serve(request);
    if (served.later) return null;
    keepExchange(request, served, null);
    return core.journal.count;
  };

  let mcp: Promise<McpService> | undefined;
  const answerMcp = async (request: CoreRequest): Promise<CoreResponse> => {
    mcp ??= import('../mcp/service.ts').then((door) => door.createMcpService({ ...service, knownHosts: adminHosts }));
    const served = await (await mcp)(request);
    keepExchange(request, served, served.restView);
    return served.response;
  };

  const dated = (response: CoreResponse): CoreResponse => ({
    ...response,
    headers: { ...response.headers, date: httpDate(world.clock.now()) },
  });

  const answerConsent = ({ response, change }: ConsentAnswer): CoreResponse => {
    if (change) {
      core.change(change);
      core.judge.forgetRefusals();
    }
    return dated(response);
  };

  const handle = (request: CoreRequest): CoreResponse => {
    const { path } = request;
    if (path.startsWith(`${basePath}/`)) return answerApi(request);
    if (path === adminPath || path.startsWith(`${adminPath}/`)) return dated(control(request));
    const consent = serveConsent(request, world);
    if (consent) return answerConsent(consent);
    const welcome = serveWelcome(request);
    if (welcome) return dated(welcome);
    const response = dated(renderOutside(path));
    const trace = outsideTrace(request, { trustProxy, nowMs: world.clock.now() });
    keepExchange(request, { response, trace, output: null, change: null }, null);
    return response;
  };
  const recordRejection: FrontDesk['recordRejection'] = (request, response, complaint) => {
    const outside = outsideTrace(request, { trustProxy, nowMs: world.clock.now() });
    const trace: Trace = { ...outside, routing: 'protocol', complaint };
    keepExchange(request, { response, trace, output: null, change: null }, null);
  };
  const replaceAnswer = (request: CoreRequest, response: CoreResponse): void => {
    const entry = core.journal.replaceAnswer(request, response);
    if (!entry) return;
    // The client never saw the answer that was judged: a repeated request is not an offence.
    core.judge.forgetRefusals();
    onExchange?.(entry);
    if (core.hasListeners) core.tell({ type: 'exchange', entry });
  };
  return { handle, repeat, handleMcp: answerMcp, recordRejection, replaceAnswer };
}

// Verdicts go by what the request was at the API, whichever door it came through; null for what is outside the
// contract.
type KeepExchange = (request: CoreRequest, served: Served, judged: RestView | 'as it is' | null) => void;

function createRecorder(core: EngineCore, onExchange: EngineOptions['onExchange']): KeepExchange {
  return (request, served, judged) => {
    const { response, trace, output } = served;
    const entry = core.journal.add(request, response, trace);
    const own = trace.forwarded ? { ...entry, response: inOwnTime(response, trace.nowMs) } : entry;
    const heard = judged === null || judged === 'as it is' ? own : { ...entry, ...judged };
    const verdicts = judged ? core.judge.hear(heard, output) : [];
    // The ids of a deployment's calls are not known to be ids.
    if (!trace.forwarded) core.deliveries.hear(heard, output);
    if (served.change) core.judge.forgetRefusals();
    onExchange?.(entry);
    if (!core.hasListeners) return;
    core.tell({ type: 'exchange', entry });
    for (const verdict of verdicts) core.tell({ type: 'verdict', verdict });
  };
}

/** Who waits for a deployment is answered when it is known, and kept in the journal then. */
function createApi(serve: (request: CoreRequest) => Served, keepExchange: KeepExchange) {
  const keep = (request: CoreRequest, served: Served): CoreResponse => {
    keepExchange(request, served, 'as it is');
    return served.response;
  };
  return (request: CoreRequest): CoreResponse => {
    const served = serve(request);
    const { later } = served;
    if (!later) return keep(request, served);
    return { ...served.response, later: async () => keep(request, await later()) };
  };
}

/** Only the API is asked again, and only with a body that the journal has whole. */
function repeatable(entry: JournalEntry | null): CoreRequest | null {
  if (!entry?.request.path.startsWith(`${basePath}/`) || entry.trace.forwarded) return null;
  const { id, request } = entry;
  if ((request.body?.length ?? 0) > journalBodyBytesMax) return null;
  return { ...request, headers: { ...request.headers, [replayHeader]: String(id) } };
}

function renderOutside(path: string): CoreResponse {
  const message =
    path === basePath
      ? `${path} is the base path of the API. Add the path of an operation, for example ${path}/sites.`
      : `There is no ${path} here. The API is under ${basePath}.`;
  return renderRefusal({ code: 'not_found', message });
}

function outsideTrace(
  request: CoreRequest,
  { trustProxy, nowMs }: Pick<EngineOptions, 'trustProxy'> & { nowMs: number },
): Trace {
  return {
    routing: 'unknown_path',
    address: clientAddress(request, trustProxy),
    key: bearerKey(request.headers),
    organizationId: null,
    nowMs,
    fault: null,
    fired: false,
    blockedBy: null,
    complaint: null,
  };
}
