// The list of accounts, and reads of each account. Users can change accounts during a run.
import { labelLength, linkAccounts } from '../../../src/contract/generated/limits.ts';
import { words } from '../../../src/contract/words.ts';
import { type AccountRead, accountIdIn, accountsIn, readsOf } from '../../exchange/accounts.ts';
import { canonical } from '../../exchange/canonical.ts';
import {
  type Exchange,
  errorCode,
  isDocumentedRejection,
  isObstacle,
  nameOfResponse,
} from '../../exchange/exchange.ts';
import { precedes, responsesTo } from '../../exchange/history.ts';
import { isOver } from '../../exchange/insights.ts';
import { rowsAt } from '../../exchange/records.ts';
import { isUuid, sameId } from '../../exchange/same-id.ts';
import { about, aboutStatus, hasStatus, readRows } from '../../judge/expect.ts';
import type { Judged, Judgment } from '../../judge/judge.ts';
import { show } from '../../judge/ledger.ts';
import { listedAccount } from '../../judge/same-record.ts';

const content = '4.connect.list-accounts.content';

const list: Judged = {
  id: 'accounts/list',
  title: 'GET /connect/accounts returns accounts, pending invites and billing',
  clauses: ['4.connect.list-accounts.endpoint', content],
  scenarios: ['accounts/list'],
  *judge(history) {
    const all = responsesTo(history, 'listAccounts').filter(({ status }) => !history.isRecorded || status === 200);
    for (const exchange of all) {
      const actual = nameOfResponse(exchange);
      // No platform can have rejected a stored authorization of no account.
      const words = { expected: 'another code, because the request names no account', actual, isTrue: false };
      if (actual === '401 provider_auth') yield { ...about(exchange, '5.provider-auth', '#status'), ...words };
      else if (isObstacle(exchange)) continue;
      else yield* haveRows(exchange);
    }
    const [first] = all.filter(({ status }) => status === 200);
    const [blocked] = first === undefined ? all.filter(isObstacle) : [];
    const message = blocked && `GET /connect/accounts returned ${nameOfResponse(blocked)}`;
    if (message !== undefined) yield { doubt: 'precondition', message };
    if (first !== undefined) yield* noteRows(first, history.given.account);
  },
};

/**
 * Not the very same row twice, in two responses, nor one account in two states. Ids are plain strings (R9), so rows
 * that differ in more may be of one account.
 */
function* haveRows(exchange: Exchange): Iterable<Judgment> {
  const tested = hasStatus(exchange, 200, '4.connect.list-accounts.endpoint');
  if (tested !== null) yield tested;
  if (exchange.status === 200) yield* readRows(exchange, '/data/accounts', ['accountId', 'status']);
  for (const name of ['accounts', 'pendingInvites'] as const) {
    const rows = rowsAt(exchange, `/data/${name}`) ?? [];
    const texts = rows.map(({ status: _status, locked: _locked, ...row }) => canonical(row));
    const twice = rows.find((_, index) => texts.indexOf(texts[index] ?? '') < index);
    const words = { expected: 'each row once', actual: `${show(twice)} twice`, isTrue: false, of: [exchange] };
    if (twice !== undefined) yield { ...about(exchange, content, `/data/${name}`), ...words };
  }
}

/** Repeated ids, the account of --account, and invites that no valid input can create; they can have another origin. */
function* noteRows(exchange: Exchange, named: string | null): Iterable<Judgment> {
  const ids = accountsIn(exchange).map(({ accountId }) => accountId);
  const twice = ids.find((id, index) => ids.indexOf(id) < index);
  const claim = { ...about(exchange, content, '/data/accounts'), severity: 'note' } as const;
  if (twice !== undefined) yield { ...claim, expected: 'each account once', actual: `${show(twice)} twice` };
  const isMissing = named !== null && !ids.some((id) => sameId(id, named));
  const words = { expected: `${named}, the account of --account`, actual: `${ids.length} other accounts` };
  if (isMissing) yield { ...claim, ...words };
  for (const [index, invite] of (rowsAt(exchange, '/data/pendingInvites') ?? []).entries()) {
    const { maxAccounts: max, label, expiresAt } = invite;
    const place = { exchange, pointer: `/data/pendingInvites/${index}`, severity: 'warn' } as const;
    const most = {
      ...place,
      clause: '8.max-accounts',
      expected: 'a maxAccounts of 1 to 20',
      actual: show(max),
    } as const;
    if (typeof max === 'number' && (max < linkAccounts.min || max > linkAccounts.max)) yield most;
    const labels = { ...place, clause: '8.label', expected: 'a label of 1 to 80 characters' } as const;
    const isLabel = typeof label !== 'string' || (label.length >= 1 && [...label].length <= labelLength.max);
    if (!isLabel) yield { ...labels, actual: show(label) };
    const over = { ...place, clause: '2.list-accounts-output.pending-invites.expires-at', severity: 'note' } as const;
    const date = { expected: 'an expiresAt in the future', actual: show(expiresAt) };
    if (isOver({ exchange, date: expiresAt })) yield { ...over, ...date };
  }
}

const complete: Judged = {
  id: 'accounts/complete',
  title: 'GET /connect/accounts lists the account of --account',
  clauses: [content],
  scenarios: ['accounts/named'],
  *judge(history) {
    const { account } = history.given;
    const reads = [...responsesTo(history, 'listReviews'), ...responsesTo(history, 'getInsights')];
    const isOf = (one: Exchange) => one.status === 200 && sameId(accountIdIn(one), account);
    const read = reads.filter(isOf).at(-1);
    if (read === undefined)
      return yield { doubt: 'precondition', message: 'the account returns neither reviews nor insights' };
    for (const exchange of responsesTo(history, 'listAccounts').filter((one) => precedes(one, read))) {
      const isTrue = rowsAt(exchange, '/data/accounts')?.some(({ accountId }) => sameId(accountId, account));
      const words = { expected: `the account ${account}`, actual: isTrue ? 'listed' : 'other accounts' };
      // It may be new, or removed meanwhile.
      const proof = { of: [exchange], witness: read };
      if (isTrue !== undefined) yield { ...about(exchange, content, '/data/accounts'), ...words, isTrue, ...proof };
    }
  },
};

const each: Judged = {
  id: 'accounts/each',
  title: 'Reads from every account return 200 or a documented error',
  clauses: [
    ...words('7.code.status-agrees 7.code.provider-auth 7.code.provider-permission 7.code.not-supported'),
    ...words('7.code.transient 7.code.rate-limited 7.code.provider-error 5.provider-auth'),
  ],
  scenarios: ['accounts/unusable', 'accounts/each'],
  *judge(history) {
    for (const operation of ['listReviews', 'getInsights'] as const) {
      for (const read of readsOf(history, operation)) {
        if (read.exchange.status !== 200) yield* isAboutAccount(read);
      }
    }
  },
};

/** Any documented rejection is right: the contract does not state which state has which code (R28). */
function* isAboutAccount({ exchange, accountId, row }: AccountRead): Iterable<Judgment> {
  const claim = aboutStatus(exchange, '7.code.status-agrees');
  const words = { expected: 'a documented code for the account or its platform' };
  // The key is valid: the client has to reconnect the account.
  const own = errorCode(exchange) === 'unauthorized' ? ({ clause: '5.provider-auth' } as const) : {};
  yield { ...claim, ...own, ...words, isTrue: isDocumentedRejection(exchange) };
  const isMalformed = claim.actual === '400 invalid_input' && isUuid(accountId);
  // The list shows it and its id is valid. An account without consent is hardly one yet.
  if ((claim.actual !== '404 not_found' && !isMalformed) || row === undefined || row.status === 'pending') return;
  const clause = isMalformed ? '7.code.invalid-input' : '7.code.not-found';
  const expected = `an error code that fits the status ${show(row.status)} of the account`;
  const proof = { of: [exchange], ...listedAccount(accountId), severity: 'warn' } as const;
  yield { ...claim, clause, expected, isTrue: false, ...proof };
}

export const accounts: readonly Judged[] = [list, complete, each];
