// The MCP endpoint: JSON-RPC over POST without a library, so sessions, event streams and rejections are the variant's
// choice.
import { isFields } from './checks.ts';
import { type Rejection, rejectionResponse } from './errors.ts';
import { hexOf } from './ids.ts';
import { callTool, listTools, type ToolOutcome } from './mcp-tools.ts';
import type { Context, Fields, Head, HttpResponse, Org } from './types.ts';

export const mcpEndpointCap = 1_048_576;
const jsonType = 'application/json';
const sessionId = 'session-of-the-door';
const introduction = { capabilities: { tools: {} }, serverInfo: { name: 'independent', version: '0' } };

/** A request that passed the limiters, the key and the cap. */
export interface McpRequest {
  org: Org;
  at: number;
  request: Head;
  body: Uint8Array;
}

/** The outcome of a method: a result or an error, or nothing for a notification. */
type Outcome = { result: unknown } | { error: { code: number; message: string; data?: unknown } } | undefined;

function plainJson(status: number, body: unknown, headers: Record<string, string> = {}): HttpResponse {
  return { status, body, headers, contentType: jsonType };
}

function failed(code: number, message: string): { error: { code: number; message: string } } {
  return { error: { code, message } };
}

/** Before any method is looked at: the limiters. */
export function limitedAtMcpEndpoint(): HttpResponse {
  return failedJson(429, -32_029, 'rate limit exceeded');
}

function failedJson(status: number, code: number, message: string): HttpResponse {
  return plainJson(status, { jsonrpc: '2.0', id: null, ...failed(code, message) });
}

/** Key and cap: the HTTP status of the rejection, its code inside a JSON-RPC error or in the tool envelope. */
export function rejectedAtMcpEndpoint(context: Context, rejection: Rejection): HttpResponse {
  const usual = rejectionResponse(rejection, context.variant);
  const { error } = usual.body as { error: Fields };
  const rpc = { jsonrpc: '2.0', id: null, error: { code: -32_000, message: rejection.message, data: error } };
  const body = context.variant.mcpEndpointRejection === 'envelope' ? usual.body : rpc;
  return plainJson(usual.status, body);
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Several ways to say yes or no: payloads are not shown (R53). */
function toResult(context: Context, outcome: ToolOutcome): Outcome {
  const { mcpEndpointShape, mcpEndpointRejection } = context.variant;
  const text = (value: unknown): Fields[] => [{ type: 'text', text: JSON.stringify(value) }];
  const { payload, rejection } = outcome;
  if (rejection === undefined) {
    if (mcpEndpointShape === 'prose') return { result: { content: [{ type: 'text', text: 'Done.' }] } };
    const structured = mcpEndpointShape === 'structured' ? { structuredContent: payload } : {};
    return { result: { content: text(payload), ...structured } };
  }
  const envelope = rejectionResponse(rejection, context.variant).body as Fields;
  if (mcpEndpointRejection === 'envelope') return { result: { content: text(envelope), structuredContent: envelope } };
  if (mcpEndpointRejection === 'result') return { result: { content: text(envelope), isError: true } };
  const isInvalid = rejection.code === 'invalid_input';
  if (mcpEndpointRejection === 'prose') {
    const words = isInvalid
      ? `Input validation error: ${rejection.issues.map(({ path }) => path).join(', ')}`
      : rejection.message;
    return { result: { content: [{ type: 'text', text: words }], isError: true } };
  }
  return { error: { code: isInvalid ? -32_602 : -32_000, message: rejection.message, data: envelope.error } };
}

function perform(context: Context, visit: McpRequest, message: Fields): Outcome {
  const params = isFields(message.params) ? message.params : {};
  switch (message.method) {
    case 'initialize':
      return { result: { protocolVersion: context.variant.mcpEndpointVersion, ...introduction } };
    case 'ping':
      return { result: {} };
    case 'tools/list':
      return { result: listTools(context, params.cursor) };
    case 'tools/call': {
      const input = isFields(params.arguments) ? params.arguments : {};
      const outcome = callTool(context, { org: visit.org, at: visit.at, tool: String(params.name), input });
      return outcome === undefined ? failed(-32_602, `no tool ${String(params.name)}`) : toResult(context, outcome);
    }
    default:
      return failed(-32_601, `no method ${String(message.method)}`);
  }
}

/** As JSON, or as events with others in front of the response. */
function written(context: Context, body: Fields, headers: Record<string, string>): HttpResponse {
  const { mcpEndpointResponses } = context.variant;
  if (mcpEndpointResponses === 'json') return plainJson(200, body, headers);
  const progress = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'working' } };
  const text = [progress, body]
    .map((each) => `event: message\r\ndata: ${JSON.stringify(each)}\r\n\r\n`)
    .join(': ping\r\n\r\n');
  const response = { status: 200, body: undefined, text, headers, contentType: 'text/event-stream' };
  return mcpEndpointResponses === 'events' ? response : { ...response, stays: true };
}

/** A request whose key is good, within all limits. */
export function respondAtMcpEndpoint(context: Context, visit: McpRequest): HttpResponse {
  const { mcpEndpointSession } = context.variant;
  const { method, headers } = visit.request;
  const session = headers['mcp-session-id'];
  if (method === 'DELETE' && mcpEndpointSession) return plainJson(session === sessionId ? 200 : 404, {});
  if (method !== 'POST') return plainJson(405, { error: 'POST only' }, { Allow: 'POST' });
  const message = parse(visit.body);
  if (!isFields(message)) return failedJson(400, -32_700, 'not JSON');
  const isFirst = message.method === 'initialize';
  if (mcpEndpointSession && !isFirst && session !== sessionId)
    return failedJson(session === undefined ? 400 : 404, -32_000, `no session ${hexOf('none').slice(0, 4)}`);
  if (message.id === undefined) return { status: 202, body: undefined, text: '', contentType: null };
  const outcome = perform(context, visit, message);
  const opened = isFirst && mcpEndpointSession ? { 'Mcp-Session-Id': sessionId } : {};
  return written(context, { jsonrpc: '2.0', id: message.id, ...outcome }, opened);
}
