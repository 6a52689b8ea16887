// The MCP door says wrongly what its tools take, or does not open. Cites 1.mcp-door, 4.tools.*, 8.customers-max, 8.import.*.

import type { Mutant } from './hooks/mutant.ts';
import { withJson, withStatus } from './hooks/rewrite.ts';
import { onLeave, onProperties, onSchema, restate } from './mcp-door.ts';

const doors: readonly Mutant[] = [
  {
    name: 'mcp-door-500',
    breaks: '1.mcp-door',
    shows: 'Every request with a good key at the MCP door answers 500.',
    wrapMcp: onLeave((response) => (response.status < 300 ? withStatus(response, 500) : response)),
  },
  {
    name: 'mcp-door-speaks-rest',
    breaks: '1.mcp-door',
    shows: 'The MCP door answers every message with an object that is no JSON-RPC.',
    wrapMcp: onLeave((response) => (response.status < 300 ? withJson(response, { data: [], summary: '' }) : response)),
  },
];

const tools: readonly Mutant[] = [
  {
    name: 'mcp-customers-offer-cursor',
    breaks: '4.tools.customers-list.no-cursor',
    shows: '`customers_list` offers an input named `cursor`.',
    wrapMcp: onProperties('customers_list', (properties) => ({ ...properties, cursor: { type: 'string' } })),
  },
  {
    name: 'mcp-customers-offer-limit',
    breaks: '4.tools.customers-list',
    shows: 'The input of `customers_list` is called `limit` in place of `max`.',
    wrapMcp: onProperties('customers_list', ({ max = {} }) => ({ limit: max })),
  },
  {
    name: 'mcp-customers-state-101',
    breaks: '8.customers-max',
    shows: '`customers_list` says that `max` goes up to 101.',
    wrapMcp: restate('customers_list', 'max', { maximum: 101 }),
  },
  {
    name: 'mcp-customers-state-from-zero',
    breaks: '8.customers-max',
    shows: '`customers_list` says that `max` begins at 0.',
    wrapMcp: restate('customers_list', 'max', { minimum: 0 }),
  },
  {
    name: 'mcp-inbox-offers-no-cursor',
    breaks: '4.tools.inbox-list',
    shows: '`inbox_list` offers no input named `cursor`.',
    wrapMcp: onSchema('inbox_list', () => ({ type: 'object', properties: {}, additionalProperties: false })),
  },
  {
    name: 'mcp-inbox-requires-cursor',
    breaks: '4.tools.inbox-list',
    shows: '`inbox_list` says that its `cursor` is required.',
    wrapMcp: onSchema('inbox_list', (schema) => ({ ...schema, required: ['cursor'] })),
  },
  {
    name: 'mcp-import-offers-file',
    breaks: '4.tools.dialer-import-contacts',
    shows: '`dialer_import_contacts` takes `file` in place of `csv`.',
    wrapMcp: onProperties('dialer_import_contacts', ({ csv = {}, rows = {} }) => ({ file: csv, rows })),
  },
  {
    name: 'mcp-import-states-5001-rows',
    breaks: '8.import.rows',
    shows: '`dialer_import_contacts` says that there may be 5,001 rows.',
    wrapMcp: restate('dialer_import_contacts', 'rows', { maxItems: 5001 }),
  },
  {
    name: 'mcp-import-states-long-csv',
    breaks: '8.import.csv-characters',
    shows: '`dialer_import_contacts` says that the csv may have 2,500,000 characters.',
    wrapMcp: restate('dialer_import_contacts', 'csv', { maxLength: 2_500_000 }),
  },
];

const limits: readonly Mutant[] = [
  {
    name: 'mcp-calls-state-limit-201',
    breaks: '8.calls-limit',
    shows: '`calls_log` says that `limit` goes up to 201.',
    wrapMcp: restate('calls_log', 'limit', { maximum: 201 }),
  },
  {
    name: 'mcp-calls-state-usual-20',
    breaks: '8.calls-limit',
    shows: '`calls_log` says that `limit` is 20 when it is left out.',
    wrapMcp: restate('calls_log', 'limit', { default: 20 }),
  },
  {
    name: 'mcp-label-states-81',
    breaks: '8.label',
    shows: '`connect_account` says that a label has at most 81 characters.',
    wrapMcp: restate('connect_account', 'label', { maxLength: 81 }),
  },
  {
    name: 'mcp-max-accounts-state-21',
    breaks: '8.max-accounts',
    shows: '`connect_account` says that `maxAccounts` goes up to 21.',
    wrapMcp: restate('connect_account', 'maxAccounts', { maximum: 21 }),
  },
  {
    name: 'mcp-max-accounts-state-usual-5',
    breaks: '8.max-accounts',
    shows: '`connect_account` says that `maxAccounts` is 5 when it is left out.',
    wrapMcp: restate('connect_account', 'maxAccounts', { default: 5 }),
  },
  {
    name: 'mcp-post-states-5001',
    breaks: '8.post-text',
    verdict: 'warn',
    shows: '`create_post` says that a text has at most 5001 characters.',
    wrapMcp: restate('create_post', 'text', { maxLength: 5001 }),
  },
  {
    name: 'mcp-reply-states-empty',
    breaks: '8.reply-text',
    shows: '`reply_review` says that a text may be empty.',
    wrapMcp: restate('reply_review', 'text', { minLength: 0 }),
  },
];

export const mcpListingMutants: readonly Mutant[] = [...doors, ...tools, ...limits];
