// The identifiability matrix, similar to the kill matrix. For each value v of each behavior: calibrate(mock(v)) = v.
// For each variant of the second implementation: calibrate, start the mock with the profile, and compare the two with
// `conformance diff`: nothing comparable differs, and the calibrated mock passes.

import { profileFrom } from '../../conformance/behaviors/observe.ts';
import { runConformance } from '../../conformance/driver/audit.ts';
import { compareOnce } from '../../conformance/driver/diff/compare.ts';
import { diff } from '../../conformance/driver/diff/diff.ts';
import type { RunOptions } from '../../conformance/driver/options.ts';
import { canonical } from '../../conformance/exchange/canonical.ts';
import { type Dimension, isDifferent } from '../../conformance/report/difference.ts';
import type { Report } from '../../conformance/report/report.ts';
import { startIndependentTarget, startMockTarget, type Target } from '../../fixtures/test-kit/targets.ts';
import { type BehaviorId, type Behaviors, behaviors } from '../../src/contract/generated/behaviors.ts';
import type { Profile } from '../../src/contract/profile.ts';
import { separate, valuesOf, whyNotDetected } from './values.ts';

export interface ValueRow {
  readonly id: BehaviorId;
  readonly value: unknown;
  readonly result: 'identified' | 'missed' | 'not told';
  /** The learnt value, or why it is inconclusive. */
  readonly why: string;
}

/** Dimensions of one layer: how many could be compared, and how many of these are the same. */
export interface Share {
  readonly compared: number;
  readonly same: number;
}

/** One deployment, a mock without its profile, and its calibrated mock. */
export interface VariantRow {
  readonly variant: string;
  /** Requests of calibrate, and additional ones of diff. */
  readonly requests: number;
  readonly seconds: number;
  readonly requestsAgain: number;
  readonly before: { readonly behaviors: Share; readonly clauses: Share };
  readonly after: { readonly behaviors: Share; readonly clauses: Share };
  /** What `conformance diff` finds between the deployment and its calibrated mock. */
  readonly differs: readonly string[];
  /** Warnings of the deployment that the calibrated mock lacks: a mock does not learn them. */
  readonly notLearnt: readonly string[];
  /** Alarms that the kit raises on the calibrated mock. */
  readonly failures: readonly string[];
}

const ids = Object.keys(behaviors) as BehaviorId[];

/** Behaviors are independent of each other but for a few, so one run plays a value of each of them. */
export function columns(): readonly Partial<Behaviors>[] {
  const together = ids.filter((id) => separate[id] === undefined && id !== 'badArticleQuery');
  const most = Math.max(...together.map((id) => valuesOf(id).length));
  const shared = Array.from({ length: most }, (_, turn) =>
    Object.fromEntries(together.map((id) => [id, valuesOf(id)[turn % valuesOf(id).length]])),
  );
  const others = ids.filter((id) => separate[id] !== undefined);
  const alone = others.flatMap((id) => valuesOf(id).map((value) => ({ [id]: value })));
  return [...shared, ...alone] as Partial<Behaviors>[];
}

/** One run; every behavior that it plays is a row. */
export async function identifyColumn(behavior: Partial<Behaviors>): Promise<ValueRow[]> {
  const { profile } = await calibrated(await startMockTarget({ behavior }));
  return (Object.entries(behavior) as [BehaviorId, unknown][]).map(([id, value]) => rowOf(id, value, profile));
}

/** How many fields are null, absent or empty follows the world. */
const withoutShares = (value: unknown) =>
  JSON.stringify(JSON.parse(canonical(value)), (key, each) => (/^(nulls|absent|blanks)$/.test(key) ? undefined : each));

function rowOf(id: BehaviorId, value: unknown, { behaviors: learnt, unknown }: Profile): ValueRow {
  const reason = whyNotDetected(id, value);
  const found = learnt[id];
  if (found !== undefined && withoutShares(found.value) === withoutShares(value))
    return { id, value, result: 'identified', why: '' };
  if (reason !== null) return { id, value, result: 'not told', why: reason };
  const instead = found === undefined ? (unknown[id] ?? 'unknown') : `learnt ${canonical(found.value)}`;
  return { id, value, result: 'missed', why: instead };
}

/** Compares a deployment, a plain mock and the calibrated mock. diff reuses the requests of calibrate. */
export async function identifyVariant(variant: string, plain: Report): Promise<VariantRow> {
  const original = await startIndependentTarget({ variant });
  const { profile, report } = await learn(original);
  const calibration = await startMockTarget({ profile });
  try {
    const { report: calibrated } = await learn(calibration);
    const difference = await diff({
      a: { label: variant, options: plainly(original), first: report },
      b: { label: `the calibrated mock of ${variant}`, options: plainly(calibration), first: calibrated },
    });
    const { requests, seconds } = report.used;
    const differing = difference.dimensions.filter(isDifferent);
    const isWarned = ({ layer, clauses: [clause] }: Dimension) =>
      layer !== 'behavior' && report.coverage.some((row) => row.clause === clause && row.result === 'warn');
    return {
      variant,
      requests,
      seconds: Math.round(seconds),
      requestsAgain: difference.a.requests - requests,
      before: sharesOf(compareOnce(report, plain)),
      after: sharesOf(difference.dimensions),
      differs: differing.filter((each) => !isWarned(each)).map(describe),
      notLearnt: differing.filter(isWarned).map(describe),
      failures: failuresOf(calibrated),
    };
  } finally {
    await Promise.all([original.close(), calibration.close()]);
  }
}

function describe({ id, a, b, why }: Dimension): string {
  return `${id}: ${a} became ${b}${why === null ? '' : ` (${why})`}`;
}

function sharesOf(dimensions: readonly Dimension[]): VariantRow['before'] {
  const share = (isOfLayer: (layer: Dimension['layer']) => boolean): Share => {
    const compared = dimensions.filter(({ layer, outcome }) => isOfLayer(layer) && outcome !== 'not comparable');
    return { compared: compared.length, same: compared.filter(({ outcome }) => outcome === 'same').length };
  };
  return { behaviors: share((layer) => layer === 'behavior'), clauses: share((layer) => layer !== 'behavior') };
}

function failuresOf({ checks }: Report): string[] {
  const failed = checks.filter(({ result }) => /^(fail|warn|error)$/.test(result.kind));
  return failed.map(({ id, findings: [first], result }) => {
    return `${id}: ${first?.expected ?? ''} but ${first?.actual ?? result.message}`;
  });
}

/** The report of a mock without a profile. */
export async function plainReport(): Promise<Report> {
  return (await calibrated(await startMockTarget())).report;
}

export interface Calibrated {
  readonly profile: Profile;
  readonly report: Report;
}

/** Closes the target. */
export async function calibrated(target: Target, more: Partial<RunOptions> = {}): Promise<Calibrated> {
  try {
    return await learn(target, more);
  } finally {
    await target.close();
  }
}

/** The target stays open for later requests. */
export async function learn(target: Target, more: Partial<RunOptions> = {}): Promise<Calibrated> {
  const report = await runConformance({ ...plainly(target), calibrate: true, ...more });
  const head = { kit: report.toolVersion, contract: report.contractVersion, ...report };
  return { profile: profileFrom(report.behaviors, report.checks, head), report };
}

/** Only what `--base-url` and a key give: no writes, no second key, one address. */
export function plainly({ options: { baseUrl, keys, clock } }: Target) {
  return { baseUrl, keys: { good: keys.good }, ...(clock ? { clock } : {}) };
}
