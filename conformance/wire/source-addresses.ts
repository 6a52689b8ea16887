// Addresses of --source-address, tried before the first request: one that this machine does not have would make a
// target look unreachable.
import { createServer, isIP } from 'node:net';
import { UsageError } from '../../src/terminal/usage-error.ts';

/** Throws a UsageError that names the first address that cannot be used. */
export async function tryAddresses(addresses: readonly string[]): Promise<void> {
  for (const address of addresses) {
    if (isIP(address) === 0) throw new UsageError(`--source-address "${address}" is not an IP address.`);
    const problem = await bind(address);
    if (problem === null) continue;
    throw new UsageError(
      `--source-address ${address} is not an address of this machine (${problem}): name one it has.`,
    );
  }
}

/** The code of what went wrong; null when the address can be used. */
function bind(address: string): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(0, address, () => server.close(() => resolve(null)));
  });
}
