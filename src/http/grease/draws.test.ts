import { describe, expect, it } from 'vitest';
import { defaultReadings, type ReadingId, readings } from '../../contract/generated/readings.ts';
import { whyNoReading } from '../../contract/profile.ts';
import { createRandom } from '../../domain/random.ts';
import { writtenReadings } from '../twin/plays.ts';
import { drawAnswer, drawDeployment, draws } from './draws.ts';

const ids = Object.keys(draws) as ReadingId[];
const drawnIds = ids.filter((id) => 'drawn' in draws[id]);
const random = createRandom(1);
const profiles = Array.from({ length: 300 }, (_, seed) => ({ ...drawDeployment(seed), ...drawAnswer(random, {}) }));

/** Shapes are compared as text. */
const valuesOf = (id: ReadingId) => new Set(profiles.map((profile) => JSON.stringify(profile[id])));

describe('grease', () => {
  it('draws every reading in which answers are written', () => {
    expect(writtenReadings.filter((id) => !drawnIds.includes(id))).toEqual([]);
  });

  it.each(drawnIds)('draws values of %s that a deployment may have, the default among them', (id) => {
    for (const profile of profiles) expect(whyNoReading(id, profile[id])).toBeNull();
    expect(valuesOf(id)).toContain(JSON.stringify(defaultReadings[id]));
    expect(valuesOf(id).size).toBeGreaterThan(1);
  });

  it.each(drawnIds.filter((id) => 'values' in readings[id]))('reaches every value of %s', (id) => {
    const { values } = readings[id] as { values: readonly string[] };
    expect([...valuesOf(id)].sort()).toEqual(values.map((value) => JSON.stringify(value)).sort());
  });

  it.each(ids.filter((id) => !drawnIds.includes(id)))('says why it keeps %s', (id) => {
    expect(draws[id]).toEqual({ kept: expect.stringMatching(/^[a-z].{20,}[^.]$/) });
    expect(profiles.every((profile) => profile[id] === undefined)).toBe(true);
  });

  it('draws nothing in place of a choice by hand, and other readings for other seeds', () => {
    const chosen = { jsonLayout: 'spaced', memberOrder: 'sorted' } as const;
    expect(Object.keys(drawAnswer(createRandom(1), chosen))).not.toContain('jsonLayout');
    expect(drawDeployment(5)).toEqual(drawDeployment(5));
    expect(drawDeployment(5)).not.toEqual(drawDeployment(6));
  });
});
