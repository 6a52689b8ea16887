// Records that a client lost or repeated, and writes that it lost without an error.
import type { ClauseId } from '../contract/generated/clauses.ts';
import { count } from '../terminal/count.ts';
import { type Cell, type CellFinding, pastCalls } from './cell.ts';
import type { Exchange, Observation, RecordKind } from './cell-run.ts';
import { findingsOf, type RuleRow } from './judge-row.ts';
import { continues, isVariation, stops, tally } from './judge-runs.ts';
import { complains, reportsMore, shownBy, textsOf } from './reported.ts';

const clauseOf: Readonly<Record<RecordKind, ClauseId>> = {
  site: '4.sites.list',
  article: '4.articles.list.walk',
  keyword: '4.keywords.list.endpoint',
  account: '4.connect.list-accounts.content',
  review: '4.rules.reviews-walk',
  call: '4.calls.exactly-once',
};
const kinds = Object.keys(clauseOf) as RecordKind[];

/** Records that the client reported less or more often than in the control cell, and writes that are missing. */
export function* records(met: Observation, control: Observation): Iterable<CellFinding> {
  const { cell, exchanges } = met;
  const isSilent = continues(met, control) && (cell.succeeds || swallows(met, control));
  if (isSilent && stops(met, control)) {
    yield {
      ...{ rule: 'stops', severity: 'business', clause: cell.clauses[0] },
      message: `Sent no request after a ${exchanges.at(-1)?.outcome}, and reported no error.`,
      correct: `Continue or report an error if the service ${cell.title}.`,
    };
    return;
  }
  const isShorter = (cell.behavior?.articlePageCap ?? cell.behavior?.reviewPageSize) !== undefined;
  const lists: readonly RecordKind[] = isShorter ? readsFirstPage(control) : [];
  const counts = countTexts(met, control);
  const tallies = kinds.flatMap((kind) => tallyOf(kind, { met, control, counts }) ?? []);
  const isLost = (kind: RecordKind) => (kind === 'call' ? continues(met, control) || pollsOn(met, control) : isSilent);
  const losses = tallies.filter(({ kind, lost }) => lost > 0 && isLost(kind));
  // A client that reads one page on purpose shows less of a list whose pages are shorter.
  for (const { kind, lost, due } of losses.filter(({ kind }) => lists.includes(kind)))
    yield {
      ...{ rule: `${kind}-fewer`, severity: 'advice', clause: cell.clauses[0] },
      message: `Reported ${due - lost} of the ${count(due, kind)} of its usual page.`,
      correct: 'Follow the cursor: a page can have any number of records.',
    };
  for (const { kind, repeated, all } of tallies.filter(({ repeated }) => repeated > 0 && !mayRepeat(cell)))
    yield {
      ...{ rule: `${kind}-repeated`, severity: 'business', clause: clauseOf[kind] },
      message: `Reported ${repeated} of ${count(all, kind)} more than once.`,
      correct:
        kind === 'call'
          ? 'Let one poll end before the next begins, and store each nextCursor.'
          : 'Follow each cursor once.',
    };
  const whole = losses.filter(({ kind }) => !lists.includes(kind));
  yield* lostRecords(met, whole, complains(met, control));
  yield* unfollowed(met, control);
  const isLacking = tallies.some(({ kind, lost }) => lost > 0 && !lists.includes(kind));
  const showsAll = whole.every(({ kind }) => kind === 'call');
  yield* loudLoss(met, control, isLacking);
  yield* findingsOf(
    hiddenRules.filter(([rule]) => showsAll || rule !== 'failure-hidden'),
    met,
    control,
  );
}

// biome-ignore format: one row a rule
const hiddenRules: readonly RuleRow[] = [
  ['write-lost', 'business', '4.connect.envelope',
    (...both) => hidesWrite(...both) && 'Reported no error, although a write was not carried out.',
    'Show the error of a write, or try it again where the contract allows it.'],
  ['failure-hidden', 'business', null, hiddenFailure,
    'Report the error: a failed request does not mean that there are no records.'],
];

/** The records of one kind: how many are missing of those that are due, and how many are repeated. */
interface Tally {
  readonly kind: RecordKind;
  readonly lost: number;
  readonly due: number;
  readonly repeated: number;
  readonly all: number;
}

interface Counted {
  readonly met: Observation;
  readonly control: Observation;
  readonly counts: ReadonlyMap<string, number>;
}

/** Null where the test case says nothing of these records. */
function tallyOf(kind: RecordKind, { met, control, counts }: Counted): Tally | null {
  const { cell, speed, ending: end } = met;
  const { operations, world, behavior } = cell;
  if (isVariation(cell) && operations && !operations.some((id) => shownBy[kind].test(id))) return null;
  const isCall = kind === 'call';
  const usual = tally(textsOf(control, control));
  const wanted = control.records[kind].map((id) => usual.get(id ?? '') ?? 0);
  // A client that ends has read the calls of the past, unless an error let it stop early.
  const mayEnd = end === 'returned' && cell.succeeds && !startsAtPresent(control);
  const isPast = (i: number) => mayEnd && isOfPast(met, i) && (wanted[i] ?? 0) > 0;
  const [dueNow, usualDue] = [dueCalls(met), dueCalls(control)];
  const isDue = (i: number) => !isCall || dueNow(i) || isPast(i);
  const ofCalls = isCall ? usualCount(wanted.filter((_, i) => usualDue(i) || isPast(i))) : null;
  const perCall = isCall ? (ofCalls ?? leastOf(met, control, counts)) : null;
  // Without an id in the usual field, a client that reports no call has reported that field alone.
  const hidesIds = cell.about === 'call-fields' && !met.records.call.some((id) => id && counts.has(id));
  if (isCall ? perCall === null || hidesIds : cell.dimension === 'restart') return null;
  const expected = (i: number) => perCall ?? wanted[i] ?? 0;
  const ids = met.records[kind];
  const all = ids.map((id, i) => ({ seen: counts.get(id ?? '') ?? 0, i }));
  const due = all.filter(({ i }) => isDue(i) && (isCall || i < wanted.length));
  // A page encodes other ids in several ways.
  const isPlainId = (i: number) => speed === null || /^[\w-]+$/.test(ids[i] ?? '');
  // Other records can be reported with a reply too, and other fields or a stop can change where a call is reported.
  const least = (i: number) =>
    kind === 'call' && cell.about !== 'call-fields' && !mayRepeat(cell) ? expected(i) : Math.min(1, expected(i));
  // A client that selects records by a field or a place selects others from other data or another order.
  const isOther = (world ?? behavior?.articleOrder) !== undefined;
  const selects = cell.about === 'replies' || (isOther && wanted.includes(0));
  // A record that is reported with each of its parts, such as an account with its reviews, is not counted.
  const most = (i: number) => (i < wanted.length ? expected(i) : Math.max(0, ...wanted));
  const isOnce = (i: number) => isCall || (most(i) <= 1 && !(selects && behavior?.articleOrder));
  return {
    kind,
    lost: selects ? 0 : due.filter(({ seen, i }) => seen < least(i) && isPlainId(i)).length,
    due: due.filter(({ i }) => expected(i) > 0).length,
    repeated: all.filter(({ seen, i }) => seen > Math.max(1, expected(i)) && isOnce(i)).length,
    all: all.length,
  };
}

/** Whether a client continues after an error: its message does not bring back the calls of a page that it skipped. */
function pollsOn({ cell, ending: end }: Observation, control: Observation): boolean {
  return cell.fault !== undefined && cell.restart === undefined && end === control.ending;
}

/** The ids of the world are lowercase. */
function countTexts(observation: Observation, control: Observation): Map<string, number> {
  const texts = textsOf(observation, control);
  return tally(observation.cell.behavior?.idCase ? texts.map((text) => text.toLowerCase()) : texts);
}

/** A client that is stopped before it stores sees a record twice. */
function mayRepeat({ restart }: Cell): boolean {
  return restart?.from === 'calls';
}

const failures: readonly Cell['dimension'][] = ['limits', 'errors', 'connections', 'slow'];

/** One finding for all records but calls: after a failure, all kinds are lost for the same reason. */
function* lostRecords(
  { cell, exchanges }: Observation,
  losses: readonly Tally[],
  hasComplained: boolean,
): Iterable<CellFinding> {
  const isFailure = failures.includes(cell.dimension);
  const [calls, others] = [losses.filter(({ kind }) => kind === 'call'), losses.filter(({ kind }) => kind !== 'call')];
  for (const group of isFailure ? [calls, others] : losses.map((loss) => [loss])) {
    const [first] = group;
    if (!first) continue;
    const { kind } = first;
    const isCall = kind === 'call';
    // A client that reads all articles undisturbed with one request can lack the code for cursors.
    const follows = !cell.needsMore || kind !== 'article' || exchanges.some(({ print }) => print.includes('cursor='));
    const allPages =
      kind === 'article' || kind === 'review'
        ? 'Follow the cursors to the end, and keep each record.'
        : 'Keep each record of the response.';
    const correct = isFailure
      ? `Show the records after a retry, or report an error, if the service ${cell.title}.`
      : (follows && cell.remedy) || allPages;
    const lostOf = group.map(({ lost, due, kind }) => `${lost} of ${count(due, kind)}`).join(' and ');
    yield {
      ...{ rule: group.length === 1 ? `${kind}-lost` : 'records-lost', severity: 'business' },
      clause: (isCall && cell.clauses[0].startsWith('6.')) || group.length > 1 ? cell.clauses[0] : clauseOf[kind],
      message: hasComplained ? `Did not report ${lostOf}.` : `Reported neither ${lostOf} nor an error.`,
      correct: isCall ? 'Store nextCursor unchanged, and handle each call of each page.' : correct,
    };
  }
}

/** Whether a list failed for good, and the client ended as after success. */
function swallows(observation: Observation, control: Observation): boolean {
  const { ending: end, exchanges, cell } = observation;
  const latest = new Map(exchanges.map((exchange) => [exchange.list, exchange]));
  const hasFailed = [...latest.values()].some(({ disturbed, outcome }) => disturbed && outcome !== '200');
  return end === 'returned' && failures.includes(cell.dimension) && hasFailed && !reportsMore(observation, control);
}

/** A list that failed and that the client shows as empty; a poller continues later. */
function hiddenFailure(met: Observation, control: Observation) {
  // A late response is read by a client that waits for it.
  if (met.cell.dimension === 'slow' || complains(met, control) || !swallows(met, control)) return null;
  const failed = met.exchanges.findLast(({ disturbed }) => disturbed);
  const isList = failed?.method === 'GET' && failed.operation !== 'listCalls';
  return isList && `Ended without an error, although ${failed.operation} failed.`;
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
  // Without since, the service chooses the calls.
  return poll !== undefined && (poll.sinceMs ?? Number.POSITIVE_INFINITY) >= (first?.atMs ?? 0);
}

const listOf = { article: 'listArticles', review: 'listReviews' } as const;

/** Lists of which the client reads a page on purpose: undisturbed, it never reached the last page. */
function readsFirstPage({ exchanges }: Observation): (keyof typeof listOf)[] {
  return (['article', 'review'] as const).filter((kind) => {
    const pages = exchanges.filter(({ operation, status }) => operation === listOf[kind] && status === 200);
    const ended = new Set(pages.flatMap(({ list, cursor }) => (cursor === null ? [list] : [])));
    return pages.some(({ list }) => !ended.has(list));
  });
}

/** Pages that a client without reported records leaves out, although it reads all of them undisturbed. */
function* unfollowed(observation: Observation, control: Observation): Iterable<CellFinding> {
  const { cell, ending: end } = observation;
  // A client that selects records by a place stops elsewhere in other data or another order.
  const selects = (cell.world ?? cell.behavior?.articleOrder) !== undefined;
  if (!isVariation(cell) || selects || end !== control.ending || complains(observation, control)) return;
  const walks = readsFirstPage(control);
  for (const kind of readsFirstPage(observation)) {
    const [pages, usual] = [observation, control].map(
      ({ exchanges }) => exchanges.filter(({ operation }) => operation === listOf[kind]).length,
    ) as [number, number];
    if (walks.includes(kind) || pages >= usual) continue;
    yield {
      ...{ rule: `${kind}-lost`, severity: 'business', clause: cell.clauses[0] },
      message: `Requested ${pages} of ${count(usual, 'page')} of ${kind}s, and reported no error.`,
      correct: cell.remedy ?? 'Follow the cursors to the end, and keep each record.',
    };
  }
}

// biome-ignore format: one row a rule
export const firstPageRules = (['article', 'review'] as const).map((kind): RuleRow =>
  [`first-page-${kind}`, 'advice', clauseOf[kind],
    (first) => readsFirstPage(first).includes(kind) && `Did not follow the cursor of the ${kind}s.`,
    'To read all records, follow the cursors to the end.']);

/** Whether a write is missing, the client continued, and it reported nothing that it does not report otherwise. */
function hidesWrite(observation: Observation, control: Observation): boolean {
  const { cell, exchanges, ending: end } = observation;
  // A client can leave out accounts whose platform does not offer the write.
  if (cell.fault?.error === 'not_supported') return false;
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
function* loudLoss(observation: Observation, control: Observation, isLacking: boolean): Iterable<CellFinding> {
  const { cell, complaints, exchanges, ending: end } = observation;
  if (!isVariation(cell) || end !== control.ending || !complains(observation, control)) return;
  if (!isLacking && !exchanges.some(isRejectedWrite)) return;
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
