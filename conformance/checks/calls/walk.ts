// Compares the log in pages of the default size with its largest pages. The audit tests one page edge. This check tests
// every position and several page sizes.

import { count } from '../../../src/terminal/count.ts';
import { isObstacle } from '../../assertions/accounts.ts';
import { readCut } from '../../assertions/call-log/edge.ts';
import {
  areFirstOf,
  beginningOf,
  type CallPage,
  confirmPage,
  isSame,
  limitMax,
  readCalls,
  readCallsAgain,
  readLog,
  seenOn,
} from '../../assertions/call-log/log.ts';
import { nameOfResponse } from '../../exchange/exchange.ts';
import { about } from '../../judge/claims.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';
import type { Probe } from '../../probe/probe.ts';

/** Enough to go past the first edge of a page of 200. */
const pagesMax = 6;

const pageWalk: CheckRow = {
  id: 'calls/page-walk',
  title: 'The call log returns the same sequence for every page size',
  cites: ['4.calls.exactly-once'],
  // The small pages, the large page after the first, and the first again if they differ.
  cost: { requests: pagesMax + 1, confirms: 1, uses: ['call log'] },
  async run(probe) {
    const { head } = await readLog(probe);
    if (head.calls.length < 2) return probe.stop('vacuous', 'needs at least two settled calls');
    const large = [head];
    if (head.nextCursor !== null) large.push(await readCalls(probe, { since: head.nextCursor, limit: limitMax }));
    const small: CallPage[] = [];
    const start = await beginningOf(probe);
    let since: string | null = start;
    while (since !== null && small.length < pagesMax) {
      const page: CallPage = await readCalls(probe, { since });
      small.push(page);
      since = page.calls.length > 0 ? page.nextCursor : null;
    }
    const [expected, actual] = [seenOn(large), seenOn(small)];
    const common = Math.min(expected.length, actual.length);
    const at = actual.slice(0, common).findIndex((seen, index) => !isSame(seen, expected[index])) + 1;
    const isWhole = at === 0 && (since !== null || actual.length >= head.marks.length);
    if (!isWhole) await confirmPage(probe, head);
    probe.holds(isWhole, {
      ...about(
        small.find((_, index) => seenOn(small.slice(0, index + 1)).length >= at)?.exchange,
        '4.calls.exactly-once',
        '/data/calls',
      ),
      expected: `the same ${count(expected.length, 'call')} as with limit=${limitMax}`,
      actual: at > 0 ? `another sequence from call ${at} on` : count(actual.length, 'call'),
    });
  },
};

/** Page sizes that a server might handle specially; the smallest twice. */
const sizes = [1, 2, 10, 25, 1] as const;

const smallPages: CheckRow = {
  id: 'calls/small-pages',
  title: 'Small pages of the call log return the sequence of one large page',
  cites: ['4.calls.exactly-once', '4.calls.next-cursor-string', '4.calls.since'],
  // One more since without a fraction; the first page and the large one again when they do not fit together.
  cost: { requests: sizes.length + 1, confirms: 2, uses: ['call cut'] },
  async run(probe) {
    const { log, before } = await readCut(probe);
    await expectForm(probe, log.first);
    const whole = seenOn([log.head]);
    const pages = [before];
    for (const limit of sizes) {
      const { nextCursor, calls } = pages.at(-1) ?? before;
      if (nextCursor === null || calls.length === 0 || seenOn(pages).length >= whole.length) break;
      pages.push(await readCalls(probe, { since: nextCursor, limit }));
    }
    if (pages.length === 1) return probe.stop('vacuous', 'needs calls after the second page');
    const joined = seenOn(pages).slice(0, whole.length);
    const at = joined.findIndex((seen, index) => !isSame(seen, whole[index]));
    const last = pages.at(-1) ?? before;
    const isLost = last.calls.length === 0 && joined.length < whole.length;
    if (at >= 0 || isLost) await confirmPage(probe, log.head);
    const broken = pages.find((_, index) => seenOn(pages.slice(0, index + 1)).length > at) ?? last;
    probe.holds(at < 0 && !isLost, {
      ...about((at >= 0 ? broken : last).exchange, '4.calls.exactly-once', '/data/calls'),
      expected: `the sequence of ${log.head.exchange.id}`,
      actual: at >= 0 ? `another sequence from call ${at + 1} on` : `no calls after the first ${joined.length}`,
    });
  },
};

/** A date-time without a fraction is one as well: rejected, a warning (R8); read as another time, a failure (R67). */
async function expectForm(probe: Probe, first: CallPage): Promise<void> {
  const since = (await beginningOf(probe)).replace('.000', '');
  const exchange = await probe.get('listCalls', { since, limit: 1 });
  if (isObstacle(exchange)) return;
  const claim = about(exchange, '4.calls.since', '/data/calls');
  const expected = `the same as ${first.exchange.id}`;
  if (exchange.status !== 200) return probe.warn({ ...claim, expected, actual: nameOfResponse(exchange) });
  if (areFirstOf([first], [await readCalls(probe, { since, limit: 1 })])) return;
  // The first call may have left the log meanwhile (R59).
  if (!areFirstOf([first], [await readCallsAgain(probe, { since: await beginningOf(probe), limit: 1 })])) return;
  probe.holds(false, { ...claim, expected, actual: 'another first call, or none' });
}

const usual = { phase: 'log', needs: ['extended'], after: ['calls/exactly-once'] } as const;
export const walk = defineChecks(usual, [pageWalk, smallPages]);
