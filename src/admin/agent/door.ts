// `/__admin/mcp`: the door for agents. It stands behind the guard of the control plane, apart from `/mcp`, so that an
// agent that tests a client cannot move time through the door of the API, and a key of the API opens nothing here.
import { bodyText, type Remainder } from '../../http/message.ts';
import { loadProtocol } from '../../mcp/load-protocol.ts';
import { readMessage } from '../../mcp/message.ts';
import type { AdminCall } from '../reply.ts';
import type { Ask } from './tools.ts';

/** Answers one message; nothing is kept between two. */
export async function answerAgent({ request, ask }: AdminCall): Promise<Remainder> {
  const { answerMessage } = await loadProtocol();
  const { createAgentServer } = await import('./server.ts');
  const within: Ask = (asked) => {
    const response = ask(asked);
    return { status: response.status, body: JSON.parse(bodyText(response)) };
  };
  return await answerMessage(request, readMessage(request), () => createAgentServer(within));
}
