// Every page of the call log that any check of the run has read: none holds more calls than its limit.

import { count } from '../../../src/terminal/count.ts';
import { beginningOf, limitDefault, limitMax, readCalls } from '../../assertions/call-log/log.ts';
import { about } from '../../assertions/claims.ts';
import { dataOf, type Exchange, listOf } from '../../exchange/exchange.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';

/** The most that a page may hold: what was asked for where that is in range, else what no page exceeds (R38). */
function mostOn({ target }: Exchange): number {
  const asked = new URLSearchParams(target.split('?')[1] ?? '').get('limit');
  if (asked === null) return limitDefault;
  const limit = /^\d+$/.test(asked) ? Number(asked) : limitMax;
  return limit >= 1 && limit <= limitMax ? limit : limitMax;
}

/** All that the server sent, beyond any limit. */
function countOn(exchange: Exchange): number {
  return listOf(dataOf(exchange).calls).length;
}

const everyPage: CheckRow = {
  id: 'calls/every-page',
  title: 'No page of the call log that was read in this run holds more calls than its limit',
  cites: ['4.calls.limit-ceiling', '8.calls-limit'],
  after: ['calls/listing'],
  unless: ['calls/limit', 'calls/default-limit', 'calls/bad-limit'],
  cost: { requests: 0, confirms: 1, uses: ['call row'] },
  async run(probe) {
    await readCalls(probe, { since: await beginningOf(probe), limit: 1 });
    const pages = probe.history().filter(({ operation, status }) => operation === 'listCalls' && status === 200);
    const known = Math.max(0, ...pages.map(countOn));
    // A page that had no more to show proves nothing.
    for (const page of pages.filter((each) => known > mostOn(each) || countOn(each) >= limitMax)) {
      const claim = about(page, '4.calls.limit-ceiling', '/data/calls');
      const words = { expected: `at most ${count(mostOn(page), 'call')}`, actual: `${countOn(page)}` };
      probe.holds(countOn(page) <= mostOn(page), { ...claim, ...words });
    }
  },
};

export const pages = defineChecks({ phase: 'writes' }, [everyPage]);
