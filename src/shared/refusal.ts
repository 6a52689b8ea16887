// Answers of a replica that cannot give the true one.
import { type CoreRequest, type CoreResponse, mcpPath } from '../http/message.ts';
import { renderJson, renderRefusal } from '../http/render.ts';
import { toRpcError } from '../mcp/rpc-error.ts';
import type { Unanswered } from './outbox.ts';

/** `transient` is the code of the contract for what may work later. Cites 7.code.transient. */
export function refuse({ path }: CoreRequest, { reason, isOpen }: Unanswered): CoreResponse {
  const outcome = isOpen ? 'It is not known whether the request was carried out' : 'Nothing was done';
  const { headers, ...refusal } = renderRefusal({ code: 'transient', message: `${outcome}: ${reason}.` });
  const response = { ...refusal, headers: { ...headers, 'retry-after': '1' } };
  return path === mcpPath ? toRpcError(response, null) : response;
}

/** For load balancers: nothing but the status matters. */
export function describeReady(isReady: boolean, state: string): CoreResponse {
  return renderJson(isReady ? 200 : 503, JSON.stringify({ ready: isReady, state }));
}
