// The official client, loaded only for runs with an MCP endpoint because it is large. It negotiates and formats the
// requests. The suite sends them and checks the exchanges, not the client's view of them.
import { Client, type ReconnectionScheduler, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { readVersion } from '../../../src/terminal/version.ts';
import { toolName } from '../../report/report.ts';

/** Both generations of the protocol, or the one that begins with `initialize`. */
export type Negotiation = 'auto' | 'legacy';

/** Replacements for the network and the timers of the client. */
export interface ClientParts {
  readonly url: URL;
  readonly negotiation: Negotiation;
  readonly carry: (request: CarriedRequest) => Promise<Response>;
  readonly waitToResume: ReconnectionScheduler;
}

export interface CarriedRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** The little of the client that the kit uses. Responses are read from the exchanges. */
export interface McpClient {
  connect(): Promise<void>;
  request(method: string, params: Record<string, unknown>, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** The wire bounds every exchange; this only prevents the client from giving up first. */
const timeoutMs = 3_600_000;

/** The suite validates responses and gives up, instead of the client, so a report has the reason. */
export function makeClient({ url, negotiation, carry, waitToResume }: ClientParts): McpClient {
  const transport = new StreamableHTTPClientTransport(url, {
    fetch: (_url, init) =>
      carry({
        method: init?.method ?? 'GET',
        headers: Object.fromEntries(new Headers(init?.headers)),
        body: typeof init?.body === 'string' ? init.body : null,
      }),
    // A redirect is returned unchanged: the suite only uses the given URL.
    redirectPolicy: 'follow',
    reconnectionScheduler: waitToResume,
    reconnectionOptions: {
      maxRetries: 2,
      initialReconnectionDelay: 1000,
      maxReconnectionDelay: 5000,
      reconnectionDelayGrowFactor: 2,
    },
  });
  const client = new Client(
    { name: toolName, version: readVersion() },
    {
      versionNegotiation: { mode: negotiation },
      inputRequired: { autoFulfill: false },
      // Only the contract validates output.
      jsonSchemaValidator: {
        getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
      },
    },
  );
  return {
    connect: () => client.connect(transport, { timeout: timeoutMs }),
    async request(method, params, signal) {
      await client.request({ method, params }, anything, { timeout: timeoutMs, signal });
    },
    close: () => client.close(),
  };
}

const anything = { '~standard': { version: 1, vendor: toolName, validate: (value: unknown) => ({ value }) } } as const;
