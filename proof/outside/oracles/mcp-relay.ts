// A relay on loopback for parties that cannot send a key: it puts one on every request, and gives the tools that the
// conformance scenarios call by names of their own the names that they have here.
import { request as ask, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One that answers with text, and one that is refused because its arguments are missing. */
const toolNames: Readonly<Record<string, string>> = {
  test_simple_text: 'list_accounts',
  test_error_handling: 'create_post',
};

/** Where the relay takes requests. */
export interface Relay {
  readonly url: string;
  close(): void;
}

export async function startRelay(port: number, key: string): Promise<Relay> {
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks)
      .toString()
      .replace(/"name":"(\w+)"/, (whole, name) => (toolNames[name] ? `"name":"${toolNames[name]}"` : whole));
    const { 'content-length': _length, 'transfer-encoding': _coding, ...headers } = incoming.headers;
    const onward = ask({
      host: '127.0.0.1',
      port,
      path: incoming.url,
      method: incoming.method,
      headers: { ...headers, authorization: `Bearer ${key}`, 'content-length': Buffer.byteLength(body) },
    });
    onward.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    onward.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: own } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${own}/mcp`, close: () => server.close() };
}
