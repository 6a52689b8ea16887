// Insights asked for or answered wrongly. Cites 2.get-insights-output.*, 4.connect.insights.*, 1.connect-operations.
import { add, change, drop, put } from './hooks/json-path.ts';
import type { Mutant } from './hooks/mutant.ts';
import { onAnswer, onError, onRequest, onSuccess, onSuccessAnswer } from './hooks/recipes.ts';
import { asRefusal, isObject, type Json, withQuery, withStatus } from './hooks/rewrite.ts';

const operation = 'getInsights';
const ranges = ['7d', '28d', '90d'];

const rangesTaken: readonly Mutant[] = [
  {
    name: 'insights-default-7d',
    breaks: '4.connect.insights.range-default',
    shows: 'Without `range` the insights are those of 7d.',
    wrap: onRequest(operation, ({ request, query }) =>
      query.range === undefined ? withQuery(request, { range: '7d' }) : request,
    ),
  },
  {
    name: 'insights-default-90d',
    breaks: '4.connect.insights.range-default',
    shows: 'Without `range` the insights are those of 90d.',
    wrap: onRequest(operation, ({ request, query }) =>
      query.range === undefined ? withQuery(request, { range: '90d' }) : request,
    ),
  },
  {
    name: 'insights-range-required',
    breaks: '4.connect.insights.range',
    shows: 'Insights without `range` are refused with 400.',
    wrap: onRequest(operation, ({ request, query }) =>
      query.range === undefined ? withQuery(request, { range: '' }) : request,
    ),
  },
  {
    name: 'insights-90d-refused',
    breaks: '4.connect.insights.range',
    shows: 'Insights with `range=90d` are refused with 400.',
    wrap: onRequest(operation, ({ request, query }) =>
      query.range === '90d' ? withQuery(request, { range: '91d' }) : request,
    ),
  },
  {
    name: 'insights-any-range',
    breaks: '4.connect.insights.bad-range',
    shows: 'Insights with a `range` outside the list answer 200 with the default range.',
    wrap: onRequest(operation, ({ request, query }) =>
      query.range !== undefined && !ranges.includes(query.range) ? withQuery(request, { range: null }) : request,
    ),
  },
  {
    name: 'insights-30d-accepted',
    breaks: '4.connect.insights.bad-range',
    shows: 'Insights with `range=30d` answer 200; other ranges outside the list are refused.',
    wrap: onRequest(operation, ({ request, query }) =>
      query.range === '30d' ? withQuery(request, { range: '28d' }) : request,
    ),
  },
  {
    name: 'insights-range-365d-accepted',
    breaks: '4.connect.insights.bad-range',
    shows: 'Insights with `range=365d` answer 200 with those of 90 days.',
    wrap: onRequest(operation, ({ request, query }) =>
      query.range === '365d' ? withQuery(request, { range: '90d' }) : request,
    ),
  },
  {
    name: 'insights-range-case-ignored',
    breaks: '4.connect.insights.bad-range',
    shows: 'Insights with `range=7D` answer 200.',
    verdict: 'warn',
    wrap: onRequest(operation, ({ request, query }) =>
      query.range === undefined ? request : withQuery(request, { range: query.range.toLowerCase() }),
    ),
  },
  {
    name: 'insights-bad-range-500',
    breaks: '4.connect.insights.bad-range',
    shows: 'Insights with a `range` outside the list answer 500.',
    wrap: onAnswer(operation, (response, { query }) =>
      response.status === 400 && query.range !== undefined && !ranges.includes(query.range)
        ? asRefusal(response, 500, { code: 'internal_error', message: 'Invalid range.' })
        : response,
    ),
  },
  {
    name: 'insights-issues-missing',
    breaks: '7.code.invalid-input-issues',
    shows: 'Insights with a `range` outside the list are refused without `issues`.',
    wrap: onError({ which: operation, code: 'invalid_input' }, drop('error.issues')),
  },
];

const outputs: readonly Mutant[] = [
  {
    name: 'insights-extra-currency',
    breaks: '2.get-insights-output.closed',
    shows: '`data` of insights has a member `currency` that is not listed.',
    wrap: onSuccess(operation, add('data', { currency: 'EUR' })),
  },
  {
    name: 'insights-extra-comparison-for-90d',
    breaks: '2.get-insights-output.closed',
    shows: '`data` of insights has a member `previous` that is not listed, with `range=90d` only.',
    wrap: onSuccess(operation, (body, { query }) =>
      query.range === '90d' ? add('data', { previous: null })(body) : body,
    ),
  },
  {
    name: 'insights-without-range',
    breaks: '2.get-insights-output.required',
    shows: '`data` of insights has no `range`.',
    wrap: onSuccess(operation, drop('data.range')),
  },
  {
    name: 'insights-without-metrics',
    breaks: '2.get-insights-output.required',
    shows: '`data` of insights has no `metrics` with `range=7d`.',
    wrap: onSuccess(operation, (body, { query }) => (query.range === '7d' ? drop('data.metrics')(body) : body)),
  },
  {
    name: 'insights-start-date-number',
    breaks: '2.get-insights-output.range.start-date',
    shows: '`range.startDate` of insights is epoch milliseconds.',
    wrap: onSuccess(
      operation,
      change('data.range.startDate', (date) => Date.parse(String(date))),
    ),
  },
  {
    name: 'insights-end-date-null',
    breaks: '2.get-insights-output.range.end-date',
    shows: '`range.endDate` of insights is null.',
    wrap: onSuccess(operation, put('data.range.endDate', null)),
  },
  {
    name: 'insights-metrics-by-key',
    breaks: '2.get-insights-output.metrics.key',
    shows: '`metrics` of insights is an object with the keys as members, not an array.',
    wrap: onSuccess(
      operation,
      change('data.metrics', (metrics) =>
        Object.fromEntries((metrics as { key: string }[]).map((metric) => [metric.key, metric])),
      ),
    ),
  },
  {
    name: 'insights-metric-key-number',
    breaks: '2.get-insights-output.metrics.key',
    shows: 'The last metric of insights has a number for its `key`.',
    wrap: onSuccess(operation, put('data.metrics.-1.key', 4)),
  },
  {
    name: 'insights-metric-label-null',
    breaks: '2.get-insights-output.metrics.label',
    shows: 'The second metric of insights has `label` null.',
    wrap: onSuccess(operation, put('data.metrics.1.label', null)),
  },
  {
    name: 'insights-metric-total-text',
    breaks: '2.get-insights-output.metrics.total',
    shows: 'The last metric of insights has its `total` as a string.',
    wrap: onSuccess(operation, change('data.metrics.-1.total', String)),
  },
  {
    name: 'insights-metric-total-null',
    breaks: '2.get-insights-output.metrics.total',
    shows: 'The first metric of insights has `total` null.',
    wrap: onSuccess(operation, put('data.metrics.0.total', null)),
  },
  {
    name: 'insights-point-date-number',
    breaks: '2.get-insights-output.metrics.points.date',
    shows: 'The last point of the last metric has epoch milliseconds for its `date`.',
    wrap: onSuccess(
      operation,
      change('data.metrics.-1.points.-1.date', (date) => Date.parse(String(date))),
    ),
  },
  {
    name: 'insights-points-by-date',
    breaks: '2.get-insights-output.metrics.points.date',
    shows: '`points` of a metric is an object with the dates as members, not an array.',
    wrap: onSuccess(
      operation,
      change('data.metrics.*.points', (points) =>
        Object.fromEntries((points as { date: string; value: number }[]).map(({ date, value }) => [date, value])),
      ),
    ),
  },
  {
    name: 'insights-point-value-text',
    breaks: '2.get-insights-output.metrics.points.value',
    shows: 'The first point of the second metric has its `value` as a string.',
    wrap: onSuccess(operation, change('data.metrics.1.points.0.value', String)),
  },
  {
    name: 'insights-point-value-null-today',
    breaks: '2.get-insights-output.metrics.points.value',
    shows: 'The last point of each metric has `value` null.',
    wrap: onSuccess(operation, put('data.metrics.*.points.-1.value', null)),
  },
];

const answers: readonly Mutant[] = [
  {
    name: 'insights-metrics-as-data',
    breaks: '4.connect.insights.endpoint',
    shows: '`data` of insights is the array of metrics itself.',
    wrap: onSuccess(
      operation,
      change('data', (data): Json => (isObject(data) ? (data.metrics ?? null) : data)),
    ),
  },
  {
    name: 'insights-answer-202',
    breaks: '4.connect.insights.endpoint',
    shows: 'Insights answer 202 instead of 200.',
    wrap: onSuccessAnswer(operation, (response) => withStatus(response, 202)),
  },
  {
    name: 'insights-not-offered',
    breaks: '1.connect-operations',
    shows: 'Insights answer 404 `not_found` for every account of the list, whatever its state and platform.',
    wrap: onAnswer(operation, (response, { organization }) =>
      organization && response.status !== 400
        ? asRefusal(response, 404, { code: 'not_found', message: 'There is no such path in this API.' })
        : response,
    ),
  },
];

export const insightMutants: readonly Mutant[] = [...rangesTaken, ...outputs, ...answers];
