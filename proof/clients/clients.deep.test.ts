// Every client with the whole matrix: `npx vitest run -c vitest.deep.config.ts proof/clients`.
import { describe, expect, it } from 'vitest';
import { tryClient } from '../../src/try/index.ts';
import { correctClients } from './correct.ts';
import { mistakes } from './mistakes.ts';
import { rightParts, tour } from './parts.ts';

describe('a client with one mistake', () => {
  it.each(Object.entries(mistakes))('that %s is caught, and each run agrees', async (_name, parts) => {
    const run = () => tryClient((casa) => tour(casa, { ...rightParts, ...parts }));
    const { violations } = await run();
    expect(violations).not.toEqual([]);
    expect((await run()).violations).toEqual(violations);
  });
});

describe('a correct client', () => {
  it.each(Object.entries(correctClients))('%s has no violations in 20 of 20 runs', async (_name, client) => {
    for (let run = 0; run < 20; run += 1) {
      const { violations } = await tryClient(client);
      expect(violations).toEqual([]);
    }
  });
});
