// The server of the control MCP server, on the official SDK; a socket and standard streams carry the same one.
import { type CallToolResult, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { apiVersion } from '../../contract/generated/operations.ts';
import { noValidator } from '../../mcp/protocol.ts';
import { type AgentTool, type Ask, agentTools, callTool, type ToolText } from './tools.ts';

const instructions =
  'Controls of a mock of the Content and Social Account service (CASA). The client under test talks to the API of the ' +
  'mock; these tools advance its clock, inject faults, and check the client. Begin with casa_status, and end with ' +
  'casa_violations.';

/** A server for one client, or for one message where nothing is kept between them. */
export function createAgentServer(ask: Ask): Server {
  const server = new Server(
    { name: 'casa-control', title: 'CASA mock: controls', version: apiVersion },
    { capabilities: { tools: {} }, instructions, jsonSchemaValidator: noValidator },
  );
  server.setRequestHandler('tools/list', () => ({ tools: agentTools.map(listed) }));
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: values = {} } }) => {
    const tool = agentTools.find((known) => known.name === name);
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}`);
    return toResult(await callTool(tool, values, ask));
  });
  return server;
}

function listed({ name, title, description, properties, required, effect }: AgentTool) {
  return {
    name,
    title,
    description,
    inputSchema: {
      type: 'object' as const,
      properties: { ...properties } as Record<string, object & Record<string, never>>,
      required: [...required],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: effect === 'reads', destructiveHint: effect === 'discards', openWorldHint: false },
  };
}

function toResult({ text, isError, body }: ToolText): CallToolResult {
  return {
    content: [{ type: 'text', text }],
    ...(body === undefined ? {} : { structuredContent: body as Record<string, unknown> }),
    ...(isError && { isError }),
  };
}
