import { describe, expect } from 'vitest';
import type { ToolName } from '../../src/contract/generated/tools.ts';
import { inputs, requestOf, toolOf } from './inputs.ts';
import { testMock } from './transports.ts';

const casesOf = (transport: 'REST' | 'MCP', isValid: boolean) =>
  inputs.filter((each) => [transport, 'both'].includes(each.transport) && (each.issues.length === 0) === isValid);

const onSocket = testMock();

// The core validates: one transport shows it, and rest.test.ts compares the transports.
describe('REST', () => {
  onSocket.for(casesOf('REST', true))('accepts for $subject $name', async (input, { ask }) => {
    const { method, target, body } = requestOf(input);
    expect((await ask(method, target, body === undefined ? {} : { body })).status).toBe(200);
  });

  onSocket.for(casesOf('REST', false))(
    'rejects for $subject $name, lists each problem and changes nothing',
    async (input, { ask, casa }) => {
      const before = JSON.stringify(casa.snapshot().world);
      const { method, target, body } = requestOf(input);
      const { status, error } = await ask(method, target, body === undefined ? {} : { body });
      const paths = [...new Set(error.issues?.map(({ path }) => path))].sort();
      expect([status, error.code, paths]).toEqual([400, 'invalid_input', input.issues]);
      expect(JSON.stringify(casa.snapshot().world)).toBe(before);
    },
  );
});

describe('the MCP tools', () => {
  const values = (input: (typeof inputs)[number]) => input.values as Record<string, unknown>;

  onSocket.for(casesOf('MCP', true))('accept for $subject $name', async (input, { call }) => {
    expect((await call(toolOf(input), values(input))).code).toBe('ok');
  });

  onSocket.for(casesOf('MCP', false))('reject for $subject $name and list each problem', async (input, { call }) => {
    const { isError, code, error } = await call(toolOf(input), values(input));
    const paths = error.issues?.map(({ path }) => path).sort();
    expect([isError, code, paths]).toEqual([true, 'invalid_input', input.issues]);
  });

  onSocket('treat all-zero and all-f ids as well-formed', async ({ call }) => {
    for (const id of ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'])
      expect((await call('get_insights', { accountId: id })).code).toBe('not_found');
  });

  onSocket.for<[ToolName, string, object]>([
    ['calls_log', 'limit', { minimum: 1, maximum: 200, default: 50 }],
    ['customers_list', 'max', { minimum: 1, maximum: 100 }],
    ['connect_account', 'label', { minLength: 1, maxLength: 80 }],
    ['connect_account', 'maxAccounts', { minimum: 1, maximum: 20, default: 1 }],
    ['create_post', 'text', { minLength: 1, maxLength: 5000 }],
    ['reply_review', 'text', { minLength: 1, maxLength: 4096 }],
    ['get_insights', 'range', { enum: ['7d', '28d', '90d'], default: '28d' }],
    ['dialer_import_contacts', 'csv', { maxLength: 2_000_000 }],
    ['dialer_import_contacts', 'rows', { maxItems: 5000 }],
  ])('state in their schemas for %s the limits of %s', async ([tool, field, limits], { connect }) => {
    const { tools } = await (await connect()).listTools();
    const { properties, required, not } = (tools.find(({ name }) => name === tool)?.inputSchema ?? {}) as {
      properties?: Record<string, object>;
      required?: string[];
      not?: unknown;
    };
    expect(properties?.[field]).toMatchObject(limits);
    if (tool === 'create_post') expect(required).toEqual(['accountId', 'text']);
    if (tool === 'dialer_import_contacts') expect(not).toEqual({ required: ['csv', 'rows'] });
  });
});
