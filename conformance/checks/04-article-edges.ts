// What rarer servers get wrong in pages of articles: near neighbours at an edge, the end of a long list, a limit behind a
// cursor or beside a filter, limits out of range. An hourly audit has no requests for it.
import { parseInstant } from '../../src/contract/instants.ts';
import { type Check, defineChecks } from '../check.ts';
import { type Exchange, isObject } from '../exchange.ts';
import { type ArticleRow, rowsOf } from '../facts.ts';
import { show } from '../ledger.ts';
import type { Probe } from '../probe.ts';
import { sameId } from '../same-id.ts';
import { thorough } from './thorough.ts';

const SECOND_NS = 1_000_000_000n;
const MS_NS = 1_000_000n;
const PAGES_MAX = 5;

function cursorOf({ json }: Exchange): string | null {
  return isObject(json) && typeof json.cursor === 'string' ? json.cursor : null;
}

function rowsIn(exchange: Exchange): readonly ArticleRow[] {
  return rowsOf<ArticleRow>(exchange, ['data'], ['id', 'createdAt']);
}

/** Articles before a cut between neighbours that lie less than a millisecond apart, else less than a second; not at a tie. */
function nearCut(rows: readonly ArticleRow[]): number | null {
  const instants = rows.map(({ createdAt }) => parseInstant(createdAt));
  const cutWithin = (spanNs: bigint) =>
    instants.findIndex((instant, index) => {
      const before = index === 0 ? null : (instants[index - 1] ?? null);
      if (instant === null || before === null || instant === before) return false;
      // Another article of the same instant would make the edge a tie (R17).
      const isTied = instants.filter((other) => other === before).length > 1;
      const gap = instant > before ? instant - before : before - instant;
      return !isTied && gap < spanNs;
    });
  return [cutWithin(MS_NS), cutWithin(SECOND_NS)].find((at) => at > 0) ?? null;
}

const nearNeighbours: Check = {
  id: 'articles/near-neighbours',
  title: 'A page of GET /articles cut between articles of nearly one instant goes on with the next one',
  cites: ['4.articles.list.walk', '4.articles.list.cursor'],
  level: 'must',
  phase: 'refusals',
  after: ['articles/page-walk'],
  needs: thorough,
  // Two pages, and the whole one again when they do not fit.
  cost: { requests: 2, confirms: 1, uses: ['articles'] },
  async run(probe) {
    const all = await probe.facts.articles();
    const at = nearCut(all) ?? probe.stop('vacuous', 'no two articles were created within one second');
    const before = await probe.get('listArticles', { limit: at });
    const cursor = cursorOf(before);
    if (rowsIn(before).length !== at || cursor === null) return probe.stop('precondition', 'the page is a short one');
    const after = await probe.get('listArticles', { limit: 100, cursor });
    const [next, found] = [all[at], rowsIn(after)[0]];
    const isNext = sameId(next?.id, found?.id) || (found !== undefined && found.createdAt === next?.createdAt);
    if (!isNext && (await hasChanged(probe, all))) return probe.stop('interference', 'the articles changed meanwhile');
    probe.holds(isNext, {
      clause: '4.articles.list.walk',
      pointer: '/data/0/id',
      expected: `${show(next?.id)}, created just before or after ${cursor}`,
      actual: show(found?.id),
      exchange: after,
    });
  },
};

async function hasChanged(probe: Probe, all: readonly ArticleRow[]): Promise<boolean> {
  const again = rowsIn(await probe.send({ operation: 'listArticles', params: { limit: 100 } }));
  return again.map(({ id }) => id).join() !== all.map(({ id }) => id).join();
}

const toTheEnd: Check = {
  id: 'articles/to-the-end',
  title: 'Following the cursor of GET /articles in long pages comes to an end',
  cites: ['4.articles.list.end', '4.articles.list.walk'],
  level: 'must',
  phase: 'refusals',
  after: ['articles/page-walk'],
  needs: thorough,
  cost: { requests: PAGES_MAX, uses: ['articles'] },
  async run(probe) {
    let page = await probe.get('listArticles', { limit: 100 });
    for (let read = 0; read < PAGES_MAX; read += 1) {
      const cursor = cursorOf(page);
      const claim = { clause: '4.articles.list.end', pointer: '/cursor', exchange: page } as const;
      if (cursor === null) return void probe.holds(true, { ...claim, expected: 'an end', actual: 'null' });
      page = await probe.get('listArticles', { limit: 100, cursor });
      if (!probe.expectStatus(page, 200, '4.articles.list.cursor')) return;
      const next = cursorOf(page);
      const isStuck = next !== null && (next === cursor || rowsIn(page).length === 0);
      const words = { expected: 'a cursor that moves on, or null', actual: show(next) };
      if (!probe.holds(!isStuck, { ...claim, ...words, exchange: page })) return;
    }
    probe.doubt('budget', `the list goes on after ${PAGES_MAX} pages`);
  },
};

const laterLimit: Check = {
  id: 'articles/later-limit',
  title: 'A limit of 1 holds behind a cursor as well, and beside a siteId it shows an article of that site',
  cites: ['4.articles.list.limit-ceiling', '4.articles.list.walk', '4.articles.list.site-id'],
  level: 'must',
  phase: 'refusals',
  after: ['articles/list'],
  needs: thorough,
  // A page behind a cursor, a page of a site, and the list again when that is empty.
  cost: { requests: 2, confirms: 1, uses: ['articles', 'one article'] },
  async run(probe) {
    const cursor = cursorOf(await probe.get('listArticles', { limit: 1 }));
    if (cursor !== null) {
      const later = await probe.get('listArticles', { limit: 1, cursor });
      const claim = { clause: '4.articles.list.limit-ceiling', pointer: '/data', exchange: later } as const;
      const rows = rowsIn(later).length;
      probe.holds(rows <= 1, { ...claim, expected: 'at most 1 article', actual: `${rows}` });
    }
    const all = await probe.facts.articles();
    // The site whose first article stands furthest behind the first ones.
    const last =
      [...new Set(all.map(({ siteId }) => siteId))].at(-1) ?? probe.stop('vacuous', 'the organization has no article');
    const ofSite = await probe.get('listArticles', { siteId: last, limit: 1 });
    if (ofSite.status !== 200) return void probe.expectStatus(ofSite, 200, '4.articles.list.site-id');
    const isEmpty = rowsIn(ofSite).length === 0;
    if (isEmpty && (await hasChanged(probe, all))) return probe.stop('interference', 'the articles changed meanwhile');
    probe.holds(!isEmpty, {
      clause: '4.articles.list.walk',
      pointer: '/data',
      expected: 'an article of the site',
      actual: isEmpty ? 'none' : 'one',
      exchange: ofSite,
    });
  },
};

const ODD_LIMITS = ['-1', '0', '101', '1000', 'abc', '1.5', ''] as const;

const oddLimits: Check = {
  id: 'articles/odd-limits',
  title:
    'A limit that is no number from 1 to 100 is refused, brought into range or ignored, and shows no more than 100 articles',
  cites: ['4.articles.list.limit-ceiling', '8.articles-limit', '4.articles.list.statuses', '4.articles.list.bad-query'],
  level: 'must',
  phase: 'refusals',
  needs: thorough,
  cost: { requests: ODD_LIMITS.length, least: ODD_LIMITS.length },
  async run(probe) {
    for (const limit of ODD_LIMITS) {
      const exchange = await probe.get('listArticles', { limit });
      const isTaken = probe.expectStatus(exchange, [200, 400, 404], '4.articles.list.statuses');
      if (!isTaken || exchange.status !== 200) continue;
      const rows = rowsOf(exchange, ['data']).length;
      // How many there are is not known here, so few rows prove nothing.
      const claim = { clause: '4.articles.list.limit-ceiling', proves: [], pointer: '/data', exchange } as const;
      probe.holds(rows <= 100, { ...claim, expected: 'at most 100 articles', actual: `${rows}` });
    }
  },
};

const malformedSite: Check = {
  id: 'articles/malformed-site-id',
  title: 'A siteId that is no UUID is refused or ignored by GET /articles without breaking it',
  cites: ['4.articles.list.statuses', '4.articles.list.bad-query', '4.articles.list.limit-ceiling'],
  level: 'must',
  phase: 'refusals',
  needs: thorough,
  cost: { requests: 1, least: 1 },
  async run(probe) {
    const exchange = await probe.get('listArticles', { siteId: 'no-uuid', limit: 100 });
    const isTaken = probe.expectStatus(exchange, [200, 400, 404], '4.articles.list.statuses');
    if (!isTaken || exchange.status !== 200) return;
    const rows = rowsOf(exchange, ['data']).length;
    const claim = { clause: '4.articles.list.limit-ceiling', proves: [], pointer: '/data', exchange } as const;
    probe.holds(rows <= 100, { ...claim, expected: 'at most 100 articles', actual: `${rows}` });
  },
};

const unknownSite: Check = {
  id: 'articles/unknown-site',
  title: 'GET /articles shows nothing of a site the organization does not have',
  cites: ['4.articles.list.site-id', '1.organization-scope', '4.articles.list.unknown-site'],
  level: 'must',
  phase: 'refusals',
  needs: thorough,
  cost: { requests: 1, least: 1 },
  async run(probe) {
    const exchange = await probe.get('listArticles', { siteId: probe.facts.unknownId });
    // A site that nobody has tells nothing of whose data is shown to whom.
    const about = { clause: '1.organization-scope', proves: [] } as const;
    if (!probe.expectStatus(exchange, [404, 200], about) || exchange.status === 404) return;
    const rows = rowsOf(exchange, ['data']).length;
    const claim = { clause: '4.articles.list.site-id', pointer: '/data', exchange } as const;
    probe.holds(rows === 0, { ...claim, expected: 'no articles', actual: `${rows} articles` });
  },
};

export const articleEdges = defineChecks([nearNeighbours, toTheEnd, laterLimit, oddLimits, malformedSite, unknownSite]);
