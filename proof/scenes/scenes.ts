// The scripts that the probe plays: together they show every mutant to a client that compares with the clean mock. They
// take a world as it comes and follow what they are told, for a bounded number of steps.

import type { Need } from '../../src/mutants/hooks/mutant.ts';
import { isObject, type Json } from '../../src/mutants/hooks/rewrite.ts';
import type { WorldName } from '../../src/worlds/load.ts';
import { type Ask, goodKey, type Probe, revokedKey, rowsIn } from './probe.ts';

export interface Scene {
  readonly name: string;
  readonly needs: Need;
  readonly world: WorldName;
  /** Whether the limiters are on. */
  readonly limited: boolean;
  play(probe: Probe): void;
}

const unknown = '5f0c2a34-9d3b-4c6e-8f21-0a1b2c3d4e5f';
const unknownV7 = '01890a5d-ac96-774b-bcce-b302099a8057';
const unknownV8 = '01890a5d-ac96-8746-bcce-b302099a8057';
const nil = '00000000-0000-0000-0000-000000000000';
const max = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const longAgo = '2000-01-01T00:00:00Z';
const bytes = (text: string) => new TextEncoder().encode(text);
const idsIn = (body: Json | undefined, member: string) => rowsIn(body).map((row) => String(row[member]));
const post = (body?: Ask['body']): Ask => ({ method: 'POST', body });

function cursorIn(body: Json | undefined): Json | undefined {
  if (!isObject(body)) return undefined;
  return isObject(body.data) ? body.data.nextCursor : body.cursor;
}

/** Follows a cursor, for at most so many pages. */
function walk(probe: Probe, target: string, { as, pages }: { as: string; pages: number }): void {
  let next: string | null = target;
  for (let page = 0; next !== null && page < pages; page += 1) {
    const cursor = cursorIn(probe.ask(next));
    const joint = target.includes('?') ? '&' : '?';
    const base = as === 'since' ? target.replace(/since=[^&]*&?/, '') : `${target}${joint}`;
    const found: boolean = typeof cursor === 'string' || typeof cursor === 'number';
    next = found
      ? `${base}${base.endsWith('?') || base.endsWith('&') ? '' : '&'}${as}=${encodeURIComponent(String(cursor))}`
      : null;
  }
}

function readLists(probe: Probe): void {
  const sites = rowsIn(probe.ask('/sites'));
  for (const { id, domain } of sites) {
    for (const value of [id, domain]) {
      probe.ask(`/sites/${value}`);
      probe.ask(`/keywords?siteId=${value}`);
    }
    walk(probe, `/articles?siteId=${id}&limit=10`, { as: 'cursor', pages: 7 });
    probe.ask(`/articles?siteId=${id}&limit=100`);
  }
  for (const query of ['', `?siteId=`, '?siteId=nonsense', `?siteId=${unknown}`]) probe.ask(`/keywords${query}`);
  for (const id of [unknown, 'nonsense']) {
    probe.ask(`/sites/${id}`);
    probe.ask(`/articles/${id}`);
  }
}

function readArticles(probe: Probe): void {
  for (const limit of ['', '?limit=1', '?limit=10', '?limit=20', '?limit=100']) {
    walk(probe, `/articles${limit}`, { as: 'cursor', pages: 8 });
  }
  for (const bad of [
    'limit=abc',
    'limit=0',
    'limit=101',
    'limit=1000',
    'cursor=abc',
    `siteId=${unknown}`,
    'siteId=x',
  ]) {
    probe.ask(`/articles?${bad}`);
  }
  for (const { id, slug } of rowsIn(probe.ask('/articles?limit=100'))) {
    probe.ask(`/articles/${id}`);
    probe.ask(`/articles/${slug}`);
  }
}

function readAccounts(probe: Probe): void {
  probe.ask('/connect/accounts');
  const listed = idsIn(probe.ask('/connect/accounts'), 'accountId');
  for (const id of [...listed, unknown, unknownV7, nil, 'nonsense']) {
    walk(probe, `/connect/accounts/${id}/reviews`, { as: 'cursor', pages: 6 });
    for (const range of [
      '',
      '?range=7d',
      '?range=28d',
      '?range=90d',
      '?range=30d',
      '?range=7D',
      '?range=365d',
      '?range=',
    ]) {
      probe.ask(`/connect/accounts/${id}/insights${range}`);
    }
    probe.ask(`/connect/accounts/${id}/reviews?cursor=nonsense`);
    probe.ask(`/connect/accounts/${id}/reviews?cursor=`);
  }
}

function readCalls(probe: Probe): void {
  for (const query of [
    '',
    '?limit=1',
    '?limit=10',
    '?limit=200',
    '?limit=300',
    '?limit=abc',
    '?limit=0',
    '?since=abc',
  ]) {
    probe.ask(`/connect/calls/log${query}`);
  }
  for (const [limit, pages] of [
    ['', 8],
    ['&limit=1', 15],
    ['&limit=2', 8],
    ['&limit=49', 8],
    ['&limit=100', 5],
    ['&limit=200', 4],
  ] as const) {
    walk(probe, `/connect/calls/log?since=${longAgo}${limit}`, { as: 'since', pages });
  }
  for (const since of ['2000-01-01T00:00:00%2B02:00', '2000-01-01T00:00:00.000Z', '2000-01-01T00:00:00,5Z']) {
    probe.ask(`/connect/calls/log?since=${since}`);
  }
  probe.ask(`/connect/calls/log?since=${longAgo}&limit=300`);
}

const badLinks: readonly Json[] = [
  { provider: 'youtube', label: 'A' },
  { provider: 'FACEBOOK_PAGE', label: 'A' },
  { label: 'A' },
  { provider: 'tiktok' },
  { provider: 'tiktok', label: 7 },
  { provider: 'tiktok', label: null },
  { provider: 'tiktok', label: '' },
  { provider: 'tiktok', label: 'x'.repeat(81) },
  { provider: 'tiktok', label: 'x'.repeat(500) },
  { provider: 'tiktok', label: 'A', maxAccounts: 0 },
  { provider: 'tiktok', label: 'A', maxAccounts: 21 },
  { provider: 'tiktok', label: 'A', maxAccounts: '3' },
  { provider: 'tiktok', label: 'A', maxAccounts: 1.5 },
  [{ provider: 'tiktok', label: 'A' }],
  'text',
];

function refuseBodies(probe: Probe): void {
  for (const body of badLinks) probe.ask('/connect/accounts', post(body));
  const deep = `{"provider":"tiktok","label":${'['.repeat(1000)}${']'.repeat(1000)}}`;
  const latin1 = new Uint8Array([...bytes('{"provider":"tiktok","label":"caf'), 0xe9, ...bytes('"}')]);
  for (const body of [undefined, bytes(''), bytes('{"provider":'), bytes(deep), latin1]) {
    probe.ask('/connect/accounts', post(body));
  }
  probe.ask('/connect/accounts');
  for (const id of [unknown, unknownV7, unknownV8, nil, max, 'nonsense']) {
    probe.ask(`/connect/accounts/${id}/posts`, post({ text: 'Hello' }));
    probe.ask(`/connect/accounts/${id}/reviews/x/reply`, post({ text: 'Hello' }));
  }
}

function refuseKeys(probe: Probe): void {
  const good = goodKey(1);
  const keys = [
    null,
    `casa_${'0'.repeat(32)}`,
    'nonsense',
    good.toUpperCase(),
    good.slice(good.indexOf('_') + 1),
    `test${good.slice(good.indexOf('_'))}`,
    `${good.slice(0, -1)}x`,
    `${good}0`,
    `Basic ${btoa(`${good}:`)}`,
    `${good} `,
  ];
  const paths = ['/sites', '/keywords', `/articles/${unknown}`, '/connect/accounts', '/connect/calls/log'];
  const account = idsIn(probe.ask('/connect/accounts'), 'accountId')[0];
  const article = idsIn(probe.ask('/articles'), 'id')[0];
  for (const key of keys) {
    for (const path of [...paths, `/articles/${article}`]) probe.ask(path, { key });
    for (const id of [account, unknown]) {
      probe.ask(`/connect/accounts/${id}/insights`, { key });
      probe.ask(`/connect/accounts/${id}/reviews`, { key });
    }
    probe.ask('/connect/accounts', { ...post({}), key });
  }
}

function sendLargeBodies(probe: Probe): void {
  const filled = (size: number) => bytes(' '.repeat(size));
  const wide = bytes('€'.repeat(833_334));
  for (const body of [
    filled(1_100_000),
    filled(1_300_000),
    filled(2_500_000),
    filled(2_500_001),
    filled(2_600_000),
    wide,
  ]) {
    probe.ask('/connect/accounts', { ...post(body), headers: { 'content-length': String(body.length) } });
  }
  probe.ask('/connect/accounts', { ...post(filled(2_500_001)), headers: { 'transfer-encoding': 'chunked' } });
  probe.ask(`/connect/accounts/${unknown}/posts`, post(wide));
}

function otherVersion(id: string): string {
  return `${id.slice(0, 14)}9${id.slice(15)}`;
}

function otherVariant(id: string): string {
  return `${id.slice(0, 19)}c${id.slice(20)}`;
}

function writePosts(probe: Probe, id: string): void {
  const texts = ['Hello', '', 'x'.repeat(5000), 'x'.repeat(5001), 'x'.repeat(6000), 'é'.repeat(5000), 7];
  const extras = [
    {},
    { media: 'image' },
    { media: {} },
    { media: { imageUrl: 'no uri' } },
    { media: { imageUrl: 'https://shop.example/a.png' } },
    { link: 'no uri' },
    { link: null },
    { link: 'https://shop.example/' },
    { accountId: unknown },
    { accountId: 'nonsense' },
  ];
  const target = `/connect/accounts/${id}/posts`;
  for (const text of texts) probe.ask(target, post({ text }));
  for (const extra of extras) probe.ask(target, post({ text: 'Hello', ...extra }));
  for (const body of [undefined, {}, bytes('plain'), bytes('{')]) probe.ask(target, post(body));
  probe.ask(`/connect/accounts/${unknown}/posts`, post({ text: 'Hello', accountId: id }));
  probe.ask(`/connect/accounts/${otherVersion(id)}/posts`, post({ text: 'Hello' }));
}

function writeReplies(probe: Probe, id: string): void {
  const reviews = idsIn(probe.ask(`/connect/accounts/${id}/reviews`), 'reviewId');
  const [newest, second, third] = reviews.map((review) => encodeURIComponent(review));
  const target = (review: string | undefined, account = id) => `/connect/accounts/${account}/reviews/${review}/reply`;
  const texts = ['Thanks', '', 'x'.repeat(4096), 'x'.repeat(4097), 'x'.repeat(5000), 'é'.repeat(4096), ['a', 'b']];
  for (const text of texts) probe.ask(target(second), post({ text }));
  for (const body of [{}, [{ text: 'Thanks' }], bytes('{')]) probe.ask(target(third), post(body));
  const copies = [{ accountId: unknown }, { reviewId: reviews[3] ?? '' }, { reviewId: '' }, { accountId: 7 }];
  for (const copy of copies) probe.ask(target(third), post({ text: 'Thanks again', ...copy }));
  probe.ask(target('x'), post({ text: 'Thanks' }));
  probe.ask(target(''), post({ text: 'Thanks' }));
  probe.ask(target(newest, otherVariant(id)), post({ text: 'Thanks' }));
  probe.ask(`/connect/accounts/${id}/reviews`);
}

function write(probe: Probe): void {
  const links: readonly Json[] = [
    { provider: 'google_business', label: 'One' },
    { provider: 'facebook_page', label: 'Two', maxAccounts: 20 },
    { provider: 'tiktok', label: 'x'.repeat(80), maxAccounts: 2 },
    { provider: 'instagram', label: 'é'.repeat(80) },
    { provider: 'google_calendar', label: 'Five' },
  ];
  for (const link of links) probe.ask('/connect/accounts', post(link));
  const accounts = rowsIn(probe.ask('/connect/accounts'));
  const usable = accounts.filter(({ status, provider }) => status === 'connected' && provider === 'google_business');
  for (const { accountId } of usable.slice(0, 2)) {
    writePosts(probe, String(accountId));
    writeReplies(probe, String(accountId));
  }
}

function crossOrganizations(probe: Probe): void {
  const keys = [goodKey(1), goodKey(2)];
  const lists = [
    '/sites',
    '/articles?limit=100',
    '/connect/accounts',
    '/connect/calls/log',
    `/connect/calls/log?since=${longAgo}`,
  ];
  const owned = keys.map((key) => lists.map((list) => probe.ask(list, { key })));
  keys.forEach((key, i) => {
    const [sites, articles, accounts] = owned[1 - i] ?? [];
    for (const id of idsIn(sites, 'id')) {
      for (const target of [`/sites/${id}`, `/keywords?siteId=${id}`, `/articles?siteId=${id}`])
        probe.ask(target, { key });
    }
    for (const id of idsIn(articles, 'id').slice(0, 3)) probe.ask(`/articles/${id}`, { key });
    for (const id of idsIn(accounts, 'accountId')) {
      probe.ask(`/connect/accounts/${id}/reviews`, { key });
      probe.ask(`/connect/accounts/${id}/insights`, { key });
    }
  });
}

function useRevokedKey(probe: Probe): void {
  for (const path of ['/sites', '/connect/accounts']) probe.ask(path, { key: revokedKey });
}

function watch(probe: Probe): void {
  let since = '2026-03-02T10:00:30.250Z';
  for (let minute = 0; minute < 14; minute += 1) {
    const page = probe.ask(`/connect/calls/log?since=${encodeURIComponent(since)}&limit=50`);
    const cursor = cursorIn(page);
    if (typeof cursor === 'string') since = cursor;
    probe.ask('/connect/calls/log?limit=20');
    probe.advance(61_000);
  }
  probe.ask('/connect/calls/log?since=2026-03-02T10:00:30.250Z&limit=200');
}

/** One request after another, as slowly as the contract allows without a doubt. */
function keepPace(probe: Probe): void {
  for (let i = 0; i < 150; i += 1) {
    probe.ask(i % 5 === 4 ? '/connect/accounts' : '/sites', { key: i % 7 === 6 ? null : goodKey(1) });
    probe.advance(1_050);
  }
}

function burst(probe: Probe): void {
  const rounds: readonly ((i: number) => readonly [target: string, ask?: Ask])[] = [
    () => ['/sites'],
    (i) => ['/sites', { key: `casa_${String(i).padStart(32, '0')}` }],
    () => ['/sites', { key: null }],
    (i) => [['/sites', '/articles', '/connect/accounts', '/connect/calls/log'][i % 4] ?? ''],
    () => ['/connect/accounts', post({})],
    () => ['/connect/calls/log'],
    (i) => ['/sites', { key: i < 11 ? null : goodKey(1) }],
  ];
  for (const round of rounds) {
    for (let i = 0; i < 13; i += 1) probe.ask(...round(i));
    for (const waitMs of [1_000, 3_000, 6_500]) {
      probe.advance(waitMs);
      probe.ask('/sites');
    }
    probe.advance(21_000);
  }
}

function burstFromAddresses(probe: Probe): void {
  const lump = (from: number, count: number) => {
    for (let i = from; i < from + count; i += 1) probe.ask('/sites', { address: `127.0.1.${Math.floor(i / 9) + 1}` });
  };
  for (const waitMs of [25_000, 10_000, 31_000, 61_000]) {
    lump(0, 63);
    probe.advance(waitMs);
  }
}

const plain = { needs: 'nothing', world: 'default', limited: false } as const;

export const scenes: readonly Scene[] = [
  { ...plain, name: 'lists', play: readLists },
  { ...plain, name: 'articles', play: readArticles },
  { ...plain, name: 'accounts', play: readAccounts },
  { ...plain, name: 'an empty world', world: 'empty', play: readAccounts },
  { ...plain, name: 'calls', play: readCalls },
  { ...plain, name: 'refused bodies', play: refuseBodies },
  { ...plain, name: 'refused keys', play: refuseKeys },
  { ...plain, name: 'pace', limited: true, play: keepPace },
  { ...plain, name: 'large bodies', play: sendLargeBodies },
  { ...plain, name: 'many articles', world: 'huge', play: (probe) => void probe.ask('/articles?limit=1000') },
  { ...plain, name: 'writes', needs: 'writes', play: write },
  { ...plain, name: 'unpaid writes', needs: 'writes', world: 'unpaid', play: write },
  { ...plain, name: 'two organizations', needs: 'second-key', play: crossOrganizations },
  { ...plain, name: 'revoked key', needs: 'revoked-key', play: useRevokedKey },
  { ...plain, name: 'watch', needs: 'watch', play: watch },
  { ...plain, name: 'bursts', needs: 'bursts', limited: true, play: burst },
  { ...plain, name: 'addresses', needs: 'addresses', limited: true, play: burstFromAddresses },
];
