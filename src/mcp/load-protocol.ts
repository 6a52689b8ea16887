// Loads the SDK without letting zod, which it brings along, ask whether it may make functions out of text. The setting
// is zod's own and shared by everybody in the process, so it is put back.
import * as z from 'zod';

type Protocol = typeof import('./protocol.ts');

/** Called for the first message, so a mock without MCP clients starts without the SDK. */
export async function loadProtocol(): Promise<Protocol> {
  const jitless = z.config().jitless;
  z.config({ jitless: true });
  try {
    return await import('./protocol.ts');
  } finally {
    z.config({ jitless });
  }
}
