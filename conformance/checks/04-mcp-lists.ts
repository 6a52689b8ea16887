// The tools that list: customers, the inbox, calls, reviews. What they take is judged by what their schemas say and by what they
// do at the edges.
import { formatInstant } from '../../src/contract/instants.ts';
import { type Check, defineChecks } from '../check.ts';
import { isObject } from '../exchange.ts';
import { show } from '../ledger.ts';
import { serverNowMs } from '../limiter-words.ts';
import { readInputs } from '../mcp/inputs.ts';
import { expectBounds, expectInvalid, expectTaken, openAt, pointerTo } from '../mcp/judging.ts';
import { isInvalid, otherReason, type Reply, rowsOf } from '../mcp/reply.ts';
import type { Probe } from '../probe.ts';
import { beginning, limitDefault, limitMax, passGate } from './calls/log.ts';

const CUSTOMERS_MAX = 100;

const customersInputs: Check = {
  id: 'mcp/customers-list-inputs',
  title: 'customers_list takes max, 1 to 100, and no cursor',
  cites: ['4.tools.customers-list.no-cursor', '4.tools.customers-list', '8.customers-max'],
  level: 'must',
  phase: 'read',
  needs: ['mcp'],
  after: ['mcp/door'],
  cost: { requests: 0 },
  async run(probe) {
    const { tool } = await openAt(probe, 'customers_list');
    const inputs = readInputs(tool);
    if (inputs.names.length === 0 && !inputs.isClosed) {
      probe.stop('vacuous', 'customers_list does not say what it takes');
    }
    const shown = { exchange: tool.exchange, actual: inputs.names.join(', ') || 'no inputs' };
    probe.holds(!inputs.names.includes('cursor'), {
      ...shown,
      clause: '4.tools.customers-list.no-cursor',
      pointer: pointerTo(tool, 'cursor'),
      expected: 'no input named cursor',
    });
    const max = { ...shown, clause: '4.tools.customers-list', pointer: pointerTo(tool, 'max') } as const;
    probe.holds(inputs.names.includes('max'), { ...max, expected: 'an input named max' });
    const bounds = { input: 'max', of: 'value', clause: '8.customers-max', lower: 1, upper: CUSTOMERS_MAX } as const;
    expectBounds(probe, { tool, inputs }, bounds);
  },
};

const customersMax: Check = {
  id: 'mcp/customers-max',
  title: 'customers_list takes a max of 1 and of 100, and refuses 0 and 101',
  cites: ['8.customers-max', '4.tools.customers-list'],
  level: 'must',
  phase: 'refusals',
  needs: ['mcp'],
  after: ['mcp/door'],
  cost: { requests: 4, confirms: 1 },
  async run(probe) {
    const { door } = await openAt(probe, 'customers_list');
    const list = (max: number) => door.call(probe, 'customers_list', { max });
    const twin = once(() => list(10));
    let taken = 0;
    for (const max of [1, CUSTOMERS_MAX]) {
      const reply = await list(max);
      const claim = { clause: '8.customers-max', expected: `max ${max} taken`, twin } as const;
      await expectTaken(probe, reply, claim);
      if (reply.outcome !== 'taken') continue;
      taken += 1;
      expectRowsUpTo(probe, reply, { most: max, clause: '8.customers-max' });
    }
    // Where nothing is taken, a refusal says nothing of max.
    if (taken === 0) return;
    for (const max of [0, CUSTOMERS_MAX + 1]) {
      expectInvalid(probe, await list(max), { clause: '8.customers-max', expected: `max ${max} refused` });
    }
  },
};

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let begun: Promise<T> | null = null;
  return () => {
    begun ??= work();
    return begun;
  };
}

interface RowClaim {
  readonly most: number;
  readonly clause: '8.customers-max' | '8.calls-limit';
  /** Few rows say little. */
  readonly proves?: readonly [];
}

function expectRowsUpTo(probe: Probe, reply: Reply, { most, ...claim }: RowClaim): void {
  const rows = rowsOf(reply);
  if (rows === null) return;
  const expected = `at most ${most} rows for ${show(reply.input)}`;
  probe.holds(rows.length <= most, { ...claim, expected, actual: `${rows.length}`, exchange: reply.exchange });
}

const inbox: Check = {
  id: 'mcp/inbox-list',
  title: 'inbox_list takes an optional cursor, and lists without one',
  cites: ['4.tools.inbox-list'],
  level: 'must',
  phase: 'read',
  needs: ['mcp'],
  after: ['mcp/door'],
  cost: { requests: 1 },
  async run(probe) {
    const { door, tool } = await openAt(probe, 'inbox_list');
    const { names, required, isClosed } = readInputs(tool);
    const claim = {
      clause: '4.tools.inbox-list',
      pointer: pointerTo(tool, 'cursor'),
      exchange: tool.exchange,
    } as const;
    if (names.length > 0 || isClosed) {
      const actual = names.join(', ') || 'no inputs';
      probe.holds(names.includes('cursor'), { ...claim, expected: 'an input named cursor', actual });
    }
    probe.holds(!required.includes('cursor'), { ...claim, expected: 'cursor is optional', actual: 'required' });
    const reply = await door.call(probe, 'inbox_list', {});
    // It may want something else, of which nothing is known.
    const isPlain = reply.outcome === 'taken' || (isInvalid(reply) && required.every((name) => name === 'cursor'));
    if (!isPlain) return probe.doubt('precondition', `inbox_list without a cursor: ${reply.words}`);
    const answer = { ...claim, pointer: '', expected: 'a list without a cursor', exchange: reply.exchange } as const;
    probe.holds(reply.outcome === 'taken', { ...answer, actual: reply.words });
    if (isObject(reply.data) && !Object.hasOwn(reply.data, 'nextCursor')) {
      probe.note({ ...answer, expected: 'nextCursor', actual: Object.keys(reply.data).join(', ') });
    }
  },
};

const callsLimit: Check = {
  id: 'mcp/calls-log-limit',
  title: 'calls_log takes a limit up to 200, counts 50 when there is none, and never returns more than 200 calls',
  cites: ['8.calls-limit'],
  level: 'must',
  phase: 'read',
  needs: ['mcp'],
  after: ['mcp/door'],
  cost: { requests: 4, confirms: 1 },
  async run(probe) {
    const { door, tool } = await openAt(probe, 'calls_log');
    const bounds = {
      input: 'limit',
      of: 'value',
      clause: '8.calls-limit',
      upper: limitMax,
      usual: limitDefault,
    } as const;
    expectBounds(probe, { tool, inputs: readInputs(tool) }, bounds);
    // Without since, nothing can be used up by reading.
    const list = (input: Record<string, unknown>) => door.call(probe, 'calls_log', input);
    const twin = once(() => list({ limit: 10 }));
    const all = await list({ limit: limitMax });
    const isMany = (rowsOf(all)?.length ?? 0) > limitDefault;
    const atLimit = { clause: '8.calls-limit', expected: `limit ${limitMax} taken`, twin } as const;
    if (await expectTaken(probe, all, atLimit)) expectRowsUpTo(probe, all, { most: limitMax, clause: '8.calls-limit' });
    expectRowsUpTo(probe, await list({ limit: 1 }), { most: 1, clause: '8.calls-limit' });
    const few = isMany ? {} : ({ proves: [] } as const);
    expectRowsUpTo(probe, await list({}), { most: limitDefault, clause: '8.calls-limit', ...few });
    // Refused or brought into range, as at the other door (rulings R38).
    expectRowsUpTo(probe, await list({ limit: limitMax + 1 }), { most: limitMax, clause: '8.calls-limit', proves: [] });
  },
};

const callsCursor: Check = {
  id: 'mcp/calls-log-cursor',
  title: 'calls_log with since returns a string as nextCursor with calls, and null when nothing new arrived',
  cites: ['4.calls.next-cursor-string', '4.calls.next-cursor-null'],
  level: 'must',
  phase: 'log',
  needs: ['mcp'],
  // An old position is read here only where the other door has shown that reading uses nothing up (rulings R36).
  after: ['mcp/door', 'calls/listing'],
  cost: { requests: 2, uses: ['call gate'] },
  async run(probe) {
    const { door } = await openAt(probe, 'calls_log');
    const { calls } = await passGate(probe);
    const poll = async (input: Record<string, unknown>) => {
      const reply = await door.call(probe, 'calls_log', input);
      if (reply.outcome !== 'taken') probe.stop('precondition', `calls_log with ${show(input)}: ${reply.words}`);
      return reply;
    };
    const first = await poll({ since: beginning, limit: 1 });
    if (calls.length > 0) judgeCursor(probe, first);
    const now = formatInstant(serverNowMs(first.exchange) ?? first.exchange.receivedAt);
    judgeCursor(probe, await poll({ since: now, limit: 1 }));
  },
};

function judgeCursor(probe: Probe, { data, exchange }: Reply): void {
  if (!isObject(data) || !Array.isArray(data.calls)) {
    probe.doubt('precondition', 'calls_log shows no list of calls');
    return;
  }
  const { calls, nextCursor } = data;
  const claim = { pointer: '', actual: show(nextCursor), exchange } as const;
  if (calls.length > 0) {
    const expected = 'nextCursor is a string, because calls were returned';
    probe.holds(typeof nextCursor === 'string', { ...claim, clause: '4.calls.next-cursor-string', expected });
    return;
  }
  // No member at all reads as null to most clients; payloads of the door are not shown.
  const expected = 'nextCursor is null, because nothing new arrived';
  if (nextCursor === undefined) probe.note({ ...claim, clause: '4.calls.next-cursor-null', expected });
  else probe.holds(nextCursor === null, { ...claim, clause: '4.calls.next-cursor-null', expected });
}

const unknownAccount: Check = {
  id: 'mcp/unknown-account',
  title: 'list_reviews of an account that the organization does not have is refused',
  cites: ['1.unknown-record'],
  level: 'must',
  phase: 'refusals',
  needs: ['mcp'],
  after: ['mcp/door'],
  cost: { requests: 1 },
  async run(probe) {
    const { door } = await openAt(probe, 'list_reviews');
    const reply = await door.call(probe, 'list_reviews', { accountId: probe.facts.unknownId });
    if (reply.code !== 'not_found' && otherReason(reply) !== null) {
      return probe.doubt('precondition', `list_reviews of an unknown account: ${reply.words}`);
    }
    if (reply.outcome === 'taken' && reply.data === undefined) {
      return probe.doubt('precondition', 'list_reviews answers no data that could be read');
    }
    const claim = { clause: '1.unknown-record', pointer: '', actual: reply.words, exchange: reply.exchange } as const;
    const proves = reply.code === 'not_found' ? undefined : { proves: [] };
    probe.holds(reply.outcome === 'refused', { ...claim, ...proves, expected: 'refused with not_found' });
  },
};

export const mcpLists = defineChecks([customersInputs, customersMax, inbox, callsLimit, callsCursor, unknownAccount]);
