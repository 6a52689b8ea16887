// Every page of articles that the run has read, whatever for, looked at once more: its size, its cursor, and whether it fits
// the others. Nothing is sent unless something does not fit, because articles may have changed meanwhile.
import { parseInstant } from '../../src/contract/instants.ts';
import { type Check, defineChecks } from '../check.ts';
import { type Exchange, isObject } from '../exchange.ts';
import type { ArticleRow } from '../facts.ts';
import { show } from '../ledger.ts';
import type { Probe } from '../probe.ts';
import { sameId } from '../same-id.ts';

const LIMIT_DEFAULT = 20;
const LIMIT_MAX = 100;

interface Read {
  readonly exchange: Exchange;
  readonly query: URLSearchParams;
  readonly rows: readonly ArticleRow[];
  readonly cursor: unknown;
}

/** Pages of the first key whose rows can be read; what is wrong with others is for the rules. */
function readsOf(probe: Probe): Read[] {
  return probe.history().flatMap((exchange) => {
    const { operation, status, key, json, target } = exchange;
    if (operation !== 'listArticles' || status !== 200 || key !== 'good' || !isObject(json)) return [];
    const { data, cursor } = json;
    const isRow = (row: unknown) => isObject(row) && typeof row.id === 'string' && typeof row.createdAt === 'string';
    if (!Array.isArray(data) || !data.every(isRow)) return [];
    return [{ exchange, query: new URLSearchParams(target.split('?')[1]), rows: data as ArticleRow[], cursor }];
  });
}

/** What a page may hold; 100 where the limit is none of the contract's (R19). */
function mostOf({ query }: Read): number {
  const limit = query.get('limit');
  if (limit === null) return LIMIT_DEFAULT;
  return /^\d{1,3}$/.test(limit) && Number(limit) >= 1 && Number(limit) <= LIMIT_MAX ? Number(limit) : LIMIT_MAX;
}

const everyPage: Check = {
  id: 'articles/every-page',
  title: 'Every page of GET /articles keeps to its limit, shows no article twice, and has the right cursor',
  cites: ['4.articles.list.limit-ceiling', '4.articles.list.cursor-value', '4.articles.list.walk'],
  level: 'must',
  phase: 'log',
  cost: { requests: 0 },
  async run(probe) {
    for (const read of readsOf(probe)) {
      const { rows, cursor, exchange } = read;
      const claim = { exchange, pointer: '/data' } as const;
      const most = mostOf(read);
      const size = { expected: `at most ${most} articles`, actual: String(rows.length) };
      // A page that had no more to show proves nothing.
      const proves = rows.length < most ? [] : (['4.articles.list.limit-ceiling'] as const);
      probe.holds(rows.length <= most, { ...claim, ...size, proves, clause: '4.articles.list.limit-ceiling' });
      const twice = rows.find(({ id }, index) => rows.findIndex((row) => sameId(row.id, id)) < index);
      const once = { expected: 'each article once', actual: twice ? `${twice.id} twice` : 'each once' };
      probe.holds(twice === undefined, { ...claim, ...once, proves: [], clause: '4.articles.list.walk' });
      const last = rows.at(-1);
      if (typeof cursor !== 'string' || last === undefined) continue;
      const isRight = instantOf(cursor) === instantOf(last.createdAt);
      const value = { expected: show(last.createdAt), actual: show(cursor), pointer: '/cursor', exchange };
      probe.holds(isRight, { ...value, clause: '4.articles.list.cursor-value' });
    }
  },
};

function instantOf(text: string): bigint | string {
  return parseInstant(text) ?? text;
}

const agreeing: Check = {
  id: 'articles/reads-agree',
  title: 'No page of GET /articles hides an article that another page of the run shows',
  cites: ['4.articles.list.end', '4.articles.list.site-id'],
  level: 'must',
  phase: 'log',
  // The page that lacks an article, and the article, again: it may be new, or gone.
  cost: { requests: 0, confirms: 2 },
  async run(probe) {
    const reads = readsOf(probe).filter(({ query }) => query.get('limit') !== 'abc');
    for (const read of reads) {
      const hidden = hiddenFrom(read, reads);
      if (hidden !== undefined) return judgeHidden(probe, read, hidden);
    }
    const example = reads.find(({ cursor }) => cursor === null)?.exchange ?? null;
    if (reads.length < 2) return probe.stop('vacuous', 'fewer than two pages were read');
    probe.holds(true, {
      clause: '4.articles.list.end',
      expected: 'no article hidden',
      actual: 'none',
      exchange: example,
    });
  },
};

/** An article of another page that this one should show or lead to. */
function hiddenFrom(read: Read, reads: readonly Read[]): ArticleRow | undefined {
  const { query, rows, cursor } = read;
  const [first, last] = [rows[0], rows.at(-1)].map((row) => (row ? parseInstant(row.createdAt) : null));
  if (first == null || last == null) return undefined;
  const site = query.get('siteId');
  const others = reads.flatMap((other) => (other === read ? [] : other.rows));
  const isFalling = isListFalling(reads);
  if (isFalling === null || !isSorted(rows, isFalling)) return undefined;
  return others.find((row) => {
    if (site !== null && !sameId(row.siteId, site)) return false;
    const at = parseInstant(row.createdAt);
    if (at === null || rows.some(({ id }) => sameId(id, row.id))) return false;
    const isBehind = isFalling ? at < last : at > last;
    const isInside = isFalling ? at < first && at > last : at > first && at < last;
    return isInside || (cursor === null && isBehind);
  });
}

/** The direction of the longest page; null where the order is another one (R16). */
function isListFalling(reads: readonly Read[]): boolean | null {
  const longest = [...reads].sort((a, b) => b.rows.length - a.rows.length)[0]?.rows ?? [];
  if (longest.length < 2) return null;
  return [true, false].find((isFalling) => isSorted(longest, isFalling)) ?? null;
}

function isSorted(rows: readonly ArticleRow[], isFalling: boolean): boolean {
  const instants = rows.map(({ createdAt }) => parseInstant(createdAt));
  return instants.every((instant, index) => {
    const before = instants[index - 1];
    if (instant === null || before === null) return false;
    return before === undefined || (isFalling ? instant <= before : instant >= before);
  });
}

async function judgeHidden(probe: Probe, read: Read, hidden: ArticleRow): Promise<void> {
  const params = Object.fromEntries(read.query);
  await probe.send({ operation: 'listArticles', params });
  const again = readsOf(probe).at(-1);
  const isStill = (await probe.send({ operation: 'getArticle', params: { id: hidden.id } })).status === 200;
  const isSame = again !== undefined && again.rows.map(({ id }) => id).join() === read.rows.map(({ id }) => id).join();
  if (!isSame || !isStill) return probe.stop('interference', 'the articles changed while they were read');
  probe.holds(false, {
    clause: read.cursor === null ? '4.articles.list.end' : '4.articles.list.site-id',
    pointer: read.cursor === null ? '/cursor' : '/data',
    expected: `article ${hidden.id}, created ${hidden.createdAt}, here or behind a cursor`,
    actual: read.cursor === null ? `${read.rows.length} articles and no cursor` : 'not between its neighbours',
    exchange: read.exchange,
  });
}

export const articleReads = defineChecks([everyPage, agreeing]);
