// A second key of another organization sees nothing of the first one's.

import { articlesLimit } from '../../../src/contract/generated/limits.ts';
import type { OperationId } from '../../../src/contract/generated/operations.ts';
import { count } from '../../../src/terminal/count.ts';
import { passGate, readCalls } from '../../assertions/call-log/log.ts';
import { isSecondTurn } from '../../assertions/invalid-inputs.ts';
import { expectApart, isAlike, isDistinctive, readsOfShared } from '../../assertions/organizations.ts';
import { accountOf, isOfPattern, tag, writtenCheck } from '../../assertions/writes.ts';
import { dataOf, type Exchange, nameOfResponse } from '../../exchange/exchange.ts';
import { recordsIn } from '../../exchange/records.ts';
import type { RequestSpec } from '../../exchange/request.ts';
import { isUniqueName } from '../../exchange/same-id.ts';
import type { Rejection } from '../../judge/expect.ts';
import { segmentOf } from '../../observe/look.ts';
import { type Check, type CheckRow, defineChecks } from '../../probe/check.ts';
import { type AccountRow, rowsOf } from '../../probe/facts.ts';
import type { Probe } from '../../probe/probe.ts';

const needs = ['second-key'] as const;

/** The lists of both organizations. */
const ownedLists = [
  { operation: 'listSites', params: {}, clause: '4.sites.list' },
  { operation: 'listArticles', params: { limit: articlesLimit.max }, clause: '1.organization-scope' },
  { operation: 'listAccounts', params: {}, clause: '1.organization-scope' },
] as const;

const readsOf = (probe: Probe, key: 'good' | 'second') =>
  Promise.all(ownedLists.map(({ operation, params }) => probe.get(operation, params, key)));

/** No isolation and two keys of one organization look the same (interpretation R65). */
const oneOrganization =
  'both keys see exactly the same records: isolation is missing, or both keys belong to one organization';

/** Two keys of one organization would see the same: this check runs first, and the others depend on it. */
const lists: CheckRow = {
  id: 'isolation/lists',
  title: 'Lists contain no records of another organization',
  cites: ['1.organization-scope', '5.key-organization', '4.sites.list'],
  needs,
  cost: { requests: 0, uses: ['sites', 'articles', 'accounts', 'lists of the second key'] },
  async run(probe) {
    const [others, own] = [await readsOf(probe, 'second'), await readsOf(probe, 'good')];
    const rejected = others.find(({ status }) => status === 401);
    if (rejected) probe.stop('precondition', 'the second key is rejected with 401; check CONFORMANCE_SECOND_KEY');
    const isSame = own.every((exchange, i) => isAlike(exchange, others[i] as Exchange));
    for (const [i, { clause }] of ownedLists.entries()) {
      // A list that was not read proves nothing.
      if (own[i]?.status === 200)
        expectApart(probe, others[i] as Exchange, { clause, ...(isSame ? { message: oneOrganization } : {}) });
    }
  },
};

const listsAgain: CheckRow = {
  id: 'isolation/lists-again',
  title: 'At the end of the run, lists contain no records of another organization',
  cites: ['1.organization-scope', '5.key-organization', '4.sites.list'],
  phase: 'after bursts',
  needs,
  after: ['isolation/lists'],
  // Each list once more with the first key, because a cache by URL may keep a page for seconds only. Sites three times
  // with the second key, so a balancer sends them to as many instances.
  cost: { requests: 2 * ownedLists.length + 2, confirms: 4, uses: ['sites', 'articles', 'accounts'] },
  async run(probe) {
    for (const { operation, params, clause } of ownedLists) {
      await probe.send({ operation, params });
      for (let more = operation === 'listSites' ? 3 : 1; more > 0; more -= 1)
        expectApart(probe, await probe.send({ operation, params, key: 'second' }), { clause });
    }
    // isolation/all-responses judges these.
    for (const { operation, params, key } of readsOfShared(probe)) await probe.get(operation, params, key);
  },
};

const foreignRejection: Rejection = {
  status: 404,
  code: 'not_found',
  clause: '1.foreign-record',
  shadows: ['payment_required'],
};

/** Asks with the second key for a record that the first key can read. */
async function expectUnseen(probe: Probe, operation: OperationId, params: Record<string, string>): Promise<void> {
  const exchange = await probe.get(operation, params, 'second');
  probe.expectRejection(exchange, foreignRejection);
}

const records: CheckRow = {
  id: 'isolation/records',
  title: 'Records of another organization return 404',
  cites: ['1.foreign-record', '1.organization-scope', '4.articles.get.not-found', '4.sites.get.not-found'],
  needs,
  after: ['isolation/lists'],
  cost: { requests: 5, confirms: 1, uses: ['sites', 'articles', 'accounts', 'lists of the second key'] },
  async run(probe) {
    // An id that the second organization lists too belongs to it: isolation/lists checks that.
    const isForeign = await makeIsForeign(probe);
    const article = (await probe.facts.articles()).find(({ id }) => isForeign(id));
    const site = (await probe.facts.sites()).find(({ id }) => isForeign(id));
    if (article) await expectUnseen(probe, 'getArticle', { id: article.id });
    if (site) await expectUnseen(probe, 'getSite', { id: site.id });
    // Another id may be rejected as malformed for every caller (R10).
    const accounts = (await probe.facts.accounts()).filter(({ accountId }) => isForeign(accountId));
    const usable = accounts.filter(({ accountId, status }) => status === 'connected' && isOfPattern(accountId));
    const [account] = usable;
    // Its state is private: an error that demands a reconnect reveals the account.
    const lost = accounts.find(({ accountId, status }) => status === 'expired' && isOfPattern(accountId));
    if (lost) await expectUnseen(probe, 'listReviews', { accountId: lost.accountId });
    if (account) await expectUnseen(probe, 'getInsights', { accountId: account.accountId });
    if (account) await expectReviewsUnseen(probe, usable, account.accountId);
  },
};

/** An id is foreign when no list of the second organization shows it. */
async function makeIsForeign(probe: Probe): Promise<(id: string) => boolean> {
  const rows = (await readsOf(probe, 'second')).flatMap(recordsIn);
  const own = new Set(rows.flatMap(({ id, accountId }) => [id, accountId].map((one) => String(one).toLowerCase())));
  return (id) => !own.has(id.toLowerCase());
}

/** Behind a cursor that the first key was given, if it has one: a cursor does not prove whose account it is. */
async function expectReviewsUnseen(probe: Probe, usable: readonly AccountRow[], otherwise: string): Promise<void> {
  const read = probe.shown('listReviews').find((page) => {
    const isUsable = usable.some(({ accountId }) => page.target.includes(`/${encodeURIComponent(accountId)}/`));
    return isUsable && typeof dataOf(page).nextCursor === 'string';
  });
  const accountId = usable.find((row) => read?.target.includes(`/${encodeURIComponent(row.accountId)}/`))?.accountId;
  if (read === undefined || accountId === undefined)
    return expectUnseen(probe, 'listReviews', { accountId: otherwise });
  // Every second audit sends no cursor: an earlier response to the owner can be cached.
  if (isSecondTurn(probe, 0)) return expectUnseen(probe, 'listReviews', { accountId });
  const cursor = String(dataOf(read).nextCursor);
  const exchange = await probe.get('listReviews', { accountId, cursor }, 'second');
  // It can be rejected as another organization's cursor.
  if (exchange.status === 400) await expectUnseen(probe, 'listReviews', { accountId });
  else probe.expectRejection(exchange, foreignRejection);
}

/** Rejected, not found, or empty; rows are the only wrong response. */
const filters: CheckRow = {
  id: 'isolation/filters',
  title: 'Filters return no records of another organization',
  cites: ['1.organization-scope', '1.foreign-record', '4.articles.list.unknown-site', '4.keywords.list.unknown-site'],
  needs,
  after: ['isolation/lists'],
  cost: { requests: 2, uses: ['sites', 'articles', 'accounts', 'lists of the second key'] },
  async run(probe) {
    // A site with records that the first key was shown: of one without any a leak would look like a rejection.
    const isForeign = await makeIsForeign(probe);
    const first = (await probe.facts.sites()).find(({ id }) => isForeign(id))?.id;
    const article = (await probe.facts.articles()).find(({ siteId }) => isForeign(siteId));
    const siteIds = {
      listArticles: article?.siteId ?? first,
      listKeywords: siteWithKeywords(probe, isForeign) ?? first,
    };
    for (const operation of ['listArticles', 'listKeywords'] as const) {
      const siteId = siteIds[operation] ?? probe.stop('precondition', 'both keys list the same sites');
      const exchange = await probe.get(operation, { siteId }, 'second');
      const shown = recordsIn(exchange).length;
      const isClosed = exchange.status === 404 || (exchange.status === 200 && shown === 0) || exchange.status === 400;
      const actual = exchange.status === 200 ? `200 with ${count(shown, 'record')}` : nameOfResponse(exchange);
      const claim = { pointer: '/data', expected: '404 or an empty list', actual, exchange };
      probe.holds(isClosed, { ...claim, clause: '1.foreign-record' });
    }
  },
};

/** A site of which the first key has been shown keywords. */
function siteWithKeywords(probe: Probe, isForeign: (id: string) => boolean): string | undefined {
  const rows = probe.shown('listKeywords').flatMap((exchange) => rowsOf(exchange, ['data']));
  return rows.flatMap(({ siteId }) => (typeof siteId === 'string' ? siteId : [])).find(isForeign);
}

const callLogs: CheckRow = {
  id: 'isolation/calls',
  title: 'The call log contains no calls of another organization',
  cites: ['1.organization-scope', '5.key-organization'],
  phase: 'log',
  needs,
  after: ['isolation/lists', 'calls/listing'],
  cost: { requests: 0, uses: ['call snapshot', 'call gate', 'call snapshot of the second key'] },
  async run(probe) {
    await passGate(probe);
    const { calls: own } = await readCalls(probe, {});
    const exchange = await probe.get('listCalls', {}, 'second');
    const theirs = rowsOf(exchange, ['data', 'calls']);
    // Calls are opaque and can hold little (R34).
    if (![own, theirs].every((calls) => calls.some(isDistinctive)))
      return probe.stop('vacuous', 'needs distinguishable calls of both organizations');
    expectApart(probe, exchange, { clause: '5.key-organization' });
  },
};

type Addressed = Required<Pick<RequestSpec, 'operation' | 'params' | 'key'>>;

function foreignWrite(
  [kind, name]: readonly ['posts' | 'replies', string],
  title: string,
  specOf: (probe: Probe) => Addressed,
): Check {
  const first = { posts: 'posts/publishes', replies: 'replies/path-wins' }[kind];
  return writtenCheck(kind, {
    id: `isolation/${name}`,
    title,
    cites: ['1.foreign-record', '5.key-organization'],
    needs: [...needs, 'account', `writes:${kind}`],
    // Reviews of the second organization are read there.
    after: ['isolation/lists', ...(name === 'foreign-review' ? ['isolation/reviews'] : []), first],
    cost: { requests: 1, writes: 1 },
    async run(probe) {
      if (!isOfPattern(accountOf(probe))) probe.stop('precondition', 'the account id is not a UUID of version 1 to 8');
      const spec = specOf(probe);
      const body = { ...spec.params, text: `${tag(probe)}: with the key of another organization` };
      const exchange = await probe.write({ ...spec, body });
      probe.expectRejection(exchange, foreignRejection);
    },
  });
}

const foreignPost = foreignWrite(
  ['posts', 'posts'],
  'POST .../posts returns 404 for an account of another organization',
  (probe) => ({ operation: 'createPost', params: { accountId: accountOf(probe) }, key: 'second' }),
);

const foreignReply = foreignWrite(
  ['replies', 'replies'],
  'POST .../reply returns 404 for an account of another organization',
  (probe) => {
    // The review that this run has replied to, so a second reply does no further harm.
    const [replied] = probe.shown('replyToReview');
    if (replied === undefined) return probe.stop('precondition', 'needs a reply of this run');
    return {
      operation: 'replyToReview',
      params: { accountId: accountOf(probe), reviewId: segmentOf(replied, 4) },
      key: 'second',
    };
  },
);

const foreignReview = foreignWrite(
  ['replies', 'foreign-review'],
  'POST .../reply returns 404 for a review of another organization',
  (probe) => {
    const reviewsOf = (name: 'good' | 'second') =>
      probe
        .shown('listReviews', name)
        .flatMap((exchange) => rowsOf(exchange, ['data', 'reviews'], ['reviewId']))
        .map(({ reviewId }) => String(reviewId));
    const own = new Set(reviewsOf('good'));
    // A short one may be counted in each account, and be another review of this one (R9).
    const reviewId = reviewsOf('second').find((id) => isUniqueName(id) && !own.has(id));
    if (reviewId === undefined) return probe.stop('precondition', 'needs a review of the second organization');
    return { operation: 'replyToReview', params: { accountId: accountOf(probe), reviewId }, key: 'good' };
  },
);

export const isolation = defineChecks({ phase: 'read' }, [
  lists,
  listsAgain,
  records,
  filters,
  callLogs,
  foreignPost,
  foreignReply,
  foreignReview,
]);
