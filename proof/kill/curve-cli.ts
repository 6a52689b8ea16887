// `npm run curve`: the share of known defects that audits without permissions find, by the number of requests and the
// order of the checks. `npm run priorities` writes the order: the checks that find the most defects per request, each
// defect once, come first. `-- --every N` takes one of N defects, `--jobs N` sets the number of processes.
// `--requests N` measures one number of requests in the order of the kit, and `--nights N` the default with history.
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { checks } from '../../conformance/checks/index.ts';
import type { Check } from '../../conformance/index.ts';
import { isBasic, isOfAudit } from '../../conformance/plan/plan.ts';
import { fill, type PriorityStep, requestsPerMinute, usualOrder } from '../../conformance/plan/priority.ts';
import type { MutantRow } from '../../fixtures/test-kit/targets.ts';
import { auditAll } from './kill-workers.ts';
import { type AuditOutcome, type AuditWish, plainMutants } from './plain-audit.ts';

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;
const { values } = parseArgs({ options: { every: text, jobs: text, requests: text, nights: text, write: flag } });
const every = Math.max(1, Number(values.every) || 1);
const jobs = Math.max(1, Number(values.jobs) || availableParallelism());
const rows = plainMutants().filter(({ of, name }) => hash(`${of}/${name}`) % every === 0);
const audit = (wish: AuditWish) => auditAll(rows, wish, jobs);

/** Steps that a limited run can take or leave. */
const further = checks.filter((check) => isOfAudit(check) && (!isBasic(check) || check.cost.withTime !== undefined));

/** A few seeds, since each run draws its own inputs. */
const seeds = [1, 1441, 2882];

/** A check was written for a class of defects, so it is worth one that is not known. Those that only warn are not. */
const unknownDefects = 1;

/** A check that sends nothing itself still needs what others send. */
const requestsMin = 0.2;

if (values.write) await writeOrder();
else if (values.requests ?? values.nights) await printOne();
else await printCurve();

async function writeOrder(): Promise<void> {
  const none = { basic: [], steps: further.map(({ id }) => ({ check: id, requests: 1000, share: 0 })) };
  const basic = await Promise.all(seeds.map((seed) => audit({ requests: 90, seed, order: none })));
  const whole = await audit({ pace: 'off', seed: 1 });
  const inBasic = rows.map((row, index) => ({
    row,
    by: new Set(basic.flatMap((outcomes) => outcomes[index]?.by ?? [])),
  }));
  const order = withPrerequisites(orderOf(checks.filter(isBasic), inBasic, (id) => meanOf(id, basic.flat())));
  const missed = rows.flatMap((row, index) => {
    const isFound = basic.every((outcomes) => outcomes[index]?.isFound);
    return isFound ? [] : [{ row, by: new Set(whole[index]?.by) }];
  });
  const beyond = (id: string) => Math.max(1, Math.round(meanOf(id, whole) - meanOf(id, basic.flat())));
  const steps = orderOf(further, missed, beyond);
  const shares = basic.map((outcomes) => outcomes.filter((outcome) => outcome?.isFound).length / rows.length);
  const basicShare = Number((shares.reduce((sum, share) => sum + share, 0) / shares.length).toFixed(4));
  const path = new URL('../../conformance/plan/generated/priorities.json', import.meta.url);
  const text = JSON.stringify({ basicShare, basic: order.map(({ check }) => check), steps }, null, 1);
  writeFileSync(path, `${text}\n`);
  const found = steps.reduce((sum, { share }) => sum + share, 0);
  console.log(`${rows.length} defects; basic checks find ${percent(basicShare)}, the others ${percent(found)} more.`);
  for (const of of ['mock', 'independent'] as const) console.log(`Order from the ${of}: ${gapOf(of, missed, beyond)}`);
}

/** How much of what its own order finds in 60 requests a server loses with the order from the other server. */
function gapOf(of: MutantRow['of'], missed: readonly Missed[], requestsOf: (id: string) => number): string {
  const [other, own] = [missed.filter(({ row }) => row.of !== of), missed.filter(({ row }) => row.of === of)];
  const foundBy = (steps: readonly PriorityStep[]) => {
    const taken = fill(steps, requestsPerMinute);
    return own.filter(({ by }) => taken.some(({ check }) => by.has(check))).length;
  };
  const [mine, foreign] = [foundBy(orderOf(further, own, requestsOf)), foundBy(orderOf(further, other, requestsOf))];
  return `60 more requests find ${mine} of ${own.length}, in the order from the other server ${foreign}`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

/** The requests that a check sends on average. */
function meanOf(id: string, outcomes: readonly (AuditOutcome | null)[]): number {
  const sent = outcomes.flatMap((outcome) => outcome?.sent[id] ?? []);
  return sent.reduce((sum, each) => sum + each, 0) / Math.max(1, sent.length);
}

interface Missed {
  readonly row: MutantRow;
  readonly by: Set<string>;
}

/** Keys first. A check is worth nothing before those that it follows, and costs more before those that give it data. */
function withPrerequisites(order: readonly PriorityStep[]): PriorityStep[] {
  const placed = new Set<PriorityStep>();
  const checkOf = (step: PriorityStep) => checks.find(({ id }) => id === step.check);
  const place = (step: PriorityStep) => {
    const { after = [], cost } = checkOf(step) ?? {};
    const isBefore = (other: PriorityStep) =>
      after.includes(other.check) || checkOf(other)?.cost.gives?.some((given) => cost?.uses?.includes(given));
    for (const other of order) if (other !== step && isBefore(other) && !placed.has(other)) place(other);
    placed.add(step);
  };
  const isOfKeys = ({ check }: PriorityStep) => check.startsWith('auth/');
  for (const step of [...order.filter(isOfKeys), ...order]) if (!placed.has(step)) place(step);
  return [...placed];
}

/**
 * Greedy; defects of one clause are alike, so each further one counts less. Those of access do not: each endpoint can
 * be open by itself.
 */
function orderOf(
  some: readonly Check[],
  defects: readonly Missed[],
  requestsOf: (id: string) => number,
): PriorityStep[] {
  const order: PriorityStep[] = [];
  let left = [...defects];
  const found = new Map<string, number>();
  for (let steps = [...some]; steps.length > 0; ) {
    const valued = steps.map((check) => {
      const own = left.filter(({ by }) => by.has(check.id));
      const value = own.reduce((sum, { row }) => {
        return sum + weightOf(row) / (isOfAccess(row) ? 1 : 1 + (found.get(row.breaks) ?? 0));
      }, 0);
      const prior = check.level === 'should' ? 0.01 : unknownDefects;
      return { check, own, perRequest: (value + prior) / Math.max(requestsMin, requestsOf(check.id)) };
    });
    const best = valued.reduce((one, other) => (other.perRequest > one.perRequest ? other : one));
    const share = Number((best.own.length / rows.length).toFixed(4));
    order.push({ check: best.check.id, requests: Math.round(requestsOf(best.check.id)), share });
    for (const { row } of best.own) found.set(row.breaks, (found.get(row.breaks) ?? 0) + 1);
    left = left.filter((each) => !best.own.includes(each));
    steps = steps.filter((check) => check !== best.check);
  }
  return order;
}

function isOfAccess({ breaks }: MutantRow): boolean {
  return /^(5\.|4\.bearer)/.test(breaks);
}

/** Access to data first, then lost or repeated data, then everything else. */
function weightOf(row: MutantRow): number {
  if (isOfAccess(row)) return 3;
  return /cursor|exactly|lost|isolat|idempot/.test(row.breaks) ? 2 : 1;
}

/** The share of all defects, and of those of access; then the defects that stay. */
async function printOne(): Promise<void> {
  const requests = values.requests === undefined ? {} : { requests: Number(values.requests) };
  const outcomes = await audit({ ...requests, nights: Math.max(1, Number(values.nights) || 1) });
  const missed = rows.filter((_, index) => !outcomes[index]?.isFound);
  const ofAccess = outcomes.filter((_, index) => isOfAccess(rows[index] as MutantRow));
  console.log(`${shareOf(outcomes)} of ${rows.length} defects, ${shareOf(ofAccess)} of ${ofAccess.length} of access`);
  for (const { of, name, breaks } of missed) console.log(`${of}/${name} (${breaks})`);
}

async function printCurve(): Promise<void> {
  const shuffled = [...usualOrder.steps].sort((a, b) => hash(a.check) - hash(b.check));
  const arrival = checks.flatMap(({ id }) => usualOrder.steps.filter(({ check }) => check === id));
  const orders = {
    'by value': usualOrder,
    random: { basic: [], steps: shuffled },
    'of arrival': { basic: [], steps: arrival },
  };
  console.log(`${rows.length} defects that need no permission`);
  console.log(['requests', ...Object.keys(orders)].map((name) => name.padStart(12)).join(''));
  for (const requests of [20, 40, 60, 90, 120, 180, 300, 480]) {
    const shares: string[] = [];
    for (const order of Object.values(orders)) {
      shares.push(shareOf(await audit({ requests, order, seed: 1 })));
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
