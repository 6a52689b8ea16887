// Insights: three ranges and their default. The contract does not state what a range covers beyond its name, so dates
// are compared with each other and never with a calendar (interpretation R32).
import { dayMs } from '../../../src/contract/timestamps.ts';
import { count } from '../../../src/terminal/count.ts';
import { type AccountRead, insightRanges, readsOf } from '../../exchange/accounts.ts';
import { canonical } from '../../exchange/canonical.ts';
import {
  dataOf,
  type Exchange,
  errorCode,
  isObject,
  isObstacle,
  listOf,
  nameOfResponse,
} from '../../exchange/exchange.ts';
import { type History, labelled } from '../../exchange/history.ts';
import * as insightDates from '../../exchange/insights.ts';
import { sameId } from '../../exchange/same-id.ts';
import { areInvalid, areNotDenied, areUnknown, isResponse } from '../../judge/accounts.ts';
import { about, aboutStatus, hasStatus, isRejected, judgeable } from '../../judge/expect.ts';
import type { Judged, Judgment } from '../../judge/judge.ts';
import { show } from '../../judge/ledger.ts';
import { isFound, listedAccount } from '../../judge/same-record.ts';

const endpoint = '4.connect.insights.endpoint';

function ownReads(history: History): readonly AccountRead[] {
  const measured = insightDates.measuredIn(history);
  return readsOf(history, 'getInsights').filter(({ accountId }) => accountId === measured);
}

const listing: Judged = {
  id: 'insights/listing',
  title: 'GET /connect/accounts/{accountId}/insights returns insights of a connected account',
  clauses: [endpoint, '1.connect-operations', '5.provider-auth'],
  scenarios: ['insights/of-account', 'insights/other-accounts'],
  *judge(history) {
    const measured = insightDates.measuredIn(history);
    const isConnected = ({ row }: AccountRead) => row === undefined || row.status === 'connected';
    const reads = readsOf(history, 'getInsights').filter(isConnected);
    // The other ranges of that account have their own checks.
    const isUsual = ({ range, accountId }: AccountRead) => range === '28d' || !sameId(accountId, measured);
    for (const read of reads.filter(isUsual)) yield* isResponse(read, endpoint);
    yield* areNotDenied(reads);
    const own = reads.filter(({ accountId }) => sameId(accountId, measured));
    for (const { exchange } of reads.filter((one) => !own.includes(one))) yield* noteFigures(exchange, own);
  },
};

/** So many different figures are the same by chance in no two accounts. */
const figuresMin = 10;

/** The contract does not state the figures (R32), and deployments for tests often show the same for all accounts. */
function* noteFigures(exchange: Exchange, own: readonly AccountRead[]): Iterable<Judgment> {
  const figures = exchange.status === 200 ? insightDates.pointFields(exchange, 'value') : [];
  if (new Set(figures).size < figuresMin) return;
  const same = own.find((one) => canonical(insightDates.pointFields(one.exchange, 'value')) === canonical(figures));
  const actual = `the insights of another account, as in ${same?.exchange.id}`;
  const claim = { ...about(exchange, endpoint, '/data/metrics'), expected: 'insights of this account', actual };
  if (same !== undefined) yield { ...claim, severity: 'note' };
}

const ranges: Judged = {
  id: 'insights/ranges',
  title: 'The insights endpoint accepts the ranges 7d, 28d and 90d',
  clauses: ['4.connect.insights.range', endpoint],
  scenarios: ['insights/of-account', 'insights/ranges'],
  *judge(history) {
    for (const { exchange, range, accountId } of ownReads(history)) {
      const claim = { ...aboutStatus(exchange, '4.connect.insights.range'), expected: `200 for ${range}` };
      // Which platform offers what is not shown (R28).
      const message = 'the platform might not offer this range';
      // A range that is accepted may still be ignored: insights/ranges-differ proves more.
      const wanted = { clause: '4.connect.insights.range', proves: [endpoint] } as const;
      if (range === null) continue;
      if (isObstacle(exchange)) yield { doubt: 'platform', message: `${range} returned ${nameOfResponse(exchange)}` };
      else if (errorCode(exchange) === 'not_supported') yield { ...claim, message, severity: 'warn' };
      else yield* isFound(exchange, { ...wanted, ...listedAccount(accountId) });
    }
  },
};

const defaultRange: Judged = {
  id: 'insights/default-range',
  title: 'The insights endpoint uses 28d as the default range',
  clauses: ['4.connect.insights.range-default', '4.connect.insights.range'],
  scenarios: ['insights/of-account', 'insights/ranges', 'insights/invalid-range', 'insights/other-accounts'],
  *judge(history) {
    const measured = insightDates.measuredIn(history);
    const all = readsOf(history, 'getInsights');
    for (const accountId of new Set(all.map((one) => one.accountId))) {
      const reads = all.filter((one) => one.accountId === accountId);
      const isOwn = accountId === measured;
      for (const { exchange } of isOwn ? reads.filter(({ range }) => range === null) : []) {
        const wanted = { clause: '4.connect.insights.range-default', ...listedAccount(accountId) } as const;
        const message = `insights without range returned ${nameOfResponse(exchange)}`;
        if (isObstacle(exchange)) yield { doubt: 'platform', message };
        else yield* isFound(exchange, wanted);
      }
      for (const judgment of isMonth(reads)) if (isOwn || !('doubt' in judgment)) yield judgment;
    }
  },
};

function* isMonth(reads: readonly AccountRead[]): Iterable<Judgment> {
  const found = insightDates.rangesIn(reads, null);
  const months = insightDates.rangesIn(reads, '28d');
  const others = [...insightDates.rangesIn(reads, '7d'), ...insightDates.rangesIn(reads, '90d')];
  if (found.length === 0 || months.length === 0)
    return yield { doubt: 'vacuous', message: 'the insights contain no dates' };
  for (const usual of found) {
    const place = (one: Exchange) => reads.findIndex(({ exchange }) => exchange === one);
    const before = months.findLast(({ exchange }) => place(exchange) < place(usual.exchange));
    const month = before ?? months[0] ?? usual;
    if (others.every((one) => insightDates.areEqual(one, month)))
      return yield { doubt: 'vacuous', message: 'needs two ranges with different dates' };
    const isOther = others.some((one) => insightDates.areEqual(usual, one));
    const claim = about(usual.exchange, '4.connect.insights.range-default', '/data/range');
    const words = { expected: `${show(month.shown)}, as for 28d`, actual: show(usual.shown) };
    // A day may begin between the two reads.
    const proof = { isTrue: insightDates.areEqual(usual, month), of: [month.exchange, usual.exchange] };
    yield { ...claim, ...words, ...proof, ...(isOther ? {} : { severity: 'warn' }) };
  }
}

const badRange: Judged = {
  id: 'insights/bad-range',
  title: 'The insights endpoint rejects undocumented ranges with 400 invalid_input',
  clauses: ['4.connect.insights.bad-range', '4.connect.insights.range', '7.code.invalid-input', '4.connect.statuses'],
  scenarios: ['insights/of-account', 'insights/invalid-range', 'insights/invalid-inputs'],
  *judge(history) {
    const wanted = {
      status: 400,
      code: 'invalid_input',
      clause: '4.connect.insights.bad-range',
      shadows: ['payment_required', 'provider_auth', 'provider_permission'],
    } as const;
    const known = listedAccount(insightDates.measuredIn(history) ?? '');
    for (const exchange of labelled(history, 'insights of an invalid range')) {
      if (yield* judgeable(history, exchange)) yield* isFound(exchange, { ...wanted, ...known });
    }
    // One server takes these for one of the list, and another does not (R5).
    for (const exchange of labelled(history, 'insights of a malformed range')) {
      if (!(yield* judgeable(history, exchange)) || isObstacle(exchange)) continue;
      const inCapitals = exchange.target.endsWith('=7D') ? isRejected(exchange, wanted) : null;
      if (inCapitals !== null) yield 'doubt' in inCapitals ? inCapitals : { ...inCapitals, severity: 'warn' };
      const tested = hasStatus(exchange, [200, 400, 404], '4.connect.statuses');
      if (tested !== null) yield tested;
    }
  },
};

const unknownAccount: Judged = {
  id: 'insights/unknown-account',
  title: 'The insights endpoint returns 404 for an unknown account',
  clauses: ['4.connect.unknown-account', '1.unknown-record', '4.connect.account-id'],
  scenarios: ['insights/unknown-account', 'insights/invalid-inputs'],
  *judge(history) {
    yield* areUnknown(history, 'insights of an unknown account');
    yield* areInvalid(history, 'insights of a malformed account id');
  },
};

const complete: Judged = {
  id: 'insights/complete',
  title: 'The insights endpoint returns all fields and a valid date range',
  clauses: ['2.get-insights-output.inner-required', '2.get-insights-output.range.end-date'],
  scenarios: ['insights/of-account'],
  *judge(history) {
    const isShown = ({ operation, status }: Exchange) => operation === 'getInsights' && status === 200;
    for (const exchange of history.exchanges.filter(isShown)) {
      for (const [pointer, isTrue] of fieldsOf(exchange)) {
        const claim = about(exchange, '2.get-insights-output.inner-required', pointer);
        yield { ...claim, isTrue, expected: 'this field', actual: isTrue ? 'present' : 'nothing' };
      }
      yield* warnOfPoints(exchange);
      const dates = insightDates.datesOf(exchange)?.shown;
      const [start, end] = [insightDates.dayOf(dates?.startDate), insightDates.dayOf(dates?.endDate)];
      if (start === null || end === null) continue;
      // The extent of a range is not specified (R32).
      const claim = about(exchange, '2.get-insights-output.range.end-date', '/data/range');
      if (start > end) yield { ...claim, severity: 'note', expected: 'a start before the end', actual: show(dates) };
      if (insightDates.isOver({ exchange, date: dates?.endDate, days: oldDays }))
        yield { ...claim, severity: 'note', expected: 'a recent range', actual: show(dates) };
      yield* noteStray(exchange, [start, end]);
    }
  },
};

/** The table describes the contents of `points`, not `points` itself: a metric can have none (R32). */
function* warnOfPoints(exchange: Exchange): Iterable<Judgment> {
  const index = listOf(dataOf(exchange).metrics).findIndex((metric) => isObject(metric) && metric.points === undefined);
  if (index < 0) return;
  const claim = about(exchange, '2.get-insights-output.metrics.points.date', `/data/metrics/${index}/points`);
  yield { ...claim, severity: 'warn', expected: 'a list, which can be empty', actual: 'nothing' };
}

/** So old a range is not a "recent date range" by any reading. */
const oldDays = 365;

/** A point of a day far from the range; a week or a month may begin before it. */
function* noteStray(exchange: Exchange, [from, to]: readonly [number, number]): Iterable<Judgment> {
  const stray = insightDates.pointFields(exchange, 'date').find((date) => {
    const day = insightDates.dayOf(date);
    return day !== null && (day < from - insightDates.monthMs || day > to + insightDates.monthMs);
  });
  if (stray === undefined) return;
  const claim = about(exchange, '2.get-insights-output.metrics.points.date', '/data/metrics');
  yield { ...claim, severity: 'note', expected: 'only points within the range', actual: `a point of ${show(stray)}` };
}

/** The rows of section 2, by level; none of the fields is optional (R13). */
const fieldTable = {
  range: ['startDate', 'endDate'],
  metric: ['key', 'label', 'total'],
  point: ['date', 'value'],
} as const;

type Field = readonly [pointer: string, isThere: boolean];

function fieldsOf(exchange: Exchange): Field[] {
  const data = dataOf(exchange);
  const of = (node: unknown, table: keyof typeof fieldTable, at: string): Field[] =>
    isObject(node) ? fieldTable[table].map((name) => [`${at}/${name}`, node[name] !== undefined]) : [];
  return [
    ...of(data.range, 'range', '/data/range'),
    ...listOf(data.metrics).flatMap((metric, i) => {
      const at = `/data/metrics/${i}`;
      const points = listOf(isObject(metric) ? metric.points : null).flatMap((point, j) =>
        of(point, 'point', `${at}/points/${j}`),
      );
      return [...of(metric, 'metric', at), ...points];
    }),
  ];
}

export const insights: readonly Judged[] = [ranges, listing, badRange, unknownAccount, defaultRange, complete];

// The ranges of insights compared with each other, because the contract does not say which days each of them covers.

type Covered = insightDates.Dates & { readonly days: number };
type Ranges = readonly [week: Covered, month: Covered, quarter: Covered];

const daysOf = (range: string) => Number.parseInt(range, 10);
const isLong = (days: number) => days > daysOf('7d') + insightDates.extraDaysMax;

/** As many days as a range is named for, give or take both ends. */
const isAsNamed = ({ days }: Covered, name: (typeof insightRanges)[number]) =>
  Math.abs(days - daysOf(name)) <= insightDates.extraDaysMax;

export const rangesDiffer: Judged = {
  id: 'insights/ranges-differ',
  title: 'The insights endpoint returns at least as many days for a longer range',
  clauses: ['4.connect.insights.range'],
  scenarios: ['insights/of-account', 'insights/ranges'],
  *judge(history) {
    const measured = insightDates.measuredIn(history);
    const all = readsOf(history, 'getInsights').filter(({ accountId }) => sameId(accountId, measured));
    const own = all.filter(({ accountId }) => accountId === measured);
    const [week, month, quarter] = insightRanges.map((range) =>
      insightDates.rangesIn(own, range).find((one): one is Covered => one.days !== null),
    );
    if (!week || !month || !quarter) return yield { doubt: 'vacuous', message: 'the insights contain no dates' };
    yield* noteLong([week, month, quarter]);
    const [other] = insightDates.rangesIn(
      all.filter((one) => !own.includes(one)),
      '7d',
    );
    yield* areInOrder([week, month, quarter], { all, other });
  },
};

/** The contract does not state what a range covers (R32). */
function* noteLong(ranges: Ranges): Iterable<Judgment> {
  for (const [index, { days, exchange, shown }] of ranges.entries()) {
    const range = insightRanges[index] ?? '28d';
    const words = { expected: `about ${range}`, actual: `${count(days, 'day')}, ${show(shown)},` };
    const claim = { ...about(exchange, '4.connect.insights.range', '/data/range'), ...words };
    if (days > daysOf(range) + insightDates.extraDaysMax) yield { ...claim, severity: 'note' };
  }
}

interface Context {
  readonly all: readonly AccountRead[];
  /** The week of the same account, requested by its id in the other case. */
  readonly other: insightDates.Dates | undefined;
}

function* areInOrder(ranges: Ranges, { all, other }: Context): Iterable<Judgment> {
  const [week, month, quarter] = ranges;
  const actual = `${count(week.days, 'day')} for 7d, ${month.days} for 28d and ${quarter.days} for 90d`;
  const expected = 'more days for a longer range';
  const claim = { ...about(week.exchange, '4.connect.insights.range', '/data/range'), actual, expected };
  const isSwapped =
    Math.max(week.days, month.days) > quarter.days + insightDates.extraDaysMax ||
    week.days > month.days + insightDates.extraDaysMax;
  const mistaken = isSwapped ? null : mistakenIn(ranges);
  const areAlike = week.days === month.days && month.days === quarter.days;
  const days = other?.days ?? null;
  // Ranges that all show the same dates: an account may have no more to show.
  if (isSwapped) yield { ...claim, isTrue: false };
  else if (mistaken !== null) yield isMistaken(mistaken, all);
  else if (!areAlike) yield { ...claim, isTrue: true };
  else if (!isLong(week.days)) yield { doubt: 'vacuous', message: `all ranges cover ${count(week.days, 'day')}` };
  else if (days === null || isLong(days))
    yield { ...claim, severity: 'warn', message: 'the requested range seems to be ignored' };
  else {
    const found = `${count(week.days, 'day')}, but ${days} for the id in the other case`;
    const words = { expected: 'about seven days', actual: found, message: 'a cache might ignore the query' };
    yield { ...claim, ...words, isTrue: false };
  }
}

/** A range with the dates of another range, which does show as many days as its name. */
interface Mistaken {
  readonly dates: insightDates.Dates;
  readonly name: string;
  readonly as: string;
  /** Then the account's limited data explains it. */
  readonly isShorter?: true;
}

function mistakenIn([week, month, quarter]: Ranges): Mistaken | null {
  // No lack of data makes a range longer.
  if (insightDates.areEqual(week, month) && isAsNamed(month, '28d')) return { dates: week, name: '7d', as: '28d' };
  if (insightDates.areEqual(week, quarter) && isAsNamed(quarter, '90d')) return { dates: week, name: '7d', as: '90d' };
  if (insightDates.areEqual(month, quarter) && isAsNamed(quarter, '90d'))
    return { dates: month, name: '28d', as: '90d' };
  const isMonth = insightDates.areEqual(quarter, month) && isAsNamed(month, '28d') && isAsNamed(week, '7d');
  return isMonth ? { dates: quarter, name: '90d', as: '28d', isShorter: true } : null;
}

/**
 * A platform can keep only four weeks, and an account can be new. The extent of a range is not specified (R32). Older
 * days of the same account show that more data exists.
 */
function isMistaken({ dates, name, as, isShorter }: Mistaken, all: readonly AccountRead[]): Judgment {
  const older = isShorter ? olderDay(all, insightDates.dayOf(dates.shown.startDate) ?? 0) : undefined;
  const claim = {
    ...about(dates.exchange, '4.connect.insights.range', '/data/range'),
    ...{ expected: `those of ${name}`, actual: `the dates of ${as}, ${show(dates.shown)},` },
  };
  if (!isShorter) return { ...claim, isTrue: false };
  if (older === undefined) return { ...claim, severity: 'warn', message: 'the service might keep only four weeks' };
  return { ...claim, isTrue: false, message: `the account has data of ${show(older)} too` };
}

/** A day that is clearly before `startMs`: a point of a week or of a month can begin before its range. */
function olderDay(all: readonly AccountRead[], startMs: number): unknown {
  const isBefore = (date: unknown, slackMs: number) => (insightDates.dayOf(date) ?? startMs) < startMs - slackMs;
  const days = all.flatMap(({ exchange }) => {
    const start = [insightDates.datesOf(exchange)?.shown.startDate].filter((date) =>
      isBefore(date, insightDates.extraDaysMax * dayMs),
    );
    const dates = exchange.status === 200 ? insightDates.pointFields(exchange, 'date') : [];
    return [...start, ...dates.filter((date) => isBefore(date, insightDates.monthMs))];
  });
  return days[0];
}
