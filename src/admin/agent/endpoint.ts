// `/__admin/mcp`: the door for agents. It stands behind the guard of the admin API, apart from `/mcp`, so an
// agent that tests a client cannot move time through the door of the API, and a key of the API opens nothing here.
import { bodyText, type Remainder } from '../../http/message.ts';
import { loadProtocol } from '../../mcp/load-protocol.ts';
import { readMessage } from '../../mcp/message.ts';
import type { AdminCall } from '../reply.ts';
import type { Ask } from './tools.ts';

/** Responds to one message; nothing is kept between two. */
export async function respondAgent({ request, ask }: AdminCall): Promise<Remainder> {
  const { responseMessage } = await loadProtocol();
  const { createAgentServer } = await import('./server.ts');
  const within: Ask = (asked) => {
    const response = ask(asked);
    return { status: response.status, body: JSON.parse(bodyText(response)) };
  };
  return await responseMessage(request, readMessage(request), () => createAgentServer(within));
}
