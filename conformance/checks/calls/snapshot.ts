// The snapshot and the log, held side by side: what one shows and the other should. Calls come, settle and are reported
// late between two reads, so anything that looks wrong is read once more.

import { readInstant } from '../../assertions/call-log/instants.ts';
import {
  beginningOf,
  type CallPage,
  limitMax,
  passGate,
  readCalls,
  readCallsAgain,
  readLog,
  seenOn,
} from '../../assertions/call-log/log.ts';
import { isAge, leavesOf, type Seen, toMs } from '../../assertions/call-log/members.ts';
import { isIdName, roleOf } from '../../assertions/call-log/names.ts';
import { textOf } from '../../assertions/call-log/record.ts';
import { about } from '../../assertions/claims.ts';
import { show } from '../../judge/ledger.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';
import type { Probe } from '../../probe/probe.ts';

/** A call with the instants that its names tell of, and what else finds it again. */
interface Dated extends Seen {
  readonly startMs: number;
  readonly endMs: number;
  /** Its instants and its id, which no other call shares. */
  readonly marks: readonly string[];
}

/** Only calls whose start and end both stand in the record, the one not after the other. */
function datedOn(pages: readonly CallPage[]): Dated[] {
  return seenOn(pages).flatMap((seen) => {
    const leaves = [...leavesOf(seen.call)];
    const instantOf = (role: 'start' | 'end') => {
      const found = leaves.filter(([path]) => roleOf(path) === role).map(([, value]) => readInstant(value));
      return found.length === 1 && found[0] != null ? toMs(found[0]) : null;
    };
    const [startMs, endMs] = [instantOf('start'), instantOf('end')];
    if (startMs === null || endMs === null || startMs > endMs) return [];
    const ids = leaves.filter(([path, value]) => isIdName(path) && value !== null).map(([, value]) => `id ${value}`);
    return [{ ...seen, startMs, endMs, marks: [`at ${startMs} ${endMs}`, ...ids] }];
  });
}

/** By either mark: an id may be written in two ways at the two places, and two calls may share their instants. */
function isAmong(call: Dated, others: ReadonlySet<string>): boolean {
  return call.marks.some((mark) => others.has(mark));
}

/** The marks of all of them together. */
function marksOf(calls: readonly Dated[]): ReadonlySet<string> {
  return new Set(calls.flatMap(({ marks }) => marks));
}

/**
 * Delivered calls that a newest-first snapshot lacks, although it shows one that began, ended and was delivered before
 * them.
 */
function missingIn(snapshot: readonly Dated[], stream: readonly Dated[]): Dated[] {
  const shown = marksOf(snapshot);
  const older = stream.map((call, place) => ({ call, place })).filter(({ call }) => isAmong(call, shown));
  return stream.filter(
    (one, at) =>
      !isAmong(one, shown) &&
      older.some(({ call, place }) => place < at && call.startMs < one.startMs && call.endMs < one.endMs),
  );
}

const snapshotWhole: CheckRow = {
  id: 'calls/snapshot-whole',
  title: 'The snapshot lacks no delivered call that is newer than one it shows',
  cites: ['4.calls.snapshot-order'],
  // The snapshot and the last page of the log again when a call is missing.
  cost: { requests: 0, confirms: 2, uses: ['call snapshot', 'call log'] },
  async run(probe) {
    const { chain } = await readLog(probe);
    await passGate(probe);
    const page = await readCalls(probe, {});
    const [snapshot, stream] = [datedOn([page]), datedOn(chain)];
    const delivered = marksOf(stream);
    if (snapshot.filter((call) => isAmong(call, delivered)).length === 0) {
      return probe.stop('vacuous', 'no call of the snapshot can be found in the log by its start and end');
    }
    const claim = about(page.exchange, '4.calls.snapshot-order', '/data/calls');
    const expected = 'every delivered call that is newer than another one shown';
    const missing = missingIn(snapshot, stream);
    if (missing.length === 0) return void probe.holds(true, { ...claim, expected, actual: 'as expected' });
    const again = missingIn(datedOn([await readCallsAgain(probe, {})]), stream);
    const home = chain.find((each) => isAmong(missing[0] as Dated, marksOf(datedOn([each]))));
    const since = home?.since ?? (await beginningOf(probe));
    const kept = marksOf(datedOn([await readCallsAgain(probe, { since, limit: limitMax })]));
    const still = marksOf(again);
    const lost = missing.filter((call) => isAmong(call, still) && isAmong(call, kept));
    if (lost.length === 0) return probe.stop('interference', 'the log changed while it was read');
    const actual = `${lost.length} missing, such as the call of ${show(lost[0]?.call)}`;
    probe.holds(false, { ...claim, expected, actual });
  },
};

/** By then a call that is over has settled; one that was reported late is rare. */
const LATE_MS = 30 * 60_000;

const snapshotDelivered: CheckRow = {
  id: 'calls/snapshot-delivered',
  title: 'A call of the snapshot that has been over for long is in the log, and reads the same there',
  // R35: a call may be reported late, and then it comes late; so a call that is not there is no more than a warning.
  cites: ['4.calls.exactly-once', '3.call.final-outcome'],
  cost: { requests: 0, confirms: 2, uses: ['call snapshot', 'call log'] },
  async run(probe) {
    const { chain, end } = await readLog(probe);
    await passGate(probe);
    const page = await readCalls(probe, {});
    if (end !== 'empty') return probe.stop('budget', 'the log was not read to its end');
    const stream = datedOn(chain);
    const delivered = marksOf(stream);
    const snapshot = datedOn([page]);
    const isShared = (call: Dated | undefined) => call !== undefined && isAmong(call, delivered);
    if (!snapshot.some(isShared)) {
      return probe.stop('vacuous', 'no call of the snapshot can be found in the log by its start and end');
    }
    const lost = snapshot.filter(
      (call, index) =>
        !isShared(call) &&
        call.atMs - call.endMs > LATE_MS &&
        snapshot.slice(0, index).some(isShared) &&
        snapshot.slice(index + 1).some(isShared),
    );
    await judgeLost(probe, { lost, chain, page });
    await judgeContent(probe, { snapshot, stream, page });
  },
};

/** Calls of the snapshot that the log seems to lack, and where both were read. */
interface Lost {
  readonly lost: readonly Dated[];
  readonly chain: readonly CallPage[];
  readonly page: CallPage;
}

/** Reads the last page again: a call that was reported late is there by now. */
async function judgeLost(probe: Probe, { lost, chain, page }: Lost): Promise<void> {
  const last = chain.findLast(({ calls }) => calls.length > 0);
  const isTold = lost.length > 0 && last?.since != null;
  const again = isTold ? datedOn([await readCallsAgain(probe, { since: last.since ?? '', limit: limitMax })]) : [];
  const delivered = marksOf(again);
  const still = lost.filter((call) => !isAmong(call, delivered));
  const claim = {
    ...about(page.exchange, '4.calls.exactly-once', '/data/calls'),
    expected: 'the calls that are over for half an hour, in the log as well',
  };
  if (still.length === 0) return void probe.holds(true, { ...claim, actual: 'as expected' });
  const actual = `${still.length} not there, such as ${show(still[0]?.call)}`;
  probe.warn({ ...claim, actual, message: 'unless they were reported late, following nextCursor has lost them' });
}

/** A single pair may be two calls that are alike. */
const SAME_MIN = 3;

/** The same calls at both places. */
interface Content {
  readonly snapshot: readonly Dated[];
  readonly stream: readonly Dated[];
  readonly page: CallPage;
}

/** The same id, start and end, and yet another value at a member that both show. */
async function judgeContent(probe: Probe, { snapshot, stream, page }: Content): Promise<void> {
  const pairs = pairsOf(snapshot, stream);
  if (pairs.length < SAME_MIN) return;
  const members = differing(pairs);
  if (members.length === 0) return;
  const again = datedOn([await readCallsAgain(probe, {})]);
  const still = differing(pairsOf(again, stream)).filter((path) => members.includes(path));
  if (still.length === 0) return;
  const claim = {
    ...about(page.exchange, '3.call.final-outcome', '/data/calls'),
    expected: 'a settled call as the log has delivered it',
    actual: `another value at ${still.join(', ')}`,
  };
  // What the other members mean is not shown (R34).
  if (still.some((path) => OUTCOME.test(path))) probe.holds(false, claim);
  else probe.warn(claim);
}

/** The one member that section 3 names; deeper down it may be that of something else. */
const OUTCOME = /^\/outcome$/i;

/** One call, at both places. */
type Pair = readonly [shown: Dated, delivered: Dated];

/** Only calls with an id besides their instants: two calls may begin and end together. */
function pairsOf(snapshot: readonly Dated[], stream: readonly Dated[]): Pair[] {
  const known = new Map(stream.map((call) => [call.marks.join(), call]));
  return snapshot.flatMap((call): Pair[] => {
    const twin = call.marks.length > 1 ? known.get(call.marks.join()) : undefined;
    return twin !== undefined && call.atMs - call.endMs > LATE_MS ? [[call, twin]] : [];
  });
}

/** Members that differ and do not just count with the clock. */
function differing(pairs: readonly Pair[]): string[] {
  const leaves = pairs.map(([shown, delivered]) => [leavesOf(shown.call), leavesOf(delivered.call)] as const);
  const paths = new Set(leaves.flatMap(([one, other]) => [...one.keys()].filter((path) => other.has(path))));
  return [...paths].filter((path) => {
    const doesCount = pairs.every(([shown], index) => isAge(leaves[index]?.[0].get(path), shown));
    return !doesCount && leaves.some(([one, other]) => isOther(one.get(path), other.get(path)));
  });
}

/** An address, an instant or nothing may be filled in at another time. */
function isOther(one: unknown, other: unknown): boolean {
  if (one === null || other === null || textOf(one) === textOf(other)) return false;
  return !/^https?:/.test(String(one)) && readInstant(one) === null;
}

export const snapshots = defineChecks({ phase: 'log', after: ['calls/listing'] }, [snapshotWhole, snapshotDelivered]);
