import type { Fields, ToolCall, Wrongness } from '../seams.ts';
import type { MutantsByClause } from './mutant.ts';
import { fussy, lenient, restated, retold } from './tools.ts';

interface Payload {
  data: Fields;
}

function rewritten(tool: string, rewrite: (data: Fields, call: ToolCall) => Fields): () => Wrongness {
  return () => ({
    'door.data': (payload, call) =>
      call.tool === tool ? { ...(payload as Payload), data: rewrite((payload as Payload).data, call) } : payload,
  });
}

/** The MCP tools that list: what the door says of them, and what they do. */
export const mcpListMutants: MutantsByClause = {
  '4.tools.customers-list.no-cursor': {
    'mcp-customers-take-cursor': {
      shows: 'customers_list has an input named cursor.',
      wrong: retold('customers_list', (properties) => ({ ...properties, cursor: { type: 'string' } })),
    },
  },
  '4.tools.customers-list': {
    'mcp-customers-take-limit': {
      shows: 'The input of customers_list is called limit in place of max.',
      wrong: retold('customers_list', ({ max }) => ({ limit: max })),
    },
  },
  '8.customers-max': {
    'mcp-customers-state-500': {
      shows: 'customers_list says that max goes up to 500.',
      wrong: restated('customers_list', 'max', { maximum: 500 }),
    },
    'mcp-customers-state-zero': {
      shows: 'customers_list says that max begins at 0.',
      wrong: restated('customers_list', 'max', { minimum: 0 }),
    },
    'mcp-customers-take-101': {
      shows: 'customers_list takes a max of 101 and more.',
      wrong: lenient('customers_list', ({ max }) => Number(max) > 100),
    },
    'mcp-customers-take-zero': {
      shows: 'customers_list takes a max of 0 as no bound at all.',
      wrong: () => ({
        ...lenient('customers_list', ({ max }) => max === 0)(),
        ...rewritten('customers_list', (data, { input }) =>
          input.max === 0 ? { ...data, customers: Array.from({ length: 140 }, (_, id) => ({ id })) } : data,
        )(),
      }),
    },
    'mcp-customers-refuse-100': {
      shows: 'customers_list takes a max of up to 99.',
      wrong: fussy('customers_list', 'max', ({ max }) => Number(max) > 99),
    },
    'mcp-customers-refuse-one': {
      shows: 'customers_list takes a max from 2 on.',
      wrong: fussy('customers_list', 'max', ({ max }) => max === 1),
    },
    'mcp-customers-ignore-max': {
      shows: 'customers_list returns 25 customers whatever max says.',
      wrong: rewritten('customers_list', (data) => ({
        ...data,
        customers: Array.from({ length: 25 }, (_, id) => ({ id })),
      })),
    },
  },
  '4.tools.inbox-list': {
    'mcp-inbox-without-cursor': {
      shows: 'inbox_list has no input named cursor.',
      wrong: retold('inbox_list', () => ({})),
    },
    'mcp-inbox-wants-cursor': {
      shows: 'inbox_list says that its cursor is required.',
      wrong: retold('inbox_list', (properties) => properties, { required: ['cursor'] }),
    },
  },
  '8.calls-limit': {
    'mcp-calls-state-100': {
      shows: 'calls_log says that limit goes up to 100.',
      wrong: restated('calls_log', 'limit', { maximum: 100 }),
    },
    'mcp-calls-state-default-20': {
      shows: 'calls_log says that limit is 20 when left out.',
      wrong: restated('calls_log', 'limit', { default: 20 }),
    },
    'mcp-calls-refuse-200': {
      shows: 'calls_log takes a limit of up to 100.',
      wrong: fussy('calls_log', 'limit', ({ limit }) => Number(limit) > 100),
    },
    'mcp-calls-default-100': {
      shows: 'calls_log returns twice as many calls where no limit is given.',
      wrong: rewritten('calls_log', (data, { input }) => {
        const calls = data.calls as unknown[];
        return input.limit === undefined ? { ...data, calls: [...calls, ...calls] } : data;
      }),
    },
  },
  '4.calls.next-cursor-string': {
    'mcp-calls-cursor-missing': {
      shows: 'calls_log returns null as nextCursor beside calls.',
      wrong: rewritten('calls_log', (data) => ({ ...data, nextCursor: null })),
    },
  },
  '4.calls.next-cursor-null': {
    'mcp-calls-cursor-echoed': {
      shows: 'calls_log gives the since back as nextCursor where nothing new arrived.',
      wrong: rewritten('calls_log', (data, { input }) => ({
        ...data,
        nextCursor: data.nextCursor ?? input.since ?? null,
      })),
    },
  },
};
