// A call of a tool, as text: the control MCP server and `casa ctl` return the same.
import type { AgentTool, Ask, HttpResponse, Values } from './tools.ts';

/** More would fill the memory of a model with one response. */
const textCharactersMax = 60_000;

/** The response of a tool. */
export interface ToolText {
  readonly text: string;
  readonly isError: boolean;
  /** The response as data; absent if the text was cut. */
  readonly body?: unknown;
}

/** Calls a tool. A long response is cut, and says how to ask for less. */
export async function callTool(tool: AgentTool, values: Values, ask: Ask): Promise<ToolText> {
  const { status, body } = await checked(tool, values, ask);
  const whole = JSON.stringify(body, null, 1);
  const isError = status >= 400;
  if (whole.length <= textCharactersMax) return { text: whole, isError, body };
  return { text: `${whole.slice(0, textCharactersMax)}\n… cut. Use limit, id or operation to get less.`, isError };
}

/** Rejects a field that the route would not see. The route checks the values. */
async function checked(tool: AgentTool, values: Values, ask: Ask): Promise<HttpResponse> {
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
