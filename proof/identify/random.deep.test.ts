// Random deployments: grease draws a profile, and the rest is drawn from the values of the matrix.
import { expect, it } from 'vitest';
import { compareOnce } from '../../conformance/diff/compare.ts';
import { isDifferent } from '../../conformance/report/difference.ts';
import type { Report } from '../../conformance/report/report.ts';
import { startMockTarget } from '../../fixtures/test-kit/targets.ts';
import { type BehaviorId, behaviors } from '../../src/contract/generated/behaviors.ts';
import { createRandom } from '../../src/domain/random.ts';
import { drawDeployment, drawResponse } from '../../src/http/grease/draws.ts';
import { learn } from './identify.ts';
import { valuesOf } from './values.ts';

const matrix = (Object.keys(behaviors) as BehaviorId[]).filter((id) => id !== 'badArticleQuery' && id !== 'latency');
const failuresOf = ({ checks }: Report) =>
  checks.filter(({ result: { kind } }) => kind === 'fail' || kind === 'warn' || kind === 'error').map(({ id }) => id);

it.each([
  ['what grease draws', 1, []],
  ['every behavior', 12, matrix],
])(
  'a calibrated mock is inconclusive from a random deployment that differs in %s (seed %i)',
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
