// The built mock in its own process, with its limiters counting, but raised: without them there are no X-RateLimit
// headers, which tools want because they are documented.
import { type ServerProcess, type StartOptions, startServer } from '../../fixtures/test-kit/own-process.ts';

export interface BuiltMock extends ServerProcess {
  readonly baseUrl: string;
  readonly key: string;
  // biome-ignore lint/suspicious/noExplicitAny: the body of any response
  read(path: string, body?: string): Promise<any>;
}

/** Above all that a tool can send in a second. */
const limit = { limit: 1_000_000, windowMs: 1_000 };

export function builtMock({ name = 'casa-kit', flags = [] as readonly string[] } = {}): StartOptions {
  return {
    name,
    argv: (port) => ['dist/casa.js', 'mock', '--port', String(port), '--quiet', ...flags],
    probe: async (port, output) => {
      const headers = { authorization: `Bearer ${keyIn(output)}` };
      return (await fetch(`http://127.0.0.1:${port}/api/v1/sites`, { headers })).ok;
    },
  };
}

export async function startBuiltMock(options: Parameters<typeof builtMock>[0] = {}): Promise<BuiltMock> {
  const server = await startServer(builtMock(options));
  const [origin, key] = [`http://127.0.0.1:${server.port}`, keyIn(server.output())];
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const raised = { method: 'PUT', headers, body: JSON.stringify({ enforced: true, address: limit, key: limit }) };
  const response = await fetch(`${origin}/__admin/limits`, raised);
  if (!response.ok) throw new Error(`Cannot raise the limits: ${response.status} ${await response.text()}`);
  const baseUrl = `${origin}/api/v1`;
  const read: BuiltMock['read'] = async (path, body) =>
    (await fetch(`${baseUrl}${path}`, { headers, ...(body && { method: 'POST', body }) })).json();
  return { ...server, baseUrl, key, read };
}

/** The id of an account that can post and has reviews. */
export async function usableAccount({ read }: BuiltMock): Promise<string> {
  const { accounts } = (await read('/connect/accounts')).data;
  type Account = { accountId: string; provider: string; status: string; locked: boolean };
  const isUsable = ({ provider, status, locked }: Account) =>
    provider === 'google_business' && status === 'connected' && !locked;
  return accounts.find(isUsable).accountId;
}

function keyIn(output: string): string {
  return /Bearer ([a-z][a-z0-9]{0,11}_[0-9a-f]{32})\b/.exec(output)?.[1] ?? '';
}
