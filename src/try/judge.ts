// Compares the client in a disturbed cell with the same client in the control cell. In doubt there is no finding,
// because a false positive costs trust.
import type { ClauseId } from '../contract/generated/clauses.ts';
import { pollIntervalMs } from '../contract/generated/limits.ts';
import type { CellFinding } from './cell.ts';
import { type Exchange, lateTimerMs, type Observation, requestsMax } from './cell-run.ts';
import { contentRules } from './judge-contents.ts';
import { controlRules, longestWaitMs, patternRules, staysBelow } from './judge-patterns.ts';
import { firstPageRules, records } from './judge-records.ts';
import { findingsOf, type RuleRow } from './judge-row.ts';
import { recoversByRetry, repeatedWrite, restartRules } from './judge-runs.ts';

/** The errors of languages: the client did not expect the response. */
const crash = /\b(TypeError|ReferenceError|SyntaxError|KeyError|AttributeError|IndexError|panic|Undefined\w+)\b/;

// biome-ignore format: one row a rule
const writeRules: readonly RuleRow[] = [
  ['write-repeated', 'business', '7.retry.back-off', repeatedWrite,
    'After a lost or late response, do not send a write again: only 429, 502 and 503 allow a retry.'],
];

/** Returns the findings of a cell, at most one for each rule. `control` is null for the control cell. */
export function judge(met: Observation, control: Observation | null): CellFinding[] {
  // Two runs at the same time are judged by their writes alone, in `writesOverRuns`.
  if (met.cell.restart?.overlaps) return [];
  const found = !control
    ? [...clientRules(met, null), ...findingsOf([...controlRules, ...firstPageRules], met)]
    : met.cell.dimension === 'restart'
      ? [...records(met, control), ...findingsOf(restartRules, met, control)]
      : [
          ...findingsOf(writeRules, met, control),
          ...records(met, control),
          ...findingsOf(contentRules, met, control),
          ...clientRules(met, control),
          ...findingsOf(patternRules, met, control),
          ...ending(met, control),
        ];
  return found.filter(({ rule }, i) => found.findIndex((other) => other.rule === rule) === i);
}

/** The rules that the mock tests always. A client that sends a request twice undisturbed does not retry it. */
function clientRules(observation: Observation, control: Observation | null): CellFinding[] {
  const { cell, violations, exchanges, speed } = observation;
  const isUsual = ({ rule, requestIds }: Observation['violations'][number]) => {
    const print = exchanges.find(({ id }) => id === requestIds.at(-1))?.print;
    const times = (all: readonly Exchange[]) => all.filter((exchange) => exchange.print === print).length;
    const [before, poll] = requestIds.slice(-2).map((id) => exchanges.find((exchange) => exchange.id === id));
    const apartMs = (poll?.atMs ?? 0) - (before?.atMs ?? 0);
    // A client that needs longer than its usual wait was busy with the calls of the page.
    const usualMs = (control && longestWaitMs(control)) || Number.POSITIVE_INFINITY;
    if (rule === 'late-poll') return apartMs > 1.2 * usualMs;
    // A client that stopped waiting for a response has not seen that the page was not full.
    const hasNoPage = (before?.endsMs ?? 0) > (poll?.atMs ?? 0) || (before?.disturbed && cell.slowBodyMs !== undefined);
    const isLateStart = before === exchanges[0] && pollIntervalMs - apartMs <= lateTimerMs.first * (speed ?? 0);
    if (rule === 'hasty-poll') return hasNoPage || isLateStart;
    return control && /^(unchanged-retry|no-back-off)$/.test(rule) && times(exchanges) <= times(control.exchanges);
  };
  return violations
    .filter((violation) => !isUsual(violation))
    .map(({ rule, clause, message, requestIds }) => {
      const [what = message, ...correct] = message.split(/(?<=\.) /);
      if (rule === 'early-retry' && isOfNextRun(observation, requestIds))
        return { rule, clause, severity: 'advice', message: what, correct: storedWait };
      const severity = rule === 'lost-since' || rule === 'since-backwards' ? 'business' : 'rule';
      if (rule === 'since-backwards') correct.push(oneAtOnce);
      if (rule === 'hasty-poll' && isRetry(exchanges, requestIds.at(-2))) correct.push(movedPoll);
      return { rule, clause, severity, message: what, correct: correct.join(' ') || 'Wait longer before each retry.' };
    });
}

/** A job cannot choose when its next run begins: advice instead of an early retry. */
function isOfNextRun({ exchanges, startsMs = [] }: Observation, requestIds: readonly number[]): boolean {
  const [earlierMs = 0, laterMs = 0] = requestIds.slice(-2).map((id) => exchanges.find((each) => each.id === id)?.atMs);
  return startsMs.some((ms) => ms > earlierMs && ms <= laterMs);
}

const storedWait = 'Store the end of the wait, so the next run waits too, or start the job less often.';
const oneAtOnce = 'If two polls can run at the same time, let one end before the next begins.';
const movedPoll = 'Here, the earlier poll was a retry, so it came later than planned.';

/** Whether a request was sent before, and failed. */
function isRetry(exchanges: readonly Exchange[], requestId: number | undefined): boolean {
  const i = exchanges.findIndex(({ id }) => id === requestId);
  const before = exchanges.slice(0, Math.max(0, i)).findLast(({ print }) => print === exchanges[i]?.print);
  return before !== undefined && before.outcome !== '200';
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
