// A mock for tests: a server of its own on a free port, a frozen clock, the same bytes every time.
import { createEngine } from '../control/engine.ts';
import { type ControlledClock, createClock } from '../domain/clock.ts';
import { contractLimits } from '../domain/limits.ts';
import { builtInWorld } from '../worlds/load.ts';
import { rebase } from '../worlds/rebase.ts';
import { listen } from './node.ts';

export interface StartMockOptions {
  /** Name of a built-in world; `default` when absent. */
  readonly world?: string;
  /** Whether the contract's rate limits are enforced. Off by default: with a frozen clock a window would never move on. */
  readonly limits?: boolean;
  /** Port to listen on; a free one when absent. */
  readonly port?: number;
}

export interface Casa {
  /** Where the API is, such as `http://127.0.0.1:40123/api/v1`. */
  readonly baseUrl: string;
  /** Keys that are not revoked, one or more for each organization. */
  readonly keys: readonly string[];
  readonly clock: ControlledClock;
  close(): Promise<void>;
}

/** Starts a mock on a socket of its own. */
export async function startMock({ world = 'default', limits = false, port = 0 }: StartMockOptions = {}): Promise<Casa> {
  const data = await builtInWorld(world);
  const clock = createClock(() => 0, { startMs: Date.parse(data.anchor), frozen: true });
  const engine = createEngine({
    data: rebase(data, clock.now()),
    clock,
    limits: { ...contractLimits, enforced: limits },
  });
  const server = await listen(engine, { host: '127.0.0.1', port });
  const keys = [...engine.world.keys].filter(([, { revoked }]) => !revoked).map(([key]) => key);
  return { baseUrl: server.baseUrl, keys, clock, close: server.close };
}
