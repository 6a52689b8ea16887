// The report that the recorded exchanges give.
import { createHash } from 'node:crypto';
import { count } from '../../src/terminal/count.ts';
import { readNamed } from '../../src/terminal/file-trouble.ts';
import { type FlagTable, parseWords } from '../../src/terminal/flag-parser.ts';
import { describeExits, describeFlags } from '../../src/terminal/help.ts';
import { UsageError } from '../../src/terminal/usage-error.ts';
import { visible } from '../../src/terminal/visible.ts';
import { rules } from '../checks/rules/index.ts';
import { judgeRecorded, plannedIds } from '../driver/audit.ts';
import { ownCatalog } from '../driver/options.ts';
import { isEmptyOrganization } from '../driver/recorded.ts';
import type { Recording } from '../driver/run.ts';
import { digestOf, isSealed } from '../exchange/canonical.ts';
import { type Exchange, isObject } from '../exchange/exchange.ts';
import { readJson } from '../exchange/read-json.ts';
import { judgeRules } from '../judge/judge.ts';
import type { CheckResult } from '../judge/result.ts';
import { applyClaims, type Claims, parseClaims } from '../report/claims.ts';
import { requirementsOf } from '../report/coverage.ts';
import { conclude, type ExitRules, type Outcome } from '../report/outcome.ts';
import {
  type Abort,
  type ExitCode,
  evidenceIn,
  numberOf,
  type Report,
  type RunInputs,
  summarize,
  toolName,
} from '../report/report.ts';
import { toHar } from '../reporters/har.ts';
import { toJson } from '../reporters/json.ts';
import type { Io } from './io.ts';
import { differencesOf, type Fields, jsonIn, type ReportFile, readJsonReport, sentenceOf } from './report-file.ts';

/** `report` is null when the run cannot be repeated; `problems` has the reason. */
export type Expected =
  | { readonly report: null; readonly problems: readonly string[]; readonly isWhole: boolean }
  | {
      readonly report: Report;
      readonly outcome: Outcome;
      readonly problems: readonly string[];
      readonly isWhole: boolean;
    };

const catalog = new Map(
  [...ownCatalog.checks.map(({ level = 'must', clauses: cites, ...row }) => ({ ...row, level, cites })), ...rules].map(
    (row) => [row.id, row],
  ),
);

const ids = [...catalog.keys()];

/** Longer bodies are cut in the record. */
const bodyCharactersMax = 1_000_000;

/** Repeats the run if its record is complete. Otherwise, only what follows from the results is computed again. */
function expectedOf(given: ReportFile, run: Fields): Expected {
  const inputs = run.inputs as RunInputs;
  const isEarly = given.abort !== null && given.checks.length === 0;
  const isWhole =
    given.keepsBodies === true && !isEarly && given.exchanges.every(({ bodyText }) => isComplete(bodyText));
  const problems = isWhole ? given.exchanges.flatMap(bodyProblem) : ruleProblems(given);
  try {
    const report = isWhole ? repeated(given, inputs) : derived(given, inputs);
    if (typeof report === 'string') return { report: null, problems: [...problems, report], isWhole };
    const outcome = conclude(report, { ...exitRulesOf(given), claims: claimsOf(given, report) });
    return { report, outcome, problems, isWhole };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const sentence = error instanceof UsageError ? why : `The run cannot be repeated from these files: ${why}.`;
    return { report: null, problems: [...problems, sentence], isWhole };
  }
}

const isComplete = (text: string | null) => text !== null && text.length < bodyCharactersMax;

/** A body in which a key was replaced, or whose encoding was invalid, has another hash. */
function bodyProblem({
  id,
  bodyText,
  bodyBytes,
  bodySha256,
  problemDetail,
}: ReportFile['exchanges'][number]): string[] {
  if (bodyText === null || problemDetail !== null || /[$<\ufffd]/.test(bodyText)) return [];
  const hash = createHash('sha256').update(bodyText).digest('hex');
  const isSame = hash === bodySha256 && Buffer.byteLength(bodyText) === bodyBytes;
  return isSame || bodyText.length >= bodyCharactersMax ? [] : [`The body of ${id} does not match its SHA-256.`];
}

const evidenceOf = ({ exchanges, abort }: ReportFile) => evidenceIn(exchanges, abort as Abort | null);

/** Without bodies, the rules still show failures of error responses. */
function ruleProblems(given: ReportFile): string[] {
  const ofRest = evidenceOf(given).filter(({ url }) => url.startsWith(`${given.target}/`));
  const results = judgeRules(rules, ofRest.map(withBodyAsKept), { findSecrets: () => [] });
  const failed = results.filter(({ result }) => result.kind === 'fail');
  const hidden = failed.filter(({ id }) => given.checks.some((row) => row.id === id && row.result !== 'fail'));
  return hidden.map(({ id }) => `In the report, ${id} does not fail, but the recorded exchanges violate it.`);
}

function withBodyAsKept(exchange: ReportFile['exchanges'][number]): Exchange {
  const { bodyText, bodyBytes, problem } = exchange;
  const isMissing = bodyText === null && bodyBytes > 0;
  const json = bodyText === null ? undefined : readJson(bodyText).json;
  return { ...exchange, bodyText: bodyText ?? '', json, problem: isMissing ? 'truncated' : problem };
}

function repeated(given: ReportFile, inputs: RunInputs): Report | string {
  const numbers = given.exchanges.map(numberOf).sort((a, b) => a - b);
  const missing = numbers.findIndex((number, index) => number !== index + 1);
  if (missing >= 0) return `The recording lacks x${missing + 1}, and a run numbers its requests without a gap.`;
  const report = judgeRecorded({
    ...(given as unknown as Recording),
    baseUrl: given.target,
    runId: given.runId,
    inputs,
  });
  const byId = new Map(given.exchanges.map((exchange) => [exchange.id, exchange]));
  // The size and the hash are those of the body before the key was replaced.
  const exchanges = report.exchanges.map((exchange) => {
    const { bodyBytes, bodySha256 } = byId.get(exchange.id) ?? exchange;
    return { ...exchange, bodyBytes, bodySha256 };
  });
  return { ...report, exchanges, ...(report.inputs && { inputs: { ...report.inputs, options: inputs.options } }) };
}

/** Results and exchanges as given, and everything that follows from them. */
function derived(given: ReportFile, inputs: RunInputs): Report {
  const results = given.checks.map(resultIn);
  const planned = given.abort === null ? plannedIds(given.target, inputs) : [];
  const missing = planned.find((id) => !results.some((result) => result.id === id));
  if (missing !== undefined) throw new UsageError(`The report lacks ${missing}, which the run includes.`);
  const exchanges = evidenceOf(given).map((exchange) => ({ ...exchange, json: exchange.bodyShape }));
  const requirements = requirementsOf(inputs.options.requirements);
  const report = { ...given, checks: results, summary: summarize(results), inputs, requirements } as unknown as Report;
  return { ...report, isEmpty: isEmptyOrganization(exchanges) };
}

/** Title, level and clauses are those of this version. */
function resultIn(given: Fields): CheckResult {
  const { result: kind, reason, message, findings, ...rest } = given as { [name: string]: unknown };
  const { id, title, level, cites } = catalog.get(String(given.id)) ?? {};
  const lists = Array.isArray(findings) ? findings.filter(isObject) : [];
  return {
    ...rest,
    ...(id === undefined ? {} : { id, title, level, cites }),
    result: { kind, ...(reason === null ? {} : { reason }), ...(message === null ? {} : { message }) },
    findings: lists.map(({ message: about, sentence: _sentence, curl: _curl, ...finding }) => ({
      ...finding,
      ...(about === null ? {} : { message: about }),
    })),
  } as unknown as CheckResult;
}

function exitRulesOf({ exit }: Fields): Partial<ExitRules> {
  const { failOn = [], minVerified = null, known = [] } = exit as Partial<ExitRules>;
  return { failOn, minVerified, known };
}

/** Waivers hide only the failures that they name. */
function claimsOf({ claims: given }: Fields, report: Report): ExitRules['claims'] {
  const { claims, at } = isObject(given) ? given : {};
  const read = claims === undefined ? null : parseClaims(JSON.stringify(claims), ids);
  return applyClaims(read, report, Date.parse(String(at)));
}

// `conformance verify REPORT HAR`: repeats a recorded run offline, and compares its report with the given one.

const verifyFlags = {
  claims: { value: 'FILE', help: 'Also fail if the report accepts a result that FILE does not list' },
  help: { short: 'h', help: 'Show this help' },
} as const satisfies FlagTable;

export const verifyHelpText = `conformance verify: check that a report matches its recording and was not edited

Usage
  conformance verify REPORT HAR [--claims FILE]

REPORT and HAR are the two files of one run: conformance --report json=REPORT --report har=HAR.
The run is repeated offline with the recorded responses, and must give the same report. Use the
version of casa-kit that wrote the files. No request is sent. This needs response bodies: add
--keep-bodies to the run. Without bodies, verify checks only error responses, requests, and the
counts, texts and checksums of the report.

Flags
${describeFlags(verifyFlags)}
${describeExits({
  0: 'The report is unchanged',
  1: 'The report or the recording was changed, or they do not belong together',
  2: 'Invalid flag or file, or a file of another version',
})}`;

const sentencesMax = 20;

/** Returns the exit code, and 2 as a UsageError. */
export async function verifying(args: readonly string[], io: Io): Promise<ExitCode> {
  const { values, words } = parseWords(args, verifyFlags, { isStrict: true, takesWords: true });
  if (values.help) {
    io.out(verifyHelpText);
    return 0;
  }
  const { claims } = values;
  const [reportFile, harFile, extra] = words;
  if (reportFile === undefined || harFile === undefined || extra !== undefined)
    throw new UsageError('conformance verify needs two files: conformance verify report.json run.har');
  const report = readJsonReport(readNamed(reportFile), reportFile);
  const log = readLog(readNamed(harFile), harFile);
  const accepted = claims === undefined ? null : parseClaims(readNamed(claims), ids);
  const { problems, isWhole } = await problemsOf(report, log, accepted);
  for (const problem of problems.slice(0, sentencesMax)) io.out(`${visible(problem)}\n`);
  if (problems.length > sentencesMax) io.out(`And ${count(problems.length - sentencesMax, 'more difference')}.\n`);
  if (problems.length > 0) {
    io.out(`\n${reportFile} does not match the run: ${count(problems.length, 'difference')}.\n`);
    return 1;
  }
  for (const line of excusesOf(report)) io.out(`${visible(line)}\n`);
  io.out(verifiedText(report, isWhole));
  return 0;
}

function readLog(text: string, file: string): Fields {
  const har = jsonIn(text, file);
  const log = isObject(har) && isObject(har.log) ? har.log : {};
  const creator = isObject(log.creator) ? log.creator : {};
  if (creator.name !== toolName || !isObject(log._run) || !Array.isArray(log.entries))
    throw new UsageError(`${file} is not the recording of a run: conformance --report har=FILE writes one.`);
  return log;
}

/** All differences, and whether the checks were repeated. */
async function problemsOf(
  report: ReportFile,
  log: Fields,
  accepted: Claims | null,
): Promise<{ problems: string[]; isWhole: boolean }> {
  const { digest: _digest, ...content } = report;
  const run = log._run as Fields;
  if (run.runId !== report.runId)
    return {
      problems: [`The recording is of run ${run.runId}, and the report is of run ${report.runId}.`],
      isWhole: false,
    };
  const expected = expectedOf(report, run);
  const problems = [...expected.problems];
  if (expected.report !== null) {
    const { report: result, outcome } = expected;
    const { digest: _ownDigest, ...expectedLog } = toHar(result, outcome).log;
    const { digest: _logDigest, ...givenLog } = log;
    const json = plain(toJson(result, outcome)) as Fields;
    // A JSON report has less of its findings than the causes are made of.
    const ofReport = differencesOf(content, expected.isWhole ? json : { ...json, causes: content.causes });
    const ofLog = differencesOf(withIds(givenLog), withIds(plain(expectedLog) as Fields));
    problems.push(...ofReport.map((each) => sentenceOf(each, ['The report', 'the recorded exchanges'])));
    problems.push(
      ...ofLog
        .filter(({ path }) => path[1] !== 'report')
        .map((each) => sentenceOf(each, ['The recording', 'the exchanges of the report'])),
    );
  }
  const waivers = waiversIn(report);
  const listed = accepted && [...accepted.knownFailures, ...accepted.expected].map(digestOf);
  const isAccepted = (waiver: unknown) => listed === null || listed.includes(digestOf(waiver));
  for (const waiver of waivers.filter((each) => !isAccepted(each)))
    problems.push(`The report accepts a result of ${String(waiver.check)} that the claims do not list.`);
  if (!isInTime(report)) problems.push('The claims were not compared at the end of the run.');
  if (!isSealed(report)) problems.push('The digest of the report does not match its content.');
  if (!isSealed(log)) problems.push('The digest of the recording does not match its content.');
  if (run.report !== digestOf(content)) problems.push('The recording belongs to a report with different content.');
  return { problems: [...new Set(problems)], isWhole: expected.isWhole };
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** The comment of an entry begins with the id of its exchange. */
function withIds(log: Fields): Fields {
  const entries = (log.entries as unknown[]).map((entry) =>
    isObject(entry) ? { ...entry, id: String(entry.comment).split(';')[0] } : entry,
  );
  return { ...log, entries };
}

function waiversIn({ claims: given }: Fields): Fields[] {
  const claims = isObject(given) && isObject(given.claims) ? given.claims : {};
  return [claims.knownFailures, claims.expected].flat().filter(isObject);
}

const reportMs = 3_600_000;

/** With an earlier time, a known failure would not have ended. The time of a mock is not that of the claims. */
function isInTime({ claims, startedAt, used, isMockTime }: Fields): boolean {
  const { at } = isObject(claims) ? claims : {};
  const endMs = Date.parse(String(startedAt)) + Number(isObject(used) ? used.seconds : 0) * 1000;
  return at === undefined || isMockTime === true || Math.abs(Date.parse(String(at)) - endMs) < reportMs;
}

/** Failures that did not count, because the user of the suite said so. */
function excusesOf(report: Fields): string[] {
  const { known } = report.exit as Fields;
  return [
    ...waiversIn(report).map(
      ({ check, clause, result = 'failure', reason }) =>
        `Known ${result}: ${[check, clause, `(${reason})`].filter(Boolean).join(' ')}`,
    ),
    ...(Array.isArray(known) ? known : []).map((id) => `Failed in an earlier run, so it did not count: ${id}`),
  ];
}

function verifiedText({ exchanges, checks: results }: Fields, isWhole: boolean): string {
  const [sent, all] = [exchanges as unknown[], results as unknown[]];
  if (isWhole)
    return `Verified: ${count(sent.length, 'recorded exchange')} give the ${count(all.length, 'result')} of the report.\n`;
  const why = all.length === 0 ? 'the run ended before them' : 'bodies are missing: add --keep-bodies to the run';
  return `Unchanged: ${count(sent.length, 'exchange')} and ${count(all.length, 'result')} match the recording and its digests.
The checks were not repeated, because ${why}.\n`;
}
