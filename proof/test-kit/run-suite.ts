// One run of the suite against a server that is closed afterwards, and its failures.
import { type Report, runConformance } from '../../conformance/index.ts';
import type { Target } from './targets.ts';

/** Always closes the server. */
export async function runSuite(target: Target): Promise<Report> {
  try {
    return await runConformance(target.options);
  } finally {
    await target.close();
  }
}

/** Checks of the suite that broke. */
export function errorsOf({ checks }: Report): string[] {
  return checks
    .filter(({ result }) => result.kind === 'error')
    .map(({ id, result: { message } }) => `${id}: ${message ?? ''}`);
}

/** Returns every failure of a run; on a server without a fault there should be none. */
export function failuresOf(report: Report): string[] {
  const failed = report.checks.filter(({ result }) => result.kind === 'fail');
  const sentences = failed.map(
    ({ id, findings }) => `${id}: ${findings.map((f) => `${f.expected}, not ${f.actual}`).join('; ')}`,
  );
  return [...sentences, ...errorsOf(report), ...(report.abort === null ? [] : [report.abort.sentence])];
}

export async function failuresOn(target: Target): Promise<string[]> {
  return failuresOf(await runSuite(target));
}
