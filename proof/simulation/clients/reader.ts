// A reader of articles, sites and keywords: walks all pages with one limit, and opens rows by id.
// Cites 4.articles.list.walk, 4.articles.get.same-id, 4.keywords.list.of-site.
import { type Client, type Context, type Identity, pick, politely, repeat, type Session } from '../client.ts';
import { codeOf, hold } from '../exchange.ts';
import type { KnownOrganization } from '../ledger.ts';

const unknownId = '00000000-0000-4000-8000-000000000000';
const tours = [walkArticles, walkArticles, openRows, readKeywords, readForeign] as const;

/** Compares whole walks with the world, since a page by itself cannot show what is missing. */
export function reader(name: string, identity: Identity): Client {
  const { organization, other } = identity;
  const session = repeat(1, 40, (ctx) => pick(ctx.chance, tours)(ctx, organization, other));
  return { ...identity, name, polite: true, session };
}

/** Even with one row per page a walk has at most as many pages as rows; a longer one is endless. */
function* walkArticles(ctx: Context, { articles, sites }: KnownOrganization): Session {
  const siteId = pick(ctx.chance, [undefined, ...sites.keys()]);
  const limit = pick(ctx.chance, [undefined, 1 + ctx.chance.below(100), 1, 100, 20]);
  const expected = [...articles.values()].filter((article) => siteId === undefined || article.siteId === siteId);
  const seen = new Set<string>();
  let cursor: string | null | undefined;
  for (let page = 0; page <= expected.length + 1; page += 1) {
    const query = { siteId, limit, cursor: cursor ?? undefined };
    const response = yield* politely(ctx, { operation: 'listArticles', path: '/articles', query });
    if (!response) return;
    hold('records', response.response.status === 200, `a page of articles got ${response.response.status}`);
    const rows = response.json.data as { id: string; siteId: string; createdAt: string }[];
    hold('records', rows.length <= (limit ?? 20), `${rows.length} articles on a page of ${limit ?? 20}`);
    for (const { id, siteId: of } of rows) {
      hold('records', !seen.has(id), `the article ${id} came twice in one walk`);
      hold('records', siteId === undefined || of === siteId, `the article ${id} is of the site ${of}, not ${siteId}`);
      seen.add(id);
    }
    ({ cursor } = response.json as { cursor: string | null });
    if (cursor === null) {
      // At a tie across a page edge a cursor of time loses rows: the hazard of assumption C17.
      const isTied = (lost: (typeof expected)[number]) =>
        expected.some(({ id, createdAt }) => id !== lost.id && createdAt === lost.createdAt);
      const lost = expected.filter((article) => !seen.has(article.id) && !isTied(article));
      return hold('records', lost.length === 0, `a walk with pages of ${limit ?? 20} has lost ${lost[0]?.id}`);
    }
    hold('records', cursor === rows.at(-1)?.createdAt, `the cursor ${cursor} is not the createdAt of the last row`);
  }
  hold('records', false, `the pages of ${expected.length} articles do not end`);
}

/** Sometimes the id is in upper case, which names the same record (assumption C62). */
function* openRows(ctx: Context, { articles, sites }: KnownOrganization): Session {
  const list = yield* politely(ctx, { operation: 'listSites', path: '/sites' });
  if (list) hold('records', list.json.data?.length === sites.size, `${list.json.data?.length} of ${sites.size} sites`);
  const kinds = [
    ['getArticle', '/articles', articles],
    ['getSite', '/sites', sites],
  ] as const;
  for (const [operation, noun, rows] of kinds) {
    if (rows.size === 0) continue;
    const id = pick(ctx.chance, [...rows.keys()]);
    const path = `${noun}/${ctx.chance.below(4) === 0 ? id.toUpperCase() : id}`;
    const response = yield* politely(ctx, { operation, path });
    if (response) hold('records', response.json.data?.id === id, `${path} returned ${response.json.data?.id}`);
  }
}

/** The list of keywords needs a site that is a UUID. */
function* readKeywords(ctx: Context, { sites, keywords }: KnownOrganization): Session {
  const siteId = pick(ctx.chance, [undefined, 'no-uuid', ...sites.keys()]);
  const response = yield* politely(ctx, { operation: 'listKeywords', path: '/keywords', query: { siteId } });
  if (!response) return;
  if (siteId === undefined || siteId === 'no-uuid')
    return hold('rejections', response.response.status === 400, `keywords of ${siteId}: ${response.response.status}`);
  const expected = keywords.filter((keyword) => keyword.siteId === siteId).length;
  hold('records', response.json.data?.length === expected, `${response.json.data?.length} of ${expected} keywords`);
}

// Rows of another organization, and rows that do not exist. Cites 1.unknown-record, 1.foreign-record.
function* readForeign(ctx: Context, _own: KnownOrganization, other: KnownOrganization | undefined): Session {
  const articleId = pick(ctx.chance, [unknownId, ...(other?.articles.keys() ?? [])]);
  const siteId = pick(ctx.chance, [unknownId, ...(other?.sites.keys() ?? [])]);
  for (const [operation, path] of [
    ['getArticle', `/articles/${articleId}`],
    ['getSite', `/sites/${siteId}`],
  ] as const) {
    const response = yield* politely(ctx, { operation, path });
    if (response)
      hold('rejections', codeOf(response) === 'not_found', `${path}: ${response.response.status} ${codeOf(response)}`);
  }
  for (const [operation, path] of [
    ['listKeywords', '/keywords'],
    ['listArticles', '/articles'],
  ] as const) {
    const response = yield* politely(ctx, { operation, path, query: { siteId } });
    const rows = (response?.json.data ?? []) as unknown[];
    hold('isolation', rows.length === 0, `${path} shows ${rows.length} rows of the site of another organization`);
  }
}
