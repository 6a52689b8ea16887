// Handling of invalid values of limit and since.

import { count } from '../../../src/terminal/count.ts';
import { isObstacle } from '../../assertions/accounts.ts';
import { beginningOf, limitMax, passGate, readCallsAgain, readLog } from '../../assertions/call-log/log.ts';
import { hasTime, sendInvalid } from '../../assertions/invalid-inputs.ts';
import { expectValidAgain } from '../../assertions/valid-again.ts';
import { dataOf, listOf, nameOfResponse } from '../../exchange/exchange.ts';
import { about } from '../../judge/claims.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';
import type { Probe } from '../../probe/probe.ts';
import { callQueries, rareCallQueries } from '../../scenarios/inputs.ts';

const overMax = String(limitMax + 1);
const unusualLimits = ['abc', '0', '-1', overMax, '1e9'] as const;

/** R38: rejected with 400, clamped or ignored, but never more rows than the maximum, and never a 500. */
async function expectHandled(probe: Probe, params: Readonly<Record<string, string>> | `?${string}`): Promise<void> {
  const exchange =
    typeof params === 'string'
      ? await sendInvalid(probe, { path: `/connect/calls/log${params}` })
      : await probe.get('listCalls', params);
  if (isObstacle(exchange)) {
    return probe.doubt('platform', `the call log returned ${nameOfResponse(exchange)}`);
  }
  if (!probe.expectStatus(exchange, [200, 400], '4.calls.statuses') || exchange.status !== 200) return;
  const data = dataOf(exchange);
  const rows = Array.isArray(data.calls) ? data.calls.length : 0;
  // Whether there are more than that is not known here, so few rows prove nothing.
  const claim = { ...about(exchange, '4.calls.limit-ceiling', '/data/calls'), proves: [] } as const;
  probe.holds(rows <= limitMax, { ...claim, expected: `at most ${limitMax}`, actual: count(rows, 'call') });
}

const invalidLimit: CheckRow = {
  id: 'calls/bad-limit',
  title: 'The call log returns at most 200 calls for an invalid limit',
  cites: ['4.calls.limit-ceiling', '4.calls.statuses', '4.calls.bad-parameters'],
  cost: { requests: 2, optional: 1, uses: ['call log'] },
  async run(probe) {
    const { head } = await readLog(probe);
    const since = await beginningOf(probe);
    // Only more calls than the maximum can show that a limit over it removes it.
    await expectHandled(probe, { since, limit: head.count >= limitMax ? overMax : 'abc' });
    if (hasTime(probe) || probe.requestsLeft() >= 1) await expectHandled(probe, { since, limit: '0' });
  },
};

const future = '2096-02-29T12:00:00.000Z';
const more = callQueries.length - 1 + rareCallQueries.length;

/** Both at once, because what no client sends is worth one request. */
const invalidSince: CheckRow = {
  id: 'calls/bad-since',
  title: 'The call log returns 200 or 400 for a malformed since or limit',
  cites: ['4.calls.statuses', '4.calls.limit-ceiling', '4.calls.bad-parameters'],
  cost: {
    requests: 1,
    confirms: 2,
    uses: ['call gate'],
    withTime: { requests: more + unusualLimits.length + 4, confirms: 2 * more + 2 },
  },
  async run(probe) {
    const { calls } = await passGate(probe);
    const queries = hasTime(probe) ? [...callQueries, ...rareCallQueries] : callQueries.slice(0, 1);
    for (const query of queries) await expectHandled(probe, `?${query}`);
    if (!hasTime(probe)) return;
    await expectValidPoll(probe, calls.length);
    const since = await beginningOf(probe);
    const limits = unusualLimits.map((limit) => ({ since, limit }));
    for (const params of [...limits, { limit: overMax }, { since: future }]) await expectHandled(probe, params);
    await expectValidPoll(probe, calls.length);
  },
};

/** Polls again after invalid requests. */
async function expectValidPoll(probe: Probe, known: number): Promise<void> {
  const params = { since: await beginningOf(probe), limit: 1 };
  const exchange = await probe.send({ operation: 'listCalls', params });
  await expectValidAgain(probe, exchange, { before: 'an unexpected query', clause: '4.calls.since' });
  if (exchange.status !== 200 || known === 0 || listOf(dataOf(exchange).calls).length > 0) return;
  // A call may have been removed; nothing explains that it comes back (R59).
  const again = await readCallsAgain(probe, params);
  const claim = { ...about(exchange, '4.calls.since', '/data/calls'), expected: 'the first call, as before' };
  if (again.count > 0) probe.holds(false, { ...claim, actual: 'no calls after a malformed query' });
}

/** Good polls follow it directly. */
const usual = { phase: 'log', after: ['calls/listing'] } as const;
export const invalidLimits = defineChecks(usual, [invalidLimit]);
export const parameters = defineChecks(usual, [invalidSince]);
