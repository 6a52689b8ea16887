// The lists of sites and accounts at the end: rejected requests must not have changed them.
import type { ClauseId } from '../../../src/contract/generated/clauses.ts';
import { type OperationId, operations } from '../../../src/contract/generated/operations.ts';
import { ConnectAccountInput } from '../../../src/contract/generated/validators.js';
import { parseJson } from '../../../src/contract/json.ts';
import { percentDecoded } from '../../../src/contract/percent.ts';
import { words } from '../../../src/contract/words.ts';
import { count } from '../../../src/terminal/count.ts';
import { intervalsIn } from '../../exchange/accounts.ts';
import { dataOf, type Exchange, errorCode, isObject, isObstacle } from '../../exchange/exchange.ts';
import { type History, labelled, ofKey, responsesTo } from '../../exchange/history.ts';
import { findField } from '../../exchange/pointer.ts';
import { recordsIn, rowsAt } from '../../exchange/records.ts';
import { invalidLinkLabel } from '../../exchange/request.ts';
import { isUuid, sameId } from '../../exchange/same-id.ts';
import { areInvalid } from '../../judge/accounts.ts';
import { about, hasStatus, judgeable, statusClause } from '../../judge/expect.ts';
import type { Judged, Judgment } from '../../judge/judge.ts';
import { show } from '../../judge/ledger.ts';

interface List {
  readonly operation: OperationId;
  readonly clause: ClauseId;
  readonly rows: string;
  readonly id: string;
  /** Of the requests that name one of its rows. */
  readonly path: string;
}

const lists: readonly List[] = [
  { operation: 'listSites', clause: '4.sites.list', rows: '/data', id: 'id', path: '/sites/' },
  {
    ...{ operation: 'listAccounts', clause: '4.connect.list-accounts.content', path: '/connect/accounts/' },
    ...{ rows: '/data/accounts', id: 'accountId' },
  },
];

const again: Judged = {
  id: 'lists/again',
  title: 'Rejected requests do not change lists',
  clauses: [
    ...words('4.sites.list 4.connect.list-accounts.content 1.unknown-record 4.connect.create-link.invalid'),
    ...words('5.missing-key 8.body-rest 7.code.unauthorized'),
  ],
  scenarios: ['lists/again'],
  *judge(history) {
    // A client can use several keys, and accounts come and go while it does.
    if (history.isRecorded) return;
    for (const list of lists) {
      const [first, ...later] = responsesTo(history, list.operation);
      for (const one of later) if (!isObstacle(one)) yield* isValidAgain(one);
      if (first !== undefined) yield* hasNoUnknown(history, list, [first, ...later]);
    }
    yield* hasNoInvites(history);
  },
};

function* isValidAgain(one: Exchange): Iterable<Judgment> {
  const tested = hasStatus(one, 200, { clause: statusClause(one.operation ?? 'listSites'), proves: [] });
  const message = 'the request is valid and was sent after requests that had to be rejected';
  if (tested !== null) yield { message, ...tested };
}

function* hasNoUnknown(history: History, list: List, reads: readonly Exchange[]): Iterable<Judgment> {
  const idsIn = (one: Exchange) =>
    (rowsAt(one, list.rows, [list.id]) ?? []).map((row) => String(row[list.id]).toLowerCase());
  const [first, last] = [reads[0], reads.at(-1)];
  if (first === undefined || last === undefined || first === last || last.status !== 200) return;
  const known = new Set(idsIn(first));
  const requested = ofKey(history).flatMap(({ status, target }) => {
    const [id = ''] = percentDecoded(target.slice(list.path.length)).split(/[/?]/);
    return status === 404 && target.startsWith(list.path) && id !== '' ? [id.toLowerCase()] : [];
  });
  const made = requested.find((id) => idsIn(last).includes(id) && !known.has(id));
  yield {
    ...about(last, list.clause),
    proves: requested.length > 0 ? [list.clause, '1.unknown-record'] : [list.clause],
    isTrue: made === undefined,
    expected: 'no id that returned 404 before',
    actual: made === undefined ? 'none' : `${made}, which returned 404 before`,
  };
}

const rejected: readonly (readonly [status: number, clause: ClauseId])[] = [
  [400, '4.connect.create-link.invalid'],
  [401, '5.missing-key'],
  [413, '8.body-rest'],
];

/** So often, a list must show one more invite after the request, and none without it (interpretation R59). */
const roundsMin = 3;

/** Others can create invites meanwhile; but not exactly one after each rejected request. */
function* hasNoInvites(history: History): Iterable<Judgment> {
  const intervals = intervalsIn(history);
  const last = intervals.at(-1)?.last;
  const count = intervals.reduce((sum, { stray }) => sum + Math.max(0, stray), 0);
  if (last === undefined) return;
  if (count === 0) {
    const claim = about(last, '4.connect.create-link.invalid', '/data/pendingInvites');
    return yield { ...claim, proves: [], isTrue: true, expected: 'no invite of a rejected link', actual: 'none' };
  }
  const isByOthers = intervals.some(({ added, links }) => added > links.length);
  const controls = intervals.filter(({ links, added, isQuiet }) => links.length === 0 && added === 0 && isQuiet);
  const [found] = rejected.filter(([status]) => {
    const ofOne = intervals.filter(({ links }) => links.length === 1 && links[0]?.status === status);
    const isMade = ofOne.every(({ added, isQuiet }) => added === 1 && isQuiet);
    return !isByOthers && isMade && ofOne.length >= roundsMin && controls.length >= roundsMin;
  });
  if (found !== undefined) {
    const [status, clause] = found;
    const actual = `a new invite for each rejected request, ${count} in this run`;
    yield { ...about(last, clause, '/data/pendingInvites'), isTrue: false, expected: `none after ${status}`, actual };
  } else {
    const claim = about(last, '4.connect.list-accounts.content', '/data/pendingInvites');
    const actual = `${count} more invites, of other users`;
    yield { ...claim, severity: 'note', expected: 'the same invites as before', actual };
  }
}

// Ids in forms that clients rarely send, each instead of an id that the run has read.

const clauses: Partial<Record<OperationId, ClauseId>> = {
  getArticle: '4.articles.get.not-found',
  getSite: '4.sites.get.not-found',
  listKeywords: '4.keywords.list.of-site',
  listArticles: '4.articles.list.site-id',
};

const rareForms: Judged = {
  id: 'ids/rare-forms',
  title: 'GET returns no record for the smallest UUID, the largest, and ids that are malformed or encoded twice',
  clauses: [
    ...words('1.unknown-record 4.articles.get.not-found 4.sites.get.not-found 4.keywords.list.of-site'),
    ...words('4.articles.list.site-id 4.connect.account-id 4.articles.get.statuses'),
  ],
  scenarios: ['ids/rare-forms'],
  *judge(history) {
    yield* areInvalid(history, 'account id in a rare form');
    for (const exchange of labelled(history, 'id in a rare form')) {
      const clause = exchange.operation === null ? undefined : clauses[exchange.operation];
      if (clause !== undefined && (yield* judgeable(history, exchange))) yield* hasNoRecord(history, exchange, clause);
    }
  },
};

function* hasNoRecord(history: History, exchange: Exchange, clause: ClauseId): Iterable<Judgment> {
  const { operation, target } = exchange;
  const isList = operation === 'listKeywords' || operation === 'listArticles';
  const tested = hasStatus(exchange, isList ? [200, 404, 400] : [404, 400], clause);
  if (tested !== null) yield tested;
  if (!isList) return;
  const rows = exchange.status === 200 ? recordsIn(exchange) : [];
  const claim = { ...about(exchange, clause, '/data'), expected: 'no records', actual: count(rows.length, 'record') };
  const form = new URLSearchParams(target.split('?')[1]).get('siteId') ?? '';
  // GET /articles can ignore a siteId that it reads as malformed (interpretation R19), but not use another value.
  const isOther = ({ siteId }: (typeof rows)[number]) => !sameId(siteId, percentDecoded(form));
  const isDecodedTwice =
    rows.length > 0 &&
    !isUuid(form) &&
    !rows.some(isOther) &&
    responsesTo(history, 'listArticles').some((one) => recordsIn(one).some(isOther));
  const isIgnored = operation === 'listArticles' && !isDecodedTwice && rows.length > 0;
  yield { ...claim, severity: isIgnored ? 'warn' : 'fail', isTrue: rows.length === 0 || (isIgnored && !isUuid(form)) };
}

export const listsAgain: readonly Judged[] = [again, rareForms];

// The connect endpoints, as all requests of the history show them.

const six = words(
  'createConnectLink listAccounts createPost listReviews replyToReview getInsights',
) satisfies readonly OperationId[];

const sixOperations: Judged = {
  id: 'accounts/six-operations',
  title: 'All six connect endpoints exist',
  clauses: ['1.connect-operations'],
  *judge(history) {
    // A path that does not exist returns neither 200 nor a rejection of the input.
    const isThere = (exchange: Exchange) => exchange.status === 200 || errorCode(exchange) === 'invalid_input';
    const done = ofKey(history).filter(isThere);
    const open = six.filter((id) => !done.some(({ operation }) => operation === id));
    const names = open.map((id) => `${operations[id].method} ${operations[id].path}`).join(', ');
    if (open.length > 0)
      yield { doubt: 'precondition', message: `no 200 and no invalid_input in this run of ${names}` };
    else yield { isTrue: true, clause: '1.connect-operations', expected: 'all six', actual: 'as expected' };
  },
};

/** Both fields are given, and both are invalid. */
function hasTwoErrors({ label, requestBody }: Exchange): boolean {
  const input = parseJson(requestBody.text ?? '');
  if (!isObject(input) || input.provider === undefined || input.label === undefined) return label === invalidLinkLabel;
  ConnectAccountInput(input);
  const places = (ConnectAccountInput.errors ?? []).map(({ instancePath }) => instancePath);
  return places.includes('/provider') && places.includes('/label');
}

/** A list with one entry can still name both, in any format (R26). */
function namesBoth(found: unknown): boolean {
  const text = JSON.stringify(found) ?? '';
  const isSingle = typeof found === 'object' && found !== null && Object.keys(found).length === 1;
  return !isSingle || (/provider/i.test(text) && /label/i.test(text));
}

const eachProblem: Judged = {
  id: 'links/each-problem',
  title: 'A request with two errors returns two issues',
  clauses: ['7.code.invalid-input-issues'],
  // R26: two independent problems listed as one are worth a warning.
  level: 'should',
  *judge(history) {
    const isLink = (one: Exchange) => one.operation === 'createConnectLink' && errorCode(one) === 'invalid_input';
    for (const exchange of ofKey(history).filter((one) => isLink(one) && hasTwoErrors(one))) {
      const { value: found, pointer } = findField(exchange.json, 'issues');
      // Whether there are issues at all is rule/issues.
      if (found === undefined) continue;
      const claim = about(exchange, '7.code.invalid-input-issues', pointer);
      const expected = 'an issue for provider and one for label';
      yield { ...claim, isTrue: namesBoth(found), expected, actual: show(found) };
    }
  },
};

/** A server may join posts of the same text, hence only different ones. */
const ownIds: Judged = {
  id: 'posts/own-ids',
  title: 'Every post has a unique id',
  clauses: ['2.create-post-output.post-id'],
  // Only the word "id" implies that it is unique.
  level: 'should',
  scenarios: ['posts/first-written', 'posts/valid-written'],
  *judge(history) {
    const posts = ofKey(history).filter((one) => one.operation === 'createPost' && isPosted(one));
    const texts = new Map<unknown, Set<string>>();
    for (const post of posts) {
      const { postId } = dataOf(post);
      texts.set(postId, (texts.get(postId) ?? new Set()).add(post.requestBody.text ?? ''));
    }
    if (posts.length < 2) return yield { doubt: 'vacuous', message: 'needs at least two posts' };
    const shared = [...texts].find(([, { size }]) => size > 1);
    yield {
      ...about(posts.at(-1), '2.create-post-output.post-id', '/data/postId'),
      isTrue: shared === undefined,
      expected: 'a unique id for each post',
      actual: shared === undefined ? 'as expected' : `${show(shared[0])} for ${count(shared[1].size, 'post')}`,
    };
  },
};

/** A recording can lack bodies. */
const isPosted = (one: Exchange) => one.status === 200 && dataOf(one).postId !== undefined;

export const connect = [sixOperations, eachProblem, ownIds];
