// `npm run identify`: the matrix as text. Names of variants or behaviors narrow it.
import { variantNames } from '../independent/index.ts';
import { storeResult } from '../results.ts';
import { columns, identifyColumn, identifyVariant, plainReport, type ValueRow, type VariantRow } from './identify.ts';

const names = process.argv.slice(2);
const isWanted = (name: string) => names.length === 0 || names.includes(name);

const values: ValueRow[] = [];
for (const column of columns()) {
  if (names.length > 0 && !Object.keys(column).some(isWanted)) continue;
  values.push(...(await identifyColumn(column)).filter(({ id }) => isWanted(id)));
}
// A value may be played in several runs: it is identified when one of them shows it, and missed when none does.
const best = new Map<string, ValueRow>();
for (const row of values) {
  const name = `${row.id} ${JSON.stringify(row.value)}`;
  if (best.get(name)?.result !== 'identified') best.set(name, row);
}
const rows = [...best.values()].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
for (const { id, value, result, why } of rows)
  console.log(`${result.padEnd(10)}  ${id.padEnd(20)} ${JSON.stringify(value).slice(0, 60)}  ${why.slice(0, 200)}`);
const count = (result: ValueRow['result']) => rows.filter((row) => row.result === result).length;
const others = `${count('missed')} missed, ${count('not told')} is inconclusive`;
console.log(`${count('identified')} values identified, ${others}\n`);

const variants: VariantRow[] = [];
const wanted = variantNames.filter(isWanted);
const plain = wanted.length === 0 ? null : await plainReport();
for (const name of wanted) {
  if (plain === null) break;
  const row = await identifyVariant(name, plain);
  variants.push(row);
  const { requests, seconds, requestsAgain, before, after, differs, notLearnt, failures } = row;
  const shares = ({ behaviors, clauses }: VariantRow['before']) =>
    `${behaviors.same}/${behaviors.compared} behaviors, ${clauses.same}/${clauses.compared} clauses`;
  console.log(`${name.padEnd(11)} the same before: ${shares(before)}; after: ${shares(after)};`);
  console.log(`            ${requests} requests, ${seconds} s, ${requestsAgain} again; ${failures.length} failures`);
  for (const line of [...differs, ...failures]) console.log(`            ${line.slice(0, 400)}`);
  for (const line of notLearnt) console.log(`            not learnt: ${line.slice(0, 200)}`);
}
storeResult('identify', { values: rows, variants }, names.length === 0);
const isWhole =
  count('missed') === 0 && variants.every(({ differs, failures }) => differs.length + failures.length === 0);
process.exitCode = isWhole ? 0 : 1;
