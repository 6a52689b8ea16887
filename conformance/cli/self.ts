// `--target self`: the mock of this package, started in process through its public entry, under the limits of the contract
// and on a clock that runs, so that the run meets what a deployment would show it.

import { UsageError } from '../../src/terminal/usage-error.ts';
import type { ParsedFlags } from './flags.ts';
import type { Env } from './options.ts';

export interface SelfTarget {
  readonly flags: ParsedFlags;
  readonly environment: Env;
  close(): Promise<void>;
}

export async function startSelf(flags: ParsedFlags, environment: Env): Promise<SelfTarget> {
  const name = flags.get('target')?.[0];
  if (name !== 'self') throw new UsageError(`--target "${name}" is unknown; it is self, or give --base-url URL.`);
  if (flags.has('base-url')) throw new UsageError('--target self brings its own server, so --base-url has no place.');
  const { startMock } = await import('../../src/index.ts');
  const mock = await startMock({ clock: 'running', limits: true });
  const given = new Map(flags).set('base-url', [mock.baseUrl]);
  if (given.get('control')?.[0] === 'self') given.set('control', [mock.origin]);
  if (given.get('mcp-url')?.[0] === 'self') given.set('mcp-url', [mock.mcpUrl]);
  return {
    flags: given,
    environment: {
      ...environment,
      CONFORMANCE_API_KEY: mock.keys.good,
      CONFORMANCE_SECOND_KEY: mock.keys.second,
      CONFORMANCE_REVOKED_KEY: mock.keys.revoked,
    },
    close: () => mock.close(),
  };
}
