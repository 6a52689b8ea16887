// A request as it stands in the log: plain JSON that every replica can answer in the same way, without the key.
import type { GuardOptions } from '../admin/guard.ts';
import { bodyBytesMax, mcpBodyBytesMax } from '../contract/generated/limits.ts';
import type { Engine } from '../engine/engine.ts';
import { redactHeader, redactKeys } from '../engine/redaction.ts';
import { bearerKey } from '../http/caller.ts';
import { type CoreRequest, mcpPath } from '../http/message.ts';
import { belowAdmin } from './kinds.ts';
import type { Vault } from './vault.ts';

/** The names are short because each request has them. */
export interface Letter {
  readonly m: string;
  readonly p: string;
  readonly q?: string;
  readonly h: Readonly<Record<string, string>>;
  /** Id of the key, and its last characters for the journal. */
  readonly k?: readonly [id: string, end: string];
  /** The peer's address, and the scheme and host under which it reached the replica. */
  readonly a: string;
  readonly o: string;
  /** The body as text, or in base64 where it is none. */
  readonly t?: string;
  readonly b?: string;
  /** The body is over the cap of its door, so that nobody needs its bytes. */
  readonly x?: 1;
}

/** A letter that holds a key besides the one in `Authorization` is sealed as a whole. */
export type Envelope = Letter | { readonly s: string };

/** Stands for an `Authorization` that has no key which the API could read. */
const unreadable = 'unreadable';
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const utf8Encoder = new TextEncoder();
let tooLarge: Uint8Array | undefined;

/** Sealed where a key or the admin token is in the path, the query or the body. */
export function toEnvelope(request: CoreRequest, vault: Vault, { adminToken }: GuardOptions): Envelope {
  const { method, path, query, peer, origin } = request;
  const key = readKey(request, adminToken);
  const body = describeBody(request);
  const isSecret = (text: string) => redactKeys(text) !== text || (adminToken ? text.includes(adminToken) : false);
  const letter: Letter = {
    m: method,
    p: path,
    ...(query === '' ? {} : { q: query }),
    h: describeHeaders(request.headers, isSecret),
    ...(key === null ? {} : { k: [vault.idOf(key), key.slice(-4)] }),
    a: peer,
    o: origin,
    ...body,
  };
  const isSealed = [path, query, body.t ?? ''].some(isSecret);
  return isSealed ? { s: vault.seal(JSON.stringify(letter)) } : letter;
}

/** Nobody reads a key at the admin API, and an admin token is none. */
function readKey(request: CoreRequest, adminToken: GuardOptions['adminToken']): string | null {
  const key = belowAdmin(request) === null ? bearerKey(request.headers) : null;
  return key !== null && key === adminToken ? '' : key;
}

function describeBody({ body, path }: CoreRequest): Pick<Letter, 't' | 'b' | 'x'> {
  if (body === null) return {};
  if (body.length > (path === mcpPath ? mcpBodyBytesMax : bodyBytesMax)) return { x: 1 };
  try {
    return { t: utf8.decode(body) };
  } catch {
    return { b: Buffer.from(body).toString('base64') };
  }
}

// As the journal shows them: no cookie, no token. Nothing that answers a request reads one of these.
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

export function openEnvelope(envelope: Envelope, vault: Vault): Letter {
  return 's' in envelope ? (JSON.parse(vault.open(envelope.s)) as Letter) : envelope;
}

/** What `toRequest` needs besides the letter. */
export interface Reading {
  readonly engine: Pick<Engine, 'world' | 'faults'>;
  readonly vault: Vault;
  /** Another one for each request: nobody knows behind a load balancer which of two was sent after a response. */
  readonly connection: number;
}

/** The request again. It is the same on every replica whose engine is at the same entry. */
export function toRequest(letter: Letter, { engine, vault, connection }: Reading): CoreRequest {
  const { m, p, q = '', h, k, a, o } = letter;
  const headers = k ? { ...h, authorization: `Bearer ${findKey(k, engine, vault)}` } : h;
  const request = { method: m, path: p, query: q, headers, body: readBody(letter), peer: a, origin: o, connection };
  return belowAdmin(request) === null ? request : { ...request, isAdmitted: true };
}

function readBody({ t, b, x }: Letter): Uint8Array | null {
  if (x) {
    tooLarge ??= new Uint8Array(bodyBytesMax + 1);
    return tooLarge;
  }
  if (t !== undefined) return utf8Encoder.encode(t);
  return b === undefined ? null : Buffer.from(b, 'base64');
}

/** A key of the world, or one that a fault is meant for; else a text that is no key and ends like the one sent. */
function findKey([id, end]: readonly [string, string], { world, faults }: Reading['engine'], vault: Vault): string {
  for (const key of world.keys.keys()) if (vault.idOf(key) === id) return key;
  for (const { rule } of faults.list()) {
    if (rule.match.key !== undefined && vault.idOf(rule.match.key) === id) return rule.match.key;
  }
  return `unknown-${id}-${end}`;
}
