// The part of the matrix in which the client runs twice in one folder, so its stored data must survive.
import type { Engine } from '../engine/engine.ts';
import { pastCalls, type Row } from './cell.ts';
import { edited } from './matrix-formats.ts';

export const pagedLists = ['listArticles', 'listReviews'] as const;
/** So clients that ask for large pages read several too. */
export const shortPages = { articlePageCap: 5, reviewPageSize: 5 };

/** A poller is stopped once, and a job is started each minute. */
const polled = { extraMs: 120_000, restart: { afterS: 20, downS: 80, everyS: 60 } } as const;

/** Enough for a client that takes some time for each call. */
const pageOfCalls = Array.from({ length: 45 }, () => ({ visibleS: 30 }));

/** A job that ends runs twice. */
const twice = { afterS: 400, downS: 1 } as const;

/** Their effects stay after a run. */
const repeated = ['getInsights', 'createConnectLink', 'createPost', 'replyToReview'] as const;

/** Titles of the first run, and those of the second. */
export const titleWords = ['early', 'renewed'] as const;
export const lateArticleId = '7c1d5e2f-4b1f-4c58-9d8e-2f6a90b3c7ff';

const titled = edited({ articles: (_, i) => ({ title: `Menu ${titleWords[0]}-${i}-menu` }) });

/** Each article gets another title, and one is new. */
function renew(engine: Engine): void {
  const [{ id, articles } = {}] = engine.world.organizations.values();
  const [all, titles] = [articles?.toData() ?? [], titleWords[1]];
  const put = (changes: Parameters<Engine['putArticle']>[1]) => engine.putArticle(id ?? '', changes);
  for (const [i, article] of all.entries()) put({ id: article.id, title: `Menu ${titles}-${i}-menu` });
  put({ status: all[0]?.status ?? 'draft', id: lateArticleId, title: 'Menu of today' });
}

/** Customers open their links, and connect nothing. */
function useLinks({ world, clock }: Engine): void {
  for (const { links } of world.organizations.values())
    for (const [token, link] of links) links.set(token, { ...link, usedAtMs: clock.now() });
}

/** Another run of a client whose writes have no response, or none that it got. */
const interrupted = { extraMs: 240_000, restart: { afterS: 200, downS: 1 } } as const;

/** For clients that store their position or their writes in files. */
// biome-ignore format: one row a line
export const restartRows: readonly Row[] = [
  ['restart/poll', 'has two new calls while the client is stopped, before the client got the first', '6.store-cursor', ['listCalls'],
    { ...polled, past: pastCalls.map(() => ({ visibleS: 100_000 })) }],
  ['restart/poll-single', 'sends 1 call on a page, while the client is stopped and started again', '6.store-cursor', ['listCalls'],
    { ...polled, behavior: { callsPageCap: 1 } }],
  // Before a client can read the second page, and before one that takes some time for each call is ready.
  ...([['poll-stopped', 2], ['poll-killed', 2, 'SIGKILL'], ['poll-killed-soon', 0.5, 'SIGKILL']] as const).map(
    ([name, afterS, signal]): Row => [`restart/${name}`,
      `sends 45 calls, and the client is ${signal ? 'killed' : 'stopped'} ${afterS} s later and started again`, '6.handle-all', ['listCalls'],
      { ...polled, calls: pageOfCalls, restart: { from: 'calls', afterS, downS: 10, everyS: 60, ...(signal && { signal }) } }]),
  ['restart/again', 'returns the same records when the client is started again', '4.connect.insights.range', repeated,
    { about: 'second-run', restart: twice }],
  ['restart/changed', 'has another title for each article and a new article when the client is started again', '2.article.updated-at',
    ['listArticles'], { extraMs: 120_000, world: titled, behavior: { ...shortPages, articleOrder: 'oldest' }, about: 'changes',
      restart: { ...twice, between: renew } }],
  ['restart/link-used', 'creates connect links, which are used before the client is started again', '3.link.single-use',
    ['createConnectLink'], { about: 'used-links', restart: { ...twice, between: useLinks } }],
  ['restart/page-401', 'rejects the second page of each list with unauthorized when the client is started again', '7.code.unauthorized',
    pagedLists, { ...interrupted, succeeds: false, behavior: shortPages, restart: { ...twice, fault: { error: 'unauthorized', skip: 1 } } }],
  ['restart/write-503', 'responds to each write but the first with a 503 until the client is started again', '7.code.transient', 'write',
    { ...interrupted, fault: { error: 'transient', skip: 1 } }],
  ['restart/write-lost', 'carries out each write, but closes its connection without a response until the client is started again',
    '7.retry.back-off', 'write', { ...interrupted, fault: { network: 'empty' } }],
  ['restart/write-killed', 'responds to each write after 20 s, and the client is killed before the first of them and started again',
    '7.retry.back-off', 'write', { ...interrupted, fault: { latencyMs: 20_000 },
      restart: { from: 'write', afterS: 1, downS: 1, signal: 'SIGKILL' } }],
  ['restart/overlap', 'responds to each write after 20 s, and the client is started again before it ends',
    '4.connect.create-post.endpoint', 'write', { ...interrupted, fault: { latencyMs: 20_000 },
      restart: { from: 'write', afterS: 5, downS: 0, overlaps: true } }],
];
