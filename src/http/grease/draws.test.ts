import { describe, expect, it } from 'vitest';
import { type BehaviorId, behaviors, defaultBehaviors } from '../../contract/generated/behaviors.ts';
import { whyNoBehavior } from '../../contract/profile.ts';
import { createRandom } from '../../domain/random.ts';
import { writtenBehaviors } from '../calibrated/plays.ts';
import { drawDeployment, drawResponse, draws } from './draws.ts';

const ids = Object.keys(draws) as BehaviorId[];
const drawnIds = ids.filter((id) => 'drawn' in draws[id]);
const random = createRandom(1);
const profiles = Array.from({ length: 300 }, (_, seed) => ({ ...drawDeployment(seed), ...drawResponse(random, {}) }));

/** Shapes are compared as text. */
const valuesOf = (id: BehaviorId) => new Set(profiles.map((profile) => JSON.stringify(profile[id])));

describe('grease', () => {
  it('draws every behavior in which responses are written', () => {
    // The shares of null and absent fields are learnt only: a greased mock keeps its records.
    expect(writtenBehaviors.filter((id) => !drawnIds.includes(id))).toEqual(['records']);
  });

  it.each(drawnIds)('draws values of %s that a deployment may have, the default among them', (id) => {
    for (const profile of profiles) expect(whyNoBehavior(id, profile[id])).toBeNull();
    expect(valuesOf(id)).toContain(JSON.stringify(defaultBehaviors[id]));
    expect(valuesOf(id).size).toBeGreaterThan(1);
  });

  it.each(drawnIds.filter((id) => 'values' in behaviors[id]))('reaches every value of %s', (id) => {
    const { values } = behaviors[id] as { values: readonly string[] };
    expect([...valuesOf(id)].sort()).toEqual(values.map((value) => JSON.stringify(value)).sort());
  });

  it.each(ids.filter((id) => !drawnIds.includes(id)))('says why it keeps %s', (id) => {
    expect(draws[id]).toEqual({ kept: expect.stringMatching(/^[a-z].{20,}[^.]$/) });
    expect(profiles.every((profile) => profile[id] === undefined)).toBe(true);
  });

  it('draws nothing instead of a choice by hand, and other behaviors for other seeds', () => {
    const chosen = { contentType: 'application/json', callSummary: 'absent' } as const;
    expect(Object.keys(drawResponse(createRandom(1), chosen))).not.toContain('contentType');
    expect(drawDeployment(5)).toEqual(drawDeployment(5));
    expect(drawDeployment(5)).not.toEqual(drawDeployment(6));
  });
});
