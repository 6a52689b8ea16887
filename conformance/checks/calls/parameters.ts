import { type Check, defineChecks } from '../../check.ts';
import { isObject } from '../../exchange.ts';
import type { Probe } from '../../probe.ts';
import { isDocumentedRefusal, nameOfAnswer } from '../usable-account.ts';
import { beginning, limitMax, passGate, readLog } from './log.ts';

/** R38: refused with 400, brought into range or ignored, but never more than 200 rows and never a breakdown. */
async function expectCalm(probe: Probe, params: Readonly<Record<string, string>>): Promise<void> {
  const exchange = await probe.get('listCalls', params);
  if (isDocumentedRefusal(exchange) && /^(402|403)$/.test(String(exchange.status))) {
    return probe.doubt('platform', `the call log answered ${nameOfAnswer(exchange)}`);
  }
  if (!probe.expectStatus(exchange, [200, 400], '4.calls.statuses') || exchange.status !== 200) return;
  const data = isObject(exchange.json) && isObject(exchange.json.data) ? exchange.json.data : {};
  const rows = Array.isArray(data.calls) ? data.calls.length : 0;
  const claim = { clause: '4.calls.limit-ceiling', pointer: '/data/calls', exchange } as const;
  probe.holds(rows <= limitMax, { ...claim, expected: 'at most 200 calls', actual: `${rows}` });
}

const badLimit: Check = {
  id: 'calls/bad-limit',
  title: 'A limit below 1, above 200 or no number is refused, brought into range or ignored',
  cites: ['4.calls.limit-ceiling', '4.calls.statuses', '4.calls.bad-parameters'],
  level: 'must',
  phase: 'log',
  after: ['calls/listing'],
  cost: { requests: 3, least: 2 },
  async run(probe) {
    const { head } = await readLog(probe);
    for (const limit of ['-1', 'abc']) await expectCalm(probe, { since: beginning, limit });
    // With fewer calls than that nothing could come of it.
    if (head.calls.length >= limitMax) await expectCalm(probe, { since: beginning, limit: '201' });
  },
};

const badSince: Check = {
  id: 'calls/bad-since',
  title: 'A since that is no date-time is refused or ignored',
  cites: ['4.calls.statuses', '4.calls.limit-ceiling', '4.calls.bad-parameters'],
  level: 'must',
  phase: 'log',
  after: ['calls/listing'],
  cost: { requests: 1, least: 1 },
  async run(probe) {
    await passGate(probe);
    await expectCalm(probe, { since: 'yesterday' });
  },
};

export const parameters = defineChecks([badLimit, badSince]);
