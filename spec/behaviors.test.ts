import { describe, expect, it } from 'vitest';
import { namedVariants, plainVariant } from '../proof/independent/variants.ts';
import { type BehaviorId, behaviors, defaultBehaviors } from '../src/contract/generated/behaviors.ts';
import { interpretations } from '../src/contract/generated/interpretations.ts';
import { whyNoBehavior } from '../src/contract/profile.ts';
import { behaviorValues } from '../src/domain/world-behavior.ts';
import { readBehaviors } from './generate/behaviors.ts';
import { readContract } from './generate/document.ts';

const folder = new URL('./', import.meta.url);
const source = readBehaviors(folder, readContract(folder));
const ids = Object.keys(behaviors) as BehaviorId[];

describe('spec/behaviors.yaml', () => {
  it('covers every field in which the second implementation differs, or says why it is not a behavior', () => {
    const covered = [...source.rows.values()].flatMap(({ variants }) => variants);
    const listed = new Set([...covered, ...Object.keys(source.notBehaviors)]);
    expect(Object.keys(plainVariant).filter((name) => !listed.has(name))).toEqual([]);
    expect([...listed].filter((name) => !(name in plainVariant))).toEqual([]);
  });

  it('lists no field both as a behavior and as an exception', () => {
    const covered = new Set([...source.rows.values()].flatMap(({ variants }) => variants));
    expect(Object.keys(source.notBehaviors).filter((name) => covered.has(name))).toEqual([]);
  });

  it('covers every field that a named variant sets', () => {
    const set = new Set(Object.values(namedVariants).flatMap((variant) => Object.keys(variant)));
    const covered = new Set([...source.rows.values()].flatMap(({ variants }) => variants));
    const reasons = source.notBehaviors;
    expect([...set].filter((name) => !covered.has(name) && (reasons[name] ?? '') === '')).toEqual([]);
  });

  it('has a row for every choice, with its values in its order', () => {
    for (const [name, values] of Object.entries(behaviorValues)) {
      const row: readonly string[] = (behaviors[name as BehaviorId] as { values: readonly string[] }).values;
      expect(row.slice(0, values.length)).toEqual(values);
    }
  });

  it.each(ids)('gives %s a default that it allows', (id) => {
    expect(whyNoBehavior(id, defaultBehaviors[id])).toBeNull();
    expect(interpretations[behaviors[id].interpretation]).toBeDefined();
  });

  it.each([
    ['articleOrder', 'sideways', 'is not one of newest, oldest'],
    ['reviewPageSize', 0, 'is not a whole number from 1 to 1000'],
    ['timestampForm', '2026-03-01T10:00:00Z', 'is not a form that the contract allows'],
    ['contentType', 'text/html', 'is not a form that the contract allows'],
    ['callRecord', { type: 'object', secret: 1 }, 'has a field "secret"'],
    ['latency', { p50: -1, p90: 2, p99: 3 }, 'has no three quantiles in milliseconds'],
    ['keyPrefix', 'casa_0123', 'is not a form that the contract allows'],
  ] as const)('rejects %s as %j', (id, value, problem) => {
    expect(whyNoBehavior(id, value)).toBe(problem);
  });
});
