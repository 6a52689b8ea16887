// Common to all transports: adds cross-origin headers, and turns a bug of the mock into a response.
import type { Engine } from '../engine/engine.ts';
import { type CorsSetting, responseOptions, whyRejected, withCors } from '../http/cors.ts';
import {
  type CoreRequest,
  type CoreResponse,
  complete,
  httpDate as dateText,
  mcpPath,
  type Passage,
} from '../http/message.ts';
import { type Persistence, whenKept } from './persistence.ts';

/** Without `handleMcp` there is no MCP endpoint. */
export type TransportEngine = Pick<Engine, 'handle'> &
  Partial<Pick<Engine, 'handleMcp' | 'replaceResponse' | 'closedConnection' | 'recordRejection'>> & {
    readonly world: { readonly clock: { now(): number } };
  };

/** Settings of all transports. Timeouts are specific to each. */
export interface TransportOptions {
  /** Whether pages on other origins may use the API, or the origins of those that may; true when absent. */
  readonly cors?: CorsSetting | undefined;
  /** Called once for each bug of the mock: the engine threw an error. */
  readonly onBug?: ((error: unknown, request: CoreRequest) => void) | undefined;
  /** Holds responses back until what they report is kept; without it, they leave at once. */
  readonly persistence?: Persistence | undefined;
}

/**
 * A transport without waiting: the caller of a service worker or a test can get a plain response instead of a promise.
 */
export type Transport = (request: CoreRequest) => CoreResponse;

/** Everything except the MCP endpoint, without waiting. */
export function openSyncTransport(engine: TransportEngine, { cors = true, onBug }: TransportOptions): Transport {
  const reportBug = createBugReporter(engine, onBug);
  const apiResponse: Transport = (request) => {
    try {
      return engine.handle(request);
    } catch (error) {
      return reportBug(error, request);
    }
  };
  return (request) => {
    if (request.method === 'OPTIONS') {
      const options = responseOptions(request, cors);
      if (options) return recorded(request, dated(options, engine), engine);
    }
    const response = apiResponse(request);
    return withCors(request, response, cors);
  };
}

/** The MCP endpoint as well, which alone makes anybody wait. */
export function openTransports(
  engine: TransportEngine,
  options: TransportOptions,
): (request: CoreRequest) => CoreResponse | Promise<CoreResponse> {
  const { cors = true, onBug } = options;
  const transport = openSyncTransport(engine, options);
  const reportBug = createBugReporter(engine, onBug);
  const apiResponse = (request: CoreRequest): CoreResponse | Promise<CoreResponse> => {
    if (request.path !== mcpPath || request.method === 'OPTIONS' || !engine.handleMcp) {
      const response = transport(request);
      return response.later
        ? complete(response).catch((error) => withCors(request, reportBug(error, request), cors))
        : response;
    }
    const pending = engine.handleMcp(request).catch((error) => reportBug(error, request));
    return pending.then((response) => withCors(request, response, cors));
  };
  const { persistence } = options;
  return persistence
    ? whenKept(apiResponse, persistence, (request, response) => engine.replaceResponse?.(request, response))
    : apiResponse;
}

/** Reports each bug once, and returns the response that replaces the failed one. */
function createBugReporter(engine: TransportEngine, onBug: TransportOptions['onBug']) {
  const reported = new Set<string>();
  return (error: unknown, request: CoreRequest): CoreResponse => {
    const name = String(error).slice(0, 300);
    if (!reported.has(name) && reported.size < 100) {
      reported.add(name);
      onBug?.(error, request);
    }
    return bugResponse(engine);
  };
}

/** An envelope for what never reached the engine, such as broken HTTP. */
export function rejectionBody(message: string): string {
  return JSON.stringify({ error: { code: 'invalid_input', message } });
}

/** The Date header on the mock's clock (assumption C70). */
export function httpDate(engine: TransportEngine): string {
  return dateText(engine.world.clock.now());
}

/** A page only learns that its request failed, so the request log has to say why. */
function recorded(request: CoreRequest, response: CoreResponse, engine: TransportEngine): CoreResponse {
  const reason = whyRejected(request, response);
  if (reason !== null) engine.recordRejection?.(request, response, reason);
  return response;
}

/** Responses that the engine did not make have no Date yet. */
function dated(response: CoreResponse, engine: TransportEngine): CoreResponse {
  return { ...response, headers: { ...response.headers, date: httpDate(engine) } };
}

// No status of the contract says "the mock is broken", so this one says it in a header as well.
function bugResponse(engine: TransportEngine): CoreResponse {
  const error = { code: 'internal_error', message: 'The mock failed: this is a bug of casa-kit. Please report it.' };
  return dated(
    {
      status: 500,
      headers: { 'content-type': 'application/json; charset=utf-8', 'x-casa-bug': '1' },
      body: JSON.stringify({ error }),
    },
    engine,
  );
}

// Counts requests and responses in order, to distinguish a repetition from a concurrent request.

/**
 * One counter for arrivals and departures together: only then does `left < came` say that an asker had the one response
 * before it sent the other request.
 */
export class Passages {
  readonly #exact: boolean;
  #step = 0;

  constructor({ exact }: { exact: boolean }) {
    this.#exact = exact;
  }

  step(): number {
    this.#step += 1;
    return this.#step;
  }

  /**
   * `came` is given when the request may have been sent before it was read; `left` stays null while no response has
   * left.
   */
  begin(came = this.step()): Passage {
    return { came, left: null, exact: this.#exact };
  }

  end(passage: Passage): void {
    passage.left = this.step();
  }
}
