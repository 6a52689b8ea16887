// The lists of sites and accounts at the end: rejected requests must not have changed them.
import type { ClauseId } from '../../../src/contract/generated/clauses.ts';
import type { OperationId } from '../../../src/contract/generated/operations.ts';
import { percentDecoded } from '../../../src/contract/percent.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { type History, ofKey, responsesTo } from '../../exchange/history.ts';
import { intervalsIn } from '../../exchange/invites.ts';
import { rowsAt } from '../../exchange/records.ts';
import { isObstacle } from '../../judge/accounts.ts';
import { about } from '../../judge/claims.ts';
import { hasStatus, statusClause } from '../../judge/expect.ts';
import type { Judged, Judgment } from '../../judge/judge.ts';

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
    '4.sites.list',
    '4.connect.list-accounts.content',
    '1.unknown-record',
    '4.connect.create-link.invalid',
    '5.missing-key',
    '8.body-rest',
    '7.code.unauthorized',
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

/** An id that was unknown is in no later list. */
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

export const listsAgain: readonly Judged[] = [again];
