// The result as an in-toto statement (test-result v0.1), to be signed by whoever ran the kit. Its subject is the
// report, by its digest, because a deployment has none. Target, plan and kit are the configuration behind it.
import { createHash } from 'node:crypto';
import type { CheckResult, VerdictKind } from '../judge/verdict.ts';
import type { Outcome } from '../report/outcome.ts';
import type { Report } from '../report/report.ts';
import { json } from './json.ts';

/** What the statement cannot read off the report. */
export interface KitIdentity {
  /** SHA-256 of the code that ran; null when it ran from its sources. */
  readonly sha256: string | null;
}

/** JSON, with the digest of exactly the text that `--report json` writes. */
export function renderAttestation(report: Report, outcome: Outcome, kit: KitIdentity): string {
  const idsOf = (...kinds: VerdictKind[]) =>
    report.checks.filter(({ verdict }) => kinds.includes(verdict.kind)).map(nameOf);
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: `report ${report.runId}`, digest: { sha256: sha256(json.render(report, outcome)) } }],
    predicateType: 'https://in-toto.io/attestation/test-result/v0.1',
    predicate: {
      result: resultOf(report, outcome),
      configuration: [
        { name: 'target', uri: report.target },
        { name: 'plan', digest: { sha256: sha256(JSON.stringify(report.plan)) } },
        {
          name: `${report.tool} ${report.toolVersion}`,
          ...(kit.sha256 === null ? {} : { digest: { sha256: kit.sha256 } }),
          annotations: { contract: report.contractVersion, exitCode: outcome.exitCode, startedAt: report.startedAt },
        },
      ],
      passedTests: idsOf('pass', 'note'),
      warnedTests: idsOf('warn'),
      failedTests: idsOf('fail', 'error'),
      // A policy asks for a test among those that passed, be it with a warning: what stayed open must not stand there.
      // The framework lets readers pass over members that they do not know.
      casa_inconclusiveTests: idsOf('inconclusive'),
      casa_excludedTests: idsOf('excluded'),
    },
  };
  return `${JSON.stringify(statement, null, 2)}\n`;
}

/** A run that proved nothing, or was cut, has not passed; known failures are no clean pass. */
function resultOf({ summary }: Report, { exitCode }: Outcome): 'PASSED' | 'WARNED' | 'FAILED' {
  if (exitCode !== 0) return 'FAILED';
  return summary.fail + summary.warn > 0 ? 'WARNED' : 'PASSED';
}

function nameOf({ id }: CheckResult): string {
  return id;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
