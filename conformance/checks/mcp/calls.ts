// The call log at the MCP endpoint: page sizes and positions. Whether its records equal those of the REST API is not
// specified.
import { csvCharactersMax, csvContactsMax, importRowsMax } from '../../../src/contract/generated/limits.ts';
import { words } from '../../../src/contract/words.ts';
import { endFieldOf } from '../../exchange/call-ends.ts';
import { areNamed, haveIds } from '../../exchange/call-fields.ts';
import { type CallPage, limitDefault, limitMax, logIn } from '../../exchange/call-log.ts';
import { checkOrder, isDateTime } from '../../exchange/call-timestamps.ts';
import { isObject } from '../../exchange/exchange.ts';
import { type History, labelled, precedes } from '../../exchange/history.ts';
import { isInvalid, type Reply, readReply, rowsOf } from '../../exchange/mcp/reply.ts';
import { repliesIn, toCallPage } from '../../exchange/mcp/tools.ts';
import { serverNowMs } from '../../exchange/stated-limits.ts';
import { areSettled } from '../../judge/calls.ts';
import { about, judgeable } from '../../judge/expect.ts';
import type { Judged, Judgment } from '../../judge/judge.ts';
import { show } from '../../judge/ledger.ts';
import * as mcp from '../../judge/mcp.ts';

const bounds = { input: 'limit', of: 'value', clause: '8.calls-limit', upper: limitMax, usual: limitDefault } as const;

const limits: Judged = {
  id: 'mcp/calls-log-limit',
  title: 'calls_log accepts a limit up to 200 and returns at most that many',
  clauses: ['8.calls-limit', '4.calls.limit', '4.calls.since', '4.calls.snapshot-order'],
  scenarios: ['mcp/open', 'mcp/calls-limits'],
  *judge(history) {
    const read = yield* mcp.readTool(history, 'calls_log');
    if (read === null) return;
    yield* mcp.hasBounds(read, bounds);
    if (mcp.listsInputs(read.inputs)) yield* mcp.isOptional(read, { input: 'since', clause: '4.calls.since' });
    const replies = repliesIn(history, 'calls_log').filter(({ input }) => input.since === undefined);
    const most = Math.max(...replies.map((reply) => rowsOf(reply)?.length ?? 0));
    for (const reply of replies) {
      yield* isNewestFirst(reply);
      yield* isWithin(reply, replies);
      if (reply.input.limit === undefined && most > limitDefault) yield* isFilled(reply, replies);
    }
  },
};

function* isWithin(reply: Reply, replies: readonly Reply[]): Iterable<Judgment> {
  const clause = '8.calls-limit';
  const { limit = limitDefault } = reply.input;
  const isMany = replies.some((one) => (rowsOf(one)?.length ?? 0) > limitDefault);
  if (typeof limit !== 'number') return;
  // Above the limit: rejected or clamped, as in the REST API (interpretation R38).
  if (limit > limitMax) yield* mcp.hasRowsUpTo(reply, { most: limitMax, clause, proves: [] });
  else if (reply.input.limit === undefined)
    yield* mcp.hasRowsUpTo(reply, { most: limit, clause, ...(isMany ? {} : { proves: [] }) });
  else if (yield* mcp.isTaken(reply, { clause, expected: `a result for limit ${limit}` }, replies))
    yield* mcp.hasRowsUpTo(reply, { most: limit, clause });
}

/** A page can be short, unless the same tool fills it when the limit is explicit. */
function* isFilled(reply: Reply, replies: readonly Reply[]): Iterable<Judgment> {
  const count = rowsOf(reply)?.length ?? limitDefault;
  const isFull = replies.some((one) => one.input.limit === limitDefault && rowsOf(one)?.length === limitDefault);
  if (!isFull || count >= limitDefault) return;
  const claim = {
    ...about(reply.exchange, '4.calls.limit'),
    expected: `${limitDefault}, as with limit ${limitDefault}`,
  };
  yield { ...claim, actual: `${count} calls`, severity: 'warn' };
}

/** Only a clear reversal counts: records might have no usable timestamp. */
function* isNewestFirst(reply: Reply): Iterable<Judgment> {
  if (checkOrder(rowsOf(reply) ?? [], 'falling') !== 'inverted') return;
  const claim = about(reply.exchange, '4.calls.snapshot-order');
  yield { ...claim, expected: 'the newest call first without since', actual: 'the oldest call first', isTrue: false };
}

const chain: Judged = {
  id: 'mcp/calls-log-chain',
  title: 'calls_log with since returns each settled call once, oldest first, and nextCursor',
  clauses: [
    ...words('4.calls.exactly-once 4.calls.oldest-first 4.calls.since 4.calls.settled-only'),
    ...words('4.calls.next-cursor-string 4.calls.next-cursor-null'),
  ],
  scenarios: ['mcp/open', 'mcp/calls-log'],
  *judge(history) {
    const replies = repliesIn(history, 'calls_log');
    const polls = replies.filter(({ input }) => typeof input.since === 'string');
    // A server may reject what is old.
    const poll = polls.find(({ outcome }) => outcome === 'taken') ?? polls.at(-1);
    if (poll === undefined) return;
    const claim = { clause: '4.calls.since', expected: `a result for since ${poll.input.since}` } as const;
    if (!(yield* mcp.isTaken(poll, claim, replies))) return;
    const pages: CallPage[] = [];
    for (const reply of polls.filter(({ outcome }) => outcome === 'taken')) {
      const page = toCallPage(reply, history.given);
      if (page === null) {
        yield { doubt: 'precondition', message: 'calls_log returned no list of calls' };
        continue;
      }
      pages.push(page);
      yield* hasCursor(page, reply);
      yield* isOldestFirst(page);
    }
    yield* eachOnce(history, pages);
    const calls = (logIn(history)?.chain ?? pages).flatMap((page) => page.calls);
    const field = endFieldOf(calls, history);
    // The REST API proves it: at the MCP endpoint it can only be violated.
    if (field === null) return;
    for (const page of pages) if (serverNowMs(page.exchange) !== null) yield* areSettled(history, page, field);
  },
};

/** A page with calls and one without have different cursors. */
function* hasCursor({ exchange, count }: CallPage, { data }: Reply): Iterable<Judgment> {
  const nextCursor = isObject(data) ? data.nextCursor : undefined;
  const claim = { ...about(exchange, '4.calls.next-cursor-string'), actual: `${show(nextCursor)} as nextCursor` };
  if (count === 0) {
    const empty = { ...claim, clause: '4.calls.next-cursor-null', expected: 'null without new calls' } as const;
    // Most clients treat a missing field as null; payloads of tools are not specified.
    yield nextCursor === undefined ? { ...empty, severity: 'note' } : { ...empty, isTrue: nextCursor === null };
    return;
  }
  const isText = typeof nextCursor === 'string';
  yield { ...claim, expected: 'a string, because calls were returned', isTrue: isText };
  // It is to be used as the next since, and that is a date-time.
  const asSince = { ...claim, clause: '4.calls.since', expected: 'an ISO 8601 date-time' } as const;
  if (isText) yield { ...asSince, isTrue: isDateTime(nextCursor) };
}

function* isOldestFirst({ exchange, calls, count }: CallPage): Iterable<Judgment> {
  const order = count < 2 ? 'unknown' : checkOrder(calls, 'rising');
  const words = { expected: 'the oldest first', actual: 'the newest call first' };
  if (order !== 'unknown') yield { ...about(exchange, '4.calls.oldest-first'), ...words, isTrue: order === 'kept' };
}

function* eachOnce(history: History, pages: readonly CallPage[]): Iterable<Judgment> {
  for (const [place, second] of pages.entries()) {
    const first = pages
      .slice(0, place)
      .findLast(({ nextCursor }) => nextCursor !== null && nextCursor === second.since);
    if (first === undefined) continue;
    const claim = { ...about(second.exchange, '4.calls.exactly-once'), expected: 'each call once' };
    const marks = [...first.marks, ...second.marks];
    const others = [...(logIn(history)?.chain ?? []), ...pages].filter((one) => precedes(one.exchange, first.exchange));
    const [left] = others.flatMap((page) => leftOut(page, marks) ?? []);
    if (left !== undefined) yield { ...claim, actual: left, isTrue: false };
    // Without an id two calls may be alike.
    const all = [...first.calls, ...second.calls];
    if (!areNamed(all, history.given) && !haveIds(all)) continue;
    const twice = marks.findIndex((mark, index) => marks.indexOf(mark) < index);
    const actual = twice < 0 ? 'each once' : `a call again, as number ${twice + 1} of two pages`;
    yield { ...claim, actual, isTrue: twice < 0 };
  }
}

/** A call that an earlier page returns between two adjacent calls, if both pages write equal records; or null. */
function leftOut(page: CallPage, marks: readonly string[]): string | null {
  const known = new Set(marks);
  // Calls before the first may have become too old to be kept meanwhile.
  const start = page.marks.findIndex((mark) => known.has(mark));
  const between = page.marks.slice(start, page.marks.findLastIndex((mark) => known.has(mark)) + 1);
  const missing = between.filter((mark) => !known.has(mark));
  const isAlike = missing.length < between.length / 2;
  // If the formats differ, the counts must still agree.
  const count = marks.indexOf(between.at(-1) ?? '') - marks.indexOf(between[0] ?? '') + 1;
  if (!isAlike || missing.length === 0 || count + missing.length > between.length) return null;
  return `${count} of ${between.length} calls of ${page.exchange.id}`;
}

// dialer_import_contacts: csv or rows, and the size of each.

const importTool = 'dialer_import_contacts';
/** A csv text of the body limit minus the rest of the request. */
const reachableCharacters = 1_000_000;

const inputsStated: Judged = {
  id: 'mcp/import-inputs',
  title: 'The schema of dialer_import_contacts states the documented limits',
  clauses: ['4.tools.dialer-import-contacts', '8.import.rows', '8.import.csv-characters'],
  scenarios: ['mcp/open'],
  *judge(history) {
    const read = yield* mcp.readTool(history, importTool);
    if (read === null) return;
    if (!mcp.listsInputs(read.inputs)) {
      yield { doubt: 'vacuous', message: `the schema of ${importTool} lists no inputs` };
      return;
    }
    for (const input of ['csv', 'rows'])
      yield* mcp.isOptional(read, { input, clause: '4.tools.dialer-import-contacts' });
    yield* mcp.hasBounds(read, { input: 'rows', of: 'items', clause: '8.import.rows', upper: importRowsMax });
    const { upper } = read.inputs.bounds('csv', 'length');
    // Between the body limit and the csv limit, a smaller maximum rejects nothing that can be sent.
    const isHarmless = upper !== null && upper >= reachableCharacters && upper < csvCharactersMax;
    const csv = { input: 'csv', of: 'length', clause: '8.import.csv-characters', upper: csvCharactersMax } as const;
    if (!isHarmless) yield* mcp.hasBounds(read, csv);
  },
};

const has = ({ input }: Reply, ...names: readonly string[]) => Object.keys(input).sort().join() === names.join();

/** The sentence is for the client; a server that takes both is only unwise. */
const either: Judged = {
  id: 'mcp/import-either',
  title: 'dialer_import_contacts rejects csv together with rows',
  level: 'should',
  clauses: ['8.import.either'],
  scenarios: ['mcp/open', 'mcp/import-either'],
  *judge(history) {
    const replies = repliesIn(history, importTool);
    const both = replies.filter((reply) => has(reply, 'csv', 'rows'));
    const alone = replies.filter((one) => one.outcome === 'taken' && (has(one, 'csv') || has(one, 'rows')));
    const isTakenAlone = (name: string, { input }: Reply) =>
      alone.some((one) => JSON.stringify(one.input[name]) === JSON.stringify(input[name]));
    // If one of them is rejected alone, a rejection of both is not evidence.
    const isClear = (one: Reply) => !isInvalid(one) || (isTakenAlone('csv', one) && isTakenAlone('rows', one));
    const clear = both.filter(isClear);
    const expected = 'a rejection of csv together with rows';
    for (const reply of clear) yield* mcp.isInputRejected(reply, { clause: '8.import.either', expected });
    if (both.length > 0 && clear.length === 0)
      yield { doubt: 'precondition', message: `${importTool} rejects empty csv and empty rows too` };
  },
};

/** The replies to requests that are too long to be kept. Yields why one cannot be read. */
function* readAll(history: History, label: string): Generator<Judgment, Reply[]> {
  const replies: Reply[] = [];
  for (const exchange of labelled(history, label))
    if (yield* judgeable(history, exchange)) replies.push(readReply(exchange, {}));
  return replies;
}

const ways = [
  { way: 'rows', max: importRowsMax, noun: 'rows', clause: '8.import.rows' },
  { way: 'csv', max: csvContactsMax, noun: 'contacts as csv', clause: '8.import.csv-contacts' },
] as const;

const full: Judged = {
  id: 'mcp/import-rows',
  title: 'dialer_import_contacts accepts the maximum number of contacts, as rows and as csv, and rejects one more',
  // The text of so many contacts as csv is long, and within its limit.
  clauses: ['8.import.rows', '8.import.csv-contacts', '8.import.csv-characters'],
  scenarios: ['mcp/imports'],
  *judge(history) {
    for (const { way, max, noun, clause } of ways) {
      const singles = repliesIn(history, importTool).filter(({ input }) => Object.hasOwn(input, way));
      for (const reply of yield* readAll(history, `most contacts as ${way}`)) {
        if (reply.exchange.status === 413)
          yield { doubt: 'unreachable', message: `${max} ${noun} exceed the body limit` };
        else yield* mcp.isTaken(reply, { clause, expected: `a result for ${max} ${noun}` }, singles);
      }
      for (const reply of yield* readAll(history, `too many contacts as ${way}`))
        yield* mcp.isInputRejected(reply, { clause, expected: `a rejection of ${max + 1} ${noun}` });
    }
  },
};

export const mcpCalls: readonly Judged[] = [limits, chain, inputsStated, full, either];
