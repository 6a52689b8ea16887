// Behaviors of the call log: its pages, its records, and the calls that a snapshot shows. R33 to R38.
import { plainTimestampForm } from '../../src/contract/forms.ts';
import { callsLimit } from '../../src/contract/generated/limits.ts';
import type { Shape } from '../../src/contract/shape.ts';
import { parseTimestamp } from '../../src/contract/timestamps.ts';
import { dataOf, isObject } from '../exchange/exchange.ts';
import { type Look, type Observation, queryOf, recordsOf, responsesTo } from '../exchange/look.ts';
import { pageCap } from './lists.ts';
import { splitShares } from './records.ts';
import { learnShape, wordsOf } from './shapes.ts';

export function callPages(look: Look) {
  return responsesTo(look, ['listCalls'], 200).map((exchange) => {
    const { calls, nextCursor } = dataOf(exchange);
    const query = queryOf(exchange);
    const since = query.get('since');
    const isPolled = since !== null && parseTimestamp(since) !== null;
    return { exchange, calls: recordsOf(calls), next: nextCursor, isPolled, since, limit: query.get('limit') };
  });
}

export function callsPageCap(look: Look): Observation<number>[] {
  const pages = callPages(look).filter(({ isPolled }) => isPolled);
  const full = pages.filter(({ limit }) => limit === String(callsLimit.max));
  const goesOn = (next: unknown) => pages.some(({ since, calls }) => since === next && calls.length > 0);
  return pageCap(
    full.map(({ exchange, calls, next }) => ({ exchange: exchange.id, rows: calls.length, goesOn: goesOn(next) })),
    callsLimit.max,
  );
}

export function callRecord(look: Look): Observation<Shape>[] {
  const pages = callPages(look).filter(({ calls }) => calls.length > 0);
  const calls = pages.flatMap((page) => page.calls);
  // A repeated record does not count: a vocabulary consists of values that many records share.
  const distinct = new Map(calls.map((call) => [JSON.stringify(call), call]));
  const own = [...distinct.values()];
  const shape = learnShape(own);
  const [page] = pages;
  if (shape === null || page === undefined) return [];
  const always = endPaths(look);
  // A field can be null as long as the call runs.
  const value =
    always.length === 0 ? shape : splitShares(shape, own, (call) => (isOver(call, always) ? 'over' : 'running'));
  return [{ value, exchange: page.exchange.id, weight: calls.length }];
}

const ends = new Set(
  'end ended ends over finish finished complete completed hangup closed stop stopped terminated'.split(' '),
);
const depthMax = 3;

/** The fields with an end in every polled call, because such calls are over. */
function endPaths(look: Look): string[] {
  const polled = responsesTo(look, ['listCalls'], 200).filter((exchange) => queryOf(exchange).has('since'));
  const settled = polled.flatMap((exchange) => recordsOf(dataOf(exchange).calls)).map((call) => endsOf(call, []));
  return [...(settled[0]?.keys() ?? [])].filter((path) => settled.every((call) => call.has(path)));
}

function isOver(call: Record<string, unknown>, always: readonly string[]): boolean {
  const ends = endsOf(call, []);
  return always.some((path) => ends.has(path));
}

/** A missing one shows nothing: no call might run. */
export function snapshotRunning(look: Look): Observation<'show'>[] {
  const always = endPaths(look);
  if (always.length === 0) return [];
  const snapshots = responsesTo(look, ['listCalls'], 200).filter((exchange) => !queryOf(exchange).has('since'));
  return snapshots.flatMap((exchange) => {
    const running = recordsOf(dataOf(exchange).calls).filter((call) => !isOver(call, always)).length;
    return running === 0 ? [] : [{ value: 'show' as const, exchange: exchange.id, weight: running }];
  });
}

/** The fields of a call that by their name and value say when it ended. */
function endsOf(value: Record<string, unknown>, path: readonly string[]): Map<string, string | number> {
  const found = new Map<string, string | number>();
  for (const [name, field] of Object.entries(value)) {
    const own = [...path, name];
    if (isObject(field) && own.length < depthMax)
      for (const [inner, timestamp] of endsOf(field, own)) found.set(inner, timestamp);
    const isScalar = typeof field === 'string' || typeof field === 'number';
    const isEnd = wordsOf(name).some((word) => ends.has(word));
    if (isScalar && isEnd && plainTimestampForm(field) !== null) found.set(own.join('.'), field);
  }
  return found;
}
