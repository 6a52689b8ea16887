// The longest time that one request keeps the event loop of the mock busy, in milliseconds of processor time.

import { openClient } from '../../fixtures/test-kit/client.ts';
import type { CoreRequest } from '../../src/http/message.ts';
import { type HeavyRequest, heavyRequests } from './heavy.ts';
import { startMockProcess } from './mock-process.ts';
import { bytesOf } from './requests.ts';

/** Longer than this, other clients of the same mock would notice. */
const boundMs = 50;
const rounds = 5;

export interface Block {
  readonly name: string;
  readonly status: number;
  readonly medianMs: number;
  readonly worstMs: number;
  readonly isOver: boolean;
}

/** Measures the requests whose name contains one of the parts; all without parts. */
export async function measureBlocks(only: readonly string[]): Promise<Block[]> {
  const chosen = heavyRequests.filter(({ name }) => only.length === 0 || only.some((part) => name.includes(part)));
  const blocks: Block[] = [];
  for (const heavy of chosen) blocks.push(await measure(heavy));
  return blocks;
}

/** Five times after one round that does not count, because it compiles. One at a time. */
async function measure({ name, flags = [], request }: HeavyRequest): Promise<Block> {
  const mock = await startMockProcess(['--relaxed', '--quiet', ...flags]);
  const client = await openClient(mock.port);
  const send = async (sent: CoreRequest) => {
    client.write(bytesOf(sent));
    return (await client.response()).status;
  };
  try {
    let status = await send(request(-1));
    const found: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      // Until nothing is left to do, for example garbage of earlier requests to collect.
      for (let idle = 0; idle < 3; ) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        idle = (await mock.measure('blockMs')) < 2 ? idle + 1 : 0;
      }
      status = await send(request(round));
      found.push(await mock.measure('blockMs'));
    }
    const [, , medianMs = 0, , worstMs = 0] = found.sort((a, b) => a - b);
    return { name, status, medianMs, worstMs, isOver: worstMs > boundMs };
  } finally {
    client.socket.destroy();
    await mock.stop();
  }
}
