import { describe, expect, it } from 'vitest';
import { compareOnce } from '../../conformance/driver/diff/compare.ts';
import { comparableBehaviors, isDifferent } from '../../conformance/report/difference.ts';
import type { Report } from '../../conformance/report/report.ts';
import { startIndependentTarget, startMockTarget } from '../../fixtures/test-kit/targets.ts';
import { type BehaviorId, behaviors } from '../../src/contract/generated/behaviors.ts';
import { createRandom } from '../../src/domain/random.ts';
import { drawDeployment, drawResponse } from '../../src/http/grease/draws.ts';
import { variantNames } from '../independent/index.ts';
import { calibrated, columns, identifyColumn, identifyVariant, learn, plainReport, type ValueRow } from './identify.ts';
import { labelsOf } from './labels.ts';
import { valuesOf } from './values.ts';

/** The same for all variants. */
const plain = plainReport();

describe('the identifiability matrix', () => {
  it('calibrates every value of every behavior back, or says why it is inconclusive', {
    timeout: 600_000,
  }, async () => {
    const rows: ValueRow[] = [];
    for (const column of columns()) rows.push(...(await identifyColumn(column)));
    const name = ({ id, value }: ValueRow) => `${id} ${JSON.stringify(value)}`;
    const identified = new Set(rows.filter(({ result }) => result === 'identified').map(name));
    const missed = rows.filter((row) => row.result === 'missed' && !identified.has(name(row)));
    expect(missed.map((row) => `${name(row)}: ${row.why}`)).toEqual([]);
    expect(identified.size).toBeGreaterThan(150);
  });

  it.each(variantNames)(
    'makes a calibrated mock of the variant %s that cannot be distinguished from it',
    { timeout: 120_000 },
    async (variant) => {
      const row = await identifyVariant(variant, await plain);
      expect(row.differs).toEqual([]);
      expect(row.failures).toEqual([]);
      expect(row.before.behaviors.same).toBeLessThan(row.before.behaviors.compared);
      expect(row.after.behaviors.same).toBe(row.after.behaviors.compared);
      // An organization that has nothing shows little of anybody's habits.
      if (variant !== 'empty') expect(row.after.behaviors.compared).toBeGreaterThan(comparableBehaviors.size / 2);
      expect(row.requests + row.requestsAgain).toBeLessThanOrEqual(160);
    },
  );
});

it.each(['lavish', 'tied'] as const)(
  'labels no field of %s as learnt or contract that differs',
  async (variant) => {
    const { profile } = await calibrated(await startIndependentTarget({ variant }), { minutes: 1 });
    const { fields, differing } = await labelsOf(variant, profile);
    expect(differing.filter(({ label }) => !label.startsWith('assumed'))).toEqual([]);
    expect(differing.length).toBeGreaterThan(0);
    expect(fields.learnt).toBeGreaterThan(50);
  },
  60_000,
);

const matrix = (Object.keys(behaviors) as BehaviorId[]).filter((id) => id !== 'badArticleQuery' && id !== 'latency');
const failuresOf = ({ checks }: Report) =>
  checks.filter(({ result: { kind } }) => kind === 'fail' || kind === 'warn' || kind === 'error').map(({ id }) => id);

it.each([
  ['what grease draws', 1, []],
  // A page cap of 20 or 50 is legal, but a warning (R17). This seed draws another.
  ['every behavior', 16, matrix],
])(
  'a calibrated mock cannot be distinguished from a random deployment that differs in %s (seed %i)',
  async (_what, seed, ids) => {
    const random = createRandom(seed);
    const drawn = ids.map((id) => [id, valuesOf(id)[random.below(valuesOf(id).length)]] as const);
    const behavior = { ...Object.fromEntries(drawn), ...drawDeployment(seed), ...drawResponse(random, {}) };
    const original = await startMockTarget({ behavior });
    const { profile, report } = await learn(original);
    const calibration = await startMockTarget({ profile });
    try {
      const { report: calibrated } = await learn(calibration);
      expect([failuresOf(report), failuresOf(calibrated)]).toEqual([[], []]);
      expect(compareOnce(report, calibrated).filter(isDifferent)).toEqual([]);
      expect(Object.keys(profile.behaviors).length).toBeGreaterThan(45);
    } finally {
      await Promise.all([original.close(), calibration.close()]);
    }
  },
  60_000,
);
