// `npm run labels`: how often the labels of `x-casa-basis` are wrong, for each variant of the second implementation and
// for deployments that cross them. Words are variants or seeds of crossed ones; `--minutes N` calibrates longer.
import { startIndependentTarget } from '../../fixtures/test-kit/targets.ts';
import { variantNames } from '../independent/index.ts';
import { calibrated } from './identify.ts';
import { crossed, labelsOf } from './labels.ts';

const words = process.argv.slice(2);
const minutes = words[0] === '--minutes' ? Number(words.splice(0, 2)[1]) : 1;
const usual = [...variantNames, ...variantNames.map((_, index) => String(index + 1))];
const sum = { contract: [0, 0], learnt: [0, 0], assumed: [0, 0] };

console.log(
  '| Variant | Equal fields | Different *learnt* fields | Different *contract* fields | Different fields labeled *assumed* |',
);
console.log('|---|---|---|---|---|');
for (const name of words.length === 0 ? usual : words) {
  const variant = variantNames.find((each) => each === name) ?? crossed(Number(name));
  const { profile } = await calibrated(await startIndependentTarget({ variant }), { minutes });
  const { fields, differing } = await labelsOf(variant, profile);
  const all = Object.values(fields).reduce((total, field) => total + field, 0);
  const cells = (['learnt', 'contract', 'assumed'] as const).map((kind) => {
    const own = differing.filter(({ label }) => label.startsWith(kind)).length;
    sum[kind] = [
      (sum[kind][0] ?? 0) + own,
      (sum[kind][1] ?? 0) + (kind === 'assumed' ? differing.length : fields[kind]),
    ];
    return `${own} of ${kind === 'assumed' ? differing.length : fields[kind]}`;
  });
  const shared = Math.round((1000 * (all - differing.length)) / all) / 10;
  console.log(
    `| ${typeof variant === 'string' ? name : `crossed ${name}`} | ${shared} % of ${all} | ${cells.join(' | ')} |`,
  );
  for (const { field, label, why } of words.length === 0 ? [] : differing)
    console.log(`    ${field}: ${why} [${label}]`);
}
console.log(`| all | | ${[sum.learnt, sum.contract, sum.assumed].map(([own, of]) => `${own} of ${of}`).join(' | ')} |`);
