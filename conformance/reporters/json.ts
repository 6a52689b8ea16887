// The report as JSON; its shape is published as spec/report.schema.json.
import { clauses } from '../../src/contract/generated/clauses.ts';
import { sealed } from '../exchange/canonical.ts';
import type { Finding } from '../judge/result.ts';
import type { Outcome, Reporter } from '../report/outcome.ts';
import type { Report } from '../report/report.ts';
import { commandsOf } from './commands.ts';
import { type QuotedCause, quoteCauses } from './quoted.ts';

export const json: Reporter = {
  kind: 'json',
  start: /^\{\s*"tool": "casa-kit conformance/,
  render: (report, outcome) => `${JSON.stringify(sealed(toJson(report, outcome)), null, 2)}\n`,
};

/** Lists each field, so a new one does not change the published schema by accident. */
export function toJson(report: Report, outcome: Outcome) {
  const { tool, toolVersion, contractVersion, target, runId, startedAt, isMockTime, plan, used, summary } = report;
  return {
    tool,
    toolVersion,
    contractVersion,
    requirements: report.requirements,
    target,
    runId,
    startedAt,
    isMockTime,
    options: report.inputs?.options ?? {},
    keys: Object.keys(report.inputs?.standIns ?? {}),
    exit: { code: outcome.exitCode, sentence: outcome.sentence, ...outcome.rules },
    plan,
    ...(report.scenarios === undefined ? {} : { scenarios: report.scenarios }),
    used,
    recorded: recordedIn(report),
    summary,
    checks: report.checks.map(({ result, ...check }) => ({
      id: check.id,
      title: check.title,
      level: check.level,
      result: result.kind,
      reason: result.reason ?? null,
      message: result.message ?? null,
      cites: check.cites,
      evidence: check.evidence,
      exchanges: check.exchanges,
      findings: check.findings.map((finding) => ({
        ...without(finding),
        message: finding.message ?? null,
        sentence: clauses[finding.clause].fact,
        curl: commandsOf(finding, check, report).join('; ') || null,
      })),
    })),
    causes: quoteCauses(report).map(causeIn),
    coverage: report.coverage,
    behaviors: report.behaviors,
    exchanges: report.exchanges,
    claims: outcome.claims,
    abort: report.abort,
    keepsBodies: report.keepsBodies,
  };
}

/** The proof and the further exchanges of a finding are in its cause. */
function without({ proof: _, alike: __, unsteady: ___, firstRead: ____, ...finding }: Finding) {
  return finding;
}

function causeIn({ cause: { finding, ...cause }, title, repeat }: QuotedCause) {
  const { seen, of } = cause.scope;
  const isRepeated = seen > 1 || cause.exchanges.length > 1;
  const confidence = seen < of ? 'intermittent' : isRepeated ? 'repeated' : 'once';
  return { ...cause, title, confidence, proof: finding.proof ?? [], repeat };
}

function recordedIn({ recorded }: Report) {
  if (recorded === null) return null;
  const { run: _, ...shown } = recorded;
  return shown;
}
