// Articles and sites by their ids, as lists have shown them, and ids that no record has.
import { fields } from '../../../src/contract/generated/record-fields.ts';
import { dayMs, parseTimestamp } from '../../../src/contract/timestamps.ts';
import { pagesIn, type Shown, shownOn } from '../../exchange/article-pages.ts';
import { dataOf, type Exchange } from '../../exchange/exchange.ts';
import { type History, labelled, responsesTo } from '../../exchange/history.ts';
import { type Fields, rowsAt } from '../../exchange/records.ts';
import { isUuid, otherCase, sameId } from '../../exchange/same-id.ts';
import { serverNowMs } from '../../exchange/stated-limits.ts';
import { agree } from '../../judge/confirmation.ts';
import { about, hasStatus, isRejected, judgeEach } from '../../judge/expect.ts';
import type { Judged, Judgment } from '../../judge/judge.ts';
import { show } from '../../judge/ledger.ts';
import { differences, hasRows, isFound } from '../../judge/same-record.ts';
import { pageScenarioIds } from '../../scenarios/articles/pages.ts';

type Noun = 'article' | 'site';

function singlesIn(history: History, noun: Noun): readonly { readonly exchange: Exchange; readonly id: string }[] {
  const all = responsesTo(history, noun === 'site' ? 'getSite' : 'getArticle');
  return all.map((exchange) => ({ exchange, id: exchange.target.slice(`/${noun}s/`.length) }));
}

type Listed = { readonly row: Fields & { readonly id: string }; readonly list: Exchange };

/** Found, and the same record. Returns the fields that differ. */
function* differing(noun: Noun, single: Exchange, { row, list }: Listed) {
  const group = `4.${noun}s.get` as const;
  const clause = `${group}.same-id` as const;
  if (!(yield* isFound(single, { clause: `${group}.endpoint`, rows: [row], witness: list }))) return [];
  const shown = dataOf(single);
  const isSame = sameId(shown.id, row.id);
  yield { ...about(single, clause, '/data/id'), expected: show(row.id), actual: show(shown.id), isTrue: isSame };
  const all = noun === 'site' ? fields.Site : fields.Article;
  // A server can compute a score for each read, but it does not lose one.
  const names = all.filter((name) => name !== 'id' && (name !== 'seoScore' || shown.seoScore === null));
  return isSame ? differences(single, { listed: row, list, clause }, names) : [];
}

const siteById: Judged = {
  id: 'sites/by-id',
  title: 'GET /sites/{id} returns the site as listed',
  clauses: ['4.sites.get.endpoint', '4.sites.get.same-id', '4.sites.get.id'],
  scenarios: ['sites/by-id', 'sites/each'],
  *judge(history) {
    const lists = responsesTo(history, 'listSites').filter((one) => rowsAt(one, '/data', ['id']) !== null);
    for (const list of lists.slice(0, 1)) {
      for (const { exchange, id } of singlesIn(history, 'site')) {
        const row = rowsAt(list, '/data', ['id'])?.find((each) => each.id === id);
        const found = row === undefined ? [] : yield* differing('site', exchange, { row, list });
        // Domains and names of languages have no case.
        const isMild = (one: (typeof found)[number]) => one.expected.toLowerCase() === one.actual.toLowerCase();
        for (const one of found) yield isMild(one) ? { ...one, severity: 'warn' } : one;
      }
    }
  },
};

const byId: Judged = {
  id: 'articles/by-id',
  title: 'GET /articles/{id} returns the article as listed',
  clauses: ['4.articles.get.endpoint', '4.articles.get.same-id', '4.articles.get.id'],
  scenarios: ['articles/by-id', 'articles/many-by-id'],
  *judge(history) {
    const shown = shownOn(pagesIn(history));
    const singles = singlesIn(history, 'article');
    for (const { exchange, id } of singles) {
      const listed = shown.get(id.toLowerCase());
      if (listed?.row.id !== id || (history.isRecorded && ![200, 404].includes(exchange.status))) continue;
      const same = singles.filter((one) => one.id === id && one.exchange.status === 200);
      const reads = same.map((one) => one.exchange);
      yield* isAsListed(exchange, listed, reads);
    }
  },
};

const fixedFields: readonly string[] = ['createdAt', 'siteId'];

function* isAsListed(single: Exchange, { row, page }: Shown, reads: readonly Exchange[]): Iterable<Judgment> {
  const found = yield* differing('article', single, { row, list: page.exchange });
  const isAbout = (name: string) => (one: { readonly pointer?: string }) => one.pointer === `/data/${name}`;
  // A list can lag after a recent update; with one updatedAt, or two old ones, there is no lag.
  const mayLag = found.some(isAbout('updatedAt')) && [row, dataOf(single)].some((one) => isRecent(one, single));
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

/** With an equal updatedAt all fields must be equal. */
const dated = fields.Article.filter((name) => !/^(id|createdAt|updatedAt)$/.test(name));

const oneRecord: Judged = {
  id: 'articles/one-record',
  title: 'GET /articles returns the same article on every page',
  clauses: ['4.articles.list.endpoint', '4.articles.get.same-id'],
  scenarios: pageScenarioIds,
  *judge(history) {
    const pages = pagesIn(history);
    const known = shownOn(pages);
    const shown = pages.flatMap((page) => page.rows.map((row) => ({ row, page })));
    const twice = shown.filter(({ row, page }) => known.get(row.id.toLowerCase())?.page !== page);
    const found = twice.flatMap((one) => contradiction(known.get(one.row.id.toLowerCase()) ?? one, one));
    yield* found;
    if (twice.length === 0) yield { doubt: 'vacuous', message: 'no article was shown by two pages' };
    const claim = { clause: '4.articles.list.endpoint', expected: 'equal articles on every page' } as const;
    if (twice.length > 0 && found.length === 0)
      yield { ...claim, actual: `${twice.length} shown twice or more often`, isTrue: true };
  },
};

function contradiction({ row: first, page: { exchange } }: Shown, { row, page }: Shown): Judgment[] {
  const isUnchanged = [first, row].every((one) => one.updatedAt !== undefined) && agree(first, row, 'updatedAt');
  const name = ['createdAt', ...(isUnchanged ? dated : [])].find((each) => !agree(first, row, each));
  if (name === undefined) return [];
  const place = about(page.exchange, '4.articles.list.endpoint', `/data/${page.rows.indexOf(row)}/${name}`);
  const words = { expected: `${show(first[name])}, as in ${exchange.id}`, actual: show(row[name]) };
  const message = 'the other page shows the same before and after';
  const proof = { isTrue: false, of: [page.exchange], rows: [first], fields: [name], witness: exchange };
  return [{ ...place, ...words, message, ...proof }];
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
    yield* judgeEach(history, labelled(history, 'article by an id in the other case'), (one) => {
      const id = otherCase(one.target.slice('/articles/'.length));
      const witness = { operation: 'getArticle', params: { id } } as const;
      return isFound(one, { clause: '4.articles.get.id', rows: [{ id }], witness });
    });
    yield* judgeEach(history, labelled(history, 'articles by a siteId in the other case'), (one) => {
      const siteId = otherCase(new URLSearchParams(one.target.split('?')[1]).get('siteId') ?? '');
      const shown = [...shownOn(pagesIn(history)).values()].map(({ row }) => row);
      const rows = shown.filter((row) => row.siteId === siteId).slice(0, 1);
      const witness = { operation: 'listArticles', params: { siteId, limit: 1 } } as const;
      const count = rowsAt(one, '/data')?.length ?? 0;
      return hasRows(one, count, { clause: '4.articles.list.site-id', rows, witness });
    });
  },
};

const tailDigits = 12;

function unknownId(noun: Noun): Judged {
  const group = `4.${noun}s.get` as const;
  const [notFound, ofId] = [`${group}.not-found`, `${group}.id`] as const;
  return {
    id: `${noun}s/unknown-id`,
    title: `GET /${noun}s/{id} returns 404 for an unknown id`,
    clauses: [notFound, '1.unknown-record', ofId, `${group}.statuses`, `${group}.malformed-id`],
    scenarios: [`${noun}s/unknown-id`, `${noun}s/invalid-ids`],
    *judge(history) {
      const wanted = {
        status: 404,
        code: 'not_found',
        clause: notFound,
        proves: [notFound, '1.unknown-record'],
      } as const;
      const tail = history.given.unknownId.slice(-tailDigits);
      for (const { exchange, id } of singlesIn(history, noun)) {
        // The id is well formed, so only 404 is right.
        if (!history.isRecorded && isUuid(id) && id.endsWith(tail)) yield isRejected(exchange, wanted);
      }
      const invalid = labelled(history, `${noun} with an invalid id`);
      yield* judgeEach(history, invalid, (one) => [hasStatus(one, [404, 400], ofId)]);
    },
  };
}

export const singleSites: readonly Judged[] = [siteById, unknownId('site')];
// One after the other: a cache that ignores the id may keep an article only for some seconds.
export const articleById: readonly Judged[] = [unknownId('article'), byId, inCapitals, oneRecord];
