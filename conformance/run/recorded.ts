// Judges exchanges that somebody else has made, by the same rules that judge a run. Nothing is sent.

import { readVersion } from '../../src/terminal/version.ts';
import type { Rule } from '../judge/rule.ts';
import { keyPrefixOf } from '../observe/look.ts';
import { observe } from '../observe/observe.ts';
import { noPlan } from '../plan/plan.ts';
import { select } from '../plan/selection.ts';
import { coverClauses } from '../report/coverage.ts';
import { makeFinder, redactReport, type Secret } from '../report/redact.ts';
import { contractVersion, type Report, summarize, toolName } from '../report/report.ts';
import { store } from '../report/stored.ts';
import type { Recording } from './har.ts';
import { judgeBy } from './judging.ts';

/** Of `conformance har`; whatever belongs to sending is absent. */
export interface RecordedOptions {
  readonly file: string;
  readonly runId: string;
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  readonly rules: readonly Rule[];
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly keepBodies: boolean;
}

/** The report has the form of a run, so that every reporter can show it. */
export function judgeRecording(recording: Recording, options: RecordedOptions): Report {
  const { rules, only, skip, keepBodies, file, runId, nowMs } = options;
  const secrets = secretsOf(recording.keys);
  const selection = select(
    rules.map(({ id }) => id),
    only,
    skip,
  );
  const judges = judgeBy(
    rules.filter(({ id }) => selection.isSelected(id)),
    { findSecrets: makeFinder(secrets) },
  );
  for (const exchange of recording.exchanges) judges.judge(exchange);
  const results = judges.finish();
  const report: Report = {
    tool: toolName,
    toolVersion: readVersion(),
    contractVersion,
    target: recording.baseUrl,
    runId,
    startedAt: new Date(nowMs).toISOString(),
    isMockTime: false,
    plan: noPlan(results.length),
    used: { requests: 0, seconds: 0 },
    recorded: { file, judged: recording.exchanges.length, others: recording.others, run: recording.run },
    summary: summarize(results),
    checks: results,
    coverage: coverClauses(results),
    readings: observe({
      exchanges: recording.exchanges,
      results,
      keyPrefix: keyPrefixOf(recording.keys[0] ?? ''),
    }),
    exchanges: recording.exchanges.map((exchange) => store(exchange, keepBodies)),
    isEmpty: false,
    abort: null,
    keepsBodies: keepBodies,
  };
  return redactReport(report, secrets);
}

/** The keys of the recording itself: the user may not even know which they are. */
function secretsOf(keys: readonly string[]): Secret[] {
  return keys.map((value, index) => ({
    value,
    placeholder: index === 0 ? '$CONFORMANCE_API_KEY' : `<key ${index + 1}>`,
  }));
}
