// `npm run curve`: the share of known defects that audits without permissions find, by the number of requests and the
// order of the checks. `npm run priorities` writes the order: the checks that find the most defects per request, each
// defect once, come first. `-- --every N` takes each Nth defect, `--jobs N` sets the number of processes.
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { checks } from '../../conformance/checks/index.ts';
import { isBasic, isOfAudit } from '../../conformance/plan/plan.ts';
import { type PriorityStep, usualOrder } from '../../conformance/plan/priority.ts';
import type { MutantRow } from '../test-kit/targets.ts';
import { auditAll } from './kill-workers.ts';
import { type AuditOutcome, type AuditWish, plainMutants } from './plain-audit.ts';

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;
const { values } = parseArgs({ options: { every: text, jobs: text, write: flag } });
const every = Math.max(1, Number(values.every) || 1);
const jobs = Math.max(1, Number(values.jobs) || availableParallelism());
const rows = plainMutants().filter((_, index) => index % every === 0);
const audit = (wish: AuditWish) => auditAll(rows, wish, jobs);

/** Steps that a limited run can take or leave. */
const further = checks.filter((check) => isOfAudit(check) && (!isBasic(check) || check.cost.withTime !== undefined));

/** A few seeds, since each run draws its own inputs. */
const seeds = [1, 1441, 2882];

if (values.write) await writeOrder();
else await printCurve();

async function writeOrder(): Promise<void> {
  const basic = await Promise.all(seeds.map((seed) => audit({ requests: 60, seed })));
  const whole = await audit({ pace: 'off', seed: 1 });
  const open = rows.flatMap((row, index) => {
    const isFound = basic.every((outcomes) => outcomes[index]?.isFound);
    return isFound ? [] : [{ row, by: new Set(whole[index]?.by) }];
  });
  const { order, found } = orderOf(open, requestsBy(basic.flat(), whole));
  const path = new URL('../../conformance/plan/generated/priorities.json', import.meta.url);
  const shares = basic.map((outcomes) => outcomes.filter((outcome) => outcome?.isFound).length / rows.length);
  const basicShare = Number((shares.reduce((sum, share) => sum + share, 0) / shares.length).toFixed(4));
  writeFileSync(path, `${JSON.stringify({ basicShare, steps: order }, null, 1)}\n`);
  for (const of of ['mock', 'independent'] as const) {
    const own = orderOf(
      open.filter(({ row }) => row.of === of),
      requestsBy(basic.flat(), whole),
    );
    console.log(
      `Order from the ${of}: ${own.order
        .slice(0, 12)
        .map(({ check }) => check)
        .join(', ')}`,
    );
  }
  console.log(
    `${rows.length} defects; ${open.length} not found by each audit of 60 requests, ${found} of them by a step.`,
  );
}

/** An average of the requests that a check sends beyond a sample of its inputs. */
function requestsBy(basic: readonly (AuditOutcome | null)[], whole: readonly (AuditOutcome | null)[]) {
  const mean = (id: string, outcomes: readonly (AuditOutcome | null)[]) => {
    const sent = outcomes.flatMap((outcome) => outcome?.sent[id] ?? []);
    return sent.reduce((sum, each) => sum + each, 0) / Math.max(1, sent.length);
  };
  return (id: string) => Math.max(1, Math.round(mean(id, whole) - mean(id, basic)));
}

interface Open {
  readonly row: MutantRow;
  readonly by: Set<string>;
}

/** Greedy; defects of one clause are alike, so each further one counts less. */
function orderOf(open: readonly Open[], requestsOf: (id: string) => number): { order: PriorityStep[]; found: number } {
  const order: PriorityStep[] = [];
  let left = [...open];
  const found = new Map<string, number>();
  for (let steps = [...further]; steps.length > 0; ) {
    const valued = steps.map((check) => {
      const own = left.filter(({ by }) => by.has(check.id));
      const value = own.reduce((sum, { row }) => sum + weightOf(row) / (1 + (found.get(row.breaks) ?? 0)), 0);
      return { check, own, perRequest: (value + 0.01) / requestsOf(check.id) };
    });
    const best = valued.reduce((one, other) => (other.perRequest > one.perRequest ? other : one));
    const share = Number((best.own.length / rows.length).toFixed(4));
    order.push({ check: best.check.id, requests: requestsOf(best.check.id), share });
    for (const { row } of best.own) found.set(row.breaks, (found.get(row.breaks) ?? 0) + 1);
    left = left.filter((each) => !best.own.includes(each));
    steps = steps.filter((check) => check !== best.check);
  }
  return { order, found: open.length - left.length };
}

/** Access to data first, then lost or repeated data, then everything else. */
function weightOf({ breaks }: MutantRow): number {
  if (/^(5\.|4\.bearer)/.test(breaks)) return 3;
  return /cursor|exactly|lost|isolat|idempot/.test(breaks) ? 2 : 1;
}

async function printCurve(): Promise<void> {
  const shuffled = [...usualOrder].sort((a, b) => hash(a.check) - hash(b.check));
  const arrival = checks.flatMap(({ id }) => usualOrder.filter(({ check }) => check === id));
  const orders = { 'by value': usualOrder, random: shuffled, 'of arrival': arrival };
  console.log(`${rows.length} defects that need no permission`);
  console.log(['requests', ...Object.keys(orders)].map((name) => name.padStart(12)).join(''));
  for (const requests of [20, 40, 60, 90, 120, 180, 300, 480]) {
    const shares: string[] = [];
    for (const order of Object.values(orders)) {
      const isAlike = requests <= 60 && order !== usualOrder;
      shares.push(isAlike ? (shares[0] as string) : shareOf(await audit({ requests, order, seed: 1 })));
    }
    console.log([String(requests), ...shares].map((cell) => cell.padStart(12)).join(''));
  }
}

function shareOf(outcomes: readonly (AuditOutcome | null)[]): string {
  const found = outcomes.filter((outcome) => outcome?.isFound).length;
  return `${((100 * found) / outcomes.length).toFixed(1)} %`;
}

function hash(text: string): number {
  return [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 10_007, 7);
}
