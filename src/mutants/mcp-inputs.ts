// Tools of the MCP door that take or answer what they must not. Cites 4.tools.*, 7.envelope.tool-code, 8.*.
import { drop } from './hooks/json-path.ts';
import type { Mutant } from './hooks/mutant.ts';
import { isObject, type Json, type JsonObject } from './hooks/rewrite.ts';
import { fussy, onData, onInput, onToolAnswer, thankful } from './mcp-door.ts';

const lengthOf = (value: Json | undefined) => (typeof value === 'string' ? value.length : 0);
const rowsOf = ({ rows }: JsonObject): Json[] => (Array.isArray(rows) ? rows : []);
const linesOf = ({ csv }: JsonObject) => (typeof csv === 'string' ? csv.split('\n').filter((line) => line !== '') : []);
const withoutCursor = (data: JsonObject) => drop('nextCursor')(data) as JsonObject;
const posted = { postId: 'post_1', permalink: null };
const replied = { repliedAt: '2026-03-02T10:00:00.000Z' };

/** One more than may be asked for. */
const tooMany = { customers: Array.from({ length: 101 }, (_, id) => ({ id })), nextCursor: null };

const lists: readonly Mutant[] = [
  {
    name: 'mcp-customers-max-0-taken',
    breaks: '8.customers-max',
    shows: '`customers_list` takes `max` 0 as no bound, and lists 101 customers.',
    wrapMcp: thankful('customers_list', ({ max }) => max === 0, tooMany),
  },
  {
    name: 'mcp-customers-max-101-taken',
    breaks: '8.customers-max',
    shows: '`customers_list` takes `max` 101, and lists as many customers.',
    wrapMcp: thankful('customers_list', ({ max }) => max === 101, tooMany),
  },
  {
    name: 'mcp-customers-max-100-refused',
    breaks: '8.customers-max',
    shows: '`customers_list` refuses `max` 100, the largest allowed.',
    wrapMcp: fussy('customers_list', 'max', ({ max }) => max === 100),
  },
  {
    name: 'mcp-customers-max-ignored',
    breaks: '8.customers-max',
    shows: '`customers_list` lists 20 customers whatever `max` says.',
    wrapMcp: onInput('customers_list', (input) => (Number(input.max) >= 1 && Number(input.max) <= 100 ? {} : input)),
  },
  {
    name: 'mcp-customers-without-next-cursor',
    breaks: '4.tools.customers-list',
    shows: '`customers_list` returns no `nextCursor`, although there are more customers.',
    wrapMcp: onData('customers_list', withoutCursor),
  },
  {
    name: 'mcp-inbox-without-next-cursor',
    breaks: '4.tools.inbox-list',
    shows: '`inbox_list` returns no `nextCursor`, although there are more messages.',
    wrapMcp: onData('inbox_list', withoutCursor),
  },
  {
    name: 'mcp-inbox-cursor-refused',
    breaks: '4.tools.inbox-list',
    shows: '`inbox_list` refuses the `cursor` that it has given out.',
    wrapMcp: fussy('inbox_list', 'cursor', ({ cursor }) => cursor !== undefined),
  },
  {
    name: 'mcp-inbox-cursor-ignored',
    breaks: '4.tools.inbox-list',
    shows: '`inbox_list` gives the first page again for its `cursor`.',
    verdict: 'warn',
    wrapMcp: onInput('inbox_list', (input) => (input.cursor === undefined ? input : {})),
  },
  {
    name: 'mcp-inbox-wants-cursor',
    breaks: '4.tools.inbox-list',
    shows: '`inbox_list` refuses a call without `cursor`.',
    wrapMcp: fussy('inbox_list', 'cursor', ({ cursor }) => cursor === undefined),
  },
];

const texts: readonly Mutant[] = [
  {
    name: 'mcp-post-5001-taken',
    breaks: '8.post-text',
    shows: '`create_post` answers a text of 5001 characters as posted.',
    wrapMcp: thankful('create_post', ({ text }) => lengthOf(text) > 5000, posted),
  },
  {
    name: 'mcp-post-5000-refused',
    breaks: '8.post-text',
    shows: '`create_post` refuses a text of 5000 characters as too long.',
    wrapMcp: fussy('create_post', 'text', ({ text }) => lengthOf(text) >= 5000),
  },
  {
    name: 'mcp-post-counts-bytes',
    breaks: '8.post-text',
    shows: '`create_post` counts bytes: 5000 characters of two bytes are too long.',
    wrapMcp: fussy('create_post', 'text', ({ text }) => new TextEncoder().encode(String(text)).length > 5000),
  },
  {
    name: 'mcp-reply-4097-taken',
    breaks: '8.reply-text',
    shows: '`reply_review` answers a text of 4097 characters as posted.',
    wrapMcp: thankful('reply_review', ({ text }) => lengthOf(text) > 4096, replied),
  },
  {
    name: 'mcp-reply-4096-refused',
    breaks: '8.reply-text',
    shows: '`reply_review` refuses a text of 4096 characters as too long.',
    wrapMcp: fussy('reply_review', 'text', ({ text }) => lengthOf(text) >= 4096),
  },
  {
    name: 'mcp-label-81-taken',
    breaks: '8.label',
    shows: '`connect_account` takes a label of 81 characters.',
    needs: 'writes',
    wrapMcp: onInput('connect_account', (input) =>
      lengthOf(input.label) === 81 ? { ...input, label: String(input.label).slice(0, 80) } : input,
    ),
  },
  {
    name: 'mcp-label-80-refused',
    breaks: '8.label',
    shows: '`connect_account` refuses a label of 80 characters.',
    needs: 'writes',
    wrapMcp: fussy('connect_account', 'label', ({ label }) => lengthOf(label) >= 80),
  },
  {
    name: 'mcp-max-accounts-21-taken',
    breaks: '8.max-accounts',
    shows: '`connect_account` takes `maxAccounts` 21.',
    needs: 'writes',
    wrapMcp: onInput('connect_account', (input) => (input.maxAccounts === 21 ? { ...input, maxAccounts: 20 } : input)),
  },
  {
    name: 'mcp-max-accounts-20-refused',
    breaks: '8.max-accounts',
    shows: '`connect_account` refuses `maxAccounts` 20.',
    needs: 'writes',
    wrapMcp: fussy('connect_account', 'maxAccounts', ({ maxAccounts }) => maxAccounts === 20),
  },
  {
    name: 'mcp-unknown-account-taken',
    breaks: '1.unknown-record',
    shows: '`list_reviews` of an unknown account answers an empty list.',
    wrapMcp: onToolAnswer('list_reviews', (body) =>
      isObject(body.error) && body.error.code === 'not_found' ? { data: { reviews: [] }, summary: 'None.' } : body,
    ),
  },
  {
    name: 'mcp-invalid-input-code',
    breaks: '7.envelope.tool-code',
    shows: '`customers_list` refuses a wrong `max` with the code "bad_request", which no tool has.',
    wrapMcp: onToolAnswer('customers_list', (body) =>
      isObject(body.error) ? { error: { ...body.error, code: 'bad_request' } } : body,
    ),
  },
];

const imports: readonly Mutant[] = [
  {
    name: 'mcp-import-5001-rows-taken',
    breaks: '8.import.rows',
    shows: '`dialer_import_contacts` takes 5,001 rows.',
    needs: 'writes',
    wrapMcp: onInput('dialer_import_contacts', (input) =>
      rowsOf(input).length === 5001 ? { ...input, rows: rowsOf(input).slice(0, 5000) } : input,
    ),
  },
  {
    name: 'mcp-import-5000-rows-refused',
    breaks: '8.import.rows',
    shows: '`dialer_import_contacts` refuses 5,000 rows.',
    needs: 'writes',
    wrapMcp: fussy('dialer_import_contacts', 'rows', (input) => rowsOf(input).length === 5000),
  },
  {
    name: 'mcp-import-20001-contacts-taken',
    breaks: '8.import.csv-contacts',
    shows: '`dialer_import_contacts` takes 20,001 contacts as csv: the limit counts the line of names among them.',
    needs: 'writes',
    wrapMcp: onInput('dialer_import_contacts', (input) =>
      linesOf(input).length === 20_002 ? { ...input, csv: linesOf(input).slice(0, 20_001).join('\n') } : input,
    ),
  },
  {
    name: 'mcp-import-20000-contacts-refused',
    breaks: '8.import.csv-contacts',
    shows: '`dialer_import_contacts` takes 20,000 lines of csv, and one of them names the columns.',
    needs: 'writes',
    wrapMcp: fussy('dialer_import_contacts', 'csv', (input) => linesOf(input).length > 20_000),
  },
  {
    name: 'mcp-import-short-csv-only',
    breaks: '8.import.csv-characters',
    shows: '`dialer_import_contacts` refuses a csv of more than 200,000 characters.',
    needs: 'writes',
    wrapMcp: fussy('dialer_import_contacts', 'csv', ({ csv }) => lengthOf(csv) > 200_000),
  },
  {
    name: 'mcp-import-both-taken',
    breaks: '4.tools.dialer-import-contacts',
    shows: '`dialer_import_contacts` takes csv and rows in one call.',
    verdict: 'warn',
    wrapMcp: thankful('dialer_import_contacts', ({ csv, rows }) => csv !== undefined && rows !== undefined, {
      imported: 0,
      updated: 0,
      total: 0,
    }),
  },
];

export const mcpInputMutants: readonly Mutant[] = [...lists, ...texts, ...imports];
