// What was delivered is read once more, as late in the run as can be: a call that settled late and took its place before a
// position already handed out is lost for every client that polls, and no page by itself shows it.
import { type Check, defineChecks } from '../../check.ts';
import type { Probe } from '../../probe.ts';
import { type CallPage, limitMax, readCallsAgain, readLog } from './log.ts';
import { isPrefix, textOf, without } from './record.ts';

type Replay =
  | { readonly kind: 'kept' }
  /** Between calls that had been delivered. */
  | { readonly kind: 'inserted'; readonly at: number; readonly marks: readonly string[] }
  | { readonly kind: 'reordered' | 'changed' | 'gone'; readonly at: number };

export function compareReplay(before: readonly string[], after: readonly string[]): Replay {
  if (isPrefix(before, after)) return { kind: 'kept' };
  const at = before.findIndex((mark, index) => mark !== after[index]);
  if (at >= after.length) return { kind: 'gone', at };
  const isCut = after.length >= limitMax;
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

const final: Check = {
  id: 'calls/final',
  title: 'What the call log delivered it delivers again at the end of the run, unchanged and with nothing in between',
  cites: ['3.call.final-outcome', '4.calls.exactly-once'],
  level: 'must',
  phase: 'writes',
  after: ['calls/listing'],
  // The page, and what follows its cursor when something has come in between.
  cost: { requests: 1, confirms: 1, uses: ['call log'] },
  async run(probe) {
    const { head, chain } = await readLog(probe);
    const before = [head, ...chain].findLast(({ calls }) => calls.length > 0);
    if (before?.since == null) return probe.stop('vacuous', 'there is no settled call');
    const after = await readCallsAgain(probe, { since: before.since, limit: limitMax });
    const replay = compareReplay(before.marks, after.marks);
    const claim = {
      pointer: '/data/calls',
      expected: `what ${before.exchange.id} showed`,
      exchange: after.exchange,
    } as const;
    if (replay.kind === 'kept') return judgeContent(probe, before, after);
    const place = `call ${replay.at + 1}`;
    if (replay.kind === 'gone') return probe.stop('interference', `${place} of what was read is no longer in the log`);
    if (replay.kind === 'inserted' && (await isDelivered(probe, before, replay.marks))) {
      return probe.stop('interference', 'a call came in between and is still delivered');
    }
    const actual = {
      inserted: `another call before ${place}, which no client beyond it will ever see`,
      reordered: `another order from ${place} on`,
      changed: `${place} has changed`,
    }[replay.kind];
    const clause = replay.kind === 'changed' ? '3.call.final-outcome' : '4.calls.exactly-once';
    probe.holds(false, { ...claim, clause, actual });
  },
};

/** The marks agree; with an id for a mark the rest of a call may still have changed. */
function judgeContent(probe: Probe, before: CallPage, after: CallPage): void {
  const changed = before.calls.findIndex((call, index) => textOf(call) !== textOf(after.calls[index]));
  probe.holds(changed < 0, {
    clause: '3.call.final-outcome',
    pointer: `/data/calls/${Math.max(0, changed)}`,
    expected: `what ${before.exchange.id} showed`,
    actual: changed < 0 ? 'the same' : `call ${changed + 1} has changed`,
    exchange: after.exchange,
  });
}

async function isDelivered(probe: Probe, before: CallPage, marks: readonly string[]): Promise<boolean> {
  if (before.nextCursor === null) return false;
  const next = await readCallsAgain(probe, { since: before.nextCursor, limit: limitMax });
  return without(marks, next.marks).length === 0;
}

export const finality = defineChecks([final]);
