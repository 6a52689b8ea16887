// All pages of articles of the run: size, cursor, and consistency with each other. Requests are sent only for a
// contradiction, because articles can change meanwhile.

import { articlesLimit } from '../../../src/contract/generated/limits.ts';
import { fields } from '../../../src/contract/generated/record-fields.ts';
import { parseTimestamp, type TimestampNs } from '../../../src/contract/timestamps.ts';
import { count } from '../../../src/terminal/count.ts';
import { articleById, type Read, readsIn, readsOf, type Shown, shownIn } from '../../assertions/article-reads.ts';
import { repeatedIn } from '../../assertions/same-record.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { sameId } from '../../exchange/same-id.ts';
import { about } from '../../judge/claims.ts';
import { show } from '../../judge/ledger.ts';
import { agree, repeatsMax } from '../../judge/standing.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';
import type { Judged } from '../../probe/confirm.ts';
import type { ArticleRow } from '../../probe/facts.ts';

const limitDefault = articlesLimit.preset;
const limitMax = articlesLimit.max;

/** Whether the page has a limit of the contract, or none. */
function isUsual({ query }: Read): boolean {
  const limit = query.get('limit');
  return limit === null || (/^\d{1,3}$/.test(limit) && Number(limit) >= 1 && Number(limit) <= limitMax);
}

/** The most that a page may hold; 100 where its limit is out of range (R19). */
function mostOf(read: Read): number {
  return isUsual(read) ? Number(read.query.get('limit') ?? limitDefault) : limitMax;
}

const everyPage: CheckRow = {
  id: 'articles/every-page',
  title: 'GET /articles keeps limit, order and cursor on every page',
  cites: ['4.articles.list.limit-ceiling', '4.articles.list.cursor-value', '4.articles.list.walk'],
  unless: ['articles/list', 'articles/default-limit', 'articles/cursor-value', 'articles/page-walk'],
  // A page that shows an article twice.
  cost: { requests: 0, confirms: repeatsMax },
  async run(probe) {
    const reads = readsOf(probe);
    for (const read of reads) {
      const { rows, cursor, exchange } = read;
      const claim = { exchange, pointer: '/data' } as const;
      const most = mostOf(read);
      const size = { expected: `at most ${most}`, actual: count(rows.length, 'article') };
      // A page without further articles proves nothing.
      const proves = rows.length < most ? [] : (['4.articles.list.limit-ceiling'] as const);
      probe.holds(rows.length <= most, { ...claim, ...size, proves, clause: '4.articles.list.limit-ceiling' });
      const last = rows.at(-1);
      const isEndless = last === undefined && cursor !== null && cursor === read.query.get('cursor');
      const end = { expected: 'null after the last article', actual: 'the cursor of the request', pointer: '/cursor' };
      probe.holds(!isEndless, { ...end, proves: [], clause: '4.articles.list.end', exchange });
      if (typeof cursor !== 'string' || last === undefined) continue;
      const isEqual = timestampOf(cursor) === timestampOf(last.createdAt);
      const value = { expected: show(last.createdAt), actual: show(cursor), pointer: '/cursor', exchange };
      probe.holds(isEqual, { ...value, clause: '4.articles.list.cursor-value' });
    }
    await probe.judge(probe.history(), (exchanges) => repeating(readsIn(exchanges)));
  },
};

/** Pages that show an article twice, or again after their cursor. */
function repeating(reads: readonly Read[]): Judged[] {
  return reads.flatMap((read) => {
    const before = pagesBefore(read, reads);
    const twice = repeatedIn(read.rows.map(({ id }) => id));
    const again = againOn(read, before, reads);
    if (twice === undefined && again === undefined) return [];
    const actual = `article ${twice ?? again?.id} twice`;
    const claim = { ...about(read.exchange, '4.articles.list.walk', '/data'), expected: 'each article once', actual };
    // A page that is written while it is read can show an article twice.
    if (twice !== undefined) return [claim];
    const rows = [again, before[0]?.rows.at(-1)].filter((row) => row !== undefined);
    return [{ ...claim, rows, witness: before[0]?.exchange ?? read.exchange }];
  });
}

/** An article that the pages before have shown, unless another one shares its time at the end of a page (R17). */
function againOn(read: Read, before: readonly Read[], reads: readonly Read[]): ArticleRow | undefined {
  const edges = before.map(({ rows }) => rows.at(-1));
  const isEdge = ({ id }: ArticleRow) => edges.some((edge) => sameId(id, edge?.id));
  const tied = shownIn(reads).flatMap(({ row }) => (isEdge(row) ? [] : row.createdAt));
  const isTied = ({ createdAt }: ArticleRow) =>
    tied.includes(createdAt) && edges.some((edge) => edge?.createdAt === createdAt);
  const isAgain = (row: ArticleRow) =>
    !isTied(row) && before.some(({ rows }) => rows.some(({ id }) => sameId(id, row.id)));
  return read.rows.find(isAgain);
}

/** The pages before this one, the last one first. */
function pagesBefore(read: Read, reads: readonly Read[], known: readonly Read[] = []): readonly Read[] {
  const { query } = read;
  const cursor = query.get('cursor');
  if (cursor === null) return known;
  const isOpen = (other: Read) =>
    ![read, ...known].some(({ exchange }) => exchange === other.exchange) &&
    sameId(other.query.get('siteId') ?? '', query.get('siteId') ?? '');
  const others = reads.filter(isOpen);
  const before = others.find((other) => other.cursor === cursor) ?? others.flatMap((other) => upTo(cursor, other))[0];
  return before === undefined ? known : pagesBefore(before, reads, [...known, before]);
}

/** The part of a page up to the article of this cursor, as a smaller limit returns it; empty without the article. */
function upTo(cursor: string, read: Read): Read[] {
  const at = read.rows.findLastIndex(({ createdAt }) => createdAt === cursor);
  return at < 0 ? [] : [{ ...read, rows: read.rows.slice(0, at + 1), cursor }];
}

function timestampOf(text: string): TimestampNs | string {
  return parseTimestamp(text) ?? text;
}

const agreeing: CheckRow = {
  id: 'articles/reads-agree',
  title: 'Repeated reads of GET /articles return the same articles',
  cites: ['4.articles.list.end', '4.articles.list.site-id', '4.articles.list.walk'],
  unless: ['articles/site-filter', 'articles/page-walk', 'articles/to-the-end'],
  // The page that lacks an article, and the article, again: it may be new, or gone, or of another site now.
  cost: { requests: 0, confirms: 2 },
  async run(probe) {
    const reads = comparable(probe.history());
    if (reads.length < 2) return probe.stop('vacuous', 'fewer than two pages were read');
    const found = await probe.judge(probe.history(), (exchanges) => contradicting(comparable(exchanges)));
    if (found !== 'none') return;
    if (directionOf(reads) === null)
      return probe.doubt('vacuous', 'the articles are not in the order of their createdAt');
    const end = reads.find(({ cursor }) => cursor === null)?.exchange ?? null;
    const claim = { expected: 'no article hidden', actual: 'none', exchange: end } as const;
    // Without a last page, the end is not tested.
    probe.holds(true, { ...claim, clause: '4.articles.list.end', ...(end === null ? { proves: [] } : {}) });
  },
};

/** A server may find nothing for a siteId that is written in another way than in its articles. */
function comparable(exchanges: readonly Exchange[]): readonly Read[] {
  const all = readsIn(exchanges).filter(isUsual);
  const siteIds = new Set(shownIn(all).map(({ row }) => row.siteId));
  const isWritten = (siteId: string | null) => siteId === null || siteIds.has(siteId);
  return all.filter(({ query, rows }) => rows.length > 0 || isWritten(query.get('siteId')));
}

function contradicting(reads: readonly Read[]): readonly Judged[] {
  const isFalling = directionOf(reads);
  if (isFalling === null) return reads.flatMap((read) => skippedOn(read, reads));
  const turned = reads.filter((read) => isTurned(read, reads, isFalling)).map((read) => turnedClaim(read, isFalling));
  const known = datedOf(reads);
  return turned.length > 0 ? turned : reads.flatMap((read) => hiddenFrom(read, known, { isFalling, reads }));
}

/** The time of a cursor of the service, or of an article, which is the cursor after it; null without one. */
function cursorTime({ query }: Read, reads: readonly Read[]): TimestampNs | null {
  const cursor = query.get('cursor');
  const isKnown = reads.some((other) => other.cursor === cursor || other.rows.some((row) => row.createdAt === cursor));
  return isKnown ? parseTimestamp(cursor ?? '') : null;
}

/** Whether a page after a cursor shows articles from before it, or the one of the cursor, if only one is (R17). */
function isTurned(read: Read, reads: readonly Read[], isFalling: boolean): boolean {
  const at = cursorTime(read, reads);
  if (at === null) return false;
  const isTied = datedOf(reads).filter((one) => one.at === at).length > 1;
  const isBefore = (time: TimestampNs | null) =>
    time !== null && ((time === at && !isTied) || (isFalling ? time > at : time < at));
  return read.rows.some(({ createdAt }) => isBefore(parseTimestamp(createdAt)));
}

function turnedClaim(read: Read, isFalling: boolean): Judged {
  return {
    ...about(read.exchange, '4.articles.list.walk', '/data'),
    expected: `articles ${isFalling ? 'older' : 'newer'} than the cursor`,
    actual: `${show(read.rows[0]?.createdAt)}, which an earlier page has shown`,
  };
}

interface Dated {
  readonly row: ArticleRow;
  readonly at: TimestampNs;
}

/** Every article that the pages have shown, by its createdAt. */
function datedOf(reads: readonly Read[]): Dated[] {
  return shownIn(reads).flatMap(({ row }) => {
    const at = parseTimestamp(row.createdAt);
    return at === null ? [] : [{ row, at }];
  });
}

interface Reading {
  readonly isFalling: boolean;
  readonly reads: readonly Read[];
}

/**
 * By timestamps: a page shows each article between its cursor, or its first, and its last, nothing follows the last
 * page, and the first page begins with the articles that an earlier read has shown.
 */
function hiddenFrom(read: Read, all: readonly Dated[], { isFalling, reads }: Reading): Judged[] {
  const { query, rows, cursor } = read;
  const earlier = query.has('cursor')
    ? []
    : reads.filter(({ exchange }) => exchange.receivedAt < read.exchange.sentAt).flatMap((one) => one.rows);
  // An empty page is the last one: it begins and ends at its cursor.
  const [start = query.get('cursor'), end = start] = [rows[0]?.createdAt, rows.at(-1)?.createdAt];
  const last = parseTimestamp(end ?? '');
  const first = cursorTime(read, reads) ?? parseTimestamp(start ?? '');
  if (first === null || last === null) return [];
  const site = query.get('siteId');
  const own = new Set(rows.map(({ id }) => id.toLowerCase()));
  for (const { row, at } of all) {
    // Strictly, because articles of one timestamp cannot be distinguished at an edge (R17).
    const isAfter = isFalling ? at < last : at > last;
    const isInside = !isAfter && at !== last && (isFalling ? at < first : at > first);
    const isBefore = isFalling ? at > first : at < first;
    const wasBefore = isBefore && earlier.some(({ id }) => sameId(id, row.id));
    if (!isInside && !wasBefore && !(isAfter && cursor === null)) continue;
    if (own.has(row.id.toLowerCase()) || (site !== null && !sameId(row.siteId, site))) continue;
    return [hiddenClaim(row, read, isAfter)];
  }
  return [];
}

function hiddenClaim(row: ArticleRow, { exchange, query, rows }: Read, isAfter: boolean): Judged {
  const clause = query.has('siteId') ? '4.articles.list.site-id' : '4.articles.list.walk';
  return {
    clause: isAfter ? '4.articles.list.end' : clause,
    pointer: isAfter ? '/cursor' : '/data',
    exchange,
    expected: `article ${row.id} of ${row.createdAt} ${isAfter ? 'after a cursor' : 'on the page'}`,
    actual: isAfter ? `${count(rows.length, 'article')} and no cursor` : 'a page without the article',
    message: 'the article is shown before and after',
    rows: [row],
    witness: articleById(row.id),
  };
}

/**
 * Articles are not in the order of their createdAt: then what follows one of them is the same on every page. Articles
 * that share the time of the cursor cannot be distinguished (R17).
 */
function skippedOn({ query, rows, exchange }: Read, reads: readonly Read[]): Judged[] {
  const cursor = query.get('cursor');
  const has = (id: string) => rows.some((row) => sameId(row.id, id));
  const isOfSite = (other: Read) => sameId(other.query.get('siteId') ?? '', query.get('siteId') ?? '');
  for (const other of reads.filter((one) => one.exchange !== exchange && isOfSite(one))) {
    const at = other.rows.findIndex(({ createdAt }) => createdAt === cursor);
    const after = at < 0 ? [] : other.rows.slice(at + 1);
    const known = after.slice(0, after.findLastIndex(({ id }) => has(id)) + 1);
    const row = known.find(({ id, createdAt }) => !has(id) && createdAt !== cursor);
    if (row === undefined) continue;
    return [
      {
        ...about(exchange, '4.articles.list.walk', '/data'),
        expected: `article ${row.id}, which follows the cursor on another page`,
        actual: 'a page with later articles and without this one',
        rows: [row, other.rows[at], known.at(-1)].filter((one) => one !== undefined),
        witness: other.exchange,
      },
    ];
  }
  return [];
}

/** Whether createdAt falls in every page; null where it neither falls nor rises in all of them (R16). */
function directionOf(reads: readonly Read[]): boolean | null {
  const several = reads.filter(({ rows }) => rows.length > 1);
  if (several.length === 0) return null;
  return [true, false].find((isFalling) => several.every(({ rows }) => isSorted(rows, isFalling))) ?? null;
}

function isSorted(rows: readonly ArticleRow[], isFalling: boolean): boolean {
  const timestamps = rows.map(({ createdAt }) => parseTimestamp(createdAt));
  return timestamps.every((timestamp, index) => {
    const before = timestamps[index - 1];
    if (timestamp === null || before === null) return false;
    return before === undefined || (isFalling ? timestamp <= before : timestamp >= before);
  });
}

export const articleReads = defineChecks({ phase: 'after bursts' }, [everyPage, agreeing]);

// An article is one record on every page. Pages that show it in two ways are read again.

const fixed = ['createdAt'] as const;
/** With an equal updatedAt all fields must be equal. */
const dated = fields.Article.filter((name) => !/^(id|createdAt|updatedAt)$/.test(name));

const oneRecord: CheckRow = {
  id: 'articles/one-record',
  title: 'GET /articles returns the same article on every page',
  cites: ['4.articles.list.endpoint', '4.articles.get.same-id'],
  unless: ['articles/by-id'],
  // Both pages that contradict each other, again.
  cost: { requests: 0, confirms: 2 },
  async run(probe) {
    const compared = articlesTwice(readsOf(probe)).length;
    if (compared === 0) return probe.stop('vacuous', 'no article was shown by two pages');
    const found = await probe.judge(probe.history(), (all) => articlesTwice(readsIn(all)).flatMap(contradiction));
    const claim = { clause: '4.articles.list.endpoint', expected: 'equal articles on every page' } as const;
    if (found === 'none') probe.holds(true, { ...claim, actual: `${compared} shown twice or more often` });
  },
};

/** An article on the first page that shows it, and on a later one. */
interface Twice {
  readonly first: Shown;
  readonly other: Shown;
}

function articlesTwice(reads: readonly Read[]): Twice[] {
  const known = new Map(shownIn(reads).map((first) => [first.row.id.toLowerCase(), first]));
  return reads.flatMap((read) =>
    read.rows.flatMap((row) => {
      const first = known.get(row.id.toLowerCase());
      return first === undefined || first.read === read ? [] : [{ first, other: { row, read } }];
    }),
  );
}

function contradiction({ first, other }: Twice): Judged[] {
  const name = contradictingField(first.row, other.row);
  if (name === null) return [];
  const { exchange } = other.read;
  return [
    {
      ...about(exchange, '4.articles.list.endpoint', `/data/${other.read.rows.indexOf(other.row)}/${name}`),
      expected: `${show(first.row[name])}, as in ${first.read.exchange.id}`,
      actual: show(other.row[name]),
      message: 'the other page shows the same before and after',
      rows: [first.row],
      fields: [name],
      witness: first.read.exchange,
    },
  ];
}

function contradictingField(one: ArticleRow, other: ArticleRow): string | null {
  const isUnchanged = one.updatedAt !== undefined && agree(one, other, 'updatedAt') && other.updatedAt !== undefined;
  const names = [...fixed, ...(isUnchanged ? dated : [])];
  return names.find((name) => !agree(one, other, name)) ?? null;
}

export const articleRecords = defineChecks({ phase: 'log' }, [oneRecord]);
