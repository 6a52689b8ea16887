// Tools that list wrongly, or state their inputs wrongly. Cites 4.tools.*, 8.customers-max.
import { drop } from './hooks/json-path.ts';
import { fussy, onData, onInput, onProperties, onSchema, restate, thankful } from './hooks/mcp-door.ts';
import { mcpMutantsOf } from './hooks/mutants-of.ts';
import type { JsonObject } from './hooks/rewrite.ts';

const withoutCursor = (data: JsonObject) => drop('nextCursor')(data) as JsonObject;

/** One more than may be asked for. */
const tooMany = { customers: Array.from({ length: 101 }, (_, id) => ({ id })), nextCursor: null };

const stated = mcpMutantsOf({
  '4.tools.customers-list.no-cursor': {
    'mcp-customers-offer-cursor': [
      '`customers_list` offers an input named `cursor`.',
      onProperties('customers_list', (properties) => ({ ...properties, cursor: { type: 'string' } })),
    ],
  },
  '4.tools.customers-list': {
    'mcp-customers-offer-limit': [
      'The input of `customers_list` is called `limit` in place of `max`.',
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
      '`customers_list` lists 20 customers whatever `max` says.',
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
      '`inbox_list` refuses the `cursor` that it has given out.',
      fussy('inbox_list', 'cursor', ({ cursor }) => cursor !== undefined),
    ],
    'mcp-inbox-cursor-ignored': [
      '`inbox_list` gives the first page again for its `cursor`.',
      onInput('inbox_list', (input) => (input.cursor === undefined ? input : {})),
      { verdict: 'warn' },
    ],
  },
});

export const mcpListMutants = [...stated, ...listed];
