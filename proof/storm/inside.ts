// Loaded into the process of the mock: it measures there, when it is asked over the channel to its parent, and touches
// nothing of the mock itself.
import { monitorEventLoopDelay } from 'node:perf_hooks';

export interface Measured {
  readonly rssMb: number;
  /** Memory in use after a garbage collection: objects, buffers and memory outside the heap. */
  readonly heldMb: number;
  readonly loopDelayMs: { readonly p99: number; readonly max: number };
}

const resolutionMs = 10;
const delay = monitorEventLoopDelay({ resolution: resolutionMs });
delay.enable();

/** After a collection, since garbage that waits is not a leak. */
function measure(): Measured {
  // The sampling interval is part of each sample.
  const since = (ns: number) => Math.max(0, ns / 1e6 - resolutionMs);
  const loopDelayMs = { p99: since(delay.percentile(99)), max: since(delay.max) };
  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  return { rssMb: rss / 2 ** 20, heldMb: (heapUsed + external) / 2 ** 20, loopDelayMs };
}

process.on('message', (wish) => {
  if (wish !== 'measure') return;
  process.send?.(measure());
  // A collection that the storm asks for is not a delay of the mock.
  setTimeout(() => delay.reset(), 2 * resolutionMs);
});
process.channel?.unref();
