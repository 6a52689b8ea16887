// The list of accounts, and reads of accounts in every state.
import { type AccountRow, accountsOf, rank, reviewedProviders } from '../exchange/accounts.ts';
import { hasResponse, isLimiterRejection, isPlatformTrouble } from '../exchange/exchange.ts';
import { get, type Scenario, scenario, sendRaw } from './scenario.ts';

const first = scenario('accounts/list', { most: 0 }, function* () {
  yield* get('listAccounts');
});

/** The only account that is known to exist without the list is the one that the user names. */
const named = scenario('accounts/named', { needs: ['account'], most: 2 }, function* ({ history }) {
  yield* get('listAccounts');
  const accountId = history().given.account ?? '';
  const reviews = yield* get('listReviews', { accountId });
  if (reviews.status !== 200) yield* get('getInsights', { accountId, range: '28d' });
});

/** The least likely one to have reviews is the first. */
const providers = 'google_contacts google_calendar google_search_console google_ads google_analytics';
const withoutReviews: readonly unknown[] = providers.split(' ');

/**
 * One that is not expected to have reviews, one that is over or not ready, one that waits for access, and a locked one.
 * Only reads: what such an account does with a write is not worth a real post.
 */
function unusableIn(rows: readonly AccountRow[]): readonly AccountRow[] {
  const ranked = rows.toSorted((one, other) => rank(one) - rank(other));
  const isOpen = ({ status, locked }: AccountRow) => status === 'connected' && locked !== true;
  const strangers = ranked.filter((row) => isOpen(row) && !reviewedProviders.includes(row.provider));
  return [
    strangers.find(({ provider }) => withoutReviews.includes(provider)) ?? strangers[0],
    ranked.find(({ status }) => ['expired', 'revoked', 'pending'].includes(status)),
    ranked.find(({ status }) => status === 'pending_api_access'),
    ranked.find(({ status, locked }) => status === 'connected' && locked === true),
  ].flatMap((row) => row ?? []);
}

const unusable = scenario('accounts/unusable', { most: 4 }, function* ({ history }) {
  yield* get('listAccounts');
  for (const { accountId, provider, status } of unusableIn(accountsOf(history()))) {
    // Where there are no reviews anyway, the request does not reach the state of the account.
    const isStranger = withoutReviews.includes(provider) && status !== 'connected';
    const operation = isStranger ? 'getInsights' : 'listReviews';
    yield* sendRaw({ operation, params: { accountId }, repeatable: 'if lost' });
  }
});

/** Up to two requests for each. */
const accountsMax = 20;
const troubledMax = 4;

const each = scenario('accounts/each', { most: 2 * accountsMax }, function* ({ history }) {
  yield* get('listAccounts');
  let troubled = 0;
  for (const { accountId } of accountsOf(history()).slice(0, accountsMax)) {
    for (const operation of ['listReviews', 'getInsights'] as const) {
      const exchange = yield* sendRaw({ operation, params: { accountId }, repeatable: false });
      if (!hasResponse(exchange) || isLimiterRejection(exchange)) return;
      troubled += Number(isPlatformTrouble(exchange));
      // The same state can have another response elsewhere.
      if (exchange.status === 200 || isPlatformTrouble(exchange)) break;
    }
    // A platform that fails everywhere has shown what it has to show.
    if (troubled >= troubledMax) return;
  }
});

export const accountScenarios: readonly Scenario[] = [first, named, unusable, each];
