// Ranges that all show the same dates: an account may have no more to show. The same account under the other writing of
// its id is another address to a cache, and not to the service.
import { type Check, defineChecks } from '../probe/check.ts';
import { daysIn, measured, readRange } from './04-insights.ts';
import { about } from './claims.ts';
import { UUID } from './usable-account.ts';

const WEEK_DAYS = 7;
/** Both ends may count, and a day may begin somewhere earlier than elsewhere. */
const EXTRA_DAYS = 2;

const again: Check = {
  id: 'insights/ranges-again',
  title: 'A range of insights is answered for itself, and not as the range that was asked for before it',
  cites: ['4.connect.insights.range'],
  level: 'must',
  phase: 'after bursts',
  after: ['insights/ranges'],
  cost: { requests: 0, confirms: 1, uses: ['insights ranges'] },
  async run(probe) {
    const { accountId, exchange: ofMonth } = await measured(probe);
    const week = await readRange(probe, '7d');
    const [before, days] = [daysIn(ofMonth), daysIn(week)];
    if (before === null || days === null) return probe.stop('vacuous', 'the ranges show no dates');
    const claim = { ...about(week, '4.connect.insights.range', '/data/range'), expected: 'about seven days' };
    const isOfWeek = days <= WEEK_DAYS + EXTRA_DAYS;
    if (isOfWeek) return void probe.holds(true, { ...claim, proves: [], actual: `${days} days` });
    const capital = accountId === accountId.toUpperCase() ? accountId.toLowerCase() : accountId.toUpperCase();
    if (!UUID.test(accountId) || capital === accountId) return probe.stop('vacuous', `7d shows ${days} days (R32)`);
    const other = await probe.send({ operation: 'getInsights', params: { accountId: capital, range: '7d' } });
    const otherDays = daysIn(other);
    if (otherDays === null || otherDays > WEEK_DAYS + EXTRA_DAYS) {
      return probe.stop('vacuous', `7d shows ${days} days; what a range covers is not stated (R32)`);
    }
    const actual = `${days} days, and ${otherDays} when the id is written in the other case`;
    probe.holds(false, { ...claim, actual, message: 'a cache may know the path alone' });
  },
};

export const insightsAgain = defineChecks([again]);
