// Tools that list, state their inputs, take or reject texts and numbers wrongly. Cites 4.tools.*, 8.customers-max,
// 8.post-text, 8.reply-text, 8.label, 8.max-accounts, 7.envelope.tool-code.

import {
  fussy,
  onData,
  onInput,
  onProperties,
  onSchema,
  onToolResponse,
  restate,
  thankful,
} from './hooks/mcp-endpoint.ts';
import { mcpMutantsOf } from './hooks/mutant.ts';
import { drop, isObject, type JsonObject } from './hooks/rewrite.ts';

const stated = mcpMutantsOf({
  '8.label': {
    'mcp-label-states-81': [
      '`connect_account` says that a label has at most 81 characters.',
      restate('connect_account', 'label', { maxLength: 81 }),
    ],
  },
  '8.max-accounts': {
    'mcp-max-accounts-state-21': [
      '`connect_account` says that `maxAccounts` goes up to 21.',
      restate('connect_account', 'maxAccounts', { maximum: 21 }),
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
  },
  '8.reply-text': {
    'mcp-reply-states-empty': [
      '`reply_review` says that a text may be empty.',
      restate('reply_review', 'text', { minLength: 0 }),
    ],
  },
});

const taken = mcpMutantsOf({
  '8.post-text': {
    'mcp-post-counts-bytes': [
      '`create_post` counts bytes: 5000 characters of two bytes are too long.',
      fussy('create_post', 'text', ({ text }) => new TextEncoder().encode(String(text)).length > 5000),
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

export const mcpTextMutants = [...stated, ...taken];

const withoutCursor = (data: JsonObject) => drop('nextCursor')(data) as JsonObject;

/** One more than the maximum. */
const tooMany = { customers: Array.from({ length: 101 }, (_, id) => ({ id })), nextCursor: null };

const statedLists = mcpMutantsOf({
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
  },
});

const listed = mcpMutantsOf({
  '8.customers-max': {
    'mcp-customers-max-0-taken': [
      '`customers_list` takes `max` 0 as no bound, and lists 101 customers.',
      thankful('customers_list', ({ max }) => max === 0, tooMany),
    ],
    'mcp-customers-max-ignored': [
      '`customers_list` lists 20 customers with any `max`.',
      onInput('customers_list', (input) => (Number(input.max) >= 1 && Number(input.max) <= 100 ? {} : input)),
    ],
  },
  '4.tools.customers-list': {
    'mcp-customers-without-next-cursor': [
      '`customers_list` returns no `nextCursor`, although there are more customers.',
      onData('customers_list', withoutCursor),
    ],
  },
  '4.tools.inbox-list': {
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

export const mcpListMutants = [...statedLists, ...listed];
