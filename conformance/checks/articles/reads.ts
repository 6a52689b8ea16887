// All pages of articles of the run: size, cursor, and consistency with each other. Requests are sent only for a
// contradiction, because articles can change meanwhile.

import { articlesLimit } from '../../../src/contract/generated/limits.ts';
import { fields } from '../../../src/contract/generated/record-fields.ts';
import { parseTimestamp, type TimestampNs } from '../../../src/contract/timestamps.ts';
import { count } from '../../../src/terminal/count.ts';
import { type Read, readAgain, readsOf, shownIn } from '../../assertions/article-reads.ts';
import { about } from '../../assertions/claims.ts';
import { agree, repeatedIn } from '../../assertions/same-record.ts';
import { dataOf } from '../../exchange/exchange.ts';
import { sameId } from '../../exchange/same-id.ts';
import { show } from '../../judge/ledger.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';
import type { ArticleRow } from '../../probe/facts.ts';
import type { Probe } from '../../probe/probe.ts';

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
  cost: { requests: 0, confirms: 1 },
  async run(probe) {
    let repeating: Read | null = null;
    const reads = readsOf(probe);
    for (const read of reads) {
      const { rows, cursor, exchange } = read;
      const claim = { exchange, pointer: '/data' } as const;
      const most = mostOf(read);
      const size = { expected: `at most ${most}`, actual: count(rows.length, 'article') };
      // A page without further articles proves nothing.
      const proves = rows.length < most ? [] : (['4.articles.list.limit-ceiling'] as const);
      probe.holds(rows.length <= most, { ...claim, ...size, proves, clause: '4.articles.list.limit-ceiling' });
      if (repeatedOf(read, reads) !== undefined) repeating ??= read;
      const last = rows.at(-1);
      const isEndless = last === undefined && cursor !== null && cursor === read.query.get('cursor');
      const end = { expected: 'null after the last article', actual: 'the cursor of the request', pointer: '/cursor' };
      probe.holds(!isEndless, { ...end, proves: [], clause: '4.articles.list.end', exchange });
      if (typeof cursor !== 'string' || last === undefined) continue;
      const isEqual = timestampOf(cursor) === timestampOf(last.createdAt);
      const value = { expected: show(last.createdAt), actual: show(cursor), pointer: '/cursor', exchange };
      probe.holds(isEqual, { ...value, clause: '4.articles.list.cursor-value' });
    }
    if (repeating !== null) await checkRepeating(probe, repeating, reads);
  },
};

/** An article that is twice on the page, or again after its own cursor, unless another one shares its time (R17). */
function repeatedOf(read: Read, reads: readonly Read[]): string | undefined {
  const before = pagesBefore(read, reads);
  const edges = before.map(({ rows }) => rows.at(-1));
  const isEdge = ({ id }: ArticleRow) => edges.some((edge) => sameId(id, edge?.id));
  const tied = shownIn(reads).flatMap(({ row }) => (isEdge(row) ? [] : row.createdAt));
  const isTied = ({ createdAt }: ArticleRow) =>
    tied.includes(createdAt) && edges.some((edge) => edge?.createdAt === createdAt);
  const isAgain = (row: ArticleRow) =>
    !isTied(row) && before.some(({ rows }) => rows.some(({ id }) => sameId(id, row.id)));
  return repeatedIn(read.rows.map(({ id }) => id)) ?? read.rows.find(isAgain)?.id;
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

/** A page that is written while it is read may show a row twice once, and not again; but never only known rows. */
async function checkRepeating(probe: Probe, read: Read, reads: readonly Read[]): Promise<void> {
  const before = pagesBefore(read, reads).flatMap(({ rows }) => rows);
  const isWhole = read.rows.length > 1 && read.rows.every(({ id }) => before.some((row) => sameId(row.id, id)));
  const again = isWhole ? read : await readAgain(probe, read);
  if (again === null || repeatedOf(again, reads) === undefined) {
    return probe.doubt('interference', 'a page contained an article twice, but a repeated request did not show it');
  }
  const claim = about(read.exchange, '4.articles.list.walk', '/data');
  probe.holds(false, { ...claim, expected: 'each article once', actual: `article ${repeatedOf(read, reads)} twice` });
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
    const all = readsOf(probe).filter(isUsual);
    const siteIds = new Set(shownIn(all).map(({ row }) => row.siteId));
    // A server may find nothing for a siteId that is written in another way than in its articles.
    const isWritten = (siteId: string | null) => siteId === null || siteIds.has(siteId);
    const reads = all.filter(({ query, rows }) => rows.length > 0 || isWritten(query.get('siteId')));
    if (reads.length < 2) return probe.stop('vacuous', 'fewer than two pages were read');
    const isFalling = directionOf(reads);
    if (isFalling === null) return checkSkips(probe, reads);
    const turned = reads.find((read) => isTurned(read, reads, isFalling));
    if (turned !== undefined) return checkTurned(probe, turned, { isFalling, reads });
    const dated = datedOf(reads);
    const hidden = reads.flatMap((read) => hiddenFrom(read, dated, { isFalling, reads }) ?? [])[0];
    if (hidden !== undefined) return checkHidden(probe, hidden, reads);
    const end = reads.find(({ cursor }) => cursor === null)?.exchange ?? null;
    const claim = { expected: 'no article hidden', actual: 'none', exchange: end } as const;
    // Without a last page, the end is not tested.
    probe.holds(true, { ...claim, clause: '4.articles.list.end', ...(end === null ? { proves: [] } : {}) });
  },
};

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

async function checkTurned(probe: Probe, read: Read, { isFalling, reads }: Reading): Promise<void> {
  const again = await readAgain(probe, read);
  if (again === null || !isTurned(again, reads, isFalling))
    return probe.doubt('interference', 'a page showed articles from before its cursor, but a repeated request did not');
  probe.holds(false, {
    ...about(read.exchange, '4.articles.list.walk', '/data'),
    expected: `articles ${isFalling ? 'older' : 'newer'} than the cursor`,
    actual: `${show(read.rows[0]?.createdAt)}, which an earlier page has shown`,
  });
}

/** An article that a page, or the pages after it, should show. */
interface Hidden {
  readonly row: ArticleRow;
  readonly read: Read;
  readonly isAfter: boolean;
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
function hiddenFrom(read: Read, all: readonly Dated[], { isFalling, reads }: Reading): Hidden | undefined {
  const { query, rows, cursor } = read;
  const earlier = query.has('cursor')
    ? []
    : reads.filter(({ exchange }) => exchange.receivedAt < read.exchange.sentAt).flatMap((one) => one.rows);
  // An empty page is the last one: it begins and ends at its cursor.
  const [start = query.get('cursor'), end = start] = [rows[0]?.createdAt, rows.at(-1)?.createdAt];
  const last = parseTimestamp(end ?? '');
  const first = cursorTime(read, reads) ?? parseTimestamp(start ?? '');
  if (first === null || last === null) return undefined;
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
    return { row, read, isAfter };
  }
  return undefined;
}

/** Two pages after one cursor, and an article that only one of them shows among the same ones. */
interface Skipped {
  readonly row: ArticleRow;
  readonly read: Read;
  readonly other: Read;
}

/** Articles are not in the order of their createdAt: then what follows one of them is the same on every page. */
async function checkSkips(probe: Probe, reads: readonly Read[]): Promise<void> {
  const skipped = reads.flatMap((read) => skippedOn(read, reads) ?? [])[0];
  if (skipped === undefined) return probe.stop('vacuous', 'the articles are not in the order of their createdAt');
  const [read, other] = [await readAgain(probe, skipped.read), await readAgain(probe, skipped.other)];
  if (read === null || other === null || skippedOn(read, [other]) === undefined)
    return probe.stop('interference', 'the articles changed while they were read');
  probe.holds(false, {
    ...about(skipped.read.exchange, '4.articles.list.walk', '/data'),
    expected: `article ${skipped.row.id}, which follows the cursor on another page`,
    actual: 'a page with later articles and without this one',
  });
}

/** Articles that share the time of the cursor cannot be distinguished (R17). */
function skippedOn(read: Read, reads: readonly Read[]): Skipped | undefined {
  const { query, rows, exchange } = read;
  const cursor = query.get('cursor');
  const has = (id: string) => rows.some((row) => sameId(row.id, id));
  const isOfSite = (other: Read) => sameId(other.query.get('siteId') ?? '', query.get('siteId') ?? '');
  for (const other of reads.filter((one) => one.exchange !== exchange && isOfSite(one))) {
    const at = other.rows.findIndex(({ createdAt }) => createdAt === cursor);
    const after = at < 0 ? [] : other.rows.slice(at + 1);
    const known = after.slice(0, after.findLastIndex(({ id }) => has(id)) + 1);
    const row = known.find(({ id, createdAt }) => !has(id) && createdAt !== cursor);
    if (row) return { row, read, other };
  }
  return undefined;
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

/** Reads both again: only where neither has changed do they contradict each other. */
async function checkHidden(probe: Probe, { row, read, isAfter }: Hidden, reads: readonly Read[]): Promise<void> {
  const isAlike = (other: ArticleRow) => (name: string) => agree(row, other, name);
  // One that was edited meanwhile may have been of another site in between.
  const isShownOn = ({ rows }: Read) =>
    rows.some((other) => sameId(other.id, row.id) && ['createdAt', 'siteId', 'updatedAt'].every(isAlike(other)));
  const again = await readAgain(probe, read);
  const single = await probe.send({ operation: 'getArticle', params: { id: row.id } });
  const record = dataOf(single);
  const isStill = single.status === 200 && agree(row, record, 'siteId') && agree(row, record, 'createdAt');
  const idsOf = ({ rows }: Read) => rows.map(({ id }) => id).join();
  const isSame = again !== null && idsOf(again) === idsOf(read) && again.cursor === read.cursor;
  const isFiltered = read.query.has('siteId');
  const clause = isFiltered ? '4.articles.list.site-id' : '4.articles.list.walk';
  const wasThere = reads.some((other) => other.exchange.receivedAt < read.exchange.sentAt && isShownOn(other));
  if (wasThere && again !== null && isShownOn(again)) {
    // A deletion explains that an article is gone, and nothing explains that it comes back (R59).
    probe.holds(false, {
      ...about(read.exchange, clause, '/data'),
      expected: `article ${row.id}, which is listed before and after`,
      actual: 'a page without the article',
    });
    return;
  }
  if (!isSame || !isStill) return probe.stop('interference', 'the articles changed while they were read');
  probe.holds(false, {
    clause: isAfter ? '4.articles.list.end' : clause,
    pointer: isAfter ? '/cursor' : '/data',
    expected: `article ${row.id} of ${row.createdAt} ${isAfter ? 'after a cursor' : 'on the page'}`,
    actual: isAfter ? `${count(read.rows.length, 'article')} and no cursor` : 'a page without the article',
    exchange: read.exchange,
    message: 'another page contains this article',
  });
}

export const articleReads = defineChecks({ phase: 'after bursts' }, [everyPage, agreeing]);

// An article is one record on every page. Pages that show it in two ways are read again.

const fixed = ['createdAt'] as const;
/** With an equal updatedAt all fields must be equal. */
const dated = fields.Article.filter((name) => !/^(id|createdAt|updatedAt)$/.test(name));

interface Contradiction {
  readonly one: Read;
  readonly other: Read;
  readonly id: string;
  readonly name: string;
}

const oneRecord: CheckRow = {
  id: 'articles/one-record',
  title: 'GET /articles returns the same article on every page',
  cites: ['4.articles.list.endpoint', '4.articles.get.same-id'],
  unless: ['articles/by-id'],
  // Both pages that contradict each other, again.
  cost: { requests: 0, confirms: 2 },
  async run(probe) {
    const { found, compared } = contradictionIn(readsOf(probe));
    if (compared === 0) return probe.stop('vacuous', 'no article was shown by two pages');
    const claim = { clause: '4.articles.list.endpoint', expected: 'equal articles on every page' } as const;
    if (found !== null) return checkContradiction(probe, found);
    probe.holds(true, { ...claim, actual: `${compared} shown twice or more often` });
  },
};

/** The first article that two pages show in two ways, and how many were compared. */
function contradictionIn(reads: readonly Read[]): { found: Contradiction | null; compared: number } {
  const known = new Map<string, { readonly row: ArticleRow; readonly read: Read }>();
  let compared = 0;
  for (const read of reads) {
    for (const row of read.rows) {
      const id = row.id.toLowerCase();
      const first = known.get(id);
      if (first === undefined) known.set(id, { row, read });
      if (first === undefined || first.read === read) continue;
      compared += 1;
      const name = contradictingField(first.row, row);
      if (name !== null) return { found: { one: first.read, other: read, id, name }, compared };
    }
  }
  return { found: null, compared };
}

function contradictingField(one: ArticleRow, other: ArticleRow): string | null {
  const isUnchanged = one.updatedAt !== undefined && agree(one, other, 'updatedAt') && other.updatedAt !== undefined;
  const names = [...fixed, ...(isUnchanged ? dated : [])];
  return names.find((name) => !agree(one, other, name)) ?? null;
}

async function checkContradiction(probe: Probe, { one, other, id, name }: Contradiction): Promise<void> {
  const rowOf = (read: Read | null) => read?.rows.find((row) => row.id.toLowerCase() === id);
  const [before, after] = [rowOf(one), rowOf(other)];
  const [again, afterAgain] = [rowOf(await readAgain(probe, one)), rowOf(await readAgain(probe, other))];
  if (!before || !after || !again || !afterAgain) return probe.stop('interference', 'the article was removed');
  // It can have changed between the two pages: then the first one has changed too.
  const isStill = agree(before, again, name) && agree(after, afterAgain, name);
  if (!isStill) return probe.stop('interference', 'the article was changed while it was read');
  probe.holds(false, {
    ...about(other.exchange, '4.articles.list.endpoint', `/data/${other.rows.indexOf(after)}/${name}`),
    expected: `${show(before[name])}, as in ${one.exchange.id}`,
    actual: show(after[name]),
    message: 'a second request for both pages returned the same',
  });
}

export const articleRecords = defineChecks({ phase: 'log' }, [oneRecord]);
