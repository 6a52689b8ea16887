// One suite over every transport: a socket, the fetch handler and MSW, for REST and through the official MCP client.
// Every mock is strict: a response that violates the contract turns into a 500, which no test expects.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { setupServer } from 'msw/node';
import { describe, test } from 'vitest';
import { mcpHeaders } from '../../fixtures/test-kit/engine.ts';
import { type ErrorBody, type HttpResponse, toResponse } from '../../fixtures/test-kit/scenario.ts';
import type { ToolName } from '../../src/contract/generated/tools.ts';
import type { MockOptions } from '../../src/engine/prepare-engine.ts';
import type { Casa } from '../../src/testing/casa.ts';
import { createMock } from '../../src/testing/create-mock.ts';
import { casaHandlers } from '../../src/testing/msw.ts';
import { startMock } from '../../src/testing/start-mock.ts';

export { mcpHeaders };

/** The two revisions of the MCP protocol: with a handshake, and without. */
export const eras = ['legacy', { pin: '2026-07-28' }] as const;

/** Parts of a request that differ from the usual ones. */
interface RequestOptions {
  /** The first organization's valid key when absent; null sends none. */
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Objects are sent as JSON, texts and bytes unchanged. */
  readonly body?: object | string | Uint8Array;
  /** The address to come from. */
  readonly from?: string;
}

interface McpOptions {
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly era?: (typeof eras)[number];
}

/** The result of a tool call; `code` is `ok` for a success. */
export interface ToolResponse {
  readonly isError: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: a response can hold anything, and a test says what it expects.
  readonly body: any;
  readonly code: string;
  readonly error: ErrorBody;
  readonly text: string;
}

interface Opened {
  readonly casa: Casa;
  readonly fetch: typeof fetch;
}

export interface TestMock extends Opened {
  /** `target` is a path below the base path with a query if wanted, or a whole URL of the mock. */
  ask(method: string, target: string, wish?: RequestOptions): Promise<HttpResponse>;
  connect(wish?: McpOptions): Promise<Client>;
  /** Calls a tool with a client that is connected once. */
  call(tool: ToolName, values?: object): Promise<ToolResponse>;
  send(message: unknown, wish?: Omit<McpOptions, 'era'> & { readonly method?: string }): Promise<Response>;
}

async function openMsw(options: MockOptions): Promise<Opened> {
  const casa = await createMock({ ...options, baseUrl: 'https://api.casa.example/api/v1' });
  const server = setupServer(...casaHandlers(casa));
  // It listens only while its mock is open: the other transports of a test file use the real network.
  server.listen();
  const close = async () => {
    server.close();
    await casa.close();
  };
  return { casa: { ...casa, close }, fetch };
}

type Open = (options: MockOptions) => Promise<Opened>;

const openSocket: Open = async (options) => ({ casa: await startMock(options), fetch });
const openFetch: Open = async (options) => {
  const casa = await createMock(options);
  return { casa, fetch: (input, init) => casa.fetch(input as URL, init) };
};
const transports: readonly (readonly [name: string, open: Open])[] = [
  ['a socket', openSocket],
  ['the fetch handler', openFetch],
  ['MSW', openMsw],
];

/** Closed after the test, the last one first: clients before their mock. */
type Closables = { close(): Promise<void> }[];

async function openMock(base: Opened, opened: Closables): Promise<TestMock> {
  const { casa } = base;
  opened.push(casa);
  const connect: TestMock['connect'] = async (wish = {}) => {
    const client = await connectTo(base, wish);
    opened.push(client);
    return client;
  };
  let usual: Promise<Client> | undefined;
  return {
    ...base,
    ask: (method, target, wish) => sendRest(base, method, target, wish),
    connect,
    async call(tool, values = {}) {
      usual ??= connect();
      return readResponse(await (await usual).callTool({ name: tool, arguments: { ...values } }));
    },
    send: (message, { key = casa.keys.good, headers, method = 'POST' } = {}) =>
      base.fetch(casa.mcpUrl, {
        method,
        headers: { ...mcpHeaders, authorization: `Bearer ${key}`, ...headers },
        ...(method === 'POST' ? { body: typeof message === 'string' ? message : JSON.stringify(message) } : {}),
      }),
  };
}

/** The context of a test: a mock that is opened when the test names a field of it, and closed afterwards. */
interface Context extends Omit<TestMock, 'fetch'> {
  readonly stage: TestMock;
  open(options?: MockOptions): Promise<TestMock>;
}

/** A test of a mock through a transport; a socket by default. */
export function testMock(openBase = openSocket) {
  return test.extend<Context>({
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern which fields a fixture needs.
    open: async ({}, use) => {
      const opened: Closables = [];
      await use(async (options) => openMock(await openBase({ strict: true, ...options }), opened));
      for (const one of opened.reverse()) await one.close();
    },
    stage: async ({ open }, use) => use(await open()),
    casa: ({ stage }, use) => use(stage.casa),
    ask: ({ stage }, use) => use(stage.ask),
    connect: ({ stage }, use) => use(stage.connect),
    call: ({ stage }, use) => use(stage.call),
    send: ({ stage }, use) => use(stage.send),
  });
}

async function sendRest(
  { casa, fetch: send }: Opened,
  method: string,
  target: string,
  wish: RequestOptions = {},
): Promise<HttpResponse> {
  const { key = casa.keys.list.length > 0 ? casa.keys.good : null, headers, body, from } = wish;
  const response = await send(new URL(target.startsWith('/') ? `${casa.baseUrl}${target}` : target), {
    method,
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(from === undefined ? {} : { 'x-forwarded-for': from }),
      ...headers,
    },
    // As bytes: fetch would send a text as text/plain.
    body: body === undefined ? null : Buffer.from(isWritten(body) ? body : JSON.stringify(body)),
  });
  return toResponse(response);
}

const isWritten = (body: object | string) => typeof body === 'string' || body instanceof Uint8Array;

async function connectTo({ casa, fetch: send }: Opened, { key, headers, era = 'legacy' }: McpOptions): Promise<Client> {
  const client = new Client({ name: 'casa-tests', version: '1' }, { versionNegotiation: { mode: era } });
  const requestInit = { headers: { authorization: `Bearer ${key ?? casa.keys.good}`, ...headers } };
  await client.connect(new StreamableHTTPClientTransport(new URL(casa.mcpUrl), { fetch: send, requestInit }));
  return client;
}

type CallResult = Awaited<ReturnType<Client['callTool']>>;

/** The structured content is the body; `text` is the same as text. */
export function readResponse(result: CallResult): ToolResponse {
  const { isError = false, structuredContent: body, content } = result as CallResult & { content: unknown[] };
  const { text = '' } = (content[0] ?? {}) as { text?: string };
  const { error } = (body ?? {}) as { error?: ErrorBody };
  return { isError, body, text, code: error?.code ?? 'ok', error: error as ErrorBody };
}

interface Suite {
  readonly it: ReturnType<typeof testMock>;
  /** Whether the mock responds for its whole origin; MSW leaves other paths to others. */
  readonly ownsOrigin: boolean;
}

export function describeTransports(title: string, define: (suite: Suite) => void): void {
  describe.each(transports)(`${title}, through %s`, (name, open) => {
    define({ it: testMock(open), ownsOrigin: name !== 'MSW' });
  });
}
