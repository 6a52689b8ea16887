// Compares the client in a disturbed cell with the same client in the control cell. In doubt there is no finding,
// because a false positive costs trust.
import type { ClauseId } from '../contract/generated/clauses.ts';
import { count } from '../terminal/count.ts';
import { type Cell, type CellFinding, pastCalls } from './cell.ts';
import { type Exchange, type Observation, type RecordKind, requestsMax } from './cell-run.ts';
import { contents } from './judge-contents.ts';
import {
  isByLateTimer,
  longestWaitMs,
  openedLinks,
  patterns,
  positions,
  unknownParameters,
  withoutKey,
} from './judge-patterns.ts';
import {
  answeredWrites,
  continues,
  earlyNextRun,
  isVariation,
  overRuns,
  recoversByRetry,
  repeatedWrites,
  secondReplies,
  shorterFiles,
  stops,
  tally,
} from './judge-runs.ts';
import { complains, isSameValue, recordFields, reportsMore, shownBy, textsOf } from './reported.ts';

const clauseOf: Readonly<Record<RecordKind, ClauseId>> = {
  site: '4.sites.list',
  article: '4.articles.list.walk',
  keyword: '4.keywords.list.endpoint',
  account: '4.connect.list-accounts.content',
  review: '4.rules.reviews-walk',
  call: '4.calls.exactly-once',
};

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
    if (rule === 'hasty-poll') return (before?.endsMs ?? 0) > (poll?.atMs ?? 0) || isByLateTimer(apartMs, speed);
    return control && /^(unchanged-retry|no-back-off)$/.test(rule) && times(exchanges) <= times(control.exchanges);
  };
  return violations
    .filter((violation) => !isUsual(violation))
    .map(({ rule, clause, message, requestIds }) => {
      const [what = message, ...correct] = message.replace(' on the frozen clock of the mock', '').split(/(?<=\.) /);
      const ofNextRun = earlyNextRun(observation, { rule, clause, message: what, requestIds });
      if (ofNextRun) return ofNextRun;
      const severity = rule === 'lost-since' || rule === 'since-backwards' ? 'business' : 'rule';
      return { rule, clause, severity, message: what, correct: correct.join(' ') || 'Wait longer before each retry.' };
    });
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

/** Records that the client reported less or more often than in the control cell, and writes that are missing. */
function* records(observation: Observation, control: Observation): Iterable<CellFinding> {
  const [counts, usual] = [tally(textsOf(observation, control)), tally(textsOf(control, control))];
  const goesOn = continues(observation, control);
  const isSilent = goesOn && (observation.cell.succeeds || swallows(observation, control));
  if (isSilent && stops(observation, control)) {
    yield {
      ...{ rule: 'stops', severity: 'business', clause: observation.cell.clauses[0] },
      message: `Sent no request after a ${observation.exchanges.at(-1)?.outcome}, and reported no error.`,
      correct: `Continue or report an error if the service ${observation.cell.title}.`,
    };
    return;
  }
  const lists = readsFirstPage(control);
  let lostInAll = 0;
  for (const kind of Object.keys(clauseOf) as RecordKind[]) {
    const { operations } = observation.cell;
    if (isVariation(observation.cell) && operations && !operations.some((id) => shownBy[kind].test(id))) continue;
    const wanted = control.records[kind].map((id) => usual.get(id ?? '') ?? 0);
    // A client that ends has read the calls of the past, unless an error let it stop early.
    const mayEnd = observation.ending === 'returned' && observation.cell.succeeds && !startsAtPresent(control);
    const isPast = (i: number) => mayEnd && isOfPast(observation, i) && (wanted[i] ?? 0) > 0;
    const [dueNow, usualDue] = [dueCalls(observation), dueCalls(control)];
    const isDue = kind === 'call' ? (i: number) => dueNow(i) || isPast(i) : () => true;
    const usualCalls = kind === 'call' ? usualCount(wanted.filter((_, i) => usualDue(i) || isPast(i))) : null;
    const perCall = kind === 'call' ? (usualCalls ?? leastOf(observation, control, counts)) : null;
    if (kind === 'call' ? perCall === null || hidesIds(observation, counts) : observation.cell.dimension === 'restart')
      continue;
    const expected = (i: number) => perCall ?? wanted[i] ?? 0;
    const {
      speed,
      records: { [kind]: ids },
    } = observation;
    const all = ids.map((id, i) => ({ seen: counts.get(id ?? '') ?? 0, i }));
    const due = all.filter(({ i }) => isDue(i) && (kind === 'call' || i < wanted.length));
    // A page encodes other ids in several ways.
    const isPlainId = (i: number) => speed === null || /^[\w-]+$/.test(ids[i] ?? '');
    const least = (i: number) => (isCounted(observation.cell, kind) ? expected(i) : Math.min(1, expected(i)));
    // A client that selects records by a field or a place selects others from other data or another order.
    const { world, behavior } = observation.cell;
    const selects =
      hasReplies(observation.cell) || ((world ?? behavior?.articleOrder) !== undefined && wanted.includes(0));
    const lost = selects ? 0 : due.filter(({ seen, i }) => seen < least(i) && isPlainId(i)).length;
    // A record that is reported with each of its parts, such as an account with its reviews, is not counted.
    const most = (i: number) => (i < wanted.length ? expected(i) : Math.max(0, ...wanted));
    const isOnce = (i: number) => kind === 'call' || (most(i) <= 1 && !(selects && behavior?.articleOrder));
    const repeated = all.filter(({ seen, i }) => seen > Math.max(1, expected(i)) && isOnce(i)).length;
    if (!lists.includes(kind)) lostInAll += lost;
    const isLost = lost > 0 && (kind === 'call' ? goesOn : isSilent);
    if (isLost && !lists.includes(kind)) yield lostRecords(observation, kind, [lost, due.length]);
    if (repeated > 0 && !mayRepeat(observation.cell)) {
      yield {
        ...{ rule: `${kind}-repeated`, severity: 'business', clause: clauseOf[kind] },
        message: `Reported ${repeated} of ${count(all.length, kind)} more than once.`,
        correct:
          kind === 'call'
            ? 'Let one poll end before the next begins, and store each nextCursor.'
            : 'Follow each cursor once.',
      };
    }
  }
  yield* loudLoss(observation, control, lostInAll);
  yield* hiddenFailure(observation, control);
  if (hidesWrite(observation, control)) {
    yield {
      ...{ rule: 'write-lost', severity: 'business', clause: '4.connect.envelope' },
      message: 'Reported no error, although a write was not carried out.',
      correct: 'Show the error of a write, or try it again where the contract allows it.',
    };
  }
}

/** Other records can be reported with a reply too, and other fields or a stop can change where a call is reported. */
function isCounted(cell: Cell, kind: RecordKind): boolean {
  return kind === 'call' && cell.id !== otherFields && !mayRepeat(cell);
}

const otherFields = 'calls/other-fields';

/** Without an id in the usual field, a client that reports no call has reported that field alone. */
function hidesIds({ cell, records: { call } }: Observation, counts: ReadonlyMap<string, number>): boolean {
  return cell.id === otherFields && !call.some((id) => id && counts.has(id));
}

/** A client that is stopped before it stores sees a record twice. */
function mayRepeat({ restart }: Cell): boolean {
  return restart?.from === 'calls';
}

/** Clients that reply report only the reviews without a reply. */
function hasReplies({ id }: Cell): boolean {
  return id === 'formats/replied' || id === 'formats/reply-text';
}

function lostRecords({ cell }: Observation, kind: RecordKind, [lost, due]: [number, number]): CellFinding {
  const isCall = kind === 'call';
  return {
    ...{ rule: `${kind}-lost`, severity: 'business' },
    clause: isCall && cell.clauses[0].startsWith('6.') ? cell.clauses[0] : clauseOf[kind],
    message: `Reported neither ${lost} of ${count(due, kind)} nor an error.`,
    correct: isCall
      ? 'Store nextCursor unchanged, and handle each call of each page.'
      : (cell.remedy ?? 'Follow the cursors to the end, and keep each record.'),
  };
}

/** Whether a list failed for good, and the client ended as after success. */
function swallows(observation: Observation, control: Observation): boolean {
  const { ending: end, exchanges, cell } = observation;
  const latest = new Map(exchanges.map((exchange) => [exchange.list, exchange]));
  const hasFailed = [...latest.values()].some(({ disturbed, outcome }) => disturbed && outcome !== '200');
  const isFailure = ['limits', 'errors', 'connections', 'slow'].includes(cell.dimension);
  return end === 'returned' && isFailure && hasFailed && !reportsMore(observation, control);
}

/** A list that failed and that the client shows as empty; a poller continues later. */
function* hiddenFailure(observation: Observation, control: Observation): Iterable<CellFinding> {
  // A late response is read by a client that waits for it.
  if (observation.cell.dimension === 'slow' || complains(observation, control)) return;
  const failed = observation.exchanges.findLast(({ disturbed }) => disturbed);
  if (!failed || failed.operation === 'listCalls' || failed.method !== 'GET' || !swallows(observation, control)) return;
  yield {
    ...{ rule: 'failure-hidden', severity: 'business', clause: observation.cell.clauses[0] },
    message: `Ended without an error, although ${failed.operation} failed.`,
    correct: 'Report the error: a failed request does not mean that there are no records.',
  };
}

/** Whether a client must have seen a call: visible after its first poll, and before a poll that found nothing more. */
function dueCalls({ exchanges, callsVisibleMs }: Observation): (i: number) => boolean {
  const polls = exchanges.filter(({ operation, status }) => operation === 'listCalls' && status === 200);
  const [first, last] = [polls[0], polls.findLast(({ cursor, outcome }) => cursor === null && outcome === '200')];
  const sinceMs = Math.min(first?.atMs ?? 0, first?.sinceMs ?? Number.POSITIVE_INFINITY);
  return (i) => {
    const visibleMs = callsVisibleMs[i] ?? 0;
    return first !== undefined && last !== undefined && visibleMs > sinceMs && visibleMs < last.atMs;
  };
}

/** Whether a client that ends must have read a call of the past. After a page that is not full, others can wait. */
function isOfPast({ exchanges, callsVisibleMs }: Observation, i: number): boolean {
  const poll = exchanges.findLast(({ operation }) => operation === 'listCalls');
  const mayWait = poll && poll.cursor !== null && !poll.isFull;
  return i < pastCalls.length && !mayWait && (callsVisibleMs[i] ?? 0) < (exchanges[0]?.atMs ?? 0);
}

function startsAtPresent({ exchanges: [first, ...others] }: Observation): boolean {
  const poll = [first, ...others].find((exchange) => exchange?.operation === 'listCalls');
  return (poll?.sinceMs ?? 0) >= (first?.atMs ?? 0);
}

const listOf = { article: 'listArticles', review: 'listReviews' } as const;

/** Lists of which the client reads a page on purpose: undisturbed, it did not follow a cursor. */
function readsFirstPage({ exchanges }: Observation): RecordKind[] {
  return (['article', 'review'] as const).filter((kind) => {
    const pages = exchanges.filter(({ operation, status }) => operation === listOf[kind] && status === 200);
    return [...new Map(pages.map((page) => [page.list, page.cursor !== null])).values()].includes(true);
  });
}

function firstPage(first: Observation): CellFinding[] {
  return readsFirstPage(first).map((kind) => ({
    ...{ rule: `first-page-${kind}`, severity: 'advice', clause: clauseOf[kind] },
    message: `Did not follow the cursor of the ${kind}s.`,
    correct: 'To read all records, follow the cursors to the end.',
  }));
}

/** Whether a write is missing, the client continued, and it reported nothing that it does not report otherwise. */
function hidesWrite(observation: Observation, control: Observation): boolean {
  const { cell, exchanges, ending: end } = observation;
  if (complains(observation, control) || reportsMore(observation, control)) return false;
  if (end === 'failed' || end === 'endless' || end !== control.ending) return false;
  const made = exchanges.filter((exchange) => exchange.made);
  const usual = control.exchanges.filter((exchange) => exchange.made);
  if (made.length >= usual.length) return false;
  // Other data can ask for fewer writes.
  if (isVariation(cell)) {
    const asksForLess = cell.world !== undefined || readsFirstPage(control).includes('review');
    return !asksForLess || exchanges.some(isRejectedWrite);
  }
  const missing = exchanges.findLast(
    ({ disturbed, print }) => disturbed && made.every((exchange) => exchange.print !== print),
  );
  const wentOn = exchanges.some(({ atMs, print }) => missing && atMs >= missing.atMs && print !== missing.print);
  return cell.target === 'write' && (wentOn || end === 'returned');
}

const isRejectedWrite = ({ method, status }: Exchange) => method === 'POST' && status >= 400;

/** Records or writes that are missing although nothing failed, with an error of the client. */
function* loudLoss(observation: Observation, control: Observation, lost: number): Iterable<CellFinding> {
  const { cell, complaints, exchanges, ending: end } = observation;
  if (!isVariation(cell) || end !== control.ending || !complains(observation, control)) return;
  if (lost === 0 && !exchanges.some(isRejectedWrite)) return;
  const error = complaints.findLast((line) => !control.complaints.includes(line)) ?? '';
  yield {
    ...{ rule: 'fails', severity: 'fragile', clause: cell.clauses[0] },
    message: `Left out records with an error: ${error.slice(0, 200).trim()}.`.replace(/\.\.$/, '.'),
    correct: cell.remedy ?? `Continue if the service ${cell.title}.`,
  };
}

/** The same for a job that starts at the present: it sees calls in its second run at the earliest. */
function leastOf(
  { cell, records: { call } }: Observation,
  { ending: end }: Observation,
  counts: ReadonlyMap<string, number>,
): number | null {
  const shown =
    cell.dimension === 'restart' && end === 'returned' ? call.flatMap((id) => counts.get(id ?? '') ?? []) : [];
  return shown.length > 0 ? Math.min(...shown) : null;
}

/** How often the client reports each call; null unless all are alike. */
function usualCount(counts: readonly number[]): number | null {
  const [first = 0] = counts;
  return first > 0 && counts.every((times) => times === first) ? first : null;
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
        ...{ rule: 'value-changed', severity: 'business', clause: '2.at-iso' },
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
  const isUnexpected = crash.test(error ?? '') && !cell.fault && !cell.limits && cell.id !== otherFields;
  if (!cell.succeeds && !isUnexpected && !(isCrash && cell.dimension !== 'connections' && !cell.id.includes('-500')))
    return;
  // The next run of a job is a retry too.
  if (recoversByRetry(observation) && !isCrash) return;
  const isFree = (cell.fault || cell.limits) && cell.id !== 'load/limits';
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
            ? `You can retry if the service ${cell.title}.`
            : (cell.remedy ?? `Continue if the service ${cell.title}.`),
      };
}
