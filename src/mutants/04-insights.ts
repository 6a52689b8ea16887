// Insights asked for or answered wrongly. Cites 2.get-insights-output.*, 4.connect.insights.*, 1.connect-operations.
import { add, change, drop, put } from './hooks/json-path.ts';
import { mutantsOf } from './hooks/mutants-of.ts';
import { onAnswer, onError, onRequest, onSuccess, onSuccessAnswer } from './hooks/recipes.ts';
import { asCrash, asRefusal, epochMs, isObject, type Json, withQuery, withStatus } from './hooks/rewrite.ts';

const operation = 'getInsights';
const ranges = ['7d', '28d', '90d'];

const rangesTaken = mutantsOf({
  '4.connect.insights.range-default': {
    'insights-default-7d': [
      'Without `range` the insights are those of 7d.',
      onRequest(operation, ({ request, query }) =>
        query.range === undefined ? withQuery(request, { range: '7d' }) : request,
      ),
    ],
    'insights-default-90d': [
      'Without `range` the insights are those of 90d.',
      onRequest(operation, ({ request, query }) =>
        query.range === undefined ? withQuery(request, { range: '90d' }) : request,
      ),
    ],
  },
  '4.connect.insights.range': {
    'insights-range-required': [
      'Insights without `range` are refused with 400.',
      onRequest(operation, ({ request, query }) =>
        query.range === undefined ? withQuery(request, { range: '' }) : request,
      ),
    ],
    'insights-90d-refused': [
      'Insights with `range=90d` are refused with 400.',
      onRequest(operation, ({ request, query }) =>
        query.range === '90d' ? withQuery(request, { range: '91d' }) : request,
      ),
    ],
  },
  '4.connect.insights.bad-range': {
    'insights-any-range': [
      'Insights with a `range` outside the list answer 200 with the default range.',
      onRequest(operation, ({ request, query }) =>
        query.range !== undefined && !ranges.includes(query.range) ? withQuery(request, { range: null }) : request,
      ),
    ],
    'insights-30d-accepted': [
      'Insights with `range=30d` answer 200; other ranges outside the list are refused.',
      onRequest(operation, ({ request, query }) =>
        query.range === '30d' ? withQuery(request, { range: '28d' }) : request,
      ),
    ],
    'insights-range-365d-accepted': [
      'Insights with `range=365d` answer 200 with those of 90 days.',
      onRequest(operation, ({ request, query }) =>
        query.range === '365d' ? withQuery(request, { range: '90d' }) : request,
      ),
    ],
    'insights-range-case-ignored': [
      'Insights with `range=7D` answer 200.',
      onRequest(operation, ({ request, query }) =>
        query.range === undefined ? request : withQuery(request, { range: query.range.toLowerCase() }),
      ),
      { verdict: 'warn' },
    ],
    'insights-bad-range-500': [
      'Insights with a `range` outside the list answer 500.',
      onAnswer(operation, (response, { query }) =>
        response.status === 400 && query.range !== undefined && !ranges.includes(query.range)
          ? asCrash(response, 'Invalid range.')
          : response,
      ),
    ],
  },
  '7.code.invalid-input-issues': {
    'insights-issues-missing': [
      'Insights with a `range` outside the list are refused without `issues`.',
      onError({ which: operation, code: 'invalid_input' }, drop('error.issues')),
    ],
  },
});

const outputs = mutantsOf({
  '2.get-insights-output.closed': {
    'insights-extra-currency': [
      '`data` of insights has a member `currency` that is not listed.',
      onSuccess(operation, add('data', { currency: 'EUR' })),
    ],
    'insights-extra-comparison-for-90d': [
      '`data` of insights has a member `previous` that is not listed, with `range=90d` only.',
      onSuccess(operation, (body, { query }) => (query.range === '90d' ? add('data', { previous: null })(body) : body)),
    ],
  },
  '2.get-insights-output.required': {
    'insights-without-range': ['`data` of insights has no `range`.', onSuccess(operation, drop('data.range'))],
    'insights-without-metrics': [
      '`data` of insights has no `metrics` with `range=7d`.',
      onSuccess(operation, (body, { query }) => (query.range === '7d' ? drop('data.metrics')(body) : body)),
    ],
  },
  '2.get-insights-output.inner-required': {
    'insights-without-end-date': [
      '`range` of insights has no `endDate`.',
      onSuccess(operation, drop('data.range.endDate')),
    ],
    'insights-last-metric-without-total': [
      'The last metric of insights has no `total`.',
      onSuccess(operation, drop('data.metrics.-1.total')),
    ],
  },
  '2.get-insights-output.range.start-date': {
    'insights-start-date-number': [
      '`range.startDate` of insights is epoch milliseconds.',
      onSuccess(operation, change('data.range.startDate', epochMs)),
    ],
  },
  '2.get-insights-output.range.end-date': {
    'insights-end-date-null': [
      '`range.endDate` of insights is null.',
      onSuccess(operation, put('data.range.endDate', null)),
    ],
  },
  '2.get-insights-output.metrics.key': {
    'insights-metrics-by-key': [
      '`metrics` of insights is an object with the keys as members, not an array.',
      onSuccess(
        operation,
        change('data.metrics', (metrics) =>
          Object.fromEntries((metrics as { key: string }[]).map((metric) => [metric.key, metric])),
        ),
      ),
    ],
    'insights-metric-key-number': [
      'The last metric of insights has a number for its `key`.',
      onSuccess(operation, put('data.metrics.-1.key', 4)),
    ],
  },
  '2.get-insights-output.metrics.label': {
    'insights-metric-label-null': [
      'The second metric of insights has `label` null.',
      onSuccess(operation, put('data.metrics.1.label', null)),
    ],
  },
  '2.get-insights-output.metrics.total': {
    'insights-metric-total-text': [
      'The last metric of insights has its `total` as a string.',
      onSuccess(operation, change('data.metrics.-1.total', String)),
    ],
    'insights-metric-total-null': [
      'The first metric of insights has `total` null.',
      onSuccess(operation, put('data.metrics.0.total', null)),
    ],
  },
  '2.get-insights-output.metrics.points.date': {
    'insights-without-points': [
      'No metric of insights has `points`.',
      onSuccess(operation, drop('data.metrics.*.points')),
      { verdict: 'warn' },
    ],
    'insights-point-date-number': [
      'The last point of the last metric has epoch milliseconds for its `date`.',
      onSuccess(operation, change('data.metrics.-1.points.-1.date', epochMs)),
    ],
    'insights-points-by-date': [
      '`points` of a metric is an object with the dates as members, not an array.',
      onSuccess(
        operation,
        change('data.metrics.*.points', (points) =>
          Object.fromEntries((points as { date: string; value: number }[]).map(({ date, value }) => [date, value])),
        ),
      ),
    ],
  },
  '2.get-insights-output.metrics.points.value': {
    'insights-point-value-text': [
      'The first point of the second metric has its `value` as a string.',
      onSuccess(operation, change('data.metrics.1.points.0.value', String)),
    ],
    'insights-point-value-null-today': [
      'The last point of each metric has `value` null.',
      onSuccess(operation, put('data.metrics.*.points.-1.value', null)),
    ],
  },
});

const answers = mutantsOf({
  '4.connect.insights.endpoint': {
    'insights-metrics-as-data': [
      '`data` of insights is the array of metrics itself.',
      onSuccess(
        operation,
        change('data', (data): Json => (isObject(data) ? (data.metrics ?? null) : data)),
      ),
    ],
    'insights-answer-202': [
      'Insights answer 202 instead of 200.',
      onSuccessAnswer(operation, (response) => withStatus(response, 202)),
    ],
  },
  '1.connect-operations': {
    'insights-not-offered': [
      'Insights answer 404 `not_found` for every account of the list, whatever its state and platform.',
      onAnswer(operation, (response, { organization }) =>
        organization && response.status !== 400
          ? asRefusal(response, 404, { code: 'not_found', message: 'There is no such path in this API.' })
          : response,
      ),
    ],
  },
});

export const insightMutants = [...rangesTaken, ...outputs, ...answers];
