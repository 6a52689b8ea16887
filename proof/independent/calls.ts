// The call log. The place of a call in the stream is settled when it becomes visible and never moves, which gives
// "exactly once" without a memory of clients.
import { readLimit } from './checks.ts';
import { success } from './connect.ts';
import { invalid } from './errors.ts';
import { showCall } from './records.ts';
import { readTimestamp, toNs, writeTimestamp } from './time.ts';
import { type ApiRequest, type Call, type Context, extra, type HttpResponse, type Org, type Placed } from './types.ts';
import type { Variant } from './variants.ts';

/** When a call's outcome is final and the call joins the log. A call without an end runs. */
function visibleAt({ variant }: Context, { ended, reported }: Call): number {
  return ended === null ? Number.POSITIVE_INFINITY : Math.max(ended + variant.settleSeconds * 1000, reported);
}

/** Whether the call is in the log at that moment. */
function isSettled(context: Context, call: Call, at: number): boolean {
  return !runs(call, at) && visibleAt(context, call) <= at;
}

const runs = ({ ended }: Call, at: number): boolean => ended === null || ended > at;

/** How long calls are kept is not shown. */
function isKept({ variant }: Context, { ended }: Call, at: number): boolean {
  return ended === null || at - ended < variant.callsKeptMs;
}

/** The timestamp that `since` is compared with: when it became visible, or that minus the settling time. */
function basisOf(context: Context, call: Call): number {
  const { sinceCompares, settleSeconds } = context.variant;
  return visibleAt(context, call) - (sinceCompares === 'visible' ? 0 : settleSeconds * 1000);
}

/** Moves each newly visible call to a separate millisecond, after all earlier ones. */
function bump(org: Org, call: Call, basis: number): number {
  if (call.place === undefined) {
    call.place = Math.max(org.lastPlace + 1, basis);
    org.lastPlace = call.place;
  }
  return call.place;
}

/** Every settled call of the organization, oldest first, each at a unique place. */
function settled(context: Context, req: ApiRequest): readonly Placed[] {
  const { org, at } = req;
  const { variant } = context;
  const visible = org.calls
    .filter((call) => isKept(context, call, at) && isSettled(context, call, at))
    .map((call) => ({ call, basis: basisOf(context, call) }))
    .sort((left, right) => left.basis - right.basis || left.call.order - right.call.order);
  const placed = visible.map(({ call, basis }): Placed => {
    const place = variant.cursorScheme === 'bumped' ? toNs(bump(org, call, basis)) : toNs(basis) + BigInt(call.order);
    return { call, place };
  });
  return placed.sort((left, right) => (left.place < right.place ? -1 : 1));
}

/** Nine digits hold the order number of a call; three are enough if each call has a separate millisecond. */
function writeCursor(place: bigint, variant: Variant): string {
  return writeTimestamp(place, variant.timeFormat, variant.cursorScheme === 'bumped' ? 3 : 9);
}

/** The cursor after a page: its last place, or the first timestamp beyond it where `since` is inclusive. */
function cursorAfter(last: Placed, variant: Variant): string {
  const step = variant.cursorScheme === 'bumped' ? 1_000_000n : 1n;
  return writeCursor(variant.sinceEdge === 'inclusive' ? last.place + step : last.place, variant);
}

/** The number of calls on a page, at most. */
function sizeOf({ variant }: Context, req: ApiRequest): number {
  const limit = readLimit(req.query, { usual: 50, max: 200, invalid: variant.callsBadLimit });
  if (limit === undefined) throw invalid([{ path: 'limit', message: 'must be an integer from 1 to 200' }]);
  return Math.min(limit, variant.callsPageCap);
}

/** Undefined for a snapshot; a text that is not a timestamp is rejected or counts as absent. */
function readSince(context: Context, req: ApiRequest): bigint | undefined {
  const text = req.query.get('since');
  if (text === null) return undefined;
  const hasOffset = /[+-]\d\d:?\d\d$/.test(text);
  const timestamp = hasOffset && context.variant.sinceOffset === 'reject' ? undefined : readTimestamp(text);
  if (timestamp === undefined && context.variant.badSince === 'reject') {
    throw invalid([{ path: 'since', message: 'must be an ISO 8601 date-time' }]);
  }
  if (timestamp !== undefined && req.at - Number(timestamp / 1_000_000n) > context.variant.sinceKeptMs) {
    throw invalid([{ path: 'since', message: 'is further back than calls are kept' }]);
  }
  return timestamp;
}

/** `summary` is free here (R33). */
function wrap(context: Context, calls: unknown, nextCursor: string | null | undefined): HttpResponse {
  const data = { calls, nextCursor, ...extra(context, 'outer') };
  if (context.variant.callSummary) return success(context, data, 'Calls');
  return { status: 200, body: { data } };
}

/** With `since`: settled calls only, oldest first, each once; a string cursor exactly when calls came. */
function poll(context: Context, req: ApiRequest, since: bigint): HttpResponse {
  const { variant } = context;
  const size = sizeOf(context, req);
  const after = ({ place }: Placed): boolean => (variant.sinceEdge === 'inclusive' ? place >= since : place > since);
  const fresh = ({ call }: Placed): boolean => !(variant.consuming && req.org.delivered.has(call.ref));
  const rest = settled(context, req).filter((placed) => fresh(placed) && after(placed));
  const page = rest.slice(0, size);
  if (variant.consuming) for (const { call } of page) req.org.delivered.add(call.ref);
  const last = page.at(-1);
  const calls = page.map(({ call }) => showCall(context, call, { at: req.at, settled: true }));
  return wrap(context, calls, last === undefined ? null : cursorAfter(last, variant));
}

/** Without `since`: newest first, running calls included. "Newest" by start, or by what happened last. */
function snapshot(context: Context, req: ApiRequest): HttpResponse {
  const { variant } = context;
  const size = sizeOf(context, req);
  const started = req.org.calls.filter((call) => call.started <= req.at && isKept(context, call, req.at));
  const shown = started.filter(
    (call) => variant.snapshotSettling || runs(call, req.at) || isSettled(context, call, req.at),
  );
  const touched = (call: Call): number => Math.min(call.ended ?? req.at, req.at);
  const key = (call: Call): number => (variant.snapshotOrder === 'start' ? call.started : touched(call));
  const newest = (left: Call, right: Call): number => key(right) - key(left) || right.order - left.order;
  const page = [...shown].sort(newest).slice(0, size);
  const calls = page.map((call) => showCall(context, call, { at: req.at, settled: isSettled(context, call, req.at) }));
  if (variant.snapshotCursor === 'null') return wrap(context, calls, null);
  const last = settled(context, req).at(-1);
  const nothing = toNs(req.at - variant.settleSeconds * 1000);
  return wrap(context, calls, last === undefined ? writeCursor(nothing, variant) : cursorAfter(last, variant));
}

export function callLog(context: Context, req: ApiRequest): HttpResponse {
  const since = readSince(context, req);
  return since === undefined ? snapshot(context, req) : poll(context, req, since);
}
