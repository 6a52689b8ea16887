// The report that the recorded exchanges give.
import { createHash } from 'node:crypto';
import { UsageError } from '../../src/terminal/usage-error.ts';
import { checks } from '../checks/index.ts';
import { type Exchange, isObject } from '../exchange/exchange.ts';
import { readJson } from '../exchange/read-json.ts';
import type { CheckResult } from '../judge/result.ts';
import { applyBaseline, parseBaseline } from '../report/baseline.ts';
import { conclude, type ExitRules, type Outcome } from '../report/outcome.ts';
import { type Report, type RunInputs, summarize } from '../report/report.ts';
import { rules } from '../rules/index.ts';
import { plannedIds, repeatConformance } from '../run/audit.ts';
import { applyRules } from '../run/rule-run.ts';
import { isEmptyOrganization, stoppedSentence } from '../run/run.ts';
import type { Fields, ReportFile } from './report-file.ts';

/** `report` is null when the run cannot be repeated; `problems` has the reason. */
export type Expected =
  | { readonly report: null; readonly problems: readonly string[]; readonly isWhole: boolean }
  | {
      readonly report: Report;
      readonly outcome: Outcome;
      readonly problems: readonly string[];
      readonly isWhole: boolean;
    };

const catalog = new Map([...checks, ...rules].map((row) => [row.id, row]));

/** Longer bodies are cut in the record. */
const bodyCharactersMax = 1_000_000;

/** Repeats the run if its record is complete. Otherwise, only what follows from the results is computed again. */
export async function expectedOf(given: ReportFile, run: Fields): Promise<Expected> {
  const inputs = run.inputs as RunInputs;
  const isEarly = given.abort !== null && given.checks.length === 0;
  const isWhole =
    given.keepsBodies === true && !isEarly && given.exchanges.every(({ bodyText }) => isComplete(bodyText));
  const problems = isWhole ? given.exchanges.flatMap(bodyProblem) : ruleProblems(given);
  try {
    const report = isWhole ? await repeated(given, inputs) : derived(given, inputs);
    if (typeof report === 'string') return { report: null, problems: [...problems, report], isWhole };
    const outcome = conclude(report, { ...exitRulesOf(given), baseline: baselineOf(given, report) });
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

/** Without bodies, the rules still show failures of error responses. */
function ruleProblems(given: ReportFile): string[] {
  const run = applyRules(rules, { findSecrets: () => [] });
  const ofRest = given.exchanges.filter(({ url }) => url.startsWith(`${given.target}/`));
  for (const exchange of ofRest) run.check(withBodyAsKept(exchange));
  const failed = run.finish().filter(({ result }) => result.kind === 'fail');
  const hidden = failed.filter(({ id }) => given.checks.some((row) => row.id === id && row.result !== 'fail'));
  return hidden.map(({ id }) => `The report: ${id} does not fail; the recorded exchanges violate it.`);
}

function withBodyAsKept(exchange: ReportFile['exchanges'][number]): Exchange {
  const { bodyText, bodyBytes, problem } = exchange;
  const isMissing = bodyText === null && bodyBytes > 0;
  const json = bodyText === null ? undefined : readJson(bodyText).json;
  return { ...exchange, bodyText: bodyText ?? '', json, problem: isMissing ? 'truncated' : problem };
}

async function repeated(given: ReportFile, inputs: RunInputs): Promise<Report | string> {
  const { abort, checks: results, plan } = given;
  const sentence = isObject(abort) ? abort.sentence : null;
  const checksDone = results.filter(({ id }) => !String(id).startsWith('rule/')).length;
  const options = {
    baseUrl: given.target,
    runId: given.runId,
    seed: isObject(plan) ? Number(plan.seed) : 0,
    keepBodies: true,
  };
  const { report, divergence } = await repeatConformance(options, {
    exchanges: given.exchanges,
    inputs,
    stopsAfter: sentence === stoppedSentence ? checksDone : null,
  });
  if (divergence !== null) return `The recording is not that of a run: ${divergence}.`;
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
  const exchanges = given.exchanges.map((exchange) => ({ ...exchange, json: exchange.bodyShape }));
  const report = { ...given, checks: results, summary: summarize(results), inputs } as unknown as Report;
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
function baselineOf({ baseline }: Fields, report: Report): ExitRules['baseline'] {
  const { entries, at } = isObject(baseline) ? baseline : {};
  const list = entries === undefined ? [] : parseBaseline(JSON.stringify(entries), [...catalog.keys()]);
  return applyBaseline(list, report.checks, Date.parse(String(at)));
}
