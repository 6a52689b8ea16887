// The server of the control MCP server, on the official SDK; a socket and standard streams carry the same one.
import { type CallToolResult, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { apiVersion } from '../../contract/generated/operations.ts';
import { noValidator } from '../../mcp/protocol.ts';
import { type AgentTool, type Ask, agentTools, type HttpResponse, type Values } from './tools.ts';

/** More would fill the memory of a model with one response. */
const textCharactersMax = 60_000;

const instructions =
  'Controls of a mock of the Content and Social Account service (CASA). The client under test talks to the API of the ' +
  'mock; these tools advance its clock, inject faults, and check the client. Begin with casa_status, and end with ' +
  'casa_list_violations.';

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
    return toResult(await call(tool, values, ask));
  });
  return server;
}

function listed({ name, title, description, properties, required = [], effect }: AgentTool) {
  return {
    name,
    title,
    description,
    inputSchema: {
      type: 'object' as const,
      properties: { ...properties },
      required: [...required],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: effect === 'reads', destructiveHint: effect === 'discards', openWorldHint: false },
  };
}

/** A value that a route would not see is told here; the values themselves are checked by the route. */
async function call(tool: AgentTool, values: Values, ask: Ask): Promise<HttpResponse> {
  const unknown = Object.keys(values).find((name) => !Object.hasOwn(tool.properties, name));
  const missing = tool.required?.find((name) => values[name] === undefined);
  const known = Object.keys(tool.properties).join(', ') || 'none';
  if (unknown !== undefined)
    return reject(`${tool.name} has no argument "${unknown.slice(0, 100)}". Arguments: ${known}.`);
  if (missing !== undefined) return reject(`${tool.name} needs ${missing}.`);
  return tool.run(values, ask);
}

function reject(message: string): HttpResponse {
  return { status: 400, body: { error: { code: 'bad_request', message } } };
}

/** A long response is cut, and says how to ask for less. */
function toResult({ status, body }: HttpResponse): CallToolResult {
  const whole = JSON.stringify(body, null, 1);
  const isCut = whole.length > textCharactersMax;
  const text = isCut ? `${whole.slice(0, textCharactersMax)}\n… cut. Use limit, id or operation to get less.` : whole;
  return {
    content: [{ type: 'text', text }],
    ...(isCut ? {} : { structuredContent: body as Record<string, unknown> }),
    ...(status < 400 ? {} : { isError: true }),
  };
}
