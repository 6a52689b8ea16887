// `/__admin/mcp`: the control MCP server. It uses the guard of the admin API and is separate from `/mcp`, so API keys
// give no control over the mock.
import { bodyText, type Remainder } from '../../http/message.ts';
import { loadProtocol } from '../../mcp/load-protocol.ts';
import { readMessage } from '../../mcp/message.ts';
import type { AdminCall } from '../reply.ts';
import type { Ask } from './tools.ts';

/** Responds to one message; nothing is kept between two. */
export async function respondAgent({ request, ask }: Pick<AdminCall, 'request' | 'ask'>): Promise<Remainder> {
  const { responseMessage } = await loadProtocol();
  const { createAgentServer } = await import('./server.ts');
  const within: Ask = (asked) => {
    const response = ask(asked);
    return { status: response.status, body: JSON.parse(bodyText(response)) };
  };
  return await responseMessage(request, readMessage(request), () => createAgentServer(within));
}
