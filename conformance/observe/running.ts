// Whether the snapshot shows calls in progress: calls without the end that every settled call has. R39.
import { plainTimestampForm } from '../../src/contract/forms.ts';
import { dataOf, isObject } from '../exchange/exchange.ts';
import { type Look, type Observation, queryOf, recordsOf, responsesTo } from './look.ts';
import { wordsOf } from './shapes.ts';

const ends = new Set(
  'end ended ends over finish finished complete completed hangup closed stop stopped terminated'.split(' '),
);
const depthMax = 3;

/** A missing one shows nothing: no call might run. */
export function snapshotRunning(look: Look): Observation<'show'>[] {
  const pages = responsesTo(look, ['listCalls'], 200).map((exchange) => ({
    exchange,
    ends: recordsOf(dataOf(exchange).calls).map((call) => endsOf(call, [])),
    isPolled: queryOf(exchange).has('since'),
  }));
  const settled = pages.filter(({ isPolled }) => isPolled).flatMap(({ ends: of }) => of);
  const [one] = settled;
  const always = [...(one?.keys() ?? [])].filter((path) => settled.every((call) => call.has(path)));
  if (always.length === 0) return [];
  return pages.flatMap(({ exchange, isPolled, ends: calls }) => {
    const running = isPolled ? 0 : calls.filter((call) => !always.some((path) => call.has(path))).length;
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
