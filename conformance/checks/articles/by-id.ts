// Articles by their ids, as pages have shown them, and ids that no article has.
import { fields } from '../../../src/contract/generated/record-fields.ts';
import { dayMs, parseTimestamp } from '../../../src/contract/timestamps.ts';
import { pagesIn, type Shown, shownOn } from '../../exchange/article-pages.ts';
import { dataOf, type Exchange } from '../../exchange/exchange.ts';
import { type History, labelled, responsesTo } from '../../exchange/history.ts';
import { type Fields, rowsAt } from '../../exchange/records.ts';
import { isUuid, otherCase, sameId } from '../../exchange/same-id.ts';
import { serverNowMs } from '../../exchange/stated-limits.ts';
import { about, hasStatus, isRejected, judgeable } from '../../judge/expect.ts';
import type { Judged, Judgment } from '../../judge/judge.ts';
import { show } from '../../judge/ledger.ts';
import { differences, hasRows, isFound } from '../../judge/same-record.ts';

/** Requests for one article, with the id as it was sent. */
function singlesIn(history: History): readonly { readonly exchange: Exchange; readonly id: string }[] {
  const all = responsesTo(history, 'getArticle');
  return all.map((exchange) => ({ exchange, id: exchange.target.slice('/articles/'.length) }));
}

const byId: Judged = {
  id: 'articles/by-id',
  title: 'GET /articles/{id} returns the article as listed',
  clauses: ['4.articles.get.endpoint', '4.articles.get.same-id', '4.articles.get.id'],
  scenarios: ['articles/by-id', 'articles/many-by-id'],
  *judge(history) {
    const shown = shownOn(pagesIn(history));
    const singles = singlesIn(history);
    for (const { exchange, id } of singles) {
      const listed = shown.get(id.toLowerCase());
      if (listed?.row.id !== id || (history.isRecorded && ![200, 404].includes(exchange.status))) continue;
      const same = singles.filter((one) => one.id === id && one.exchange.status === 200);
      yield* isAsListed(
        exchange,
        listed,
        same.map((one) => one.exchange),
      );
    }
  },
};

const fixedFields: readonly string[] = ['createdAt', 'siteId'];

/** Compared field by field. A server can compute a score for each read, but it does not lose one. */
function* isAsListed(single: Exchange, { row, page }: Shown, reads: readonly Exchange[]): Iterable<Judgment> {
  const clause = '4.articles.get.same-id';
  const witnessed = { rows: [row], witness: page.exchange };
  if (!(yield* isFound(single, { clause: '4.articles.get.endpoint', ...witnessed }))) return;
  const shown = dataOf(single);
  const isSame = sameId(shown.id, row.id);
  yield { ...about(single, clause, '/data/id'), expected: show(row.id), actual: show(shown.id), isTrue: isSame };
  if (!isSame) return;
  const names = fields.Article.filter((name) => name !== 'id' && (name !== 'seoScore' || shown.seoScore === null));
  const found = differences(single, { listed: row, list: page.exchange, clause }, names);
  const isAbout = (name: string) => (one: { readonly pointer?: string }) => one.pointer === `/data/${name}`;
  // A list can lag after a recent update; with one updatedAt, or two old ones, there is no lag.
  const mayLag = found.some(isAbout('updatedAt')) && [row, shown].some((one) => isRecent(one, single));
  const isTime = found.length === 1 && mayLag && showsTimeOfRead(reads);
  for (const one of found) {
    const isFixed = fixedFields.some((name) => isAbout(name)(one));
    const isMild = !isTime && !isFixed && (mayLag || isAbout('seoScore')(one));
    yield isMild ? { ...one, severity: 'warn' } : one;
  }
}

/** Whether the last update is so recent, by the clock of the server or by ours, that a copy may not have it yet. */
function isRecent({ updatedAt }: Fields, exchange: Exchange): boolean {
  const time = parseTimestamp(String(updatedAt));
  const nowMs = Math.min(serverNowMs(exchange) ?? exchange.sentAt, exchange.sentAt);
  return time == null || nowMs - Number(time / 1_000_000n) < dayMs;
}

const ownGrainMs = 20;

/** Three reads whose `updatedAt` differ by the time between the reads: no real change is so regular. */
function showsTimeOfRead(reads: readonly Exchange[]): boolean {
  const isApart = (read: Exchange, before: Exchange) => {
    const [time, timeBefore] = [read, before].map((one) => parseTimestamp(String(dataOf(one).updatedAt)));
    if (time == null || timeBefore == null || time === timeBefore) return false;
    const apartMs = Number((time - timeBefore) / 1_000_000n);
    const grainMs = time % 1_000_000_000n === 0n ? 1000 : ownGrainMs;
    const least = read.sentAt - before.receivedAt - grainMs;
    return apartMs >= least && apartMs <= read.receivedAt - before.sentAt + grainMs;
  };
  return reads.length > 2 && reads.slice(1).every((read, index) => isApart(read, reads[index] as Exchange));
}

/** Hexadecimal digits have no case, and yet the contract does not say it: hence only a "should". */
const inCapitals: Judged = {
  id: 'articles/capitals',
  title: 'GET /articles treats article and site ids as case-insensitive',
  clauses: ['4.articles.get.id', '4.articles.list.site-id'],
  level: 'should',
  scenarios: ['articles/capitals'],
  *judge(history) {
    // The same in their own case, where the other finds nothing: the article may be gone (R59).
    for (const exchange of labelled(history, 'article by an id in the other case')) {
      if (!(yield* judgeable(history, exchange))) continue;
      const id = otherCase(exchange.target.slice('/articles/'.length));
      const witness = { operation: 'getArticle', params: { id } } as const;
      yield* isFound(exchange, { clause: '4.articles.get.id', rows: [{ id }], witness });
    }
    for (const exchange of labelled(history, 'articles by a siteId in the other case')) {
      if (!(yield* judgeable(history, exchange))) continue;
      const siteId = otherCase(new URLSearchParams(exchange.target.split('?')[1]).get('siteId') ?? '');
      const rows = [...shownOn(pagesIn(history)).values()].filter(({ row }) => row.siteId === siteId).slice(0, 1);
      const witness = { operation: 'listArticles', params: { siteId, limit: 1 } } as const;
      const witnessed = { rows: rows.map(({ row }) => row), witness };
      yield* hasRows(exchange, rowsAt(exchange, '/data')?.length ?? 0, {
        clause: '4.articles.list.site-id',
        ...witnessed,
      });
    }
  },
};

/** The last group of a UUID. */
const tailDigits = 12;

const unknownId: Judged = {
  id: 'articles/unknown-id',
  title: 'GET /articles/{id} returns 404 for an unknown id',
  clauses: ['4.articles.get.not-found', '1.unknown-record', '4.articles.get.id', '4.articles.get.malformed-id'],
  scenarios: ['articles/unknown-id', 'articles/invalid-ids'],
  *judge(history) {
    const proves = ['4.articles.get.not-found', '1.unknown-record'] as const;
    const tail = history.given.unknownId.slice(-tailDigits);
    for (const { exchange, id } of singlesIn(history)) {
      // The id is well formed, so only 404 is right.
      if (!history.isRecorded && isUuid(id) && id.endsWith(tail))
        yield isRejected(exchange, { status: 404, code: 'not_found', clause: '4.articles.get.not-found', proves });
    }
    for (const exchange of labelled(history, 'article with an invalid id')) {
      const tested = (yield* judgeable(history, exchange))
        ? hasStatus(exchange, [404, 400], '4.articles.get.id')
        : null;
      if (tested !== null) yield tested;
    }
  },
};

// One after the other: a cache that ignores the id may keep an article only for some seconds.
export const articleById: readonly Judged[] = [unknownId, byId, inCapitals];
