import { describe, expect, it } from 'vitest';
import { NAMED } from '../proof/independent/named.ts';
import { PLAIN } from '../proof/independent/variants.ts';
import { defaultReadings, type ReadingId, readings } from '../src/contract/generated/readings.ts';
import { rulings } from '../src/contract/generated/rulings.ts';
import { whyNoReading } from '../src/contract/profile.ts';
import { choiceValues } from '../src/domain/choices.ts';
import { readContract } from './generate/document.ts';
import { readReadings } from './generate/readings.ts';

const folder = new URL('./', import.meta.url);
const source = readReadings(folder, readContract(folder));
const ids = Object.keys(readings) as ReadingId[];

describe('spec/readings.yaml', () => {
  it('covers every member in which the second implementation differs, or says why it is no reading', () => {
    const covered = [...source.rows.values()].flatMap(({ variants }) => variants);
    const listed = new Set([...covered, ...Object.keys(source.notReadings)]);
    expect(Object.keys(PLAIN).filter((name) => !listed.has(name))).toEqual([]);
    expect([...listed].filter((name) => !(name in PLAIN))).toEqual([]);
  });

  it('says of no member that it is a reading and that it is none', () => {
    const covered = new Set([...source.rows.values()].flatMap(({ variants }) => variants));
    expect(Object.keys(source.notReadings).filter((name) => covered.has(name))).toEqual([]);
  });

  it('covers every member that a named variant sets', () => {
    const set = new Set(Object.values(NAMED).flatMap((variant) => Object.keys(variant)));
    const covered = new Set([...source.rows.values()].flatMap(({ variants }) => variants));
    const reasons = source.notReadings;
    expect([...set].filter((name) => !covered.has(name) && (reasons[name] ?? '') === '')).toEqual([]);
  });

  it('has a row for every choice, with its values in its order', () => {
    for (const [name, values] of Object.entries(choiceValues)) {
      const row: readonly string[] = (readings[name as ReadingId] as { values: readonly string[] }).values;
      expect(row.slice(0, values.length)).toEqual(values);
    }
  });

  it.each(ids)('gives %s a default that it allows', (id) => {
    expect(whyNoReading(id, defaultReadings[id])).toBeNull();
    expect(rulings[readings[id].ruling]).toBeDefined();
  });

  it.each([
    ['articleOrder', 'sideways', 'is none of newest, oldest'],
    ['reviewPageSize', 0, 'is no whole number from 1 to 1000'],
    ['instantForm', '2026-03-01T10:00:00Z', 'is no form that the contract allows'],
    ['contentType', 'text/html', 'is no form that the contract allows'],
    ['callRecord', { type: 'object', secret: 1 }, 'has a member "secret"'],
    ['latency', { p50: -1, p90: 2, p99: 3 }, 'has no three quantiles in milliseconds'],
    ['keyPrefix', 'casa_0123', 'is no form that the contract allows'],
  ] as const)('refuses %s as %j', (id, value, problem) => {
    expect(whyNoReading(id, value)).toBe(problem);
  });
});
