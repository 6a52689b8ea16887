// The first page of a report as data: the subject, the result, its meaning, the gaps and the next steps. The method
// ends the report. All reports for people show these parts in this order.

import { parseJson } from '../../src/contract/json.ts';
import { count } from '../../src/terminal/count.ts';
import { isObject } from '../exchange/exchange.ts';
import { claimNotes } from '../report/claims.ts';
import { coverFields } from '../report/cover.ts';
import { reachOf } from '../report/coverage.ts';
import { type Area, gravestOf, type Impact, impacts, untestedAreas } from '../report/impact.ts';
import type { Outcome } from '../report/outcome.ts';
import type { Report, StoredExchange } from '../report/report.ts';
import { runCommand } from './commands.ts';
import { effortText, type Failure, failuresIn, keptBodiesText } from './quoted.ts';

export interface Fact {
  readonly name: string;
  readonly text: string;
}

export interface Summary {
  readonly subject: readonly Fact[];
  readonly mood: Mood;
  /** One sentence for a reader who does not know the contract. */
  readonly verdict: string;
  /** `87 of 227 requirements tested (38%)`; never left out next to a good result. */
  readonly share: string;
  readonly impacts: readonly { readonly impact: Impact; readonly causes: readonly Failure[] }[];
  readonly areas: readonly Area[];
  readonly next: readonly string[];
  readonly method: readonly Fact[];
}

export type Mood = 'good' | 'bad' | 'open';
export const signs: Readonly<Record<Mood, string>> = { good: '✓', bad: '✕', open: '?' };

/** A run that verified nothing is neither good nor bad. */
export function moodOf({ exitCode }: Outcome): Mood {
  return exitCode === 0 ? 'good' : exitCode === 1 ? 'bad' : 'open';
}

export function summaryOf(report: Report, outcome: Outcome): Summary {
  const failures = failuresIn(report, outcome);
  const names = Object.keys(impacts) as Impact[];
  const areas = untestedAreas(report);
  return {
    subject: subjectOf(report, outcome),
    mood: moodOf(outcome),
    verdict: verdictOf(report, outcome, failures),
    share: shareOf(report),
    impacts: names.flatMap((impact) => {
      const causes = failures.filter((failure) => failure.impact === impact);
      return causes.length === 0 || report.compared !== undefined ? [] : [{ impact, causes }];
    }),
    areas,
    next: report.compared === undefined ? nextSteps(report, outcome, { failures, areas }) : [],
    method: report.compared === undefined ? methodOf(report, outcome) : [],
  };
}

function subjectOf(report: Report, { cover = {} }: Outcome): Fact[] {
  const { target, startedAt, isMockTime, used, tool, toolVersion, contractVersion, recorded, compared, runId } = report;
  const time = `${startedAt.slice(0, 19).replace('T', ' ')} UTC${isMockTime ? ' (mock time)' : ''}`;
  const { set, digest } = report.requirements;
  const isRun = recorded === null && compared === undefined;
  const facts: readonly (readonly [string, string])[] = [
    ...(compared === undefined
      ? [['Deployment', target] as const]
      : [['Side A', compared.a] as const, ['Side B', compared.b] as const]),
    ...(isRun ? [['Organization', organizationIn(report)] as const] : []),
    [
      'Time',
      `${time}, ${used.seconds < 120 ? `${used.seconds.toFixed(0)} s` : `${(used.seconds / 60).toFixed(0)} min`}, run ${runId}`,
    ],
    ['Examined', examinedIn(report)],
    ['Tested with', `${tool} ${toolVersion}, contract ${contractVersion}, ${set} (${digest.slice(0, 12)})`],
    ...coverFields.map((field) => [`${field[0]?.toUpperCase()}${field.slice(1)}`, cover[field] ?? ''] as const),
  ];
  return shown(facts);
}

function shown(facts: readonly (readonly [name: string, text: string])[]): Fact[] {
  return facts.flatMap(([name, text]) => (text === '' ? [] : [{ name, text }]));
}

/** Counted in the lists that have no pages, so no record counts twice. */
function organizationIn({ exchanges }: Report): string {
  const mostOf = (operation: StoredExchange['operation'], list: string) =>
    Math.max(
      ...exchanges.map((each) => {
        const isRead = each.operation === operation && each.key === 'good' && each.status === 200;
        return isRead ? (listsIn(each).find(([name]) => name === list)?.[1] ?? -1) : -1;
      }),
      -1,
    );
  const counts = [
    [mostOf('listSites', 'data'), 'site'],
    [mostOf('listAccounts', 'accounts'), 'connected account'],
  ] as const;
  return counts.flatMap(([number, noun]) => (number < 0 ? [] : [count(number, noun)])).join(', ');
}

function examinedIn({ exchanges, used, recorded, compared }: Report): string {
  const records = exchanges.flatMap((each) => listsIn(each).map(([, length]) => length));
  const bytes = exchanges.reduce((sum, { bodyBytes }) => sum + bodyBytes, 0);
  const sum = records.reduce((one, other) => one + other, 0);
  const number = recorded?.judged ?? used.requests;
  const size = `${count(sum, 'record')} in responses of ${count(Math.round(bytes / 1000), 'kilobyte')}`;
  return `${count(number, recorded === null ? 'request' : 'recorded exchange')}${compared === undefined ? `, ${size}` : ''}`;
}

/** The lists of a response with their lengths, also where only the shape of the body was kept. */
function listsIn({ bodyText, bodyShape }: StoredExchange): (readonly [name: string, length: number])[] {
  const lists = (value: unknown, name: string): (readonly [string, number])[] => {
    if (Array.isArray(value)) {
      const [, times] = /^× (\d+)$/.exec(String(value[1])) ?? [];
      return [[name, times === undefined ? value.length : Number(times)]];
    }
    if (!isObject(value)) return [];
    return ['data', 'accounts', 'calls', 'reviews'].flatMap((field) => lists(value[field], field));
  };
  return lists(bodyText === null ? bodyShape : parseJson(bodyText), '');
}

function shareOf(report: Report): string {
  const { tested, visible } = reachOf(report);
  const verb = report.compared === undefined ? 'tested' : 'compared';
  return `${tested} of ${visible} requirements ${verb} (${Math.floor((100 * tested) / Math.max(1, visible))}%)`;
}

function verdictOf(report: Report, outcome: Outcome, failures: readonly Failure[]): string {
  const { exitCode, sentence } = outcome;
  if (report.compared !== undefined) return sentence;
  if (exitCode !== 0 && failures.length > 0) {
    const [name] = impacts[gravestOf(failures.map(({ impact }) => impact))];
    const end = report.abort === null ? '' : ` ${report.abort.sentence}`;
    return `The API does not keep its contract: at least ${count(failures.length, 'defect')}. The gravest: ${lower(name)}.${end}`;
  }
  if (exitCode !== 0) return sentence;
  const known = outcome.claims.excused.length;
  const except = known === 0 ? '' : `, except ${count(known, 'known failure')}`;
  return `No defect was found in the part of the contract that was tested${except}.`;
}

const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

/** The most useful first. */
function nextSteps(
  report: Report,
  { exitCode, claims }: Outcome,
  { failures, areas }: { readonly failures: readonly Failure[]; readonly areas: readonly Area[] },
): string[] {
  const { summary, abort, isEmpty, recorded } = report;
  const wrong = claimNotes(claims).filter(({ isWrong }) => isWrong).length;
  const steps: readonly (string | false)[] = [
    abort !== null && (report.checks.length === 0 ? abort.sentence : 'Run it again, and let it finish.'),
    failures.length > 0 && 'Fix the causes below. Each has a command that repeats it.',
    failures.length > 0 &&
      recorded === null &&
      'After a fix, test only the failed checks: npx casa-conformance replay REPORT.json --base-url URL',
    wrong > 0 && `Update the claims: this run does not support ${count(wrong, 'entry', 'entries')}.`,
    summary.warn > 0 &&
      'Read the warnings, and decide for each whether clients rely on it. To fail on warnings, add --fail-on warn.',
    isEmpty && 'Use a key of an organization with data.',
    summary.inconclusive > 0 &&
      !isEmpty &&
      abort === null &&
      `Read why ${count(summary.inconclusive, 'check')} could not be decided. Most need more data or a longer run.`,
    areas.length > 0 &&
      report.checks.length > 0 &&
      `Before you rely on this result, test the ${count(areas.length, 'area')} that the run left out, or accept the gaps.`,
    exitCode === 0 && 'Repeat the run after each change of the API, for example in CI.',
  ];
  return steps.filter((step) => step !== false);
}

function methodOf(report: Report, outcome: Outcome): Fact[] {
  const { inputs, recorded, keepsBodies, scenarios = [], target } = report;
  const pace = inputs?.options.pace ?? 'auto';
  const paces = {
    auto: 'below the rate limits of the contract, except for bursts that test them',
    off: 'at full speed, above the rate limits',
  };
  const facts: readonly (readonly [string, string])[] = [
    ['Requests', effortText(report)],
    ...(recorded === null
      ? [
          [
            'Order',
            scenarios.length === 0
              ? ''
              : `${count(scenarios.length, 'scenario')} from one fixed list, the most productive first`,
          ] as const,
          ['Pace', typeof pace === 'string' ? paces[pace] : 'as set with --pace'] as const,
        ]
      : []),
    [
      'Confirmation',
      'Requests that show a failure are sent again. Only what they show again counts. Writes and bursts are sent once.',
    ],
    [
      'Limits',
      'The tests see requests and responses only. They cannot show how data is stored, how the API behaves under load or over ' +
        'months, or the absence of defects. Passed means that no response of this run contradicted the contract.',
    ],
    ['Redaction', 'Keys, e-mail addresses and phone numbers are replaced.'],
    ['Bodies', keepsBodies ? keptBodiesText : 'field names and types only, except in error responses'],
    ...(inputs === undefined ? [] : [['Repeat', repeatOf(inputs, target)] as const]),
    ...(outcome.files ?? []).map(({ name, sha256 }) => [name, `SHA-256 ${sha256}`] as const),
    ['Exit code', `${outcome.exitCode}. ${outcome.sentence}`],
  ];
  return shown(facts);
}

function repeatOf({ options, isOfMcpEndpoint }: NonNullable<Report['inputs']>, target: string): string {
  const command = runCommand({ target, options }, []);
  return isOfMcpEndpoint ? command.replace('--base-url', 'mcp --url') : command;
}
