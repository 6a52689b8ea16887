// Insights asked for or responded wrongly. Cites 2.get-insights-output.*, 4.connect.insights.*, 1.connect-operations.

import { mutantsOf } from './hooks/mutant.ts';
import { onQuery, onRequest, onResponse, onSuccess, onSuccessResponse } from './hooks/recipes.ts';
import { add, asCrash, asRejection, drop, lift, withQuery, withStatus } from './hooks/rewrite.ts';

const operation = 'getInsights';
const ranges = ['7d', '28d', '90d'];

const rangesTaken = mutantsOf({
  '4.connect.insights.range-default': {
    'insights-default-7d': [
      'Without `range` the insights are those of 7d.',
      onQuery(operation, 'range', (value) => (value === undefined ? '7d' : value)),
    ],
    'insights-default-90d': [
      'Without `range` the insights are those of 90d.',
      onQuery(operation, 'range', (value) => (value === undefined ? '90d' : value)),
    ],
  },
  '4.connect.insights.range': {
    'insights-range-required': [
      'Insights without `range` are rejected with 400.',
      onQuery(operation, 'range', (value) => (value === undefined ? '' : value)),
    ],
    'insights-90d-refused': [
      'Insights with `range=90d` are rejected with 400.',
      onQuery(operation, 'range', (value) => (value === '90d' ? '91d' : value)),
    ],
  },
  '4.connect.insights.bad-range': {
    'insights-any-range': [
      'Insights with a `range` outside the list return 200 with the default range.',
      onRequest(operation, ({ request, query }) =>
        query.range !== undefined && !ranges.includes(query.range) ? withQuery(request, { range: null }) : request,
      ),
    ],
    'insights-30d-accepted': [
      'Insights with `range=30d` return 200; other ranges outside the list are rejected.',
      onQuery(operation, 'range', (value) => (value === '30d' ? '28d' : value)),
    ],
    'insights-range-365d-accepted': [
      'Insights with `range=365d` return 200 with those of 90 days.',
      onQuery(operation, 'range', (value) => (value === '365d' ? '90d' : value)),
    ],
    'insights-range-case-ignored': [
      'Insights with `range=7D` return 200.',
      onRequest(operation, ({ request, query }) =>
        query.range === undefined ? request : withQuery(request, { range: query.range.toLowerCase() }),
      ),
      { result: 'warn' },
    ],
    'insights-bad-range-500': [
      'Insights with a `range` outside the list return 500.',
      onResponse(operation, (response, { query }) =>
        response.status === 400 && query.range !== undefined && !ranges.includes(query.range)
          ? asCrash(response, 'Invalid range.')
          : response,
      ),
    ],
  },
});

const outputs = mutantsOf({
  '2.get-insights-output.closed': {
    'insights-extra-comparison-for-90d': [
      '`data` of insights has a field `previous` that is not listed, with `range=90d` only.',
      onSuccess(operation, (body, { query }) => (query.range === '90d' ? add('data', { previous: null })(body) : body)),
    ],
  },
  '2.get-insights-output.required': {
    'insights-without-range': ['`data` of insights has no `range`.', onSuccess(operation, drop('data.range'))],
  },
  '2.get-insights-output.metrics.points.date': {
    'insights-without-points': [
      'No metric of insights has `points`.',
      onSuccess(operation, drop('data.metrics.*.points')),
      { result: 'warn' },
    ],
  },
});

const responses = mutantsOf({
  '4.connect.insights.endpoint': {
    'insights-metrics-as-data': [
      '`data` of insights is the array of metrics itself.',
      onSuccess(operation, lift('data', 'metrics')),
    ],
    'insights-answer-202': [
      'Insights return 202 instead of 200.',
      onSuccessResponse(operation, (response) => withStatus(response, 202)),
    ],
  },
  '1.connect-operations': {
    'insights-not-offered': [
      'Insights return 404 `not_found` for every account of the list, in any state and on any platform.',
      onResponse(operation, (response, { organization }) =>
        organization && response.status !== 400
          ? asRejection(response, 404, { code: 'not_found', message: 'There is no such path in this API.' })
          : response,
      ),
    ],
  },
});

export const insightMutants = [...rangesTaken, ...outputs, ...responses];
