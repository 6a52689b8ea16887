// Articles by their ids, after the pages have shown some, including old ones; and ids that no article has.
import { articlesLimit } from '../../../src/contract/generated/limits.ts';
import { fields } from '../../../src/contract/generated/record-fields.ts';
import { parseTimestamp } from '../../../src/contract/timestamps.ts';
import { type Page, pagesIn, type Shown, shownOn } from '../../exchange/article-pages.ts';
import { dataOf } from '../../exchange/exchange.ts';
import type { History } from '../../exchange/history.ts';
import { rowsAt } from '../../exchange/records.ts';
import { noUuid, otherCase, sameId } from '../../exchange/same-id.ts';
import { agree } from '../../judge/confirmation.ts';
import { invalidIds, nilUuid } from '../inputs.ts';
import { type Asks, get, type Scenario, scenario, send, sendInvalid } from '../scenario.ts';

const { max: limit } = articlesLimit;
const noArticles = 'the organization has no article';

/** Every article that pages have shown, those of the first page first, and those of one site last. */
function shownIn(history: History): Shown[] {
  const place = ({ siteId, from, limit: size }: Page) =>
    siteId === null ? Number(from !== null || size !== limit) : 2;
  return [...shownOn([...pagesIn(history)].sort((a, b) => place(a) - place(b))).values()];
}

/** Fewest nulls first, then the longest: a null agrees with many a mistake, and a long text may be cut. */
function byFulness({ row: one }: Shown, { row: other }: Shown): number {
  const nulls = (row: Shown['row']) => Object.values(row).filter((value) => value === null).length;
  return nulls(one) - nulls(other) || JSON.stringify(other).length - JSON.stringify(one).length;
}

const newMax = 10;

/** One of several instances may not have these yet: the newest article, and the next one of another status. */
function newest(all: readonly Shown[]): readonly Shown[] {
  const at = ({ row }: Shown) => parseTimestamp(row.createdAt) ?? 0n;
  const [first, ...others] = [...all].sort((one, other) => Number(at(other) - at(one))).slice(0, newMax);
  const second = others.find(({ row }) => row.status !== first?.row.status) ?? others[0];
  return [first, second].filter((one) => one !== undefined);
}

/** The last articles: a server might find only the newest. Those after the first page where there are some. */
function oldest(all: readonly Shown[]): readonly Shown[] {
  const far = all.filter(({ page }) => page !== all[0]?.page);
  return far.length > 0 ? far.slice(Math.floor(far.length * 0.75)) : all.slice(Math.floor(all.length / 2));
}

/**
 * Preferably unpublished, because a server might hide drafts; with most nulls; and not of the first site, because it
 * might return the same site for all.
 */
function oldDraft(all: readonly Shown[], site: unknown): Shown | undefined {
  const drafts = oldest(all)
    .filter(({ row }) => row.status !== 'published')
    .sort(byFulness);
  return drafts.findLast(({ row }) => !sameId(row.siteId, site)) ?? drafts.at(-1) ?? oldest(all)[0];
}

const byId = scenario('articles/by-id', { least: 1, most: 3 }, function* ({ history }) {
  yield* get('listArticles', { limit });
  const all = shownIn(history());
  const [site] = rowsAt(yield* get('listSites'), '/data') ?? [];
  const old = oldDraft(all, site?.id);
  if (old === undefined) return noArticles;
  // A null hides the format of a field.
  for (const one of new Set([...newest(all).slice(0, 1), old, ...[...all].sort(byFulness).slice(0, 1)]))
    yield* read(one);
  return undefined;
});

/** An article that differs in its `updatedAt` only is read three times: it may be the time of the read. */
function* read({ row }: Shown): Asks<void> {
  const single = yield* get('getArticle', { id: row.id });
  const differ = fields.Article.filter((name) => !agree(row, dataOf(single), name));
  if (single.status !== 200 || differ.join() !== 'updatedAt') return;
  for (let turn = 2; turn <= 3; turn += 1) yield* send({ operation: 'getArticle', params: { id: row.id } });
}

/** Enough for one of each status and some of each page. */
const articlesMax = 14;

const many = scenario('articles/many-by-id', { least: 2, most: articlesMax + 1 }, function* ({ history }) {
  yield* get('listArticles', { limit });
  const all = shownIn(history());
  const [last] = all.slice(-1);
  if (last === undefined) return noArticles;
  const states = [...new Set(all.map(({ row }) => row.status))];
  const ofEach = states.flatMap((state) => all.findLast(({ row }) => row.status === state) ?? []);
  const byNulls = [...all].sort(byFulness);
  const chosen = new Set([...newest(all), last, ...ofEach, ...byNulls.slice(-1), ...byNulls.slice(0, 1), ...all]);
  for (const one of [...chosen].slice(0, articlesMax)) yield* read(one);
  // A cache may return it in another way.
  yield* send({ operation: 'getArticle', params: { id: last.row.id } });
  return undefined;
});

const otherCases = scenario('articles/capitals', { least: 2, most: 2 }, function* () {
  const [article] = rowsAt(yield* get('listArticles', { limit }), '/data', ['id', 'siteId']) ?? [];
  if (article === undefined) return noArticles;
  const [id, siteId] = [otherCase(article.id), otherCase(article.siteId)];
  if (id === otherCase(id) || siteId === otherCase(siteId)) return 'the ids have no letters';
  yield* send({ operation: 'getArticle', params: { id }, label: 'article by an id in the other case' });
  const label = 'articles by a siteId in the other case';
  yield* send({ operation: 'listArticles', params: { siteId, limit: 1 }, label });
  return undefined;
});

function* sendIds(ids: readonly string[]): Asks<void> {
  for (const id of ids) {
    yield* sendInvalid({ operation: 'getArticle', params: { id }, label: 'article with an invalid id' });
  }
}

const unknown = scenario('articles/unknown-id', { least: 2, most: 2 }, function* ({ history }) {
  yield* get('getArticle', { id: history().given.unknownId });
  // The slug finds servers that look up articles by anything but their id.
  const [article] = rowsAt(yield* get('listArticles', { limit }), '/data') ?? [];
  yield* sendIds([noUuid(article?.slug)]);
});

const tailDigits = 12;

const invalidRow = { least: invalidIds.length + 1, most: invalidIds.length + 2 } as const;
const invalid = scenario('articles/invalid-ids', invalidRow, function* ({ history }) {
  const { unknownId } = history().given;
  const [article] = rowsAt(yield* get('listArticles', { limit }), '/data', ['id']) ?? [];
  // A server that looks up a part of the id, or the nearest one, would return the first article.
  const near = article && article.id.slice(0, -tailDigits) + unknownId.slice(-tailDigits);
  if (near !== undefined) yield* get('getArticle', { id: near });
  yield* sendIds([...invalidIds, nilUuid]);
});

export const singleScenarios: readonly Scenario[] = [byId, many, otherCases, unknown, invalid];
