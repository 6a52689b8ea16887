// The fields of insights, and dates that the contract leaves open (interpretation R32).

import { dataOf, type Exchange, isObject, listOf } from '../../exchange/exchange.ts';
import { datesOf, dayOf, isOver, monthMs, pointFields } from '../../exchange/insights.ts';
import { about } from '../../judge/claims.ts';
import type { Judged, Judgment } from '../../judge/judge.ts';
import { show } from '../../judge/ledger.ts';

export const complete: Judged = {
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
      const dates = datesOf(exchange)?.shown;
      const [start, end] = [dayOf(dates?.startDate), dayOf(dates?.endDate)];
      if (start === null || end === null) continue;
      // The extent of a range is not specified (R32).
      const claim = about(exchange, '2.get-insights-output.range.end-date', '/data/range');
      if (start > end) yield { ...claim, severity: 'note', expected: 'a start before the end', actual: show(dates) };
      if (isOver({ exchange, date: dates?.endDate, days: oldDays }))
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
  const stray = pointFields(exchange, 'date').find((date) => {
    const day = dayOf(date);
    return day !== null && (day < from - monthMs || day > to + monthMs);
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

/** Every field that the table lists, of every range, metric and point. */
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
