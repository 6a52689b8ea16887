// `npm run curve`: the share of known defects that audits without permissions find, by the number of requests.
// `--write curve` stores it for --plan and docs/minutes.md.
// `npm run priorities` writes the order after the first minute: the checks that find the most defects per request come
// first, each defect once. `-- --every N` takes every Nth defect, `--jobs N` sets the number of processes, `--seed N`
// the seed, and `--requests N` measures one number of requests.
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { checks } from '../../conformance/checks/index.ts';
import { isBasic, isOfAudit } from '../../conformance/plan/plan.ts';
import type { MutantRow } from '../../fixtures/test-kit/targets.ts';
import { auditAll } from './kill-workers.ts';
import { isOfAccess, orderOf } from './order.ts';
import { type AuditOutcome, type AuditWish, plainMutants } from './plain-audit.ts';

const text = { type: 'string' } as const;
const { values } = parseArgs({ options: { every: text, jobs: text, requests: text, seed: text, write: text } });
const every = Math.max(1, Number(values.every) || 1);
const jobs = Math.max(1, Number(values.jobs) || availableParallelism());
const seed = Number(values.seed) || 1;
/** The defects are sorted by clause, so every Nth one is of all clauses alike. */
const rows = plainMutants().filter((_, index) => index % every === 0);
const audit = (wish: AuditWish) => auditAll(rows, wish, jobs);

/** Steps that a limited run can take or leave. */
const further = checks.filter((check) => isOfAudit(check) && (!isBasic(check) || check.cost.withTime !== undefined));

/** Where deployments need more than the worlds of this repository: they have more accounts, of more providers. */
const usualRequests: Readonly<Record<string, number>> = {
  'insights/other-accounts': 6,
  'accounts/each': 40,
  'auth/altered-keys': 19,
  'auth/everywhere': 6,
};

/** A few seeds, since each run draws its own inputs. */
const seeds = [1, 1441, 2882];

if (values.write === 'order') await writeOrder();
else if (values.requests) await printOne(Number(values.requests));
else await printCurve();

async function writeOrder(): Promise<void> {
  const none = { basic: [], steps: further.map(({ id }) => ({ check: id, requests: 1000 })) };
  const basic = await Promise.all(seeds.map((seed) => audit({ requests: 90, seed, order: none })));
  const whole = await audit({ pace: 'off', seed: 1 });
  const missed = rows.flatMap((row, index) => {
    const isFound = basic.every((outcomes) => outcomes[index]?.isFound);
    return isFound ? [] : [{ row, by: new Set(whole[index]?.by) }];
  });
  const beyond = (id: string) =>
    usualRequests[id] ?? Math.max(1, Math.round(meanOf(id, whole) - meanOf(id, basic.flat())));
  const steps = orderOf(further, { defects: missed, requestsOf: beyond });
  writeData('priorities', { steps });
  const found = missed.filter(({ by }) => by.size > 0).length;
  console.log(`${rows.length} defects; of ${missed.length} that basic checks miss at times, the others find ${found}.`);
}

function writeData(name: 'priorities' | 'curve', data: object): void {
  const path = new URL(`../../conformance/plan/generated/${name}.json`, import.meta.url);
  writeFileSync(path, `${JSON.stringify(data, null, 1)}\n`);
}

/** The requests that a check sends on average. */
function meanOf(id: string, outcomes: readonly (AuditOutcome | null)[]): number {
  const sent = outcomes.flatMap((outcome) => outcome?.sent[id] ?? []);
  return sent.reduce((sum, each) => sum + each, 0) / Math.max(1, sent.length);
}

/** The share of all defects, and of those of access; then the defects that stay. */
async function printOne(requests: number): Promise<void> {
  const outcomes = await audit({ requests, seed });
  const missed = rows.filter((_, index) => !outcomes[index]?.isFound);
  const ofAccess = outcomes.filter((_, index) => isOfAccess(rows[index] as MutantRow));
  const access = `${percent(shareOf(ofAccess))} of ${ofAccess.length} of access`;
  console.log(`${percent(shareOf(outcomes))} of ${rows.length} defects, ${access}`);
  for (const { of, name, breaks } of missed) console.log(`${of}/${name} (${breaks})`);
}

async function printCurve(): Promise<void> {
  console.log(`${rows.length} defects that need no permission`);
  const measured: { requests: number; found: number }[] = [];
  for (const requests of [20, 40, 60, 90, 120, 240]) {
    const share = shareOf(await audit({ requests, seed }));
    console.log(`${String(requests).padStart(4)} requests ${percent(share).padStart(8)}`);
    measured.push({ requests, found: Number(share.toFixed(3)) });
  }
  if (values.write === 'curve') writeData('curve', { defects: rows.length, rows: measured });
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function shareOf(outcomes: readonly (AuditOutcome | null)[]): number {
  return outcomes.filter((outcome) => outcome?.isFound).length / outcomes.length;
}
