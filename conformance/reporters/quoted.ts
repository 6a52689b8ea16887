// The words of all reporters: a finding as one sentence, its clause and curl command, and reasons.

import { clauses } from '../../src/contract/generated/clauses.ts';
import { operations } from '../../src/contract/generated/operations.ts';
import { grouped, kebab } from '../../src/contract/words.ts';
import { count } from '../../src/terminal/count.ts';
import { clip } from '../../src/terminal/visible.ts';
import { oncePer } from '../exchange/history.ts';
import {
  type CheckResult,
  type Finding,
  type InconclusiveReason,
  type ResultKind,
  resultKinds,
  type Unsteady,
  type Witness,
} from '../judge/result.ts';
import { reachOf } from '../report/coverage.ts';
import { type Cause, causesOf, sequenceOf } from '../report/diagnosis/causes.ts';
import type { Varied } from '../report/diagnosis/scope.ts';
import { gravestOf, type Impact, impactOf } from '../report/impact.ts';
import { type Outcome, repeatsOf } from '../report/outcome.ts';
import type { Report, StoredExchange } from '../report/report.ts';
import { rangeText, requestsInAll } from '../scenarios/plan/plan.ts';
import { commandsOf, commandsOfCause, type Evidence, evidenceOf, isSent, isSequence, runOf } from './commands.ts';

/** `exchange` is null for a finding about no single response, and `curl` where the cause lists the commands. */
export interface Quoted {
  readonly finding: Finding;
  /** `GET /sites returned 404 not_found; expected 200.` */
  readonly text: string;
  /** The clause as a sentence. */
  readonly sentence: string;
  /** The section of the contract. */
  readonly at: string;
  readonly exchange: StoredExchange | null;
  readonly curl: string | null;
}

export function quoteFindings(check: CheckResult, report: Report): Quoted[] {
  const evidence = evidenceOf(report);
  const sequences = sequencesIn(report);
  return check.findings.map((finding) => {
    const exchange = evidence.get(finding.exchange ?? '') ?? null;
    const { fact, at } = clauses[finding.clause];
    const commands = sequences.has(finding) ? [] : commandsOf(finding, check, report);
    const curl = commands.length === 0 ? null : commands.join('; ');
    return { finding, text: textOf(finding, exchange, evidence), sentence: fact, at, exchange, curl };
  });
}

/** Findings whose cause lists the commands. */
const sequencesIn = oncePer((report: Report): ReadonlySet<Finding> => {
  const causes = quoteCauses(report).filter(({ cause, repeat }) => isSequence(repeat, cause.finding, report));
  return new Set(causes.map(({ cause }) => cause.finding));
});

export interface QuotedCause {
  readonly cause: Cause;
  /** The sentence of the finding that names the cause. */
  readonly title: string;
  /** Commands that repeat it, in the order in which they must be sent. */
  readonly repeat: readonly string[];
}

/** The worst first. */
export function quoteCauses(report: Report): QuotedCause[] {
  const evidence = evidenceOf(report);
  return causesOf(report).map((cause) => {
    const exchange = evidence.get(cause.finding.exchange ?? '') ?? null;
    return { cause, title: textOf(cause.finding, exchange, evidence), repeat: commandsOfCause(cause, report) };
  });
}

/** A failed check that names a cause, as reports for people show it. */
export interface Failure {
  readonly check: CheckResult;
  /** That of its first cause, as for `conformance replay --finding`. */
  readonly number: number;
  /** The sentence of the finding that names the cause. */
  readonly title: string;
  /** The gravest of its causes. */
  readonly impact: Impact;
  /** Failed checks that the same cause explains, and that name no cause. */
  readonly others: readonly string[];
  /** A line for each response that contradicts another one. */
  readonly proof: readonly { readonly exchange: string; readonly text: string }[];
  /** Commands, where one does not repeat the failure. */
  readonly repeat: readonly string[];
  /** The control request, the scope, the confidence, and the other checks: a sentence each. */
  readonly facts: readonly string[];
}

/** The worst first, without known failures. A check that names two causes is one entry, with all its findings. */
export function failuresIn(report: Report, { claims }: Pick<Outcome, 'claims'>): Failure[] {
  const excused = new Set(claims.excused.map(({ check }) => check));
  const idsOf = ({ checks, consequences }: Cause) => [...checks, ...consequences].filter((id) => !excused.has(id));
  const all = causesOf(report);
  const named = grouped(all, (cause) => idsOf(cause)[0]);
  const evidence = evidenceOf(report);
  return [...named].flatMap(([id, causes]) => {
    const check = report.checks.find((each) => each.id === id);
    if (check === undefined) return [];
    const others = [...new Set(causes.flatMap(idsOf))].filter((other) => !named.has(other));
    const proof = causes.flatMap(({ finding }) => finding.proof ?? []).map((line) => witnessed(line, evidence));
    const commands = causes.map((cause) => [commandsOfCause(cause, report), cause.finding] as const);
    const repeat = commands.flatMap(([lines, finding]) => (isSequence(lines, finding, report) ? lines : []));
    const [first] = causes as [Cause];
    const title = textOf(first.finding, evidence.get(first.finding.exchange ?? '') ?? null, evidence);
    const told = { title, impact: gravestOf(causes.map(impactOf)), number: all.indexOf(first) + 1 };
    const also = others.slice(0, othersToldMax).map((other) => {
      const own = report.checks.find((each) => each.id === other)?.findings.find(({ severity }) => severity === 'fail');
      return own === undefined
        ? other
        : `${other} (${clip(textOf(own, evidence.get(own.exchange ?? '') ?? null, evidence), otherCharactersMax)})`;
    });
    const alike = [...also, ...others.slice(othersToldMax)].join(', ').replace(/\.\)/g, ')');
    const own = others.filter((other) => !other.startsWith('rule/'));
    const facts = [
      ...factsOf(causes, evidence),
      ...(others.length === 0 ? [] : [`Also failing: ${alike}.`]),
      ...(own.length === 0 || !isSent(report) ? [] : [`To repeat them: ${runOf(report, ...own)}`]),
    ];
    return [{ check, ...told, others, proof, repeat, facts }];
  });
}

/** A line for each fact, for formats without headings. */
export function linesOf({ proof, facts, repeat }: Failure): string[] {
  const shown = proof.map(({ exchange, text }) => `${exchange}: ${text}.`);
  return [...shown, ...facts, ...repeat.map((command) => `Repeat: ${command}`)];
}

function witnessed({ exchange, shows }: Witness, evidence: Evidence): Failure['proof'][number] {
  const sent = evidence.get(exchange);
  return { exchange, text: `${sent === undefined ? 'a request' : nameOfRequest(sent)} ${shows}` };
}

const [othersToldMax, otherCharactersMax] = [4, 180];

function factsOf(causes: readonly Cause[], evidence: Evidence): string[] {
  return [...new Set(causes.flatMap((cause) => [...repetitions(cause, evidence), ...comparisonsOf(cause, evidence)]))];
}

function repetitions(cause: Cause, evidence: Evidence): string[] {
  const { requests, sent, same } = sequenceOf(cause, [...evidence.values()]);
  if (cause.finding.unsteady !== undefined) {
    return [
      `The command prints 0 for a response without the record. The run sent this request ${count(sent, 'time')}: ${same} without it.`,
      'Check whether several instances or caches respond, and whether one of them is out of date.',
    ];
  }
  if (same === 0 || (requests.length < 2 && (same < sent || cause.scope.of > 1))) return [];
  if (requests.length < 2) return [`The run sent this request again ${count(sent, 'time')}, with the same result.`];
  return [`The run sent these commands again, in this order: ${same} of ${sent} with the same result.`];
}

function comparisonsOf({ control, scope, ruledOut, finding }: Cause, evidence: Evidence): string[] {
  const isFirst = finding.firstRead !== undefined;
  const good = control === null ? undefined : evidence.get(control.exchange);
  const { seen, of } = scope;
  // The counts say that it is not chance.
  const others = ruledOut.filter((each) => each !== 'chance');
  const confidence = [
    ...(of > 1 ? [`${seen < of ? 'Intermittent: seen' : 'Seen'} in ${seen} of ${of} responses to this request`] : []),
    ...(others.length === 0 ? [] : [`Not the cause: ${others.join(', ')}`]),
  ];
  return [
    ...(good === undefined
      ? []
      : [`Control request: ${nameOfRequest(good)} returned ${good.status}; it differs in ${control?.differsIn}.`]),
    ...(isFirst
      ? ['The control request is the first read of its record, and shows another value: a cache can explain it.']
      : []),
    ...(scope.varied.length === 0 ? [] : [`Scope: ${scope.varied.map(variedText).join('; ')}.`]),
    ...confidence.map((each) => `${each}.`),
  ];
}

/** `3 of 3 values of path fail`, `not with range=7d`. */
function variedText({ part, failing, of, passing }: Varied): string {
  const except = passing.map((value) => clip(value, valueCharactersMax)).join(' or ');
  const all = failing === 1 ? [] : [`${failing} of ${of} values of ${part} fail`];
  return [...all, ...(except === '' ? [] : [`not with ${except}`])].join(', ');
}

const valueCharactersMax = 80;

// The sentence of a finding: the request, the returned value, and the expected value.

const partCharactersMax = 400;
const targetCharactersMax = 160;

/** The response is null for a finding about several responses. */
function textOf(finding: Finding, exchange: StoredExchange | null, evidence: Evidence): string {
  const { expected, message, count: times, unsteady } = finding;
  const seen = exchange === null ? observed(finding) : `${nameOfRequest(exchange)} ${returned(finding)}`;
  const isSaid = unsteady !== undefined && expected.includes(unsteady.record);
  return [
    ...(unsteady === undefined ? [] : [unsteadyText(unsteady, evidence)]),
    ...(isSaid ? [] : [`${named(seen, evidence)}; expected ${named(clip(expected, partCharactersMax), evidence)}.`]),
    ...(message === undefined ? [] : [asSentence(clip(message, partCharactersMax))]),
    ...(times > 1 ? [`Found ${count(times, 'time')}.`] : []),
  ].join(' ');
}

/** Leads the sentence of a check that met it, for example in a page after a cursor. */
function unsteadyText({ record, exchanges, without }: Unsteady, evidence: Evidence): string {
  const read = evidence.get(exchanges[0] ?? '');
  const request = read === undefined ? '' : ` ${nameOfRequest(read)}`;
  const lacking = `a list without ${clip(record, partCharactersMax)}, which the other responses contain`;
  return `${without.length} of ${exchanges.length} identical requests${request} returned ${lacking}.`;
}

function observed({ actual, pointer }: Finding): string {
  return `Observed ${clip(actual, partCharactersMax)}${placeOf(actual, pointer)}`;
}

function returned({ actual, pointer }: Finding): string {
  const header = headerIn(pointer);
  const problem = /^no response: (.*)$/.exec(actual)?.[1];
  if (problem !== undefined) return `got no response (${clip(problem, partCharactersMax)})`;
  if (header !== null && /^(nothing|absent)$/.test(actual)) return `returned no ${header} header`;
  return `returned ${clip(actual, partCharactersMax)}${placeOf(actual, pointer)}`;
}

/** A whole list or response needs no pointer. */
const whole = /^(#status|\/data(\/(calls|reviews|accounts|pendingInvites))?)?$/;

/** ` at /data/0/id`, ` in the date header`. */
function placeOf(actual: string, pointer: string): string {
  const header = headerIn(pointer);
  if (header !== null) return ` in the ${header} header`;
  if (pointer === '#headers') return ' in the headers';
  if (pointer === '#body') return ' as body';
  return whole.test(pointer) && actual !== 'nothing' ? '' : ` at ${clip(pointer, partCharactersMax)}`;
}

function headerIn(pointer: string): string | null {
  return /^#header\/(.+)$/.exec(pointer)?.[1] ?? null;
}

const keyWords = {
  good: '',
  second: ' with the second key',
  revoked: ' with the revoked key',
  none: ' without a key',
  wrong: ' with an invalid key',
} as const;

/** `GET /sites without a key`; a request to the MCP endpoint by its tool or method. */
function nameOfRequest({ method, target, key, operation, requestBody: { text } }: StoredExchange): string {
  const rpc = operation === null && text !== null ? /"method":"([a-z/]{1,40})"/.exec(text)?.[1] : undefined;
  const tool = rpc === 'tools/call' ? /"name":"([\w.-]{1,60})"/.exec(text ?? '')?.[1] : undefined;
  if (rpc !== undefined) return `${tool ?? `MCP ${rpc}`}${keyWords[key]}`;
  const readable = clip(target, targetCharactersMax).replace(/%3A/gi, ':').replace(/%2C/gi, ',');
  return `${method} ${readable}${keyWords[key]}`;
}

/** `as in x2` names a request of the run, so readers need not look it up. */
function named(text: string, evidence: Evidence): string {
  return text.replace(/\b(as in|the same as|of) (x\d+)\b/g, (whole, word, id) => {
    const other = evidence.get(id);
    return other === undefined ? whole : `${word} ${nameOfRequest(other)} (${id})`;
  });
}

function asSentence(text: string): string {
  const begun = text.replace(/^[a-z](?=[a-z]* )/, (letter) => letter.toUpperCase());
  return `${begun}${/[.!?…]$/.test(text) ? '' : '.'}`;
}

/** The words for results in reports for people, and their meanings. JSON, flags and config use the kinds. */
export const resultWords: Readonly<Record<ResultKind, readonly [word: string, meaning: string]>> = {
  fail: ['failed', 'a response contradicts the contract'],
  error: ['with errors', 'the test tool could not carry out the check'],
  warn: ['warned', 'a response ignores a recommendation, or the contract contradicts itself'],
  pass: ['passed', 'no response contradicts the contract, and at least one could have'],
  note: ['noted', 'the contract leaves the behavior open'],
  inconclusive: ['not decided', 'the responses of this run are not enough for a result'],
  skipped: ['not tested', 'no request was sent: an option, a key or time was missing'],
};

/** In the order of severity, zeros left out. */
export function countsIn({
  summary,
}: Pick<Report, 'summary'>): readonly (readonly [kind: ResultKind, number: number])[] {
  return resultKinds.flatMap((kind) => (summary[kind] === 0 ? [] : [[kind, summary[kind]] as const]));
}

/** `not decided (not enough data): fewer than two calls`, `not tested: needs --watch`. */
export function reasonOf(check: CheckResult): string {
  const { kind, reason, message } = check.result;
  const why = reason === undefined ? '' : ` (${groupOf(check).toLowerCase()})`;
  return `${resultWords[kind][0]}${why}${message === undefined ? '' : `: ${message}`}`;
}

/** Rules without a matching response. */
export const idleGroup = 'No matching response';
const writes = Object.values(operations).filter(({ method }) => method !== 'GET');
const writeShapes = new Set(writes.map(({ id }) => `rule/${kebab(id)}-shape`));

export function checksWith(report: Report, ...kinds: readonly ResultKind[]): CheckResult[] {
  return kinds.flatMap((kind) => report.checks.filter(({ result }) => result.kind === kind));
}

const groups: Readonly<Record<InconclusiveReason, string>> = {
  precondition: 'Requirement not met',
  vacuous: 'Not enough data',
  timing: 'Timing not exact enough',
  interference: 'Other users or a rate limit interfered',
  platform: 'Platform or network trouble',
  budget: 'Request or time limit reached',
  unreachable: 'Not reachable from this machine',
};

const blocked = /^blocked by \S+$/;

/** Why a check is inconclusive, as a reader needs it. */
function groupOf({ id, result: { reason = 'vacuous', message = '' } }: CheckResult): string {
  if (id.startsWith('rule/') && reason === 'vacuous')
    return writeShapes.has(id) ? `${idleGroup} (needs --allow-writes)` : idleGroup;
  return blocked.test(message) ? 'Blocked by another check' : groups[reason];
}

/** Inconclusive checks by reason, in the order of the run. */
export function inconclusiveByGroup(report: Report): Map<string, CheckResult[]> {
  return grouped(checksWith(report, 'inconclusive'), groupOf);
}

// The progress of a run, and its requests.

export function reachText(report: Pick<Report, 'coverage'>): string {
  const { visible, violated, warned, verified, untested } = reachOf(report);
  const grave = [...(violated === 0 ? [] : [`${violated} failed`]), ...(warned === 0 ? [] : [`${warned} warned`])];
  return `${[...grave, `${verified} verified`, `${untested} not tested`].join(', ')} (of ${visible})`;
}

/** Said wherever the bodies of a run are, or are not, kept. */
export const keptBodiesText = 'complete in JSON and HAR reports, with personal data (--keep-bodies)';

export function effortText(report: Report): string {
  const { plan, used, recorded } = report;
  if (recorded !== null) {
    const { judged, others, withoutBody } = recorded;
    return [
      `nothing; ${count(judged, 'recorded exchange')} of ${report.target} checked`,
      ...(withoutBody === 0 ? [] : [`${count(withoutBody, 'body', 'bodies')} not recorded`]),
      ...(others === 0 ? [] : [`${count(others, 'entry', 'entries')} left out`]),
    ].join('; ');
  }
  const again = repeatsOf(report);
  // A report without a separate run has no plan.
  return [
    `${count(used.requests, 'request')} in ${used.seconds.toFixed(1)} s${report.isMockTime ? ' (mock time)' : ''}`,
    ...(again === null ? [] : [again]),
    ...(plan.requests.ceiling === 0 ? [] : [`planned ${rangeText(plan.requests)}, at most ${requestsInAll(plan)}`]),
  ].join('; ');
}
