// Every page of articles that the run has read, whatever for, looked at once more: its size, its cursor, and whether it
// fits the others. Nothing is sent unless something does not fit, because articles may have changed meanwhile.
import { articlesLimit } from '../../src/contract/generated/limits.ts';
import { type InstantNs, parseInstant } from '../../src/contract/instants.ts';
import { dataOf } from '../exchange/exchange.ts';
import { sameId } from '../exchange/same-id.ts';
import { show } from '../judge/ledger.ts';
import { type Check, defineChecks } from '../probe/check.ts';
import type { ArticleRow } from '../probe/facts.ts';
import type { Probe } from '../probe/probe.ts';
import { type Read, readAgain, readsOf, shownIn } from './article-reads.ts';
import { about } from './claims.ts';
import { agree, repeatedIn } from './same-record.ts';

const LIMIT_DEFAULT = articlesLimit.preset;
const LIMIT_MAX = articlesLimit.max;

/** Whether the page has a limit of the contract, or none. */
function isUsual({ query }: Read): boolean {
  const limit = query.get('limit');
  return limit === null || (/^\d{1,3}$/.test(limit) && Number(limit) >= 1 && Number(limit) <= LIMIT_MAX);
}

/** The most that a page may hold; 100 where its limit is out of range (R19). */
function mostOf(read: Read): number {
  return isUsual(read) ? Number(read.query.get('limit') ?? LIMIT_DEFAULT) : LIMIT_MAX;
}

const everyPage: Check = {
  id: 'articles/every-page',
  title: 'Every page of GET /articles keeps to its limit, shows no article twice, and has the right cursor',
  cites: ['4.articles.list.limit-ceiling', '4.articles.list.cursor-value', '4.articles.list.walk'],
  level: 'must',
  phase: 'log',
  // A page that shows an article twice.
  cost: { requests: 0, confirms: 1 },
  async run(probe) {
    let repeating: Read | null = null;
    for (const read of readsOf(probe)) {
      const { rows, cursor, exchange } = read;
      const claim = { exchange, pointer: '/data' } as const;
      const most = mostOf(read);
      const size = { expected: `at most ${most} articles`, actual: String(rows.length) };
      // A page that had no more to show proves nothing.
      const proves = rows.length < most ? [] : (['4.articles.list.limit-ceiling'] as const);
      probe.holds(rows.length <= most, { ...claim, ...size, proves, clause: '4.articles.list.limit-ceiling' });
      if (repeatedOf(read) !== undefined) repeating ??= read;
      const last = rows.at(-1);
      if (typeof cursor !== 'string' || last === undefined) continue;
      const isRight = instantOf(cursor) === instantOf(last.createdAt);
      const value = { expected: show(last.createdAt), actual: show(cursor), pointer: '/cursor', exchange };
      probe.holds(isRight, { ...value, clause: '4.articles.list.cursor-value' });
    }
    if (repeating !== null) await judgeRepeating(probe, repeating);
  },
};

function repeatedOf({ rows }: Read): string | undefined {
  return repeatedIn(rows.map(({ id }) => id));
}

async function judgeRepeating(probe: Probe, read: Read): Promise<void> {
  const again = await readAgain(probe, read);
  if (again === null || repeatedOf(again) === undefined) {
    return probe.doubt('interference', 'a page showed an article twice, and once when it was read again');
  }
  const claim = about(read.exchange, '4.articles.list.walk', '/data');
  probe.holds(false, { ...claim, expected: 'each article once', actual: `${repeatedOf(read)} twice` });
}

function instantOf(text: string): InstantNs | string {
  return parseInstant(text) ?? text;
}

const agreeing: Check = {
  id: 'articles/reads-agree',
  title: 'No page of GET /articles hides an article that another page of the run shows',
  cites: ['4.articles.list.end', '4.articles.list.site-id', '4.articles.list.walk'],
  level: 'must',
  phase: 'log',
  // The page that lacks an article, and the article, again: it may be new, or gone, or of another site now.
  cost: { requests: 0, confirms: 2 },
  async run(probe) {
    const reads = readsOf(probe).filter(isUsual);
    if (reads.length < 2) return probe.stop('vacuous', 'fewer than two pages were read');
    const isFalling = directionOf(reads);
    if (isFalling === null) return probe.stop('vacuous', 'the articles are not in the order of their createdAt');
    const hidden = reads.flatMap((read) => hiddenFrom(read, reads, isFalling) ?? [])[0];
    if (hidden !== undefined) return judgeHidden(probe, hidden);
    const end = reads.find(({ cursor }) => cursor === null)?.exchange ?? null;
    const claim = { expected: 'no article hidden', actual: 'none', exchange: end } as const;
    // Without a page that says it is the last one, the end has not been looked at.
    probe.holds(true, { ...claim, clause: '4.articles.list.end', ...(end === null ? { proves: [] } : {}) });
  },
};

/** An article that a page should show, or lead to. */
interface Hidden {
  readonly row: ArticleRow;
  readonly read: Read;
  readonly isBehind: boolean;
}

function hiddenFrom(read: Read, reads: readonly Read[], isFalling: boolean): Hidden | undefined {
  const { query, rows, cursor } = read;
  const [first, last] = [rows[0], rows.at(-1)].map((row) => (row ? parseInstant(row.createdAt) : null));
  if (first == null || last == null) return undefined;
  const site = query.get('siteId');
  const own = new Set(rows.map(({ id }) => id.toLowerCase()));
  for (const { row } of shownIn(reads.filter((other) => other !== read))) {
    const at = parseInstant(row.createdAt);
    if (at === null || own.has(row.id.toLowerCase()) || (site !== null && !sameId(row.siteId, site))) continue;
    // Strictly, because articles of one instant cannot be told apart at an edge (R17).
    const isBehind = isFalling ? at < last : at > last;
    const isInside = !isBehind && at !== last && (isFalling ? at < first : at > first);
    if (isInside || (isBehind && cursor === null)) return { row, read, isBehind };
  }
  return undefined;
}

/** Whether createdAt falls in every page; null where it neither falls nor rises in all of them (R16). */
function directionOf(reads: readonly Read[]): boolean | null {
  const telling = reads.filter(({ rows }) => rows.length > 1);
  if (telling.length === 0) return null;
  return [true, false].find((isFalling) => telling.every(({ rows }) => isSorted(rows, isFalling))) ?? null;
}

function isSorted(rows: readonly ArticleRow[], isFalling: boolean): boolean {
  const instants = rows.map(({ createdAt }) => parseInstant(createdAt));
  return instants.every((instant, index) => {
    const before = instants[index - 1];
    if (instant === null || before === null) return false;
    return before === undefined || (isFalling ? instant <= before : instant >= before);
  });
}

async function judgeHidden(probe: Probe, { row, read, isBehind }: Hidden): Promise<void> {
  const again = await readAgain(probe, read);
  const single = await probe.send({ operation: 'getArticle', params: { id: row.id } });
  const record = dataOf(single);
  const isStill = single.status === 200 && agree(row, record, 'siteId') && agree(row, record, 'createdAt');
  const idsOf = ({ rows }: Read) => rows.map(({ id }) => id).join();
  const isSame = again !== null && idsOf(again) === idsOf(read) && again.cursor === read.cursor;
  if (!isSame || !isStill) return probe.stop('interference', 'the articles changed while they were read');
  const isFiltered = read.query.has('siteId');
  probe.holds(false, {
    clause: isBehind ? '4.articles.list.end' : isFiltered ? '4.articles.list.site-id' : '4.articles.list.walk',
    pointer: isBehind ? '/cursor' : '/data',
    expected: `article ${row.id}, created ${row.createdAt}, ${isBehind ? 'behind a cursor' : 'on the page'}`,
    actual: isBehind ? `${read.rows.length} articles and no cursor` : 'not between its neighbours',
    exchange: read.exchange,
    message: 'another page shows it',
  });
}

export const articleReads = defineChecks([everyPage, agreeing]);
