// The part of the matrix in which the client runs twice in one folder, so its stored data must survive.
import type { WorldData } from '../domain/world-data.ts';
import type { Engine } from '../engine/engine.ts';
import { type Cell, pastCalls } from './cell.ts';

export const pagedLists = ['listArticles', 'listReviews'] as const;
/** So clients that ask for large pages read several too. */
export const shortPages = { articlePageCap: 5, reviewPageSize: 5 };

/** A poller is stopped once, and a job is started each minute. */
function restarted(name: string, cell: Partial<Cell>): Omit<Cell, 'title'> {
  return {
    ...{ id: `restart/${name}`, dimension: 'restart', operations: ['listCalls'], succeeds: true, extraMs: 120_000 },
    ...{ clauses: ['6.store-cursor'], restart: { afterS: 20, downS: 80, everyS: 60 }, ...cell },
  };
}

/** Enough for a client that takes some time for each call. */
const pageOfCalls = Array.from({ length: 45 }, () => ({ visibleS: 30 }));

/** A job that ends runs twice. */
const twice = { afterS: 400, downS: 1 } as const;

/** Their effects stay after a run. */
const repeated = ['getInsights', 'createConnectLink', 'createPost', 'replyToReview'] as const;

/** Titles of the first run, and those of the second. */
export const titleWords = ['early', 'renewed'] as const;
export const lateArticleId = '7c1d5e2f-4b1f-4c58-9d8e-2f6a90b3c7ff';

const titled = (world: WorldData): WorldData => ({
  ...world,
  organizations: world.organizations.map((organization) => ({
    ...organization,
    articles: organization.articles.map((article, i) => ({ ...article, title: `Menu ${titleWords[0]}-${i}-menu` })),
  })),
});

/** Each article gets another title, and one is new. */
function renew(engine: Engine): void {
  for (const { id, articles } of engine.world.organizations.values()) {
    const all = articles.toData();
    for (const [i, article] of all.entries())
      engine.putArticle(id, { id: article.id, title: `Menu ${titleWords[1]}-${i}-menu` });
    engine.putArticle(id, { status: all[0]?.status ?? 'draft', id: lateArticleId, title: 'Menu of today' });
    return;
  }
}

/** Customers open their links, and connect nothing. */
function useLinks({ world, clock }: Engine): void {
  for (const { links } of world.organizations.values())
    for (const [token, link] of links) links.set(token, { ...link, usedAtMs: clock.now() });
}

/** For clients that store their position or their writes in files. */
export const restartCells: readonly Cell[] = [
  {
    ...restarted('poll', { past: pastCalls.map(() => ({ visibleS: 100_000 })) }),
    title: 'has two new calls while the client is stopped, before the client got the first',
  },
  {
    ...restarted('poll-single', { behavior: { callsPageCap: 1 } }),
    title: 'sends 1 call on a page, while the client is stopped and started again',
  },
  // Before a client can read the second page, and before one that takes some time for each call is ready.
  ...(
    [
      ['poll-stopped', 2],
      ['poll-killed', 2, 'SIGKILL'],
      ['poll-killed-soon', 0.5, 'SIGKILL'],
    ] as const
  ).map(([name, afterS, signal]): Cell => {
    const restart = { from: 'calls', afterS, downS: 10, everyS: 60, ...(signal && { signal }) } as const;
    return {
      ...restarted(name, { calls: pageOfCalls, clauses: ['6.handle-all'], restart }),
      title: `sends 45 calls, and the client is ${signal ? 'killed' : 'stopped'} ${afterS} s later and started again`,
    };
  }),
  {
    ...{ id: 'restart/again', dimension: 'restart', clauses: ['4.connect.insights.range'], about: 'second-run' },
    ...{ title: 'returns the same records when the client is started again', restart: twice, operations: repeated },
    succeeds: true,
  },
  {
    ...{ id: 'restart/changed', dimension: 'restart', operations: ['listArticles'], succeeds: true, extraMs: 120_000 },
    title: 'has another title for each article and a new article when the client is started again',
    ...{ clauses: ['2.article.updated-at'], world: titled, behavior: { ...shortPages, articleOrder: 'oldest' } },
    ...{ about: 'changes', restart: { ...twice, between: renew } },
  },
  {
    ...{ id: 'restart/link-used', dimension: 'restart', operations: ['createConnectLink'], succeeds: true },
    title: 'creates connect links, which are used before the client is started again',
    ...{ about: 'used-links', clauses: ['3.link.single-use'], restart: { ...twice, between: useLinks } },
  },
  {
    ...{ id: 'restart/page-401', dimension: 'restart', operations: pagedLists, succeeds: false, extraMs: 240_000 },
    title: 'rejects the second page of each list with unauthorized when the client is started again',
    ...{ clauses: ['7.code.unauthorized'], behavior: shortPages },
    restart: { ...twice, fault: { error: 'unauthorized', skip: 1 } },
  },
  {
    ...{ id: 'restart/write-503', dimension: 'restart', target: 'write', succeeds: false, extraMs: 240_000 },
    title: 'responds to each write but the first with a 503 until the client is started again',
    clauses: ['7.code.transient'],
    fault: { error: 'transient', skip: 1 },
    restart: { afterS: 200, downS: 1 },
  },
  {
    ...{ id: 'restart/write-lost', dimension: 'restart', target: 'write', succeeds: false, extraMs: 240_000 },
    title: 'carries out each write, but closes its connection without a response until the client is started again',
    ...{ clauses: ['7.retry.back-off'], fault: { network: 'empty' }, restart: { afterS: 200, downS: 1 } },
  },
  {
    ...{ id: 'restart/write-killed', dimension: 'restart', target: 'write', succeeds: false, extraMs: 240_000 },
    title: 'responds to each write after 20 s, and the client is killed before the first of them and started again',
    ...{ clauses: ['7.retry.back-off'], fault: { latencyMs: 20_000 } },
    restart: { from: 'write', afterS: 1, downS: 1, signal: 'SIGKILL' },
  },
  {
    ...{ id: 'restart/overlap', dimension: 'restart', target: 'write', succeeds: false, extraMs: 240_000 },
    title: 'responds to each write after 20 s, and the client is started again before it ends',
    ...{ clauses: ['4.connect.create-post.endpoint'], fault: { latencyMs: 20_000 } },
    restart: { from: 'write', afterS: 5, downS: 0, overlaps: true },
  },
];
