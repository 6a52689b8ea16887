// A second key of another organization sees nothing of the first one's.

import type { ClauseId } from '../../src/contract/generated/clauses.ts';
import type { OperationId } from '../../src/contract/generated/operations.ts';
import { dataOf, type Exchange, isObject, listOf, nameOfAnswer } from '../exchange/exchange.ts';
import type { RequestSpec } from '../exchange/request.ts';
import { isUniqueName } from '../exchange/same-id.ts';
import { type Check, defineChecks } from '../probe/check.ts';
import { rowsOf } from '../probe/facts.ts';
import type { Probe, Refusal } from '../probe/probe.ts';
import { passGate, readCalls } from './calls/log.ts';
import { leavesOf } from './calls/members.ts';
import { canonical } from './calls/record.ts';
import { about } from './claims.ts';
import { EQUAL_MIN, expectNoneEqual, isTelling } from './telling.ts';
import { isOfPattern } from './writing.ts';
import { accountOf, tag, writtenCheck } from './written.ts';

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
      const isLeak = (leaked.length > 0 && ids.some(isUniqueName)) || leaked.filter(isTelling).length >= EQUAL_MIN;
      const both = isLeak ? ids : [];
      const claim = {
        ...about(others[i], listClauses[operation] ?? '1.organization-scope', `/${path.join('/')}`),
        proves: [listClauses[operation] ?? '1.organization-scope', '1.organization-scope', '5.key-organization'],
        expected: `no record of ${operation} in both organizations`,
      } as const;
      if (both.length === 0 && leaked.length > ownRows.size / 2) {
        probe.warn({ ...claim, actual: `${leaked.length} alike, with ids such as ${ids[0]}` });
        continue;
      }
      const actual = both.length === 0 ? 'none' : `${both.length}, such as ${both[0]}`;
      expectNoneEqual(probe, both.length === 0, { ...claim, actual });
    }
    expectOwnSites(probe, others[0] as Exchange);
    const [mine, theirs] = [own, others].map((exchanges) => invitesOf(exchanges[2] as Exchange));
    const both = [...(theirs ?? [])].filter((invite) => mine?.has(invite));
    if (both.length === 0) return;
    const actual = `${both.length}, such as ${both[0]}`;
    const claim = { clause: '1.organization-scope', pointer: '/data/pendingInvites', actual } as const;
    const expected = 'no invite of both organizations';
    expectNoneEqual(probe, false, { ...claim, expected, exchange: others[2] ?? null });
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

const foreignRefusal: Refusal = {
  status: 404,
  code: 'not_found',
  clause: '1.foreign-record',
  shadows: ['payment_required'],
};

/** Asks with the second key for a record that the first key can read. */
async function expectUnseen(probe: Probe, operation: OperationId, params: Record<string, string>): Promise<void> {
  const exchange = await probe.get(operation, params, 'second');
  probe.expectRefusal(exchange, foreignRefusal);
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
    const mine = new Set([...own, ...marksSeen(probe)]);
    const exchange = await probe.get('listCalls', {}, 'second');
    const rows = rowsOf(exchange, ['data', 'calls']);
    const theirs = rows.map((call) => canonical(call));
    const equal = rows.filter((call) => mine.has(canonical(call)));
    const both = equal.length;
    const claim = {
      ...about(exchange, '5.key-organization', '/data/calls'),
      expected: 'other calls than those of the first key',
      actual: `${both} of ${theirs.length} the same`,
    };
    if (equal.filter(isTelling).length >= EQUAL_MIN) return expectNoneEqual(probe, false, claim);
    if (theirs.length < CALLS_MIN || mine.size < CALLS_MIN) return probe.stop('vacuous', 'there are too few calls');
    // Calls are opaque and may hold little (R34). Where two of one log look alike, two of different logs may as well.
    const areDistinct = (marks: readonly string[]) => new Set(marks).size === marks.length;
    if (!areDistinct(own) || !areDistinct(theirs)) return probe.stop('vacuous', 'calls of one log look alike');
    const isShared = both >= CALLS_MIN && both >= Math.min(mine.size, theirs.length) / 2;
    if (isShared && !calls.some((call) => [...leavesOf(call).values()].some(isUniqueName))) probe.warn(claim);
    else expectNoneEqual(probe, !isShared, claim);
  },
};

/** Every call that the first key has been shown in this run. */
function marksSeen(probe: Probe): string[] {
  const logs = probe.history().filter(({ operation, status, key }) => {
    return operation === 'listCalls' && status === 200 && key === 'good';
  });
  return logs.flatMap((exchange) => listOf(dataOf(exchange).calls).map((call) => canonical(call)));
}

type Addressed = Required<Pick<RequestSpec, 'operation' | 'params'>>;

/** A write with the second key to the account of the first one. */
function foreignWrite(kind: 'posts' | 'replies', title: string, specOf: (probe: Probe) => Addressed): Check {
  const first = { posts: 'posts/publishes', replies: 'replies/path-wins' }[kind];
  return writtenCheck(kind, {
    id: `isolation/${kind}`,
    title,
    cites: ['1.foreign-record', '5.key-organization'],
    needs: [...needs, 'account', `writes:${kind}`],
    after: ['isolation/lists', first],
    cost: { requests: 1, writes: 1 },
    async run(probe) {
      if (!isOfPattern(accountOf(probe)))
        probe.stop('precondition', 'the id of the account may be refused as malformed');
      const spec = specOf(probe);
      const body = { ...spec.params, text: `${tag(probe)}: with the key of another organization` };
      const exchange = await probe.write({ ...spec, body, key: 'second' });
      probe.expectRefusal(exchange, foreignRefusal);
    },
  });
}

const foreignPost = foreignWrite(
  'posts',
  'A post with the key of another organization to the account answers 404 not_found',
  (probe) => ({ operation: 'createPost', params: { accountId: accountOf(probe) } }),
);

const foreignReply = foreignWrite(
  'replies',
  'A reply with the key of another organization to a review of the account answers 404 not_found',
  (probe) => {
    // The review that this run has replied to, so that a second reply does no further harm.
    const replied = probe
      .history()
      .find(({ operation, status, key }) => operation === 'replyToReview' && status === 200 && key === 'good');
    const segment = /\/reviews\/([^/]+)\/reply/.exec(replied?.target ?? '')?.[1];
    if (segment === undefined) return probe.stop('precondition', 'the run has not replied to a review');
    return {
      operation: 'replyToReview',
      params: { accountId: accountOf(probe), reviewId: decodeURIComponent(segment) },
    };
  },
);

export const isolation = defineChecks([lists, records, filters, callLogs, foreignPost, foreignReply]);
