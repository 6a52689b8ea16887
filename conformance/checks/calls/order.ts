// In which order calls come: oldest first behind a position, newest first without one. The records are opaque, so an
// order shows only in members that hold instants.

import { isObstacle } from '../../assertions/accounts.ts';
import { endFieldOf } from '../../assertions/call-log/ends.ts';
import { judgeOrder } from '../../assertions/call-log/instants.ts';
import { limitDefault, passGate, readCalls, readCallsAgain, readLog } from '../../assertions/call-log/log.ts';
import { expectMember, haveIds, memberOf } from '../../assertions/call-log/record.ts';
import { about } from '../../assertions/claims.ts';
import { type Exchange, nameOfAnswer } from '../../exchange/exchange.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';
import type { Probe } from '../../probe/probe.ts';

/** Calls and the clause that orders them. */
interface Ordered {
  readonly calls: readonly unknown[];
  readonly exchange: Exchange;
  readonly clause: '4.calls.oldest-first' | '4.calls.snapshot-order';
}

/** Undecided where no member tells: an unknown order is not a wrong one. */
function expectOrder(probe: Probe, { calls, exchange, clause }: Ordered): void {
  if (calls.length < 2) probe.stop('vacuous', 'there are fewer than two calls');
  const isOldestFirst = clause === '4.calls.oldest-first';
  const order = judgeOrder(calls, isOldestFirst ? 'rising' : 'falling');
  if (order === 'unknown') probe.stop('vacuous', 'no member of the calls tells their order');
  const [expected, actual] = isOldestFirst ? ['oldest first', 'newest first'] : ['newest first', 'oldest first'];
  const message = 'no member that holds instants says otherwise';
  probe.holds(order === 'kept', { ...about(exchange, clause, '/data/calls'), expected, actual, message });
}

const oldestFirst: CheckRow = {
  id: 'calls/oldest-first',
  title: 'With since, calls come oldest first',
  cites: ['4.calls.oldest-first'],
  cost: { requests: 0, uses: ['call log'] },
  async run(probe) {
    const { head } = await readLog(probe);
    expectOrder(probe, { calls: head.calls, exchange: head.exchange, clause: '4.calls.oldest-first' });
  },
};

const snapshotOrder: CheckRow = {
  id: 'calls/snapshot-order',
  title: 'Without since, the call log answers 200 with calls newest first',
  cites: ['4.calls.snapshot-order', '4.calls.endpoint', '4.calls.since'],
  cost: { requests: 0, uses: ['call snapshot', 'call log'] },
  async run(probe) {
    await passGate(probe);
    const exchange = await probe.get('listCalls');
    if (isObstacle(exchange)) return probe.stop('platform', `the snapshot answered ${nameOfAnswer(exchange)}`);
    if (!probe.expectStatus(exchange, 200, '4.calls.endpoint')) return;
    const { calls, marks } = await readCalls(probe, {});
    const twice = haveIds(calls) ? marks.findIndex((mark, index) => marks.indexOf(mark) < index) : -1;
    if (twice >= 0) {
      const words = { expected: 'each call once', actual: `call ${twice + 1} again` };
      probe.warn({ clause: '4.calls.snapshot-order', pointer: `/data/calls/${twice}`, exchange, ...words });
    }
    if (judgeOrder(calls, 'falling') === 'unknown' && (await runsLikeTheStream(probe, marks))) {
      const words = {
        expected: 'newest first',
        actual: 'the sequence in which since gives the same calls, oldest first',
      };
      probe.holds(false, { clause: '4.calls.snapshot-order', pointer: '/data/calls', exchange, ...words });
      return;
    }
    expectOrder(probe, { calls, exchange, clause: '4.calls.snapshot-order' });
  },
};

/** So many calls of one instant, in any order, there will hardly be. */
const ALIKE_MIN = 12;

/** Whether the snapshot shows the calls that it shares with the stream in the very sequence of the stream. */
async function runsLikeTheStream(probe: Probe, marks: readonly string[]): Promise<boolean> {
  const { head, chain } = await readLog(probe);
  const places = new Map([head, ...chain].flatMap((page) => page.marks).map((mark, index) => [mark, index]));
  const shared = marks.map((mark) => places.get(mark)).filter((place) => place !== undefined);
  return (
    shared.length >= ALIKE_MIN && shared.every((place, index) => index === 0 || place > (shared[index - 1] ?? place))
  );
}

const snapshotLimit: CheckRow = {
  id: 'calls/snapshot-limit',
  title: `A snapshot holds at most limit calls, and at most ${limitDefault} without limit`,
  cites: ['4.calls.limit-ceiling', '4.calls.limit', '4.calls.snapshot-order'],
  cost: { requests: 1, confirms: 2, uses: ['call snapshot', 'call log'] },
  async run(probe) {
    const { head } = await readLog(probe);
    const whole = await readCalls(probe, {});
    const claim = { clause: '4.calls.limit-ceiling', pointer: '/data/calls' } as const;
    const shown = whole.count;
    if (Math.max(shown, head.calls.length) > limitDefault) {
      probe.holds(shown <= limitDefault, {
        ...claim,
        expected: `at most ${limitDefault} calls`,
        actual: `${shown}`,
        exchange: whole.exchange,
      });
    }
    // It may be short, unless the same server fills the one that asks for as many by name.
    if (shown < limitDefault && head.calls.length >= limitDefault) {
      const named = await readCalls(probe, { limit: limitDefault });
      const short = {
        ...claim,
        clause: '4.calls.limit',
        expected: `${limitDefault} calls`,
        actual: `${shown}`,
      } as const;
      const where = { exchange: whole.exchange, message: `with limit=${limitDefault} there are ${named.count}` };
      if (named.count === limitDefault) probe.warn({ ...short, ...where });
      else probe.note({ ...short, ...where });
    }
    if (shown < 2) return probe.stop('vacuous', 'the snapshot shows fewer than two calls');
    const one = await readCalls(probe, { limit: 1 });
    const words = { expected: 'at most 1 call', actual: `${one.count}` };
    const proves = ['4.calls.limit-ceiling', '4.calls.limit'] as const;
    probe.holds(one.count <= 1, { ...claim, ...words, proves, exchange: one.exchange });
    if (one.count > 0) return;
    // A snapshot can repeat: reading one must not use it up.
    const again = await readCallsAgain(probe, {});
    const actual = `${shown}, then none with limit=1, then ${again.count}`;
    const repeats = about(again.exchange, '4.calls.snapshot-order', '/data/calls');
    probe.warn({ ...repeats, expected: 'the calls of the first snapshot', actual });
  },
};

const snapshotRunning: CheckRow = {
  id: 'calls/snapshot-running',
  title: 'A snapshot shows calls in progress',
  cites: ['4.calls.snapshot-running', '3.call.snapshot-visibility'],
  level: 'observe',
  cost: { requests: 0, uses: ['call snapshot', 'call log'] },
  async run(probe) {
    const { name: field } = endFieldOf(probe, await readLog(probe));
    const { calls, exchange } = await readCalls(probe, {});
    expectMember(probe, calls, field);
    const hasEnd = (call: unknown) => (memberOf(call, field) ?? null) !== null;
    const running = calls.filter((call) => !hasEnd(call)).length;
    if (running === 0) return probe.stop('vacuous', 'no call is in progress, as far as the snapshot shows');
    const claim = about(exchange, '4.calls.snapshot-running', '/data/calls');
    probe.holds(true, { ...claim, expected: 'calls without an end', actual: `${running}` });
  },
};

export const order = defineChecks({ phase: 'log', after: ['calls/listing'] }, [
  oldestFirst,
  snapshotOrder,
  snapshotLimit,
  snapshotRunning,
]);
