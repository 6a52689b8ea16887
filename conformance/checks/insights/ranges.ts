// The ranges of insights compared with each other, because the contract does not say which days each of them covers.
import { dayMs } from '../../../src/contract/timestamps.ts';
import { count } from '../../../src/terminal/count.ts';
import { type AccountRead, insightRanges, readsOf } from '../../exchange/accounts.ts';
import {
  areEqual,
  type Dates,
  datesOf,
  dayOf,
  extraDaysMax,
  measuredIn,
  monthMs,
  pointFields,
  rangesIn,
} from '../../exchange/insights.ts';
import { sameId } from '../../exchange/same-id.ts';
import { about } from '../../judge/expect.ts';
import type { Judged, Judgment } from '../../judge/judge.ts';
import { show } from '../../judge/ledger.ts';

type Covered = Dates & { readonly days: number };
type Ranges = readonly [week: Covered, month: Covered, quarter: Covered];

const daysOf = (range: string) => Number.parseInt(range, 10);
const isLong = (days: number) => days > daysOf('7d') + extraDaysMax;

/** As many days as a range is named for, give or take both ends. */
const isAsNamed = ({ days }: Covered, name: (typeof insightRanges)[number]) =>
  Math.abs(days - daysOf(name)) <= extraDaysMax;

export const rangesDiffer: Judged = {
  id: 'insights/ranges-differ',
  title: 'The insights endpoint returns at least as many days for a longer range',
  clauses: ['4.connect.insights.range'],
  scenarios: ['insights/of-account', 'insights/ranges'],
  *judge(history) {
    const measured = measuredIn(history);
    const all = readsOf(history, 'getInsights').filter(({ accountId }) => sameId(accountId, measured));
    const own = all.filter(({ accountId }) => accountId === measured);
    const [week, month, quarter] = insightRanges.map((range) =>
      rangesIn(own, range).find((one): one is Covered => one.days !== null),
    );
    if (!week || !month || !quarter) return yield { doubt: 'vacuous', message: 'the insights contain no dates' };
    yield* noteLong([week, month, quarter]);
    const [other] = rangesIn(
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
    if (days > daysOf(range) + extraDaysMax) yield { ...claim, severity: 'note' };
  }
}

interface Context {
  readonly all: readonly AccountRead[];
  /** The week of the same account, requested by its id in the other case. */
  readonly other: Dates | undefined;
}

function* areInOrder(ranges: Ranges, { all, other }: Context): Iterable<Judgment> {
  const [week, month, quarter] = ranges;
  const actual = `${count(week.days, 'day')} for 7d, ${month.days} for 28d and ${quarter.days} for 90d`;
  const expected = 'more days for a longer range';
  const claim = { ...about(week.exchange, '4.connect.insights.range', '/data/range'), actual, expected };
  const isSwapped =
    Math.max(week.days, month.days) > quarter.days + extraDaysMax || week.days > month.days + extraDaysMax;
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
  readonly dates: Dates;
  readonly name: string;
  readonly as: string;
  /** Then the account's limited data explains it. */
  readonly isShorter?: true;
}

function mistakenIn([week, month, quarter]: Ranges): Mistaken | null {
  // No lack of data makes a range longer.
  if (areEqual(week, month) && isAsNamed(month, '28d')) return { dates: week, name: '7d', as: '28d' };
  if (areEqual(week, quarter) && isAsNamed(quarter, '90d')) return { dates: week, name: '7d', as: '90d' };
  if (areEqual(month, quarter) && isAsNamed(quarter, '90d')) return { dates: month, name: '28d', as: '90d' };
  const isMonth = areEqual(quarter, month) && isAsNamed(month, '28d') && isAsNamed(week, '7d');
  return isMonth ? { dates: quarter, name: '90d', as: '28d', isShorter: true } : null;
}

/**
 * A platform can keep only four weeks, and an account can be new. The extent of a range is not specified (R32). Older
 * days of the same account show that more data exists.
 */
function isMistaken({ dates, name, as, isShorter }: Mistaken, all: readonly AccountRead[]): Judgment {
  const older = isShorter ? olderDay(all, dayOf(dates.shown.startDate) ?? 0) : undefined;
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
  const isBefore = (date: unknown, slackMs: number) => (dayOf(date) ?? startMs) < startMs - slackMs;
  const days = all.flatMap(({ exchange }) => {
    const start = [datesOf(exchange)?.shown.startDate].filter((date) => isBefore(date, extraDaysMax * dayMs));
    const dates = exchange.status === 200 ? pointFields(exchange, 'date') : [];
    return [...start, ...dates.filter((date) => isBefore(date, monthMs))];
  });
  return days[0];
}
