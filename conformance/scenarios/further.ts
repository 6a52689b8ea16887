// `conformance calibrate`: further requests for the behaviors that an audit leaves open: reads, and one DELETE of a
// site that does not exist. Mixed behaviors get three more requests.
import type { BehaviorId, InputRow } from '../../src/contract/generated/behaviors.ts';
import { type InputId, inputRows } from '../../src/contract/input-classes.ts';
import type { BehaviorState } from '../behaviors/observe.ts';
import { dataOf, type Exchange, isUnusable } from '../exchange/exchange.ts';
import { accountOf, type KnownAccount, type Look, lookAt, queryOf, responsesTo, rowsOf } from '../exchange/look.ts';
import type { RequestSpec } from '../exchange/request.ts';
import { type Asks, type Scenario, sendRaw } from './scenario.ts';

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
  next(look: Look, unknownId: string): RequestSpec | null;
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
  const next: FurtherRequest['next'] = (look, unknownId) => {
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
  { shows: ['otherMethod'], next: (_look, unknownId) => ({ method: 'DELETE', path: `/sites/${unknownId}` }) },
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

/** A read that the question needs; null where the record has it, or the organization has nothing of the kind. */
function readBefore({ after }: FurtherRequest, look: Look): RequestSpec | null {
  if (after === undefined) return null;
  if (look.accounts.size === 0) return { operation: 'listAccounts' };
  if (after === 'accounts' || responsesTo(look, ['listReviews']).length > 0) return null;
  const usable = usableAccounts(look);
  const account = usable.find(({ provider }) => provider === 'google_business') ?? usable[0];
  return account === undefined ? null : { operation: 'listReviews', params: { accountId: account.accountId } };
}

function usableAccounts({ accounts }: Pick<Look, 'accounts'>): KnownAccount[] {
  return [...accounts.values()].filter(({ status, locked }) => status === 'connected' && !locked);
}

/** Maximum of additional requests to any deployment. */
export const furtherMax = 60;
/** Repetitions before a contradiction counts as mixed. */
const again = 3;

/**
 * The missing requests for the wanted behaviors, or for all unknown ones. `observe` reads the record again: one
 * response can show several behaviors.
 */
export function furtherRequests(
  observe: (id: BehaviorId) => BehaviorState,
  wanted: readonly BehaviorId[] | null,
): Scenario {
  const isWanted = (id: BehaviorId) => wanted?.includes(id) !== false;
  const isOpen = ({ shows, isSample }: FurtherRequest) =>
    isSample === true || shows.some((id) => isWanted(id) && observe(id).state === 'unknown');
  const isRare = ({ shows: [first], atLeast = 0 }: FurtherRequest) => {
    const found = observe(first);
    return found.state !== 'unknown' && found.seen < atLeast;
  };
  const chosen = questions.filter(({ shows }) => shows.some(isWanted));
  return {
    id: 'behaviors/further',
    cost: { least: 0, most: furtherMax },
    *ask({ history }) {
      let left = furtherMax;
      const look = () => lookAt(history().exchanges, null);
      function* deliver(spec: RequestSpec | null | undefined): Asks<boolean> {
        if (spec == null || left === 0) return false;
        left -= 1;
        return !isUnusable(yield* sendRaw(spec));
      }
      function* repeat(question: FurtherRequest, turns: number, isDue: (turn: number) => boolean): Asks<void> {
        for (let turn = 0; turn < turns && isDue(turn); turn += 1)
          if (!(yield* deliver(question.next(look(), history().given.unknownId)))) return;
      }
      for (const question of chosen) {
        // Accounts first, then the reviews of one of them.
        for (let step = 0; wanted !== null && isOpen(question) && step < 2; step += 1)
          if (!(yield* deliver(readBefore(question, look())))) break;
        yield* repeat(question, question.isSample ? furtherMax : (question.turns ?? 1), () => isOpen(question));
        yield* repeat(question, again, () => isRare(question));
      }
      for (const question of chosen)
        yield* repeat(question, again, (turn) => isDoubtful(observe(question.shows[0]), turn));
      return undefined;
    },
  };
}

/** A mixture gets three more requests, an input whose class had several responses one. */
function isDoubtful(found: BehaviorState, turn: number): boolean {
  return found.state === 'mixed' || (found.state === 'known' && found.varies === true && turn === 0);
}
