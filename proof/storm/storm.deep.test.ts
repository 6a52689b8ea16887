import { describe, expect, it } from 'vitest';
import { attacks } from './attacks/index.ts';
import { optionSets, storm } from './storm.ts';

describe('a storm of hostile requests', () => {
  it('gets no error that nobody asked for, and memory levels off', async () => {
    const results = await storm({ requests: 9_000, seed: 1 });
    expect(results).toHaveLength(Object.keys(optionSets).length);
    for (const { options, faults, attacks: told, all, memory } of results) {
      expect([options, faults]).toEqual([options, []]);
      expect(Object.keys(told).sort()).toEqual(attacks.map(({ name }) => name).sort());
      expect(all.requests).toBeGreaterThanOrEqual(3_000);
      expect(memory).toHaveLength(5);
    }
  }, 600_000);
});

describe('the attacks', () => {
  it('are many, each with a name of its own', () => {
    expect(attacks.length).toBeGreaterThanOrEqual(24);
    expect(new Set(attacks.map(({ name }) => name)).size).toBe(attacks.length);
  });
});
