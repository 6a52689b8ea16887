// A sample of the clients with the whole matrix, every fourth of them twice. `npm run clients -- --runs 20` runs all.
import { expect, it } from 'vitest';
import { clients, problemOf } from './runs.ts';

const sample = Object.keys(clients).filter((_, i) => i % 6 === 1);

it.each(sample.map((name, i) => [name, i % 4 === 0 ? 2 : 1] as const))(
  '%s has the expected violations in %i runs',
  async (name, runs) => {
    expect(await problemOf(name, runs)).toBeNull();
  },
);
