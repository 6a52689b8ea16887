// A request to the MCP door is one JSON-RPC message. It is read just far enough to know whether it calls a tool.

import { mcpBodyBytesMax } from '../contract/generated/limits.ts';
import { type ToolName, tools } from '../contract/generated/tools.ts';
import type { CoreRequest } from '../http/message.ts';

export type MessageId = string | number | null;

export interface Message {
  /** The parsed body; undefined when there is none, it is over the cap or no JSON. */
  readonly value: unknown;
  /** Of a request; null where none can be told, as JSON-RPC asks. */
  readonly id: MessageId;
  readonly method: string | null;
  /** Null for anything but a call of a tool that exists. */
  readonly call: ToolCall | null;
}

export interface ToolCall {
  readonly tool: ToolName;
  readonly values: Readonly<Record<string, unknown>>;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

export function readMessage({ body }: CoreRequest): Message {
  const value = body === null || body.length > mcpBodyBytesMax ? undefined : parse(body);
  if (!isObject(value)) return { value, id: null, method: null, call: null };
  const { id, method, params } = value;
  return {
    value,
    id: typeof id === 'string' || typeof id === 'number' ? id : null,
    method: typeof method === 'string' ? method : null,
    call: method === 'tools/call' && isObject(params) ? readCall(params) : null,
  };
}

function readCall({ name, arguments: values }: Record<string, unknown>): ToolCall | null {
  if (typeof name !== 'string' || !Object.hasOwn(tools, name)) return null;
  return { tool: name as ToolName, values: isObject(values) ? values : {} };
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
