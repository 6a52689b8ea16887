// The timers of Node. Test environments replace the global ones, and a page has no module for them.
import type * as Timers from 'node:timers';

export const { clearInterval, clearTimeout, setImmediate, setInterval, setTimeout } =
  (globalThis.process?.getBuiltinModule?.('node:timers') ?? globalThis) as typeof Timers;
