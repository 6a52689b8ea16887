// `conformance calibrate`: further requests for the behaviors that an audit leaves open: reads, and one DELETE of a
// site that does not exist. They are sequential and paced, and mixed behaviors get three more requests.
import type { BehaviorId, InputRow } from '../../src/contract/generated/behaviors.ts';
import { type InputId, inputRows } from '../../src/contract/input-classes.ts';
import type { BehaviorState } from '../behaviors/observe.ts';
import { dataOf, type Exchange, isObject, isUnusable, listOf } from '../exchange/exchange.ts';
import { accountOf, type KnownAccount, type Look, lookAt, queryOf, responsesTo, rowsOf } from '../exchange/look.ts';
import type { RequestSpec } from '../exchange/request.ts';
import { type Cause, sequenceOf } from '../report/diagnosis/causes.ts';
import { differingRead, isListRead, unsteadyOf } from '../report/diagnosis/scope.ts';
import type { StoredExchange } from '../report/report.ts';
import type { Session } from './session.ts';

/** A request that shows some behaviors; null if the organization has no data for it. */
interface FurtherRequest {
  readonly shows: readonly [BehaviorId, ...BehaviorId[]];
  /** Asked until so many places have shown it; once is enough when absent. */
  readonly atLeast?: number;
  /** Maximum number of requests while it shows nothing; one when absent. */
  readonly turns?: number;
  /** Sent as long as there is input for it, even if the behavior is known. */
  readonly isSample?: true;
  /** A read that must come first to provide the input. */
  readonly after?: 'accounts' | 'reviews';
  next(look: Look, session: Pick<Session, 'unknownId'>): RequestSpec | null;
}

/** The read of an account of one state; google_business supports all operations. */
function readOf(status: string, isLocked = false): FurtherRequest['next'] {
  return ({ accounts }) => {
    const fitting = [...accounts.values()].filter((each) => each.status === status && each.locked === isLocked);
    const account = fitting.find(({ provider }) => provider === 'google_business') ?? fitting[0];
    return account === undefined ? null : { operation: 'getInsights', params: { accountId: account.accountId } };
  };
}

/** Providers differ, and an audit draws the accounts that it reads: each run sees at least one account of each. */
function accountOfNextProvider(operation: 'listReviews' | 'getInsights'): FurtherRequest['next'] {
  return (look) => {
    const read = responsesTo(look, [operation]).map((exchange) => accountOf(look, exchange)?.provider);
    const account = usableAccounts(look).find(({ provider }) => !read.includes(provider));
    return account === undefined ? null : { operation, params: { accountId: account.accountId } };
  };
}

/** One request for each class of input. Reviews and insights need an account that returns them. */
function questionOf({
  id,
  operations: [operation],
  name,
  send,
  class: inputClass,
}: InputRow & { id: InputId }): FurtherRequest {
  const isOfAccount = operation === 'listReviews' || (operation === 'getInsights' && name !== 'accountId');
  const next: FurtherRequest['next'] = (look, { unknownId }) => {
    const value = send === 'unknown' ? unknownId : send;
    if (operation === undefined || !isOfAccount) return operation ? { operation, params: { [name]: value } } : null;
    // A locked account may return them, too, and shows nothing of the input.
    const isUsable = (page: Exchange) => usableAccounts(look).some((account) => account === accountOf(look, page));
    const page = responsesTo(look, [operation], 200).find(isUsable);
    return page === undefined ? null : { method: 'GET', path: `${page.target.split('?')[0]}?${name}=${value}` };
  };
  // Once, the default limit and a clamped one can look alike by chance.
  const again = inputClass === 'above' ? { atLeast: 2 } : {};
  return { shows: [id], ...again, ...(isOfAccount ? { after: 'reviews' } : {}), next };
}

const questions: readonly FurtherRequest[] = [
  { shows: ['callRecord', 'snapshotCursor', 'callSummary'], next: () => ({ operation: 'listCalls' }) },
  {
    shows: ['callCursor'],
    next: () => ({ operation: 'listCalls', params: { since: '2000-01-01T00:00:00Z', limit: 200 } }),
  },
  ...inputRows.map(questionOf),
  { shows: ['duplicates'], next: () => ({ method: 'GET', path: '/articles?limit=1&limit=2' }) },
  { shows: ['simpleBadCode', 'simpleIssues'], next: () => ({ operation: 'listKeywords' }) },
  { shows: ['issues'], next: () => ({ operation: 'listCalls', params: { limit: 0 } }) },
  { shows: ['pendingCode'], after: 'accounts', next: readOf('pending') },
  { shows: ['expiredCode'], after: 'accounts', next: readOf('expired') },
  { shows: ['revokedCode'], after: 'accounts', next: readOf('revoked') },
  { shows: ['pendingApiCode'], after: 'accounts', next: readOf('pending_api_access') },
  { shows: ['lockedReads'], after: 'accounts', next: readOf('connected', true) },
  {
    shows: ['articleEnd', 'articlePageCap', 'articleOrder'],
    next: () => ({ operation: 'listArticles', params: { limit: 100 } }),
  },
  { shows: ['articleEnd'], turns: 6, next: (look) => exactPage(look) ?? nextArticlePage(look) },
  { shows: ['articlePageCap'], next: afterShortPage },
  { shows: ['reviewEnd', 'reviewLastPage', 'reviewPageSize'], after: 'reviews', turns: 8, next: nextReviewPage },
  { shows: ['reviewEnd'], after: 'reviews', atLeast: 4, next: lastReviewPage },
  { shows: ['reviewEnd'], isSample: true, next: lastPageAfterReply },
  {
    shows: ['reviewAggregate', 'reviewReplied', 'reviewCursor'],
    after: 'accounts',
    isSample: true,
    next: accountOfNextProvider('listReviews'),
  },
  {
    shows: ['insightPoints', 'insightDateForm', 'insightLagDays', 'numbers'],
    after: 'accounts',
    isSample: true,
    next: accountOfNextProvider('getInsights'),
  },
  { shows: ['records'], isSample: true, next: keywordsOfNextSite },
  { shows: ['challenge'], next: () => ({ operation: 'listSites', key: 'none' }) },
  { shows: ['otherMethod'], next: (_look, { unknownId }) => ({ method: 'DELETE', path: `/sites/${unknownId}` }) },
];

/** One site can have few keywords, and nulls are rare. */
function keywordsOfNextSite(look: Look): RequestSpec | null {
  const read = new Set(
    responsesTo(look, ['listKeywords']).map((exchange) => queryOf(exchange).get('siteId')?.toLowerCase()),
  );
  const siteId = [...(look.siteIds ?? [])].slice(0, sitesMax).find((id) => !read.has(id));
  return siteId === undefined ? null : { operation: 'listKeywords', params: { siteId } };
}

const sitesMax = 4;

export const furtherBehaviors: ReadonlySet<BehaviorId> = new Set(questions.flatMap(({ shows }) => [...shows]));

const isPlainPage = (page: Exchange) =>
  [...queryOf(page).keys()].every((name) => name === 'limit' || name === 'cursor');
const cursorOf = (page: Exchange) => (page.json as { cursor?: unknown }).cursor;

/**
 * Requests the last page again with a limit that it fills, which shows whether a full last page has a cursor. If so,
 * the page after it shows whether that one is empty.
 */
function exactPage(look: Look): RequestSpec | null {
  const pages = responsesTo(look, ['listArticles'], 200).filter(isPlainPage);
  const last = pages.find((page) => {
    const rows = rowsOf(page).length;
    return cursorOf(page) === null && rows > 0 && rows < Number(queryOf(page).get('limit') ?? 20);
  });
  if (last === undefined) return null;
  const [rows, cursor] = [rowsOf(last).length, queryOf(last).get('cursor')];
  const exact = pages.find((page) => {
    const query = queryOf(page);
    return query.get('limit') === String(rows) && query.get('cursor') === cursor && rowsOf(page).length === rows;
  });
  if (exact === undefined)
    return { operation: 'listArticles', params: { limit: rows, ...(cursor === null ? {} : { cursor }) } };
  const next = cursorOf(exact);
  if (typeof next !== 'string' || pages.some((page) => queryOf(page).get('cursor') === next)) return null;
  return { operation: 'listArticles', params: { limit: 100, cursor: next } };
}

/** The page after the last one that was read: a service with small pages has many. */
function nextArticlePage(look: Look): RequestSpec | null {
  const pages = responsesTo(look, ['listArticles'], 200).filter(isPlainPage);
  const cursors = new Set(pages.map((page) => queryOf(page).get('cursor')));
  const open = pages.filter((page) => {
    const cursor = cursorOf(page);
    return typeof cursor === 'string' && !cursors.has(cursor) && rowsOf(page).length > 1;
  });
  const last = open.at(-1);
  return last === undefined
    ? null
    : { operation: 'listArticles', params: { limit: 100, cursor: String(cursorOf(last)) } };
}

/** Whether a page of limit=100 is short because the service caps pages. */
function afterShortPage(look: Look): RequestSpec | null {
  const short = responsesTo(look, ['listArticles'], 200).find(
    (page) => isPlainPage(page) && queryOf(page).get('limit') === '100' && typeof cursorOf(page) === 'string',
  );
  return short === undefined
    ? null
    : { operation: 'listArticles', params: { limit: 100, cursor: String(cursorOf(short)) } };
}

function nextReviewPage(look: Look): RequestSpec | null {
  const pages = responsesTo(look, ['listReviews'], 200);
  const cursors = new Set(pages.map((page) => queryOf(page).get('cursor')));
  const open = pages.find((page) => {
    const next = dataOf(page).nextCursor;
    return typeof next === 'string' && !cursors.has(next);
  });
  if (open === undefined) return null;
  const cursor = encodeURIComponent(String(dataOf(open).nextCursor));
  return { method: 'GET', path: `${open.target.split('?')[0]}?cursor=${cursor}` };
}

/** The same page again: alternating ends show only in repetitions. */
function lastReviewPage(look: Look): RequestSpec | null {
  const last = responsesTo(look, ['listReviews'], 200).find((page) => typeof dataOf(page).nextCursor !== 'string');
  return last === undefined ? null : { method: 'GET', path: last.target };
}

/** A reply can change how the pages of its account end. */
function lastPageAfterReply(look: Look): RequestSpec | null {
  const pages = responsesTo(look, ['listReviews', 'replyToReview'], 200);
  const at = pages.findLastIndex(({ operation }) => operation === 'replyToReview');
  const path = pages[at]?.target.replace(/\/[^/]*\/reply$/, '');
  const isLast = (page: Exchange) => page.target.split('?')[0] === path && typeof dataOf(page).nextCursor !== 'string';
  const last = pages.slice(0, Math.max(0, at)).find(isLast);
  return last === undefined || pages.slice(at).some(isLast) ? null : { method: 'GET', path: last.target };
}

/** Repetitions before a contradiction counts as mixed. */
const again = 3;
/** Maximum of additional requests to any deployment. */
export const furtherMax = 60;

/** Reads that other questions need; empty where the record has them, or the organization has nothing of the kind. */
function readsBefore({ after }: FurtherRequest, { accounts, ...look }: Look): RequestSpec[] {
  if (after === undefined) return [];
  if (accounts.size === 0) return [{ operation: 'listAccounts' }];
  if (after === 'accounts' || responsesTo({ accounts, ...look }, ['listReviews']).length > 0) return [];
  const usable = usableAccounts({ accounts });
  const account = usable.find(({ provider }) => provider === 'google_business') ?? usable[0];
  return account === undefined ? [] : [{ operation: 'listReviews', params: { accountId: account.accountId } }];
}

function usableAccounts({ accounts }: Pick<Look, 'accounts'>): KnownAccount[] {
  return [...accounts.values()].filter(({ status, locked }) => status === 'connected' && !locked);
}

/**
 * Sends the missing requests for the wanted behaviors, or for all unknown ones. `observe` reads the record again: one
 * response can show several behaviors.
 */
export async function sendFurtherRequests(
  session: Session,
  observe: (id: BehaviorId) => BehaviorState,
  { wanted }: { wanted?: readonly BehaviorId[] } = {},
): Promise<number> {
  let sent = 0;
  const seen = (id: BehaviorId) => {
    const found = observe(id);
    return found.state === 'unknown' ? 0 : found.seen;
  };
  const look = () => lookAt(session.exchanges, null);
  const deliver = async (spec: RequestSpec | null): Promise<boolean> => {
    if (spec === null || sent >= furtherMax || session.signal?.aborted || session.client.isDown() !== null)
      return false;
    sent += 1;
    const { exchange } = await session.client.deliver(spec);
    return !isUnusable(exchange);
  };
  const send = ({ next }: FurtherRequest) => deliver(next(look(), session));
  const chosen = questions.filter(({ shows }) => wanted === undefined || shows.some((id) => wanted.includes(id)));
  const isOpen = ({ shows, isSample }: FurtherRequest) =>
    isSample === true ||
    shows.some((id) => (wanted === undefined || wanted.includes(id)) && observe(id).state === 'unknown');
  for (const question of chosen) {
    const [first] = question.shows;
    const turns = question.isSample === true ? furtherMax : (question.turns ?? 1);
    for (let turn = 0; turn < turns; turn += 1) {
      if (!isOpen(question)) break;
      if (wanted !== undefined && turn === 0) await readBefore(question, look, deliver);
      if (!(await send(question))) break;
    }
    for (let turn = 0; turn < again && seen(first) > 0 && seen(first) < (question.atLeast ?? 0); turn += 1) {
      if (!(await send(question))) break;
    }
  }
  for (const question of chosen) {
    for (let turn = 0; turn < again && isDoubtful(observe(question.shows[0]), turn); turn += 1) {
      if (!(await send(question))) break;
    }
  }
  return sent;
}

/** A mixture gets three more requests, an input whose class had several responses one. */
function isDoubtful(found: BehaviorState, turn: number): boolean {
  return found.state === 'mixed' || (found.state === 'known' && found.varies === true && turn === 0);
}

/** Accounts first, then the reviews of one of them. */
async function readBefore(
  question: FurtherRequest,
  look: () => Look,
  deliver: (spec: RequestSpec) => Promise<boolean>,
) {
  for (let step = 0; step < 2; step += 1) {
    const [spec] = readsBefore(question, look());
    if (spec === undefined || !(await deliver(spec))) return;
  }
}

/** Each gets three requests at most. */
const causesMax = 10;
const requestsMax = 3;

/** Shows how often a defect occurs, whether the endpoint works at all, and whether an earlier request is needed. */
export async function sendAgain(
  { client, exchanges, signal }: Session,
  causes: readonly Cause[],
  sent: readonly StoredExchange[],
): Promise<void> {
  for (const cause of causes.slice(0, causesMax)) {
    const bad = exchanges.find(({ id }) => id === cause.finding.exchange);
    const specs = bad === undefined ? [] : (sequenceFor(cause, sent, exchanges) ?? requestsFor(cause, bad));
    for (let turn = 0; turn < 2 * requestsMax; turn += 1) {
      const spec = specs.shift() ?? confirmingRead(cause, exchanges);
      if (spec === undefined) break;
      if (signal?.aborted || client.isDown() !== null) return;
      await client.deliver({ ...spec, confirms: 'control' });
    }
  }
}

/** Identical requests with other records are repeated until a record returns, which no change of the data explains. */
function confirmingRead({ finding }: Cause, exchanges: readonly Exchange[]): RequestSpec | undefined {
  const read = differingRead(finding, exchanges);
  const isOpen = read !== undefined && (unsteadyOf(finding, exchanges)?.exchanges.length ?? 0) < unsteadyMin;
  return isOpen ? { method: 'GET', path: read.target, key: read.key } : undefined;
}

const unsteadyMin = 6;

const isPlain = ({ method, operation, key, burst, status }: StoredExchange | Exchange) =>
  method === 'GET' && operation !== null && !burst && status > 0 && status !== 429 && /^(good|second|none)$/.test(key);

/** The same requests in the same order, after the last of them for an unread record. */
function sequenceFor(cause: Cause, sent: readonly StoredExchange[], exchanges: readonly Exchange[]) {
  const { requests } = sequenceOf(cause, sent);
  const own = requests.at(-1);
  if (own === undefined || requests.length < 2 || requests.length > requestsMax || !requests.every(isPlain))
    return null;
  const again = requests.map(({ method, target, key }): RequestSpec => ({ method, path: target, key }));
  const [isOneTarget, isOnePath] = [requests[0]?.target === own.target, pathOf(requests[0]) === pathOf(own)];
  const fresh = requests.length < requestsMax && isOnePath ? unread(own, exchanges) : null;
  if (fresh !== null) return [{ method: 'GET', path: fresh, key: own.key }, ...again];
  // An instance that is out of date mostly shows on the first page.
  return [...again, ...(isOneTarget ? [] : again)].slice(0, requestsMax);
}

const pathOf = (exchange: StoredExchange | undefined) => exchange?.target.split('?')[0];

/** The path of another record of the valid key; null where each was read, or where there is no list. */
function unread({ target }: StoredExchange, exchanges: readonly Exchange[]): string | null {
  const [, list, rest = ''] = /^(\/(?:articles|sites|connect\/accounts))\/[^/?]+(.*)$/.exec(target) ?? [];
  if (list === undefined) return null;
  const lists = exchanges.filter((each) => each.key === 'good' && each.target.split('?')[0] === list);
  const rows = lists.flatMap(({ json }) => rowsIn(isObject(json) ? json.data : null)).filter(isObject);
  const idOf = (row: (typeof rows)[number]) => String(row.accountId ?? row.id);
  const provider = rows.find((row) => target.includes(idOf(row)))?.provider;
  const isUsable = (row: (typeof rows)[number]) =>
    /^(connected|undefined)$/.test(`${row.status}`) &&
    row.locked !== true &&
    !exchanges.some((each) => each.target.includes(idOf(row)));
  // An account of another provider can reject the request.
  const usable = rows.filter(isUsable);
  const row = usable.find((each) => each.provider === provider) ?? usable[0];
  return row === undefined ? null : `${list}/${encodeURIComponent(idOf(row))}${rest}`;
}

const rowsIn = (data: unknown) => listOf(isObject(data) ? data.accounts : data);

/** Other responses to the request can be compared only by their status, or by a rule. */
function requestsFor({ finding, checks: [first = ''], control, scope }: Cause, bad: Exchange): RequestSpec[] {
  const { method, target, key } = bad;
  const isStatus = finding.pointer === '#status';
  const again = (times: number) => Array.from({ length: Math.max(0, times) }, () => ({ method, path: target, key }));
  // Several responses contradict each other: identical requests show whether they do so too.
  if (isListRead(bad, finding) && finding.proof !== undefined) return again(requestsMax);
  if (!isPlain(bad) || !(isStatus || first.startsWith('rule/'))) return [];
  const [path = ''] = target.split('?');
  const repeated = again(requestsMax - scope.of);
  return isStatus && control === null && path !== target ? [...repeated, { method, path, key }] : repeated;
}
