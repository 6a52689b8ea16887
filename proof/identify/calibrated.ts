// A deployment's profile, as `conformance calibrate` would write it: a read-only audit and its further questions.
import { profileFrom } from '../../conformance/observe/observe.ts';
import type { Report } from '../../conformance/report/report.ts';
import { runConformance } from '../../conformance/run/audit.ts';
import type { RunOptions } from '../../conformance/run/options.ts';
import type { Profile } from '../../src/contract/profile.ts';
import type { Target } from '../rigs/targets.ts';

/** A profile with the run that it comes from. */
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

/** The target stays open, to be asked again. */
export async function learn(target: Target, more: Partial<RunOptions> = {}): Promise<Calibrated> {
  const report = await runConformance({ ...plainly(target), calibrate: true, ...more });
  const head = { kit: report.toolVersion, contract: report.contractVersion, ...report };
  return { profile: profileFrom(report.readings, report.checks, head), report };
}

/** Only what `--base-url` and a key give: no writes, no second key, one address. */
export function plainly({ options: { baseUrl, keys, clock } }: Target) {
  return { baseUrl, keys: { good: keys.good }, ...(clock ? { clock } : {}), seed: 1 };
}
