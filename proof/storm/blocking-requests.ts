// Single requests that make the mock work hard: the largest, the densest and the most broken of each kind.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Asked, BlockedMock } from './blocked-mock.ts';

export interface Kind {
  readonly name: string;
  readonly flags?: readonly string[];
  readonly prepare?: (mock: BlockedMock) => Promise<void>;
  readonly request: (mock: BlockedMock, round: number) => Asked;
  /** Why it may take longer than the bound. */
  readonly because?: string;
}

const savedTo = join(mkdtempSync(join(tmpdir(), 'casa-blocks-')), 'saved');
const bodyMax = 2_500_000;
const mcpMax = 1_048_576;
const account = 'd4eb016a-1355-4e9e-af8b-f38083d082f4';
const postPath = `/api/v1/connect/accounts/${account}/posts`;

const post = (body: string): Asked => ({ path: postPath, method: 'POST', body });
const filled = (
  open: string,
  piece: (i: number) => string,
  { close, max = bodyMax }: { close: string; max?: number },
) => {
  let text = open;
  for (let i = 0; text.length + 1_100 < max; i += 1) text += piece(i);
  return text.slice(0, -1) + close;
};

const tool = (name: string, given: string): Asked => ({
  path: '/mcp',
  method: 'POST',
  headers: { accept: 'application/json, text/event-stream' },
  body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${given}}}`,
});
const csv = (lines: number, line: (i: number) => string): Asked =>
  tool(
    'dialer_import_contacts',
    JSON.stringify({ csv: ['phone,name', ...Array.from({ length: lines }, (_, i) => line(i))].join('\n') }),
  );
const rows = (count: number, row: (i: number) => unknown): Asked =>
  tool('dialer_import_contacts', JSON.stringify({ rows: Array.from({ length: count }, (_, i) => row(i)) }));

/** Thirteen names out of 1,900. */
function shape(i: number): string {
  return `{${Array.from({ length: 13 }, (_, c) => `"c${(i * 7 + c * c * 31) % 1_900}":1`).join(',')}}`;
}

const bodies: Readonly<Record<string, () => string>> = {
  'one long text': () => JSON.stringify({ text: 'x'.repeat(bodyMax - 50) }),
  'one long text of escapes': () => `{"text":"${'\\u0041'.repeat(bodyMax / 6 - 10)}"}`,
  '200,000 members': () => filled('{', (i) => `"m${i}":${i},`, { close: '}' }),
  '830,000 empty objects': () => filled('{"a":[', () => '{},', { close: ']}' }),
  '1,200,000 numbers': () => filled('{"a":[', () => '1,', { close: ']}' }),
  'lists 1,200,000 deep': () => `{"a":${'['.repeat(1_200_000)}${']'.repeat(1_200_000)}}`,
  'objects 400,000 deep': () => `${'{"a":'.repeat(400_000)}1${'}'.repeat(400_000)}`,
  '600,000 escaped names': () => filled('{', (i) => `"\\u00${(i % 90) + 10}${i}":0,`, { close: '}' }),
  '39,000 equal names': () => `{${Array.from({ length: 39_000 }, () => `"a":${'1'.repeat(50)}`).join(',')}}`,
  '3,000 objects of as many shapes': () => `{"a":[${Array.from({ length: 3_000 }, (_, i) => shape(i)).join(',')}]}`,
  '199,000 empty lists': () => `{"a":[${'[],'.repeat(199_000)}1]}`,
  '199,000 numbers with exponents': () => `{"a":[${'1.7e-308,'.repeat(199_000)}1]}`,
  'numbers of a thousand digits': () => filled('{"a":[', () => `${'9'.repeat(1000)},`, { close: ']}' }),
  'what is not JSON': () => `{"text":"x"${' '.repeat(bodyMax - 50)}`,
  backslashes: () => `{"text":"${'\\\\'.repeat(bodyMax / 2 - 20)}"}`,
  'a URL of 2 MB': () => JSON.stringify({ text: 'x', link: `https://a.example/${'%41'.repeat(800_000)}` }),
  'a URL of 2 MB that is none': () =>
    JSON.stringify({ text: 'x', link: `https://a.example/${'a.'.repeat(1_200_000)} ` }),
  zeros: () => '\0'.repeat(bodyMax),
};

function wideCsv(): string {
  const header = `phone,${Array.from({ length: 19 }, (_, i) => `c${i}`).join(',')}`;
  const lines = Array.from({ length: 20_000 }, (_, n) => `+1${String(n).padStart(6, '0')}${',1'.repeat(19)}`);
  return [header, ...lines].join('\n');
}

const inMcp = (name: string, given: () => string): Kind => ({
  name: `MCP: ${name}`,
  request: () => tool('create_post', given()),
});

async function fillJournal(mock: BlockedMock): Promise<void> {
  for (let i = 0; i < 1000; i += 1)
    await mock.ask(post(JSON.stringify({ text: '', a: `${i}${'"\\_%5f'.repeat(2500)}` })));
}

async function fillContacts(mock: BlockedMock): Promise<void> {
  for (let i = 0; i < 10; i += 1) await mock.ask(csv(20_000, (n) => `+1${i}${String(n).padStart(6, '0')},N`));
}

async function accuse(mock: BlockedMock): Promise<void> {
  for (let i = 0; i < 1000; i += 1) for (let k = 0; k < 2; k += 1) await mock.ask({ path: `/api/v1/articles/${i}` });
}

export const kinds: readonly Kind[] = [
  { name: 'GET 100 articles', request: () => ({ path: '/api/v1/articles?limit=100' }) },
  {
    name: 'GET 100 articles of 100,000',
    flags: ['--world', 'huge'],
    request: () => ({ path: '/api/v1/articles?limit=100' }),
  },
  {
    name: 'GET articles of 100,000 behind a cursor',
    flags: ['--world', 'huge'],
    request: (_, i) => ({ path: `/api/v1/articles?limit=100&cursor=2025-0${(i % 8) + 2}-01T00:00:00.000Z` }),
  },
  {
    name: 'GET calls of 100,000 since',
    flags: ['--world', 'huge'],
    request: () => ({ path: '/api/v1/connect/calls/log?limit=200&since=2020-01-01T00:00:00Z' }),
  },
  { name: 'GET a query of 15 KB', request: () => ({ path: `/api/v1/articles?${'a=%41&'.repeat(2400)}` }) },
  { name: 'GET an unknown path of 15 KB', request: () => ({ path: `/api/v1/${'site/'.repeat(3000)}` }) },
  {
    name: 'GET with a Prefer of 14 KB',
    request: () => ({ path: '/api/v1/sites', headers: { prefer: 'code=401, example=x, '.repeat(700) } }),
  },
  { name: 'POST, answered and kept', request: () => post(JSON.stringify({ text: 'x'.repeat(5000) })) },
  ...Object.entries(bodies).map(([name, body]): Kind => ({ name: `POST: ${name}`, request: () => post(body()) })),
  {
    name: 'POST: 2.5 MB after a refusal of it',
    request: () => post(JSON.stringify({ label: 'x'.repeat(bodyMax - 50) })),
  },
  {
    name: 'MCP: tools/list',
    request: () => ({ ...tool('x', '{}'), body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' }),
  },
  {
    name: 'MCP: csv of 20,000 contacts',
    request: (_, i) => csv(20_000, (n) => `+1${i + 2}${String(n).padStart(7, '0')},Name ${n}`),
  },
  { name: 'MCP: csv of 60,000 lines', request: () => csv(60_000, (n) => `${100_000 + n},N`) },
  { name: 'MCP: csv of 20,000 broken lines', request: () => csv(20_000, () => 'x') },
  { name: 'MCP: csv of 20,000 bad phones', request: () => csv(20_000, () => 'x,y') },
  { name: 'MCP: csv of 500,000 commas', request: () => csv(2, () => ','.repeat(500_000)) },
  { name: 'MCP: csv of quotes', request: () => csv(1, () => '"'.repeat(400_000)) },
  {
    name: 'MCP: csv of 20,000 contacts of 20 columns',
    request: () => tool('dialer_import_contacts', JSON.stringify({ csv: wideCsv() })),
  },
  {
    name: 'MCP: csv of 20,000 contacts of 20 columns, saved',
    flags: ['--save', savedTo],
    request: () => tool('dialer_import_contacts', JSON.stringify({ csv: wideCsv() })),
  },
  {
    name: 'MCP: csv of 20,000 phones with signs',
    request: (_, i) => csv(20_000, (n) => `+${i + 2} (${String(n).padStart(6, '0')}) 1-2.3/4 ${' '.repeat(10)},N`),
  },
  {
    name: 'MCP: 5,000 rows',
    request: (_, i) => rows(5000, (n) => ({ phone: `+1${i + 2}${String(n).padStart(7, '0')}`, name: `N ${n}` })),
  },
  {
    name: 'MCP: 5,000 rows of 20 members',
    request: () =>
      rows(5000, (n) => ({
        phone: `+1${String(n).padStart(7, '0')}`,
        ...Object.fromEntries(Array.from({ length: 19 }, (_, c) => [`c${c}`, 1])),
      })),
  },
  {
    name: 'MCP: 5,000 rows of 22 lists',
    request: () => rows(5000, () => Object.fromEntries(Array.from({ length: 22 }, (_, c) => [`c${c}`, []]))),
  },
  {
    name: 'MCP: a row of 1,900 lists',
    request: () => rows(1, () => Object.fromEntries(Array.from({ length: 1_900 }, (_, c) => [`c${c}`, []]))),
  },
  { name: 'MCP: 100,000 rows that are none', request: () => rows(100_000, () => 1) },
  { name: 'MCP: 300,000 empty rows', request: () => rows(300_000, () => ({})) },
  inMcp('one long text', () => JSON.stringify({ accountId: account, text: 'x'.repeat(mcpMax - 300) })),
  inMcp('90,000 members', () => filled('{', (i) => `"m${i}":${i},`, { close: '}', max: mcpMax - 200 })),
  inMcp('300,000 empty objects', () => filled('{"a":[', () => '{},', { close: ']}', max: mcpMax - 200 })),
  inMcp(
    '7,500 objects of as many shapes',
    () => `{"a":[${Array.from({ length: 7_500 }, (_, i) => shape(i)).join(',')}]}`,
  ),
  inMcp('lists 500,000 deep', () => `{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}}`),
  {
    name: 'MCP: a batch of 20,000 messages',
    request: () => ({
      ...tool('x', '{}'),
      body: `[${Array.from({ length: 20_000 }, () => '{"jsonrpc":"2.0","id":1,"method":"ping"}').join(',')}]`,
    }),
  },
  { name: 'MCP: what is not JSON', request: () => ({ ...tool('x', '{}'), body: '['.repeat(1_000_000) }) },
  {
    name: 'admin: journal, 100 of 1,000 long ones',
    prepare: fillJournal,
    request: () => ({ path: '/__admin/requests' }),
    because: 'control plane',
  },
  {
    name: 'admin: journal, all 1,000 long ones',
    prepare: fillJournal,
    request: () => ({ path: '/__admin/requests?limit=1000' }),
    because: 'control plane',
  },
  {
    name: 'admin: find in 1,000 long ones',
    prepare: fillJournal,
    request: () => ({ path: '/__admin/requests/find', method: 'POST', body: '{"bodyContains":"nothing of it"}' }),
    because: 'control plane',
  },
  {
    name: 'admin: count by status',
    prepare: fillJournal,
    request: () => ({ path: '/__admin/requests/count', method: 'POST', body: '{"status":200}' }),
    because: 'control plane',
  },
  {
    name: 'admin: 1,000 verdicts',
    prepare: accuse,
    request: () => ({ path: '/__admin/verdicts' }),
    because: 'control plane',
  },
  {
    name: 'admin: 200,000 contacts',
    prepare: fillContacts,
    request: () => ({ path: '/__admin/organizations/org_1/contacts' }),
    because: 'control plane',
  },
  {
    name: 'admin: snapshot',
    request: () => ({ path: '/__admin/snapshots', method: 'POST', body: '{"id":"a"}' }),
    because: 'control plane',
  },
  {
    name: 'admin: snapshot after 1,000 long ones',
    prepare: fillJournal,
    request: () => ({ path: '/__admin/snapshots', method: 'POST', body: '{"id":"a"}' }),
    because: 'control plane',
  },
  {
    name: 'admin: snapshot of 100,000 articles',
    flags: ['--world', 'huge'],
    request: () => ({ path: '/__admin/snapshots', method: 'POST', body: '{"id":"a"}' }),
    because: 'control plane',
  },
  {
    name: 'admin: restore 100,000 articles',
    flags: ['--world', 'huge'],
    prepare: async (mock) => void (await mock.ask({ path: '/__admin/snapshots', method: 'POST', body: '{"id":"a"}' })),
    request: () => ({ path: '/__admin/snapshots/a/restore', method: 'POST' }),
    because: 'control plane',
  },
  {
    name: 'admin: reset of 100,000 articles',
    flags: ['--world', 'huge'],
    request: () => ({ path: '/__admin/reset', method: 'POST' }),
    because: 'control plane',
  },
  { name: 'admin: reset', request: () => ({ path: '/__admin/reset', method: 'POST' }), because: 'control plane' },
  {
    name: 'admin: a fresh organization',
    request: () => ({ path: '/__admin/organizations', method: 'POST', body: '{}' }),
    because: 'control plane',
  },
  {
    name: 'admin: 200,000 members',
    request: () => ({ path: '/__admin/faults', method: 'POST', body: bodies['200,000 members']?.() ?? '' }),
  },
  {
    name: 'admin: lists 1,200,000 deep',
    request: () => ({ path: '/__admin/world', method: 'PUT', body: bodies['lists 1,200,000 deep']?.() ?? '' }),
  },
  {
    name: 'admin: body of 2.5 MB',
    request: () => ({
      path: '/__admin/faults',
      method: 'PUT',
      body: filled('{"rules":[', () => '{},', { close: ']}' }),
    }),
    because: 'control plane',
  },
];
