// A sample of the clients, twice each, with the whole matrix. `npm run clients -- --runs 20` runs all.
import { expect, it } from 'vitest';
import { clients, problemOf } from './runs.ts';

const sample = Object.keys(clients).filter((_, i) => i % 6 === 1);

it.each(sample)('%s has the expected violations in both runs', async (name) => {
  expect(await problemOf(name, 2)).toBeNull();
});
