// The chain of pages from the beginning of the log to its end: whether it can be read, read again, followed and ended.
// All later checks of the log read it through the record.

import { count } from '../../../src/terminal/count.ts';
import { expectNoAccount, isObstacle } from '../../assertions/accounts.ts';
import { type Cut, isReadAs, readAfter, readCut, withOffset } from '../../assertions/call-log/edge.ts';
import { areNamed, haveIds, idOf, whyMissing } from '../../assertions/call-log/fields.ts';
import {
  beginning,
  beginningOf,
  type CallLog,
  type CallPage,
  confirmPage,
  isSame,
  isShortByDefault,
  limitDefault,
  limitMax,
  passGate,
  readCallsAgain,
  readLog,
  seenOn,
  tryGate,
} from '../../assertions/call-log/log.ts';
import { isDateTime } from '../../assertions/call-log/timestamps.ts';
import { expectValidAgain } from '../../assertions/valid-again.ts';
import { nameOfResponse } from '../../exchange/exchange.ts';
import { about } from '../../judge/claims.ts';
import { show } from '../../judge/ledger.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';
import type { Probe } from '../../probe/probe.ts';

const listing: CheckRow = {
  id: 'calls/listing',
  title: 'GET /connect/calls/log accepts an ISO 8601 since',
  cites: ['4.calls.endpoint', '4.calls.since'],
  // Again with recent positions if a since from the year 1970 is rejected: the age of a log is not specified.
  after: [],
  cost: { requests: 0, confirms: 2, uses: ['call row'] },
  async run(probe) {
    const since = await beginningOf(probe);
    const exchange = await probe.get('listCalls', { since, limit: 1 });
    if (!expectNoAccount(probe, exchange)) return;
    if (since !== beginning) {
      const claim = about(exchange, '4.calls.since', '#status');
      probe.note({ ...claim, expected: `200 for since=${beginning}`, actual: `400, and 200 for since=${since}` });
    }
    if (isObstacle(exchange) || nameOfResponse(exchange) === '400 not_supported') {
      return probe.stop('precondition', `the call log returned ${nameOfResponse(exchange)}`);
    }
    probe.expectStatus(exchange, 200, { clause: '4.calls.endpoint', proves: ['4.calls.endpoint', '4.calls.since'] });
  },
};

/** The gate: a run must not take calls from a real client, so a log that reads consume is left alone. */
const reread: CheckRow = {
  id: 'calls/re-read',
  title: 'The call log returns the same calls for the same since',
  cites: ['4.calls.exactly-once', '4.calls.reread', '3.call.final-outcome'],
  // R36: "exactly once" can also mean that reads consume calls. Then a client that loses a response loses calls.
  level: 'should',
  cost: { requests: 0, confirms: 1, uses: ['call gate'] },
  async run(probe) {
    const { first, again, isOpen, likeness } = await tryGate(probe);
    if (again === null) return probe.stop('vacuous', 'no call has settled');
    // calls/kept checks changed fields: the call is still the same one, so reading continues (R36).
    const fields = (likeness?.fields ?? []).map((path) => path || 'all of it').join(', ');
    const claim = { pointer: '/data/calls/0', expected: `the same as ${first.exchange.id}`, exchange: again.exchange };
    if (likeness?.kind === 'moved') {
      const words = { actual: `the same call except ${fields}`, message: 'changes with time are ignored' };
      probe.note({ ...claim, ...words, clause: '4.calls.reread' });
    }
    probe.holds(isOpen, {
      ...claim,
      clause: '4.calls.exactly-once',
      actual: again.calls.length === 0 ? 'no calls' : `a call with another ${fields}`,
      message: 'reading seems to remove calls, so the suite stops reading the call log',
    });
  },
};

const nextCursor: CheckRow = {
  id: 'calls/next-cursor',
  title: 'The call log accepts nextCursor as the next since',
  cites: ['4.calls.next-cursor-string', '4.calls.since'],
  // The pages that this and the checks below look at: 200 rows from the beginning, and on to the end.
  cost: { requests: 0, uses: ['call log'] },
  async run(probe) {
    const { first, head, chain, end } = await readLog(probe);
    const pages = [...new Set([first, head, ...chain])].filter(({ calls }) => calls.length > 0);
    for (const { nextCursor: cursor, exchange, count: shown } of pages) {
      const claim = about(exchange, '4.calls.next-cursor-string', '/data/nextCursor');
      const actual = `${show(cursor)} after ${count(shown, 'call')}`;
      if (!probe.holds(cursor !== null, { ...claim, expected: 'a string', actual })) continue;
      // The table says a string that is the next `since`; that it is a date-time too follows from another row only
      // (R35).
      const words = { clause: '4.calls.since', expected: 'an ISO 8601 date-time', actual } as const;
      if (isDateTime(cursor ?? '')) probe.holds(true, { ...claim, ...words });
      else probe.warn({ ...claim, ...words });
    }
    if (typeof end === 'string') return;
    if (isObstacle(end)) probe.doubt('platform', `the next page returned ${nameOfResponse(end)}`);
    else probe.expectStatus(end, 200, '4.calls.next-cursor-string');
  },
};

/** An empty page is the only end in section 4. */
const chainEnd: CheckRow = {
  id: 'calls/chain-end',
  title: 'The call log ends with an empty page and nextCursor null',
  cites: ['4.calls.next-cursor-null', '4.calls.exactly-once'],
  cost: { requests: 0, uses: ['call log'] },
  async run(probe) {
    const { chain, end } = await readLog(probe);
    const last = chain.at(-1) ?? chain[0];
    const claim = about(last.exchange, '4.calls.next-cursor-null', '/data/nextCursor');
    const data = (last.exchange.json as { data: { nextCursor?: unknown } }).data;
    if (end === 'empty') {
      probe.holds(data.nextCursor === null, {
        ...claim,
        expected: 'null for an empty page',
        actual: show(data.nextCursor),
      });
    } else if (end === 'circle') {
      const words = { expected: 'a new cursor after these calls', actual: `the cursor ${show(last.nextCursor)} again` };
      probe.holds(false, { ...claim, ...words, clause: '4.calls.exactly-once' });
    } else if (end === 'budget') {
      probe.doubt('budget', `more calls after ${count(chain.length, 'page')}`);
    } else {
      probe.stop('precondition', 'blocked by calls/next-cursor');
    }
  },
};

export const chain = defineChecks({ phase: 'log', after: ['calls/listing'] }, [listing, reread, nextCursor, chainEnd]);

// Exactly once over opaque records, in two requests: a page with the most difficult cut, and the page after its cursor,
// must match the sequence of one large page. Calls can settle meanwhile, so earlier records only have to be a prefix of
// later ones.

const exactlyOnce: CheckRow = {
  id: 'calls/exactly-once',
  title: 'The call log returns calls with equal timestamps exactly once',
  cites: ['4.calls.exactly-once', '4.calls.next-cursor-string', '4.calls.oldest-first', '4.calls.since'],
  // The page before the cut (once more where the server does not read an offset), the page after it, and the large page
  // again when they do not fit together.
  cost: { requests: 0, confirms: 1, uses: ['calls after the cut'] },
  async run(probe) {
    const cut = await readCut(probe);
    const after = await readAfter(probe, cut);
    const { head } = cut.log;
    const joined = seenOn([cut.before, after]).slice(0, head.marks.length);
    const isLost = after.calls.length === 0;
    const claim = about(after.exchange, '4.calls.exactly-once', '/data/calls');
    const expected = `the calls from number ${cut.before.marks.length + 1} on of ${head.exchange.id}`;
    expectDistinct(probe, cut.log);
    const whole = seenOn([head]);
    const at = joined.findIndex((seen, index) => !isSame(seen, whole[index]));
    if (at < 0 && !isLost) {
      probe.holds(true, { ...claim, expected, actual: 'as expected' });
      if (!cut.isTie)
        probe.note({
          ...claim,
          expected: 'two calls with equal timestamps, for a stricter test',
          actual: 'no such calls',
        });
      return;
    }
    const repeated = repeatedIn(probe, cut.before, after);
    if (repeated !== null) {
      // No change of the log explains a call that is before the cursor.
      probe.holds(false, { ...claim, expected, actual: `call ${repeated} again, which is before the cursor` });
      return;
    }
    await confirmPage(probe, head);
    const marks = joined.map(({ mark }) => mark);
    const hasSameCalls = [...marks].sort().join() === head.marks.slice(0, marks.length).sort().join();
    if (!isLost && hasSameCalls) {
      const actual = `the same calls in another order from call ${at + 1} on`;
      probe.holds(false, { ...claim, clause: '4.calls.oldest-first', expected, actual });
      return;
    }
    probe.holds(false, { ...claim, expected, actual: describeBreak(probe, { cut, after, marks }) });
  },
};

/** The id of a call that the page after a cursor shows although the page before it has shown it. */
function repeatedIn(probe: Probe, before: CallPage, after: CallPage): string | null {
  const known = new Set(before.calls.map((call) => idOf(call, probe.settings)));
  const ids = after.calls.map((call) => idOf(call, probe.settings));
  return ids.find((id) => id !== null && known.has(id)) ?? null;
}

/** Equal records can be different calls, unless the user or their content identifies them. */
function expectDistinct(probe: Probe, { head, chain }: CallLog): void {
  const pages = chain[0] === head ? chain : [head];
  const calls = pages.flatMap((page) => page.calls);
  const { callIdField } = probe.settings;
  const why = callIdField === null ? null : whyMissing('--call-id-field', callIdField, calls);
  if (why !== null) probe.doubt('precondition', why);
  if (!areNamed(calls, probe.settings) && !haveIds(calls)) return;
  const marks = pages.flatMap((page) => page.marks);
  const twice = marks.findIndex((mark, index) => marks.indexOf(mark) < index);
  const actual = twice < 0 ? 'as expected' : `call ${marks.indexOf(marks[twice] ?? '') + 1} again as call ${twice + 1}`;
  const claim = about(head.exchange, '4.calls.exactly-once', '/data/calls');
  probe.holds(twice < 0, { ...claim, expected: 'each id once on all pages', actual });
}

interface Joined {
  readonly cut: Cut;
  readonly after: CallPage;
  /** Of both pages, one after the other. */
  readonly marks: readonly string[];
}

/** Says which call is missing, repeated or astray, and between which pages. */
function describeBreak(probe: Probe, { cut: { before, log, at, isTie }, after, marks: joined }: Joined): string {
  const { marks, calls } = log.head;
  const index = joined.findIndex((mark, place) => mark !== marks[place]);
  const pages = `between ${before.exchange.id} and ${after.exchange.id}`;
  const isCut = isTie && index === at;
  const where = isCut ? `${pages}: calls ${at} and ${at + 1} share a timestamp` : `${pages}, after call ${at}`;
  const nameOf = (place: number) => {
    const id = idOf(calls[place], probe.settings);
    return `call ${place + 1}${id === null ? '' : ` (${id})`}`;
  };
  if (index < 0)
    return `${nameOf(joined.length)} and all later calls left out: no call after the cursor of call ${joined.length}`;
  if (index < before.marks.length) return `limit ${at} begins with other calls than limit ${limitMax}`;
  const found = marks.indexOf(joined[index] ?? '');
  if (found >= 0 && found < index) return `${nameOf(found)} again ${where}`;
  if (found < index) return `a call that the large page lacks, ${where}`;
  const last = found - index > 1 ? ` to ${nameOf(found - 1)}` : '';
  return `${nameOf(index)}${last} left out ${where}`;
}

const sinceForms: CheckRow = {
  id: 'calls/since-forms',
  title: 'The call log accepts a since with a time zone offset',
  cites: ['4.calls.since'],
  cost: { requests: 0, confirms: 2, uses: ['call cut'] },
  async run(probe) {
    const cut = await readCut(probe);
    const { elsewhere, position } = cut;
    if (isObstacle(elsewhere)) return probe.stop('platform', `the call log returned ${nameOfResponse(elsewhere)}`);
    const actual = elsewhere.status === 200 ? 'other calls' : nameOfResponse(elsewhere);
    const claim = {
      ...about(elsewhere, '4.calls.since', '/data/calls'),
      expected: `the same calls as for since=${position}`,
      actual,
    };
    // R8: "ISO 8601 date-time" has many forms, and the one that the server writes may be the only one that it reads.
    if (elsewhere.status !== 200) return probe.warn(claim);
    const isRead = cut.isRead ? !(await isReadEarlier(probe, cut)) : await isReadNow(probe, cut);
    probe.holds(isRead, claim);
  },
};

/** Calls before the last position, which the same time with the offset zero does not return: an inclusive one can. */
async function isReadEarlier(probe: Probe, { page, requested, limit, log: { head } }: Cut): Promise<boolean> {
  const cursor = head.nextCursor ?? '';
  const [since, zero] = [withOffset(cursor), cursor.replace(/Z$/i, '+00:00')];
  if (page.since === requested.since || since === null || zero === cursor) return false;
  const [mark = ''] = (await readCallsAgain(probe, { since, limit })).marks;
  return head.marks.includes(mark) && !(await readCallsAgain(probe, { since: zero, limit })).marks.includes(mark);
}

/** The log can change between the two reads (interpretation R59). */
async function isReadNow(probe: Probe, { requested, position, limit, log }: Cut): Promise<boolean> {
  const other = await readCallsAgain(probe, requested);
  return isReadAs(other, await readCallsAgain(probe, { since: position, limit }), log.head);
}

/** Three pages with three limits, all of them read for other checks. */
const limit: CheckRow = {
  id: 'calls/limit',
  title: 'The call log returns at most limit calls per page',
  cites: ['4.calls.limit-ceiling', '4.calls.limit', '8.calls-limit'],
  cost: { requests: 0, uses: ['call cut'] },
  async run(probe) {
    const first = await passGate(probe);
    if (first.calls.length === 0) return probe.stop('vacuous', 'no call has settled');
    const largest = await probe.get('listCalls', { since: await beginningOf(probe), limit: limitMax });
    if (isObstacle(largest)) return probe.stop('platform', `the call log returned ${nameOfResponse(largest)}`);
    const proof = { clause: '4.calls.limit', proves: ['4.calls.limit', '8.calls-limit'] } as const;
    if (!probe.expectStatus(largest, 200, proof)) return;
    const { log, page, limit } = await readCut(probe);
    const pages = [
      { page: log.first, most: 1 },
      { page, most: limit },
      { page: log.head, most: limitMax },
    ];
    const known = Math.max(...pages.map(({ page }) => page.count));
    // A page without further calls proves nothing.
    for (const { page: each, most } of pages.filter((one) => known > one.most || one.page.count >= limitMax)) {
      const words = { expected: `at most ${most}`, actual: count(each.count, 'call'), exchange: each.exchange };
      probe.holds(each.count <= most, { ...words, clause: '4.calls.limit-ceiling', pointer: '/data/calls' });
    }
    noteShortPages(probe, log);
  },
};

/** A page can be short; if all are, clients wait a minute for existing calls. */
function noteShortPages(probe: Probe, { head, chain }: CallLog): void {
  const next = chain[0] === head ? chain[1] : undefined;
  const [shown, more] = [head.calls.length, next?.calls.length ?? 0];
  if (shown >= limitMax || more < shown || more < 2) return;
  const claim = about(head.exchange, '4.calls.limit', '/data/calls');
  probe.note({
    ...claim,
    expected: `${limitMax}, as requested`,
    actual: `${count(shown, 'call')}, and ${more} on the next page`,
  });
}

/** The page after the cut was requested without a limit for this check. */
const defaultLimit: CheckRow = {
  id: 'calls/default-limit',
  title: 'The call log returns 50 calls by default',
  cites: ['4.calls.limit', '4.calls.limit-ceiling', '8.calls-limit'],
  cost: { requests: 0, confirms: 4, uses: ['calls after the cut'] },
  async run(probe) {
    const cut = await readCut(probe);
    const { before, log } = cut;
    const isAfterHead = before.nextCursor !== null && before.calls.length < log.head.calls.length;
    // A rejection must not affect a later valid poll.
    if (isAfterHead) {
      const exchange = await probe.get('listCalls', { since: before.nextCursor });
      await expectValidAgain(probe, exchange, { before: 'other polls', clause: '4.calls.since' });
    }
    const page = await readAfter(probe, cut);
    if (page.count === 0 && isAfterHead) {
      // Calls before this position were already read; no change explains that they return (R59).
      const again = await readCallsAgain(probe, { since: before.nextCursor ?? '' });
      const claim = { ...about(page.exchange, '4.calls.since', '/data/calls'), expected: 'the calls after the cursor' };
      if (again.count > 0)
        return void probe.holds(false, { ...claim, actual: `no calls, but ${again.count} for a repeated request` });
    }
    if (page.count === 0) return probe.stop('precondition', 'blocked by calls/exactly-once');
    const [shown, there] = [page.count, cut.log.head.calls.length - cut.before.calls.length];
    const claim = { pointer: '/data/calls', actual: count(shown, 'call'), exchange: page.exchange } as const;
    if (Math.max(shown, there) <= limitDefault) return probe.stop('vacuous', `needs more than ${limitDefault} calls`);
    const proves = ['4.calls.limit-ceiling', '4.calls.limit', '8.calls-limit'] as const;
    const words = { clause: '4.calls.limit-ceiling', expected: `at most ${limitDefault}` } as const;
    probe.holds(shown <= limitDefault, { ...claim, ...words, proves });
    // A page can be short, unless the same server fills it when the limit is explicit.
    if (shown >= limitDefault) return;
    const short = { ...claim, clause: '4.calls.limit', expected: `${limitDefault}` } as const;
    const message = `limit=${limitDefault} returns ${limitDefault}`;
    if (await isShortByDefault(probe, page)) probe.holds(false, { ...short, message });
    else probe.note(short);
  },
};

const usual = { phase: 'log', after: ['calls/listing'] } as const;
export const cut = defineChecks(usual, [exactlyOnce, sinceForms, limit]);
export const defaultLimits = defineChecks(usual, [defaultLimit]);
