// Wrong responses of the call log itself: shape, limit, parameters, snapshot. Cites 4.calls.*, 8.calls-limit.
import { asPage, callsIn, limitOf, onPoll, onSnapshot, pageSince, visibleCalls } from './hooks/call-stream.ts';
import { mutantsOf } from './hooks/mutant.ts';
import { crash, onError, onQuery, onRejection, onRequest, onResponse, onSuccess } from './hooks/recipes.ts';
import { asCrash, asRejection, drop, lift, put, withQuery } from './hooks/rewrite.ts';

const operation = 'listCalls';

export const callMutants = mutantsOf({
  '4.calls.endpoint': {
    'calls-not-offered': [
      'GET /connect/calls/log returns 404 `not_found`.',
      onResponse(operation, (response, { organization }) =>
        organization ? asRejection(response, 404, { code: 'not_found', message: 'There is no such path.' }) : response,
      ),
    ],
  },
  '4.calls.shape': {
    'calls-as-data': [
      '`data` of the call log is the array of calls itself.',
      onSuccess(operation, lift('data', 'calls')),
    ],
  },
  '4.calls.limit': {
    'calls-default-limit-20': [
      'Without `limit`, the call log returns 20 calls, although `limit=50` returns 50.',
      onQuery(operation, 'limit', (value) => (value === undefined ? '20' : value)),
    ],
    'calls-default-limit-20-with-since': [
      'Without `limit`, the call log returns 20 calls after a `since`, although `limit=50` returns 50.',
      onQuery(operation, 'limit', (value, { query }) =>
        value === undefined && query.since !== undefined ? '20' : value,
      ),
    ],
  },
  '4.calls.limit-ceiling': {
    'calls-default-limit-100': [
      'Without `limit`, the call log returns up to 100 calls.',
      onQuery(operation, 'limit', (value) => (value === undefined ? '100' : value)),
    ],
    'calls-limit-over-200-honoured': [
      'The call log returns more than 200 calls with `limit=300`.',
      (next, context) => {
        const grown = onSuccess(operation, (body, exchange) => {
          const { query, organization } = exchange;
          const limit = Number(query['x-limit']);
          if (!(limit > 200)) return body;
          const page =
            query.since === undefined
              ? organization.calls.snapshot({ limit, nowMs: context.nowMs(), unsettled: true })
              : pageSince(exchange, { limit });
          return put('data', asPage(page.calls, page.nextCursor))(body);
        });
        const shrunk = onRequest(operation, ({ request, query }) =>
          Number(query.limit) > 200 && Number(query.limit) <= 1000
            ? withQuery(request, { limit: '200', 'x-limit': query.limit ?? null })
            : request,
        );
        return shrunk(grown(next, context), context);
      },
    ],
    'calls-limit-zero-unlimited': [
      'The call log returns all calls with `limit=0`.',
      (next, context) =>
        onSuccess(operation, (body, exchange) => {
          if (exchange.query.limit !== '0') return body;
          const { calls } = pageSince(exchange, { since: '1970-01-01T00:00:00Z', limit: 1000 });
          return put('data', asPage(calls, null))(body);
        })(onQuery(operation, 'limit', (value) => (value === '0' ? null : value))(next, context), context),
    ],
    'calls-limit-ignored': [
      'The call log returns up to 50 calls with any `limit`.',
      onQuery(operation, 'limit', (value) => (Number(value) >= 1 && Number(value) <= 200 ? null : value)),
    ],
    'calls-limit-plus-one': [
      'A page of the call log has one call more than `limit`.',
      onPoll((page, exchange) => {
        const grown = pageSince(exchange, { limit: limitOf(exchange) + 1 });
        return callsIn(page).length === limitOf(exchange) ? asPage(grown.calls, grown.nextCursor) : page;
      }),
    ],
    'calls-snapshot-limit-ignored': [
      'Without `since` the call log returns 50 calls with any `limit`.',
      onQuery(operation, 'limit', (value, { query }) =>
        query.since === undefined && Number(value) < 50 ? null : value,
      ),
    ],
  },
  '8.calls-limit': {
    'calls-limit-200-gives-100': [
      'The call log returns 100 calls with `limit=200`, although there are more.',
      onQuery(operation, 'limit', (value) => (Number(value) > 100 && Number(value) <= 200 ? '100' : value)),
    ],
    'calls-limit-200-refused': [
      'The call log rejects `limit=200`, the largest allowed, as out of range.',
      onQuery(operation, 'limit', (value) => (value === '200' ? '201' : value)),
    ],
  },
  '4.calls.since': {
    'calls-since-zero-ignored': [
      'The call log handles `since=1970-01-01T00:00:00Z`, whose number is 0, like no `since`.',
      onQuery(operation, 'since', (value) => (value !== undefined && Date.parse(value) === 0 ? null : value)),
    ],
    'calls-since-required': [
      'The call log without `since` is rejected with 400.',
      onQuery(operation, 'since', (value) => (value === undefined ? '' : value)),
    ],
    'calls-since-offset-refused': [
      'A `since` with an offset such as +02:00 is rejected with 400.',
      onQuery(operation, 'since', (since) => (/[+-]\d{2}:\d{2}$/.test(since ?? '') ? 'offset' : since)),
      { result: 'warn' },
    ],
    'calls-since-without-milliseconds-refused': [
      'A `since` without fraction digits is rejected with 400.',
      onQuery(operation, 'since', (since) => (since?.includes('.') === false ? 'fraction' : since)),
      { result: 'warn' },
    ],
    'calls-since-without-milliseconds-late': [
      'A `since` without fraction digits is read as a time in the year 2096.',
      onQuery(operation, 'since', (since) => (since?.endsWith(':00Z') ? '2096-01-01T00:00:00.000Z' : since)),
    ],
  },
  '4.calls.statuses': {
    'calls-limit-text-500': [
      '`limit=abc` makes the call log return 500.',
      crash(operation, ({ query }) => Number.isNaN(Number(query.limit ?? 1))),
    ],
    'calls-since-text-500': [
      'A `since` that is not a date-time makes the call log return 500.',
      onResponse(operation, (response, { organization, query: { since } }) =>
        organization && response.status === 400 && Number.isNaN(Date.parse(since ?? '')) ? asCrash(response) : response,
      ),
    ],
    'calls-without-key-403': [
      'The call log without a key returns 403.',
      onRejection({ which: operation, code: 'unauthorized' }, (response, error) => asRejection(response, 403, error)),
    ],
  },
  '4.calls.envelope': {
    'calls-error-code-bad-request': [
      'A rejection of the call log for its parameters has the code "bad_request", which no tool has.',
      onError({ which: operation, code: 'invalid_input' }, put('error.code', 'bad_request')),
    ],
  },
  '7.code.invalid-input-issues': {
    'calls-issues-missing': [
      'A rejection of the call log with `invalid_input` has no `issues`.',
      onError({ which: operation, code: 'invalid_input' }, drop('error.issues')),
    ],
  },
  '4.calls.snapshot-order': {
    'calls-snapshot-reversed': [
      'Without `since`, the call log returns the newest calls, but the oldest of them first.',
      onSnapshot((page) => asPage(callsIn(page).reverse(), null)),
    ],
    'calls-snapshot-of-oldest': [
      'Without `since`, the call log returns its oldest calls, oldest first.',
      onSnapshot((_page, exchange) => asPage(pageSince(exchange, { since: '1970-01-01T00:00:00Z' }).calls, null)),
    ],
    'calls-snapshot-without-newest': [
      'Without `since`, the call log lacks the last four calls that polls returned, although it has older calls.',
      onSnapshot((page, exchange) => {
        const newest = new Set(
          visibleCalls(exchange)
            .slice(-4)
            .map(({ id }) => id),
        );
        return asPage(
          callsIn(page).filter(({ id }) => !newest.has(id)),
          null,
        );
      }),
    ],
  },
});
