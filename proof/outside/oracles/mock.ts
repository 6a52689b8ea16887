// The built mock as the tools judge it: on a free port, with its limits counting and so high that they never refuse.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** The mock under judgement. */
export interface RunningMock {
  readonly baseUrl: string;
  readonly key: string;
  stop(): Promise<void>;
}

export async function startMock(flags: readonly string[]): Promise<RunningMock> {
  const child = spawn(process.execPath, ['dist/casa.js', 'mock', '--port', '0', ...flags], { stdio: 'pipe' });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += String(chunk);
    });
  }
  while (!/Bearer casa_/.test(output)) {
    if (child.exitCode !== null) throw new Error(`The mock did not start: ${output}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const [, origin = ''] = /(http:\/\/127\.0\.0\.1:\d+)\/api\/v1/.exec(output) ?? [];
  const [, key = ''] = /Bearer (casa_[0-9a-f]{32})/.exec(output) ?? [];
  const high = { limit: 1_000_000, windowMs: 1000 };
  // Not --relaxed: without limiters there are no X-RateLimit headers, which Dredd wants because they are documented.
  await fetch(`${origin}/__admin/limits`, { method: 'PUT', body: JSON.stringify({ address: high, key: high }) });
  return {
    baseUrl: `${origin}/api/v1`,
    key,
    stop: async () => {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}
