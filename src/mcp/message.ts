// A request to the MCP endpoint is one JSON-RPC message. It is read just far enough to know whether it calls a tool.
import { mcpBodyBytesMax } from '../contract/generated/limits.ts';
import { type ToolName, tools } from '../contract/generated/tools.ts';
import { isObject } from '../contract/json.ts';
import type { Issue } from '../domain/outcome.ts';
import { manyFieldsMax, whyNotParsed } from '../http/json-size.ts';
import type { CoreRequest } from '../http/message.ts';
import { findUnreadable } from './unreadable.ts';

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

/** A call of one of the contract's tools. */
export interface ToolCall {
  readonly tool: ToolName;
  /** Empty where they cannot be read. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Why the values cannot be read; null when they can. */
  readonly problem: Issue | null;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Looks at the size before it parses, since both the length and the nesting of a body may be hostile. */
export function readMessage({ body }: CoreRequest): Message {
  const isRead = body !== null && body.length <= mcpBodyBytesMax && whyNotParsed(body, manyFieldsMax) === null;
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
