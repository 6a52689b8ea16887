import { success } from './connect.ts';
import { type Context, extra, through } from './context.ts';
import { invalid } from './errors.ts';
import { showCall } from './records.ts';
import { readInstant, toNs, writeInstant } from './time.ts';
import type { Answer, Ask, Call, Org } from './types.ts';
import type { Variant } from './variants.ts';

/** A settled call and its place in the log, in nanoseconds. */
interface Placed {
  call: Call;
  place: bigint;
}

/** When a call's outcome is final and the call joins the log; undefined while it runs. */
function visibleAt(call: Call, at: number, variant: Variant): number | undefined {
  if (call.ended === null || call.ended > at) return undefined;
  return Math.max(call.ended + variant.settleSeconds * 1000, call.reported);
}

function isSettled(call: Call, at: number, variant: Variant): boolean {
  const visible = visibleAt(call, at, variant);
  return visible !== undefined && visible <= at;
}

/** What `since` is compared with: the instant of becoming visible, or the same less the settling time. */
function basisOf(call: Call, at: number, variant: Variant): number {
  const visible = visibleAt(call, at, variant) ?? at;
  return variant.sinceCompares === 'visible' ? visible : visible - variant.settleSeconds * 1000;
}

/** Moves each newly visible call to a millisecond of its own, after all earlier ones. */
function bump(org: Org, call: Call, basis: number): number {
  if (call.place === undefined) {
    call.place = Math.max(org.lastPlace + 1, basis);
    org.lastPlace = call.place;
  }
  return call.place;
}

/** Every settled call of the organization, oldest first, each at a place no other call has. */
function settled(org: Org, at: number, variant: Variant): Placed[] {
  const visible = org.calls
    .filter((call) => isSettled(call, at, variant))
    .map((call) => ({ call, basis: basisOf(call, at, variant) }))
    .sort((left, right) => left.basis - right.basis || left.call.order - right.call.order);
  const placed = visible.map(({ call, basis }): Placed => {
    const place = variant.cursorScheme === 'bumped' ? toNs(bump(org, call, basis)) : toNs(basis) + BigInt(call.order);
    return { call, place };
  });
  return placed.sort((left, right) => (left.place < right.place ? -1 : 1));
}

function writeCursor(place: bigint, variant: Variant): string {
  return writeInstant(place, variant.timeFormat, variant.cursorScheme === 'bumped' ? 3 : 9);
}

/** The cursor after a page: its last place, or the first instant beyond it where `since` is inclusive. */
function cursorAfter(last: Placed, variant: Variant): string {
  const step = variant.cursorScheme === 'bumped' ? 1_000_000n : 1n;
  return writeCursor(variant.sinceEdge === 'inclusive' ? last.place + step : last.place, variant);
}

function readLimit(context: Context, ask: Ask): number {
  const { callsBadLimit } = context.variant;
  const text = ask.query.get('limit');
  if (text === null) return 50;
  const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= 1 && value <= 200) return value;
  if (callsBadLimit === 'refuse') throw invalid([{ path: 'limit', message: 'must be an integer from 1 to 200' }]);
  return callsBadLimit === 'clamp' && !Number.isNaN(value) ? Math.min(200, Math.max(1, value)) : 50;
}

function readSince(context: Context, ask: Ask): bigint | undefined {
  const text = ask.query.get('since');
  if (text === null) return undefined;
  const instant = readInstant(text);
  if (instant === undefined && context.variant.badSince === 'refuse') {
    throw invalid([{ path: 'since', message: 'must be an ISO 8601 date-time' }]);
  }
  return instant;
}

function wrap(context: Context, calls: unknown, nextCursor: string | null): Answer {
  const data = { calls, nextCursor, ...extra(context, 'outer') };
  if (context.variant.callSummary) return success(context, data, 'Calls');
  return { status: 200, body: { data } };
}

/** With `since`: settled calls only, oldest first, each once; a string cursor exactly when calls came. */
function poll(context: Context, ask: Ask, since: bigint): Answer {
  const { variant } = context;
  const size = Math.min(readLimit(context, ask), variant.callsPageCap);
  const rest = settled(ask.org, ask.at, variant).filter(({ call, place }) => {
    if (variant.consuming && ask.org.delivered.has(call.ref)) return false;
    return variant.sinceEdge === 'inclusive' ? place >= since : place > since;
  });
  const page = through(context, 'calls.page', rest.slice(0, size));
  if (variant.consuming) for (const { call } of page) ask.org.delivered.add(call.ref);
  const last = page.at(-1);
  const calls = page.map(({ call }) => showCall(context, call, { at: ask.at, settled: true }));
  const cursor = last === undefined ? null : cursorAfter(last, variant);
  return wrap(context, calls, through(context, 'calls.cursor', cursor));
}

/** Without `since`: newest first, running calls included. "Newest" by start, or by what happened last. */
function snapshot(context: Context, ask: Ask): Answer {
  const { variant } = context;
  const size = Math.min(readLimit(context, ask), variant.callsPageCap);
  const runs = (call: Call): boolean => call.ended === null || call.ended > ask.at;
  const started = ask.org.calls.filter((call) => call.started <= ask.at);
  const shown = started.filter((call) => variant.snapshotSettling || runs(call) || isSettled(call, ask.at, variant));
  const touched = (call: Call): number => (runs(call) ? ask.at : (call.ended ?? ask.at));
  const key = (call: Call): number => (variant.snapshotOrder === 'start' ? call.started : touched(call));
  const page = [...shown].sort((left, right) => key(right) - key(left) || right.order - left.order).slice(0, size);
  const calls = page.map((call) => showCall(context, call, { at: ask.at, settled: isSettled(call, ask.at, variant) }));
  if (variant.snapshotCursor === 'null') return wrap(context, calls, null);
  const last = settled(ask.org, ask.at, variant).at(-1);
  const nothing = toNs(ask.at - variant.settleSeconds * 1000);
  return wrap(context, calls, last === undefined ? writeCursor(nothing, variant) : cursorAfter(last, variant));
}

/** GET /connect/calls/log. */
export function callLog(context: Context, ask: Ask): Answer {
  const since = readSince(context, ask);
  return since === undefined ? snapshot(context, ask) : poll(context, ask, since);
}
