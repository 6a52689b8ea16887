import { mcp, mcpBurst } from './mcp-scripts.ts';
import type { MUTANT_GROUPS } from './mutants.ts';
import type { Ask, Drive, Script } from './transcript.ts';

/** What is asked of a server and of its mutants, group by group. */

const UNKNOWN = '0b0e7a5e-1c2d-4e3f-8a9b-0c1d2e3f4a5b';
const NIL = '00000000-0000-0000-0000-000000000000';
const MAX = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const MINUTE = 60_000;

async function articles({ send }: Drive): Promise<void> {
  const walk = async (query: string): Promise<void> => {
    let cursor: unknown;
    for (let page = 0; page < 12; page += 1) {
      const next = typeof cursor === 'string' ? `&cursor=${encodeURIComponent(cursor)}` : '';
      const { body } = await send(`/articles?${query}${next}`);
      cursor = body?.cursor;
      if (typeof cursor !== 'string') return;
    }
  };
  for (const limit of ['', 'limit=1', 'limit=7', 'limit=8', 'limit=9', 'limit=19', 'limit=43', 'limit=100']) {
    await walk(limit);
  }
  const { body } = await send('/sites');
  for (const site of body.data) for (const limit of [1, 6]) await walk(`siteId=${site.id}&limit=${limit}`);
  for (const odd of ['limit=1000', 'limit=-1', 'limit=0', 'limit=x', 'cursor=yesterday'])
    await send(`/articles?${odd}`);
}

async function records({ send }: Drive): Promise<void> {
  const { body } = await send('/articles?limit=100');
  for (const article of body.data.slice(0, 3)) await send(`/articles/${article.id}`);
  const sites = (await send('/sites')).body.data;
  for (const site of sites) {
    await send(`/sites/${site.id}`);
    await send(`/keywords?siteId=${site.id}`);
  }
  for (const path of ['/articles/', '/sites/', '/keywords?siteId=']) {
    await send(path + UNKNOWN);
    await send(`${path}17`);
  }
  await send('/keywords');
}

async function keys({ send, server, advance }: Drive): Promise<void> {
  const { good, second, revoked } = server.keys;
  const altered = `${good.slice(0, -1)}${good.endsWith('0') ? '1' : '0'}`;
  const { reviewable, foreign } = server.accounts;
  const paths = ['/articles', '/sites', '/keywords', '/connect/accounts', '/connect/calls/log'];
  for (const path of [...paths, `/connect/accounts/${reviewable}/insights`]) {
    for (const key of [good, null, revoked, altered, `${good}0`, UNKNOWN, second]) await send(path, { key });
  }
  const theirs = (await send('/articles', { key: second })).body.data[0];
  await send(`/articles/${theirs.id}`);
  await send(`/sites/${theirs.siteId}`);
  await send(`/articles?siteId=${theirs.siteId}`);
  await send(`/keywords?siteId=${theirs.siteId}`);
  await send(`/connect/accounts/${foreign}/insights`);
  for (const key of [good, second]) await send('/connect/calls/log?limit=200&since=2020-01-01T00:00:00Z', { key });
  advance(MINUTE);
  for (const key of [second, good]) await send('/sites', { key });
}

async function burst(drive: Drive, count: number, ask: (at: number) => readonly [string, Ask?]): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    await drive.send(...ask(at));
    drive.advance(1);
  }
}

/** Blocks itself, waits as told, and asks again, twice. */
async function waits(drive: Drive): Promise<void> {
  const none = { key: null };
  await burst(drive, 12, () => ['/sites', none]);
  for (let time = 0; time < 2; time += 1) {
    const { headers } = await drive.send('/sites', none);
    const wait = Number(headers.get('retry-after') ?? '1');
    drive.advance(Number.isFinite(wait) && wait < 60 ? wait * 1000 : 1000);
  }
}

async function bursts(drive: Drive): Promise<void> {
  const { good } = drive.server.keys;
  await waits(drive);
  drive.advance(MINUTE);
  await burst(drive, 12, (at) => [['/sites', '/articles', '/connect/accounts'][at % 3] ?? '']);
  drive.advance(MINUTE);
  await burst(drive, 12, (at) => ['/sites', { key: [null, good, UNKNOWN][at % 3] ?? null }]);
  drive.advance(MINUTE);
  await burst(drive, 12, () => ['/connect/accounts', { method: 'POST', key: null }]);
  for (const [apart, times] of [
    [4_000, 3],
    [8_000, 6],
  ] as const) {
    drive.advance(MINUTE);
    for (let time = 0; time < times; time += 1) {
      await burst(drive, 10, () => ['/sites', { key: UNKNOWN }]);
      drive.advance(apart);
    }
  }
}

async function keyWindow(drive: Drive): Promise<void> {
  let host = 0;
  const from = (): readonly [string, Ask] => {
    host += 1;
    return ['/sites', { host }];
  };
  await burst(drive, 62, from);
  drive.advance(31_000);
  await burst(drive, 62, from);
  drive.advance(3 * MINUTE - (drive.now() % MINUTE) - 100);
  await burst(drive, 60, from);
  drive.advance(200);
  await burst(drive, 60, from);
}

async function cap({ send }: Drive): Promise<void> {
  const body = (bytes: number, fill: string): Uint8Array => {
    const head = '{"provider":"none","label":"';
    const count = Math.floor((bytes - head.length - 2) / Buffer.byteLength(fill));
    return Buffer.from(`${head}${fill.repeat(count)}"}`, 'utf8');
  };
  for (const bytes of [2_500_000, 2_500_001, 2_600_000]) await send('/connect/accounts', { bytes: body(bytes, 'x') });
  await send('/connect/accounts', { bytes: body(2_600_000, 'ä') });
  await send('/connect/accounts', { bytes: body(2_600_000, 'x'), chunked: true });
}

const TEXTS = ['', 'x', 'x'.repeat(80), 'x'.repeat(81), 'ä'.repeat(80), 17, null, undefined];

async function links({ send }: Drive): Promise<void> {
  const path = '/connect/accounts';
  for (const label of TEXTS) await send(path, { body: { provider: 'tiktok', label } });
  for (const provider of ['nobody', 'TIKTOK', 'google_contacts', 7]) {
    await send(path, { body: { provider, label: `to ${provider}` } });
  }
  for (const maxAccounts of [0, 1, 20, 21, 1.5, '5']) {
    await send(path, { body: { provider: 'tiktok', label: `up to ${maxAccounts}`, maxAccounts } });
  }
  await send(path);
}

function lengths(max: number): unknown[] {
  return ['', 'x'.repeat(max), 'x'.repeat(max + 1), 'ä'.repeat(max), 17, undefined];
}

async function posts({ send, server }: Drive): Promise<void> {
  const { postable, unsupported } = server.accounts;
  const path = (id: string): string => `/connect/accounts/${id}/posts`;
  const accountId = postable;
  for (const text of lengths(5000)) await send(path(postable), { body: { accountId, text } });
  for (const other of [unsupported, UNKNOWN, 'none', 5]) {
    await send(path(postable), { body: { accountId: other, text: 'copy' } });
  }
  const ninth = `${postable.slice(0, 14)}9${postable.slice(15)}`;
  for (const id of [NIL, MAX, UNKNOWN, ninth, postable.replaceAll('-', '')]) {
    await send(path(id), { body: { accountId: id, text: 'path' } });
  }
  for (const more of [
    { media: {} },
    { media: 'x' },
    { media: { imageUrl: 'https://x.example/y.png' } },
    { media: { imageUrl: 'no uri' } },
    { link: 'no uri' },
    { link: 'https://x.example' },
  ]) {
    await send(path(postable), { body: { accountId, text: 'more', ...more } });
  }
}

async function replies({ send, server }: Drive): Promise<void> {
  const { reviewable, postable } = server.accounts;
  const reviews: { reviewId: string }[] = [];
  const read = async (): Promise<void> => {
    let cursor = '';
    for (let page = 0; page < 8; page += 1) {
      const { body } = await send(`/connect/accounts/${reviewable}/reviews${cursor}`);
      reviews.push(...(body?.data?.reviews ?? []));
      if (typeof body?.data?.nextCursor !== 'string') return;
      cursor = `?cursor=${encodeURIComponent(body.data.nextCursor)}`;
    }
  };
  await read();
  const path = (id: string, account = reviewable): string =>
    `/connect/accounts/${account}/reviews/${encodeURIComponent(id)}/reply`;
  const ids = [...new Set(reviews.map((review) => review.reviewId))];
  const [first = 'none', second = 'none', third = 'none'] = ids;
  const accountId = reviewable;
  for (const text of lengths(4096)) await send(path(first), { body: { accountId, reviewId: first, text } });
  for (const reviewId of [third, 'none', 7]) {
    await send(path(second), { body: { accountId, reviewId, text: 'copy' } });
  }
  await send(path(second), { body: { accountId: postable, reviewId: second, text: 'copy' } });
  for (const id of [NIL, MAX]) await send(path('r', id), { body: { accountId: id, reviewId: 'r', text: 'path' } });
  for (const id of [...ids, 'none']) await send(path(id), { body: { accountId, reviewId: id, text: `for ${id}` } });
  await read();
}

async function writes(drive: Drive): Promise<void> {
  await links(drive);
  await posts(drive);
  await replies(drive);
  const last = drive.server.accounts.reviewable;
  await drive.send(`/connect/accounts/${last.slice(0, -1)}${last.endsWith('0') ? '1' : '0'}/reviews`);
}

async function accounts({ send, server }: Drive): Promise<void> {
  await send('/connect/accounts');
  for (const name of ['postable', 'reviewable', 'insightful', 'quiet', 'locked'] as const) {
    const base = `/connect/accounts/${server.accounts[name]}`;
    let cursor = '';
    for (let page = 0; page < 8; page += 1) {
      const { body } = await send(`${base}/reviews${cursor}`);
      if (typeof body?.data?.nextCursor !== 'string') break;
      cursor = `?cursor=${encodeURIComponent(body.data.nextCursor)}`;
    }
    await send(`${base}/reviews?cursor=%7B%7D`);
    for (const range of ['', '?range=7d', '?range=28d', '?range=90d', '?range=14d', '?range=year']) {
      await send(`${base}/insights${range}`);
    }
  }
}

async function errors({ send, server }: Drive): Promise<void> {
  const ids = [...Object.values(server.accounts), UNKNOWN];
  for (const id of ids) {
    for (const rest of ['reviews', 'insights', 'insights?range=1y']) await send(`/connect/accounts/${id}/${rest}`);
    await send(`/connect/accounts/${id}/posts`, { body: { accountId: id, text: 1 } });
  }
  await send('/connect/accounts', { body: {} });
  await send('/connect/accounts', { body: { provider: 'tiktok', label: 'x' } });
  for (const path of [`/articles/${UNKNOWN}`, `/sites/${UNKNOWN}`, '/keywords', '/sites', '/connect/accounts']) {
    await send(path);
  }
  for (const query of ['since=yesterday', 'limit=0']) await send(`/connect/calls/log?${query}`);
}

async function chain({ send }: Drive, since: string, query: string, pages = 12): Promise<string> {
  let position = since;
  for (let page = 0; page < pages; page += 1) {
    const { body } = await send(`/connect/calls/log?${query}since=${encodeURIComponent(position)}`);
    if (typeof body?.data?.nextCursor !== 'string') return position;
    position = body.data.nextCursor;
  }
  return position;
}

async function calls(drive: Drive): Promise<void> {
  const { send, advance, addCall, now } = drive;
  for (const query of ['limit=200&', '', 'limit=7&', 'limit=2&', 'limit=1&']) {
    await chain(drive, '2020-01-01T00:00:00Z', query);
  }
  const local = new Date(now() - 70 * 60 * MINUTE + 330 * MINUTE).toISOString().replace('Z', '+05:30');
  await chain(drive, local, 'limit=7&');
  for (const query of ['', '?limit=3', '?limit=200']) await send(`/connect/calls/log${query}`);
  const open = addCall({ endedAt: null });
  let since = await chain(drive, new Date(now() - 6 * MINUTE).toISOString(), '');
  const kept = since;
  for (let step = 0; step < 24; step += 1) {
    if (step < 4) addCall();
    if (step === 5) addCall({ endedAt: now() - 20 * MINUTE });
    if (step === 6) open.end();
    if (step % 8 === 0) await send('/connect/calls/log?limit=5');
    since = await chain(drive, since, 'limit=50&', 3);
    advance(30_000);
  }
  await chain(drive, kept, '');
  advance(10 * MINUTE);
  await chain(drive, kept, '');
}

export const SCRIPTS: Readonly<Record<keyof typeof MUTANT_GROUPS, Script>> = {
  articles,
  records,
  keys,
  bursts,
  keyWindow,
  cap,
  writes,
  accounts,
  errors,
  calls,
  mcp,
  mcpBurst,
};
