// Where every request arrives: the API, the control plane, the consent pages, or nothing that exists. What reached the API
// or nothing is kept in the journal and judged.
import { bearerKey, clientAddress } from '../http/caller.ts';
import { changedByConsent, consentToken, serveConsent } from '../http/consent.ts';
import type { CoreRequest, CoreResponse } from '../http/message.ts';
import { renderRefusal } from '../http/render.ts';
import { basePath } from '../http/route.ts';
import { createService, type Trace } from '../http/service.ts';
import { adminPath } from './admin/control-plane.ts';
import type { EngineCore } from './engine-core.ts';
import type { JournalEntry } from './journal.ts';
import { describeConsent, describeMutation } from './mutation.ts';

export interface FrontDeskOptions {
  readonly trustProxy?: boolean | undefined;
  readonly strict?: boolean | undefined;
  readonly onExchange?: ((entry: JournalEntry) => void) | undefined;
  /** The control plane. */
  readonly control: (request: CoreRequest) => CoreResponse;
}

export function createFrontDesk(core: EngineCore, options: FrontDeskOptions): (request: CoreRequest) => CoreResponse {
  const { world, limits, faults } = core;
  const { trustProxy = false, strict, onExchange, control } = options;
  const serve = createService({ world, limits, faults, trustProxy, strict, grease: core.grease });
  const stamp = createStamp();

  const keepExchange = (request: CoreRequest, response: CoreResponse, trace: Trace): void => {
    const entry = core.journal.add(request, response, trace);
    // What is outside the API is outside the contract.
    const verdicts = request.path.startsWith(`${basePath}/`) ? core.judge.hear(entry) : [];
    if (trace.mutated) core.judge.forgetRefusals();
    onExchange?.(entry);
    if (!core.hasListeners) return;
    core.tell({ type: 'exchange', entry });
    for (const verdict of verdicts) core.tell({ type: 'verdict', verdict });
  };

  const answerApi = (request: CoreRequest): CoreResponse => {
    const { response, trace } = serve(request);
    if (trace.mutated && core.keepsChanges) {
      const change = describeMutation(world, trace, response);
      if (change) core.keep(change);
    }
    const stamped = stamp(response, trace.nowMs);
    keepExchange(request, stamped, trace);
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

  return (request) => {
    const { path } = request;
    if (path.startsWith(`${basePath}/`)) return answerApi(request);
    if (path === adminPath || path.startsWith(`${adminPath}/`)) return stamp(control(request), world.clock.now());
    const consent = serveConsent(request, world);
    if (consent) return answerConsent(request, consent);
    const response = stamp(renderOutside(path), world.clock.now());
    keepExchange(request, response, outsideTrace(request, { trustProxy, nowMs: world.clock.now() }));
    return response;
  };
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
