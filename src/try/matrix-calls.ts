// The part of the matrix in which the call log is special.
import type { Shape } from '../contract/shape.ts';
import type { Json } from '../mutants/hooks/rewrite.ts';
import { type CallPlan, pastCalls, type Row, usualCalls } from './cell.ts';
import { encoded, extra, onPart } from './matrix-formats.ts';

/** More calls than fit on a page. */
function withManyCalls(usual: readonly CallPlan[]): CallPlan[] {
  return [...usual, ...Array.from({ length: 205 }, () => ({ visibleS: 50 }))];
}

const tied = {
  past: pastCalls.map((call, i) => (i > 3 ? { visibleS: -1500 } : call)),
  calls: usualCalls.map((call, i) => (i > 0 && i < 4 ? { visibleS: 95 } : call)),
};
const late = {
  past: pastCalls.map((call, i) => (i === 3 ? { visibleS: 0, endedS: -3600 } : call)),
  calls: usualCalls.map((call, i) => (i === 3 ? { visibleS: 250, endedS: -500 } : call)),
};
const ownFields = 'id status direction from to agent startedAt endedAt durationS outcome'.split(' ');
const own: Shape = { type: 'string', form: 'own', nullable: true };
const widerCall: Shape = {
  type: 'object',
  fields: { ...Object.fromEntries(ownFields.map((name) => [name, own])), extra },
};
/** Fields of calls are not shown. Cites 2.call-record. */
const otherCallFields = onPart(['listCalls'], ['data.calls'], (calls) =>
  (calls as Readonly<Record<string, Json>>[]).map(({ id: reference = null, ...fields }) => ({ reference, ...fields })),
);
const pollsOnly = ['listCalls'] as const;

// biome-ignore format: one row a line
const rows: readonly Row[] = [
  ['calls/ties', 'ends several calls at the same time', '4.calls.exactly-once', pollsOnly, { ...tied, drawsLow: true }],
  ['calls/ties-apart', 'delivers calls of the same time on separate pages', '4.calls.exactly-once', pollsOnly,
    { ...tied, behavior: { callsPageCap: 1 }, extraMs: 240_000 }],
  ['calls/late', 'reports a call late, after calls that ended later', '4.calls.exactly-once', pollsOnly, late],
  ['calls/single', 'sends 1 call on a page', '4.calls.exactly-once', pollsOnly, { behavior: { callsPageCap: 1 }, extraMs: 240_000 }],
  ['calls/many', 'delivers 205 calls at once', '6.full-page', pollsOnly, { calls: withManyCalls(usualCalls), extraMs: 120_000, delivers: 'full' }],
  // The first poll often has no calls, and the next one 205.
  ['calls/many-500', 'delivers 205 calls at once, and returns a 500 once for the next page', '6.full-page', pollsOnly,
    { calls: withManyCalls(usualCalls), extraMs: 180_000, fault: { error: 'internal_error', skip: 2, times: 1 }, succeeds: false }],
  ['calls/offset', 'sends cursors of the call log with an offset', '6.store-cursor', pollsOnly,
    { behavior: { callCursor: 'YYYY-MM-DDThh:mm:ss.fffffffff+00:00' }, remedy: encoded, needsNext: true, extraMs: 60_000 }],
  ['calls/seconds', 'sends cursors of the call log in whole seconds', '6.store-cursor', pollsOnly,
    { behavior: { callCursor: 'YYYY-MM-DDThh:mm:ssZ' }, needsNext: true, extraMs: 60_000 }],
  ['calls/snapshot-cursor', 'sends a cursor without since too', '4.calls.snapshot-cursor', pollsOnly,
    { behavior: { snapshotCursor: 'string' }, delivers: 'snapshot' }],
  ['calls/other-fields', 'sends the id of each call in another field', '2.call-record', pollsOnly,
    { about: 'call-fields', wrap: otherCallFields, succeeds: false }],
  ['calls/unknown-fields', 'adds unknown fields to calls', '4.calls.beyond-shape', pollsOnly, { behavior: { callRecord: widerCall, callSummary: 'absent' } }],
];

/** A page without calls tests nothing. */
export const callRows = rows.map(
  ([id, title, clause, place, setUp]): Row => [id, title, clause, place, { delivers: 'calls', ...setUp }],
);
