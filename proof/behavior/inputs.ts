// Inputs at the edges of the contract, for REST and the MCP tools. Most limits of section 8 are left to the suite.

import { shop } from '../../fixtures/test-kit/actors.ts';
import { type OperationId, operations } from '../../src/contract/generated/operations.ts';
import { type OwnToolName, type ToolName, tools } from '../../src/contract/generated/tools.ts';

/** Arguments of a tool; REST takes the same from path, query and body. */
export interface InputCase {
  readonly subject: OperationId | OwnToolName;
  readonly name: string;
  /** A raw query of a GET or a raw body of a POST where it is not an object; null is a POST without a body. */
  readonly values: Readonly<Record<string, unknown>> | string | Uint8Array | null;
  /** Paths of the issues; empty for a valid input. */
  readonly issues: readonly string[];
  readonly transport: 'REST' | 'MCP' | 'both';
}

type Row = readonly [name: string, values: InputCase['values'], issues?: string, transport?: InputCase['transport']];

const { accountId } = shop;
const reviewId = shop.reviews[0]?.reviewId ?? '';
const link = { provider: 'tiktok', label: 'x' };
const post = { accountId, text: 'x' };
const reply = { accountId, reviewId, text: 'x' };
const emoji = '🥐';
const phones = (count: number) => Array.from({ length: count }, (_, i) => ({ phone: `+1555${100_000 + i}` }));
const csv = (count: number) => ['phone', ...phones(count).map(({ phone }) => phone)].join('\n');
const raw = (texts: readonly string[], issues: string): Row[] => texts.map((text) => [text, text, issues, 'REST']);

const rows: Readonly<Partial<Record<InputCase['subject'], readonly Row[]>>> = {
  createConnectLink: [
    ['a label of 1', link],
    ['a label of 80 emoji, which are 160 UTF-16 units', { ...link, label: emoji.repeat(80) }],
    ['a label of blanks', { ...link, label: ' ' }],
    ['maxAccounts 1', { ...link, maxAccounts: 1 }],
    ['a field that is not listed', { ...link, color: 'blue' }],
    ['no body', null, ' ', 'REST'],
    ...raw(['{"provider":', '"x"', 'null', '[]'], ' '),
    ['bytes that are not UTF-8', new Uint8Array([0x7b, 0xff, 0x7d]), ' ', 'REST'],
    ['an empty object', {}, '/label /provider'],
    ['no label', { provider: 'tiktok' }, '/label'],
    ['an empty label', { ...link, label: '' }, '/label'],
    ['a label of 81 emoji', { ...link, label: emoji.repeat(81) }, '/label'],
    ['a label that is a number', { ...link, label: 1 }, '/label'],
    ['an unknown provider', { ...link, provider: 'myspace' }, '/provider'],
    ['a provider in capitals', { ...link, provider: 'TIKTOK' }, '/provider'],
    ['maxAccounts 0', { ...link, maxAccounts: 0 }, '/maxAccounts'],
    ['maxAccounts 1.5', { ...link, maxAccounts: 1.5 }, '/maxAccounts'],
    ['maxAccounts as text', { ...link, maxAccounts: '3' }, '/maxAccounts'],
    ['maxAccounts null', { ...link, maxAccounts: null }, '/maxAccounts'],
    ['three problems', { provider: 'x', label: '', maxAccounts: 99 }, '/label /maxAccounts /provider'],
  ],
  createPost: [
    ['a text of 1', post],
    ['a text of 5000 emoji', { ...post, text: emoji.repeat(5000) }],
    ['a text of blanks', { ...post, text: '  ' }],
    ['an image and a link', { ...post, media: { imageUrl: 'https://x.example/a.jpg' }, link: 'https://x.example/' }],
    ['a link of another scheme', { ...post, link: 'mailto:a@x.example' }],
    ['no account', { text: 'x' }, '/accountId', 'MCP'],
    ['an account that is a number', { ...post, accountId: 7 }, '/accountId', 'MCP'],
    ['an id of version 9', { ...post, accountId: '11111111-1111-9111-8111-111111111111' }, '/accountId'],
    ['an id of variant c', { ...post, accountId: '11111111-1111-4111-c111-111111111111' }, '/accountId'],
    ['no text', { accountId }, '/text'],
    ['an empty text', { ...post, text: '' }, '/text'],
    ['a text of 5001 emoji', { ...post, text: emoji.repeat(5001) }, '/text'],
    ['a text that is a list', { ...post, text: ['x'] }, '/text'],
    ['media without an image', { ...post, media: {} }, '/media/imageUrl'],
    ['media that is a text', { ...post, media: 'a.jpg' }, '/media'],
    ['media null', { ...post, media: null }, '/media'],
    ['an image that is not a URI', { ...post, media: { imageUrl: 'a b' } }, '/media/imageUrl'],
    ['a link without a scheme', { ...post, link: 'x.example' }, '/link'],
    ['a link null', { ...post, link: null }, '/link'],
    ['two problems', { accountId, text: '', link: '' }, '/link /text'],
  ],
  replyToReview: [
    ['a text of 1', reply],
    ['a text of 4096 emoji', { ...reply, text: emoji.repeat(4096) }],
    ['no text', { accountId, reviewId }, '/text'],
    ['an empty text', { ...reply, text: '' }, '/text'],
    ['a text of 4097 emoji', { ...reply, text: emoji.repeat(4097) }, '/text'],
    ['an empty review id', { ...reply, reviewId: '' }, '/reviewId', 'MCP'],
  ],
  listReviews: [
    ['no cursor', { accountId }],
    ['a malformed account', { accountId: 'x' }, '/accountId'],
    ...['', 'nonsense', 'after.', 'after.nobody', 'after.%', 'before.rev'].map(
      (cursor): Row => [`the cursor "${cursor}"`, { accountId, cursor }, '/cursor'],
    ),
  ],
  getInsights: [
    ['an account in capitals', { accountId: accountId.toUpperCase() }],
    ...['7d', '28d', '90d'].map((range): Row => [`the range ${range}`, { accountId, range }]),
    ...['', '1d', '28', '28D', '365d'].map((range): Row => [`the range "${range}"`, { accountId, range }, '/range']),
  ],
  listCalls: [
    ['limit 1', { limit: 1 }],
    ['limit 200', { limit: 200 }],
    ['limit 0', { limit: 0 }, '/limit'],
    ['limit 201', { limit: 201 }, '/limit'],
    ['limit -1', { limit: -1 }, '/limit'],
    ['limit 1.5', { limit: 1.5 }, '/limit'],
    ['a limit that is a text', { limit: '50' }, '/limit', 'MCP'],
    ...raw(['limit=', 'limit=x'], '/limit'),
    ...['', 'yesterday', '2026-01-15', '1768467600', 'null'].map(
      (since): Row => [`since "${since}"`, { since }, '/since'],
    ),
    ...raw(['since=2026-01-15T10:00:00+01:00'], '/since'),
  ],
  listArticles: [
    ...raw(['limit=1', 'limit=100', 'limit=05', 'limit=2&limit=500', 'limit=2&unknown=1'], ''),
    ...raw('limit=0 limit=101 limit=-1 limit= limit=ten limit=1.0'.split(' '), '/limit'),
    ...raw(['limit=1e1', 'limit=%201', 'limit=9e99'], '/limit'),
    ...raw(['siteId=', 'siteId=x', 'siteId=0000'], '/siteId'),
    ...raw('cursor= cursor=yesterday cursor=2026-01-01 cursor=2026-02-30T00:00:00Z'.split(' '), '/cursor'),
    ...raw(['cursor=2026-01-15T10:00:00+01:00'], '/cursor'),
    ...raw(['limit=0&siteId=x&cursor=y'], '/cursor /limit /siteId'),
  ],
  listKeywords: raw(['', 'siteId=', 'siteId=x', 'siteid=00000000-0000-0000-0000-000000000000'], '/siteId'),
  inbox_list: [
    ['no cursor', {}],
    ['an empty cursor', { cursor: '' }, '/cursor'],
    ['a cursor that is a number', { cursor: 1 }, '/cursor'],
  ],
  customers_list: [
    ['max 1', { max: 1 }],
    ['max 100', { max: 100 }],
    ['a cursor, which it ignores', { cursor: 'x' }],
    ...[0, 101, -1].map((max): Row => [`max ${max}`, { max }, '/max']),
  ],
  dialer_import_contacts: [
    ['no rows', { rows: [] }],
    ['5000 rows', { rows: phones(5000) }],
    ['a csv without contacts', { csv: 'phone\n' }],
    ['a csv of 20000 contacts', { csv: csv(20_000) }],
    ['neither csv nor rows', {}, ' '],
    ['both csv and rows', { csv: 'phone\n', rows: [] }, ' '],
    ['5001 rows', { rows: phones(5001) }, '/rows'],
    ['a row without a phone', { rows: [{ name: 'Ada' }] }, '/rows/0/phone'],
    ['a csv of 20001 contacts', { csv: csv(20_001) }, '/csv'],
  ],
};

const isOperation = (subject: string): subject is OperationId => Object.hasOwn(operations, subject);

/** A space means an issue of the whole input, whose path is empty. */
export const inputs: readonly InputCase[] = Object.entries(rows).flatMap(([key, list]) =>
  list.map(([name, values, issues = '', transport = 'both']): InputCase => {
    const subject = key as InputCase['subject'];
    const paths = issues === '' ? [] : issues.trim().split(' ');
    return { subject, name, values, issues: paths, transport: isOperation(subject) ? transport : 'MCP' };
  }),
);

export function toolOf({ subject }: InputCase): ToolName {
  const found = Object.values(tools).find(({ name, operation }) => name === subject || operation === subject);
  if (found === undefined) throw new Error(`There is no tool for ${subject}.`);
  return found.name;
}

export function requestOf({ subject, values }: InputCase) {
  if (!isOperation(subject)) throw new Error(`${subject} is not an operation.`);
  const { id, method, segments } = operations[subject];
  const rest = typeof values === 'object' && !(values instanceof Uint8Array) ? { ...values } : null;
  const path = segments.map((segment) => {
    const name = segment.slice(1, -1);
    if (!segment.startsWith('{')) return segment;
    const value = encodeURIComponent(String(rest?.[name]));
    delete rest?.[name];
    return value;
  });
  const query = method === 'GET' ? `?${rest ? new URLSearchParams(rest as Record<string, string>) : values}` : '';
  const body = method === 'GET' || values === null ? undefined : (rest ?? (values as string | Uint8Array));
  return { operation: id, method, target: `/${path.join('/')}${query === '?' ? '' : query}`, body };
}
