// Insights: the three ranges and the default of one account, invalid ranges and accounts, and other accounts.
import { accountsOf, candidatesIn, otherBusinesses, rank, readsOf } from '../exchange/accounts.ts';
import { type Exchange, isGatewayPage, isPlatformTrouble, nameOfResponse } from '../exchange/exchange.ts';
import { responsesTo } from '../exchange/history.ts';
import { datesOf, extraDaysMax, measuredIn } from '../exchange/insights.ts';
import { isUuid, otherCase, sameId } from '../exchange/same-id.ts';
import { invalidIds, invalidRanges, nearRanges, rareRanges } from './inputs.ts';
import { type Asks, get, type Scenario, type SoFar, scenario, send, sendInvalid, sendRaw } from './scenario.ts';

const operation = 'getInsights';

const ofAccount = scenario('insights/of-account', { most: 3 }, function* ({ history }) {
  if (history().given.account === null) yield* get('listAccounts');
  const tried: Exchange[] = [];
  for (const accountId of candidatesIn(history())) {
    tried.push(yield* sendRaw({ operation, params: { accountId, range: '28d' } }));
    if (tried.at(-1)?.status === 200) return undefined;
  }
  if (tried.length === 0) return 'the organization has no connected account';
  return `no account returned its insights: ${[...new Set(tried.map(nameOfResponse))].join(', ')}`;
});

/** Of the account whose insights are compared. */
function ofMeasured(id: string, most: number, ask: (accountId: string, run: SoFar) => Asks<void>): Scenario {
  return scenario(id, { most }, function* (run) {
    const accountId = measuredIn(run.history());
    if (accountId === null) return 'needs an account that returns its insights';
    yield* ask(accountId, run);
    return undefined;
  });
}

const ranges = ofMeasured('insights/ranges', 3, function* (accountId) {
  const week = yield* get(operation, { accountId, range: '7d' });
  yield* get(operation, { accountId, range: '90d' });
  const days = datesOf(week)?.days ?? 0;
  const other = otherCase(accountId);
  // The other case of the id is another address to a cache, and not to the service.
  const isOdd = days > 7 + extraDaysMax && isUuid(accountId) && other !== accountId;
  if (isOdd) yield* send({ operation, params: { accountId: other, range: '7d' } });
});

/** On an account that has returned 200, so nothing can come before the 400 but payment and platform. */
function* sendRanges(accountId: string, all: readonly string[], label: string): Asks<void> {
  const at = `/connect/accounts/${encodeURIComponent(accountId)}/insights?range=`;
  for (const range of all) {
    // These are sent as is: malformed percent-encoding, and a duplicate parameter.
    const isRaw = range.startsWith('%') || range.includes('&');
    yield* sendInvalid({ path: `${at}${isRaw ? range : encodeURIComponent(range)}`, label });
  }
}

const label = 'insights of an invalid range';
const malformed = 'insights of a malformed account id';

/** The valid request after the invalid one. */
const invalidRange = ofMeasured('insights/invalid-range', 4, function* (accountId) {
  yield* sendRanges(accountId, invalidRanges.slice(0, 1), label);
  yield* get(operation, { accountId });
});

const more = [...invalidRanges.slice(1), ...rareRanges];
const invalidMost = more.length + nearRanges.length + invalidIds.length + 2;

const invalidOnes = ofMeasured('insights/invalid-inputs', invalidMost, function* (accountId) {
  yield* sendRanges(accountId, nearRanges, 'insights of a malformed range');
  yield* sendRanges(accountId, more, label);
  for (const id of invalidIds.slice(1)) yield* sendInvalid({ operation, params: { accountId: id }, label: malformed });
});

const unknownAccount = scenario('insights/unknown-account', { least: 2, most: 6 }, function* ({ history }) {
  const spec = {
    operation,
    params: { accountId: history().given.unknownId },
    label: 'insights of an unknown account',
  } as const;
  const first = yield* sendRaw(spec);
  // A platform has problems with known accounts only.
  const known = responsesTo(history(), operation).findLast(({ status }) => status === 200);
  if (known !== undefined && isPlatformTrouble(first) && !isGatewayPage(first)) {
    yield* sendRaw({ path: known.target });
    yield* sendRaw(spec);
  }
  yield* sendInvalid({ operation, params: { accountId: invalidIds[0] }, label: malformed });
});

/** Accounts in addition to the first one that shows insights. */
const othersMax = 6;

/** Each platform has its own code, so those of other providers come first, one of each. */
const others = ofMeasured('insights/other-accounts', othersMax + 2, function* (accountId, { history }) {
  const rows = accountsOf(history());
  const own = rows.find((row) => sameId(row.accountId, accountId))?.provider;
  const all = otherBusinesses(rows, accountId).sort((one, other) => rank(one) - rank(other));
  const isFirst = ({ provider }: (typeof all)[number], index: number) =>
    provider !== own && all.findIndex((row) => row.provider === provider) === index;
  const ordered = [...all.filter(isFirst), ...all.filter((row, index) => !isFirst(row, index))];
  const usual = readsOf(history(), operation).find((read) => read.accountId === accountId && read.range === '28d');
  const usualDays = (usual && datesOf(usual.exchange)?.days) ?? null;
  for (const [index, row] of ordered.slice(0, othersMax).entries()) {
    // The longest range shows the most points. Without one, the days can be compared with those of the first account.
    const params = { accountId: row.accountId, ...(index % 2 === 0 ? { range: '90d' } : {}) };
    const response = yield* sendRaw({ operation, params, repeatable: 'if lost' });
    const days = datesOf(response)?.days ?? null;
    const isOdd = days !== null && usualDays !== null && Math.abs(days - usualDays) > extraDaysMax;
    if (!isOdd || index % 2 === 0) continue;
    for (const range of ['28d', days < usualDays ? '7d' : '90d'])
      yield* send({ operation, params: { accountId: row.accountId, range } });
    return;
  }
});

export const insightScenarios: readonly Scenario[] = [
  ofAccount,
  ranges,
  invalidRange,
  unknownAccount,
  others,
  invalidOnes,
];
