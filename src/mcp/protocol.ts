// The protocol itself, by the official SDK: negotiation, envelopes, listing, error codes of JSON-RPC. Stateless: every
// request has its own server. It supports two revisions, with a handshake (2025) and without (2026); both return a
// single JSON body, because tools send only their result.
import {
  type CallToolResult,
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  preloadSchemas,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { apiVersion } from '../contract/generated/operations.ts';
import { listedTools } from '../contract/generated/tool-schemas.ts';
import { tools } from '../contract/generated/tools.ts';
import { type CoreRequest, type CoreResponse, mcpPath, whyEncoded } from '../http/message.ts';
import { type Message, rpcError } from './message.ts';

export type CallTool = () => CallToolResult;

preloadSchemas();

/**
 * Responds to one message. `callTool` is called at most once, and only when the protocol accepts a call of a known
 * tool.
 */
export function respond(request: CoreRequest, message: Message, callTool: CallTool): Promise<CoreResponse> {
  return responseMessage(request, message, () => createServer(callTool));
}

/** The same for any server: the control MCP server has its own. `makeServer` is called once for a message at most. */
export async function responseMessage(
  request: CoreRequest,
  message: Message,
  makeServer: () => Server,
): Promise<CoreResponse> {
  const rejection = rejectForm(request, message);
  if (rejection) return rejection;
  // The body has been read and the key is not needed from here on.
  const kept = Object.entries(request.headers).filter(([name]) => /^(accept|content-type|mcp-.*)$/.test(name));
  const web = new Request(`${request.origin}${mcpPath}`, { method: 'POST', headers: kept as [string, string][] });
  const response = (await isLegacyRequest(web, message.value))
    ? await respondLegacy(web, message, makeServer)
    : await createMcpHandler(makeServer, { legacy: 'reject' }).fetch(web, { parsedBody: message.value });
  return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
}

/** Rejects methods other than POST, bodies that are not a message, and batches. */
function rejectForm(
  { method, headers }: CoreRequest,
  { value, method: rpcMethod, id, isReadable }: Message,
): CoreResponse | null {
  if (method !== 'POST') {
    const message = `${method} is not supported: this MCP endpoint is stateless and accepts POST only.`;
    return rpcError({ status: 405, headers: { allow: 'POST' } }, { id: null, message });
  }
  if (value === undefined) {
    const message = `Parse error: the body ${whyEncoded(headers) ?? 'is not JSON'}.`;
    return rpcError({ status: 400 }, { id: null, code: ProtocolErrorCode.ParseError, message });
  }
  if (!isReadable) {
    const message = 'The message is nested too deeply, or contains half of a character.';
    return rpcError({ status: 400 }, { id: null, code: ProtocolErrorCode.InvalidRequest, message });
  }
  if (Array.isArray(value)) {
    const message = 'Batches are not supported: send one message in each request.';
    return rpcError({ status: 400 }, { id: null, code: ProtocolErrorCode.InvalidRequest, message });
  }
  // A stream of events that would never come.
  if (rpcMethod === 'subscriptions/listen') {
    const message = 'Method not found: nothing here changes that could be listened to.';
    return rpcError({ status: 404 }, { id, code: ProtocolErrorCode.MethodNotFound, message });
  }
  return null;
}

/** The handshake revision. Its server is always closed, because a transport belongs to one request. */
async function respondLegacy(web: Request, { value }: Message, makeServer: () => Server): Promise<Response> {
  const server = makeServer();
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(web, { parsedBody: value });
  } finally {
    await server.close();
  }
}

/** Version and tools are the contract's, so a client reads there what it was built against. */
function createServer(callTool: CallTool): Server {
  const server = new Server(
    { name: 'casa', title: 'Content and Social Account service (mock)', version: apiVersion },
    { capabilities: { tools: {} }, jsonSchemaValidator: noValidator },
  );
  server.setRequestHandler('tools/list', () => ({ tools: [...listedTools] }));
  server.setRequestHandler('tools/call', ({ params: { name } }) => {
    if (Object.hasOwn(tools, name)) return callTool();
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}`);
  });
  return server;
}

// The SDK's own would make functions out of text. It is for responses of people, whom this server never asks anything.
export const noValidator = {
  getValidator(): never {
    throw new Error('This server asks its clients nothing.');
  },
};
