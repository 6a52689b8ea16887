// `npm run labels`: how often the labels of `x-casa-basis` are wrong, for each variant of the second implementation.
// Words are variants, worlds of the mock, or minutes of the calibration.
import { startIndependentTarget } from '../../fixtures/test-kit/targets.ts';
import { quickWorldNames } from '../../src/worlds/names.ts';
import { variantNames } from '../independent/index.ts';
import { calibrated } from './identify.ts';
import { labelsOf } from './labels.ts';

const words = process.argv.slice(2);
const pick = <Name extends string>(names: readonly Name[], usual: readonly Name[]) => {
  const chosen = names.filter((name) => words.includes(name));
  return chosen.length === 0 ? usual : chosen;
};
const minutes = words.map(Number).filter((word) => word > 0);

for (const variant of pick(variantNames, variantNames))
  for (const each of minutes.length === 0 ? [1] : minutes) {
    const { profile, report } = await calibrated(await startIndependentTarget({ variant }), { minutes: each });
    for (const world of pick(quickWorldNames, ['default'])) {
      const { fields, differing } = await labelsOf(variant, profile, world);
      const count = (kind: string) => differing.filter(({ label }) => label.startsWith(kind)).length;
      const all = Object.values(fields).reduce((sum, field) => sum + field, 0);
      const parts = (['contract', 'learnt', 'assumed'] as const).map(
        (kind) => `${kind} ${count(kind)}/${fields[kind]}`,
      );
      const shared = Math.round((1000 * (all - differing.length)) / all) / 10;
      console.log(
        `${variant} ${world} ${each} min, ${report.used.requests} requests: ${shared} % of ${all} fields alike; differing: ${parts.join(', ')}`,
      );
      for (const { field, label, why } of differing) console.log(`    ${field}: ${why} [${label}]`);
    }
  }
