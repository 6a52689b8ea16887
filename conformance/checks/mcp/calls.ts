// The call log at the MCP endpoint: page sizes and positions. Whether its records equal those of the REST API is not
// specified.

import { formatTimestamp } from '../../../src/contract/timestamps.ts';
import { endFieldOf, expectSettled } from '../../assertions/call-log/ends.ts';
import { areNamed, haveIds } from '../../assertions/call-log/fields.ts';
import {
  beginning,
  type CallLog,
  type CallPage,
  limitDefault,
  limitMax,
  passGateAt,
  pollPage,
  readLogAt,
} from '../../assertions/call-log/log.ts';
import { checkOrder, isDateTime } from '../../assertions/call-log/timestamps.ts';
import { dataOf, type Exchange, isObject, listOf } from '../../exchange/exchange.ts';
import { serverNowMs } from '../../exchange/stated-limits.ts';
import { about } from '../../judge/claims.ts';
import { show } from '../../judge/ledger.ts';
import { expectBounds, expectRowsUpTo, expectTaken, isWrapped, once, openAt, pointerTo } from '../../mcp/assertions.ts';
import type { Tool } from '../../mcp/endpoint.ts';
import { type Inputs, readInputs } from '../../mcp/inputs.ts';
import { type Reply, rowsOf } from '../../mcp/reply.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';
import type { Probe } from '../../probe/probe.ts';

const callsLimit: CheckRow = {
  id: 'mcp/calls-log-limit',
  title: 'calls_log accepts a limit up to 200 and returns at most that many',
  cites: ['8.calls-limit', '4.calls.limit', '4.calls.since', '4.calls.snapshot-order'],
  phase: 'read',
  after: ['mcp/door'],
  cost: { requests: 4, confirms: 2 },
  async run(probe) {
    const { mcpEndpoint, tool } = await openAt(probe, 'calls_log');
    const bounds = {
      input: 'limit',
      of: 'value',
      clause: '8.calls-limit',
      upper: limitMax,
      usual: limitDefault,
    } as const;
    const inputs = readInputs(tool);
    expectBounds(probe, { tool, inputs }, bounds);
    expectSince(probe, tool, inputs);
    // Without since, nothing can be used up by reading.
    const list = (input: Record<string, unknown>) => mcpEndpoint.call(probe, 'calls_log', input);
    const controlRequest = once(() => list({ limit: 10 }));
    const all = await list({ limit: limitMax });
    expectNewestFirst(probe, all);
    const isMany = (rowsOf(all)?.length ?? 0) > limitDefault;
    const atLimit = { clause: '8.calls-limit', expected: `a result for limit ${limitMax}`, controlRequest } as const;
    if (await expectTaken(probe, all, atLimit)) expectRowsUpTo(probe, all, { most: limitMax, clause: '8.calls-limit' });
    expectRowsUpTo(probe, await list({ limit: 1 }), { most: 1, clause: '8.calls-limit' });
    const few = isMany ? {} : ({ proves: [] } as const);
    const usual = await list({});
    expectRowsUpTo(probe, usual, { most: limitDefault, clause: '8.calls-limit', ...few });
    // A page can be short, unless the same tool fills it when the limit is explicit.
    const count = rowsOf(usual)?.length ?? limitDefault;
    if (isMany && count < limitDefault && rowsOf(await list({ limit: limitDefault }))?.length === limitDefault) {
      const short = {
        clause: '4.calls.limit',
        pointer: '',
        expected: `${limitDefault}, as with limit ${limitDefault}`,
      } as const;
      probe.warn({ ...short, actual: `${count} calls`, exchange: usual.exchange });
    }
    noteShort(probe, all);
    // Rejected or clamped, as in the REST API (interpretation R38).
    expectRowsUpTo(probe, await list({ limit: limitMax + 1 }), { most: limitMax, clause: '8.calls-limit', proves: [] });
  },
};

/** A schema can omit inputs; one that lists inputs includes this one as optional. */
function expectSince(probe: Probe, tool: Tool, inputs: Inputs): void {
  const { names, required, isClosed } = inputs;
  if ((names.length === 0 && !isClosed) || isWrapped(inputs)) return;
  const claim = about(tool.exchange, '4.calls.since', pointerTo(tool, 'since'));
  const actual = names.join(', ') || 'no inputs';
  if (!probe.holds(names.includes('since'), { ...claim, expected: 'an input named since', actual })) return;
  const optional = { ...claim, expected: 'an optional since', actual: 'a required since' } as const;
  const isRequired = required.includes('since');
  if (isRequired && inputs.mayBeNull('since')) probe.warn(optional);
  else probe.holds(!isRequired, optional);
}

/** Only a clear reversal counts: records might have no usable timestamp. */
function expectNewestFirst(probe: Probe, reply: Reply): void {
  if (checkOrder(rowsOf(reply) ?? [], 'falling') !== 'inverted') return;
  const claim = about(reply.exchange, '4.calls.snapshot-order');
  probe.holds(false, { ...claim, expected: 'the newest call first without since', actual: 'the oldest call first' });
}

/** A page can be short, but the REST API shows whether it could be longer. */
function noteShort(probe: Probe, { exchange, ...reply }: Reply): void {
  const count = rowsOf({ exchange, ...reply })?.length ?? limitMax;
  const most = Math.max(0, ...probe.history().map(callsOf));
  if (count >= limitMax || most <= count) return;
  const expected = `${most}, as in the REST API`;
  const actual = `${count} calls`;
  probe.note({ ...about(exchange, '4.calls.limit'), expected, actual });
}

function callsOf(exchange: Exchange): number {
  const isLog = exchange.operation === 'listCalls' && exchange.status === 200;
  return isLog ? listOf(dataOf(exchange).calls).length : 0;
}

const callsCursor: CheckRow = {
  id: 'mcp/calls-log-cursor',
  title: 'calls_log returns nextCursor with calls, and null without new calls',
  cites: ['4.calls.next-cursor-string', '4.calls.next-cursor-null', '4.calls.since'],
  // An old position is read here only if the REST API has shown that reads do not consume calls (interpretation R36).
  cost: { requests: 2, confirms: 1, uses: ['call gate'] },
  async run(probe) {
    const { mcpEndpoint } = await openAt(probe, 'calls_log');
    const { calls, since } = await passGateAt(probe, mcpEndpoint);
    const poll = async (input: Record<string, unknown>) => {
      const reply = await mcpEndpoint.call(probe, 'calls_log', input);
      if (reply.outcome !== 'taken') probe.stop('precondition', `calls_log with ${show(input)}: ${reply.words}`);
      return reply;
    };
    const first = await mcpEndpoint.call(probe, 'calls_log', { since, limit: 1 });
    const controlRequest = () => mcpEndpoint.call(probe, 'calls_log', { limit: 1 });
    const claim = { clause: '4.calls.since', expected: `a result for since ${since}`, controlRequest } as const;
    if (!(await expectTaken(probe, first, claim))) return;
    if (calls.length > 0) checkCursor(probe, first);
    const now = formatTimestamp(serverNowMs(first.exchange) ?? first.exchange.receivedAt);
    checkCursor(probe, await poll({ since: now, limit: 1 }));
  },
};

/** Each branch proves its own clause: a page with calls and one without have different cursors. */
function checkCursor(probe: Probe, { data, exchange }: Reply): void {
  if (!isObject(data) || !Array.isArray(data.calls)) {
    probe.doubt('precondition', 'calls_log returned no list of calls');
    return;
  }
  const { calls, nextCursor } = data;
  const claim = { pointer: '', actual: `${show(nextCursor)} as nextCursor`, exchange } as const;
  if (calls.length > 0) {
    const expected = 'a string, because calls were returned';
    const isText = probe.holds(typeof nextCursor === 'string', {
      ...claim,
      clause: '4.calls.next-cursor-string',
      expected,
    });
    // It is to be used as the next since, and that is a date-time.
    const asSince = { ...claim, clause: '4.calls.since', expected: 'an ISO 8601 date-time' } as const;
    if (isText) probe.holds(isDateTime(String(nextCursor)), asSince);
    return;
  }
  // Most clients treat a missing field as null; payloads of tools are not specified.
  const expected = 'null, because there are no new calls';
  if (nextCursor === undefined) probe.note({ ...claim, clause: '4.calls.next-cursor-null', expected });
  else probe.holds(nextCursor === null, { ...claim, clause: '4.calls.next-cursor-null', expected });
}

/** Searches for a call that the REST API returns between two adjacent calls, if both write equal records. */
function expectWhole(probe: Probe, rest: CallPage, pages: readonly [CallPage, CallPage]): void {
  const here = pages.flatMap(({ marks }) => marks);
  const known = new Set(here);
  // Calls before the first may have become too old to be kept meanwhile.
  const between = rest.marks.slice(
    rest.marks.findIndex((mark) => known.has(mark)),
    rest.marks.findLastIndex((mark) => known.has(mark)) + 1,
  );
  const missing = between.filter((mark) => !known.has(mark));
  const isAlike = missing.length < between.length / 2;
  // If the formats differ, the counts must still agree.
  const count = here.indexOf(between.at(-1) ?? '') - here.indexOf(between[0] ?? '') + 1;
  if (!isAlike || missing.length === 0 || count + missing.length > between.length) return;
  const claim = about(pages[1].exchange, '4.calls.exactly-once');
  const whose = probe.settings.isAlone ? 'a single page' : 'the REST API';
  const actual = `${count} of ${between.length} calls of ${whose}`;
  probe.holds(false, { ...claim, expected: 'each call once', actual });
}

/** Compares with the REST API, or with one page: reads there do not consume calls. */
const callsChain: CheckRow = {
  id: 'mcp/calls-log-chain',
  title: 'calls_log returns each call once, oldest first, with since',
  cites: ['4.calls.exactly-once', '4.calls.oldest-first'],
  cost: { requests: 2, least: 1, uses: ['call log'] },
  async run(probe) {
    const { mcpEndpoint } = await openAt(probe, 'calls_log');
    const [rest] = (await readLogAt(probe, mcpEndpoint)).chain;
    const { since, calls } = rest;
    if (calls.length === 0) probe.stop('vacuous', 'no call has settled');
    // Two halves: the edge between them is where a call can be repeated.
    const limit = Math.ceil(calls.length / 2);
    const first = await pollPage(probe, mcpEndpoint, { since: since ?? beginning, limit });
    const { nextCursor } = first;
    if (nextCursor === null) return probe.stop('precondition', 'blocked by mcp/calls-log-cursor');
    const second = await pollPage(probe, mcpEndpoint, { since: nextCursor, limit: limitMax });
    for (const page of [first, second]) {
      const claim = about(page.exchange, '4.calls.oldest-first');
      const order = page.count < 2 ? 'unknown' : checkOrder(page.calls, 'rising');
      if (order !== 'unknown') {
        probe.holds(order === 'kept', { ...claim, expected: 'the oldest first', actual: 'the newest call first' });
      }
    }
    expectWhole(probe, rest, [first, second]);
    const all = [...first.calls, ...second.calls];
    // Without an id two calls may be alike.
    if (!areNamed(all, probe.settings) && !haveIds(all)) return;
    const marks = [...first.marks, ...second.marks];
    const twice = marks.findIndex((mark, index) => marks.indexOf(mark) < index);
    const claim = about(second.exchange, '4.calls.exactly-once');
    const actual = twice < 0 ? 'each once' : `a call again, as number ${twice + 1} of two pages`;
    probe.holds(twice < 0, { ...claim, expected: 'each call once', actual });
  },
};

/** Four minutes and not five: clocks differ, and the ending of a call may be rounded. */
const callsSettled: CheckRow = {
  id: 'mcp/calls-log-settled',
  title: 'calls_log with since returns a call minutes after it ends',
  cites: ['4.calls.settled-only'],
  cost: { requests: 1, uses: ['call log'] },
  async run(probe) {
    const { mcpEndpoint } = await openAt(probe, 'calls_log');
    const log: CallLog = await readLogAt(probe, mcpEndpoint);
    const field = endFieldOf(probe, log);
    const page = await pollPage(probe, mcpEndpoint, { since: log.chain[0].since ?? beginning, limit: limitMax });
    if (expectSettled(probe, page, field) === 0) probe.stop('vacuous', `no call has a value in ${field.name}`);
    const { exchange } = page;
    const claim = { ...about(exchange, '4.calls.settled-only'), proves: [] } as const;
    probe.holds(true, { ...claim, expected: 'settled calls only', actual: 'settled calls only' });
  },
};

const common = { phase: 'log', needs: ['mcp'], after: ['mcp/door', 'calls/listing'] } as const;
export const mcpCalls = defineChecks(common, [callsLimit, callsCursor, callsChain, callsSettled]);
