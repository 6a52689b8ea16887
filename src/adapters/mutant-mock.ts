// A mock made wrong in one fact, for those who prove contract checks: their own, or the kit.
import { mutantNamed, mutate } from '../mutants/index.ts';
import type { Casa } from './casa.ts';
import { createCasa } from './engine-casa.ts';
import { createFetchHandler } from './fetch.ts';
import { prepareEngine } from './mock-engine.ts';
import { listen } from './node.ts';
import type { StartMockOptions } from './start-mock.ts';

export interface StartMutantMockOptions extends StartMockOptions {
  /** A name that `casa mutants` lists; none gives the mock as it is. */
  readonly mutant?: string | undefined;
}

/** Starts a mock as `startMock` does, and breaks one clause of it. Rejects with a `RangeError` for an unknown name. */
export async function startMutantMock({ mutant, ...options }: StartMutantMockOptions): Promise<Casa> {
  const { engine } = await prepareEngine(options);
  const mutated = mutant === undefined ? engine : mutate(engine, mutantNamed(mutant));
  const { host = '127.0.0.1', port = 0, cors } = options;
  const server = await listen(mutated, { host, port, cors });
  return createCasa({
    engine: mutated,
    handler: createFetchHandler(mutated, { cors }),
    baseUrl: server.baseUrl,
    origin: new URL(server.baseUrl).origin,
    close: () => server.close(),
  });
}
