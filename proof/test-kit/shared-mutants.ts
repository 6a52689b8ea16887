// Puts a mutant of the mock in front of the second implementation: translates its requests and responses, and reads the
// world of the mutant from that server.
import { parseTimestamp } from '../../src/contract/timestamps.ts';
import type { Organization } from '../../src/domain/world.ts';
import { type CoreRequest, type CoreResponse, mcpPath } from '../../src/http/message.ts';
import type { Mutant, MutantContext } from '../../src/mutants/hooks/mutant.ts';
import {
  type IndependentOptions,
  namedVariants,
  type PlainReply,
  type PlainRequest,
  type Variant,
} from '../independent/index.ts';

type PlainServer = Parameters<NonNullable<IndependentOptions['around']>>[0];
// biome-ignore lint/suspicious/noExplicitAny: any response of that server
type Data = any;

/** Mutants that the second implementation cannot show: it has fewer calls, articles and pages. */
export const ofMockAlone: ReadonlySet<string> = new Set([
  ...['articles-limit-1000-honoured', 'calls-limit-over-200-honoured', 'mcp-calls-limit-201-honoured'],
  ...['calls-201st-lost', 'calls-one-delivered-twice', 'calls-since-offset-refused', 'calls-limit-200-gives-100'],
  ...['calls-delivered-at-once', 'calls-delivered-after-one-minute', 'calls-delivered-with-provisional-outcome'],
  ...['mcp-inbox-cursor-refused', 'mcp-inbox-cursor-ignored', 'articles-cursor-whole-seconds'],
  // It returns 404 for a malformed id, and cannot drop a connection from inside.
  ...['site-malformed-id-500', 'body-too-large-resets'],
  // No check can kill them on the mock, for the same reason (unkillable.ts).
  ...['sites-redirected-off-base', 'key-case-ignored', 'mcp-inbox-without-next-cursor', 'mcp-address-not-limited'],
]);

/** A deployment that shows as much as the mock does: limit headers on each response, structured content in MCP. */
const verbose: Partial<Variant> = {
  articleOrder: 'newest',
  articleEnd: 'exact',
  unknownSite: 'empty',
  badCursor: 'reject',
  badSiteId: 'reject',
  platformTrouble: true,
  precedence: ['schema', 'existence', 'state', 'payment', 'item'],
  malformedAccount: 400,
  looseGetIds: false,
  issues: 'error-array',
  reviewPage: 10,
  reviewEnd: 'null',
  reviewCursor: 'raw',
  insightPoints: 'daily',
  rateHeaders: 'always',
  rateBucket: 'key',
  addressWindow: 'sliding',
  mcpEndpointRejection: 'envelope',
  mcpEndpointShape: 'structured',
};

/** Some mutants show on such a deployment only. */
const deployments: Readonly<Record<string, Partial<Variant>>> = {
  'articles-limit-100-refused': { badLimit: 'reject' },
  'articles-limit-one-refused': { badLimit: 'reject' },
  'calls-limit-200-refused': { callsBadLimit: 'reject' },
  'articles-never-end': { articleCount: 130, articleEnd: 'empty-page' },
  'articles-hundred-are-the-end': { articleCount: 130 },
};

const byWorld = { empty: namedVariants.empty, unpaid: namedVariants.unpaid };

/** The options of the second implementation that make it this mutant. */
export function sharedMutant(
  mutant: Mutant,
): Pick<IndependentOptions, 'around' | 'sizes'> & { variant: Partial<Variant> } {
  const sizes = Object.entries(mutant.options?.limits ?? {}).map(([bucket, { limit, windowMs }]) => [
    bucket,
    { ...(limit === undefined ? {} : { limit }), ...(windowMs === undefined ? {} : { window: windowMs }) },
  ]);
  const world = mutant.world === 'empty' || mutant.world === 'unpaid' ? byWorld[mutant.world] : {};
  return {
    variant: { ...verbose, ...world, ...deployments[mutant.name] },
    around: (server) => mutated(mutant, server),
    sizes: Object.fromEntries(sizes),
  };
}

function mutated(mutant: Mutant, server: PlainServer): (request: PlainRequest) => PlainReply | Promise<PlainReply> {
  const context = contextOf(server);
  const next = (request: CoreRequest) => toCore(server.reply(toPlain(request)));
  const rest = mutant.wrap?.(next, context) ?? next;
  const toOthers = tools;
  const toMocks = tools.map(([mock, other]) => [other, mock] as const);
  const mcp = mutant.wrapMcp?.(async (request) => renamed(next(renamed(request, toOthers)), toMocks), context);
  return (plain) => {
    const request = fromPlain(plain);
    if (request.path !== mcpPath || !mcp) return fromCore(rest(request));
    return mcp(renamed(request, toMocks)).then((response) => fromCore(renamed(response, toOthers)));
  };
}

/** Tools that have other names at the second implementation: the contract names none of them. */
const tools = [
  ['connect_account', 'create_connect_link'],
  ['create_post', 'publish_post'],
  ['reply_review', 'reply_to_review'],
] as const;

/** Of a large body the bytes matter, and not which tool it calls. */
function renamed<Message extends Pick<CoreRequest | CoreResponse, 'body'>>(
  message: Message,
  names: readonly (readonly [string, string])[],
): Message {
  const { body } = message;
  if (body === null || body.length > 100_000) return message;
  const text = names.reduce((now, [from, to]) => now.replaceAll(`"${from}"`, `"${to}"`), Buffer.from(body).toString());
  return { ...message, body: typeof body === 'string' ? text : Buffer.from(text) };
}

function fromPlain({ method, url, headers, body, address }: PlainRequest): CoreRequest {
  const [path = '/', query = ''] = splitAt(url.replace(/^https?:\/\/[^/?#]*/i, ''), '?');
  const texts = headers as Record<string, string | undefined>;
  return {
    ...{ method, path, query, headers: texts, peer: address.replace(/^::ffff:/, '') },
    body: body.length === 0 ? null : body,
    origin: `http://${texts.host ?? 'localhost'}`,
  };
}

function toPlain({ method, path, query, headers, body, peer }: CoreRequest): PlainRequest {
  const url = query === '' ? path : `${path}?${query}`;
  return { method, url, headers: headers as PlainRequest['headers'], body: body ?? new Uint8Array(), address: peer };
}

/** The length is counted again when the response leaves. */
function toCore({ status, headers, bytes }: PlainReply): CoreResponse {
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const kept = named.filter(([name]) => name !== 'content-length');
  return { status, headers: Object.fromEntries(kept), body: Buffer.from(bytes).toString('utf8') };
}

function fromCore({ status, headers, body }: CoreResponse): PlainReply {
  const { 'content-length': _length, ...rest } = headers;
  return { status, headers: rest, bytes: Buffer.from(body) };
}

function splitAt(text: string, mark: string): readonly string[] {
  const at = text.indexOf(mark);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/** The world as far as the second implementation shows it; a mutant that looks for more is one of the mock alone. */
function contextOf(server: PlainServer): MutantContext {
  const keyOf = (id: string) => [...server.keys].find(([, owner]) => owner === id)?.[0] ?? '';
  const revoked = [...server.keys].flatMap(([key, owner]) => (owner === null ? [{ key, revoked: true }] : []));
  const organizations = new Map(
    ['first', 'second'].map((id) => {
      const keys = [...[...server.keys].flatMap(([key, owner]) => (owner === id ? [{ key, revoked: false }] : []))];
      const own = id === 'first' ? [...keys, ...revoked] : keys;
      return [id, known(`organization ${id}`, { id, keys: own, ...recordsOf(server, keyOf(id)) })] as const;
    }),
  );
  const keys = new Map(
    [...server.keys].map(([key, owner]) => [
      key,
      { organization: organizations.get(owner ?? 'first'), revoked: owner === null },
    ]),
  );
  const add = keys.set.bind(keys);
  keys.set = (key, entry) => {
    server.addKey(key, entry.organization?.id === 'second' ? 'second' : 'first');
    return add(key, entry);
  };
  const world = known('world', { keys, organizations });
  const limits = known('limits', { enforced: true });
  const responseAs = ({ id }: { id: string }, request: CoreRequest) => {
    const headers = { ...request.headers, authorization: `Bearer ${keyOf(id)}` };
    const { status, bytes } = server.replyFreely(toPlain({ ...request, headers }));
    return status === 200 ? JSON.parse(Buffer.from(bytes).toString('utf8')) : null;
  };
  return { nowMs: () => Math.floor(server.now()), world, limits, responseAs } as unknown as MutantContext;
}

/** Says what is missing, where undefined would make a mutant wrong in another way than it says. */
function known<Part extends object>(name: string, part: Part): Part {
  return new Proxy(part, {
    get: (target, field) => {
      if (field in target || typeof field === 'symbol') return Reflect.get(target, field);
      throw new Error(`The second implementation has no ${String(field)} in its ${name}.`);
    },
  });
}

/** The records of an organization, read with its own key. */
function recordsOf(server: PlainServer, key: string): Partial<Organization> {
  const read = (path: string): Data => {
    const headers = { authorization: `Bearer ${key}` };
    const request = { method: 'GET', url: `/api/v1${path}`, headers, body: new Uint8Array(), address: '127.0.0.1' };
    const { status, bytes } = server.replyFreely(request);
    return status === 200 ? JSON.parse(Buffer.from(bytes).toString('utf8')) : null;
  };
  const list = (path: string): Data[] => read(path)?.data ?? [];
  const byId = (rows: () => Data[]) => (id: string) => rows().find((row) => row.id === id.toLowerCase());
  const sites = () => list('/sites');
  const articles = () => newestFirst(walked((cursor) => articlePage(read, cursor)));
  const keywords = () => sites().flatMap(({ id }) => list(`/keywords?siteId=${id}`));
  return {
    sites: known('sites', { list: sites, get: byId(sites) }),
    articles: known('articles', { toData: articles, get: byId(articles) }),
    keywords: known('keywords', { toData: keywords }),
    accounts: accountsOf(read),
    calls: callsOf(read),
  } as unknown as Partial<Organization>;
}

type Read = (path: string) => Data;

/** All rows of a list, page after page. */
function walked(page: (cursor: string | undefined) => { rows: Data[]; next: string | null | undefined }): Data[] {
  const all: Data[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { rows, next } = page(cursor);
    all.push(...rows);
    cursor = next ?? null;
  }
  return all;
}

const after = (name: string, cursor: string | undefined) =>
  cursor === undefined ? '' : `${name}=${encodeURIComponent(cursor)}`;

function articlePage(read: Read, cursor: string | undefined) {
  const body = read(`/articles?limit=100&${after('cursor', cursor)}`);
  return { rows: body?.data ?? [], next: body?.cursor };
}

function newestFirst(rows: Data[]): Data[] {
  return rows.sort((a, b) => Number((parseTimestamp(b.createdAt) ?? 0n) - (parseTimestamp(a.createdAt) ?? 0n)));
}

/** As a map, by id. */
function accountsOf(read: Read): Data {
  const all = () =>
    new Map<string, Data>(
      (read('/connect/accounts')?.data.accounts ?? []).map((account: Data) => [
        account.accountId.toLowerCase(),
        { ...account, reviews: reviewsOf(read, account.accountId) },
      ]),
    );
  return known('accounts', {
    get: (id: string) => all().get(id),
    has: (id: string) => all().has(id),
    keys: () => all().keys(),
    values: () => all().values(),
    get size() {
      return all().size;
    },
  });
}

function reviewsOf(read: Read, accountId: string): Data {
  const data = (cursor?: string) =>
    read(`/connect/accounts/${accountId}/reviews?${after('cursor', cursor)}`)?.data ?? null;
  const toData = () =>
    walked((cursor) => {
      const page = data(cursor);
      return { rows: page?.reviews ?? [], next: page?.nextCursor };
    });
  return known('reviews', {
    toData,
    get: (id: string) => toData().find(({ reviewId }) => reviewId === id),
    page: (cursor?: string) => {
      const value = data(cursor);
      return { ok: value !== null, value };
    },
  });
}

function callsOf(read: Read): Data {
  const page = (since: string, cursor?: string) =>
    read(`/connect/calls/log?limit=200&${after('since', cursor ?? since)}`)?.data ?? { calls: [], nextCursor: null };
  return known('calls', {
    since: (since: string, { limit }: { limit: number }) => {
      if (limit <= 200) {
        const found = read(`/connect/calls/log?limit=${limit}&${after('since', since)}`)?.data;
        return found ?? { calls: [], nextCursor: null };
      }
      const calls = walked((cursor) => {
        const { calls: rows, nextCursor } = page(since, cursor);
        return { rows, next: nextCursor };
      });
      return { calls, nextCursor: calls.length === 0 ? null : since };
    },
    snapshot: ({ limit }: { limit: number }) => read(`/connect/calls/log?limit=${Math.min(200, limit)}`)?.data,
  });
}
