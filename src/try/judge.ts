// Compares the client in a disturbed cell with the same client in the control cell. In doubt there is no finding,
// because a false positive costs trust.
import type { ClauseId } from '../contract/generated/clauses.ts';
import { frozenNote } from '../engine/violations/judge.ts';
import type { CellFinding } from './cell.ts';
import { type Exchange, type Observation, requestsMax } from './cell-run.ts';
import { contents } from './judge-contents.ts';
import {
  isByLateTimer,
  longestWaitMs,
  openedLinks,
  patterns,
  positions,
  staysBelow,
  unknownParameters,
  withoutKey,
} from './judge-patterns.ts';
import { firstPage, records } from './judge-records.ts';
import {
  answeredWrites,
  earlyNextRun,
  overRuns,
  recoversByRetry,
  repeatedWrites,
  secondReplies,
  shorterFiles,
  tally,
} from './judge-runs.ts';
import { isSameValue, recordFields } from './reported.ts';

/** The errors of languages: the client did not expect the response. */
const crash = /\b(TypeError|ReferenceError|SyntaxError|KeyError|AttributeError|IndexError|panic|Undefined\w+)\b/;

/** Returns the findings of a cell, at most one for each rule. `control` is null for the control cell. */
export function judge(observation: Observation, control: Observation | null): CellFinding[] {
  const isRestart = observation.cell.dimension === 'restart';
  // Two runs at the same time are judged by their writes alone, in `writesOverRuns`.
  if (observation.cell.restart?.overlaps) return [];
  const found = control
    ? isRestart
      ? [
          ...answeredWrites(observation, control),
          ...records(observation, control),
          ...shorterFiles(observation),
          ...overRuns(observation, control),
        ]
      : [
          ...repeatedWrites(observation, control),
          ...records(observation, control),
          ...values(observation, control),
          ...contents(observation, control),
          ...clientRules(observation, control),
          ...unchanged(observation, control),
          ...patterns(observation, control),
          ...ending(observation, control),
        ]
    : [
        ...clientRules(observation, null),
        ...positions(observation),
        ...withoutKey(observation),
        ...unknownParameters(observation),
        ...openedLinks(observation),
        ...secondReplies(observation),
        ...firstPage(observation),
      ];
  return found.filter(({ rule }, i) => found.findIndex((other) => other.rule === rule) === i);
}

const lateMs = 30_000;
/** Timers and clock of Node.js count whole milliseconds. */
const timerMs = 5;

/** The rules that the mock tests always. A client that sends a request twice undisturbed does not retry it. */
function clientRules(observation: Observation, control: Observation | null): CellFinding[] {
  const { cell, violations, exchanges, speed } = observation;
  const isUsual = ({ rule, requestIds }: Observation['violations'][number]) => {
    const print = exchanges.find(({ id }) => id === requestIds.at(-1))?.print;
    const times = (all: readonly Exchange[]) => all.filter((exchange) => exchange.print === print).length;
    // A busy machine delays scaled clients.
    const [before, poll] = requestIds.slice(-2).map((id) => exchanges.find((exchange) => exchange.id === id));
    const apartMs = (poll?.atMs ?? 0) - (before?.atMs ?? 0);
    // A client that needs longer than its usual wait was busy with the calls of the page.
    const usualMs = (control && longestWaitMs(control)) || Number.POSITIVE_INFINITY;
    if (rule === 'late-poll' && apartMs > 1.2 * usualMs) return true;
    if (rule === 'late-poll' && speed !== null && speed > 1) return apartMs < lateMs;
    const toldMs = 1_000 * (cell.fault?.retryAfterS ?? cell.fault?.resetS ?? 0);
    if (rule === 'early-retry' && speed !== null && speed > 1) return toldMs > 0 && toldMs - apartMs < timerMs * speed;
    // A client that stopped waiting for a response has not seen that the page was not full.
    const hasNoPage = (before?.endsMs ?? 0) > (poll?.atMs ?? 0) || (before?.disturbed && cell.slowBodyMs !== undefined);
    if (rule === 'hasty-poll') return hasNoPage || isByLateTimer([before, poll], observation);
    return control && /^(unchanged-retry|no-back-off)$/.test(rule) && times(exchanges) <= times(control.exchanges);
  };
  return violations
    .filter((violation) => !isUsual(violation))
    .map(({ rule, clause, message, requestIds }) => {
      const [what = message, ...correct] = message.replace(frozenNote, '').split(/(?<=\.) /);
      const ofNextRun = earlyNextRun(observation, { rule, clause, message: what, requestIds });
      if (ofNextRun) return ofNextRun;
      const severity = rule === 'lost-since' || rule === 'since-backwards' ? 'business' : 'rule';
      if (rule === 'since-backwards') correct.push(oneAtOnce);
      if (rule === 'hasty-poll' && isRetry(exchanges, requestIds.at(-2))) correct.push(movedPoll);
      return { rule, clause, severity, message: what, correct: correct.join(' ') || 'Wait longer before each retry.' };
    });
}

const oneAtOnce = 'If two polls can run at the same time, let one end before the next begins.';
const movedPoll = 'Here, the earlier poll was a retry, so it came later than planned.';

/** Whether a request was sent before, and failed. */
function isRetry(exchanges: readonly Exchange[], requestId: number | undefined): boolean {
  const i = exchanges.findIndex(({ id }) => id === requestId);
  const before = exchanges.slice(0, Math.max(0, i)).findLast(({ print }) => print === exchanges[i]?.print);
  return before !== undefined && before.outcome !== '200';
}

/** Nobody reloads a page in a cell, so retries count for longer than in the rule of the mock. */
const unchangedMs = 59_000;

/** Cites 7.retry.never-unchanged. */
function* unchanged({ cell, exchanges }: Observation, control: Observation): Iterable<CellFinding> {
  if (cell.dimension !== 'refusals') return;
  const [times, usual] = [exchanges, control.exchanges].map((all) => tally(all.map(({ print }) => print)));
  const retried = exchanges.find(
    ({ id, disturbed, print, atMs }) =>
      disturbed &&
      (times?.get(print) ?? 0) > (usual?.get(print) ?? 0) &&
      exchanges.some((next) => next.id > id && next.print === print && next.atMs - atMs < unchangedMs),
  );
  if (!retried) return;
  yield {
    ...{ rule: 'unchanged-retry', severity: 'rule', clause: '7.retry.never-unchanged' },
    message: `Retried ${retried.operation} after a ${retried.status} without a change.`,
    correct: 'Correct the request or show the error to the user.',
  };
}

/** Numbers and timestamps that the client read from the same records, in another format. */
function* values(observation: Observation, control: Observation): Iterable<CellFinding> {
  if (!observation.cell.sameValues) return;
  const usual = recordFields(control, control);
  for (const [place, fields] of recordFields(observation, control)) {
    for (const [name, value] of Object.entries(fields)) {
      const before = usual.get(place)?.[name];
      if (before === undefined || isSameValue(before, value, observation.speed !== null)) continue;
      yield {
        ...{ rule: 'value-changed', severity: 'business', clause: observation.cell.clauses[0] },
        message: `Read ${name} as ${JSON.stringify(value)}; it is ${JSON.stringify(before)}.`,
        correct: 'Read every ISO 8601 date-time, with its offset.',
      };
      return;
    }
  }
}

/** An error, or no end, where the contract lets a client succeed. A client is free to give up after an error. */
function* ending(observation: Observation, control: Observation): Iterable<CellFinding> {
  const { cell, ending: end, error, exchanges } = observation;
  if (end === 'endless') {
    yield {
      ...{ rule: 'endless', severity: 'rule', clause: cell.clauses[0] },
      message: `Sent more than ${requestsMax} requests without an end.`,
      correct: cell.remedy ?? 'End a list when its cursor is null or absent, and limit retries.',
    };
    return;
  }
  if (end === 'returned' || end === control.ending) return;
  const isCrash = crash.test(error ?? '') && exchanges.some(({ disturbed, outcome }) => disturbed && +outcome >= 400);
  // Where nothing fails, an error of the language is a mistake. Only ids of calls are expected by most clients.
  const isUnexpected = crash.test(error ?? '') && !cell.fault && !cell.limits && cell.about !== 'call-fields';
  const isLost = cell.dimension === 'connections';
  // In Node.js, a lost response is a TypeError. A client that gives up on purpose throws another error.
  const isUncaught = crash.test(error ?? '') && isLost && cell.fault?.times !== undefined && cell.target !== 'write';
  const mayCrash = isLost || cell.fault?.error === 'internal_error';
  if (!cell.succeeds && !isUnexpected && !isUncaught && (mayCrash || !isCrash)) return;
  // The next run of a job is a retry too.
  if (recoversByRetry(observation) && !isCrash) return;
  const isFree = (cell.fault || cell.limits) && !staysBelow(cell);
  const message =
    end === 'failed' ? `${isFree && !isCrash ? 'Gave up' : 'Failed'}: ${error}.`.replace(/\.\.$/, '.') : 'Did not end.';
  yield isCrash
    ? {
        ...{ rule: 'crashes', severity: 'fragile', clause: cell.clauses.at(-1) as ClauseId, message },
        correct: `Check the status before you read the body. Example: the service ${cell.title}.`,
      }
    : {
        ...{ rule: isFree ? 'gives-up' : 'fails', severity: isFree ? 'advice' : 'fragile' },
        ...{ clause: cell.clauses[0], message },
        correct: cell.limits
          ? 'Send at most 10 requests in 10 seconds, or wait as the 429 says.'
          : isFree
            ? 'You can retry: with back-off, or after the wait time of a 429.'
            : (cell.remedy ?? `Continue if the service ${cell.title}.`),
      };
}
