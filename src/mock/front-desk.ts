// Where every request arrives: the API, the MCP door, the control plane, the consent pages, or nothing that exists. What reached the API
// or nothing is kept in the journal and judged.

import { adminPath } from '../admin/control-plane.ts';
import type { EngineCore } from '../engine/core.ts';
import type { JournalEntry } from '../engine/journal-entry.ts';
import { bearerKey, clientAddress } from '../http/caller.ts';
import { changedByConsent, consentToken, serveConsent } from '../http/consent/consent.ts';
import type { CoreRequest, CoreResponse } from '../http/message.ts';
import { renderRefusal } from '../http/render.ts';
import { basePath } from '../http/route.ts';
import { createService, type Trace } from '../http/service.ts';
import type { RestView } from '../mcp/rest-view.ts';
import type { McpService } from '../mcp/service.ts';
import { describeConsent, describeMutation } from './mutation.ts';

export interface FrontDeskOptions {
  readonly trustProxy?: boolean | undefined;
  readonly strict?: boolean | undefined;
  readonly adminHosts?: readonly string[] | undefined;
  readonly onExchange?: ((entry: JournalEntry) => void) | undefined;
  /** The control plane. */
  readonly control: (request: CoreRequest) => CoreResponse;
}

export interface FrontDesk {
  handle(request: CoreRequest): CoreResponse;
  /** The MCP door: what it needs is loaded with the first request. */
  handleMcp(request: CoreRequest): Promise<CoreResponse>;
}

export function createFrontDesk(core: EngineCore, options: FrontDeskOptions): FrontDesk {
  const { world, limits, faults } = core;
  const { trustProxy = false, strict, onExchange, control, adminHosts = [] } = options;
  const service = { world, limits, faults, trustProxy, strict, grease: core.grease };
  const serve = createService(service);
  const stamp = createStamp();

  // Verdicts go by what the request was at the API, whichever door it came through; null for what is outside the contract.
  const keepExchange = (request: CoreRequest, response: CoreResponse, { trace, judged }: Kept): void => {
    const entry = core.journal.add(request, response, trace);
    const verdicts = judged ? core.judge.hear(judged === 'as it is' ? entry : { ...entry, ...judged }) : [];
    if (trace.mutated) core.judge.forgetRefusals();
    onExchange?.(entry);
    if (!core.hasListeners) return;
    core.tell({ type: 'exchange', entry });
    for (const verdict of verdicts) core.tell({ type: 'verdict', verdict });
  };

  const keepMutation = (response: CoreResponse, trace: Trace): void => {
    if (!trace.mutated || !core.keepsChanges) return;
    const change = describeMutation(world, trace, response);
    if (change) core.keep(change);
  };

  const answerApi = (request: CoreRequest): CoreResponse => {
    const { response, trace } = serve(request);
    keepMutation(response, trace);
    const stamped = stamp(response, trace.nowMs);
    keepExchange(request, stamped, { trace, judged: 'as it is' });
    return stamped;
  };

  let mcp: Promise<McpService> | undefined;
  const answerMcp = async (request: CoreRequest): Promise<CoreResponse> => {
    mcp ??= import('../mcp/service.ts').then((door) =>
      door.createMcpService({ ...service, knownHosts: adminHosts, onMutation: keepMutation }),
    );
    const { response, trace, atRest } = await (await mcp)(request);
    const stamped = stamp(response, trace.nowMs);
    keepExchange(request, stamped, { trace, judged: atRest });
    return stamped;
  };

  const answerConsent = (request: CoreRequest, response: CoreResponse): CoreResponse => {
    if (changedByConsent(request, response)) {
      const change = describeConsent(world, consentToken(request.path) ?? '');
      if (change) core.keep(change);
      core.judge.forgetRefusals();
    }
    return stamp(response, world.clock.now());
  };

  const handle = (request: CoreRequest): CoreResponse => {
    const { path } = request;
    if (path.startsWith(`${basePath}/`)) return answerApi(request);
    if (path === adminPath || path.startsWith(`${adminPath}/`)) return stamp(control(request), world.clock.now());
    const consent = serveConsent(request, world);
    if (consent) return answerConsent(request, consent);
    const response = stamp(renderOutside(path), world.clock.now());
    const trace = outsideTrace(request, { trustProxy, nowMs: world.clock.now() });
    keepExchange(request, response, { trace, judged: null });
    return response;
  };
  return { handle, handleMcp: answerMcp };
}

interface Kept {
  readonly trace: Trace;
  readonly judged: RestView | 'as it is' | null;
}

function renderOutside(path: string): CoreResponse {
  return renderRefusal({ code: 'not_found', message: `There is no ${path} here; the API is under ${basePath}.` });
}

function outsideTrace(request: CoreRequest, { trustProxy, nowMs }: { trustProxy: boolean; nowMs: number }): Trace {
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
    mutated: false,
  };
}

/** Puts the Date header of the injected clock on an answer; its text is made once a second. */
function createStamp(): (response: CoreResponse, nowMs: number) => CoreResponse {
  let second = Number.NaN;
  let date = '';
  return (response, nowMs) => {
    const current = Math.floor(nowMs / 1000);
    if (current !== second) {
      second = current;
      date = new Date(nowMs).toUTCString();
    }
    return { ...response, headers: { ...response.headers, date } };
  };
}
