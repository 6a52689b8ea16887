// SARIF 2.1.0, for code scanning: each check is a rule, each finding a result. Its location is the file that started
// the run, next to the operation. Known failures are suppressed results.

import { createHash } from 'node:crypto';
import { clauses } from '../../src/contract/generated/clauses.ts';
import { operations } from '../../src/contract/generated/operations.ts';
import { clip, visible } from '../../src/terminal/visible.ts';
import { pointerTo } from '../exchange/pointer.ts';
import type { CheckResult, Level, Severity } from '../judge/result.ts';
import type { Outcome, Reporter } from '../report/outcome.ts';
import type { Report } from '../report/report.ts';
import { failuresIn, linesOf, type Quoted, quoteFindings } from './quoted.ts';

const information = 'https://www.npmjs.com/package/casa-kit';
const messageCharactersMax = 2000;

const levels: Readonly<Record<Severity, string>> = { fail: 'error', warn: 'warning', note: 'note' };
const ruleLevels: Readonly<Record<Level, string>> = { must: 'error', should: 'warning', observe: 'note' };

export const sarif: Reporter = {
  kind: 'sarif',
  start: /^\{\s*"\$schema": "[^"]*sarif[^"]*",[\s\S]{0,300}"name": "casa-kit conformance/,
  render: (report, outcome) => `${JSON.stringify(toSarif(report, outcome), null, 2)}\n`,
};

/** Text of a target passes `visible` and `clip`. */
export function toSarif(report: Report, outcome: Outcome) {
  const endTime = new Date(Date.parse(report.startedAt) + report.used.seconds * 1000).toISOString();
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: report.tool,
            semanticVersion: report.toolVersion,
            informationUri: information,
            rules: [...report.checks.map(ruleOf), ...(report.abort === null ? [] : [abortRule])],
          },
        },
        automationDetails: { id: `conformance/${new URL(report.target).host}/${report.runId}` },
        invocations: [
          {
            executionSuccessful: report.abort === null && report.summary.error === 0,
            exitCode: outcome.exitCode,
            exitCodeDescription: visible(outcome.sentence),
            startTimeUtc: report.startedAt,
            endTimeUtc: endTime,
            ...(report.isMockTime ? { properties: { times: 'those of the mock, whose clock the run has moved' } } : {}),
            toolExecutionNotifications: notificationsOf(report),
          },
        ],
        columnKind: 'utf16CodeUnits',
        properties: { target: report.target },
        results: [...abortOf(report, outcome), ...resultsOf(report, outcome)],
      },
    ],
  };
}

/** A failure that another one explains is in the message of that one. */
function resultsOf(report: Report, outcome: Outcome) {
  const failures = failuresIn(report, outcome);
  const followers = new Set(failures.flatMap(({ others }) => others));
  const facts = new Map(failures.map((failure) => [failure.check.id, linesOf(failure)]));
  return report.checks.flatMap((check, ruleIndex) =>
    quoteFindings(check, report)
      .filter(({ finding }) => finding.severity !== 'fail' || !followers.has(check.id))
      .map((quoted) => resultOf(quoted, { check, ruleIndex, outcome, facts: facts.get(check.id) ?? [] })),
  );
}

/** Viewers show `help` next to a result. */
function ruleOf(check: CheckResult) {
  const sentences = check.cites.map((id) => ({ id, fact: clauses[id].fact }));
  return {
    id: check.id,
    shortDescription: { text: check.title },
    fullDescription: { text: `${check.title}. It tests ${check.cites.join(', ')}.` },
    help: {
      text: sentences.map(({ id, fact }) => `${id}: ${fact}`).join('\n'),
      markdown: sentences.map(({ id, fact }) => `- \`${id}\`: ${fact}`).join('\n'),
    },
    defaultConfiguration: { level: ruleLevels[check.level] },
    properties: { tags: ['contract', check.level], cites: check.cites },
  };
}

const aboutAbort = { text: 'The run tests all selected checks' };
const abortRule = {
  id: 'run/complete',
  shortDescription: aboutAbort,
  help: { ...aboutAbort, markdown: aboutAbort.text },
  defaultConfiguration: { level: 'error' },
};

/** An empty list of results would close all alerts, as if everything were fixed. */
function abortOf({ abort, checks }: Report, { askedBy }: Outcome) {
  if (abort === null) return [];
  const { id } = abortRule;
  return [
    {
      ruleId: id,
      ruleIndex: checks.length,
      level: 'error',
      message: { text: clip(visible(abort.sentence), messageCharactersMax) },
      locations: [locationOf({ exchange: null }, askedBy)],
      partialFingerprints: fingerprints(id),
      occurrenceCount: 1,
    },
  ];
}

interface CheckContext {
  readonly check: CheckResult;
  readonly ruleIndex: number;
  readonly outcome: Outcome;
  readonly facts: readonly string[];
}

function resultOf(quoted: Quoted, { check, ruleIndex, outcome, facts }: CheckContext) {
  const { finding, curl, exchange } = quoted;
  const place = visible(finding.pointer).replace(/\/\d+(?=\/|$)/g, '/*');
  const excuse = outcome.claims.excused.find(({ check: id }) => id === check.id);
  return {
    ruleId: check.id,
    ruleIndex,
    level: levels[finding.severity],
    message: { text: clip([messageOf(quoted), ...facts.map(visible)].join(' '), messageCharactersMax) },
    locations: [locationOf(quoted, outcome.askedBy)],
    partialFingerprints: fingerprints(check.id, finding.clause, exchange?.operation ?? 'all', place),
    occurrenceCount: finding.count,
    ...(excuse ? { suppressions: [{ kind: 'external', justification: excuse.reason }] } : {}),
    properties: {
      clause: finding.clause,
      pointer: visible(finding.pointer),
      exchange: finding.exchange,
      ...(curl === null ? {} : { curl: clip(visible(curl), messageCharactersMax) }),
    },
  };
}

function messageOf({ finding, text, sentence }: Quoted): string {
  return visible(`${text} Clause ${finding.clause}: "${sentence}"`);
}

/** Without values, indexes and exchanges, so a failure stays one alert in later runs. GitHub reads only the second. */
function fingerprints(...parts: readonly string[]) {
  const text = parts.join(' ');
  return {
    'finding/v2': text,
    primaryLocationLineHash: `${createHash('sha256').update(text).digest('hex').slice(0, 16)}:1`,
  };
}

/** GitHub rejects results without a file. */
const fallbackFile = 'package.json';

/** Returns a pointer to the operation in the OpenAPI document, and the first line of a file. */
function locationOf({ exchange }: Pick<Quoted, 'exchange'>, file = fallbackFile) {
  const operation = exchange?.operation ? operations[exchange.operation] : null;
  const pointer = operation ? pointerTo('paths', operation.path, operation.method.toLowerCase()) : '/paths';
  return {
    physicalLocation: { artifactLocation: { uri: encodeURI(file) }, region: { startLine: 1 } },
    logicalLocations: [{ fullyQualifiedName: pointer, kind: 'object', ...(operation ? { name: operation.id } : {}) }],
  };
}

function notificationsOf({ abort, checks }: Report) {
  const errors = checks.filter(({ result }) => result.kind === 'error');
  return [
    ...(abort === null ? [] : [{ level: 'error', message: { text: visible(abort.sentence) } }]),
    ...errors.map(({ id, result }) => ({
      level: 'error',
      message: { text: visible(`${id}: ${result.message ?? 'could not be carried out'}`) },
    })),
  ];
}
