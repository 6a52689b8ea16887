// Tools that list, state their inputs, take or reject texts and numbers wrongly. Cites 4.tools.*, 8.customers-max,
// 8.post-text, 8.reply-text, 8.label, 8.max-accounts, 7.envelope.tool-code.

import type { CallRecord } from '../contract/basis.ts';
import { asPage } from './hooks/call-stream.ts';
import {
  fussy,
  onData,
  onInput,
  onProperties,
  onSchema,
  onToolResponse,
  restate,
  thankful,
  type Visit,
} from './hooks/mcp-endpoint.ts';
import { mcpMutantsOf, type WrapMcp } from './hooks/mutant.ts';
import { drop, isObject, type Json, type JsonObject } from './hooks/rewrite.ts';

export const mcpTextMutants = mcpMutantsOf({
  '8.label': {
    'mcp-label-states-81': [
      '`connect_account` says that a label has at most 81 characters.',
      restate('connect_account', 'label', { maxLength: 81 }),
      { result: 'warn' },
    ],
  },
  '8.max-accounts': {
    'mcp-max-accounts-state-21': [
      '`connect_account` says that `maxAccounts` goes up to 21.',
      restate('connect_account', 'maxAccounts', { maximum: 21 }),
      { result: 'warn' },
    ],
    'mcp-max-accounts-state-usual-5': [
      '`connect_account` says that `maxAccounts` is 5 when it is left out.',
      restate('connect_account', 'maxAccounts', { default: 5 }),
    ],
  },
  '8.post-text': {
    'mcp-post-states-5001': [
      '`create_post` says that a text has at most 5001 characters.',
      restate('create_post', 'text', { maxLength: 5001 }),
      { result: 'warn' },
    ],
    'mcp-post-counts-bytes': [
      '`create_post` counts bytes: 5000 characters of two bytes are too long.',
      fussy('create_post', 'text', ({ text }) => new TextEncoder().encode(String(text)).length > 5000),
    ],
  },
  '8.reply-text': {
    'mcp-reply-states-empty': [
      '`reply_review` says that a text may be empty.',
      restate('reply_review', 'text', { minLength: 0 }),
    ],
  },
  '4.rules.reviews-walk': {
    'mcp-reviews-cursor-ignored': [
      '`list_reviews` gives the first page again for its `cursor`.',
      onInput('list_reviews', ({ cursor: _cursor, ...input }) => input),
      { result: 'warn' },
    ],
  },
  '1.unknown-record': {
    'mcp-unknown-account-taken': [
      '`list_reviews` of an unknown account returns an empty list.',
      onToolResponse('list_reviews', (body) =>
        isObject(body.error) && body.error.code === 'not_found' ? { data: { reviews: [] }, summary: 'None.' } : body,
      ),
    ],
  },
  '7.envelope.tool-code': {
    'mcp-invalid-input-code': [
      '`customers_list` rejects a wrong `max` with the code "bad_request", which no tool has.',
      onToolResponse('customers_list', (body) =>
        isObject(body.error) ? { error: { ...body.error, code: 'bad_request' } } : body,
      ),
    ],
  },
});

const withoutCursor = (data: JsonObject) => drop('nextCursor')(data) as JsonObject;

const tooMany = { customers: Array.from({ length: 101 }, (_, id) => ({ id })), nextCursor: null };

export const mcpListMutants = mcpMutantsOf({
  '4.tools.customers-list.no-cursor': {
    'mcp-customers-offer-cursor': [
      '`customers_list` offers an input named `cursor`.',
      onProperties('customers_list', (properties) => ({ ...properties, cursor: { type: 'string' } })),
    ],
  },
  '4.tools.customers-list': {
    'mcp-customers-offer-limit': [
      'The input of `customers_list` is called `limit` instead of `max`.',
      onProperties('customers_list', ({ max = {} }) => ({ limit: max })),
    ],
    'mcp-customers-without-next-cursor': [
      '`customers_list` returns no `nextCursor`, although there are more customers.',
      onData('customers_list', withoutCursor),
    ],
  },
  '8.customers-max': {
    'mcp-customers-state-101': [
      '`customers_list` says that `max` goes up to 101.',
      restate('customers_list', 'max', { maximum: 101 }),
    ],
    'mcp-customers-state-from-zero': [
      '`customers_list` says that `max` begins at 0.',
      restate('customers_list', 'max', { minimum: 0 }),
    ],
    'mcp-customers-max-0-taken': [
      '`customers_list` takes `max` 0 as no bound, and lists 101 customers.',
      thankful('customers_list', ({ max }) => max === 0, tooMany),
    ],
    'mcp-customers-max-ignored': [
      '`customers_list` lists 20 customers with any `max`.',
      onInput('customers_list', (input) => (Number(input.max) >= 1 && Number(input.max) <= 100 ? {} : input)),
    ],
  },
  '4.tools.inbox-list': {
    'mcp-inbox-offers-no-cursor': [
      '`inbox_list` offers no input named `cursor`.',
      onSchema('inbox_list', () => ({ type: 'object', properties: {}, additionalProperties: false })),
    ],
    'mcp-inbox-requires-cursor': [
      '`inbox_list` says that its `cursor` is required.',
      onSchema('inbox_list', (schema) => ({ ...schema, required: ['cursor'] })),
    ],
    'mcp-inbox-without-next-cursor': [
      '`inbox_list` returns no `nextCursor`, although there are more messages.',
      onData('inbox_list', withoutCursor),
    ],
    'mcp-inbox-cursor-refused': [
      '`inbox_list` rejects the `cursor` that it has given out.',
      fussy('inbox_list', 'cursor', ({ cursor }) => cursor !== undefined),
    ],
    'mcp-inbox-cursor-ignored': [
      '`inbox_list` gives the first page again for its `cursor`.',
      onInput('inbox_list', (input) => (input.cursor === undefined ? input : {})),
      { result: 'warn' },
    ],
  },
});

// Wrong responses of the call log at the MCP endpoint. Cites 4.calls.*, 8.calls-limit.

const tool = 'calls_log';

/** Edits a response to a poll, which has `since`. */
function onPoll(edit: (page: JsonObject, visit: Visit) => JsonObject): WrapMcp {
  return onData(tool, (page, visit) => (visit.input.since === undefined ? page : edit(page, visit)));
}

const callsIn = (page: JsonObject): Json[] => (Array.isArray(page.calls) ? page.calls : []);
const limitOf = ({ limit = 50 }: JsonObject) => Number(limit);

/** Returns calls over 200 for a limit above it. */
const honoured: WrapMcp = (next, context) => {
  const shrunk = onInput(tool, (input) =>
    limitOf(input) > 200 ? { ...input, limit: 200, asked: limitOf(input) } : input,
  );
  const grown = onData(tool, (page, { input, organization }) => {
    if (!organization || input.asked === undefined) return page;
    const [limit, nowMs] = [Number(input.asked), context.nowMs()];
    const { calls, nextCursor } =
      input.since === undefined
        ? organization.calls.snapshot({ limit, nowMs, unsettled: true })
        : organization.calls.since(String(input.since), { limit, nowMs });
    return asPage(calls, nextCursor);
  });
  return shrunk(grown(next, context), context);
};

/** Fills the last page with calls that are running or settling. */
function early(page: JsonObject, { organization, input, context: { nowMs } }: Visit): JsonObject {
  const count = callsIn(page).length;
  if (!organization || count === 0 || count >= limitOf(input)) return page;
  const all = organization.calls.snapshot({ limit: 200, nowMs: nowMs(), unsettled: true }).calls;
  const settling = all.filter(({ endedAt }) => endedAt === null || nowMs() - Date.parse(endedAt) < 240_000);
  return { ...page, calls: [...callsIn(page), ...(settling as unknown as Json[])] };
}

export const mcpCallMutants = mcpMutantsOf({
  '8.calls-limit': {
    'mcp-calls-limit-201-honoured': ['`calls_log` gives 201 calls with `limit` 201.', honoured],
    'mcp-calls-limit-200-refused': [
      '`calls_log` rejects a `limit` of 200, the largest allowed.',
      fussy(tool, 'limit', ({ limit }) => limit === 200),
    ],
    'mcp-calls-default-100': [
      'Without `limit` `calls_log` gives up to 100 calls.',
      onInput(tool, (input) => (input.limit === undefined ? { ...input, limit: 100 } : input)),
    ],
  },
  '4.calls.limit': {
    'mcp-calls-default-20': [
      'Without `limit`, `calls_log` returns 20 calls, although `limit` 50 returns 50.',
      onInput(tool, (input) => (input.limit === undefined ? { ...input, limit: 20 } : input)),
      { result: 'warn' },
    ],
  },
  '4.calls.next-cursor-string': {
    'mcp-calls-cursor-null-beside-calls': [
      '`calls_log` gives null as `nextCursor` although calls came.',
      onPoll((page) => ({ ...page, nextCursor: null })),
    ],
  },
  '4.calls.next-cursor-null': {
    'mcp-calls-cursor-when-nothing-new': [
      '`calls_log` gives `since` back as `nextCursor` when nothing new arrived.',
      onPoll((page, { input: { since = null } }) => ({ ...page, nextCursor: page.nextCursor ?? since })),
    ],
  },
  '4.calls.oldest-first': {
    'mcp-calls-page-newest-first': [
      '`calls_log` with `since` turns each page round: the newest of its calls comes first.',
      onPoll((page) => ({ ...page, calls: callsIn(page).reverse() })),
    ],
  },
  '4.calls.exactly-once': {
    'mcp-calls-delivered-twice': [
      '`calls_log` begins each page but the first with the last call of the page before.',
      onPoll((page, { input: { since }, organization, context }) => {
        const first = callsIn(page)[0] as unknown as CallRecord | undefined;
        if (!organization || first === undefined) return page;
        const all = organization.calls.since('1970-01-01T00:00:00Z', {
          limit: 1_000_000,
          nowMs: context.nowMs(),
        }).calls;
        const before = all[all.findIndex(({ id }) => id === first.id) - 1];
        return before === undefined || String(since) < '2001'
          ? page
          : asPage([before, ...(callsIn(page) as unknown as CallRecord[])], String(page.nextCursor));
      }),
    ],
  },
  '4.calls.settled-only': {
    'mcp-calls-unsettled-delivered': [
      '`calls_log` with `since` adds to its last page the calls that are running or have just ended.',
      onPoll(early),
    ],
  },
});
