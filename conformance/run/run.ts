// One run from plan to report. No check can end it: an error that a check throws becomes that check's result.

import { UsageError } from '../../src/terminal/usage-error.ts';
import { readVersion } from '../../src/terminal/version.ts';
import { causesOf } from '../diagnosis/causes.ts';
import { withProofs } from '../diagnosis/proof.ts';
import { unsteadyIn } from '../diagnosis/unsteady.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { CheckResult, Result } from '../judge/result.ts';
import type { Rule } from '../judge/rule.ts';
import { observe, observeOne } from '../observe/observe.ts';
import { RequestsUp, TargetDown } from '../pace/client.ts';
import { type Deadline, TimeUp, tooLong } from '../pace/clock.ts';
import type { PaceSettings } from '../pace/lanes.ts';
import { troubleOf } from '../pace/patience.ts';
import { type Budget, drawForward, makeBudget, rankOf, type Sent } from '../plan/budget.ts';
import {
  type Catalog,
  isOfAudit,
  makePlan,
  mostOfReads,
  type Plan,
  type PlanOptions,
  readsOf,
  requestsInAll,
  selectFrom,
  stepsOf,
  whySkipped,
} from '../plan/plan.ts';
import { depthsOf, expectationOf, type Order, requestsPerMinute, turnOfRun, usualOrder } from '../plan/priority.ts';
import { needs } from '../probe/capabilities.ts';
import { type Check, phases, withTime } from '../probe/check.ts';
import { nameOfShared, responseOf } from '../probe/probe.ts';
import { coverClauses, type LeftOut, type PlannedCheck } from '../report/coverage.ts';
import { redactReport, redactResult } from '../report/redact.ts';
import { type Abort, contractVersion, evidenceIn, type Report, store, summarize, toolName } from '../report/report.ts';
import { isEmptyOrganization } from './empty-organization.ts';
import { furtherMax, sendAgain, sendFurtherRequests } from './further.ts';
import { catalogOf, isOfMcpEndpoint, type RunEvent, type RunOptions } from './options.ts';
import { downInTheMiddle, preflight, whyShut } from './preflight.ts';
import { beforeEnd, controlsMax, type Finished, revalidate, rulesOn, withoutLater } from './revalidate.ts';
import { beyondRequests, leaveOut, runWithin } from './run-check.ts';
import { applyRules, type RuleRun, type Session } from './session.ts';

export interface RunParts extends Catalog {
  readonly session: Session;
  readonly calibrate?: RunOptions['calibrate'];
  readonly reads?: RunOptions['reads'];
  readonly readsFirst?: RunOptions['readsFirst'];
  emit(event: RunEvent): void;
}

export const stoppedSentence = 'The run was stopped before its end.';
const stoppedByUser: Abort = { exitCode: 4, sentence: stoppedSentence };

const mcpEndpointId = 'mcp/door';

/** Preflight, checks by phase, report. It always comes to a report: a target can make it short, never make it throw. */
export async function run(parts: RunParts): Promise<Report> {
  const { session } = parts;
  const startedAt = session.clock.now();
  const catalog = catalogOf(session.target, parts);
  const planned = planChecks(session, catalog);
  const plan = planOf(planned, session);
  parts.emit({
    kind: 'plan',
    plan,
    steps: stepsOf(chosenOf(planned), planOptions(session, chosenOf(planned)).pace),
    target: session.address,
  });
  const { isSelected } = selectFrom(catalog, session.settings);
  const selected = catalog.rules.filter(({ id }) => isSelected(id));
  session.deadline.start(session.settings.maxTimeMs || usualTimeMs(plan));
  const { calibrate = false, reads = [], readsFirst = [] } = parts;
  const own = (calibrate === false ? 0 : furtherMax) + reads.length + readsFirst.length + 2 * controlsMax;
  session.client.allow(requestsInAll(plan) + own);
  const ruleRun = applyRules(selected, session);
  session.onExchange((exchange) => {
    ruleRun.check(exchange);
    parts.emit({ kind: 'exchange', exchange });
  });
  const { abort, sites } = await arrive(session).catch((error) => outOfTimeAtStart(error, session));
  parts.emit({ kind: 'preflight', abort: abort && { ...abort, sentence: session.redact(abort.sentence) } });
  const response = sites === null ? Promise.reject(new Error('not asked')) : Promise.resolve(sites).then(responseOf);
  response.catch(() => undefined);
  session.shared.set(nameOfShared('listSites'), response);
  if (abort === null) await unlessUp(() => sendReads(session, readsFirst));
  let finished: Finished = abort === null ? await runChecks(planned, parts) : { done: [], abort };
  if (finished.abort === null) finished = { ...finished, abort: await sendLast(parts, finished.done, ruleRun) };
  const evidence = evidenceIn(session.exchanges, finished.abort);
  // A run that ended in the preflight has checked one response, which might not come from the service.
  const isShut = abort !== null || finished.isShut === true;
  const done = isShut ? [] : [...beforeEnd(finished), ...rulesOn(evidence, { session, ruleRun, selected })];
  const report: Report = {
    tool: toolName,
    toolVersion: readVersion(),
    contractVersion,
    target: session.address,
    runId: session.settings.runId,
    startedAt: new Date(startedAt).toISOString(),
    isMockTime: session.settings.control !== null,
    plan,
    used: { requests: session.exchanges.length, seconds: (session.clock.now() - startedAt) / 1000 },
    recorded: null,
    summary: summarize(done),
    ...stored(session, done),
    coverage: coverClauses(done, leftOut(parts, done)),
    behaviors: observe({ ...session, exchanges: evidence, results: done }),
    isEmpty: isEmptyOrganization(evidence),
    abort: finished.abort,
    keepsBodies: session.keepsBodies,
    inputs: session.inputs,
    unsteady: [...new Set(readsFirst)].filter((path) => isUnsteady(path, session.exchanges)),
  };
  const clean = redactReport(withProofs(report, evidence), session.secrets);
  parts.emit({ kind: 'done', report: clean });
  return clean;
}

function isUnsteady(path: string, exchanges: readonly Exchange[]): boolean {
  return unsteadyIn(exchanges.filter(({ target, key }) => target === path && key === 'good')) !== null;
}

function stored({ exchanges, keepsBodies }: Session, checks: readonly CheckResult[]) {
  return { checks, exchanges: exchanges.map((exchange) => store(exchange, keepsBodies)) };
}

/** Requests after the checks: of a calibration, and those that show how often a failure occurs. */
async function sendLast(parts: RunParts, results: readonly CheckResult[], ruleRun: RuleRun): Promise<Abort | null> {
  const { session } = parts;
  await unlessUp(() => sendFurther(parts, results));
  const checks = [...results, ...ruleRun.finish()];
  const hasFailed = checks.some(({ result }) => result.kind === 'fail');
  const found = stored(session, checks);
  const causes = hasFailed ? causesOf(withProofs(found, session.exchanges)) : [];
  await unlessUp(() => sendAgain(session, causes, found.exchanges));
  return revalidate(session, false);
}

async function sendFurther({ session, calibrate = false, reads = [] }: RunParts, done: readonly CheckResult[]) {
  await sendReads(session, reads);
  const wanted = calibrate === true ? {} : { wanted: calibrate || [] };
  if (calibrate !== false)
    await sendFurtherRequests(session, (id) => observeOne(id, { ...session, results: done }), wanted);
}

async function sendReads({ client }: Session, targets: readonly string[]): Promise<void> {
  for (const path of targets) await client.deliver({ method: 'GET', path });
}

/** Out of time or requests, a run keeps its results. */
async function unlessUp(send: () => Promise<void>): Promise<void> {
  try {
    await send();
  } catch (error) {
    if (!(error instanceof TimeUp || error instanceof TargetDown || error instanceof RequestsUp)) throw error;
  }
}

/** For an MCP endpoint alone, no request is valid at every service: its first check is the preflight. */
async function arrive({ target, client, speaksTls }: Session): ReturnType<typeof preflight> {
  return target.kind === 'mcp' ? { abort: null, sites: null } : preflight(client, target.baseUrl, speaksTls);
}

/** Why an MCP endpoint that is checked alone rejects the client, unless the service is at fault. */
async function whyMcpEndpointShut({ id, result: outcome }: CheckResult, session: Session): Promise<Abort | null> {
  const last = session.exchanges.at(-1);
  if (session.target.kind !== 'mcp' || id !== mcpEndpointId || outcome.kind === 'pass' || last === undefined)
    return null;
  return whyShut({ exchange: last, trouble: troubleOf(last) }, session.target.baseUrl, session.speaksTls);
}

/** Every check in order, with the reason why it is left out, if it is. Reads the globs of the user. */
export function planChecks(session: Session, catalog: Catalog): PlannedCheck[] {
  const { settings, capabilities, target } = session;
  const { isSelected } = selectFrom(catalog, settings);
  const ordered = phases.flatMap((phase) => catalog.checks.filter((check) => check.phase === phase));
  const wanted = ordered.filter((check) => settings.only.length === 0 || isSelected(check.id));
  if (target.kind === 'mcp' && wanted.length === 0)
    throw new UsageError('--only selects no check of the MCP endpoint, the only checks of conformance mcp.');
  const skippedBy = (check: Check) => (isSelected(check.id) ? whySkipped(check, capabilities) : 'left out by --skip');
  const possible = wanted.filter((check) => skippedBy(check) === null);
  const requestsMax = requestsMaxOf(session, possible);
  const depths = depthsOf(possible, { ...session.priority, requestsMax, turn: turnOfRun(settings.seed) });
  // In a run of eight minutes, other checks with a permission can take the requests.
  const isLong = requestsGiven(session) >= 8 * requestsPerMinute;
  const beyond = isLong ? beyondRequests : `needs ${needs.extended.flag}`;
  return wanted.map((sample) => {
    const depth = depths.get(sample.id) ?? 'sample';
    const check = depth === 'all' ? withTime(sample) : sample;
    const skipped = skippedBy(sample) ?? (depths.has(sample.id) ? null : beyond);
    return { check, sample, depth, skipped };
  });
}

/** The checks that send more than in a run of one minute. */
function furtherOf(planned: readonly PlannedCheck[]): string[] {
  return planned.filter((each) => each.skipped === null && isFurther(each)).map(({ check: { id } }) => id);
}

export function planOf(planned: readonly PlannedCheck[], session: Session): Plan {
  const options = planOptions(session, chosenOf(planned));
  const plan = makePlan(chosenOf(planned), options);
  const expected = expectationOf(plan, furtherOf(planned), options.pace.spacingMs);
  // A calibration runs one minute by default, and looks for behavior instead of defects.
  const isChoice =
    session.settings.only.length + session.settings.skip.length > 0 ||
    session.target.kind === 'mcp' ||
    session.usualMinutes === 1;
  return { ...plan, expected: isChoice ? { ...expected, defectsFound: null } : expected };
}

/** Whether a check sends more than in a run of one minute. */
function isFurther({ check, depth }: PlannedCheck): boolean {
  return depth === 'all' && usualOrder.steps.some((step) => step.check === check.id);
}

function chosenOf(planned: readonly PlannedCheck[]): Check[] {
  return planned.filter(({ skipped }) => skipped === null).map(({ check }) => check);
}

const isRepeat = ({ repeatOf }: Exchange) => repeatOf !== null;

/** Decides after every check whether to continue: a stop by the user, the target's end, the time. */
async function runChecks(planned: readonly PlannedCheck[], parts: RunParts): Promise<Finished> {
  const done: CheckResult[] = [];
  const endedAt = new Map<string, number>();
  const { session } = parts;
  const { exchanges, client, deadline } = session;
  const { host } = session.target.baseUrl;
  const sent = (): Sent => ({
    requests: exchanges.length,
    repeats: exchanges.filter(isRepeat).length,
    reads: session.shared.has(nameOfShared('listCalls')) ? ['call snapshot'] : [],
  });
  const samples = planned.flatMap(({ sample, skipped }) => (skipped === null ? [sample] : []));
  const { order } = session.priority;
  const shared = session.priority.sent && { further: furtherOf(planned) };
  const budget = makeBudget(samples, { requestsMax: requestsMaxOf(session, samples), order, ...shared }, sent);
  const deferred = new Set<string>();
  const left = [...planned];
  for (let index = 0; left.length > 0; index += 1) {
    moveForward(left, budget);
    const next = left.shift() as PlannedCheck;
    const { check, skipped } = next;
    if (skipped === null && !deferred.has(check.id) && isTooEarly(next, left, { budget, deferred })) {
      deferred.add(check.id);
      left.splice(placeAtEnd(next, left, { deferred, order }), 0, next);
      index -= 1;
      continue;
    }
    if (session.signal?.aborted) {
      return { done, endedAt, abort: stoppedByUser };
    }
    const outOf = { index: index + 1, total: planned.length };
    parts.emit({ kind: 'check-start', check, ...outOf });
    let result: CheckResult;
    if (skipped !== null) result = leaveOut(check, { kind: 'skipped', message: skipped });
    else if (deadline.isOver()) result = leaveOut(check, outOfTime(deadline));
    else result = await runWithin(next, session, { done, budget });
    endedAt.set(check.id, exchanges.length);
    const abort = skipped === null ? await revalidate(session, result.result.kind === 'fail') : null;
    if (abort !== null) result = withoutLater(result, abort);
    done.push(result);
    parts.emit({ kind: 'check-end', result: redactResult(result, session.redact), ...outOf });
    const shut = await whyMcpEndpointShut(result, session);
    if (shut !== null) return { done: [], abort: shut, isShut: true };
    if (abort !== null) return { done, endedAt, abort };
    if (isGone(session)) return { done, endedAt, abort: downInTheMiddle(host, client.lostSince()) };
  }
  const isShort = done.some(({ result: outcome }) => outcome.message === outOfTime(deadline).message);
  if (isShort) return { done, endedAt, abort: timeIsUp(deadline) };
  // Bursts do not retry lost responses; the last lost one can mean that the service went down.
  await client.decideAtEnd();
  return { done, endedAt, abort: isGone(session) ? downInTheMiddle(host, client.lostSince()) : null };
}

/** Whether a check waits for the end of the run, because requests may be left over then, or a check that it follows. */
function isTooEarly(
  { check, sample }: PlannedCheck,
  left: readonly PlannedCheck[],
  { budget, deferred }: { readonly budget: Budget; readonly deferred: ReadonlySet<string> },
): boolean {
  const isAllowed = (budget.allows(check) || budget.allows(sample)) && !budget.mustWait(sample);
  const isAfterOther = ({ check: { id } }: PlannedCheck) =>
    isAfter(check, id) || (sendsNothing(check) && deferred.has(id));
  return !isAllowed || left.some(isAfterOther);
}

/** Whether a check only looks at what the others have sent. */
function sendsNothing({ cost: { requests, confirms, uses } }: Check): boolean {
  return requests === 0 && confirms === undefined && uses === undefined;
}

function isAfter({ after, unless }: Check, id: string): boolean {
  return after?.includes(id) === true || unless?.includes(id) === true;
}

/** Deferred checks run in the order of priority, but each one after those that it follows. */
function placeAtEnd(
  { check }: PlannedCheck,
  left: readonly PlannedCheck[],
  { deferred, order }: { readonly deferred: ReadonlySet<string>; readonly order: Order },
): number {
  const least = left.findLastIndex((other) => isAfter(check, other.check.id)) + 1;
  const rankAtEnd = (one: Check) => (sendsNothing(one) ? Number.POSITIVE_INFINITY : rankOf(order, one));
  const rank = rankAtEnd(check);
  const isLater = ({ check: other }: PlannedCheck) =>
    deferred.has(other.id) && (rankAtEnd(other) > rank || isAfter(other, check.id));
  const place = left.findIndex((other, index) => index >= least && isLater(other));
  return place < 0 ? left.length : place;
}

/** Moves checks before a burst if the window after it has too few requests left; never with enough requests. */
function moveForward(left: PlannedCheck[], budget: Budget): void {
  if (budget.left() === Number.POSITIVE_INFINITY) return;
  const forward = drawForward(chosenOf(left), budget.expected);
  const isForward = ({ check }: PlannedCheck) => forward.includes(check);
  left.unshift(...left.filter(isForward), ...left.splice(0).filter((one) => !isForward(one)));
}

/** A limiter that rejects everything. */
function isGone({ client }: Session): boolean {
  const down = client.isDown();
  return down !== null && down !== 'interference';
}

/** The limits that an earlier run has used up may leave no time for the first request. */
function outOfTimeAtStart(error: unknown, { deadline, signal }: Session): { abort: Abort; sites: null } {
  if (!(error instanceof TimeUp)) throw error;
  return { abort: signal?.aborted ? stoppedByUser : timeIsUp(deadline), sites: null };
}

/** Exit code 4: open clauses might be violated. */
function timeIsUp(deadline: Deadline): Abort {
  const sentence = `The run did not end within ${deadline.seconds()} s, so some checks are inconclusive: choose fewer with --only, or a smaller --minutes.`;
  return { exitCode: 4, sentence };
}

/** A normal run takes the time of its plan. A slow service can double it, and a limiter can add five minutes. */
function usualTimeMs({ seconds, requests }: Plan): number {
  return (2 * seconds.ceiling + requests.ceiling + 300) * 1000;
}

function outOfTime(deadline: Deadline): Result {
  return { kind: 'inconclusive', reason: 'budget', message: tooLong(deadline.seconds()) };
}

function planOptions(session: Session, checks: readonly Check[]): PlanOptions {
  const { pace, latencyMs, settings, target } = session;
  const { maxWrites, seed } = settings;
  const requestsMax = requestsMaxOf(session, checks);
  return { pace: paceWith(pace, latencyMs), maxWrites, requestsMax, seed, target: target.kind };
}

/** With those of the checks that a permission opens. */
function requestsGiven({ settings: { requests, minutes }, usualMinutes }: Session): number {
  return requests || requestsPerMinute * (minutes || usualMinutes);
}

/**
 * The limit of the audit; null if time costs nothing. Permissions have their own requests. They are part of the minutes
 * that the user sets, as long as one minute is left for the audit.
 */
function requestsMaxOf(session: Session, checks: readonly Check[]): number | null {
  const { pace, target } = session;
  const { minutes, requests, watch, control } = session.settings;
  if (target.kind === 'mcp') return null;
  const isGiven = minutes > 0 || requests > 0;
  if (!isGiven && (watch || pace.spacingMs === 0 || control !== null)) return null;
  const all = requestsGiven(session);
  const others = checks.filter((check) => !isOfAudit(check)).map(withTime);
  const isRead = new Set(checks.filter(isOfAudit).flatMap((check) => [...readsOf(check)]));
  const reads = new Set(others.flatMap((check) => [...readsOf(check)]).filter((read) => !isRead.has(read)));
  const ofPermissions = others.reduce((sum, { cost }) => sum + cost.requests, mostOfReads(reads));
  return isGiven ? Math.max(Math.min(all, requestsPerMinute), all - ofPermissions) : all;
}

/** Requests leave one by one: responses that are slow set the pace. */
function paceWith(pace: PaceSettings, latencyMs: number): PaceSettings {
  return pace.spacingMs === 0 ? pace : { ...pace, spacingMs: Math.max(pace.spacingMs, latencyMs) };
}

const ofRest = 'checks the REST service, which needs --base-url URL';

/** Checks that --only passes over, and checks that a run which ended early did not reach. */
function leftOut({ session, checks, rules }: RunParts, done: readonly CheckResult[]): LeftOut {
  const others = [...checks, ...rules].filter(({ id }) => !done.some((result) => result.id === id));
  const isOther = (each: Check | Rule) =>
    session.target.kind === 'mcp' && !('phase' in each ? isOfMcpEndpoint(each) : each.isForMcp);
  return { checks: others.map((each) => (isOther(each) ? { ...each, why: ofRest } : each)), why: 'did not run' };
}
