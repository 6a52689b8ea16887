// The delivered calls are read once more, as late in the run as can be: a call that settled late and took its place
// before a position already handed out is lost for every client that polls, and no page by itself shows it.

import { isObstacle } from '../../assertions/accounts.ts';
import {
  areFirstOf,
  type CallPage,
  expectCursor,
  limitMax,
  readCallsAgain,
  readLog,
  seenOn,
  toPage,
} from '../../assertions/call-log/log.ts';
import { compareCalls } from '../../assertions/call-log/members.ts';
import { isPrefix, without } from '../../assertions/call-log/record.ts';
import { about } from '../../assertions/claims.ts';
import { nameOfAnswer } from '../../exchange/exchange.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';
import type { Probe } from '../../probe/probe.ts';

/** How a later reading of a page differs from the first; `at` is the place of the first difference. */
type Replay =
  | { readonly kind: 'kept' }
  /** Between calls that had been delivered. */
  | { readonly kind: 'inserted'; readonly at: number; readonly marks: readonly string[] }
  | { readonly kind: 'reordered' | 'changed' | 'gone'; readonly at: number };

/** `most` is what the later page may hold. */
export function compareReplay(before: readonly string[], after: readonly string[], most: number = limitMax): Replay {
  if (isPrefix(before, after)) return { kind: 'kept' };
  const at = before.findIndex((mark, index) => mark !== after[index]);
  if (at >= after.length) return { kind: 'gone', at };
  const isCut = after.length >= most;
  const missing = without(before, after);
  const isReplaced = missing.includes(before[at] ?? '') && !before.includes(after[at] ?? '');
  if (missing.length > 0 && !isCut)
    return { kind: isReplaced && before.length <= after.length ? 'changed' : 'gone', at };
  const kept = before.filter((mark) => after.includes(mark));
  const inOrder = after.filter((mark) => before.includes(mark));
  if (!isPrefix(inOrder, kept) && !isPrefix(kept, inOrder)) return { kind: 'reordered', at };
  const lastKept = after.lastIndexOf(inOrder.at(-1) ?? '');
  return { kind: 'inserted', at, marks: without(after.slice(0, lastKept), before) };
}

/** The last page that had calls: there late ones are likeliest to come in. */
const final: CheckRow = {
  id: 'calls/final',
  title:
    'The call log delivers again what it has delivered, at the end of the run, unchanged and with nothing in between',
  cites: ['3.call.final-outcome', '4.calls.exactly-once', '4.calls.next-cursor-string'],
  after: ['calls/listing'],
  // The page, and what follows its cursor when something has come in between.
  cost: { requests: 1, confirms: 1, uses: ['call log'] },
  async run(probe) {
    const { head, chain } = await readLog(probe);
    const before = [head, ...chain].findLast(({ calls }) => calls.length > 0);
    if (before?.since == null) return probe.stop('vacuous', 'no call has settled');
    // A page of exactly the size of what there is: it is full, and has a cursor all the same.
    const params = { since: before.since, limit: Math.min(limitMax, before.count) };
    const exchange = await probe.send({ operation: 'listCalls', params });
    if (isObstacle(exchange)) return probe.stop('platform', `the call log answered ${nameOfAnswer(exchange)}`);
    // What was taken before is taken again, whatever was asked in between.
    if (!probe.expectStatus(exchange, 200, { clause: '4.calls.since', proves: [] })) return;
    const after = toPage(probe, exchange, params);
    expectCursor(probe, after);
    const replay = compareReplay(before.marks, after.marks, params.limit);
    const claim = {
      pointer: '/data/calls',
      expected: `what ${before.exchange.id} showed`,
      exchange: after.exchange,
    } as const;
    if (replay.kind === 'kept' || areFirstOf([before], [after])) return judgeContent(probe, before, after);
    const place = `call ${replay.at + 1}`;
    if (replay.kind === 'gone') {
      // A call that is gone may have been removed; nothing explains that it comes back (R59).
      const isBack = areFirstOf([before], [await readCallsAgain(probe, params)]);
      if (!isBack) return probe.stop('interference', `${place} of what was read is no longer in the log`);
      const actual = `no ${place}, which comes back when the page is read again`;
      return void probe.holds(false, { ...claim, clause: '4.calls.exactly-once', actual });
    }
    if (replay.kind === 'inserted' && (await isDelivered(probe, before, replay.marks))) {
      return probe.stop('interference', 'a call came in between and is still delivered');
    }
    const actual = {
      inserted: `another call before ${place}, which no client beyond it will ever see`,
      reordered: `another order from ${place} on`,
      changed: `${place} has changed at ${membersThatDiffer(before, after, replay.at)}`,
    }[replay.kind];
    const clause = replay.kind === 'changed' ? '3.call.final-outcome' : '4.calls.exactly-once';
    probe.holds(false, { ...claim, clause, actual });
  },
};

/** The calls are the same ones, but their members may have changed. A member that moves with the clock has not. */
function judgeContent(probe: Probe, before: CallPage, after: CallPage): void {
  const [earlier, later] = [seenOn([before]), seenOn([after])];
  const pairs = earlier.flatMap((seen, index) =>
    later[index] === undefined ? [] : [compareCalls(seen, later[index])],
  );
  const at = pairs.findIndex(({ changed }) => changed.length > 0);
  const moved = pairs.find(({ members }) => members.length > 0);
  const claim = {
    ...about(after.exchange, '3.call.final-outcome', `/data/calls/${Math.max(0, at)}`),
    expected: `what ${before.exchange.id} showed`,
  };
  const actual = at < 0 ? 'the same' : `call ${at + 1} has changed at ${pairs[at]?.changed.join(', ')}`;
  probe.holds(at < 0, { ...claim, actual });
  if (at >= 0 || moved === undefined) return;
  probe.note({ ...claim, actual: `the same, but for ${moved.members.join(', ')}, which moves` });
}

/** Paths of members, for the report. */
function membersThatDiffer(before: CallPage, after: CallPage, at: number): string {
  const [earlier, later] = [seenOn([before])[at], seenOn([after])[at]];
  return earlier && later ? compareCalls(earlier, later).members.join(', ') : '/data/calls';
}

/** Whether all of them still stand behind the cursor: then no client has lost them. */
async function isDelivered(probe: Probe, before: CallPage, marks: readonly string[]): Promise<boolean> {
  if (before.nextCursor === null) return false;
  const next = await readCallsAgain(probe, { since: before.nextCursor, limit: limitMax });
  return without(marks, next.marks).length === 0;
}

export const finality = defineChecks({ phase: 'writes' }, [final]);
