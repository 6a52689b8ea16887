// `npm run labels`: how often the labels of `x-casa-basis` are wrong, for each variant of the second implementation and
// for deployments that cross them. Words are variants or seeds of crossed ones; `--minutes N` calibrates longer.
import { startIndependentTarget } from '../../fixtures/test-kit/targets.ts';
import { variantNames } from '../independent/index.ts';
import { table } from '../results.ts';
import { calibrated } from './identify.ts';
import { crossed, labelsOf } from './labels.ts';

const words = process.argv.slice(2);
const minutes = words[0] === '--minutes' ? Number(words.splice(0, 2)[1]) : 1;
const usual = [...variantNames, ...variantNames.map((_, index) => String(index + 1))];
const kinds = ['learnt', 'contract', 'assumed'] as const;
const none = (): [own: number, of: number] => [0, 0];
const sum = { learnt: none(), contract: none(), assumed: none() };

const head = ['Variant', 'Equal fields', 'Different *learnt* fields', 'Different *contract* fields'];
const rows: string[][] = [];
const notes: string[] = [];
for (const name of words.length === 0 ? usual : words) {
  const variant = variantNames.find((each) => each === name) ?? crossed(Number(name));
  const { profile } = await calibrated(await startIndependentTarget({ variant }), { minutes });
  const { fields, differing } = await labelsOf(variant, profile);
  const all = Object.values(fields).reduce((total, field) => total + field, 0);
  const cells = kinds.map((kind) => {
    const own = differing.filter(({ label }) => label.startsWith(kind)).length;
    const of = kind === 'assumed' ? differing.length : fields[kind];
    sum[kind] = [sum[kind][0] + own, sum[kind][1] + of];
    return `${own} of ${of}`;
  });
  const shared = Math.round((1000 * (all - differing.length)) / all) / 10;
  rows.push([typeof variant === 'string' ? name : `crossed ${name}`, `${shared} % of ${all}`, ...cells]);
  if (words.length > 0) notes.push(...differing.map(({ field, label, why }) => `    ${field}: ${why} [${label}]`));
}
rows.push(['all', '', ...kinds.map((kind) => sum[kind].join(' of '))]);
console.log([table([...head, 'Different fields labeled *assumed*'], rows), ...notes].join('\n'));
