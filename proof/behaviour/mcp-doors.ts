// The MCP door through the official client: over a socket, in this process and through MSW. Every mock is strict.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { setupServer } from 'msw/node';
import { afterEach, describe, it } from 'vitest';
import type { ToolName } from '../../src/contract/generated/tools.ts';
import type { MockOptions } from '../../src/mock/mock-engine.ts';
import type { Casa } from '../../src/testing/casa.ts';
import { createMock } from '../../src/testing/create-mock.ts';
import { casaHandlers } from '../../src/testing/msw.ts';
import { startMock } from '../../src/testing/start-mock.ts';
import type { ErrorBody } from './answer.ts';

/** The result of a tool call, its body taken out. */
export interface ToolAnswer {
  readonly isError: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: an answer may hold anything, and a test says what it expects.
  readonly body: any;
  /** Of the tool envelope; `ok` for a success. */
  readonly code: string;
  readonly error: ErrorBody;
  readonly text: string;
}

/** The two revisions of the protocol: with a handshake, and without. */
export const eras = ['legacy', { pin: '2026-07-28' }] as const;

/** Which key, headers and revision a client comes with. */
interface McpWish {
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly era?: (typeof eras)[number];
}

/** A mock with an MCP door, and ways to speak to it. */
export interface McpStage {
  readonly casa: Casa;
  readonly fetch: typeof fetch;
  /** A client that has connected. */
  connect(wish?: McpWish): Promise<Client>;
  /** Calls a tool with a client that is connected once. */
  call(tool: ToolName, values?: Record<string, unknown>): Promise<ToolAnswer>;
  /** Sends one message as it is. */
  send(message: unknown, wish?: Omit<McpWish, 'era'> & { readonly method?: string }): Promise<Response>;
}

/** A mock and a fetch that reaches it. */
interface Door {
  readonly casa: Casa;
  readonly fetch: typeof fetch;
}

const doors: readonly (readonly [name: string, open: (options: MockOptions) => Promise<Door>])[] = [
  ['a socket', async (options) => ({ casa: await startMock(options), fetch })],
  [
    'the fetch handler',
    async (options) => {
      const casa = await createMock(options);
      return { casa, fetch: (input, init) => casa.fetch(input as URL, init) };
    },
  ],
  ['MSW', openMsw],
];

async function openMsw(options: MockOptions): Promise<Door> {
  const casa = await createMock({ ...options, baseUrl: 'https://api.casa.example/api/v1' });
  const server = setupServer(...casaHandlers(casa));
  server.listen();
  const close = async () => {
    server.close();
    await casa.close();
  };
  return { casa: { ...casa, close }, fetch };
}

const opened: { close(): Promise<void> }[] = [];

/** Opens a mock that is closed after the test; over a socket unless told otherwise. */
export async function openMcp(options: MockOptions = {}, open = doors[0]?.[1]): Promise<McpStage> {
  const door = (await open?.({ strict: true, ...options })) as Door;
  opened.push(door.casa);
  const connect: McpStage['connect'] = (wish = {}) => connectTo(door, wish);
  let usual: Promise<Client> | undefined;
  return {
    ...door,
    connect,
    async call(tool, values = {}) {
      usual ??= connect();
      return readAnswer(await (await usual).callTool({ name: tool, arguments: values }));
    },
    send: (message, { key = door.casa.keys.good, headers, method = 'POST' } = {}) =>
      door.fetch(door.casa.mcpUrl, {
        method,
        headers: {
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          authorization: `Bearer ${key}`,
          ...headers,
        },
        ...(method === 'POST' ? { body: typeof message === 'string' ? message : JSON.stringify(message) } : {}),
      }),
  };
}

/** Closed before its mock after the test: the client is put in front of the list. */
async function connectTo({ casa, fetch: ask }: Door, { key, headers, era = 'legacy' }: McpWish): Promise<Client> {
  const client = new Client({ name: 'casa-tests', version: '1' }, { versionNegotiation: { mode: era } });
  const transport = new StreamableHTTPClientTransport(new URL(casa.mcpUrl), {
    fetch: ask,
    requestInit: { headers: { authorization: `Bearer ${key ?? casa.keys.good}`, ...headers } },
  });
  await client.connect(transport);
  opened.unshift(client);
  return client;
}

type CallResult = Awaited<ReturnType<Client['callTool']>>;

/** The structured content is the body; `text` is the same as text. */
export function readAnswer(result: CallResult): ToolAnswer {
  const { isError = false, structuredContent: body, content } = result as CallResult & { content: unknown[] };
  const { text = '' } = (content[0] ?? {}) as { text?: string };
  const { error } = (body ?? {}) as { error?: ErrorBody };
  return { isError, body, text, code: error?.code ?? 'ok', error: error as ErrorBody };
}

/** One message that calls a tool, as a client writes it. */
export function toolCall(tool: ToolName, values: Record<string, unknown> = {}, id: number | string = 1) {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name: tool, arguments: values } };
}

async function closeAll(): Promise<void> {
  for (const one of opened.splice(0)) await one.close();
}

/** To be called once in a file that opens stages of its own. */
export function closeAfterEach(): void {
  afterEach(closeAll);
}

/** Describes something that holds through whichever door the client comes. */
export function describeMcp(
  title: string,
  define: (suite: { it: typeof it; open: (options?: MockOptions) => Promise<McpStage> }) => void,
): void {
  describe.each(doors)(`${title}, through %s`, (_name, open) => {
    afterEach(closeAll);
    define({ it, open: (options) => openMcp(options, open) });
  });
}
