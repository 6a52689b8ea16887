// Every delivery of a call that the run has read, whatever for, held beside the first one (rulings R41).
import { parseInstant, parseInstantMs } from '../../../src/contract/instants.ts';
import { dataOf, type Exchange, listOf } from '../../exchange/exchange.ts';
import { serverNowMs } from '../../exchange/told-limits.ts';
import { type Check, defineChecks } from '../../probe/check.ts';
import type { Probe } from '../../probe/probe.ts';
import { about } from '../claims.ts';
import { tryGate } from './log.ts';
import { compareCalls, idOf, type Seen } from './members.ts';

const ROWS_MAX = 200;

const kept: Check = {
  id: 'calls/kept',
  title: 'A call that the log has delivered reads the same wherever the run has read it',
  cites: ['3.call.final-outcome'],
  level: 'must',
  phase: 'writes',
  after: ['calls/listing'],
  unless: ['calls/final'],
  cost: { requests: 0, confirms: 1, uses: ['call gate'] },
  async run(probe) {
    const { again, likeness, isOpen } = await tryGate(probe);
    if (again === null) return probe.stop('vacuous', 'no call has settled');
    if (!isOpen) return probe.stop('precondition', 'an old position cannot be read twice, as calls/re-read tells');
    const changed = likeness?.kind === 'changed' ? likeness.changed : [];
    expectKept(probe, { exchange: again.exchange, at: 0, changed });
    // One finding will do.
    if (changed.length > 0) return;
    const first = new Map<string, Seen>();
    for (const exchange of deliveriesIn(probe)) {
      for (const [at, seen] of seenOn(exchange).entries()) {
        const id = idOf(seen.call, probe.settings);
        const before = id === null ? undefined : first.get(id);
        if (id !== null && before === undefined) first.set(id, seen);
        if (before === undefined) continue;
        expectKept(probe, { exchange, at, changed: compareCalls(before, seen).changed });
      }
    }
  },
};

/** One call of one answer, compared with its first delivery. */
interface Delivery {
  readonly exchange: Exchange;
  readonly at: number;
  readonly changed: readonly string[];
}

/** One finding names all members that have changed. */
function expectKept(probe: Probe, { exchange, at, changed }: Delivery): void {
  probe.holds(changed.length === 0, {
    ...about(exchange, '3.call.final-outcome', `/data/calls/${at}`),
    expected: 'the call as it was delivered before',
    actual: changed.length === 0 ? 'the same' : `another value at ${changed.map((path) => path || 'all of it').join()}`,
  });
}

/** As many as a page may hold. */
function seenOn(exchange: Exchange): Seen[] {
  const atMs = serverNowMs(exchange) ?? exchange.receivedAt;
  return listOf(dataOf(exchange).calls)
    .slice(0, ROWS_MAX)
    .map((call) => ({ call, atMs }));
}

/** Whole milliseconds in UTC, as the kit itself writes an instant. */
const PLAIN = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/**
 * Answers to a past `since` that every server reads: in another form it may be ignored, which gives a snapshot (R38).
 */
export function deliveriesIn(probe: Probe): readonly Exchange[] {
  const logs = probe.history().filter(({ operation, status, key }) => {
    return operation === 'listCalls' && status === 200 && key === 'good';
  });
  const cursors = new Set(logs.map((exchange) => dataOf(exchange).nextCursor));
  return logs.filter(({ target, sentAt }) => {
    const since = new URLSearchParams(target.split('?')[1] ?? '').get('since');
    if (since === null || !(PLAIN.test(since) || (cursors.has(since) && parseInstant(since) !== null))) return false;
    return (parseInstantMs(since) ?? sentAt) < sentAt;
  });
}

export const keeping = defineChecks([kept]);
