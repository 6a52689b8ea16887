// A second key of another organization sees nothing of the first one's.

import type { ClauseId } from '../../src/contract/generated/clauses.ts';
import type { OperationId } from '../../src/contract/generated/operations.ts';
import { type Exchange, isObject, listOf, nameOfAnswer } from '../exchange/exchange.ts';
import { isUniqueName } from '../exchange/same-id.ts';
import { type Check, defineChecks } from '../probe/check.ts';
import { rowsOf } from '../probe/facts.ts';
import type { Probe } from '../probe/probe.ts';
import { passGate, readCalls } from './calls/log.ts';
import { leavesOf } from './calls/members.ts';
import { canonical } from './calls/record.ts';
import { about } from './claims.ts';
import { isOfPattern } from './writing.ts';

const needs = ['second-key'] as const;

function rowsAt(exchange: Exchange, path: readonly string[]): readonly unknown[] {
  let node: unknown = exchange.json;
  for (const name of path) node = isObject(node) ? node[name] : undefined;
  return listOf(node);
}

function idsOf(exchange: Exchange, path: readonly string[], member: string): Set<string> {
  const ids = rowsAt(exchange, path).map((row) => (isObject(row) ? String(row[member]).toLowerCase() : ''));
  return new Set(ids.filter(Boolean));
}

function recordsOf(exchange: Exchange, path: readonly string[]): string[] {
  return rowsAt(exchange, path).map((row) => canonical(row));
}

const LISTS: readonly (readonly [OperationId, readonly string[], string, Record<string, number>])[] = [
  ['listSites', ['data'], 'id', {}],
  ['listArticles', ['data'], 'id', { limit: 100 }],
  ['listAccounts', ['data', 'accounts'], 'accountId', {}],
];

/** Records of one organization that both see, by the clause that the list itself has. */
const listClauses: Partial<Record<OperationId, ClauseId>> = { listSites: '4.sites.list' };

/** Ids of invites are plain strings and may be numbers from one on (R9), so whole invites are compared. */
function invitesOf(exchange: Exchange): Set<string> {
  return new Set(recordsOf(exchange, ['data', 'pendingInvites']));
}

const lists: Check = {
  id: 'isolation/lists',
  title: 'Two organizations share no site, article, account or invite',
  cites: ['1.organization-scope', '5.key-organization', '4.sites.list'],
  level: 'must',
  phase: 'read',
  needs,
  cost: { requests: 3, uses: ['sites', 'articles', 'accounts'] },
  async run(probe) {
    const own = await Promise.all(LISTS.map(([operation, , , params]) => probe.get(operation, params)));
    const others = await Promise.all(LISTS.map(([operation, , , params]) => probe.get(operation, params, 'second')));
    const refused = others.find(({ status }) => status === 401);
    if (refused) probe.stop('precondition', 'the second key is refused with 401: is it the right one?');
    const isSame = own.every((exchange, i) => exchange.bodySha256 === others[i]?.bodySha256);
    const shared = LISTS.flatMap(([, path, member], i) => {
      const mine = idsOf(own[i] as Exchange, path, member);
      return [...idsOf(others[i] as Exchange, path, member)].filter((id) => mine.has(id));
    });
    if (isSame && shared.length > 0) {
      probe.stop('precondition', 'both keys see the very same lists: they may belong to one organization');
    }
    for (const [i, [operation, path, member]] of LISTS.entries()) {
      const mine = idsOf(own[i] as Exchange, path, member);
      const theirs = idsOf(others[i] as Exchange, path, member);
      if (mine.size === 0 && theirs.size === 0) continue;
      // An id may stand for two things in two organizations; the very same record in both is a leak.
      const ownRows = new Set(recordsOf(own[i] as Exchange, path));
      const leaked = recordsOf(others[i] as Exchange, path).filter((row) => ownRows.has(row));
      const ids = [...theirs].filter((id) => mine.has(id));
      // An id that is not a UUID may be a number from one on (R9), and rows of little content the same by chance.
      const both = leaked.length > 0 && ids.some(isUniqueName) ? ids : [];
      const claim = {
        ...about(others[i], listClauses[operation] ?? '1.organization-scope', `/${path.join('/')}`),
        proves: [listClauses[operation] ?? '1.organization-scope', '1.organization-scope', '5.key-organization'],
        expected: `no record of ${operation} in both organizations`,
      } as const;
      if (both.length === 0 && leaked.length > ownRows.size / 2) {
        probe.warn({ ...claim, actual: `${leaked.length} alike, with ids such as ${ids[0]}` });
        continue;
      }
      probe.holds(both.length === 0, {
        ...claim,
        actual: both.length === 0 ? 'none' : `${both.length}, such as ${both[0]}`,
      });
    }
    expectOwnSites(probe, others[0] as Exchange);
    const [mine, theirs] = [own, others].map((exchanges) => invitesOf(exchanges[2] as Exchange));
    const both = [...(theirs ?? [])].filter((invite) => mine?.has(invite));
    if (both.length === 0) return;
    const actual = `${both.length}, such as ${both[0]}`;
    const claim = { clause: '1.organization-scope', pointer: '/data/pendingInvites', actual } as const;
    probe.holds(false, { ...claim, expected: 'no invite of both organizations', exchange: others[2] ?? null });
  },
};

/** No article that the first key has been shown, on whatever page, is of a site that the second key lists. */
function expectOwnSites(probe: Probe, ofSecond: Exchange): void {
  const foreign = idsOf(ofSecond, ['data'], 'id');
  const isOurs = ({ operation, key, status }: Exchange) =>
    operation === 'listArticles' && key === 'good' && status === 200;
  for (const exchange of probe.history().filter(isOurs)) {
    const stray = [...idsOf(exchange, ['data'], 'siteId')].find((siteId) => foreign.has(siteId));
    if (stray === undefined) continue;
    probe.holds(false, {
      ...about(exchange, '1.organization-scope', '/data'),
      expected: 'articles of sites of the first organization',
      actual: `one of site ${stray}, which the second organization lists`,
    });
  }
}

/** Asks with the second key for a record that the first key can read. */
async function expectUnseen(probe: Probe, operation: OperationId, params: Record<string, string>): Promise<void> {
  const exchange = await probe.get(operation, params, 'second');
  probe.expectRefusal(exchange, {
    status: 404,
    code: 'not_found',
    clause: '1.foreign-record',
    shadows: ['payment_required'],
  });
}

const records: Check = {
  id: 'isolation/records',
  title: 'A record of another organization answers 404 not_found',
  cites: ['1.foreign-record', '1.organization-scope', '4.articles.get.not-found', '4.sites.get.not-found'],
  level: 'must',
  phase: 'read',
  needs,
  after: ['isolation/lists'],
  cost: { requests: 4, uses: ['sites', 'articles', 'accounts'] },
  async run(probe) {
    const [article] = await probe.facts.articles();
    const [site] = await probe.facts.sites();
    // Another id may be refused as malformed, whoever asks (R10).
    const account = (await probe.facts.accounts()).find(
      ({ accountId, status }) => status === 'connected' && isOfPattern(accountId),
    );
    if (article) await expectUnseen(probe, 'getArticle', { id: article.id });
    if (site) await expectUnseen(probe, 'getSite', { id: site.id });
    if (account) await expectUnseen(probe, 'getInsights', { accountId: account.accountId });
    if (account) await expectUnseen(probe, 'listReviews', { accountId: account.accountId });
  },
};

const filters: Check = {
  id: 'isolation/filters',
  title: 'A filter by another organization’s site shows none of its records',
  cites: ['1.organization-scope', '1.foreign-record', '4.articles.list.unknown-site', '4.keywords.list.unknown-site'],
  level: 'must',
  phase: 'read',
  needs,
  after: ['isolation/lists'],
  cost: { requests: 2, uses: ['sites'] },
  async run(probe) {
    const { id: siteId } = await probe.facts.site();
    for (const operation of ['listArticles', 'listKeywords'] as const) {
      const exchange = await probe.get(operation, { siteId }, 'second');
      const shown = idsOf(exchange, ['data'], 'id').size;
      const isClosed = exchange.status === 404 || (exchange.status === 200 && shown === 0) || exchange.status === 400;
      const actual = exchange.status === 200 ? `200 with ${shown} records` : nameOfAnswer(exchange);
      const claim = { pointer: '/data', expected: '404, or an empty list', actual, exchange };
      probe.holds(isClosed, { ...claim, clause: '1.foreign-record' });
    }
  },
};

const CALLS_MIN = 4;

const callLogs: Check = {
  id: 'isolation/calls',
  title: 'Two organizations share no calls',
  cites: ['1.organization-scope', '5.key-organization'],
  level: 'must',
  phase: 'log',
  needs,
  after: ['isolation/lists', 'calls/listing'],
  cost: { requests: 1, uses: ['call snapshot', 'call gate'] },
  async run(probe) {
    await passGate(probe);
    // Whole records: ids may be numbers from one on, in each organization.
    const { calls } = await readCalls(probe, {});
    const own = calls.map((call) => canonical(call));
    const mine = new Set(own);
    const exchange = await probe.get('listCalls', {}, 'second');
    const theirs = rowsOf(exchange, ['data', 'calls']).map((call) => canonical(call));
    const both = theirs.filter((mark) => mine.has(mark)).length;
    if (theirs.length < CALLS_MIN || mine.size < CALLS_MIN) return probe.stop('vacuous', 'there are too few calls');
    // Calls are opaque and may hold little (R34). Where two of one log look alike, two of different logs may as well.
    const isTelling = (marks: readonly string[]) => new Set(marks).size === marks.length;
    if (!isTelling(own) || !isTelling(theirs)) return probe.stop('vacuous', 'calls of one log look alike');
    const isShared = both >= CALLS_MIN && both >= Math.min(mine.size, theirs.length) / 2;
    const claim = {
      ...about(exchange, '5.key-organization', '/data/calls'),
      expected: 'other calls than those of the first key',
      actual: `${both} of ${theirs.length} the same`,
    };
    if (isShared && !calls.some((call) => [...leavesOf(call).values()].some(isUniqueName))) probe.warn(claim);
    else probe.holds(!isShared, claim);
  },
};

const foreignPost: Check = {
  id: 'isolation/posts',
  title: 'A post with the key of another organization to the account answers 404 not_found',
  cites: ['1.foreign-record', '5.key-organization'],
  level: 'must',
  phase: 'writes',
  needs: [...needs, 'account', 'writes:posts'],
  after: ['isolation/lists', 'posts/publishes'],
  mutates: 'nothing, unless the target takes what it must refuse',
  cost: { requests: 1, writes: 1 },
  async run(probe) {
    const accountId = probe.settings.account ?? probe.stop('precondition', 'no account is named');
    if (!isOfPattern(accountId)) probe.stop('precondition', 'the id of the account may be refused as malformed');
    const text = `casa-kit conformance ${probe.settings.runId}: with the key of another organization`;
    const body = { accountId, text };
    const exchange = await probe.write({ operation: 'createPost', params: { accountId }, body, key: 'second' });
    const shadows = ['payment_required'] as const;
    probe.expectRefusal(exchange, { status: 404, code: 'not_found', clause: '1.foreign-record', shadows });
  },
};

const foreignReply: Check = {
  id: 'isolation/replies',
  title: 'A reply with the key of another organization to a review of the account answers 404 not_found',
  cites: ['1.foreign-record', '5.key-organization'],
  level: 'must',
  phase: 'writes',
  needs: [...needs, 'account', 'writes:replies'],
  after: ['isolation/lists', 'replies/path-wins'],
  mutates: 'nothing, unless the target takes what it must refuse',
  cost: { requests: 1, writes: 1 },
  async run(probe) {
    const accountId = probe.settings.account ?? probe.stop('precondition', 'no account is named');
    if (!isOfPattern(accountId)) probe.stop('precondition', 'the id of the account may be refused as malformed');
    // The review that this run has replied to, so that a second reply does no further harm.
    const replied = probe
      .history()
      .find(({ operation, status, key }) => operation === 'replyToReview' && status === 200 && key === 'good');
    const segment = /\/reviews\/([^/]+)\/reply/.exec(replied?.target ?? '')?.[1];
    if (segment === undefined) return probe.stop('precondition', 'the run has replied to no review');
    const reviewId = decodeURIComponent(segment);
    const text = `casa-kit conformance ${probe.settings.runId}: with the key of another organization`;
    const params = { accountId, reviewId };
    const exchange = await probe.write({
      operation: 'replyToReview',
      params,
      body: { ...params, text },
      key: 'second',
    });
    const shadows = ['payment_required'] as const;
    probe.expectRefusal(exchange, { status: 404, code: 'not_found', clause: '1.foreign-record', shadows });
  },
};

export const isolation = defineChecks([lists, records, filters, callLogs, foreignPost, foreignReply]);
