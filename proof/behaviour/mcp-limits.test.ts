import { describe, expect, it } from 'vitest';
import type { ToolName } from '../../src/contract/generated/tools.ts';
import { shop } from './cast.ts';
import { closeAfterEach, openMcp } from './mcp-doors.ts';

closeAfterEach();

const { accountId } = shop;
const reviewId = shop.reviews[0]?.reviewId ?? '';
const phones = (count: number) => Array.from({ length: count }, (_, i) => ({ phone: `+1555${100_000 + i}` }));
const csv = (count: number) => ['phone', ...phones(count).map(({ phone }) => phone)].join('\n');
const croissant = '🥐';

type Edge = readonly [tool: ToolName, what: string, values: Record<string, unknown>, path: string];

const good: readonly Edge[] = [
  ['connect_account', 'label of 1', { provider: 'tiktok', label: 'x' }, ''],
  ['connect_account', 'label of 80', { provider: 'tiktok', label: 'x'.repeat(80) }, ''],
  ['connect_account', 'label of 80 emoji', { provider: 'tiktok', label: croissant.repeat(80) }, ''],
  ['connect_account', 'maxAccounts 1', { provider: 'tiktok', label: 'x', maxAccounts: 1 }, ''],
  ['connect_account', 'maxAccounts 20', { provider: 'tiktok', label: 'x', maxAccounts: 20 }, ''],
  ['create_post', 'text of 1', { accountId, text: 'x' }, ''],
  ['create_post', 'text of 5000', { accountId, text: 'x'.repeat(5000) }, ''],
  ['create_post', 'text of 5000 emoji', { accountId, text: croissant.repeat(5000) }, ''],
  ['reply_review', 'text of 1', { accountId, reviewId, text: 'x' }, ''],
  ['reply_review', 'text of 4096', { accountId, reviewId, text: 'x'.repeat(4096) }, ''],
  ['calls_log', 'limit 1', { limit: 1 }, ''],
  ['calls_log', 'limit 200', { limit: 200 }, ''],
  ['get_insights', 'range 90d', { accountId, range: '90d' }, ''],
  ['get_insights', 'an account id in capitals', { accountId: accountId.toUpperCase() }, ''],
  ['customers_list', 'max 1', { max: 1 }, ''],
  ['customers_list', 'max 100', { max: 100 }, ''],
  ['customers_list', 'a cursor that nobody takes', { cursor: 'x' }, ''],
  ['dialer_import_contacts', 'no row', { rows: [] }, ''],
  ['dialer_import_contacts', '5000 rows', { rows: phones(5000) }, ''],
  ['dialer_import_contacts', 'a csv of no contact', { csv: 'phone\n' }, ''],
  ['dialer_import_contacts', 'a csv of 20000 contacts', { csv: csv(20_000) }, ''],
];

const bad: readonly Edge[] = [
  ['connect_account', 'no label', { provider: 'tiktok' }, '/label'],
  ['connect_account', 'label of 0', { provider: 'tiktok', label: '' }, '/label'],
  ['connect_account', 'label of 81', { provider: 'tiktok', label: 'x'.repeat(81) }, '/label'],
  ['connect_account', 'an unknown provider', { provider: 'myspace', label: 'x' }, '/provider'],
  ['connect_account', 'maxAccounts 0', { provider: 'tiktok', label: 'x', maxAccounts: 0 }, '/maxAccounts'],
  ['connect_account', 'maxAccounts 21', { provider: 'tiktok', label: 'x', maxAccounts: 21 }, '/maxAccounts'],
  ['connect_account', 'maxAccounts 1.5', { provider: 'tiktok', label: 'x', maxAccounts: 1.5 }, '/maxAccounts'],
  ['create_post', 'no account', { text: 'x' }, '/accountId'],
  ['create_post', 'text of 0', { accountId, text: '' }, '/text'],
  ['create_post', 'text of 5001', { accountId, text: 'x'.repeat(5001) }, '/text'],
  ['create_post', 'text of 5001 emoji', { accountId, text: croissant.repeat(5001) }, '/text'],
  ['create_post', 'a link that is not a URI', { accountId, text: 'x', link: 'x.example' }, '/link'],
  ['create_post', 'an id of version 9', { accountId: '11111111-1111-9111-8111-111111111111', text: 'x' }, '/accountId'],
  ['create_post', 'an id of variant c', { accountId: '11111111-1111-4111-c111-111111111111', text: 'x' }, '/accountId'],
  ['create_post', 'a number for an id', { accountId: 7, text: 'x' }, '/accountId'],
  ['list_reviews', 'a malformed id', { accountId: 'x' }, '/accountId'],
  ['list_reviews', 'a cursor of nobody', { accountId, cursor: 'x' }, '/cursor'],
  ['reply_review', 'text of 0', { accountId, reviewId, text: '' }, '/text'],
  ['reply_review', 'text of 4097', { accountId, reviewId, text: 'x'.repeat(4097) }, '/text'],
  ['reply_review', 'an empty review id', { accountId, reviewId: '', text: 'x' }, '/reviewId'],
  ['get_insights', 'range 1d', { accountId, range: '1d' }, '/range'],
  ['calls_log', 'limit 0', { limit: 0 }, '/limit'],
  ['calls_log', 'limit 201', { limit: 201 }, '/limit'],
  ['calls_log', 'limit as text', { limit: '50' }, '/limit'],
  ['calls_log', 'since that is not an instant', { since: 'yesterday' }, '/since'],
  ['inbox_list', 'a cursor of nobody', { cursor: '' }, '/cursor'],
  ['inbox_list', 'a number for a cursor', { cursor: 1 }, '/cursor'],
  ['customers_list', 'max 0', { max: 0 }, '/max'],
  ['customers_list', 'max 101', { max: 101 }, '/max'],
  ['customers_list', 'max -1', { max: -1 }, '/max'],
  ['dialer_import_contacts', 'neither csv nor rows', {}, ''],
  ['dialer_import_contacts', 'both csv and rows', { csv: 'phone\n', rows: [] }, ''],
  ['dialer_import_contacts', '5001 rows', { rows: phones(5001) }, '/rows'],
  ['dialer_import_contacts', 'a row without a phone', { rows: [{ name: 'Ada' }] }, '/rows/0/phone'],
  ['dialer_import_contacts', 'a csv of 20001 contacts', { csv: csv(20_001) }, '/csv'],
];

describe('the inputs of tools', () => {
  it.each(good)('%s takes %s', async (tool, _what, values) => {
    const { call } = await openMcp();
    expect((await call(tool, values)).code).toBe('ok');
  });

  it.each(bad)('%s refuses %s', async (tool, _what, values, path) => {
    const { call } = await openMcp();
    const { isError, code, error } = await call(tool, values);
    expect([isError, code, error.issues?.map((issue) => issue.path)]).toEqual([true, 'invalid_input', [path]]);
  });

  it('name every problem at once', async () => {
    const { call } = await openMcp();
    const { error } = await call('connect_account', { provider: 'myspace', label: '', maxAccounts: 99 });
    expect(error.issues?.map(({ path }) => path).sort()).toEqual(['/label', '/maxAccounts', '/provider']);
  });

  it('count all-zero and all-f ids as well-formed', async () => {
    const { call } = await openMcp();
    for (const id of ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff']) {
      expect((await call('get_insights', { accountId: id })).code).toBe('not_found');
    }
  });

  it('stand in the schemas that the door lists, limit by limit', async () => {
    const { connect } = await openMcp();
    const { tools } = await (await connect()).listTools();
    const schemaOf = (tool: ToolName) =>
      tools.find(({ name }) => name === tool)?.inputSchema as unknown as {
        properties: Record<string, Record<string, unknown>>;
        required?: string[];
        not?: unknown;
      };
    expect(schemaOf('calls_log').properties.limit).toMatchObject({ minimum: 1, maximum: 200, default: 50 });
    expect(schemaOf('customers_list').properties.max).toMatchObject({ minimum: 1, maximum: 100 });
    expect(schemaOf('connect_account').properties.label).toMatchObject({ minLength: 1, maxLength: 80 });
    expect(schemaOf('connect_account').properties.maxAccounts).toMatchObject({ minimum: 1, maximum: 20, default: 1 });
    expect(schemaOf('create_post').properties.text).toMatchObject({ minLength: 1, maxLength: 5000 });
    expect(schemaOf('create_post').required).toEqual(['accountId', 'text']);
    expect(schemaOf('reply_review').properties.text).toMatchObject({ minLength: 1, maxLength: 4096 });
    expect(schemaOf('get_insights').properties.range).toMatchObject({ enum: ['7d', '28d', '90d'], default: '28d' });
    expect(schemaOf('dialer_import_contacts').properties.csv).toMatchObject({ maxLength: 2_000_000 });
    expect(schemaOf('dialer_import_contacts').properties.rows).toMatchObject({ maxItems: 5000 });
    expect(schemaOf('dialer_import_contacts').not).toEqual({ required: ['csv', 'rows'] });
  });
});
