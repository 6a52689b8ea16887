// Two calls that the log has delivered one behind the other stay neighbours for every client that polls: what comes in
// between them later is lost for all whose position is beyond. Every page of the run is held beside the others.
import type { Exchange } from '../../exchange/exchange.ts';
import { type Check, defineChecks } from '../../probe/check.ts';
import type { Probe } from '../../probe/probe.ts';
import { about } from '../claims.ts';
import { deliveriesIn } from './kept.ts';
import { limitMax, pageOf, passGate, readCallsAgain } from './log.ts';
import { areNamed, haveIds } from './record.ts';

/** A page that shows calls between two others, and the earlier one that does not. */
interface Between {
  readonly page: Exchange;
  readonly since: string;
  readonly at: number;
  readonly marks: readonly string[];
  readonly before: Exchange;
}

const between: Check = {
  id: 'calls/between',
  title: 'No call comes to stand between two that the log has delivered one behind the other',
  cites: ['4.calls.exactly-once'],
  level: 'must',
  phase: 'writes',
  after: ['calls/listing'],
  unless: ['calls/exactly-once', 'calls/final'],
  // The page again, and what stands behind the calls that it has shown.
  cost: { requests: 0, confirms: 2, uses: ['call gate'] },
  async run(probe) {
    await passGate(probe);
    const found = findBetween(probe);
    if (found === 'none to compare') return probe.stop('vacuous', 'no two calls were delivered twice');
    const claim = { expected: 'calls that stay neighbours', clause: '4.calls.exactly-once' } as const;
    if (found === null) {
      probe.holds(true, { ...claim, actual: 'as expected' });
      return;
    }
    const again = await readCallsAgain(probe, { since: found.since, limit: limitMax });
    const isStill = found.marks.every((mark) => again.marks.includes(mark));
    const behind = again.nextCursor === null ? null : await readCallsAgain(probe, { since: again.nextCursor });
    const isDelivered = found.marks.every((mark) => behind?.marks.includes(mark));
    if (!isStill || isDelivered) return probe.stop('interference', 'the calls of the log have moved meanwhile');
    probe.holds(false, {
      ...claim,
      ...about(found.page, claim.clause, `/data/calls/${found.at}`),
      actual: `${found.marks.length} between two calls that were neighbours in ${found.before.id}`,
    });
  },
};

/** The first place of the run where calls stand between neighbours of an earlier page. */
function findBetween(probe: Probe): Between | null | 'none to compare' {
  const behind = new Map<string, { readonly mark: string; readonly exchange: Exchange }>();
  let compared = 0;
  for (const exchange of deliveriesIn(probe)) {
    const { calls, marks } = pageOf(probe, exchange);
    // Calls that look alike cannot be told apart (R34).
    if (new Set(marks).size < marks.length || !(areNamed(calls, probe.settings) || haveIds(calls))) continue;
    const places = new Map(marks.map((mark, at) => [mark, at]));
    for (const [at, mark] of marks.entries()) {
      const known = behind.get(mark);
      const place = known === undefined ? undefined : places.get(known.mark);
      if (place !== undefined) compared += 1;
      if (known !== undefined && place !== undefined && place > at + 1) {
        const since = new URLSearchParams(exchange.target.split('?')[1] ?? '').get('since') ?? '';
        return { page: exchange, since, at: at + 1, marks: marks.slice(at + 1, place), before: known.exchange };
      }
      const next = marks[at + 1];
      if (next !== undefined && known === undefined) behind.set(mark, { mark: next, exchange });
    }
  }
  return compared === 0 ? 'none to compare' : null;
}

export const betweens = defineChecks([between]);
