// The data of an organization, as far as a few reads show it: for `--same-world`, where both sides are said to hold the
// same. The records stay in memory.
import type { ClauseId } from '../../src/contract/generated/clauses.ts';
import { dataOf, type Exchange, isObject, listOf } from '../exchange/exchange.ts';
import type { Check } from '../probe/check.ts';
import type { Probe } from '../probe/probe.ts';
import { NoAnswer, Stop } from '../probe/stop.ts';

export const kinds = ['site', 'article', 'keyword', 'account', 'invite', 'review', 'insights', 'call'] as const;
export type Kind = (typeof kinds)[number];
/** The clause about the answers that show them. */
export const clauseOf = {
  site: '4.sites.list',
  article: '4.articles.list.endpoint',
  keyword: '4.keywords.list.endpoint',
  account: '4.connect.list-accounts.content',
  invite: '4.connect.list-accounts.content',
  review: '4.connect.list-reviews.endpoint',
  insights: '4.connect.insights.endpoint',
  call: '4.calls.endpoint',
} as const satisfies Record<Kind, ClauseId>;
export type Members = Record<string, unknown>;

/** Records of one kind, in the order in which they came. */
export interface Shelf {
  readonly records: readonly Members[];
  /** Whether these are all that the organization has, so that one that is missing is missing. */
  readonly isWhole: boolean;
}

export type World = Readonly<Record<Kind, Shelf>>;

const sitesMax = 3;
const articlePagesMax = 3;
const accountsMax = 2;
const reviewPagesMax = 2;
/** What a world takes at most. */
export const worldRequestsMax = 2 + sitesMax + articlePagesMax + accountsMax * (reviewPagesMax + 1) + 1;

/** A check that judges nothing: it reads the world, paced and repeated like any other. */
export function readingWorld(): { readonly check: Check; world(): World } {
  const shelves = Object.fromEntries(kinds.map((kind) => [kind, { records: [], isWhole: false }])) as unknown as Record<
    Kind,
    { records: Members[]; isWhole: boolean }
  >;
  const put = (kind: Kind, records: readonly Members[], isWhole: boolean) => {
    shelves[kind].records.push(...records);
    shelves[kind].isWhole = isWhole;
  };
  return {
    check: {
      id: 'diff/world',
      title: 'the lists of the organization were read',
      cites: ['1.organization-scope'],
      level: 'observe',
      phase: 'read',
      cost: { requests: worldRequestsMax },
      run: (probe) => readAll(probe, put),
    },
    world: () => shelves,
  };
}

type Put = (kind: Kind, records: readonly Members[], isWhole: boolean) => void;

async function readAll(probe: Probe, put: Put): Promise<void> {
  const sites = rowsOf((await get(probe, 'listSites')) ?? null);
  put('site', sites, sites.length > 0);
  // By name, so that both sides read those of the same sites.
  const named = [...sites].sort((a, b) => (String(a.domain) < String(b.domain) ? -1 : 1)).slice(0, sitesMax);
  for (const { id } of named) {
    const page = await get(probe, 'listKeywords', { siteId: String(id) });
    if (page !== null) put('keyword', rowsOf(page), false);
  }
  await readArticles(probe, put);
  await readAccounts(probe, put);
  const log = await get(probe, 'listCalls', { limit: 200 });
  if (log !== null) put('call', listOf(dataOf(log).calls).filter(isObject), false);
}

async function readArticles(probe: Probe, put: Put): Promise<void> {
  let cursor: string | undefined;
  for (let turn = 0; turn < articlePagesMax; turn += 1) {
    const page = await get(probe, 'listArticles', { limit: 100, ...(cursor === undefined ? {} : { cursor }) });
    if (page === null) return;
    const next = isObject(page.json) ? page.json.cursor : null;
    put('article', rowsOf(page), typeof next !== 'string');
    if (typeof next !== 'string') return;
    cursor = next;
  }
}

async function readAccounts(probe: Probe, put: Put): Promise<void> {
  const list = await get(probe, 'listAccounts');
  if (list === null) return;
  const accounts = listOf(dataOf(list).accounts).filter(isObject);
  put('account', accounts, true);
  put('invite', listOf(dataOf(list).pendingInvites).filter(isObject), true);
  const nameOf = ({ label, name }: Members) => `${String(label)} ${String(name)}`;
  const usable = accounts.filter(isUsable).sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  for (const { accountId } of usable.slice(0, accountsMax)) {
    const params = { accountId: String(accountId) };
    let cursor: string | undefined;
    for (let turn = 0; turn < reviewPagesMax; turn += 1) {
      const page = await get(probe, 'listReviews', { ...params, ...(cursor === undefined ? {} : { cursor }) });
      if (page === null) break;
      const { reviews, nextCursor } = dataOf(page);
      put(
        'review',
        listOf(reviews)
          .filter(isObject)
          .map((review) => ({ ...review, accountId })),
        false,
      );
      if (typeof nextCursor !== 'string') break;
      cursor = nextCursor;
    }
    const insights = await get(probe, 'getInsights', { ...params, range: '28d' });
    if (insights !== null) put('insights', [{ ...dataOf(insights), accountId }], false);
  }
}

/** Null for every answer but a success. A platform that is down takes only its own account with it. */
async function get(probe: Probe, ...[operation, params]: Parameters<Probe['get']>): Promise<Exchange | null> {
  try {
    const exchange = await probe.get(operation, params);
    return exchange.status === 200 ? exchange : null;
  } catch (error) {
    if (error instanceof Stop || error instanceof NoAnswer) return null;
    throw error;
  }
}

function rowsOf(exchange: Exchange | null): readonly Members[] {
  return listOf(isObject(exchange?.json) ? exchange.json.data : null).filter(isObject);
}

/** Reads of such an account are answered on most platforms. */
function isUsable({ provider, status, locked }: Members): boolean {
  return provider === 'google_business' && status === 'connected' && locked === false;
}
