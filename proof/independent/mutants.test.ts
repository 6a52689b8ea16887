import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { independentMutants, startIndependent, VARIANT_NAMES } from './index.ts';

interface Clause {
  id: string;
  standing: string;
  seenBy: string;
}

const clauses = parse(readFileSync(new URL('../../spec/clauses.yaml', import.meta.url), 'utf8')) as Clause[];

describe('the list of mutants', () => {
  it('has many, each with a name of its own and a variant that exists', () => {
    const names = independentMutants.map((mutant) => mutant.name);
    expect(names.length).toBeGreaterThanOrEqual(287);
    expect(new Set(names).size).toBe(names.length);
    for (const { name, variant, shows } of independentMutants) {
      expect([name, VARIANT_NAMES.includes(variant)]).toEqual([name, true]);
      expect([name, shows.endsWith('.')]).toEqual([name, true]);
    }
  });

  it('breaks clauses that exist, are stated or implied, and can be seen of a server', () => {
    const byId = new Map(clauses.map((clause) => [clause.id, clause]));
    for (const { name, breaks } of independentMutants) {
      const clause = byId.get(breaks);
      expect([name, breaks, clause?.seenBy]).toEqual([name, breaks, 'server']);
      expect(['stated', 'implied']).toContain(clause?.standing);
    }
  });

  it('starts on any variant', async () => {
    for (const [at, { name }] of independentMutants.entries()) {
      const variant = VARIANT_NAMES[at % VARIANT_NAMES.length] ?? 'plain';
      await (await startIndependent({ mutate: name, variant })).close();
    }
  });
});
