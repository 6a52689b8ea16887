import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type IndependentOptions, independentMutants, startIndependent, VARIANT_NAMES } from './index.ts';
import { MUTANT_GROUPS } from './mutants.ts';
import { resolveVariant, type VariantName } from './named.ts';
import { SCRIPTS } from './scripts.ts';
import { type Script, transcript } from './transcript.ts';

type Group = keyof typeof MUTANT_GROUPS;

interface Clause {
  id: string;
  standing: string;
  seenBy: string;
}

const START = Date.UTC(2031, 3, 5, 6, 7, 11, 234);
const GROUPS = Object.keys(MUTANT_GROUPS) as Group[];
const clauses = parse(readFileSync(new URL('../../spec/clauses.yaml', import.meta.url), 'utf8')) as Clause[];
const clean = new Map<string, Promise<string[]>>();

function sessionOf(group: Group, name: VariantName): { options: IndependentOptions; start: number; script: Script } {
  const limits = group === 'bursts' || group === 'keyWindow' || group === 'mcpBurst';
  const variant = group === 'keyWindow' ? { ...resolveVariant(name), trustForwarded: true } : name;
  return { options: { variant, limits }, start: START, script: SCRIPTS[group] };
}

function toldClean(group: Group, name: VariantName): Promise<string[]> {
  const key = `${group}/${name}`;
  const made = clean.get(key) ?? transcript(sessionOf(group, name));
  clean.set(key, made);
  return made;
}

/** The first answer in which a mutant differs from the clean server, and what that one says. */
async function difference(group: Group, name: VariantName, mutate: string): Promise<readonly (string | undefined)[]> {
  const { options, ...session } = sessionOf(group, name);
  const usual = await toldClean(group, name);
  const wrong = await transcript({ ...session, options: { ...options, mutate }, until: usual });
  const at = wrong.findIndex((line, index) => line !== usual[index]);
  return at < 0 ? [wrong[usual.length], usual[wrong.length]] : [wrong[at], usual[at]];
}

describe('the list of mutants', () => {
  it('has many, each with a name of its own and a variant that exists', () => {
    const names = independentMutants.map((mutant) => mutant.name);
    expect(names.length).toBeGreaterThanOrEqual(60);
    expect(new Set(names).size).toBe(names.length);
    for (const { name, variants, shows } of independentMutants) {
      expect([name, variants.filter((variant) => !VARIANT_NAMES.includes(variant))]).toEqual([name, []]);
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

describe.each(GROUPS)('mutants of %s', (group) => {
  it('says the same twice while it is clean', async () => {
    expect(await transcript(sessionOf(group, 'plain'))).toEqual(await toldClean(group, 'plain'));
  });

  it.each(MUTANT_GROUPS[group].map((mutant) => [mutant.name, mutant] as const))('%s shows', async (name, mutant) => {
    for (const variant of mutant.variants) {
      const [wrong, usual] = await difference(group, variant, name);
      expect(wrong, `${name} on ${variant}`).not.toBe(usual);
    }
  });
});
