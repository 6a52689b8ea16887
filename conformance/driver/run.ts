// One run from plan to report: scenarios ask, the history records, and checks judge it. No scenario and no check can
// end it: an error of ours becomes the result of the checks that are concerned.
import { UsageError } from '../../src/terminal/usage-error.ts';
import { readVersion } from '../../src/terminal/version.ts';
import { observe, observeOne } from '../behaviors/observe.ts';
import type { PaceSettings } from '../exchange/lanes.ts';
import { type Judged, judgeRules, type Rule } from '../judge/judge.ts';
import type { CheckResult } from '../judge/result.ts';
import { type Judging, type Outcome, resultOf } from '../judge/verdict.ts';
import { coverClauses, type LeftOut, requirementsOf } from '../report/coverage.ts';
import { causesOf } from '../report/diagnosis/causes.ts';
import { withProofs } from '../report/diagnosis/proof.ts';
import { unsteadyIn } from '../report/diagnosis/scope.ts';
import { redactReport, redactResult } from '../report/redact.ts';
import {
  type Abort,
  contractVersion,
  evidenceIn,
  numberOf,
  type Report,
  type StoredExchange,
  store,
  summarize,
  toolName,
} from '../report/report.ts';
import { furtherMax, furtherRequests } from '../scenarios/further.ts';
import {
  chooseFrom,
  inOrder,
  isOfAudit,
  makePlan,
  type Plan,
  type Planned,
  requestsInAll,
  requestsMaxOf,
  selectFrom,
} from '../scenarios/plan/plan.ts';
import { confirming, rereading } from '../scenarios/scenario.ts';
import { repeatsOf } from './again.ts';
import { drive } from './drive.ts';
import { catalogOf } from './options.ts';
import { type Deadline, TimeUp, tooLong } from './pace/clock.ts';
import { troubleOf } from './pace/patience.ts';
import { downInTheMiddle, preflight, whyShut } from './preflight.ts';
import { isEmptyOrganization, restored } from './recorded.ts';
import { controlsMax, revalidate } from './revalidate.ts';
import { historyOf, makeSender, type Sender } from './sender.ts';
import type { Session } from './session.ts';

export const stoppedSentence = 'The run was stopped before its end.';
const stoppedByUser: Abort = { exitCode: 4, sentence: stoppedSentence };

/** The scenarios and checks of a run. */
interface Asking {
  readonly planned: readonly Planned[];
  readonly checks: readonly Judged[];
  readonly rules: readonly Rule[];
  readonly outcomes: Map<string, Outcome>;
  readonly plan: Plan;
  /** The requests of the audit; null without a limit. */
  readonly requestsMax: number | null;
}

/** Preflight, scenarios, report. It always comes to a report: a target can make it short, never make it throw. */
export async function run(session: Session): Promise<Report> {
  const { emit } = session;
  const startedAt = session.clock.now();
  const asking = { ...chosenFor(session), outcomes: new Map<string, Outcome>() };
  const { plan } = asking;
  emit({ kind: 'plan', plan, target: session.address });
  // A normal run takes the time of its plan. A slow service can double it, and a limiter can add five minutes.
  session.deadline.start(session.settings.maxTimeMs || (2 * plan.seconds.ceiling + plan.requests.ceiling + 300) * 1000);
  const { calibrate = false, reads = [], readsFirst = [] } = session.options;
  const own = (calibrate === false ? 0 : furtherMax) + reads.length + readsFirst.length + 2 * controlsMax;
  session.client.allow(requestsInAll(plan) + own);
  const { abort, sites } = await arrive(session).catch((error) => outOfTimeAtStart(error, session));
  emit({ kind: 'preflight', abort: abort && { ...abort, sentence: session.redact(abort.sentence) } });
  const sender = makeSender(session, sites);
  if (abort === null) await drive(sender, rereading(readsFirst));
  let finished: Finished = abort === null ? await askAll(asking, sender, session) : { abort, isShut: true };
  if (finished.abort === null) {
    for (const check of asking.checks) await drive(sender, confirming(check));
    finished = { abort: await sendLast(asking, sender, session) };
  }
  const endedAt = session.clock.now();
  const report = reportOf(session, { ...finished, asking, startedAt, endedAt });
  for (const result of report.checks) emit({ kind: 'check-end', result });
  emit({ kind: 'done', report });
  return report;
}

interface Ended extends Finished {
  readonly asking: Asking;
  readonly startedAt: number;
  readonly endedAt: number;
}

/** Everything in it follows from the exchanges, the outcomes of the scenarios, and the options. */
function reportOf(session: Session, { asking, abort, isShut = false, startedAt, endedAt }: Ended): Report {
  const { options, settings } = session;
  const evidence = evidenceIn(session.exchanges, abort);
  // A run that ended in the preflight has checked one response, which might not come from the service.
  const done = isShut ? [] : resultsOf(asking, session, abort);
  const requirements = requirementsOf(session.settings.requirements);
  const report: Report = {
    tool: toolName,
    toolVersion: readVersion(),
    contractVersion,
    requirements,
    target: session.address,
    runId: settings.runId,
    startedAt: new Date(startedAt).toISOString(),
    isMockTime: settings.control !== null,
    plan: asking.plan,
    scenarios: asking.planned.flatMap(({ scenario: { id } }) => storedOutcome(id, asking.outcomes.get(id))),
    used: { requests: session.exchanges.length, seconds: (endedAt - startedAt) / 1000 },
    recorded: null,
    summary: summarize(done),
    ...stored(session, done),
    coverage: coverClauses(done, leftOut(session, done), requirements),
    behaviors: observe({ ...session, exchanges: evidence, results: done }),
    isEmpty: isEmptyOrganization(evidence),
    abort,
    keepsBodies: settings.keepBodies,
    inputs: session.inputs,
    unsteady: [...new Set(options.readsFirst)].filter(
      (path) => unsteadyIn(session.exchanges.filter(({ target, key }) => target === path && key === 'good')) !== null,
    ),
  };
  return redactReport(withProofs(report, evidence), session.secrets);
}

/** Parts of a report that a recorded run needs in addition to its options. */
export type Recording = Pick<Report, 'startedAt' | 'scenarios' | 'used' | 'abort'> & {
  readonly exchanges: readonly StoredExchange[];
};

/** The report of a recorded run, from its exchanges. Sends nothing. */
export function reportAgain(opened: Session, recording: Recording): Report {
  const { exchanges, scenarios = [], startedAt: at, used, abort } = recording;
  const { secrets, target } = opened;
  const session = { ...opened, exchanges: restored(exchanges, secrets, target.mcpUrl?.pathname ?? null) };
  const asking = { ...chosenFor(session), outcomes: new Map(scenarios.map(({ id, ...rest }) => [id, rest])) };
  const startedAt = Date.parse(at);
  const endedAt = startedAt + used.seconds * 1000;
  return reportOf(session, { asking, abort, startedAt, endedAt });
}

function storedOutcome(id: string, outcome: Outcome | undefined) {
  return outcome === undefined ? [] : [{ id, ...outcome }];
}

/** Throws a UsageError for globs that select nothing. */
export function chosenFor(session: Session): Omit<Asking, 'outcomes'> {
  const { settings, capabilities, target, pace, latencyMs } = session;
  const { sent = [], asks = [], calibrate = false } = session.options;
  const catalog = catalogOf(target, session.catalog);
  const { isSelected } = selectFrom(catalog, settings);
  const checks = catalog.checks.filter(({ id }) => isSelected(id));
  if (target.kind === 'mcp' && checks.length === 0)
    throw new UsageError('--only selects no check of the MCP endpoint, the only checks of conformance mcp.');
  const chosen = chooseFrom(catalog, { settings, capabilities, sent, asks });
  const isOfMcpEndpoint = target.kind === 'mcp';
  const usualMinutes = calibrate === false ? 2 : 1;
  // A calibration runs one minute by default, and looks for behavior instead of defects.
  const isChoice = settings.only.length + settings.skip.length > 0 || isOfMcpEndpoint || usualMinutes === 1;
  const requestsMax = requestsMaxOf(chosen, { settings, pace, isOfMcpEndpoint, usualMinutes });
  const planned = inOrder(chosen, catalog.scenarios, requestsMax);
  const { maxWrites } = settings;
  const options = { pace: paceWith(pace, latencyMs), maxWrites, requestsMax, target: target.kind, isChoice };
  const plan = makePlan(planned, checks, options);
  return { planned, checks, rules: catalog.rules.filter(({ id }) => isSelected(id)), plan, requestsMax };
}

interface Finished {
  readonly abort: Abort | null;
  /** The response does not come from the service, so nothing is checked. */
  readonly isShut?: boolean;
}

/** Decides after every scenario whether to continue: a stop by the user, the target's end, the time. */
async function askAll(asking: Asking, sender: Sender, session: Session): Promise<Finished> {
  const { planned, outcomes, checks, requestsMax } = asking;
  const { client, deadline, emit } = session;
  const { host } = session.target.baseUrl;
  const room = roomFor(requestsMax ?? Number.POSITIVE_INFINITY, session);
  const failed = new Set<string>();
  let isOver = false;
  for (const [index, { scenario, skipped }] of planned.entries()) {
    if (session.options.signal?.aborted) return { abort: stoppedByUser };
    const { id } = scenario;
    if (skipped !== null) outcomes.set(id, { kind: 'skipped', message: skipped });
    else if (deadline.isOver()) {
      isOver = true;
      outcomes.set(id, { kind: 'left out', message: tooLong(deadline.seconds()) });
    } else if (!room.has(scenario)) outcomes.set(id, { kind: 'left out', message: beyondRequests });
    else {
      emit({ kind: 'scenario', id, index: index + 1, total: planned.length });
      const outcome = await room.spend(scenario, () => drive(sender, scenario));
      outcomes.set(id, outcome);
      const own = checks.filter(({ scenarios = [] }) => scenarios.includes(id));
      const news = await judgeSoFar(own, { asking, sender, session });
      for (const result of news.filter((one) => !failed.has(one.id))) {
        failed.add(result.id);
        emit({ kind: 'failure', result: redactResult(result, session.redact) });
      }
      const abort = await revalidate(session, news.length > 0);
      if (abort !== null) return { abort };
      const shut = await whyMcpEndpointShut(session);
      if (shut !== null) return { abort: shut, isShut: true };
      if (isGone(session)) return { abort: downInTheMiddle(host, client.lostSince()) };
    }
  }
  if (isOver) return { abort: timeIsUp(deadline) };
  // Bursts do not retry lost responses; the last lost one can mean that the service went down.
  await client.decideAtEnd();
  return { abort: isGone(session) ? downInTheMiddle(host, client.lostSince()) : null };
}

interface SoFar {
  readonly asking: Asking;
  readonly sender: Sender;
  readonly session: Session;
}

/** The checks of a scenario that fail. Their requests are sent again at once, before the data change. */
async function judgeSoFar(checks: readonly Judged[], { asking, sender, session }: SoFar): Promise<CheckResult[]> {
  for (const check of checks) await drive(sender, confirming(check));
  const judging = judgingOf(asking, session, null);
  return checks
    .flatMap((check) => resultOf(check, judging) ?? [])
    .filter(({ result: { kind } }) => kind === 'fail' || kind === 'error');
}

function judgingOf({ outcomes }: Pick<Asking, 'outcomes'>, session: Session, abort: Abort | null): Judging {
  const exchanges = evidenceIn(session.exchanges, abort);
  const since = abort?.since === undefined ? Number.POSITIVE_INFINITY : numberOf({ id: abort.since });
  return {
    history: historyOf({ ...session, exchanges }),
    outcomes,
    ...(abort === null ? {} : { ended: { sentence: abort.sentence, since } }),
  };
}

function resultsOf(asking: Asking, session: Session, abort: Abort | null): CheckResult[] {
  const judging = judgingOf(asking, session, abort);
  const ofChecks = asking.checks.flatMap((check) => resultOf(check, judging) ?? []);
  return [...ofChecks, ...judgeRules(asking.rules, evidenceIn(session.exchanges, abort), session)];
}

const beyondRequests = 'not enough requests in this run: use --only, or a larger --minutes';

/** A scenario starts only if all its requests are left. Those that need a permission have their own. */
function roomFor(most: number, { exchanges }: Session) {
  let spentByOthers = 0;
  // Confirmations come on top: a violation must not stay hidden for lack of requests.
  const spent = () => exchanges.filter(({ confirms }) => confirms === undefined).length - spentByOthers;
  return {
    has: (scenario: Planned['scenario']) => !isOfAudit(scenario) || spent() + scenario.cost.most <= most,
    async spend<Result>(scenario: Planned['scenario'], work: () => Promise<Result>): Promise<Result> {
      const before = spent();
      const result = await work();
      if (!isOfAudit(scenario)) spentByOthers += spent() - before;
      return result;
    },
  };
}

function stored({ exchanges, settings }: Session, checks: readonly CheckResult[]) {
  // Bodies are customer data, also on this machine: a loopback port can be a tunnel.
  return { checks, exchanges: exchanges.map((exchange) => store(exchange, settings.keepBodies)) };
}

/** Requests after the checks: of a calibration, and those that show how often a failure occurs. */
async function sendLast(asking: Asking, sender: Sender, session: Session): Promise<Abort | null> {
  const { calibrate = false, reads = [] } = session.options;
  await drive(sender, rereading(reads));
  if (calibrate !== false) {
    const known = { ...session, results: resultsOf(asking, session, null) };
    const wanted = calibrate === true ? null : calibrate;
    await drive(
      sender,
      furtherRequests((id) => observeOne(id, known), wanted),
    );
  }
  const results = resultsOf(asking, session, null);
  const found = stored(session, results);
  const hasFailed = results.some(({ result }) => result.kind === 'fail');
  const causes = hasFailed ? causesOf(withProofs(found, session.exchanges)) : [];
  await drive(sender, repeatsOf(causes, found.exchanges));
  return revalidate(session, false);
}

/** For an MCP endpoint alone, no request is valid at every service: its first check is the preflight. */
async function arrive({ target, client, speaksTls }: Session): ReturnType<typeof preflight> {
  return target.kind === 'mcp' ? { abort: null, sites: null } : preflight(client, target.baseUrl, speaksTls);
}

/** Why an MCP endpoint that is checked alone rejects the client, unless the service is at fault. */
async function whyMcpEndpointShut({ target, exchanges, speaksTls }: Session): Promise<Abort | null> {
  const last = exchanges.at(-1);
  const isOpen = exchanges.some(({ status, json }) => status === 200 && json !== undefined);
  if (target.kind !== 'mcp' || isOpen || last === undefined) return null;
  return whyShut({ exchange: last, trouble: troubleOf(last) }, target.baseUrl, speaksTls);
}

/** A limiter that rejects everything. */
function isGone({ client }: Session): boolean {
  const down = client.isDown();
  return down !== null && down !== 'interference';
}

/** The limits that an earlier run has used up may leave no time for the first request. */
function outOfTimeAtStart(error: unknown, { deadline, options }: Session): { abort: Abort; sites: null } {
  if (!(error instanceof TimeUp)) throw error;
  return { abort: options.signal?.aborted ? stoppedByUser : timeIsUp(deadline), sites: null };
}

/** Exit code 4: open clauses might be violated. */
function timeIsUp(deadline: Deadline): Abort {
  const sentence = `The run did not end within ${deadline.seconds()} s, so some checks could not be decided: choose fewer with --only, or a smaller --minutes.`;
  return { exitCode: 4, sentence };
}

/** Requests leave one by one: responses that are slow set the pace. */
function paceWith(pace: PaceSettings, latencyMs: number): PaceSettings {
  return pace.spacingMs === 0 ? pace : { ...pace, spacingMs: Math.max(pace.spacingMs, latencyMs) };
}

const ofRest = 'checks the REST service, which needs --base-url URL';

/** Checks that --only passes over, and checks that a run which ended early did not reach. */
function leftOut({ target, catalog: { checks, rules } }: Session, done: readonly CheckResult[]): LeftOut {
  const catalog = catalogOf(target, { checks, rules, scenarios: [] });
  const others = [...checks.map(({ id, clauses: cites }) => ({ id, cites })), ...rules].filter(
    ({ id }) => !done.some((result) => result.id === id),
  );
  const isOffered = new Set([...catalog.checks, ...catalog.rules].map(({ id }) => id));
  return {
    checks: others.map((each) => (isOffered.has(each.id) ? each : { ...each, why: ofRest })),
    why: 'did not run',
  };
}
