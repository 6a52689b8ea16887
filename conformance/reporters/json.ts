// The report as JSON, with what a reader needs beside each finding: the words of the clause and a line of curl.
import { clauses } from '../../src/contract/generated/clauses.ts';
import { curlOf } from '../curl.ts';
import type { Reporter } from '../events.ts';
import type { Report } from '../report.ts';

export const json: Reporter = {
  kind: 'json',
  render: (report) => `${JSON.stringify(toJson(report), null, 2)}\n`,
};

export function toJson(report: Report) {
  const exchanges = new Map(report.exchanges.map((exchange) => [exchange.id, exchange]));
  const { abort, keepsBodies, checks, ...rest } = report;
  return {
    ...rest,
    checks: checks.map(({ verdict, findings, ...check }) => ({
      ...check,
      verdict: verdict.kind,
      reason: verdict.reason ?? null,
      message: verdict.message ?? null,
      findings: findings.map((finding) => {
        const exchange = finding.exchange === null ? undefined : exchanges.get(finding.exchange);
        return { ...finding, fact: clauses[finding.clause].fact, curl: exchange ? curlOf(exchange) : null };
      }),
    })),
    abort,
    keepsBodies,
  };
}
