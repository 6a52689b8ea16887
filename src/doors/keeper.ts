// Answers wait until what they tell of is kept. An answer that only reads waits as well: it may tell of a change that
// is taken back a moment later.
import { type CoreRequest, type CoreResponse, mcpPath } from '../http/message.ts';
import { renderRefusal } from '../http/render.ts';
import { toRpcError } from '../mcp/rpc-error.ts';

/** Keeps changes, a little later than they are made. */
export interface Keeper {
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

type Answer = (request: CoreRequest) => CoreResponse | Promise<CoreResponse>;

/** An answer becomes a refusal when what it may tell of could not be kept; `onRefused` is told of each. */
export function whenKept(
  answer: Answer,
  keeper: Keeper,
  onRefused: (request: CoreRequest, refusal: CoreResponse) => void = () => {},
): Answer {
  const refuse = (request: CoreRequest, response: CoreResponse, failure: string): CoreResponse => {
    const refusal = refusalOf(request, response, failure);
    onRefused(request, refusal);
    return refusal;
  };
  const settle = (request: CoreRequest, response: CoreResponse): CoreResponse | Promise<CoreResponse> => {
    const { pending } = keeper;
    return pending
      ? pending.then((failure) => (failure === null ? response : refuse(request, response, failure)))
      : response;
  };
  return (request) => {
    const response = answer(request);
    return response instanceof Promise ? settleLate(request, response) : settle(request, response);
  };

  // At the MCP door time passes between the change and its answer, so that it may have been taken back by now.
  function settleLate(request: CoreRequest, answered: Promise<CoreResponse>): Promise<CoreResponse> {
    const { failures } = keeper;
    return answered.then((response) =>
      keeper.failures === failures ? settle(request, response) : refuse(request, response, keeper.failure),
    );
  }
}

// `transient` is the code of the contract for what may work later. The headers of the limiters stay: the request was
// counted.
function refusalOf(request: CoreRequest, { headers }: CoreResponse, failure: string): CoreResponse {
  const message = `The mock could not save the change, so it was not made: ${failure}`;
  const { 'content-type': _type, ...kept } = headers;
  const refusal = renderRefusal({ code: 'transient', message });
  const whole = { ...refusal, headers: { ...kept, ...refusal.headers } };
  return request.path === mcpPath ? toRpcError(whole, readId(request)) : whole;
}

/** A JSON-RPC refusal repeats the request's id, and null where it has none that could be read. */
function readId({ body }: CoreRequest): string | number | null {
  try {
    const { id } = JSON.parse(new TextDecoder().decode(body ?? new Uint8Array())) as { id?: unknown };
    return typeof id === 'string' || typeof id === 'number' ? id : null;
  } catch {
    return null;
  }
}
