// A second key of another organization sees nothing of the first one's.
import type { OperationId } from '../../src/contract/generated/operations.ts';
import { type Check, defineChecks } from '../check.ts';
import { type Exchange, isObject } from '../exchange.ts';
import type { Probe } from '../probe.ts';

const needs = ['second-key'] as const;

function idsOf(exchange: Exchange, path: readonly string[], member: string): Set<string> {
  let node: unknown = exchange.json;
  for (const name of path) node = isObject(node) ? node[name] : undefined;
  const rows = Array.isArray(node) ? node : [];
  return new Set(rows.map((row) => (isObject(row) ? String(row[member]).toLowerCase() : '')).filter(Boolean));
}

const LISTS: readonly (readonly [OperationId, readonly string[], string, Record<string, number>])[] = [
  ['listSites', ['data'], 'id', {}],
  ['listArticles', ['data'], 'id', { limit: 100 }],
  ['listAccounts', ['data', 'accounts'], 'accountId', {}],
];

const lists: Check = {
  id: 'isolation/lists',
  title: 'Two organizations share no site, article or account',
  cites: ['1.organization-scope', '5.key-organization'],
  level: 'must',
  phase: 'read',
  needs,
  cost: { requests: 3, uses: ['sites', 'articles', 'accounts'] },
  async run(probe) {
    const own = await Promise.all(LISTS.map(([operation, , , params]) => probe.get(operation, params)));
    const others = await Promise.all(LISTS.map(([operation, , , params]) => probe.get(operation, params, 'second')));
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
      const both = [...theirs].filter((id) => mine.has(id));
      probe.holds(both.length === 0, {
        clause: '1.organization-scope',
        pointer: `/${path.join('/')}`,
        expected: `no record of ${operation} in both organizations`,
        actual: both.length === 0 ? 'none' : `${both.length}, such as ${both[0]}`,
        exchange: others[i] ?? null,
      });
    }
  },
};

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
    const account = (await probe.facts.accounts()).find(({ status }) => status === 'connected');
    if (article) await expectUnseen(probe, 'getArticle', { id: article.id });
    if (site) await expectUnseen(probe, 'getSite', { id: site.id });
    if (account) await expectUnseen(probe, 'getInsights', { accountId: account.accountId });
    if (account) await expectUnseen(probe, 'listReviews', { accountId: account.accountId });
  },
};

const filters: Check = {
  id: 'isolation/filters',
  title: 'A filter by another organization’s site shows none of its records',
  cites: ['1.organization-scope', '4.articles.list.unknown-site', '4.keywords.list.unknown-site'],
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
      const actual = exchange.status === 200 ? `200 with ${shown} records` : String(exchange.status);
      const claim = { pointer: '/data', expected: '404, or an empty list', actual, exchange };
      probe.holds(isClosed, { ...claim, clause: '1.organization-scope' });
    }
  },
};

export const isolation = defineChecks([lists, records, filters]);
