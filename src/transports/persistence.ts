// Responses wait until what they report is kept. A response that only reads waits as well: it may report a change that
// is taken back a moment later.
import { parseJson } from '../contract/json.ts';
import { type CoreRequest, type CoreResponse, mcpPath } from '../http/message.ts';
import { renderRejection } from '../http/render.ts';
import { toRpcError } from '../mcp/message.ts';

/** Keeps changes, a little later than they are made. */
export interface Persistence {
  /** How often keeping has failed so far. */
  readonly failures: number;
  /** Why it failed last, as one sentence. */
  readonly failure: string;
  /**
   * Resolves when all that was changed so far is kept, with null, or taken back, with the reason as one sentence. null
   * when nothing is pending.
   */
  readonly pending: Promise<string | null> | null;
}

type HttpResponse = (request: CoreRequest) => CoreResponse | Promise<CoreResponse>;

/** A response becomes a rejection when what it may report could not be kept; `onRejected` is notified of each. */
export function whenKept(
  apiResponse: HttpResponse,
  persistence: Persistence,
  onRejected: (request: CoreRequest, rejection: CoreResponse) => void = () => {},
): HttpResponse {
  const reject = (request: CoreRequest, response: CoreResponse, failure: string): CoreResponse => {
    const rejection = rejectionOf(request, response, failure);
    onRejected(request, rejection);
    return rejection;
  };
  const settle = (request: CoreRequest, response: CoreResponse): CoreResponse | Promise<CoreResponse> => {
    const { pending } = persistence;
    return pending
      ? pending.then((failure) => (failure === null ? response : reject(request, response, failure)))
      : response;
  };
  return (request) => {
    const response = apiResponse(request);
    return response instanceof Promise ? settleLate(request, response) : settle(request, response);
  };

  // At the MCP endpoint time passes between the change and its response, so it may have been taken back by now.
  function settleLate(request: CoreRequest, pending: Promise<CoreResponse>): Promise<CoreResponse> {
    const { failures } = persistence;
    return pending.then((response) =>
      persistence.failures === failures ? settle(request, response) : reject(request, response, persistence.failure),
    );
  }
}

// `transient` is the code of the contract for temporary failures. The headers of the limiters stay: the request was
// counted.
function rejectionOf(request: CoreRequest, { headers }: CoreResponse, failure: string): CoreResponse {
  const message = `The mock could not save the change, so it was not made: ${failure}`;
  const { 'content-type': _type, ...kept } = headers;
  const rejection = renderRejection({ code: 'transient', message });
  const whole = { ...rejection, headers: { ...kept, ...rejection.headers } };
  return request.path === mcpPath ? toRpcError(whole, readId(request)) : whole;
}

/** A JSON-RPC rejection repeats the request's id, or null if it is unreadable. */
function readId({ body }: CoreRequest): string | number | null {
  const message = parseJson(new TextDecoder().decode(body ?? undefined)) as { id?: unknown } | null | undefined;
  const id = message?.id;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}
