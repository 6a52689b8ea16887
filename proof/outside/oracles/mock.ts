// The built mock for the tools: on a free port, with limits too high to reject requests.
import { startServer } from '../../../fixtures/test-kit/own-process.ts';

/** The tested mock. */
export interface RunningMock {
  readonly baseUrl: string;
  readonly key: string;
  stop(): Promise<void>;
}

export async function startMock(flags: readonly string[]): Promise<RunningMock> {
  const argv = (port: number) => ['dist/casa.js', 'mock', '--port', String(port), ...flags];
  const probe = async (_: number, output: string) => /Bearer casa_[0-9a-f]{32}/.test(output);
  const { port, output, stop } = await startServer({ name: 'casa mock', argv, probe });
  const [, key = ''] = /Bearer (casa_[0-9a-f]{32})/.exec(output()) ?? [];
  const high = { limit: 1_000_000, windowMs: 1000 };
  // Not --relaxed: without limiters there are no X-RateLimit headers, which Dredd wants because they are documented.
  const init = { method: 'PUT', body: JSON.stringify({ address: high, key: high }) };
  await fetch(`http://127.0.0.1:${port}/__admin/limits`, init);
  return { baseUrl: `http://127.0.0.1:${port}/api/v1`, key, stop };
}
