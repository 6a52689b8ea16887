// Insights: three ranges and their default. The contract does not state what a range covers beyond its name, so dates
// are compared with each other and never with a calendar (interpretation R32).

import { dayMs } from '../../../src/contract/timestamps.ts';
import { count } from '../../../src/terminal/count.ts';
import {
  checkResponses,
  expectInvalidAccount,
  expectUnknownAccount,
  isObstacle,
  listedAccount,
  readUsable,
  responsesOf,
} from '../../assertions/accounts.ts';
import {
  areEqual,
  datesOf,
  dayOf,
  extraDaysMax,
  insightRanges,
  measured,
  readRange,
  wish,
} from '../../assertions/insights.ts';
import { malformedIds, sample, sendInvalid } from '../../assertions/invalid-inputs.ts';
import { expectFound } from '../../assertions/same-record.ts';
import { invalidInput } from '../../assertions/writes.ts';
import { errorCode, nameOfResponse } from '../../exchange/exchange.ts';
import { about } from '../../judge/claims.ts';
import { show } from '../../judge/ledger.ts';
import { repeatsMax } from '../../judge/standing.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';
import type { Probe } from '../../probe/probe.ts';
import { invalidIds, invalidRanges, nearRanges, rareRanges } from '../../scenarios/inputs.ts';

const listing: CheckRow = {
  id: 'insights/listing',
  title: 'GET /connect/accounts/{accountId}/insights returns insights of a connected account',
  cites: ['4.connect.insights.endpoint', '1.connect-operations', '5.provider-auth'],
  phase: 'read',
  after: [],
  cost: { requests: 0, uses: ['insights'] },
  async run(probe) {
    const { tried, usable } = await readUsable(probe, wish);
    await checkResponses(probe, tried, '4.connect.insights.endpoint');
    if (usable === null) probe.stop('precondition', `no account returned its insights: ${responsesOf(tried)}`);
  },
};

const ranges: CheckRow = {
  id: 'insights/ranges',
  title: 'The insights endpoint accepts the ranges 7d, 28d and 90d',
  cites: ['4.connect.insights.range', '4.connect.insights.endpoint'],
  // At once after the first range: a cache that ignores the range may keep it only for some seconds.
  phase: 'read',
  cost: { requests: 0, confirms: 1, uses: ['insights ranges'] },
  async run(probe) {
    for (const range of insightRanges) {
      const exchange = await readRange(probe, range);
      if (isObstacle(exchange)) {
        probe.doubt('platform', `${range} returned ${nameOfResponse(exchange)}`);
      } else if (errorCode(exchange) === 'not_supported') {
        // Which platform offers what is not shown (R28).
        const claim = about(exchange, '4.connect.insights.range', '#status');
        const actual = nameOfResponse(exchange);
        probe.warn({
          ...claim,
          expected: `200 for ${range}`,
          actual,
          message: 'the platform might not offer this range',
        });
      } else {
        // A range that is taken may still be ignored: insights/ranges-differ proves more.
        const wanted = { clause: '4.connect.insights.range', proves: ['4.connect.insights.endpoint'] } as const;
        await expectFound(probe, exchange, { ...wanted, ...listedAccount((await measured(probe)).accountId) });
      }
    }
  },
};

const defaultRange: CheckRow = {
  id: 'insights/default-range',
  title: 'The insights endpoint uses 28d as the default range',
  cites: ['4.connect.insights.range-default', '4.connect.insights.range'],
  // The other ranges; both, when they differ: a day may have begun between them.
  cost: { requests: 1, confirms: 2 + repeatsMax, uses: ['insights without range'] },
  async run(probe) {
    const { accountId, exchange } = await measured(probe);
    const before = datesOf(exchange);
    const others = [datesOf(await readRange(probe, '90d')), datesOf(await readRange(probe, '7d'))];
    const response = await probe.get('getInsights', { accountId });
    if (isObstacle(response)) {
      return probe.stop('platform', `insights without range returned ${nameOfResponse(response)}`);
    }
    const clause = '4.connect.insights.range-default';
    if (!(await expectFound(probe, response, { clause, ...listedAccount(accountId) }))) return;
    if (before === null || datesOf(response) === null) return probe.stop('vacuous', 'the insights contain no dates');
    if (others.every((dates) => dates === null || areEqual(dates, before)))
      return probe.stop('vacuous', 'needs two ranges with different dates');
    // A day may begin between the two reads.
    await probe.judge([exchange, response], ([month, usual]) => {
      const [ofMonth, found] = [datesOf(month), datesOf(usual)];
      const words = { expected: `${show(ofMonth?.shown)}, as for 28d`, actual: show(found?.shown) };
      const isOther = others.some((dates) => areEqual(found, dates));
      const claim = { ...about(usual, clause, '/data/range'), ...words, isTrue: areEqual(found, ofMonth) };
      return [{ ...claim, ...(isOther ? {} : { severity: 'warn' }), of: [month, usual] }];
    });
  },
};

const rangeSpan: CheckRow = {
  id: 'insights/range-span',
  title: 'The insights endpoint covers at most the days of the range',
  cites: ['4.connect.insights.range'],
  // The contract does not state what a range covers (R32).
  level: 'observe',
  after: ['insights/ranges'],
  cost: { requests: 0, uses: ['insights ranges'] },
  async run(probe) {
    for (const range of insightRanges) {
      const dates = datesOf(await readRange(probe, range));
      const [start, end] = [dayOf(dates?.shown.startDate), dayOf(dates?.shown.endDate)];
      if (dates === null || start === null || end === null) continue;
      const days = Math.round((end - start) / dayMs);
      const most = Number.parseInt(range, 10) + extraDaysMax;
      const claim = about(dates.exchange, '4.connect.insights.range', '/data/range');
      probe.holds(days <= most, {
        ...claim,
        expected: `about ${range}`,
        actual: `${count(days, 'day')}, ${show(dates.shown)},`,
      });
      if (days < 0) probe.note({ ...claim, expected: 'a start before the end', actual: show(dates.shown) });
    }
  },
};

const moreRanges = invalidRanges.length - 1 + rareRanges.length;

const invalidRange: CheckRow = {
  id: 'insights/bad-range',
  title: 'The insights endpoint rejects undocumented ranges with 400 invalid_input',
  cites: ['4.connect.insights.bad-range', '4.connect.insights.range', '7.code.invalid-input'],
  cost: { requests: 1, confirms: 1, uses: ['insights'], withTime: { requests: moreRanges } },
  async run(probe) {
    for (const range of sample(probe, invalidRanges, rareRanges)) await expectInvalidRange(probe, range);
  },
};

/** On an account that has just returned 200, so nothing can come before the 400 but payment and platform. */
async function expectInvalidRange(probe: Probe, range: string): Promise<void> {
  const { accountId } = await measured(probe);
  const exchange = await probe.get('getInsights', { accountId, range });
  await expectFound(probe, exchange, {
    ...{ ...invalidInput, clause: '4.connect.insights.bad-range' },
    ...listedAccount(accountId),
  });
}

const invalidRangeCase: CheckRow = {
  id: 'insights/range-case',
  title: 'The insights endpoint rejects ranges in uppercase with 400 invalid_input',
  cites: ['4.connect.insights.bad-range'],
  level: 'should',
  after: ['insights/bad-range'],
  needs: ['extended'],
  cost: { requests: 1, confirms: 1, uses: ['insights'] },
  async run(probe) {
    await expectInvalidRange(probe, '7D');
  },
};

const nearlyRange: CheckRow = {
  id: 'insights/near-ranges',
  title: 'The insights endpoint returns 200, 400 or 404 for malformed ranges',
  cites: ['4.connect.statuses'],
  needs: ['extended'],
  cost: { requests: nearRanges.length, confirms: nearRanges.length, uses: ['insights'] },
  async run(probe) {
    const { accountId } = await measured(probe);
    const at = `/connect/accounts/${encodeURIComponent(accountId)}/insights?range=`;
    for (const range of nearRanges) {
      // The last two are sent as is: malformed percent-encoding, and a duplicate parameter.
      const isRaw = range.startsWith('%') || range.includes('&');
      const exchange = await sendInvalid(probe, { path: `${at}${isRaw ? range : encodeURIComponent(range)}` });
      if (!isObstacle(exchange)) probe.expectStatus(exchange, [200, 400, 404], '4.connect.statuses');
    }
  },
};

const unknownAccount: CheckRow = {
  id: 'insights/unknown-account',
  title: 'The insights endpoint returns 404 for an unknown account',
  cites: ['4.connect.unknown-account', '1.unknown-record', '4.connect.account-id'],
  mayComeEarlier: true,
  after: [],
  cost: {
    requests: 2,
    optional: 1,
    confirms: 4,
    withTime: { requests: invalidIds.length - 1, confirms: 2 * invalidIds.length },
  },
  async run(probe) {
    await expectUnknownAccount(probe, 'getInsights', (accountId) => probe.get('getInsights', { accountId }));
    for (const accountId of malformedIds(probe, 2))
      expectInvalidAccount(probe, await sendInvalid(probe, { operation: 'getInsights', params: { accountId } }));
  },
};

export const insights = defineChecks({ phase: 'after bursts', after: ['insights/listing'] }, [
  listing,
  // The valid requests after the invalid ones.
  invalidRange,
  unknownAccount,
  ranges,
  defaultRange,
  rangeSpan,
  invalidRangeCase,
  nearlyRange,
]);
