// `conformance har FILE`: from the file to the report.

import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { count } from '../../src/terminal/count.ts';
import { whyUnreadable } from '../../src/terminal/file-trouble.ts';
import { UsageError } from '../../src/terminal/usage-error.ts';
import type { Rule } from '../judge/rule.ts';
import { systemClock } from '../pace/clock.ts';
import { settle } from '../probe/needs.ts';
import type { Report } from '../report/report.ts';
import { newRunId } from '../run/audit.ts';
import { readHar } from '../run/har.ts';
import { judgeRecording } from '../run/recorded.ts';
import { isLoopback } from '../wire/proxy.ts';
import type { ParsedFlags } from './flags.ts';
import { readOptions } from './options.ts';
import { readUrl } from './read-forms.ts';

const FILE_BYTES_MAX = 200_000_000;

/** Throws a UsageError of one sentence for a file that cannot be judged. */
export function recordedReport(file: string, flags: ParsedFlags, rules: readonly Rule[]): Report {
  const wanted = flags['base-url'];
  const recording = readHar(readLimited(file), file, wanted === undefined ? null : readUrl('base-url', wanted));
  const settings = settle(readOptions(flags));
  return judgeRecording(recording, {
    file: basename(file),
    runId: newRunId(),
    nowMs: systemClock().now(),
    rules,
    only: settings.only,
    skip: settings.skip,
    keepBodies: settings.keepBodies || isLoopback(new URL(recording.baseUrl).hostname),
  });
}

/** Refused by size before it is read into memory. */
function readLimited(file: string): string {
  try {
    const { size } = statSync(file);
    if (size > FILE_BYTES_MAX)
      throw new UsageError(`${file} is ${count(size, 'byte')} large; the kit takes ${FILE_BYTES_MAX} at most.`);
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${file} ${whyUnreadable(error)}.`);
  }
}
