// Loaded into the process of the mock: measures on request, and changes nothing.
/** The responses to the two questions. */
export interface Measured {
  readonly memory: {
    readonly rssMb: number;
    /** Memory in use after a garbage collection: objects, buffers and memory outside the heap. */
    readonly heldMb: number;
  };
  /** The longest stretch without a turn of the event loop since the last question, in processor time of the thread. */
  readonly blockMs: number;
}

function memory(): Measured['memory'] {
  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  return { rssMb: rss / 2 ** 20, heldMb: (heapUsed + external) / 2 ** 20 };
}

let lastMs = Number.NaN;
let worstMs = 0;

function usedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function tick(): void {
  const now = usedMs();
  worstMs = Math.max(worstMs, now - lastMs);
  lastMs = now;
  setTimeout(tick, 1).unref();
}

/** The first question starts the ticks. */
function blockMs(): number {
  const found = worstMs;
  worstMs = 0;
  if (Number.isNaN(lastMs)) setTimeout(tick, 1).unref();
  lastMs = usedMs();
  return found;
}

process.on('message', (question) => process.send?.(question === 'memory' ? memory() : blockMs()));
process.channel?.unref();
