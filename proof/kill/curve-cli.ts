// `npm run histories` records the history of a whole plain audit against each mutant. Without a network,
// `npm run histories -- --judge CHECK` then prints which mutants a check notices (all checks without a name), and
// `npm run priorities` writes the list of scenarios, best first. `npm run curve` measures the share of known defects
// that audits find, by the number of requests; `--write` stores it for --plan and docs/minutes.md. `--every N` takes
// every Nth mutant, `--jobs N` sets the number of processes.
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { checks } from '../../conformance/checks/index.ts';
import { rules } from '../../conformance/checks/rules/index.ts';
import { scenarios } from '../../conformance/scenarios/index.ts';
import { isOfAudit } from '../../conformance/scenarios/plan/plan.ts';
import type { MutantRow } from '../../fixtures/test-kit/targets.ts';
import { type AuditOutcome, isRecorded, plainMutants } from './histories.ts';
import { auditAll, judgeAllRecorded, recordAll } from './kill-workers.ts';
import { orderOf } from './order.ts';

const text = { type: 'string' } as const;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { every: text, jobs: text, write: { type: 'boolean' }, judge: { type: 'boolean' } },
});
const [command = 'curve', ...only] = positionals;
const every = Math.max(1, Number(values.every) || 1);
const jobs = Math.max(1, Number(values.jobs) || availableParallelism());
/** The defects are sorted by clause, so every Nth one is of all clauses alike. */
const rows = plainMutants().filter((_, index) => index % every === 0);

/** Enough histories for a mean. */
const sampledEvery = 10;

if (command === 'priorities') await writeList();
else if (command === 'histories') await (values.judge ? printRecorded() : recordAll(rows, jobs));
else await printCurve();

function recordedRows(): MutantRow[] {
  const all = rows.filter(isRecorded);
  if (all.length === 0) throw new Error('There are no recorded histories: npm run histories records them.');
  return all;
}

async function printRecorded(): Promise<void> {
  const startedMs = performance.now();
  const own = recordedRows();
  const unknown = only.find((id) => ![...checks, ...rules].some((one) => one.id === id));
  if (unknown !== undefined) throw new Error(`There is no check or rule ${unknown}: conformance --list shows them.`);
  const noticed = await judgeAllRecorded(own, only, jobs);
  for (const [index, one] of noticed.entries()) {
    const row = own[index];
    if (row && (one?.checks.length ?? 0) > 0)
      console.log(`${row.of}/${row.name} (${row.breaks}) ${one?.checks.join(' ')}`);
  }
  const found = noticed.filter((one) => (one?.checks.length ?? 0) > 0).length;
  console.log(`${found} of ${own.length} noticed, ${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
}

async function writeList(): Promise<void> {
  const own = recordedRows();
  const noticed = await judgeAllRecorded(own, [], jobs);
  const defects = own.map((row, index) => ({ row, by: new Set(noticed[index]?.by) }));
  const sample = noticed.flatMap((one) => one ?? []).filter((_, index) => index % sampledEvery === 0);
  /** On average, the requests that none of these scenarios sends. */
  const requestsOf = (id: string, before: readonly string[]) => {
    const own = sample.map(({ asked }) => {
      const known = new Set(before.flatMap((other) => asked[other] ?? []));
      return (asked[id] ?? []).filter((exchange) => !known.has(exchange)).length;
    });
    return own.reduce((sum, each) => sum + each, 0) / Math.max(1, own.length);
  };
  const plain = scenarios.filter(isOfAudit).map(({ id }) => id);
  const after = new Map(scenarios.map((one) => [one.id, one.after]));
  const order = orderOf(plain, { defects, requestsOf, after });
  const others = scenarios.filter((one) => !isOfAudit(one)).map(({ id }) => id);
  writeData('list', [...order, ...others]);
  let [requests, found] = [0, new Set<number>()];
  for (const [index, id] of order.entries()) {
    requests += requestsOf(id, order.slice(0, index));
    found = new Set([...found, ...defects.flatMap(({ by }, place) => (by.has(id) ? [place] : []))]);
    console.log(`${id.padEnd(40)} ${requests.toFixed(0).padStart(5)} requests ${percent(found.size / own.length)}`);
  }
}

function writeData(name: 'list' | 'curve', data: object): void {
  const path = new URL(`../../conformance/scenarios/plan/generated/${name}.json`, import.meta.url);
  writeFileSync(path, `${JSON.stringify(data, null, 1)}\n`);
}

async function printCurve(): Promise<void> {
  console.log(`${rows.length} defects that need no permission`);
  const measured: { requests: number; found: number }[] = [];
  for (const requests of [20, 40, 60, 90, 120, 240]) {
    const share = shareOf(await auditAll(rows, { requests }, jobs));
    console.log(`${String(requests).padStart(4)} requests ${percent(share).padStart(8)}`);
    measured.push({ requests, found: Number(share.toFixed(3)) });
  }
  if (values.write) writeData('curve', { defects: rows.length, rows: measured });
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function shareOf(outcomes: readonly (AuditOutcome | null)[]): number {
  return outcomes.filter((outcome) => outcome?.isFound).length / outcomes.length;
}
