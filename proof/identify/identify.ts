// The identifiability matrix, sibling of the kill matrix. For each reading and each of its values v:
// calibrate(mock(v)) = v. For each variant of the second implementation: calibrate, start the mock with the profile,
// and calibrate the twin: nothing that is known of both differs, and the kit raises no alarm.
import { canonical, movedReadings } from '../../conformance/observe/observe.ts';
import { type ReadingId, type Readings, readings } from '../../src/contract/generated/readings.ts';
import type { Profile } from '../../src/contract/profile.ts';
import { startIndependentTarget, startMockTarget } from '../rigs/targets.ts';
import { calibrated } from './calibrated.ts';
import { lonely, valuesOf, whyNotTold } from './values.ts';

/** One reading in one value. */
export interface ValueRow {
  readonly id: ReadingId;
  readonly value: unknown;
  readonly verdict: 'identified' | 'missed' | 'not told';
  /** What was learnt instead, or why it cannot be told. */
  readonly why: string;
}

/** One deployment and its twin. */
export interface VariantRow {
  readonly variant: string;
  readonly requests: number;
  readonly seconds: number;
  /** Readings that are known of both the deployment and a mock. */
  readonly comparable: number;
  /** Of these, how many a mock without, and with the profile has alike. */
  readonly agreeBefore: number;
  readonly agreeAfter: number;
  readonly differs: readonly string[];
  /** Alarms that the kit raises on the twin. */
  readonly alarms: readonly string[];
}

const ids = Object.keys(readings) as ReadingId[];

/** Readings are independent of each other but for a few, so one run plays a value of each of them. */
export function columns(): readonly Partial<Readings>[] {
  const together = ids.filter((id) => lonely[id] === undefined && id !== 'badArticleQuery');
  const most = Math.max(...together.map((id) => valuesOf(id).length));
  const shared = Array.from({ length: most }, (_, turn) =>
    Object.fromEntries(together.map((id) => [id, valuesOf(id)[turn % valuesOf(id).length]])),
  );
  const alone = ids
    .filter((id) => lonely[id] !== undefined)
    .flatMap((id) => valuesOf(id).map((value) => ({ [id]: value })));
  return [...shared, ...alone] as Partial<Readings>[];
}

/** One run; every reading that it plays is a row. */
export async function identifyColumn(choices: Partial<Readings>): Promise<ValueRow[]> {
  const { profile } = await calibrated(await startMockTarget({ choices }));
  return (Object.entries(choices) as [ReadingId, unknown][]).map(([id, value]) => rowOf(id, value, profile));
}

function rowOf(id: ReadingId, value: unknown, { readings: learnt, unknown }: Profile): ValueRow {
  const reason = whyNotTold(id, value);
  const found = learnt[id];
  if (found !== undefined && canonical(found.value) === canonical(value))
    return { id, value, verdict: 'identified', why: '' };
  if (reason !== null) return { id, value, verdict: 'not told', why: reason };
  const instead = found === undefined ? (unknown[id] ?? 'unknown') : `learnt ${canonical(found.value)}`;
  return { id, value, verdict: 'missed', why: instead };
}

/** A deployment, a plain mock, and the twin. */
export async function identifyVariant(variant: string, plain: Profile): Promise<VariantRow> {
  const { profile, report } = await calibrated(await startIndependentTarget({ variant }));
  const { profile: twin, report: judged } = await calibrated(await startMockTarget({ profile }));
  const comparable = ids.filter(
    (id) => id !== 'latency' && profile.readings[id] !== undefined && twin.readings[id] !== undefined,
  );
  const differsFrom = (other: Profile) => movedReadings(profile, other).filter(({ id }) => comparable.includes(id));
  const after = differsFrom(twin);
  const alarms = judged.checks
    .filter(({ verdict }) => verdict.kind === 'fail' || verdict.kind === 'warn' || verdict.kind === 'error')
    .map(
      ({ id, findings, verdict }) =>
        `${id}: ${findings[0]?.expected ?? ''} but ${findings[0]?.actual ?? verdict.message}`,
    );
  return {
    variant,
    requests: report.used.requests,
    seconds: Math.round(report.used.seconds),
    comparable: comparable.length,
    agreeBefore: comparable.length - differsFrom(plain).length,
    agreeAfter: comparable.length - after.length,
    differs: after.map(({ id, was, is }) => `${id}: ${canonical(was)} became ${canonical(is)}`),
    alarms,
  };
}

/** The mock as it is without a profile. */
export async function plainProfile(): Promise<Profile> {
  return (await calibrated(await startMockTarget())).profile;
}
