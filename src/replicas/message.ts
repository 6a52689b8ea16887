// A request in the log: plain JSON that every replica handles in the same way, without the key.

import { adminPath } from '../admin/control-plane.ts';
import { type GuardOptions, rejectStranger } from '../admin/guard.ts';
import { bodyBytesMax, mcpBodyBytesMax } from '../contract/generated/limits.ts';
import type { Engine } from '../engine/engine.ts';
import { redactHeader, redactKeys } from '../engine/redaction.ts';
import { bearerKey } from '../http/caller.ts';
import { type CoreRequest, mcpPath } from '../http/message.ts';
import { serveWelcome } from '../http/welcome.ts';
import type { SecretStore } from './secret-store.ts';

/** The names are short because each request has them. */
export interface Message {
  readonly m: string;
  readonly p: string;
  readonly q?: string;
  readonly h: Readonly<Record<string, string>>;
  /** Id of the key, and its last characters for the request log. */
  readonly k?: readonly [id: string, end: string];
  /** The peer's address, and the scheme and host under which it reached the replica. */
  readonly a: string;
  readonly o: string;
  /** The body as text, or in base64 if it is binary. */
  readonly t?: string;
  readonly b?: string;
  /** The body is over the cap, so its bytes are not needed. */
  readonly x?: 1;
}

/** A letter that holds a key in addition to the one in `Authorization` is sealed as a whole. */
export type Envelope = Message | { readonly s: string };

/** Stands for an `Authorization` that has no key which the API could read. */
const unreadable = 'unreadable';
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const utf8Encoder = new TextEncoder();
let tooLarge: Uint8Array | undefined;

/** Sealed where a key or the admin token is in the path, the query or the body. */
export function toEnvelope(request: CoreRequest, secretStore: SecretStore, { adminToken }: GuardOptions): Envelope {
  const { method, path, query, peer, origin } = request;
  const key = readKey(request, adminToken);
  const body = describeBody(request);
  const isSecret = (text: string) => redactKeys(text) !== text || (adminToken ? text.includes(adminToken) : false);
  const message: Message = {
    m: method,
    p: path,
    ...(query === '' ? {} : { q: query }),
    h: describeHeaders(request.headers, isSecret),
    ...(key === null ? {} : { k: [secretStore.idOf(key), key.slice(-4)] }),
    a: peer,
    o: origin,
    ...body,
  };
  const isSealed = [path, query, body.t ?? ''].some(isSecret);
  return isSealed ? { s: secretStore.seal(JSON.stringify(message)) } : message;
}

/** The admin API reads no keys, and an admin token is not a key. */
function readKey(request: CoreRequest, adminToken: GuardOptions['adminToken']): string | null {
  const key = belowAdmin(request) === null ? bearerKey(request.headers) : null;
  return key !== null && key === adminToken ? '' : key;
}

function describeBody({ body, path }: CoreRequest): Pick<Message, 't' | 'b' | 'x'> {
  if (body === null) return {};
  if (body.length > (path === mcpPath ? mcpBodyBytesMax : bodyBytesMax)) return { x: 1 };
  try {
    return { t: utf8.decode(body) };
  } catch {
    return { b: Buffer.from(body).toString('base64') };
  }
}

// As the request log shows them: no cookie, no token. Nothing that responds to a request reads one of these.
function describeHeaders(headers: CoreRequest['headers'], isSecret: (text: string) => boolean): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined) continue;
    const shown = name === 'authorization' ? unreadable : redactHeader(name, value);
    kept[name] = isSecret(shown) ? '…' : shown;
  }
  return kept;
}

export function openEnvelope(envelope: Envelope, secretStore: SecretStore): Message {
  return 's' in envelope ? (JSON.parse(secretStore.open(envelope.s)) as Message) : envelope;
}

/** What `toRequest` needs in addition to the letter. */
export interface Reading {
  readonly engine: Pick<Engine, 'world' | 'faults'>;
  readonly secretStore: SecretStore;
  /** A new one for each request: after a load balancer, the order of requests and responses is unknown. */
  readonly connection: number;
}

/** The request again. It is the same on every replica whose engine is at the same entry. */
export function toRequest(message: Message, { engine, secretStore, connection }: Reading): CoreRequest {
  const { m, p, q = '', h, k, a, o } = message;
  const headers = k ? { ...h, authorization: `Bearer ${findKey(k, engine, secretStore)}` } : h;
  const request = { method: m, path: p, query: q, headers, body: readBody(message), peer: a, origin: o, connection };
  return belowAdmin(request) === null ? request : { ...request, isAdmitted: true };
}

function readBody({ t, b, x }: Message): Uint8Array | null {
  if (x) {
    tooLarge ??= new Uint8Array(bodyBytesMax + 1);
    return tooLarge;
  }
  if (t !== undefined) return utf8Encoder.encode(t);
  return b === undefined ? null : Buffer.from(b, 'base64');
}

/** Returns a key of the world or of a fault; otherwise a text that is not a key and ends like the one sent. */
function findKey(
  [id, end]: readonly [string, string],
  { world, faults }: Reading['engine'],
  secretStore: SecretStore,
): string {
  for (const key of world.keys.keys()) if (secretStore.idOf(key) === id) return key;
  for (const { rule } of faults.list()) {
    if (rule.match.key !== undefined && secretStore.idOf(rule.match.key) === id) return rule.match.key;
  }
  return `unknown-${id}-${end}`;
}

/** Responses whether this replica may be sent requests; open to everyone, and says nothing more. */
export const readyPath = '/__ready';

/** About this replica alone, or the same at any time. */
const ownPages = ['', '/', '/docs', '/openapi.json', '/health', '/events', '/shutdown'];

export function belowAdmin({ path }: Pick<CoreRequest, 'path'>): string | null {
  return path === adminPath || path.startsWith(`${adminPath}/`) ? path.slice(adminPath.length) : null;
}

/**
 * Whether a replica responds by itself: pages, its own health and events, and rejections of the admin API's guard,
 * which must not cost other replicas anything.
 */
export function isOwnMatter(request: CoreRequest, guard: GuardOptions): boolean {
  const below = belowAdmin(request);
  if (below === null) return serveWelcome(request) !== null;
  return ownPages.includes(below.replace(/(.)\/$/, '$1')) || rejectStranger(request, guard) !== null;
}

/** Whether only this replica has to handle the request, because it changes nothing. */
export function isLook(request: Pick<CoreRequest, 'path' | 'method'>): boolean {
  const below = belowAdmin(request);
  if (below === null) return false;
  return request.method === 'POST' ? below === '/requests/har' : ['GET', 'HEAD'].includes(request.method);
}
