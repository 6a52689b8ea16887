// Calls that settle while we poll: one snapshot and one poll a minute, and the same calls again at the end.
import { formatTimestamp } from '../../src/contract/timestamps.ts';
import { labels, limitMax, pageOf } from '../exchange/call-log.ts';
import { watchIn } from '../exchange/call-watch.ts';
import type { History } from '../exchange/history.ts';
import { type Asks, announce, type Scenario, send, wait } from './scenario.ts';

const rounds = 12;
const roundMs = 60_000;
const fullPagesMax = 3;
/** A late change has had its time by then. */
const finalMs = 180_000;

const read = (params: Readonly<Record<string, string | number>>, label: string) =>
  send({ operation: 'listCalls', params: { ...params, limit: limitMax }, label });

export const callWatch: Scenario = {
  id: 'calls/watch',
  needs: ['watch', 'call-id-field', 'call-ended-at-field'],
  cost: { least: 4, most: 2 * rounds + fullPagesMax + 2, seconds: ((rounds - 1) * roundMs + finalMs) / 1000 },
  *ask({ history }) {
    yield* announce(`Watching the call log for up to ${rounds} minutes, one poll a minute.`);
    for (let round = 1; round <= rounds; round += 1) {
      // A snapshot first, so an end is seen before its delivery.
      yield* read({}, labels.watchSnapshot);
      if (watchIn(history()) === null) return 'the server sends no Date header, or no list of calls';
      yield* pollAll(history);
      // Once a call has been followed from its end to its delivery, another one would show the same.
      if (watchIn(history())?.isDone) break;
      if (round < rounds) yield* wait(roundMs);
    }
    const { delivered, startMs } = watchIn(history()) ?? { delivered: new Map(), startMs: 0 };
    if (delivered.size === 0) return undefined;
    yield* wait(finalMs);
    // A client that begins again where the watch began must see no more calls than the watch has seen.
    yield* read({ since: formatTimestamp(startMs) }, labels.watchEnd);
    // A call that has just settled and follows the cursor is not lost: the next poll returns it.
    yield* pollAll(history);
    return undefined;
  },
};

/** Follows the cursor through full pages. */
function* pollAll(history: () => History): Asks<void> {
  for (let pages = 1; ; pages += 1) {
    const { since, startMs } = watchIn(history()) ?? { since: null, startMs: 0 };
    const exchange = yield* read({ since: since ?? formatTimestamp(startMs) }, labels.watchPoll);
    const page = pageOf(exchange, history().given);
    if (page === null || page.count < limitMax || pages > fullPagesMax) return;
  }
}
