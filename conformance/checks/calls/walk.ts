// The log walked in pages of its default size and compared with its largest pages. The single cut of the audit tells how a
// page edge is handled; this tells what depends on the place in the log or on the size of the page.
import { type Check, defineChecks } from '../../check.ts';
import { thorough } from '../thorough.ts';
import { areFirstOf, beginningOf, type CallPage, isSame, limitMax, readCalls, readCallsAgain, readLog, seenOn } from './log.ts';

/** Enough to go past the first edge of a page of 200. */
const PAGES_MAX = 6;

const pageWalk: Check = {
  id: 'calls/page-walk',
  title: 'The call log is the same sequence in pages of default size and in pages of 200',
  cites: ['4.calls.exactly-once'],
  level: 'must',
  phase: 'log',
  needs: thorough,
  after: ['calls/exactly-once'],
  // The small pages, the large page behind the first one, and the first one again when they do not agree.
  cost: { requests: PAGES_MAX + 1, confirms: 1, uses: ['call log'] },
  async run(probe) {
    const { head } = await readLog(probe);
    if (head.calls.length < 2) return probe.stop('vacuous', 'there are fewer than two settled calls');
    const large = [head];
    if (head.nextCursor !== null) large.push(await readCalls(probe, { since: head.nextCursor, limit: limitMax }));
    const small: CallPage[] = [];
    const start = await beginningOf(probe);
    let since: string | null = start;
    while (since !== null && small.length < PAGES_MAX) {
      const page: CallPage = await readCalls(probe, { since });
      small.push(page);
      since = page.calls.length > 0 ? page.nextCursor : null;
    }
    const [expected, actual] = [seenOn(large), seenOn(small)];
    const common = Math.min(expected.length, actual.length);
    const at = actual.slice(0, common).findIndex((seen, index) => !isSame(seen, expected[index])) + 1;
    const isWhole = at === 0 && (since !== null || actual.length >= head.marks.length);
    const again = isWhole ? head : await readCallsAgain(probe, { since: start, limit: limitMax });
    if (!areFirstOf([head], [again])) return probe.stop('interference', 'the log changed while it was read');
    probe.holds(isWhole, {
      clause: '4.calls.exactly-once',
      pointer: '/data/calls',
      expected: `the ${expected.length} calls of pages of ${limitMax}`,
      actual: at > 0 ? `another sequence from call ${at} on` : `${actual.length} calls`,
      exchange:
        small.find((_, index) => seenOn(small.slice(0, index + 1)).length >= at)?.exchange ?? null,
    });
  },
};

export const walk = defineChecks([pageWalk]);
