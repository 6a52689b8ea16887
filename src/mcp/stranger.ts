// Pages from elsewhere stay out, as the protocol asks of every server on HTTP: a page may have pointed its own name at
// this machine. Only a browser names an origin, so other clients may call the door whatever they like (choice C151).
import { isForeignOrigin, isOwnOrigin } from '../http/host-name.ts';
import type { CoreRequest, CoreResponse } from '../http/message.ts';
import { rpcError } from './rpc-error.ts';

/** The refusal, or null for a request that may pass. */
export function refuseStranger({ headers }: CoreRequest, knownHosts: readonly string[]): CoreResponse | null {
  const { origin, host } = headers;
  if (origin === undefined || isOwnOrigin(origin, host) || !isForeignOrigin(origin, knownHosts)) return null;
  const message = `A page of ${origin.slice(0, 200)} may not use the MCP door; pages on localhost and private addresses may.`;
  return rpcError({ status: 403 }, { id: null, message });
}
