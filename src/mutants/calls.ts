// The call log answered wrongly as such: shape, limit, parameters, snapshot. Cites 4.calls.*, 8.calls-limit.
import { asPage, callsIn, limitOf, onPoll, onSnapshot, pageSince, visibleCalls } from './hooks/call-stream.ts';
import { change, drop, put } from './hooks/json-path.ts';
import type { Mutant } from './hooks/mutant.ts';
import { onAnswer, onError, onRefusal, onRequest, onSuccess } from './hooks/recipes.ts';
import { asRefusal, asSuccess, isObject, type Json, withQuery } from './hooks/rewrite.ts';

const operation = 'listCalls';

const shapes: readonly Mutant[] = [
  {
    name: 'calls-not-offered',
    breaks: '4.calls.endpoint',
    shows: 'GET /connect/calls/log answers 404 `not_found`.',
    wrap: onAnswer(operation, (response, { organization }) =>
      organization ? asRefusal(response, 404, { code: 'not_found', message: 'There is no such path.' }) : response,
    ),
  },
  {
    name: 'calls-as-data',
    breaks: '4.calls.shape',
    shows: '`data` of the call log is the array of calls itself.',
    wrap: onSuccess(
      operation,
      change('data', (data) => (isObject(data) ? (data.calls ?? null) : data)),
    ),
  },
  {
    name: 'calls-cursor-left-out-at-end',
    breaks: '4.calls.shape',
    shows: 'Where `nextCursor` should be null it is left out.',
    wrap: onSuccess(
      operation,
      change('data', (data) => (isObject(data) && data.nextCursor === null ? drop('nextCursor')(data) : data)),
    ),
  },
  {
    name: 'calls-left-out-when-empty',
    breaks: '4.calls.shape',
    shows: 'When nothing is new the call log has no `calls` instead of an empty array.',
    wrap: onSuccess(
      operation,
      change('data', (data) =>
        isObject(data) && Array.isArray(data.calls) && data.calls.length === 0 ? drop('calls')(data) : data,
      ),
    ),
  },
  {
    name: 'calls-null-when-empty',
    breaks: '4.calls.shape',
    shows: 'When nothing is new `calls` of the call log is null.',
    wrap: onSuccess(
      operation,
      change('data.calls', (calls) => (Array.isArray(calls) && calls.length === 0 ? null : calls)),
    ),
  },
  {
    name: 'calls-cursor-beside-data',
    breaks: '4.calls.shape',
    shows: '`nextCursor` of the call log stands beside `data`, not in it.',
    wrap: onSuccess(operation, (body) =>
      isObject(body) && isObject(body.data)
        ? { data: { calls: body.data.calls ?? [] }, nextCursor: body.data.nextCursor ?? null }
        : body,
    ),
  },
];

const limits: readonly Mutant[] = [
  {
    name: 'calls-default-limit-20',
    breaks: '4.calls.limit',
    shows: 'Without `limit` the call log gives 20 calls, where `limit=50` gives 50.',
    verdict: 'warn',
    wrap: onRequest(operation, ({ request, query }) =>
      query.limit === undefined ? withQuery(request, { limit: '20' }) : request,
    ),
  },
  {
    name: 'calls-default-limit-100',
    breaks: '4.calls.limit-ceiling',
    shows: 'Without `limit` the call log gives up to 100 calls.',
    wrap: onRequest(operation, ({ request, query }) =>
      query.limit === undefined ? withQuery(request, { limit: '100' }) : request,
    ),
  },
  {
    name: 'calls-limit-200-gives-100',
    breaks: '8.calls-limit',
    shows: 'The call log gives 100 calls with `limit=200`, although more are there.',
    wrap: onRequest(operation, ({ request, query }) =>
      Number(query.limit) > 100 && Number(query.limit) <= 200 ? withQuery(request, { limit: '100' }) : request,
    ),
  },
  {
    name: 'calls-limit-200-refused',
    breaks: '8.calls-limit',
    shows: 'The call log refuses `limit=200`, the largest allowed, as out of range.',
    wrap: onRequest(operation, ({ request, query }) =>
      query.limit === '200' ? withQuery(request, { limit: '201' }) : request,
    ),
  },
  {
    name: 'calls-limit-over-200-honoured',
    breaks: '4.calls.limit-ceiling',
    shows: 'The call log gives more than 200 calls with `limit=300`.',
    wrap: (next, context) => {
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
  },
  {
    name: 'calls-limit-ignored',
    breaks: '4.calls.limit-ceiling',
    shows: 'The call log gives up to 50 calls whatever `limit` says.',
    wrap: onRequest(operation, ({ request, query }) =>
      Number(query.limit) >= 1 && Number(query.limit) <= 200 ? withQuery(request, { limit: null }) : request,
    ),
  },
  {
    name: 'calls-limit-plus-one',
    breaks: '4.calls.limit-ceiling',
    shows: 'A page of the call log holds one call more than `limit`.',
    wrap: onPoll((page, exchange) => {
      const grown = pageSince(exchange, { limit: limitOf(exchange) + 1 });
      return callsIn(page).length === limitOf(exchange) ? asPage(grown.calls, grown.nextCursor) : page;
    }),
  },
  {
    name: 'calls-snapshot-limit-ignored',
    breaks: '4.calls.limit-ceiling',
    shows: 'Without `since` the call log gives 50 calls whatever `limit` says.',
    wrap: onRequest(operation, ({ request, query }) =>
      query.since === undefined && Number(query.limit) < 50 ? withQuery(request, { limit: null }) : request,
    ),
  },
];

const parameters: readonly Mutant[] = [
  {
    name: 'calls-since-required',
    breaks: '4.calls.since',
    shows: 'The call log without `since` is refused with 400.',
    wrap: onRequest(operation, ({ request, query }) =>
      query.since === undefined ? withQuery(request, { since: '' }) : request,
    ),
  },
  {
    name: 'calls-since-offset-refused',
    breaks: '4.calls.since',
    shows: 'A `since` with an offset such as +02:00 is refused with 400.',
    verdict: 'warn',
    wrap: onRequest(operation, ({ request, query: { since } }) =>
      since !== undefined && /[+-]\d{2}:\d{2}$/.test(since) ? withQuery(request, { since: 'offset' }) : request,
    ),
  },
  {
    name: 'calls-since-without-milliseconds-refused',
    breaks: '4.calls.since',
    shows: 'A `since` without fraction digits is refused with 400.',
    verdict: 'warn',
    wrap: onRequest(operation, ({ request, query: { since } }) =>
      since !== undefined && !since.includes('.') ? withQuery(request, { since: 'fraction' }) : request,
    ),
  },
  {
    name: 'calls-limit-text-500',
    breaks: '4.calls.statuses',
    shows: '`limit=abc` makes the call log answer 500.',
    wrap: onAnswer(operation, (response, { organization, query }) =>
      organization && Number.isNaN(Number(query.limit ?? 1)) ? crash(response) : response,
    ),
  },
  {
    name: 'calls-since-text-500',
    breaks: '4.calls.statuses',
    shows: 'A `since` that is no date-time makes the call log answer 500.',
    wrap: onAnswer(operation, (response, { organization, query: { since } }) =>
      organization && response.status === 400 && Number.isNaN(Date.parse(since ?? '')) ? crash(response) : response,
    ),
  },
  {
    name: 'calls-error-text',
    breaks: '4.calls.envelope',
    shows: 'A refusal of the call log has a plain string for `error`.',
    wrap: onError(
      { which: operation },
      change('error', (error) => (isObject(error) ? (error.message ?? '') : error)),
    ),
  },
  {
    name: 'calls-error-code-bad-request',
    breaks: '4.calls.envelope',
    shows: 'A refusal of the call log for its parameters has the code "bad_request", which no tool has.',
    wrap: onError({ which: operation, code: 'invalid_input' }, put('error.code', 'bad_request')),
  },
  {
    name: 'calls-issues-missing',
    breaks: '7.code.invalid-input-issues',
    shows: 'A refusal of the call log with `invalid_input` has no `issues`.',
    wrap: onError({ which: operation, code: 'invalid_input' }, drop('error.issues')),
  },
  {
    name: 'calls-without-key-403',
    breaks: '4.calls.statuses',
    shows: 'The call log without a key answers 403.',
    wrap: onRefusal({ which: operation, code: 'unauthorized' }, (response, error) => asRefusal(response, 403, error)),
  },
  {
    name: 'calls-200-with-error',
    breaks: '4.calls.shape',
    shows: 'The call log answers 200 with an `error` object when nothing is new.',
    wrap: onAnswer(operation, (response, { query }) =>
      response.status === 200 && query.since !== undefined && String(response.body).startsWith('{"data":{"calls":[]')
        ? asSuccess(response, { error: { code: 'not_found', message: 'No new calls.' } })
        : response,
    ),
  },
];

const snapshots: readonly Mutant[] = [
  {
    name: 'calls-snapshot-reversed',
    breaks: '4.calls.snapshot-order',
    shows: 'Without `since` the newest calls come, but the oldest of them first.',
    wrap: onSnapshot((page) => asPage(callsIn(page).reverse(), null)),
  },
  {
    name: 'calls-snapshot-of-oldest',
    breaks: '4.calls.snapshot-order',
    shows: 'Without `since` the oldest calls of the log come, oldest first.',
    wrap: onSnapshot((_page, exchange) => asPage(pageSince(exchange, { since: '1970-01-01T00:00:00Z' }).calls, null)),
  },
  {
    name: 'calls-snapshot-without-newest',
    breaks: '4.calls.snapshot-order',
    shows: 'Without `since` the last four calls that pollers were given are missing, although older ones are there.',
    wrap: onSnapshot((page, exchange) => {
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
  },
  {
    name: 'calls-snapshot-cursor-number',
    breaks: '4.calls.shape',
    shows: '`nextCursor` of a snapshot is a number.',
    wrap: onSnapshot((page) => ({ ...page, nextCursor: callsIn(page).length })),
  },
];

function crash(response: Parameters<typeof asRefusal>[0]) {
  return asRefusal(response, 500, { code: 'internal_error', message: 'Something went wrong.' } satisfies Json);
}

export const callMutants: readonly Mutant[] = [...shapes, ...limits, ...parameters, ...snapshots];
