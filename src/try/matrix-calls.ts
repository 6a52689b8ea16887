// The part of the matrix in which the call log is special, or the client is started again.
import type { Shape } from '../contract/shape.ts';
import type { Engine } from '../engine/engine.ts';
import type { Json } from '../mutants/hooks/rewrite.ts';
import { type CallPlan, pastCalls, type Row, usualCalls } from './cell.ts';
import { edited, encoded, extra, onPart } from './matrix-formats.ts';

/** More calls than fit on a page. */
function withManyCalls(usual: readonly CallPlan[]): CallPlan[] {
  return [...usual, ...Array.from({ length: 205 }, () => ({ visibleS: 50 }))];
}

const tied = {
  past: pastCalls.map((call, i) => (i > 3 ? { visibleS: -1500 } : call)),
  calls: usualCalls.map((call, i) => (i > 0 && i < 4 ? { visibleS: 95 } : call)),
};
const late = {
  past: pastCalls.map((call, i) => (i === 3 ? { visibleS: 0, endedS: -3600 } : call)),
  calls: usualCalls.map((call, i) => (i === 3 ? { visibleS: 250, endedS: -500 } : call)),
};
const ownFields = 'id status direction from to agent startedAt endedAt durationS outcome'.split(' ');
const own: Shape = { type: 'string', form: 'own', nullable: true };
const widerCall: Shape = {
  type: 'object',
  fields: { ...Object.fromEntries(ownFields.map((name) => [name, own])), extra },
};
/** Fields of calls are not shown. Cites 2.call-record. */
const otherCallFields = onPart(['listCalls'], ['data.calls'], (calls) =>
  (calls as Readonly<Record<string, Json>>[]).map(({ id: reference = null, ...fields }) => ({ reference, ...fields })),
);
const pollsOnly = ['listCalls'] as const;

// biome-ignore format: one row a line
const rows: readonly Row[] = [
  ['calls/ties', 'ends several calls at the same time', '4.calls.exactly-once', pollsOnly, { ...tied, drawsLow: true }],
  ['calls/ties-apart', 'delivers calls of the same time on separate pages', '4.calls.exactly-once', pollsOnly,
    { ...tied, behavior: { callsPageCap: 1 }, extraMs: 240_000 }],
  ['calls/late', 'reports a call late, after calls that ended later', '4.calls.exactly-once', pollsOnly, late],
  ['calls/single', 'sends 1 call on a page', '4.calls.exactly-once', pollsOnly, { behavior: { callsPageCap: 1 }, extraMs: 240_000 }],
  ['calls/many', 'delivers 205 calls at once', '6.full-page', pollsOnly, { calls: withManyCalls(usualCalls), extraMs: 120_000, delivers: 'full' }],
  // The first poll often has no calls, and the next one 205.
  ['calls/many-500', 'delivers 205 calls at once, and returns a 500 once for the next page', '6.full-page', pollsOnly,
    { calls: withManyCalls(usualCalls), extraMs: 180_000, fault: { error: 'internal_error', skip: 2, times: 1 }, succeeds: false }],
  ['calls/offset', 'sends cursors of the call log with an offset', '6.store-cursor', pollsOnly,
    { behavior: { callCursor: 'YYYY-MM-DDThh:mm:ss.fffffffff+00:00' }, remedy: encoded, needsNext: true, extraMs: 60_000 }],
  ['calls/seconds', 'sends cursors of the call log in whole seconds', '6.store-cursor', pollsOnly,
    { behavior: { callCursor: 'YYYY-MM-DDThh:mm:ssZ' }, needsNext: true, extraMs: 60_000 }],
  ['calls/snapshot-cursor', 'sends a cursor without since too', '4.calls.snapshot-cursor', pollsOnly,
    { behavior: { snapshotCursor: 'string' }, delivers: 'snapshot' }],
  ['calls/other-fields', 'sends the id of each call in another field', '2.call-record', pollsOnly,
    { about: 'call-fields', wrap: otherCallFields, succeeds: false }],
  ['calls/unknown-fields', 'adds unknown fields to calls', '4.calls.beyond-shape', pollsOnly, { behavior: { callRecord: widerCall, callSummary: 'absent' } }],
];

/** A page without calls tests nothing. */
export const callRows = rows.map(
  ([id, title, clause, place, setUp]): Row => [id, title, clause, place, { delivers: 'calls', ...setUp }],
);

// The part in which the client runs twice in one folder, so its stored data must survive.

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
