// The list of accounts, unusable accounts, and each account. Users can change accounts during a run, so a difference is
// read again before it counts.

import { linkAccounts } from '../../../src/contract/generated/limits.ts';
import {
  expectNoAccount,
  isDocumentedRejection,
  isObstacle,
  listedAccount,
  rank,
  readUnlessTroubled,
  reviewedProviders,
  uuid,
} from '../../assertions/accounts.ts';
import { isOver } from '../../assertions/insights.ts';
import { turnOf } from '../../assertions/invalid-inputs.ts';
import { accountOf, textMax } from '../../assertions/writes.ts';
import { canonical } from '../../exchange/canonical.ts';
import {
  type Exchange,
  errorCode,
  hasResponse,
  isLimiterRejection,
  isPlatformTrouble,
  nameOfResponse,
} from '../../exchange/exchange.ts';
import { sameId } from '../../exchange/same-id.ts';
import { about, aboutStatus } from '../../judge/claims.ts';
import { show } from '../../judge/ledger.ts';
import { repeatsMax } from '../../judge/standing.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';
import { type AccountRow, rowsOf } from '../../probe/facts.ts';
import type { Probe } from '../../probe/probe.ts';

/** An audit of one minute has one request for them, others one for each kind of account and one operation more. */
const [statesMin, statesMax] = [1, 7];
/** So many unreserved requests are left in runs of two minutes. */
const leftMin = 20;

/** Goes on when a row is odd: pending invites and the account of --account are looked at in any case. */
const list: CheckRow = {
  id: 'accounts/list',
  title: 'GET /connect/accounts returns accounts, pending invites and billing',
  cites: ['4.connect.list-accounts.endpoint', '4.connect.list-accounts.content'],
  phase: 'discover',
  // The list again, when it shows a row twice.
  after: [],
  cost: { requests: 0, confirms: repeatsMax, uses: ['accounts'] },
  async run(probe) {
    const exchange = await probe.get('listAccounts');
    if (!expectNoAccount(probe, exchange)) return;
    if (isObstacle(exchange))
      return probe.stop('precondition', `GET /connect/accounts returned ${nameOfResponse(exchange)}`);
    if (!probe.expectStatus(exchange, 200, '4.connect.list-accounts.endpoint')) return;
    const accounts = await probe.facts.accounts();
    const claim = about(exchange, '4.connect.list-accounts.content', '/data/accounts');
    const ids = accounts.map(({ accountId }) => accountId);
    const twice = ids.find((id, index) => ids.indexOf(id) < index);
    if (twice !== undefined) probe.note({ ...claim, expected: 'each account once', actual: `${show(twice)} twice` });
    await checkRows(probe, exchange);
    warnOfInvites(probe, exchange);
    const { account } = probe.settings;
    if (account === null || ids.some((id) => sameId(id, account))) return;
    probe.note({ ...claim, expected: `${account}, the account of --account`, actual: `${ids.length} other accounts` });
  },
};

const rows = ['accounts', 'pendingInvites'] as const;

/**
 * The very same row twice, in two responses, or one account in two states. Ids are plain strings (R9), so rows that
 * differ in more may be of one account.
 */
async function checkRows(probe: Probe, exchange: Exchange): Promise<void> {
  await probe.judge([exchange], ([one]) =>
    rows.flatMap((name) => {
      const twice = repeatedRow(one, name);
      const claim = about(one, '4.connect.list-accounts.content', `/data/${name}`);
      return twice === undefined ? [] : [{ ...claim, expected: 'each row once', actual: `${show(twice)} twice` }];
    }),
  );
}

function repeatedRow(exchange: Exchange, name: (typeof rows)[number]): unknown {
  const rows = rowsOf(exchange, ['data', name]);
  const texts = rows.map(({ status: _status, locked: _locked, ...row }) => canonical(row));
  return rows.find((_, index) => texts.indexOf(texts[index] ?? '') < index);
}

/** Invites that no valid input can create; they can have another origin. */
function warnOfInvites(probe: Probe, exchange: Exchange): void {
  for (const [index, { maxAccounts, label, expiresAt }] of rowsOf(exchange, ['data', 'pendingInvites']).entries()) {
    const claim = { pointer: `/data/pendingInvites/${index}`, exchange } as const;
    const isCount =
      typeof maxAccounts !== 'number' || (maxAccounts >= linkAccounts.min && maxAccounts <= linkAccounts.max);
    const max = {
      ...claim,
      clause: '8.max-accounts',
      expected: `a maxAccounts of ${linkAccounts.min} to ${linkAccounts.max}`,
    } as const;
    if (!isCount) probe.warn({ ...max, actual: show(maxAccounts) });
    const isLabel = typeof label !== 'string' || (label.length >= 1 && [...label].length <= textMax.label);
    const labels = { ...claim, clause: '8.label', expected: `a label of 1 to ${textMax.label} characters` } as const;
    if (!isLabel) probe.warn({ ...labels, actual: show(label) });
    const over = { ...claim, clause: '2.list-accounts-output.pending-invites.expires-at' } as const;
    const words = { expected: 'an expiresAt in the future', actual: show(expiresAt) };
    if (isOver({ exchange, date: expiresAt })) probe.note({ ...over, ...words });
  }
}

/** The only account that is known to exist without the list is the one that the user names. */
const complete: CheckRow = {
  id: 'accounts/complete',
  title: 'GET /connect/accounts lists the account of --account',
  cites: ['4.connect.list-accounts.content'],
  needs: ['account'],
  // The reads of reviews/listing and insights/listing; the list again when the account may be new.
  cost: { requests: 0, confirms: repeatsMax, uses: ['reviews', 'insights'] },
  async run(probe) {
    const accountId = accountOf(probe);
    const list = await probe.get('listAccounts');
    const reviews = await probe.get('listReviews', { accountId });
    const isReadable =
      reviews.status === 200 || (await probe.get('getInsights', { accountId, range: '28d' })).status === 200;
    if (!isReadable) return probe.stop('precondition', 'the account returns neither reviews nor insights');
    await probe.judge([list], ([one]) => {
      const isTrue = rowsOf(one, ['data', 'accounts']).some((row) => sameId(row.accountId, accountId));
      const claim = about(one, '4.connect.list-accounts.content', '/data/accounts');
      return [{ ...claim, isTrue, expected: `the account ${accountId}`, actual: isTrue ? 'listed' : 'other accounts' }];
    });
  },
};

/** At most three reads: with a stale replica, an account disappears and returns. */
const steady: CheckRow = {
  id: 'accounts/steady',
  title: 'Repeated reads of GET /connect/accounts return the same accounts',
  cites: ['4.connect.list-accounts.content'],
  // Twice more, and twice more when an account is missing, which may have been removed.
  cost: { requests: 2, confirms: 2, uses: ['accounts'] },
  async run(probe) {
    if ((await probe.facts.accounts()).length === 0) return probe.stop('vacuous', 'needs at least one account');
    const read = () => probe.send({ operation: 'listAccounts' });
    await probe.judge([await probe.get('listAccounts'), await read(), await read()], (reads) =>
      reads.slice(1).flatMap((one, index) => {
        const ids = accountsIn(one).map(({ accountId }) => accountId);
        const known = reads.slice(0, index + 1).flatMap(accountsIn);
        const gone = known.find(({ accountId }) => !ids.includes(accountId));
        const claim = {
          ...about(one, '4.connect.list-accounts.content', '/data/accounts'),
          isTrue: gone === undefined,
        };
        const words = {
          expected: 'the accounts as before and after',
          actual: `a list without ${show(gone?.accountId)}`,
        };
        if (gone === undefined) return [{ ...claim, ...words, actual: 'the same' }];
        return [{ ...claim, ...words, rows: [{ accountId: gone.accountId }], witness: { operation: 'listAccounts' } }];
      }),
    );
  },
};

function accountsIn(exchange: Exchange): readonly AccountRow[] {
  return rowsOf(exchange, ['data', 'accounts'], ['accountId']);
}

/** Only reads: what such an account does with a write is not worth a real post. */
const rejectedStates: CheckRow = {
  id: 'accounts/refused-states',
  title: 'Accounts in an unusable state return the documented error',
  cites: [
    '7.code.status-agrees',
    '7.code.provider-auth',
    '7.code.provider-permission',
    '7.code.not-supported',
    '5.provider-auth',
  ],
  phase: 'read',
  // The response and the list again, when an account is denied.
  cost: { requests: statesMax, optional: statesMax - statesMin, confirms: 2 * statesMax, uses: ['accounts'] },
  async run(probe) {
    let sent = 0;
    const most = probe.requestsLeft() < leftMin ? statesMin : statesMax;
    for (const row of await unusable(probe)) {
      const operations = operationsFor(row);
      const isSecond = (turnOf(probe.settings.seed, 2) + sent) % 2 === 1;
      for (const operation of isSecond ? [...operations].reverse() : operations) {
        if (sent >= most) return;
        sent += 1;
        const exchange = await readUnlessTroubled(probe, row.accountId, { operation });
        if (exchange === null) break;
        if (exchange.status !== 200) expectAboutAccount(probe, exchange);
        await warnOfDenial(probe, row.accountId, exchange);
        if (errorCode(exchange) !== 'not_supported') break;
      }
    }
  },
};

/** Both, because a platform that does not offer the one does not reach the state of the account. */
function operationsFor(row: AccountRow): readonly ('listReviews' | 'getInsights')[] {
  if (isConnected(row, false)) return ['listReviews'];
  return withoutReviews.some((name) => name === row.provider) ? ['getInsights'] : ['listReviews', 'getInsights'];
}

/** The list shows the account and its id is in order, and yet it is called unknown or malformed. A state may (R28). */
async function warnOfDenial(probe: Probe, accountId: string, exchange: Exchange): Promise<void> {
  const actual = nameOfResponse(exchange);
  const isMalformed = actual === '400 invalid_input' && uuid.test(accountId);
  const { status } = (await probe.facts.accounts()).find((row) => row.accountId === accountId) ?? {};
  // An account without consent is hardly one yet.
  if ((actual !== '404 not_found' && !isMalformed) || status === 'pending') return;
  const expected = `an error code that fits the status ${show(status)} of the account`;
  const clause = isMalformed ? '7.code.invalid-input' : '7.code.not-found';
  await probe.judge([exchange], ([one]) => [
    {
      ...{ ...aboutStatus(one, clause), expected, isTrue: nameOfResponse(one) !== actual, severity: 'warn' },
      ...listedAccount(accountId),
    },
  ]);
}

/** Any documented rejection is right here: the contract does not say which state has which code (R28). */
function expectAboutAccount(probe: Probe, exchange: Exchange): void {
  probe.holds(isDocumentedRejection(exchange), {
    // The key is valid: the client has to reconnect the account.
    clause: errorCode(exchange) === 'unauthorized' ? '5.provider-auth' : '7.code.status-agrees',
    pointer: '#status',
    expected: 'a documented code for the account or its platform',
    actual: nameOfResponse(exchange),
    exchange,
  });
}

/** Each can have its own code, and one code can be wrong in one state only. */
const rejectedStatuses = ['expired', 'revoked', 'pending'];
/** The least likely one to have reviews is the first. */
const withoutReviews = [
  'google_contacts',
  'google_calendar',
  'google_search_console',
  'google_ads',
  'google_analytics',
];

function isConnected({ status, locked }: AccountRow, isLocked: boolean): boolean {
  return status === 'connected' && (locked === true) === isLocked;
}

/**
 * One that is not expected to have reviews, one of the other states, in turn, a locked one, and one that waits for
 * access. Then one of each state that is left: these probably share one code.
 */
async function unusable(probe: Probe): Promise<readonly AccountRow[]> {
  const rows = [...(await probe.facts.accounts())].sort((a, b) => rank(a) - rank(b));
  const oneOf = (isWanted: (row: AccountRow) => boolean) => rows.filter(isWanted).slice(0, 1);
  const others = rejectedStatuses.flatMap((state) => oneOf(({ status }) => status === state));
  const strangers = rows.filter((row) => isConnected(row, false) && !reviewedProviders.includes(row.provider));
  const isSure = ({ provider }: AccountRow) => withoutReviews.some((name) => name === provider);
  const first = turnOf(probe.settings.seed, Math.max(1, others.length));
  const [next = [], ...last] = [...others.slice(first), ...others.slice(0, first)].map((row) => [row]);
  const locked = oneOf((row) => isConnected(row, true));
  const waiting = oneOf(({ status }) => status === 'pending_api_access');
  return [strangers.find(isSure) ?? strangers[0] ?? [], ...next, ...locked, ...waiting, ...last.flat()].flat();
}

/** Up to two requests for each. */
const accountsMax = 20;
const troubledMax = 4;

const each: CheckRow = {
  id: 'accounts/each',
  title: 'Reads from every account return 200 or a documented error',
  cites: [
    '7.code.status-agrees',
    '7.code.not-supported',
    '7.code.provider-permission',
    '7.code.transient',
    '7.code.rate-limited',
    '7.code.provider-error',
  ],
  needs: ['extended'],
  cost: { requests: 2 * accountsMax, uses: ['accounts'] },
  async run(probe) {
    let troubled = 0;
    for (const { accountId } of (await probe.facts.accounts()).slice(0, accountsMax)) {
      const reviews = await sendOnce(probe, 'listReviews', accountId);
      // The same state can have another response elsewhere.
      const isRefused = reviews.status !== 200 && !isPlatformTrouble(reviews);
      const exchanges = isRefused ? [reviews, await sendOnce(probe, 'getInsights', accountId)] : [reviews];
      if (exchanges.some(isPlatformTrouble)) troubled += 1;
      for (const exchange of exchanges) {
        if (exchange.status !== 200 && !isPlatformTrouble(exchange)) expectAboutAccount(probe, exchange);
      }
      // A platform that fails everywhere has shown what it has to show.
      if (troubled >= troubledMax) return;
    }
  },
};

/** Without the probe's patience: a platform that fails is one of the responses that this check is about. */
async function sendOnce(probe: Probe, operation: 'listReviews' | 'getInsights', accountId: string): Promise<Exchange> {
  const exchange = await probe.sendRaw({ operation, params: { accountId }, repeatable: false });
  if (!hasResponse(exchange)) return probe.stop('platform', `an account got no response: ${exchange.problem}`);
  return isLimiterRejection(exchange) ? probe.stop('interference', 'a rate limit was reached') : exchange;
}

export const accounts = defineChecks({ phase: 'rejections', after: ['accounts/list'] }, [
  list,
  complete,
  steady,
  rejectedStates,
  each,
]);
