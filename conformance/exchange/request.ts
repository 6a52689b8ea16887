// Builds the bytes of a request from a check's request.

import { type OperationId, operations } from '../../src/contract/generated/operations.ts';
import { words } from '../../src/contract/words.ts';
import type { Exchange, KeyName } from './exchange.ts';

/** A request of a check: an operation with its parameters, or a method and path. */
export interface RequestSpec {
  /** Gives method and path; `params` fill the path, the rest of them becomes the query. */
  readonly operation?: OperationId;
  readonly params?: Readonly<Record<string, string | number | undefined>>;
  /** For requests outside the contract: a method, and a path below the base URL with its query, unencoded. */
  readonly method?: string;
  readonly path?: string;
  /** To the MCP endpoint instead of the base URL; method, headers and bytes are unchanged. */
  readonly mcpEndpoint?: 'mcp';
  /** The key in `Authorization`; `good` when absent. */
  readonly key?: KeyName;
  /** A whole `Authorization` value instead of a key. */
  readonly authorization?: string;
  /** The valid key, spoilt in one way, so it opens nothing any more. */
  readonly spoilt?: Spoilt;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged, instead of `body`. */
  readonly bytes?: Uint8Array;
  readonly address?: string;
  /** Names what the request shows, for checks that cannot see it in the request. */
  readonly label?: string;
  /** As the field of the exchange. */
  readonly confirms?: string;
  /**
   * Whether the request can be repeated after a limiter's 429; GETs always can. False for requests that the server can
   * accept: these are not repeated even if the response is lost. `if lost`: the error of a platform is a response too.
   */
  readonly repeatable?: boolean | 'if lost';
}

/** The label of a link whose provider and label are both invalid, in a body that is too long to keep. */
export const invalidLinkLabel = 'link with an invalid provider and label';

/** Ways to spoil a key: another scheme or prefix, no prefix, another last digit, one character too few or many. */
export type Spoilt =
  | 'scheme'
  | 'no-scheme'
  | 'basic'
  | 'digit'
  | 'short'
  | 'long'
  | 'no-prefix'
  | 'other-prefix'
  | 'other-case';

/** Whole keys, prefix included, as `Authorization: Bearer` carries them. */
export interface Keys {
  readonly good: string;
  readonly second?: string;
  readonly revoked?: string;
}

/** The target of requests: a deployment, or an MCP endpoint alone, whose URL then is the base URL too. */
export interface Target {
  readonly kind: 'deployment' | 'mcp';
  readonly baseUrl: URL;
  readonly mcpUrl: URL | null;
}

/** How requests carry the key: in `Authorization`, or in another header that a gateway forwards as `Authorization`. */
export interface Carrying {
  readonly keys: Keys;
  readonly headers: Readonly<Record<string, string>>;
  readonly keyHeader?: string | null;
}

/** A request with every default decided, before it has a place in the pace. */
export interface BuiltRequest {
  readonly mcpEndpoint?: 'mcp';
  readonly label?: string;
  readonly confirms?: string;
  readonly operation: OperationId | null;
  readonly method: string;
  /** Below the base URL, with the query. */
  readonly target: string;
  readonly key: KeyName;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
  readonly address: string | null;
  readonly repeatable: boolean;
  /** Changes nothing even where it is taken twice: a read, or a request that must be rejected. */
  readonly isHarmless: boolean;
}

/** The same bytes again, to confirm a finding: method, path, key or `Authorization`, headers and a short body. */
export function copyOf(one: Exchange): RequestSpec {
  const { id, method, target, key, address, mcpEndpoint, label, requestHeaders, requestBody } = one;
  const { authorization, 'content-type': _, 'user-agent': __, ...headers } = requestHeaders;
  return {
    method,
    path: target,
    key,
    headers: mcpEndpoint === undefined ? headers : requestHeaders,
    confirms: id,
    ...(key === 'wrong' && authorization !== undefined ? { authorization } : {}),
    ...(mcpEndpoint === undefined ? {} : { mcpEndpoint }),
    ...(label === undefined ? {} : { label }),
    ...(address === null ? {} : { address }),
    ...(requestBody.text === null ? {} : { bytes: new TextEncoder().encode(requestBody.text) }),
  };
}

/** Identifies requests of the suite, for example to a firewall. */
export const userAgent = 'casa-conformance';

/** Pure: a retry sends the same request. Headers of the check override those of the user. */
export function buildRequest(spec: RequestSpec, carrying: Carrying): BuiltRequest {
  const { keys, headers: extraHeaders, keyHeader } = carrying;
  const method = spec.method ?? (spec.operation ? operations[spec.operation].method : 'GET');
  const target = spec.path ?? (spec.operation ? targetOf(spec.operation, spec.params ?? {}) : '/');
  const body = bodyOf(spec);
  const written = spec.spoilt === undefined ? spec.authorization : spoil(keys.good, spec.spoilt);
  const key = written === undefined ? (spec.key ?? 'good') : 'wrong';
  const authorization = written ?? bearer(key, keys);
  const headers: Record<string, string> = { accept: 'application/json', 'user-agent': userAgent, ...extraHeaders };
  if (authorization !== null) headers[keyHeader?.toLowerCase() ?? 'authorization'] = authorization;
  if (body !== null) headers['content-type'] = 'application/json';
  for (const [name, value] of Object.entries(spec.headers ?? {})) headers[name.toLowerCase()] = value;
  return {
    ...(spec.mcpEndpoint === undefined ? {} : { mcpEndpoint: spec.mcpEndpoint }),
    ...(spec.label === undefined ? {} : { label: spec.label }),
    ...(spec.confirms === undefined ? {} : { confirms: spec.confirms }),
    operation:
      spec.path === undefined && spec.method === undefined ? (spec.operation ?? null) : matchOperation(method, target),
    method,
    target,
    key,
    headers,
    body,
    address: spec.address ?? null,
    repeatable: (spec.repeatable ?? method === 'GET') === true,
    isHarmless: spec.repeatable !== false,
  };
}

/** A path and query of an operation, every value percent-encoded (interpretation R8, R9). */
export function targetOf(
  operation: OperationId,
  params: Readonly<Record<string, string | number | undefined>>,
): string {
  const inPath = new Set<string>();
  const path = operations[operation].segments.map((segment) => {
    const name = /^\{(.+)\}$/.exec(segment)?.[1];
    if (name === undefined) return segment;
    inPath.add(name);
    return encodeURIComponent(String(params[name] ?? ''));
  });
  const query = Object.entries(params)
    .filter(([name, value]) => !inPath.has(name) && value !== undefined)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`);
  return `/${path.join('/')}${query.length > 0 ? `?${query.join('&')}` : ''}`;
}

/** The operation of the contract that a method and path address; null outside the contract. */
export function matchOperation(method: string, target: string): OperationId | null {
  const segments = (target.split('?')[0] ?? '').slice(1).split('/');
  for (const operation of Object.values(operations)) {
    if (operation.method !== method || operation.segments.length !== segments.length) continue;
    const fits = operation.segments.every((segment, index) =>
      segment.startsWith('{') ? segments[index] !== '' : segment === segments[index],
    );
    if (fits) return operation.id;
  }
  return null;
}

/** A well-formed invalid key: the prefix of the valid key with other hex digits. Cites 5.key-form. */
export function invalidKeyLike(good: string): string {
  const prefix = /^[^_]*_/.exec(good)?.[0] ?? 'key_';
  return `${prefix}${'0badc0de'.repeat(4)}`;
}

/** Whether a request had the key of `invalidKeyLike`, and not a valid key that was altered. */
export function hasUnknownKey({
  requestHeaders,
}: {
  readonly requestHeaders: Readonly<Record<string, string>>;
}): boolean {
  return /_(0badc0de){4}$/.test(requestHeaders.authorization ?? '');
}

/** An `Authorization` value that must be rejected: any changed key is another key. Cites 5.key-form. */
export function spoil(good: string, how: Spoilt): string {
  // A prefix can have an underscore too.
  const at = good.lastIndexOf('_') + 1;
  const [prefix, body] = [good.slice(0, Math.max(0, at - 1)), good.slice(at)];
  const spoilt: Record<Spoilt, string> = {
    scheme: `Basic ${good}`,
    'no-scheme': good,
    basic: `Basic ${Buffer.from(`${good}:`).toString('base64')}`,
    digit: `Bearer ${good.slice(0, -1)}${good.endsWith('0') ? '1' : '0'}`,
    short: `Bearer ${good.slice(0, -1)}`,
    long: `Bearer ${good}0`,
    'no-prefix': `Bearer ${body === good ? `${good}x` : body}`,
    'other-prefix': `Bearer ${prefix === 'other' ? 'another' : 'other'}_${body}`,
    'other-case': `Bearer ${good.slice(0, -body.length)}${otherCase(body)}`,
  };
  return spoilt[how];
}

/** As `tr a-zA-Z A-Za-z` writes it. */
function otherCase(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()));
}

/** All values of `Spoilt`, for the redaction. */
export const spoiltWays: readonly Spoilt[] = words(
  'scheme no-scheme basic digit short long no-prefix other-prefix other-case',
);

/** Null for no header at all. Throws for a key that the run lacks: a check without its need is a bug of ours. */
function bearer(key: KeyName, keys: Keys): string | null {
  if (key === 'none') return null;
  if (key === 'wrong') return `Bearer ${invalidKeyLike(keys.good)}`;
  const value = keys[key];
  if (value === undefined) throw new Error(`The run has no ${key} key; the check must say so in its needs.`);
  return `Bearer ${value}`;
}

/** Null for no body, which is something else than an empty one. */
function bodyOf(spec: RequestSpec): Uint8Array | null {
  if (spec.bytes !== undefined) return spec.bytes;
  return spec.body === undefined ? null : new TextEncoder().encode(JSON.stringify(spec.body));
}

/** Names (RFC 6761) and addresses of this machine. Accepts IPv6 hosts with or without brackets. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  return host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

// A shell command that writes the bytes of a body which a command line cannot hold as text.

const plainMax = 2000;
const unitMax = 4;

/** The longest part that repeats a unit of one to four bytes around the middle of the body. */
interface Repeated {
  readonly start: number;
  readonly end: number;
  readonly unit: number;
}

/** Returns null for a body that no short command can write. */
export function bodyCommand(body: Uint8Array): string | null {
  const { start, end, unit } = repeatedIn(body);
  const count = Math.floor((end - start) / unit);
  const [before, rest] = [body.subarray(0, start), body.subarray(start + count * unit)];
  if (count < plainMax && body.byteLength <= plainMax) return `printf ${escaped(body)}`;
  if (before.byteLength + rest.byteLength > plainMax) return null;
  const repeat = `yes "$(printf ${escaped(body.subarray(start, start + unit))})" | head -n ${count} | tr -d '\\n'`;
  return `{ printf ${escaped(before)}; ${repeat}; printf ${escaped(rest)}; }`;
}

function repeatedIn(body: Uint8Array): Repeated {
  const middle = body.byteLength >> 1;
  let best: Repeated = { start: middle, end: middle, unit: 1 };
  for (let unit = 1; unit <= unitMax; unit += 1) {
    let [start, end] = [middle, middle];
    while (start > 0 && body[start - 1] === body[start - 1 + unit]) start -= 1;
    while (end + unit < body.byteLength && body[end] === body[end + unit]) end += 1;
    if (end + unit - start > best.end - best.start + unitMax) best = { start, end: end + unit, unit };
    // The text around it is short enough: a longer unit can add nothing to a large body.
    if (body.length - (best.end - best.start) < plainMax - unitMax) break;
  }
  return best;
}

/** As an argument of printf. */
function escaped(bytes: Uint8Array): string {
  const letters = [...bytes].map((byte) => (isPlain(byte) ? String.fromCharCode(byte) : `\\${octal(byte)}`));
  return `'${letters.join('')}'`;
}

function isPlain(byte: number): boolean {
  return byte >= 0x20 && byte < 0x7f && !['\\', '%', "'"].includes(String.fromCharCode(byte));
}

function octal(byte: number): string {
  return byte.toString(8).padStart(3, '0');
}
