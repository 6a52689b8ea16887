// The ranges of insights held next to each other, because the contract does not say which days each of them covers.

import { dayMs } from '../../../src/contract/timestamps.ts';
import { count } from '../../../src/terminal/count.ts';
import {
  checkResponse,
  isDocumentedRejection,
  otherBusinesses,
  rank,
  readUnlessTroubled,
  uuid,
} from '../../assertions/accounts.ts';
import {
  areEqual,
  type Dates,
  datesOf,
  dayOf,
  daysIn,
  extraDaysMax,
  insightRanges,
  measured,
  monthMs,
  pointDates,
  readRange,
} from '../../assertions/insights.ts';
import { turnOf } from '../../assertions/invalid-inputs.ts';
import { canonical } from '../../exchange/canonical.ts';
import { dataOf, type Exchange, isObject, listOf, nameOfResponse } from '../../exchange/exchange.ts';
import { sameId } from '../../exchange/same-id.ts';
import { about } from '../../judge/claims.ts';
import { show } from '../../judge/ledger.ts';
import { segmentOf } from '../../observe/look.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';
import type { AccountRow } from '../../probe/facts.ts';
import type { Probe } from '../../probe/probe.ts';

/** One range as it got a response; null dates where it shows none. */
interface Covered {
  readonly days: number;
  readonly dates: Dates;
}

/** As many days as a range is named for, give or take both ends. */
function isAsNamed({ days }: Covered, name: (typeof insightRanges)[number]): boolean {
  return Math.abs(days - Number.parseInt(name, 10)) <= extraDaysMax;
}

/** The extents of the three ranges in order; null if one has no dates. */
async function coveredBy(probe: Probe): Promise<readonly [Covered, Covered, Covered] | null> {
  const responses = await Promise.all(insightRanges.map((range) => readRange(probe, range)));
  const [week, month, quarter] = responses.map((exchange) => {
    const [days, dates] = [daysIn(exchange), datesOf(exchange)];
    return days === null || dates === null ? null : { days, dates };
  });
  return week && month && quarter ? [week, month, quarter] : null;
}

const differ: CheckRow = {
  id: 'insights/ranges-differ',
  title: 'The insights endpoint returns at least as many days for a longer range',
  cites: ['4.connect.insights.range'],
  cost: { requests: 0, uses: ['insights ranges'] },
  async run(probe) {
    const covered = await coveredBy(probe);
    if (covered === null) return probe.stop('vacuous', 'the insights contain no dates');
    const [week, month, quarter] = covered;
    const actual = `${count(week.days, 'day')} for 7d, ${month.days} for 28d and ${quarter.days} for 90d`;
    const claim = { ...about(week.dates.exchange, '4.connect.insights.range', '/data/range'), actual };
    const expected = 'more days for a longer range';
    const isSwapped =
      Math.max(week.days, month.days) > quarter.days + extraDaysMax || week.days > month.days + extraDaysMax;
    if (isSwapped) return void probe.holds(false, { ...claim, expected });
    const mistaken = mistakenIn(covered);
    if (mistaken !== null) return checkMistaken(probe, mistaken);
    const areAlike = week.days === month.days && month.days === quarter.days;
    const message = 'the requested range seems to be ignored';
    // A new account can have the same data in all ranges, at most a week for 7d.
    if (areAlike && week.days > 7 + extraDaysMax) probe.warn({ ...claim, expected, message });
    else if (areAlike) probe.stop('vacuous', `all ranges cover ${count(week.days, 'day')}`);
    else probe.holds(true, { ...claim, expected });
  },
};

/** A range with the dates of another range, which does show as many days as its name. */
interface Mistaken {
  readonly dates: Dates;
  readonly name: string;
  readonly as: string;
  /** Then the account's limited data explains it. */
  readonly isShorter: boolean;
}

function mistakenIn([week, month, quarter]: readonly [Covered, Covered, Covered]): Mistaken | null {
  const isOf = (one: Covered, other: Covered) => areEqual(one.dates, other.dates);
  // No lack of data makes a range longer.
  if (isOf(week, month) && isAsNamed(month, '28d')) return { ...week, name: '7d', as: '28d', isShorter: false };
  if (isOf(week, quarter) && isAsNamed(quarter, '90d')) return { ...week, name: '7d', as: '90d', isShorter: false };
  if (isOf(month, quarter) && isAsNamed(quarter, '90d')) return { ...month, name: '28d', as: '90d', isShorter: false };
  const isMonth = isOf(quarter, month) && isAsNamed(month, '28d') && isAsNamed(week, '7d');
  if (isMonth) return { ...quarter, name: '90d', as: '28d', isShorter: true };
  return null;
}

/**
 * A platform can keep only four weeks, and an account can be new. The extent of a range is not specified (R32). Older
 * days of the same account show that more data exists.
 */
async function checkMistaken(probe: Probe, { dates, name, as, isShorter }: Mistaken): Promise<void> {
  const claim = {
    ...about(dates.exchange, '4.connect.insights.range', '/data/range'),
    expected: `those of ${name}`,
    actual: `the dates of ${as}, ${show(dates.shown)},`,
  };
  if (!isShorter) return void probe.holds(false, claim);
  const older = olderDay(probe, (await measured(probe)).accountId, dayOf(dates.shown.startDate) ?? 0);
  if (older !== null) probe.holds(false, { ...claim, message: `the account has data of ${show(older)} too` });
  else probe.warn({ ...claim, message: 'the service might keep only four weeks' });
}

/** A day that is clearly before `startMs`: a point of a week or of a month can begin before its range. */
function olderDay(probe: Probe, accountId: string, startMs: number): unknown {
  const isBefore = (date: unknown, slackMs: number) => (dayOf(date) ?? startMs) < startMs - slackMs;
  for (const exchange of probe.history()) {
    if (exchange.operation !== 'getInsights' || exchange.status !== 200 || exchange.key !== 'good') continue;
    if (segmentOf(exchange, 2).toLowerCase() !== accountId.toLowerCase()) continue;
    const start = datesOf(exchange)?.shown.startDate;
    if (isBefore(start, extraDaysMax * dayMs)) return start;
    const point = pointDates(exchange).find((date) => isBefore(date, monthMs));
    if (point !== undefined) return point;
  }
  return null;
}

const weekDays = 7;

/**
 * Ranges that all show the same dates: an account may have no more to show. The same account under the other writing of
 * its id is another address to a cache, and not to the service.
 */
const again: CheckRow = {
  id: 'insights/ranges-again',
  title: 'The insights endpoint does not reuse the response of another range',
  cites: ['4.connect.insights.range'],
  unless: ['insights/ranges-differ'],
  cost: { requests: 0, confirms: 1, uses: ['insights ranges'] },
  async run(probe) {
    const { accountId, exchange: ofMonth } = await measured(probe);
    const week = await readRange(probe, '7d');
    const [before, days] = [daysIn(ofMonth), daysIn(week)];
    if (before === null || days === null) return probe.stop('vacuous', 'the insights contain no dates');
    const claim = { ...about(week, '4.connect.insights.range', '/data/range'), expected: 'about seven days' };
    const isOfWeek = days <= weekDays + extraDaysMax;
    if (isOfWeek) return void probe.holds(true, { ...claim, actual: count(days, 'day') });
    const capital = accountId === accountId.toUpperCase() ? accountId.toLowerCase() : accountId.toUpperCase();
    if (!uuid.test(accountId) || capital === accountId)
      return probe.stop('vacuous', `7d covers ${count(days, 'day')} (R32)`);
    const other = await probe.send({ operation: 'getInsights', params: { accountId: capital, range: '7d' } });
    const otherDays = daysIn(other);
    if (otherDays === null || otherDays > weekDays + extraDaysMax) {
      return probe.stop('vacuous', `7d covers ${count(days, 'day')}, which the contract does not define (R32)`);
    }
    const actual = `${count(days, 'day')}, but ${otherDays} for the id in the other case`;
    probe.holds(false, { ...claim, actual, message: 'a cache might ignore the query' });
  },
};

export const insightsAgain = defineChecks({ phase: 'after bursts', after: ['insights/ranges'] }, [differ, again]);

// Insights of other accounts than the measured one, to find errors of a single account.

/** Accounts in addition to the first one that shows insights. */
const othersMax = 6;
/** So many different figures are the same by chance in no two accounts. */
const figuresMin = 10;

const otherAccounts: CheckRow = {
  id: 'insights/other-accounts',
  title: 'Other connected accounts return insights or a documented error',
  cites: ['4.connect.insights.endpoint', '4.connect.insights.range-default', '4.connect.statuses', '5.provider-auth'],
  after: ['insights/listing'],
  needs: ['extended'],
  // The list again, where an account is not found, and three ranges where the days are other ones.
  cost: { requests: othersMax, confirms: 4 * othersMax, uses: ['insights'] },
  async run(probe) {
    const { accountId, exchange } = await measured(probe);
    const rows = await probe.facts.accounts();
    const own = rows.find((row) => sameId(row.accountId, accountId));
    const others = otherBusinesses(rows, accountId).sort((a, b) => rank(a) - rank(b));
    for (const [index, other] of ofEachProvider(others, own?.provider).slice(0, othersMax).entries()) {
      // The longest range shows the most points. Without one, the days can be compared with those of the first account.
      const isLongest = (index + turnOf(probe.settings.seed, 2)) % 2 === 0;
      const params = isLongest ? { range: '90d' } : {};
      const response = await readUnlessTroubled(probe, other.accountId, { operation: 'getInsights', params });
      if (response === null) continue;
      checkResponse(probe, { accountId: other.accountId, exchange: response }, '4.connect.insights.endpoint');
      const isRejection = response.status !== 200 && isDocumentedRejection(response);
      const claim = about(response, '4.connect.statuses', '#status');
      if (isRejection) probe.holds(true, { ...claim, expected: 'a rejection', actual: nameOfResponse(response) });
      if (response.status === 200) checkOwn(probe, response, exchange);
      if (!isLongest && (await isOtherDefault(probe, response, exchange))) return;
    }
  },
};

/** Whether an account has another default range than 28d: a platform may have its own default. */
async function isOtherDefault(probe: Probe, response: Exchange, first: Exchange): Promise<boolean> {
  const [days, usual] = [daysIn(response), daysIn(first)];
  if (days === null || usual === null || Math.abs(days - usual) <= extraDaysMax) return false;
  const accountId = segmentOf(response, 2);
  const datesFor = async (range: string | undefined) =>
    datesOf(await probe.send({ operation: 'getInsights', params: { accountId, range } }));
  const found = datesOf(response);
  const [month, other] = [await datesFor('28d'), await datesFor(days < usual ? '7d' : '90d')];
  // An account may have fewer days to show (R32), and a day may begin between two requests.
  if (month === null || areEqual(found, month) || !areEqual(found, other)) return false;
  if (!areEqual(found, await datesFor(undefined))) return false;
  const claim = about(response, '4.connect.insights.range-default', '/data/range');
  const words = { expected: `${show(month.shown)}, as for 28d`, actual: show(found?.shown) };
  return !probe.holds(false, { ...claim, ...words });
}

/** Each platform has code of its own, so those of other providers come first, one of each. */
function ofEachProvider(rows: readonly AccountRow[], own: unknown): readonly AccountRow[] {
  const isFirst = ({ provider }: AccountRow, index: number) =>
    provider !== own && rows.findIndex((row) => row.provider === provider) === index;
  return [...rows.filter(isFirst), ...rows.filter((row, index) => !isFirst(row, index))];
}

/** The contract does not state the figures (R32), and deployments for tests often show the same for all accounts. */
function checkOwn(probe: Probe, response: Exchange, first: Exchange): void {
  const figures = figuresOf(response);
  const isSame = canonical(figures) === canonical(figuresOf(first)) && new Set(figures).size >= figuresMin;
  const claim = {
    ...about(response, '4.connect.insights.endpoint', '/data/metrics'),
    expected: 'insights of this account',
  };
  if (isSame) probe.note({ ...claim, actual: `the insights of another account, as in ${first.id}` });
  else probe.holds(true, { ...claim, proves: [], actual: 'others' });
}

function figuresOf(exchange: Exchange): unknown[] {
  const points = listOf(dataOf(exchange).metrics).flatMap((metric) => (isObject(metric) ? listOf(metric.points) : []));
  return points.map((point) => (isObject(point) ? point.value : undefined));
}

export const insightsOfOthers = defineChecks({ phase: 'after bursts' }, [otherAccounts]);
