// `--target self`: the mock of this package, started in process through its public entry, under the limits of the
// contract and on a clock that runs, so the run meets what a deployment would show it.

import type { Profile } from '../../src/contract/profile.ts';
import { UsageError } from '../../src/terminal/usage-error.ts';
import type { KitClock } from '../driver/pace/clock.ts';
import { keyRows } from '../scenarios/capabilities.ts';
import type { ParsedFlags } from './flags.ts';
import type { Env } from './options.ts';

/** Our mock, by a profile or by its defaults. */
export async function startOwnMock(profile: Profile | null) {
  const { startMock } = await import('../../src/index.ts');
  return startMock({ clock: 'running', limits: true, ...(profile === null ? {} : { profile }) });
}

/** A running mock, and the command line as it would be written for it. */
export interface SelfTarget {
  readonly flags: ParsedFlags;
  readonly environment: Env;
  /** That of the mock, moved in this process where `--control self` allows it; absent for real time. */
  readonly clock?: KitClock;
  close(): Promise<void>;
}

/** The flags of the user stay; only what names the target is put in their place. */
export async function startSelf(flags: ParsedFlags, environment: Env): Promise<SelfTarget> {
  const name = flags.target;
  if (name !== 'self')
    throw new UsageError(
      `--target "${name}" needs a config file that names it. Without one, use --target self or --base-url URL.`,
    );
  if (flags['base-url'] !== undefined)
    throw new UsageError('--target self tests the bundled mock, so --base-url cannot be used with it.');
  const mock = await startOwnMock(null);
  return {
    flags: {
      ...flags,
      'base-url': mock.baseUrl,
      ...(flags.control === 'self' ? { control: mock.origin } : {}),
      ...(flags['mcp-url'] === 'self' ? { 'mcp-url': mock.mcpUrl } : {}),
    },
    environment: {
      ...environment,
      [keyRows.good.variable]: mock.keys.good,
      [keyRows.second.variable]: mock.keys.second,
      [keyRows.revoked.variable]: mock.keys.revoked,
    },
    ...(flags.control === 'self' ? { clock: clockOf(mock) } : {}),
    close: () => mock.close(),
  };
}

/** A request to the admin API for each wait would take as long as all the rest. */
export function clockOf({ clock }: Awaited<ReturnType<typeof startOwnMock>>): KitClock {
  return { now: () => clock.now(), sleep: async (ms) => void clock.advance(Math.max(0, Math.ceil(ms))) };
}
