// Single requests that cost the mock much work: the largest, densest and most broken of each kind. The storm sends
// them among others, `npm run blocks` measures each.

import { goodKey, googleAccount, toMcp, toRequest } from '../../fixtures/test-kit/engine.ts';
import type { CoreRequest } from '../../src/http/message.ts';
import { nested } from './words.ts';

export interface HeavyRequest {
  readonly name: string;
  readonly request: (round: number) => CoreRequest;
  readonly flags?: readonly string[];
}

const bodyMax = 2_500_000;
const mcpMax = 1_048_576;
const postPath = `/connect/accounts/${googleAccount}/posts`;
const huge = { flags: ['--data', 'FOLDER/large.json'] };

const times = <T>(count: number, each: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => each(i));
const api = (line: string, body?: string) => toRequest(line, '/api/v1', { key: goodKey, body });
const admin = (line: string, body?: string) => toRequest(line, '/__admin', { body });
const call = (tool: string, given: string) =>
  toMcp(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${tool}","arguments":${given}}}`);
const fields = (count: number, name: string, value: string) => times(count, (i) => `"${name}${i}":${value}`).join(',');
const list = (item: string, bytes = bodyMax) => `{"a":[${item.repeat((bytes - 1_200) / item.length).slice(0, -1)}]}`;
/** Objects of thirteen names out of 1,900, so nearly each has its own shape. */
const shapes = (count: number) =>
  `{"a":[${times(count, (i) => `{${times(13, (c) => `"c${(i * 7 + c * c * 31) % 1_900}":1`).join(',')}}`).join(',')}]}`;

const bodies: Readonly<Record<string, () => string>> = {
  'one long text': () => JSON.stringify({ text: 'x'.repeat(bodyMax - 50) }),
  'one long text of escapes': () => `{"text":"${'\\u0041'.repeat(bodyMax / 6 - 10)}"}`,
  'a long text that is rejected': () => JSON.stringify({ label: 'x'.repeat(bodyMax - 50) }),
  'one byte over the cap': () => 'x'.repeat(bodyMax + 1),
  '190,000 fields': () => `{${fields(190_000, 'm', '1')}}`,
  '830,000 empty objects': () => list('{},'),
  '1,200,000 numbers': () => list('1,'),
  'lists 1,200,000 deep': () => `{"a":${nested(1_200_000)}}`,
  'objects 400,000 deep': () => `${'{"a":'.repeat(400_000)}1${'}'.repeat(400_000)}`,
  '150,000 escaped names': () => `{${fields(150_000, '\\u0041', '0')}}`,
  '39,000 equal names': () => `{${times(39_000, () => `"a":${'1'.repeat(50)}`).join(',')}}`,
  '3,000 objects of as many shapes': () => shapes(3_000),
  '199,000 empty lists': () => list('[],', 600_000),
  '199,000 numbers with exponents': () => list('1.7e-308,', 1_792_000),
  'numbers of a thousand digits': () => list(`${'9'.repeat(1000)},`),
  'text that is not JSON': () => `{"text":"x"${' '.repeat(bodyMax - 50)}`,
  backslashes: () => `{"text":"${'\\\\'.repeat(bodyMax / 2 - 20)}"}`,
  'a URL of 2 MB': () => JSON.stringify({ text: 'x', link: `https://a.example/${'%41'.repeat(800_000)}` }),
  'a malformed URL of 2 MB': () => JSON.stringify({ text: 'x', link: `https://a.example/${'a.'.repeat(1_200_000)} ` }),
  zeros: () => '\0'.repeat(bodyMax),
};

const csv = (count: number, line: (i: number) => string, header = 'phone,name') =>
  JSON.stringify({ csv: [header, ...times(count, line)].join('\n') });
const rows = (count: number, row: string) => `{"rows":[${times(count, () => row).join(',')}]}`;
const digits = (i: number) => String(i).padStart(7, '0');
const columns = (count: number, value: string) => fields(count, 'c', value);
const wideCsv = () =>
  csv(20_000, (i) => `+1${digits(i)}${',1'.repeat(19)}`, `phone,${times(19, (i) => `c${i}`).join(',')}`);

/** Arguments of `dialer_import_contacts`; `round` makes the contacts new each time. */
const imports: Readonly<Record<string, (round: number) => string>> = {
  'csv of 20,000 contacts': (round) => csv(20_000, (i) => `+1${round + 2}${digits(i)},Name ${i}`),
  'csv of 60,000 lines': () => csv(60_000, (i) => `${100_000 + i},N`),
  'csv of 20,000 broken lines': () => csv(20_000, () => 'x'),
  'csv of 20,000 malformed phones': () => csv(20_000, () => 'x,y'),
  'csv of 500,000 commas': () => csv(2, () => ','.repeat(500_000)),
  'csv of quotes': () => csv(1, () => '"'.repeat(400_000)),
  'csv of 20,000 contacts of 20 columns': wideCsv,
  'csv of 20,000 phones with signs': (round) =>
    csv(20_000, (i) => `+${round + 2} (${digits(i)}) 1-2.3/4 ${' '.repeat(10)},N`),
  '5,000 rows': (round) =>
    `{"rows":[${times(5_000, (i) => `{"phone":"+1${round + 2}${digits(i)}","name":"N ${i}"}`).join(',')}]}`,
  '4,000 rows without a phone': () => rows(4_000, '{"x":1}'),
  '5,000 rows of 20 fields': () => rows(5_000, `{"phone":"+12025550100",${columns(19, '1')}}`),
  '5,000 rows of 22 lists': () => rows(5_000, `{${columns(22, '[]')}}`),
  'a row of 1,900 lists': () => rows(1, `{${columns(1_900, '[]')}}`),
  '100,000 rows that are numbers': () => rows(100_000, '1'),
  '300,000 empty rows': () => rows(300_000, '{}'),
};

const posts: Readonly<Record<string, () => string>> = {
  'one long text': () => JSON.stringify({ accountId: googleAccount, text: 'x'.repeat(mcpMax - 300) }),
  '75,000 fields': () => `{${fields(75_000, 'm', '1')}}`,
  '300,000 empty objects': () => list('{},', mcpMax - 200),
  '7,500 objects of as many shapes': () => shapes(7_500),
  'lists 500,000 deep': () => `{"a":${nested(500_000)}}`,
  'lists 6,000 deep': () => `{"accountId":"${googleAccount}","text":${nested(6_000, '1')}}`,
};

type Table<Value> = Readonly<Record<string, Value>>;

const rowsOf = <Value>(prefix: string, table: Table<Value>, request: (value: Value, round: number) => CoreRequest) =>
  Object.entries(table).map(([name, value]): HeavyRequest => {
    return { name: `${prefix}: ${name}`, request: (round) => request(value, round) };
  });

export const heavyRequests: readonly HeavyRequest[] = [
  { name: 'GET 100 articles of 100,000', ...huge, request: () => api('GET /articles?limit=100') },
  {
    name: 'GET articles of 100,000 after a cursor',
    ...huge,
    request: (round) => api(`GET /articles?limit=100&cursor=2025-0${(round % 8) + 2}-01T00:00:00.000Z`),
  },
  {
    name: 'GET calls of 100,000',
    ...huge,
    request: () => api('GET /connect/calls/log?limit=200&since=2020-01-01T00:00:00Z'),
  },
  ...rowsOf(
    'GET',
    { '100 articles': 'articles?limit=100', 'a query of 15 KB': `articles?${'a=%41&'.repeat(2400)}` },
    (path) => api(`GET /${path}`),
  ),
  { name: 'GET an unknown path of 15 KB', request: () => api(`GET /${'site/'.repeat(3000)}`) },
  {
    name: 'GET with a Prefer header of 14 KB',
    request: () => ({
      ...api('GET /sites'),
      headers: { authorization: `Bearer ${goodKey}`, prefer: 'code=401, example=x, '.repeat(600) },
    }),
  },
  { name: 'POST, accepted', request: () => api(`POST ${postPath}`, JSON.stringify({ text: 'x'.repeat(5000) })) },
  ...rowsOf('POST', bodies, (body) => api(`POST ${postPath}`, body())),
  ...rowsOf('MCP import', imports, (given, round) => call('dialer_import_contacts', given(round))),
  {
    name: 'MCP import: csv of 20,000 contacts of 20 columns, saved',
    flags: ['--save', 'FOLDER/saved'],
    request: () => call('dialer_import_contacts', wideCsv()),
  },
  ...rowsOf('MCP post', posts, (given) => call('create_post', given())),
  { name: 'MCP: tools/list', request: () => toMcp('{"jsonrpc":"2.0","id":1,"method":"tools/list"}') },
  {
    name: 'MCP: an id 6,000 deep',
    request: () => toMcp(`{"jsonrpc":"2.0","id":${nested(6_000)},"method":"tools/list"}`),
  },
  {
    name: 'MCP: a batch of 20,000 messages',
    request: () => toMcp(`[${times(20_000, () => '{"jsonrpc":"2.0","id":1,"method":"ping"}').join(',')}]`),
  },
  { name: 'MCP: text that is not JSON', request: () => toMcp('['.repeat(1_000_000)) },
  { name: 'faults of 190,000 fields', request: () => admin('POST /faults', bodies['190,000 fields']?.()) },
  { name: 'a world 1,200,000 deep', request: () => admin('PUT /world', bodies['lists 1,200,000 deep']?.()) },
];
