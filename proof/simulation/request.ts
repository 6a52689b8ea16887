// From what a client means to the request that the mock is given.
import type { CoreRequest } from '../../src/http/message.ts';
import type { Client, Draft } from './client.ts';
import type { Sent } from './exchange.ts';

const encoder = new TextEncoder();

/** The control plane refuses names of hosts that it does not know, so requests to it name this machine. */
export function draw(client: Client, draft: Draft): Sent {
  const { operation, method = 'GET', path, query = {}, body, headers } = draft;
  const key = draft.key === undefined ? client.key : draft.key;
  const address = draft.address ?? client.address;
  // Addresses of the crowd come through a proxy on this machine.
  const isRelayed = address.startsWith('198.51.100.');
  const request: CoreRequest = {
    method,
    path: operation === null ? path : `/api/v1${path}`,
    query: Object.entries(query)
      .flatMap(([name, value]) => (value === undefined ? [] : `${name}=${encodeURIComponent(value)}`))
      .join('&'),
    headers: {
      host: 'casa.example',
      ...(path.startsWith('/__admin') ? { host: '127.0.0.1' } : {}),
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(isRelayed ? { 'x-forwarded-for': address } : {}),
      ...headers,
    },
    body: toBytes(body),
    peer: isRelayed ? '127.0.0.1' : address,
    origin: 'http://casa.example',
  };
  return { operation, request };
}

/** A text is sent as it is, so that a draft can be broken JSON. */
function toBytes(body: unknown): Uint8Array | null {
  if (body === undefined) return null;
  if (body instanceof Uint8Array) return body;
  return encoder.encode(typeof body === 'string' ? body : JSON.stringify(body));
}
