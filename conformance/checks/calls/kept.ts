// Every delivery of a call in the run, compared with the first one (interpretation R41).

import { parseTimestamp, parseTimestampMs } from '../../../src/contract/timestamps.ts';
import { count } from '../../../src/terminal/count.ts';
import { areNamed, compareCalls, haveIds, idOf, type Seen } from '../../assertions/call-log/fields.ts';
import {
  beginningOf,
  limitDefault,
  limitMax,
  pageOf,
  passGate,
  readCalls,
  readCallsAgain,
  tryGate,
} from '../../assertions/call-log/log.ts';
import { dataOf, type Exchange, listOf } from '../../exchange/exchange.ts';
import { serverNowMs } from '../../exchange/stated-limits.ts';
import { about } from '../../judge/claims.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';
import type { Probe } from '../../probe/probe.ts';

const rowsMax = 200;

const kept: CheckRow = {
  id: 'calls/kept',
  title: 'Every response contains the same data for a delivered call',
  cites: ['3.call.final-outcome'],
  unless: ['calls/final'],
  cost: { requests: 0, confirms: 1, uses: ['call gate'] },
  async run(probe) {
    const { again, likeness, isOpen } = await tryGate(probe);
    if (again === null) return probe.stop('vacuous', 'no call has settled');
    if (!isOpen) return probe.stop('precondition', 'blocked by calls/re-read');
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

/** One call of one response, compared with its first delivery. */
interface Delivery {
  readonly exchange: Exchange;
  readonly at: number;
  readonly changed: readonly string[];
}

/** One finding names all fields that have changed. */
function expectKept(probe: Probe, { exchange, at, changed }: Delivery): void {
  probe.holds(changed.length === 0, {
    ...about(exchange, '3.call.final-outcome', `/data/calls/${at}`),
    expected: 'the call as in its first delivery',
    actual: `a call with another ${changed.map((path) => path || 'value').join(', ')}`,
  });
}

/** As many as a page may hold. */
function seenOn(exchange: Exchange): Seen[] {
  const atMs = serverNowMs(exchange) ?? exchange.receivedAt;
  return listOf(dataOf(exchange).calls)
    .slice(0, rowsMax)
    .map((call) => ({ call, atMs }));
}

/** Whole milliseconds in UTC, as the kit itself writes a timestamp. */
const plain = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Responses to a past `since` in a form that every server reads; other forms can return a snapshot (R38). */
function deliveriesIn(probe: Probe): readonly Exchange[] {
  const logs = probe.shown('listCalls');
  const cursors = new Set(logs.map((exchange) => dataOf(exchange).nextCursor));
  return logs.filter(({ target, sentAt }) => {
    const since = new URLSearchParams(target.split('?')[1] ?? '').get('since');
    if (since === null || !(plain.test(since) || (cursors.has(since) && parseTimestamp(since) !== null))) return false;
    return (parseTimestampMs(since) ?? sentAt) < sentAt;
  });
}

/** A page that shows calls between two others, and the earlier one that does not. */
interface Between {
  readonly page: Exchange;
  readonly since: string;
  readonly at: number;
  readonly marks: readonly string[];
  readonly before: Exchange;
}

const between: CheckRow = {
  id: 'calls/between',
  title: 'The call log inserts no call between delivered calls',
  cites: ['4.calls.exactly-once'],
  unless: ['calls/exactly-once', 'calls/final'],
  // The page again, and the page after its calls.
  cost: { requests: 0, confirms: 2, uses: ['call gate'] },
  async run(probe) {
    await passGate(probe);
    const found = findBetween(probe);
    if (found === 'none to compare') return probe.stop('vacuous', 'needs two calls that were delivered twice');
    const claim = { expected: 'no new call between delivered calls', clause: '4.calls.exactly-once' } as const;
    if (found === null) {
      probe.holds(true, { ...claim, actual: 'as expected' });
      return;
    }
    const again = await readCallsAgain(probe, { since: found.since, limit: limitMax });
    const isStill = found.marks.every((mark) => again.marks.includes(mark));
    const later = again.nextCursor === null ? null : await readCallsAgain(probe, { since: again.nextCursor });
    const isDelivered = found.marks.every((mark) => later?.marks.includes(mark));
    if (!isStill || isDelivered) return probe.stop('interference', 'the call log changed during the check');
    probe.holds(false, {
      ...claim,
      ...about(found.page, claim.clause, `/data/calls/${found.at}`),
      actual: `${count(found.marks.length, 'new call')} between two calls`,
    });
  },
};

/** The first place of the run where calls appear between adjacent calls of an earlier page. */
function findBetween(probe: Probe): Between | null | 'none to compare' {
  const later = new Map<string, { readonly mark: string; readonly exchange: Exchange }>();
  let compared = 0;
  for (const exchange of deliveriesIn(probe)) {
    const { calls, marks } = pageOf(probe, exchange);
    // Calls that look alike cannot be distinguished (R34).
    if (new Set(marks).size < marks.length || !(areNamed(calls, probe.settings) || haveIds(calls))) continue;
    const places = new Map(marks.map((mark, at) => [mark, at]));
    for (const [at, mark] of marks.entries()) {
      const known = later.get(mark);
      const place = known === undefined ? undefined : places.get(known.mark);
      if (place !== undefined) compared += 1;
      if (known !== undefined && place !== undefined && place > at + 1) {
        const since = new URLSearchParams(exchange.target.split('?')[1] ?? '').get('since') ?? '';
        return { page: exchange, since, at: at + 1, marks: marks.slice(at + 1, place), before: known.exchange };
      }
      const next = marks[at + 1];
      if (next !== undefined && known === undefined) later.set(mark, { mark: next, exchange });
    }
  }
  return compared === 0 ? 'none to compare' : null;
}

export const keeping = defineChecks({ phase: 'writes', after: ['calls/listing'] }, [kept, between]);

// Every page of the call log that any check of the run has read: none holds more calls than its limit.

/** The largest legal page: the requested limit if it is in range, otherwise the maximum (R38). */
function mostOn({ target }: Exchange): number {
  const text = new URLSearchParams(target.split('?')[1] ?? '').get('limit');
  if (text === null) return limitDefault;
  const limit = /^\d+$/.test(text) ? Number(text) : limitMax;
  return limit >= 1 && limit <= limitMax ? limit : limitMax;
}

function countOn(exchange: Exchange): number {
  return listOf(dataOf(exchange).calls).length;
}

const everyPage: CheckRow = {
  id: 'calls/every-page',
  title: 'Every page of the call log has at most limit calls',
  cites: ['4.calls.limit-ceiling', '8.calls-limit'],
  after: ['calls/listing'],
  unless: ['calls/limit', 'calls/default-limit', 'calls/bad-limit'],
  cost: { requests: 0, confirms: 1, uses: ['call row'] },
  async run(probe) {
    await readCalls(probe, { since: await beginningOf(probe), limit: 1 });
    const pages = probe.history().filter(({ operation, status }) => operation === 'listCalls' && status === 200);
    const known = Math.max(0, ...pages.map(countOn));
    // A page without further calls proves nothing.
    for (const page of pages.filter((each) => known > mostOn(each) || countOn(each) >= limitMax)) {
      const claim = about(page, '4.calls.limit-ceiling', '/data/calls');
      const words = { expected: `at most ${mostOn(page)}`, actual: count(countOn(page), 'call') };
      probe.holds(countOn(page) <= mostOn(page), { ...claim, ...words });
    }
  },
};

export const pages = defineChecks({ phase: 'writes' }, [everyPage]);
