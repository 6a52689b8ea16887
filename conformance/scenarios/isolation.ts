// Requests with the keys of two organizations: own lists, and records of the other one.
import { articlesLimit, callsLimit } from '../../src/contract/generated/limits.ts';
import { canonical } from '../exchange/canonical.ts';
import { dataOf, type Exchange } from '../exchange/exchange.ts';
import type { History } from '../exchange/history.ts';
import { segmentOf } from '../exchange/look.ts';
import { sampleIn, sessionIn, toolsIn } from '../exchange/mcp/tools.ts';
import { isAccountId, type Organization, ownRecords, successesOf } from '../exchange/organizations.ts';
import { type Fields, recordsIn } from '../exchange/records.ts';
import type { RequestSpec } from '../exchange/request.ts';
import { isUniqueName, sameId } from '../exchange/same-id.ts';
import {
  type Asks,
  callTool,
  get,
  openMcp,
  type Scenario,
  type SoFar,
  scenario,
  send,
  sendAll,
  sendRaw,
  write,
} from './scenario.ts';

const needs = ['second-key'] as const;
const lists = [
  { operation: 'listSites', params: {} },
  { operation: 'listArticles', params: { limit: articlesLimit.max } },
  { operation: 'listAccounts', params: {} },
] as const;

/** Whether both keys list something, without which no record belongs to one of them. */
function* areListed({ history }: SoFar): Asks<boolean> {
  for (const key of ['good', 'second'] as const) {
    for (const { operation, params } of lists) {
      // Another request with a rejected key would show nothing new.
      if ((yield* get(operation, params, key)).status === 401) return false;
    }
  }
  return (['good', 'second'] as const).every((key) =>
    successesOf(history(), null, key).some((one) => recordsIn(one).length > 0),
  );
}

const ownLists = scenario('isolation/lists', { needs, least: 1, most: lists.length }, function* (run) {
  if (yield* areListed(run)) return undefined;
  const isRejected = run.history().exchanges.some(({ key, status }) => key === 'second' && status === 401);
  return isRejected
    ? 'the second key is rejected with 401; check CONFORMANCE_SECOND_KEY'
    : 'needs records of both organizations';
});

/** Nothing is sent unless both keys list something. */
function between(id: string, most: number, askBoth: (history: History, run: SoFar) => Asks<void>): Scenario {
  return scenario(id, { needs, most }, function* (run) {
    if (yield* areListed(run)) yield* askBoth(run.history(), run);
  });
}

/**
 * Each list once more with the first key, because a cache by URL may keep a page for seconds only. Sites three times
 * with the second key, so a balancer sends them to as many instances.
 */
function* listAgain(): Asks<void> {
  for (const spec of lists) {
    const times = spec.operation === 'listSites' ? 3 : 1;
    yield* sendAll([spec, ...Array.from({ length: times }, () => ({ ...spec, key: 'second' as const }))]);
  }
}

/** Accounts that only the first key lists. Other ids may be rejected as malformed for every caller (R10). */
function foreignAccounts(history: History, wanted = 'connected'): string[] {
  const usual = ownRecords(history, 'listAccounts', 'good').filter(({ status }) => status === wanted);
  return usual.map(({ accountId }) => String(accountId)).filter(isAccountId);
}

/** First its owner, then the other key: a response that is cached by URL or by record is returned to it. */
const byTurns = (spec: Omit<RequestSpec, 'key'>, keys: readonly Organization[] = ['good', 'second']) =>
  sendAll(keys.map((key) => ({ ...spec, key })));

function* nameRecords(history: History): Asks<void> {
  for (const [operation, list] of [
    ['getArticle', 'listArticles'],
    ['getSite', 'listSites'],
  ] as const) {
    const [own] = ownRecords(history, list, 'good');
    const [theirs] = ownRecords(history, list, 'second');
    if (own !== undefined) yield* byTurns({ operation, params: { id: String(own.id) } });
    // A rejection can be cached too.
    const params = { id: String(theirs?.id) };
    if (theirs !== undefined) yield* byTurns({ operation, params }, ['good', 'second', 'good']);
  }
  const accounts = foreignAccounts(history);
  for (const operation of ['listReviews', 'getInsights'] as const) {
    const read = new Set(successesOf(history, operation, 'good').map((one) => segmentOf(one, 2)));
    const accountId = accounts.find((id) => read.has(id)) ?? accounts[0];
    if (accountId !== undefined) yield* byTurns({ operation, params: { accountId } });
  }
  // Its state is private: an error that demands a reconnect reveals the account.
  const [lost] = foreignAccounts(history, 'expired');
  if (lost !== undefined) yield* get('listReviews', { accountId: lost }, 'second');
  // A cursor does not prove whose account it is.
  const pages = successesOf(history, 'listReviews', 'good').filter((one) => accounts.includes(segmentOf(one, 2)));
  const page = pages.find((one) => typeof dataOf(one).nextCursor === 'string');
  if (page === undefined) return;
  yield* get('listReviews', { accountId: segmentOf(page, 2), cursor: String(dataOf(page).nextCursor) }, 'second');
}

function* filterBySite(history: History): Asks<void> {
  const sites = ownRecords(history, 'listSites', 'good').map(({ id }) => String(id));
  for (const operation of ['listArticles', 'listKeywords'] as const) {
    // A site with records that the first key was shown: of one without any a leak would look like a rejection.
    const used = new Set(ownRecords(history, operation, 'good').map(({ siteId }) => siteId));
    const siteId = sites.find((id) => used.has(id)) ?? sites[0];
    if (siteId !== undefined) yield* get(operation, { siteId }, 'second');
  }
}

const accountsMax = 2;
const reviewed = ['facebook_page', 'google_business'];

function* readReviews(history: History): Asks<void> {
  const foreign = successesOf(history, 'listReviews', 'good').map((page) => dataOf(page).nextCursor);
  const accounts = successesOf(history, 'listAccounts', 'second')
    .flatMap(recordsIn)
    .filter(({ accountId, status, locked }) => typeof accountId === 'string' && status === 'connected' && !locked)
    // Those whose platforms have reviews come first.
    .sort((one, other) => reviewed.indexOf(String(other.provider)) - reviewed.indexOf(String(one.provider)));
  for (const { accountId } of accounts.slice(0, accountsMax)) {
    const params = { accountId: String(accountId) };
    const first = yield* get('listReviews', params, 'second');
    if (first.status !== 200) continue;
    // Another organization's cursor can be rejected, or show any page of this account.
    for (const cursor of [dataOf(first).nextCursor, foreign.find((one) => typeof one === 'string' && one !== '')])
      if (typeof cursor === 'string') yield* get('listReviews', { ...params, cursor }, 'second');
    return;
  }
}

const beginning = '1970-01-01T00:00:00.000Z';

/** A read of a log can consume its calls, so nothing is read that the checks of calls have not read (R36). */
function* isLogKept(history: History): Asks<boolean> {
  const isWhole = ({ target }: Exchange) => !target.includes('since=');
  if (successesOf(history, 'listCalls', 'good').some(isWhole)) return true;
  const row = { operation: 'listCalls', params: { since: beginning, limit: 1 } } as const;
  const [first, again] = [yield* get(row.operation, row.params), yield* send(row)];
  return first.status === 200 && recordsIn(first).length > 0 && canonical(first.json) === canonical(again.json);
}

/** Positions in lists of the first organization, with the key of the second one. */
function* continueLists(history: History, run: SoFar): Asks<void> {
  // The earliest position, with the most rows after it.
  const [page] = successesOf(history, 'listArticles', 'good')
    .filter(({ json }) => typeof (json as Fields).cursor === 'string')
    .sort((one, other) => recordsIn(one).length - recordsIn(other).length);
  const cursor = page && String((page.json as Fields).cursor);
  if (cursor !== undefined) yield* get('listArticles', { limit: articlesLimit.max, cursor }, 'second');
  if (!(yield* isLogKept(history))) return;
  // Calls hold little, so few equal ones decide nothing (R56).
  for (const key of ['good', 'second'] as const) yield* get('listCalls', { limit: callsLimit.max }, key);
  const logs = successesOf(run.history(), 'listCalls', 'good').map((one) => dataOf(one).nextCursor);
  const since = logs.find((one) => typeof one === 'string');
  if (since !== undefined) yield* get('listCalls', { since: String(since), limit: callsLimit.max }, 'second');
}

type Named = Required<Pick<RequestSpec, 'operation' | 'params' | 'key'>>;

/** Writes to a record of the other organization. The account is the user's, and of the first organization alone. */
function written(kind: 'posts' | 'replies', most: number, specsFor: (history: History, id: string) => Named[]) {
  const changes = 'nothing, unless the target accepts invalid requests';
  const row = { needs: [...needs, 'account', `writes:${kind}`], most, changes } as const;
  return scenario(`isolation/${kind}`, row, function* (run) {
    const isListed = yield* areListed(run);
    const { account, runId } = run.history().given;
    const accountId = isListed ? foreignAccounts(run.history()).find((id) => sameId(id, account)) : undefined;
    if (accountId === undefined) return 'needs a connected account of the first organization alone';
    const specs = specsFor(run.history(), accountId);
    const text = `casa-kit conformance ${runId}: with the key of another organization`;
    const label = `${kind}: a record of another organization`;
    for (const spec of specs) yield* write({ ...spec, label, body: { ...spec.params, text } });
    return specs.length === 0 ? 'needs a reply of this run, or a review of the second organization' : undefined;
  });
}

const post = written('posts', 1, (_, accountId) => [{ operation: 'createPost', params: { accountId }, key: 'second' }]);

const reply = written('replies', 2, (history, accountId) => {
  const reviewsOf = (key: Organization) =>
    successesOf(history, 'listReviews', key).flatMap((one) => recordsIn(one).map(({ reviewId }) => String(reviewId)));
  // The review that this run has replied to, so a second reply does no further harm.
  const [replied] = successesOf(history, 'replyToReview', 'good').map((one) => segmentOf(one, 4));
  const own = new Set(reviewsOf('good'));
  // A short one may be counted in each account, and be another review of this one (R9).
  const theirs = reviewsOf('second').find((id) => isUniqueName(id) && !own.has(id));
  const specOf = (reviewId: string | undefined, key: Organization): Named[] =>
    reviewId === undefined ? [] : [{ operation: 'replyToReview', params: { accountId, reviewId }, key }];
  return [...specOf(replied, 'second'), ...specOf(theirs, 'good')];
});

export const isolationScenarios: readonly Scenario[] = [
  ownLists,
  between('isolation/by-turns', 16, nameRecords),
  between('isolation/filters', 2, filterBySite),
  between('isolation/reviews', accountsMax + 2, readReviews),
  between('isolation/positions', 6, continueLists),
  post,
  reply,
  between('isolation/lists-again', 2 * lists.length + 2, listAgain),
];

// The second organization at the MCP endpoint: its tools, and a session of the first one.

/** Tools that list without any input, and tools that read one account. */
const listTools = ['list_accounts', 'calls_log', 'customers_list', 'inbox_list'] as const;
const accountTools = ['list_reviews', 'get_insights'] as const;

/** A session is not a key: with another key it can be rejected, or show the data of that key. */
function* useSession(history: History): Asks<void> {
  const call = sampleIn(history, 'tools/call');
  if (call?.headers['mcp-session-id'] === undefined) return;
  const bytes = new TextEncoder().encode(JSON.stringify({ ...call.message, id: 'casa-conformance-second' }));
  yield* sendRaw({ mcpEndpoint: 'mcp', method: 'POST', headers: call.headers, bytes, key: 'second' });
}

/** Three requests to connect again; each list twice, two tools with an account twice, two for a session. */
const most = 3 + 2 * listTools.length + 2 * accountTools.length + 2;

export const isolationMcp = scenario('isolation/mcp', { needs: ['mcp', 'second-key'], most }, function* ({ history }) {
  yield* openMcp();
  yield* openMcp('second');
  const tools = new Set(toolsIn(history(), 'second')?.map(({ name }) => name));
  for (const name of listTools.filter((one) => tools.has(one))) {
    yield* callTool(name, {});
    yield* callTool(name, {}, { key: 'second' });
    if (name === 'list_accounts') yield* useSession(history());
  }
  const foreign = ownRecords(history(), 'listAccounts', 'good').find(({ status }) => status === 'connected');
  const accountId = String(foreign?.accountId);
  for (const name of isAccountId(accountId) ? accountTools.filter((one) => tools.has(one)) : []) {
    yield* callTool(name, { accountId });
    yield* callTool(name, { accountId }, { key: 'second' });
  }
  const headers = sessionIn(history(), 'second');
  if (headers !== null)
    yield* sendRaw({ mcpEndpoint: 'mcp', method: 'DELETE', headers, key: 'second', repeatable: false });
});
