// Rejections of the MCP endpoint in JSON-RPC form: the status and headers are those of REST, and `data` has the body of
// REST, so the contract's codes stay readable (assumption C141). Cites 7.envelope.mcp.
import { bodyText, type CoreResponse } from '../http/message.ts';
import type { MessageId } from './message.ts';

/** The range that JSON-RPC leaves to servers begins here; the contract names no numbers. */
const serverError = -32_000;

/** Takes both forms of a REST error: the envelope, and the bare text of the limiters. */
export function toRpcError(response: CoreResponse, id: MessageId): CoreResponse {
  const data: unknown = JSON.parse(bodyText(response));
  const { error } = data as { error: string | { message: string } };
  const message = typeof error === 'string' ? limited : error.message;
  return rpcError(response, { id, code: serverError, message, data });
}

const limited = 'Too many requests: wait as Retry-After or X-RateLimit-Reset says.';

/** `code` is -32000 when absent; `data` is left out when absent. */
export interface RpcErrorParts {
  readonly id: MessageId;
  readonly code?: number;
  readonly message: string;
  readonly data?: unknown;
}

/** An error with a status of HTTP, which the protocol's own errors do not have. */
export function rpcError(
  { status, headers = {} }: { status: number; headers?: CoreResponse['headers'] },
  { id, code = serverError, message, data }: RpcErrorParts,
): CoreResponse {
  const error = { code, message, ...(data === undefined ? {} : { data }) };
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id, error }),
  };
}
