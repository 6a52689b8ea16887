// A second key of another organization sees nothing of the first one's.

import type { ClauseId } from '../../../src/contract/generated/clauses.ts';
import { articlesLimit } from '../../../src/contract/generated/limits.ts';
import type { OperationId } from '../../../src/contract/generated/operations.ts';
import { count } from '../../../src/terminal/count.ts';
import { passGate, readCalls } from '../../assertions/call-log/log.ts';
import { about } from '../../assertions/claims.ts';
import { isSecondTurn } from '../../assertions/invalid-inputs.ts';
import { callsOfFirst, checkEqual, equalMin, expectNoneEqual, isDistinctive } from '../../assertions/organizations.ts';
import { accountOf, isOfPattern, tag, writtenCheck } from '../../assertions/writes.ts';
import { canonical } from '../../exchange/canonical.ts';
import { dataOf, type Exchange, isObject, listOf, nameOfResponse } from '../../exchange/exchange.ts';
import type { RequestSpec } from '../../exchange/request.ts';
import { isUniqueName } from '../../exchange/same-id.ts';
import { show } from '../../judge/ledger.ts';
import { segmentOf } from '../../observe/look.ts';
import { type Check, type CheckRow, defineChecks } from '../../probe/check.ts';
import { type AccountRow, rowsOf } from '../../probe/facts.ts';
import type { Probe, Rejection } from '../../probe/probe.ts';

const needs = ['second-key'] as const;

/** The values at the path, of any type. */
function rowsAt(exchange: Exchange, path: readonly string[]): readonly unknown[] {
  let node: unknown = exchange.json;
  for (const name of path) node = isObject(node) ? node[name] : undefined;
  return listOf(node);
}

/** In lower case (R9), empty ones left out. */
function idsOf(exchange: Exchange, path: readonly string[], field: string): Set<string> {
  const ids = rowsAt(exchange, path).map((row) => (isObject(row) ? String(row[field]).toLowerCase() : ''));
  return new Set(ids.filter(Boolean));
}

/** A list for both organizations, and the clause that a shared row violates. */
interface List {
  readonly operation: OperationId;
  readonly path: readonly string[];
  readonly params: Readonly<Record<string, number>>;
  /** The clause that the list itself has. */
  readonly clause: ClauseId;
}

const ownedLists: readonly List[] = [
  { operation: 'listSites', path: ['data'], params: {}, clause: '4.sites.list' },
  { operation: 'listArticles', path: ['data'], params: { limit: articlesLimit.max }, clause: '1.organization-scope' },
  { operation: 'listAccounts', path: ['data', 'accounts'], params: {}, clause: '1.organization-scope' },
  // Ids of invites are plain strings and may be numbers from one on (R9); whole rows are compared anyway.
  { operation: 'listAccounts', path: ['data', 'pendingInvites'], params: {}, clause: '1.organization-scope' },
];

/** Two keys of one organization would see the same: this check runs first, and the others depend on it. */
const lists: CheckRow = {
  id: 'isolation/lists',
  title: 'Lists contain no records of another organization',
  cites: ['1.organization-scope', '5.key-organization', '4.sites.list'],
  needs,
  cost: { requests: 0, uses: ['sites', 'articles', 'accounts', 'lists of the second key'] },
  async run(probe) {
    const others = ownedLists.map(({ operation, params }) => probe.get(operation, params, 'second'));
    await checkLists(probe, await Promise.all(others));
  },
};

/** The lists of the second key, next to those that the first key was shown. */
async function checkLists(probe: Probe, others: readonly Exchange[]): Promise<void> {
  const own = await Promise.all(ownedLists.map(({ operation, params }) => probe.get(operation, params)));
  const rejected = others.find(({ status }) => status === 401);
  if (rejected) probe.stop('precondition', 'the second key is rejected with 401; check CONFORMANCE_SECOND_KEY');
  const equal = ownedLists.map(({ path }, i) => equalRows(own[i] as Exchange, others[i] as Exchange, path));
  const all = equal.flat();
  const isSame = own.every((exchange, i) => sawAll(exchange, others[i] as Exchange, ownedLists[i]?.path ?? []));
  const isLeak = all.filter(isDistinctive).length >= equalMin;
  for (const [i, { path, clause }] of ownedLists.entries()) {
    const rows = equal[i] ?? [];
    const both = [own[i] as Exchange, others[i] as Exchange];
    // A list that was not read proves nothing.
    if (both.some(({ status }) => status !== 200)) continue;
    if (both.every((exchange) => rowsAt(exchange, path).length === 0)) continue;
    const claim = {
      ...about(others[i], clause, `/${path.join('/')}`),
      proves: [clause, '1.organization-scope', '5.key-organization'],
      expected: 'no records of the first organization',
      actual: `${count(rows.length, 'record')} of the first organization, for example ${show(rows[0])}`,
    } as const;
    // Few rows of one list may be many in all lists together (R56).
    if (rows.length > 0 && isLeak)
      expectNoneEqual(probe, false, isSame ? { ...claim, message: oneOrganization } : claim);
    else checkEqual(probe, rows, claim);
  }
  expectOwnSites(probe, own[0] as Exchange, others[0] as Exchange);
}

/** Accounts and invites are one list. */
const lateLists = ownedLists.slice(0, -1);

const listsAgain: CheckRow = {
  id: 'isolation/lists-again',
  title: 'At the end of the run, lists contain no records of another organization',
  cites: ['1.organization-scope', '5.key-organization', '4.sites.list'],
  phase: 'after bursts',
  needs,
  after: ['isolation/lists'],
  // Each list once more with the first key, because a cache by URL may keep a page for seconds only. Sites three times
  // with the second key, so a balancer sends them to as many instances.
  cost: { requests: 2 * lateLists.length + 2, uses: ['sites', 'articles', 'accounts'] },
  async run(probe) {
    const others: Exchange[] = [];
    for (const { operation, params, path } of lateLists) {
      const own = await probe.send({ operation, params });
      const isLeak = (one: Exchange) => equalRows(own, one, path).length > 0;
      let read = await probe.send({ operation, params, key: 'second' });
      for (let more = operation === 'listSites' ? 2 : 0; more > 0 && !isLeak(read); more -= 1)
        read = await probe.send({ operation, params, key: 'second' });
      others.push(read);
    }
    await checkLists(probe, [...others, ...others.slice(-1)]);
  },
};

/** No isolation and two keys of one organization look the same (interpretation R65). */
const oneOrganization =
  'both keys see exactly the same records: isolation is missing, or both keys belong to one organization';

function sawAll(own: Exchange, other: Exchange, path: readonly string[]): boolean {
  const rows = rowsAt(own, path).length;
  return rows === rowsAt(other, path).length && rows === equalRows(own, other, path).length;
}

/** Rows that the second organization shows just as the first one does. */
function equalRows(own: Exchange, other: Exchange, path: readonly string[]): unknown[] {
  const known = new Set(rowsAt(own, path).map((row) => canonical(row)));
  return rowsAt(other, path).filter((row) => known.has(canonical(row)));
}

/** No article in a response to the first key is of a site that only the second key lists. */
function expectOwnSites(probe: Probe, ofFirst: Exchange, ofSecond: Exchange): void {
  const own = idsOf(ofFirst, ['data'], 'id');
  const foreign = new Set([...idsOf(ofSecond, ['data'], 'id')].filter((id) => !own.has(id)));
  for (const exchange of probe.shown('listArticles')) {
    const stray = [...idsOf(exchange, ['data'], 'siteId')].find((siteId) => foreign.has(siteId));
    if (stray === undefined) continue;
    probe.holds(false, {
      ...about(exchange, '1.organization-scope', '/data'),
      expected: 'articles of the first organization only',
      actual: `an article of site ${stray}, which the second organization lists`,
    });
  }
}

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
  const others = await Promise.all(ownedLists.map(({ operation, params }) => probe.get(operation, params, 'second')));
  const ids = others.flatMap((exchange, i) => {
    const { path = [] } = ownedLists[i] ?? {};
    return ['id', 'accountId'].flatMap((field) => [...idsOf(exchange, path, field)]);
  });
  const own = new Set(ids);
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
      const shown = idsOf(exchange, ['data'], 'id').size;
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

/** Fewer that are alike may be so by chance. */
const callsMin = 4;

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
    // Whole records: ids may be numbers from one on, in each organization.
    const { calls } = await readCalls(probe, {});
    const own = calls.map((call) => canonical(call));
    const mine = new Set([...own, ...callsOfFirst(probe).map((call) => canonical(call))]);
    const exchange = await probe.get('listCalls', {}, 'second');
    const rows = rowsOf(exchange, ['data', 'calls']);
    const theirs = rows.map((call) => canonical(call));
    const equal = rows.filter((call) => mine.has(canonical(call)));
    const claim = {
      ...about(exchange, '5.key-organization', '/data/calls'),
      expected: 'no calls of the first organization',
      actual: `${equal.length} of ${theirs.length} calls of the first organization`,
    };
    if (equal.some(isDistinctive)) return checkEqual(probe, equal, claim);
    if (theirs.length < callsMin || mine.size < callsMin) return probe.stop('vacuous', 'needs more calls');
    // Calls are opaque and can hold little (R34). If two of one log are alike, two of different logs can be too.
    const areDistinct = (marks: readonly string[]) => new Set(marks).size === marks.length;
    if (!areDistinct(own) || !areDistinct(theirs)) return probe.stop('vacuous', 'needs distinguishable calls');
    const isShared = equal.length >= callsMin && equal.length >= Math.min(mine.size, theirs.length) / 2;
    checkEqual(probe, isShared ? equal : [], claim);
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
