// The chain of pages from the beginning of the log to its end: whether it can be read, read again, followed and ended.
// All later checks of the log read it through the record.

import { count } from '../../../src/terminal/count.ts';
import { expectNoAccount, isObstacle } from '../../assertions/accounts.ts';
import { isDateTime } from '../../assertions/call-log/instants.ts';
import { beginning, beginningOf, readLog, tryGate } from '../../assertions/call-log/log.ts';
import { about } from '../../assertions/claims.ts';
import { nameOfAnswer } from '../../exchange/exchange.ts';
import { show } from '../../judge/ledger.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';

const listing: CheckRow = {
  id: 'calls/listing',
  title: 'GET /connect/calls/log answers 200 to an ISO 8601 since',
  cites: ['4.calls.endpoint', '4.calls.since'],
  // Again with recent ones where a since from the year 2000 is refused: how far back a log goes is not shown.
  after: [],
  cost: { requests: 0, confirms: 2, uses: ['call row'] },
  async run(probe) {
    const since = await beginningOf(probe);
    const exchange = await probe.get('listCalls', { since, limit: 1 });
    if (!expectNoAccount(probe, exchange)) return;
    if (since !== beginning) {
      const claim = about(exchange, '4.calls.since', '#status');
      probe.note({ ...claim, expected: `200 for since=${beginning}`, actual: `400, and 200 for since=${since}` });
    }
    if (isObstacle(exchange) || nameOfAnswer(exchange) === '400 not_supported') {
      return probe.stop('precondition', `the call log answered ${nameOfAnswer(exchange)}`);
    }
    probe.expectStatus(exchange, 200, { clause: '4.calls.endpoint', proves: ['4.calls.endpoint', '4.calls.since'] });
  },
};

/**
 * The gate: a log that uses its calls up by reading is left alone from here on, because a run must not take calls from
 * a real client.
 */
const reread: CheckRow = {
  id: 'calls/re-read',
  title: 'The call log answers an old position twice with the same call',
  cites: ['4.calls.exactly-once', '4.calls.reread', '3.call.final-outcome'],
  // R36: "exactly once" may also mean that reading uses a call up; a client that loses an answer then loses calls.
  level: 'should',
  cost: { requests: 0, confirms: 1, uses: ['call gate'] },
  async run(probe) {
    const { first, again, isOpen, likeness } = await tryGate(probe);
    if (again === null) return probe.stop('vacuous', 'no call has settled');
    // A changed member is the business of calls/kept: the call is the same one, so the log is read on (R36).
    const members = (likeness?.members ?? []).map((path) => path || 'all of it').join(', ');
    const claim = { pointer: '/data/calls/0', expected: `what ${first.exchange.id} showed`, exchange: again.exchange };
    if (likeness?.kind === 'moved') {
      const words = { actual: `the same call, but for ${members}`, message: 'they move, so they count for nothing' };
      probe.note({ ...claim, ...words, clause: '4.calls.reread' });
    }
    probe.holds(isOpen, {
      ...claim,
      clause: '4.calls.exactly-once',
      actual: again.calls.length === 0 ? 'no call' : `a call that differs at ${members}`,
      message: 'reading seems to use calls up, so nothing more of the call log is read',
    });
  },
};

const nextCursor: CheckRow = {
  id: 'calls/next-cursor',
  title: 'With since, a page with calls has a nextCursor that serves as the next since',
  cites: ['4.calls.next-cursor-string', '4.calls.since'],
  // The pages that this and the checks below look at: 200 rows from the beginning, and on to the end.
  cost: { requests: 0, uses: ['call log'] },
  async run(probe) {
    const { first, head, chain, end } = await readLog(probe);
    const pages = [...new Set([first, head, ...chain])].filter(({ calls }) => calls.length > 0);
    for (const { nextCursor: cursor, exchange, count: shown } of pages) {
      const claim = about(exchange, '4.calls.next-cursor-string', '/data/nextCursor');
      const actual = `${show(cursor)} after ${count(shown, 'call')}`;
      if (!probe.holds(cursor !== null, { ...claim, expected: 'a string', actual })) continue;
      // The table says a string that is the next `since`; that it is a date-time too follows from another row only
      // (R35).
      const words = { clause: '4.calls.since', expected: 'an ISO 8601 date-time', actual } as const;
      if (isDateTime(cursor ?? '')) probe.holds(true, { ...claim, ...words });
      else probe.warn({ ...claim, ...words });
    }
    if (typeof end === 'string') return;
    if (isObstacle(end)) probe.doubt('platform', `the next page answered ${nameOfAnswer(end)}`);
    else probe.expectStatus(end, 200, '4.calls.next-cursor-string');
  },
};

/** An empty page is the only end that section 4 knows. */
const chainEnd: CheckRow = {
  id: 'calls/chain-end',
  title: 'Following nextCursor ends in an empty page whose nextCursor is null',
  cites: ['4.calls.next-cursor-null', '4.calls.exactly-once'],
  cost: { requests: 0, uses: ['call log'] },
  async run(probe) {
    const { chain, end } = await readLog(probe);
    const last = chain.at(-1) ?? chain[0];
    const claim = about(last.exchange, '4.calls.next-cursor-null', '/data/nextCursor');
    const data = (last.exchange.json as { data: { nextCursor?: unknown } }).data;
    if (end === 'empty') {
      probe.holds(data.nextCursor === null, {
        ...claim,
        expected: 'null on an empty page',
        actual: show(data.nextCursor),
      });
    } else if (end === 'circle') {
      const words = { expected: 'a cursor behind the calls of its page', actual: `${show(last.nextCursor)} again` };
      probe.holds(false, { ...claim, ...words, clause: '4.calls.exactly-once' });
    } else if (end === 'budget') {
      probe.doubt('budget', `the chain goes on after ${count(chain.length, 'page')}`);
    } else {
      probe.stop('precondition', 'the chain breaks off, as calls/next-cursor tells');
    }
  },
};

export const chain = defineChecks({ phase: 'log', after: ['calls/listing'] }, [listing, reread, nextCursor, chainEnd]);
