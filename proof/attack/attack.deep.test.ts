import { expect, it } from 'vitest';
import { describeFuzz } from './fuzz.ts';
import { attacks, optionSets, storm } from './storm.ts';

describeFuzz(0.2);

it('a storm of hostile requests gets no error that no client asked for, and memory levels off', async () => {
  const results = await storm({ requests: 9_000, seed: 1, only: [] });
  expect(results).toHaveLength(Object.keys(optionSets).length);
  for (const { options, faults, attacks: tallies, all, memory } of results) {
    expect([options, faults]).toEqual([options, []]);
    expect(Object.entries(tallies).filter(([, { requests }]) => requests < 2)).toEqual([]);
    expect(Object.keys(tallies)).toEqual(Object.keys(attacks));
    expect(all.requests).toBeGreaterThanOrEqual(3_000);
    expect(memory).toHaveLength(5);
  }
}, 600_000);
