// Articles by id, after the pages have shown some, including old ones: a server might return only the newest.

import { articlesLimit } from '../../../src/contract/generated/limits.ts';
import { fields } from '../../../src/contract/generated/record-fields.ts';
import { dayMs, parseTimestamp } from '../../../src/contract/timestamps.ts';
import { articleById as byIdAgain, readsIn, readsOf, type Shown, shownIn } from '../../assertions/article-reads.ts';
import { askForNone, drawn, hasTime, isSecondTurn, sendInvalid, turnOf } from '../../assertions/invalid-inputs.ts';
import { differences, expectFound, expectRows } from '../../assertions/same-record.ts';
import { dataOf, type Exchange } from '../../exchange/exchange.ts';
import { noUuid, otherCase, sameId } from '../../exchange/same-id.ts';
import { serverNowMs } from '../../exchange/stated-limits.ts';
import { about } from '../../judge/claims.ts';
import { show } from '../../judge/ledger.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';
import type { Judged } from '../../probe/confirm.ts';
import type { Row } from '../../probe/facts.ts';
import type { Probe } from '../../probe/probe.ts';
import { invalidIds, nilUuid } from '../../scenarios/inputs.ts';

/** Enough for one of each status and some of each page. */
const articlesMax = 14;
/** The article and the page that shows it again, and twice more if its time may be that of the read. */
const confirms = 4;

const byId: CheckRow = {
  id: 'articles/by-id',
  title: 'GET /articles/{id} returns the article as listed',
  cites: ['4.articles.get.endpoint', '4.articles.get.same-id', '4.articles.get.id'],
  cost: {
    requests: 4,
    optional: 2,
    least: 1,
    confirms: confirms,
    uses: ['articles'],
    withTime: { requests: articlesMax + 1, confirms: articlesMax },
  },
  async run(probe) {
    const first = await probe.facts.articles();
    const all = shownOf(probe);
    const far = all.slice(first.length);
    // Of the last ones, because a server might find only the newest. Preferably unpublished, because it might hide
    // drafts. Each status in turn, with few nulls or with most, where the article with fewest comes next.
    const later = far.length > 0 ? far : all;
    const old = later.slice(Math.floor(later.length * (far.length > 0 ? 0.75 : 0.5)));
    const drafts = old.filter(({ row }) => row.status !== 'published').sort(byFulness);
    const states = [...new Set(drafts.map(({ row }) => row.status))];
    const state = states[turnOf(probe.settings.seed >> 1, states.length)];
    const isMostNulls = isSecondTurn(probe, 0) || probe.requestsLeft() >= 1;
    // Preferably not of the first site: a server might return the same site for all.
    const inState = drafts.filter(({ row }) => row.status === state);
    const [site] = await probe.facts.sites();
    const ofOthers = inState.filter(({ row }) => !sameId(row.siteId, site?.id));
    const shown = (ofOthers.length > 0 ? ofOthers : inState).at(isMostNulls ? -1 : 0) ?? old[0];
    if (shown === undefined) return probe.stop('precondition', 'the organization has no article');
    // A null hides the format of a field.
    const full = [...old, ...far, ...all].sort(byFulness).slice(0, 1);
    const young = newest(all);
    for (const one of new Set([...young, shown, ...full, ...(hasTime(probe) ? pick(all) : [])])) {
      if (!young.includes(one) && !hasTime(probe) && probe.requestsLeft() < 1) return;
      if (!(await expectArticle(probe, one))) return;
    }
    // A cache may return it in another way.
    if (hasTime(probe)) await expectArticle(probe, shown, 'again');
  },
};

/** Fewest nulls first, then the longest: a null agrees with many a mistake, and a long text may be cut. */
function byFulness({ row: one }: Shown, { row: other }: Shown): number {
  const nulls = (row: Shown['row']) => Object.values(row).filter((value) => value === null).length;
  return nulls(one) - nulls(other) || JSON.stringify(other).length - JSON.stringify(one).length;
}

/** So many count as new. */
const newMax = 10;

/** One of several instances may not have these yet: the newest article, and the next one of another status. */
function newest(all: readonly Shown[]): readonly Shown[] {
  const at = ({ row }: Shown) => parseTimestamp(row.createdAt) ?? 0n;
  const [first, ...others] = [...all].sort((one, other) => Number(at(other) - at(one))).slice(0, newMax);
  const second = others.find(({ row }) => row.status !== first?.row.status) ?? others[0];
  return [first, second].filter((one) => one !== undefined);
}

/** Every article that pages have shown, those of the first page first, and those of one site last. */
function shownOf(probe: Probe): Shown[] {
  const place = ({ query }: { readonly query: URLSearchParams }) =>
    query.has('siteId') ? 2 : Number(query.has('cursor') || query.get('limit') !== String(articlesLimit.max));
  return shownIn(readsOf(probe).sort((a, b) => place(a) - place(b)));
}

/** Asks for an article of a page. Returns whether the response is as it should be. */
async function expectArticle(probe: Probe, shown: Shown, turn?: 'again'): Promise<boolean> {
  const params = { id: shown.row.id };
  const exchange = await (turn === 'again'
    ? probe.send({ operation: 'getArticle', params })
    : probe.get('getArticle', params));
  const witnessed = { rows: [shown.row], witness: shown.read.exchange };
  if (!(await expectFound(probe, exchange, { clause: '4.articles.get.endpoint', ...witnessed }))) return false;
  return exchange.status !== 200 || expectSame(probe, shown, exchange);
}

/** Compared field by field. A server can compute a score for each read, but it does not lose one. */
const comparedFields = fields.Article.filter((name) => name !== 'id');
const isComputed = (name: string, single: Row) => name === 'seoScore' && single.seoScore !== null;
const fixedFields: readonly string[] = ['createdAt', 'siteId'];

/** The article as the list shows it. */
async function expectSame(probe: Probe, { row, read }: Shown, exchange: Exchange): Promise<boolean> {
  const clause = '4.articles.get.same-id';
  const words = { ...about(exchange, clause, '/data/id'), expected: show(row.id), actual: show(dataOf(exchange).id) };
  if (!probe.holds(sameId(dataOf(exchange).id, row.id), words)) return false;
  const differ =
    (isTime: boolean) =>
    ([list, single]: readonly [Exchange, Exchange]) => {
      const listed = readsIn([list])[0]?.rows.find(({ id }) => sameId(id, row.id));
      if (listed === undefined) return [];
      const names = comparedFields.filter((name) => !isComputed(name, dataOf(single)));
      const found = differences(single, { listed, list, clause }, names);
      // A list can lag after a recent update; with one updatedAt, or two old ones, there is no lag.
      const mayLag = found.some(isAbout('updatedAt')) && [listed, dataOf(single)].some((one) => isRecent(one, single));
      const isMild = (one: Judged) =>
        !fixedFields.some((name) => isAbout(name)(one)) && (mayLag || isAbout('seoScore')(one));
      return found.map((one): Judged => (!isTime && isMild(one) ? { ...one, severity: 'warn' } : one));
    };
  const pair = [read.exchange, exchange] as const;
  const [first, ...others] = differ(false)(pair);
  const isOnly = first !== undefined && others.length === 0 && isAbout('updatedAt')(first);
  const isTime = isOnly && (await showsTimeOfRead(probe, row.id, exchange));
  return (await probe.judge(pair, differ(isTime))) !== 'stands';
}

const isAbout = (name: string) => (one: Judged) => one.pointer === `/data/${name}`;

/** Whether the last update is so recent, by the clock of the server or by ours, that a copy may not have it yet. */
function isRecent({ updatedAt }: Row, exchange: Exchange): boolean {
  const time = parseTimestamp(String(updatedAt));
  const nowMs = Math.min(serverNowMs(exchange) ?? exchange.sentAt, exchange.sentAt);
  return time == null || nowMs - Number(time / 1_000_000n) < dayMs;
}

/** Three reads whose `updatedAt` differ by the time between the reads: no real change is so regular. */
async function showsTimeOfRead(probe: Probe, id: string, first: Exchange): Promise<boolean> {
  const all = [first, await probe.send(byIdAgain(id)), await probe.send(byIdAgain(id))];
  const times = all.map((reading) => parseTimestamp(String(dataOf(reading).updatedAt)));
  return all.every((reading, index) => {
    const [before, time, timeBefore] = [all[index - 1], times[index], times[index - 1]];
    if (before === undefined) return true;
    if (time == null || timeBefore == null || time === timeBefore) return false;
    const apartMs = Number((time - timeBefore) / 1_000_000n);
    const grainMs = time % 1_000_000_000n === 0n ? 1000 : ownGrainMs;
    const least = reading.sentAt - before.receivedAt - grainMs;
    return apartMs >= least && apartMs <= reading.receivedAt - before.sentAt + grainMs;
  });
}

const ownGrainMs = 20;

/** The last one of all, one of each status, the ones with most and fewest nulls, then from the first on. */
function pick(all: readonly Shown[]): Shown[] {
  const states = [...new Set(all.map(({ row }) => row.status))];
  const ofEach = states.flatMap((state) => all.findLast(({ row }) => row.status === state) ?? []);
  const byNulls = [...all].sort(byFulness);
  return [...new Set([...all.slice(-1), ...ofEach, ...byNulls.slice(-1), ...byNulls.slice(0, 1), ...all])].slice(
    0,
    articlesMax,
  );
}

/** Hexadecimal digits have no case, and yet the contract does not say it: hence only a "should". */
const inCapitals: CheckRow = {
  id: 'articles/capitals',
  title: 'GET /articles treats article and site ids as case-insensitive',
  cites: ['4.articles.get.id', '4.articles.list.site-id'],
  level: 'should',
  phase: 'rejections',
  after: ['articles/by-id'],
  needs: ['extended'],
  // The same in their own case, where the other finds nothing: the article may be gone (R59).
  cost: { requests: 2, confirms: 4, uses: ['articles'] },
  async run(probe) {
    const [article] = await probe.facts.articles();
    const { id, siteId } = article ?? probe.stop('precondition', 'the organization has no article');
    if (!/[a-f]/i.test(id) || !/[a-f]/i.test(siteId)) return probe.stop('vacuous', 'the ids have no letters');
    const single = await probe.get('getArticle', { id: otherCase(id) });
    const rows = [{ id }];
    await expectFound(probe, single, { clause: '4.articles.get.id', rows, witness: byIdAgain(id) });
    const ofSite = { siteId: otherCase(siteId), limit: 1 };
    const list = await probe.get('listArticles', ofSite);
    const witness = { operation: 'listArticles', params: { ...ofSite, siteId } } as const;
    await expectRows(probe, list, { clause: '4.articles.list.site-id', rows: [{ id, siteId }], witness });
  },
};

const unknownId: CheckRow = {
  id: 'articles/unknown-id',
  title: 'GET /articles/{id} returns 404 for an unknown id',
  cites: ['4.articles.get.not-found', '1.unknown-record', '4.articles.get.id', '4.articles.get.malformed-id'],
  cost: {
    requests: 2,
    least: 2,
    confirms: 2,
    withTime: { requests: invalidIds.length + 2, confirms: invalidIds.length + 2, uses: ['articles'] },
  },
  async run(probe) {
    await expectNone(probe);
    if (!hasTime(probe)) return expectInvalid(probe, [drawn(probe, invalidIds, 3)]);
    const [article] = await probe.facts.articles();
    // A server that looks up a part of the id, or the nearest one, would return the first article. The slug finds
    // servers that look up articles by anything but their id.
    if (article) await expectNone(probe, article.id.slice(0, -tailDigits) + probe.facts.unknownId.slice(-tailDigits));
    await expectInvalid(probe, [noUuid(article?.slug), ...invalidIds, nilUuid]);
  },
};

/** The last group of a UUID. */
const tailDigits = 12;

/** The id is well formed, so only 404 is right. */
async function expectNone(probe: Probe, near?: string): Promise<void> {
  const read = (id: string) => probe.get('getArticle', { id });
  const exchange = near === undefined ? await askForNone(probe, 'getArticle', read) : await read(near);
  const proves = ['4.articles.get.not-found', '1.unknown-record'] as const;
  probe.expectRejection(exchange, { status: 404, code: 'not_found', clause: '4.articles.get.not-found', proves });
}

async function expectInvalid(probe: Probe, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const exchange = await sendInvalid(probe, { operation: 'getArticle', params: { id } });
    probe.expectStatus(exchange, [404, 400], '4.articles.get.id');
  }
}

// One after the other: a cache that ignores the id may keep an article only for some seconds.
export const articleById = defineChecks({ phase: 'read' }, [unknownId, byId, inCapitals]);
