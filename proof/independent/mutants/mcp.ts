import { type Code, Refusal } from '../errors.ts';
import type { Fields, ToolCall, Wrongness } from '../seams.ts';
import { type IndependentMutant, without } from './mutant.ts';

/** What the MCP door says of its tools, and what the tools do. */

type Properties = Record<string, Fields>;

/** Rewrites what one tool says it takes. */
function retold(name: string, rewrite: (properties: Properties) => Fields, rest: Fields = {}): () => Wrongness {
  return () => ({
    'door.tool': (tool, of) => {
      if (tool === undefined || of !== name) return tool;
      const schema = tool.inputSchema as Fields;
      return { ...tool, inputSchema: { ...schema, ...rest, properties: rewrite(schema.properties as Properties) } };
    },
  });
}

/** Another statement in the schema of one input. */
function restated(name: string, input: string, statement: Fields): () => Wrongness {
  return retold(name, (properties) => ({ ...properties, [input]: { ...properties[input], ...statement } }));
}

/** Lets a call through although its input is wrong. */
function lenient(tool: string, lets: (input: Fields) => boolean): () => Wrongness {
  return () => ({ 'door.issues': (issues, call) => (call.tool === tool && lets(call.input) ? [] : issues) });
}

/** Finds a right input wrong. */
function fussy(tool: string, path: string, refuses: (input: Fields) => boolean): () => Wrongness {
  return () => ({
    'door.issues': (issues, call) =>
      call.tool === tool && refuses(call.input) ? [{ path, message: 'is not acceptable' }] : issues,
  });
}

/** Answers a text that is too long as if all were well. */
function thankful(tool: string, most: number): () => Wrongness {
  return () => ({
    'door.failure': (failure, call) => (call.tool === tool && lengthOf(call.input.text) > most ? undefined : failure),
  });
}

interface Payload {
  data: Fields;
}

function rewritten(tool: string, rewrite: (data: Fields, call: ToolCall) => Fields): () => Wrongness {
  return () => ({
    'door.data': (payload, call) =>
      call.tool === tool ? { ...(payload as Payload), data: rewrite((payload as Payload).data, call) } : payload,
  });
}

function lengthOf(value: unknown): number {
  return typeof value === 'string' || Array.isArray(value) ? value.length : 0;
}

function linesOf(value: unknown): number {
  return typeof value === 'string' ? value.split('\n').length : 0;
}

const usual = { needs: 'nothing', variants: ['plain'] } as const;
const withWrites = { needs: 'writes', variants: ['plain'] } as const;

export const toolInputMutants: readonly IndependentMutant[] = [
  {
    name: 'mcp-customers-take-cursor',
    breaks: '4.tools.customers-list.no-cursor',
    shows: 'customers_list has an input named cursor.',
    ...usual,
    wrong: retold('customers_list', (properties) => ({ ...properties, cursor: { type: 'string' } })),
  },
  {
    name: 'mcp-customers-take-limit',
    breaks: '4.tools.customers-list',
    shows: 'The input of customers_list is called limit in place of max.',
    ...usual,
    wrong: retold('customers_list', ({ max }) => ({ limit: max })),
  },
  {
    name: 'mcp-customers-state-500',
    breaks: '8.customers-max',
    shows: 'customers_list says that max goes up to 500.',
    ...usual,
    wrong: restated('customers_list', 'max', { maximum: 500 }),
  },
  {
    name: 'mcp-customers-state-zero',
    breaks: '8.customers-max',
    shows: 'customers_list says that max begins at 0.',
    ...usual,
    variants: ['plain', 'strict'],
    wrong: restated('customers_list', 'max', { minimum: 0 }),
  },
  {
    name: 'mcp-inbox-without-cursor',
    breaks: '4.tools.inbox-list',
    shows: 'inbox_list has no input named cursor.',
    ...usual,
    wrong: retold('inbox_list', () => ({})),
  },
  {
    name: 'mcp-inbox-wants-cursor',
    breaks: '4.tools.inbox-list',
    shows: 'inbox_list says that its cursor is required.',
    ...usual,
    wrong: retold('inbox_list', (properties) => properties, { required: ['cursor'] }),
  },
  {
    name: 'mcp-calls-state-100',
    breaks: '8.calls-limit',
    shows: 'calls_log says that limit goes up to 100.',
    ...usual,
    wrong: restated('calls_log', 'limit', { maximum: 100 }),
  },
  {
    name: 'mcp-calls-state-default-20',
    breaks: '8.calls-limit',
    shows: 'calls_log says that limit is 20 when left out.',
    ...usual,
    wrong: restated('calls_log', 'limit', { default: 20 }),
  },
  {
    name: 'mcp-post-states-4000',
    breaks: '8.post-text',
    shows: 'The posting tool says that a text has at most 4000 characters.',
    ...usual,
    wrong: restated('publish_post', 'text', { maxLength: 4000 }),
  },
  {
    name: 'mcp-reply-states-5000',
    breaks: '8.reply-text',
    shows: 'The replying tool says that a text has at most 5000 characters.',
    ...usual,
    wrong: restated('reply_to_review', 'text', { maxLength: 5000 }),
  },
  {
    name: 'mcp-label-states-100',
    breaks: '8.label',
    shows: 'The linking tool says that a label has at most 100 characters.',
    ...usual,
    wrong: restated('create_connect_link', 'label', { maxLength: 100 }),
  },
  {
    name: 'mcp-accounts-state-default-5',
    breaks: '8.max-accounts',
    shows: 'The linking tool says that maxAccounts is 5 when left out.',
    ...usual,
    wrong: restated('create_connect_link', 'maxAccounts', { default: 5 }),
  },
  {
    name: 'mcp-import-without-rows',
    breaks: '4.tools.dialer-import-contacts',
    shows: 'dialer_import_contacts takes csv only.',
    ...usual,
    wrong: retold('dialer_import_contacts', (properties) => without(properties, 'rows')),
  },
  {
    name: 'mcp-import-states-1000',
    breaks: '8.import.rows',
    shows: 'dialer_import_contacts says that it takes 1,000 rows.',
    ...usual,
    wrong: restated('dialer_import_contacts', 'rows', { maxItems: 1000 }),
  },
  {
    name: 'mcp-import-states-short-csv',
    breaks: '8.import.csv-characters',
    shows: 'dialer_import_contacts says that csv has at most 200,000 characters.',
    ...usual,
    wrong: restated('dialer_import_contacts', 'csv', { maxLength: 200_000 }),
  },
];

export const toolMutants: readonly IndependentMutant[] = [
  {
    name: 'mcp-customers-take-101',
    breaks: '8.customers-max',
    shows: 'customers_list takes a max of 101 and more.',
    ...usual,
    wrong: lenient('customers_list', ({ max }) => Number(max) > 100),
  },
  {
    name: 'mcp-customers-take-zero',
    breaks: '8.customers-max',
    shows: 'customers_list takes a max of 0 as no bound at all.',
    ...usual,
    variants: ['plain', 'mixed'],
    wrong: () => ({
      ...lenient('customers_list', ({ max }) => max === 0)(),
      ...rewritten('customers_list', (data, { input }) =>
        input.max === 0 ? { ...data, customers: Array.from({ length: 140 }, (_, id) => ({ id })) } : data,
      )(),
    }),
  },
  {
    name: 'mcp-customers-refuse-100',
    breaks: '8.customers-max',
    shows: 'customers_list takes a max of up to 99.',
    ...usual,
    variants: ['plain', 'offsets'],
    wrong: fussy('customers_list', 'max', ({ max }) => Number(max) > 99),
  },
  {
    name: 'mcp-customers-refuse-one',
    breaks: '8.customers-max',
    shows: 'customers_list takes a max from 2 on.',
    ...usual,
    wrong: fussy('customers_list', 'max', ({ max }) => max === 1),
  },
  {
    name: 'mcp-customers-ignore-max',
    breaks: '8.customers-max',
    shows: 'customers_list returns 25 customers whatever max says.',
    ...usual,
    wrong: rewritten('customers_list', (data) => ({
      ...data,
      customers: Array.from({ length: 25 }, (_, id) => ({ id })),
    })),
  },
  {
    name: 'mcp-calls-refuse-200',
    breaks: '8.calls-limit',
    shows: 'calls_log takes a limit of up to 100.',
    ...usual,
    wrong: fussy('calls_log', 'limit', ({ limit }) => Number(limit) > 100),
  },
  {
    name: 'mcp-calls-default-100',
    breaks: '8.calls-limit',
    shows: 'calls_log returns twice as many calls where no limit is given.',
    ...usual,
    wrong: rewritten('calls_log', (data, { input }) => {
      const calls = data.calls as unknown[];
      return input.limit === undefined ? { ...data, calls: [...calls, ...calls] } : data;
    }),
  },
  {
    name: 'mcp-calls-cursor-missing',
    breaks: '4.calls.next-cursor-string',
    shows: 'calls_log returns null as nextCursor beside calls.',
    ...usual,
    wrong: rewritten('calls_log', (data) => ({ ...data, nextCursor: null })),
  },
  {
    name: 'mcp-calls-cursor-echoed',
    breaks: '4.calls.next-cursor-null',
    shows: 'calls_log gives the since back as nextCursor where nothing new arrived.',
    ...usual,
    wrong: rewritten('calls_log', (data, { input }) => ({
      ...data,
      nextCursor: data.nextCursor ?? input.since ?? null,
    })),
  },
  {
    name: 'mcp-reply-refuses-4096',
    breaks: '8.reply-text',
    shows: 'The replying tool takes a text of up to 4000 characters.',
    ...usual,
    wrong: fussy('reply_to_review', 'text', ({ text }) => lengthOf(text) > 4000),
  },
  {
    name: 'mcp-post-refuses-5000',
    breaks: '8.post-text',
    shows: 'The posting tool counts bytes.',
    ...usual,
    wrong: fussy('publish_post', 'text', ({ text }) => Buffer.byteLength(String(text)) > 5000),
  },
  {
    name: 'mcp-post-thanks-for-5001',
    breaks: '8.post-text',
    shows: 'The posting tool answers a text of 5001 characters as if it were posted.',
    ...usual,
    wrong: thankful('publish_post', 5000),
  },
  {
    name: 'mcp-reply-thanks-for-4097',
    breaks: '8.reply-text',
    shows: 'The replying tool answers a text of 4097 characters as if it were posted.',
    ...usual,
    wrong: thankful('reply_to_review', 4096),
  },
  {
    name: 'mcp-unknown-account-is-empty',
    breaks: '1.unknown-record',
    shows: 'list_reviews of an unknown account answers an empty result.',
    ...usual,
    wrong: () => ({ 'door.failure': (refusal, { tool }) => (tool === 'list_reviews' ? undefined : refusal) }),
  },
  {
    name: 'mcp-code-of-its-own',
    breaks: '7.envelope.tool-code',
    shows: 'A tool refuses a wrong input with the code validation_failed.',
    ...usual,
    variants: ['plain', 'strict', 'mixed'],
    wrong: () => ({
      'door.failure': (refusal) =>
        refusal?.code === 'invalid_input'
          ? new Refusal('validation_failed' as Code, { message: 'no', issues: refusal.issues })
          : refusal,
    }),
  },
  {
    name: 'mcp-import-takes-5001-rows',
    breaks: '8.import.rows',
    shows: 'dialer_import_contacts imports 5,001 rows.',
    ...withWrites,
    wrong: lenient('dialer_import_contacts', ({ rows }) => lengthOf(rows) > 5000),
  },
  {
    name: 'mcp-import-refuses-5000-rows',
    breaks: '8.import.rows',
    shows: 'dialer_import_contacts refuses 5,000 rows.',
    ...withWrites,
    wrong: fussy('dialer_import_contacts', 'rows', ({ rows }) => lengthOf(rows) > 4999),
  },
  {
    name: 'mcp-import-takes-20001-contacts',
    breaks: '8.import.csv-contacts',
    shows: 'dialer_import_contacts imports 20,001 contacts of a csv text.',
    ...withWrites,
    wrong: lenient('dialer_import_contacts', ({ csv }) => linesOf(csv) > 20_001),
  },
  {
    name: 'mcp-import-refuses-20000-contacts',
    breaks: '8.import.csv-contacts',
    shows: 'dialer_import_contacts counts the line of names as a contact.',
    ...withWrites,
    wrong: fussy('dialer_import_contacts', 'csv', ({ csv }) => linesOf(csv) > 20_000),
  },
];
