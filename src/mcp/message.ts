// A request to the MCP endpoint is one JSON-RPC message. It is read just far enough to know whether it calls a tool.

import { mcpBodyBytesMax } from '../contract/generated/limits.ts';
import { type ToolName, tools } from '../contract/generated/tools.ts';
import { isObject } from '../contract/json.ts';
import type { Issue } from '../domain/outcome.ts';
import { manyFields, whyNotParsed } from '../http/json-size.ts';
import { bodyText, type CoreRequest, type CoreResponse, whyEncoded } from '../http/message.ts';

/** As in JSON-RPC; null is for responses to messages without a readable id. */
export type MessageId = string | number | null;

/** A body, read as a message. No part of it throws later: what cannot be read is said in its fields. */
export interface Message {
  /** The parsed body without the arguments of a call; undefined when it is absent, over the cap or not JSON. */
  readonly value: unknown;
  /** Id of the request; null if it is unreadable, as JSON-RPC requires. */
  readonly id: MessageId;
  readonly method: string | null;
  /** Null for anything but a call of a tool that exists. */
  readonly call: ToolCall | null;
  /** False where what surrounds the arguments is nested too deep or is not Unicode. */
  readonly isReadable: boolean;
}

export interface ToolCall {
  readonly tool: ToolName;
  /** Empty where they cannot be read. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Why the values cannot be read; null when they can. */
  readonly problem: Issue | null;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Looks at the size before it parses, since both the length and the nesting of a body may be hostile. */
export function readMessage({ body, headers }: CoreRequest): Message {
  const isRead =
    body !== null &&
    whyEncoded(headers) === null &&
    body.length <= mcpBodyBytesMax &&
    whyNotParsed(body, manyFields) === null;
  const value = isRead ? parse(body) : undefined;
  if (!isObject(value)) return { value, id: null, method: null, call: null, isReadable: true };
  const { id, method, params } = value;
  const call = method === 'tools/call' && isObject(params) ? readCall(params) : null;
  const framed = call ? withoutArguments(value) : value;
  return {
    value: framed,
    id: typeof id === 'string' || typeof id === 'number' ? id : null,
    method: typeof method === 'string' ? method : null,
    call,
    isReadable: findUnreadable(framed) === null,
  };
}

// Only the tool reads its arguments, and holds them against its schema. The protocol would look at each of a hundred
// thousand rows before that, and fail on some of them.
function withoutArguments({ params, ...message }: Record<string, unknown>): Record<string, unknown> {
  const { arguments: values, ...others } = params as Record<string, unknown>;
  return { ...message, params: { ...others, ...(isObject(values) ? { arguments: {} } : { arguments: values }) } };
}

/** null for a tool that does not exist: the protocol says so in its own words. */
function readCall({ name, arguments: values }: Record<string, unknown>): ToolCall | null {
  if (typeof name !== 'string' || !Object.hasOwn(tools, name)) return null;
  const problem = findUnreadable(values);
  return { tool: name as ToolName, values: isObject(values) && !problem ? values : {}, problem };
}

/** undefined for invalid JSON or UTF-8; JSON itself cannot be undefined. */
function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    return undefined;
  }
}

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

/** No tool takes more than three levels. */
export const nestingMax = 100;

// With the flag `u`, a half matches only where the other half is missing.
const halfCharacter = /[\ud800-\udfff]/u;

/** An object or a list that is still to be looked into. */
interface Place {
  readonly value: object;
  /** Null for the whole. The path is built on demand, because there can be a hundred thousand places. */
  readonly parent: Place | null;
  readonly name: string;
  readonly depth: number;
}

/** The first such problem of a value, or null. Walks without recursion. */
export function findUnreadable(value: unknown): Issue | null {
  const open: Place[] = [{ value: [value], parent: null, name: '', depth: -1 }];
  for (let place = open.pop(); place; place = open.pop()) {
    const { value: part, depth } = place;
    if (depth >= nestingMax) return describe(place, `is nested more than ${nestingMax} levels deep`, 'depth');
    const isList = Array.isArray(part);
    for (const name in part) {
      if (!isList && halfCharacter.test(name))
        return describe(place, 'has a name that contains half of a character', 'unicode');
      const field = (part as Record<string, unknown>)[name];
      const isText = typeof field === 'string';
      if (!isText && (field === null || typeof field !== 'object')) continue;
      const isBroken = isText && halfCharacter.test(field);
      if (isText && !isBroken) continue;
      const inner: Place = { value: field as object, parent: place, name, depth: depth + 1 };
      if (isText) return describe(inner, 'holds half a character', 'unicode');
      open.push(inner);
    }
  }
  return null;
}

/** The value itself has no name. */
function pathOf({ parent, name, depth }: Place): string {
  return parent === null || depth <= 0 ? '' : `${pathOf(parent)}/${name}`;
}

// A path can be as long as the body, and names of ours are short.
function describe(place: Place, what: string, rule: string): Issue {
  const shown = pathOf(place)
    .slice(0, 100)
    .replace(/[\ud800-\udfff]$/u, '');
  return { path: shown, message: `${shown.slice(1) || 'The input'} ${what}.`, rule };
}
