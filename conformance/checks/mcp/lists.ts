// The tools that list customers, the inbox and reviews. Their schemas and their behavior at the limits show which
// inputs they accept.

import type { ClauseId } from '../../../src/contract/generated/clauses.ts';
import { customersLimit } from '../../../src/contract/generated/limits.ts';
import { count } from '../../../src/terminal/count.ts';
import { dataOf, isObject, listOf } from '../../exchange/exchange.ts';
import { shownNames } from '../../exchange/personal.ts';
import { about } from '../../judge/claims.ts';
import { show } from '../../judge/ledger.ts';
import {
  expectBounds,
  expectInvalid,
  expectRowsUpTo,
  expectTaken,
  isWrapped,
  once,
  openAt,
  pointerTo,
} from '../../mcp/assertions.ts';
import type { McpEndpoint, Tool } from '../../mcp/endpoint.ts';
import { readInputs } from '../../mcp/inputs.ts';
import { isInvalid, otherReason, type Reply, rowsOf } from '../../mcp/reply.ts';
import { segmentOf } from '../../observe/look.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';
import type { Probe } from '../../probe/probe.ts';

const listedMax = customersLimit.max;

/** Checks the schema without a call; mcp/customers-max checks the behavior. */
const customersInputs: CheckRow = {
  id: 'mcp/customers-list-inputs',
  title: 'customers_list accepts max from 1 to 100, and no cursor',
  cites: ['4.tools.customers-list.no-cursor', '4.tools.customers-list', '8.customers-max'],
  cost: { requests: 0 },
  async run(probe) {
    const { tool } = await openAt(probe, 'customers_list');
    const inputs = readInputs(tool);
    if (inputs.names.length === 0 && !inputs.isClosed) {
      probe.stop('vacuous', 'the schema of customers_list lists no inputs');
    }
    if (isWrapped(inputs)) probe.stop('precondition', 'customers_list has one input that contains all others');
    const shown = { exchange: tool.exchange, actual: inputs.names.join(', ') || 'no inputs' };
    probe.holds(!inputs.names.includes('cursor'), {
      ...shown,
      clause: '4.tools.customers-list.no-cursor',
      pointer: pointerTo(tool, 'cursor'),
      expected: 'no input named cursor',
    });
    const max = { ...shown, clause: '4.tools.customers-list', pointer: pointerTo(tool, 'max') } as const;
    probe.holds(inputs.names.includes('max'), { ...max, expected: 'an input named max' });
    const bounds = { input: 'max', of: 'value', clause: '8.customers-max', lower: 1, upper: listedMax } as const;
    expectBounds(probe, { tool, inputs }, bounds);
  },
};

/** The limits, and the first values outside of them. */
const customersMax: CheckRow = {
  id: 'mcp/customers-max',
  title: 'customers_list returns at most max customers',
  cites: ['8.customers-max', '4.tools.customers-list'],
  phase: 'rejections',
  cost: { requests: 5, confirms: 1 },
  async run(probe) {
    const { mcpEndpoint } = await openAt(probe, 'customers_list');
    const list = (max: number) => mcpEndpoint.call(probe, 'customers_list', { max });
    const controlRequest = once(() => list(10));
    const taken: Reply[] = [];
    for (const max of [1, listedMax]) {
      const reply = await list(max);
      const claim = { clause: '8.customers-max', expected: `a result for max ${max}`, controlRequest } as const;
      await expectTaken(probe, reply, claim);
      if (reply.outcome !== 'taken') continue;
      taken.push(reply);
      expectRowsUpTo(probe, reply, { most: max, clause: '8.customers-max' });
    }
    // If no input is accepted, a rejection says nothing about max.
    if (taken.length === 0) return;
    expectCursor(probe, taken);
    for (const max of [0, 1.5, listedMax + 1]) expectOutside(probe, await list(max), max);
  },
};

/** Rejected, or clamped as in the REST API (interpretation R19, R38). */
function expectOutside(probe: Probe, reply: Reply, max: number): void {
  const expected = `a rejection of max ${max}`;
  const rows = rowsOf(reply)?.length ?? null;
  if (reply.outcome !== 'taken' || rows === null) {
    expectInvalid(probe, reply, { clause: '8.customers-max', expected });
    return;
  }
  const { exchange } = reply;
  const claim = { ...about(exchange, '8.customers-max'), actual: count(rows, 'customer') };
  const most = { ...claim, expected: `a rejection of max ${max}, or at most ${listedMax}`, proves: [] } as const;
  if (probe.holds(rows <= listedMax, most)) probe.warn({ ...claim, expected });
}

/** The place of `nextCursor` is not specified, and the last page can lack it; a page before others must have it. */
function expectCursor(probe: Probe, [one, all]: readonly Reply[]): void {
  if (one === undefined || all === undefined) return;
  const [few, many] = [rowsOf(one), rowsOf(all)];
  if (few === null || many === null || many.length <= few.length) return;
  const { exchange } = one;
  const expected = 'one, because there are more customers';
  const claim = { ...about(exchange, '4.tools.customers-list'), expected, actual: 'no nextCursor' };
  probe.holds(exchange.bodyText.includes('nextCursor'), claim);
}

const inbox: CheckRow = {
  id: 'mcp/inbox-list',
  title: 'inbox_list accepts an optional cursor',
  cites: ['4.tools.inbox-list'],
  cost: { requests: 1, confirms: 1 },
  async run(probe) {
    const { mcpEndpoint, tool } = await openAt(probe, 'inbox_list');
    const inputs = readInputs(tool);
    const { names, required, isClosed } = inputs;
    if (isWrapped(inputs)) return probe.stop('precondition', 'inbox_list has one input that contains all others');
    const claim = about(tool.exchange, '4.tools.inbox-list', pointerTo(tool, 'cursor'));
    if (names.length > 0 || isClosed) {
      const actual = names.join(', ') || 'no inputs';
      probe.holds(names.includes('cursor'), { ...claim, expected: 'an input named cursor', actual });
    }
    const reply = await mcpEndpoint.call(probe, 'inbox_list', {});
    // Strict schemas require every input and use null for an omitted one.
    const isOptional = !required.includes('cursor');
    const optional = { ...claim, expected: 'an optional cursor', actual: 'a required cursor' } as const;
    if (isOptional || !inputs.mayBeNull('cursor')) probe.holds(isOptional, optional);
    else probe.warn(optional);
    // It can require another, unknown input.
    const isPlain = reply.outcome === 'taken' || (isInvalid(reply) && required.every((name) => name === 'cursor'));
    if (!isPlain) return probe.doubt('precondition', `inbox_list without a cursor: ${reply.words}`);
    const response = { ...claim, pointer: '', expected: 'a list without a cursor', exchange: reply.exchange } as const;
    probe.holds(reply.outcome === 'taken', { ...response, actual: reply.words });
    if (isObject(reply.data) && !Object.hasOwn(reply.data, 'nextCursor')) {
      probe.note({ ...response, expected: 'nextCursor', actual: shownNames(Object.keys(reply.data), 20) });
    }
    const cursor = isObject(reply.data) ? reply.data.nextCursor : null;
    const isGiven = typeof cursor === 'string' || typeof cursor === 'number';
    if (typeof cursor === 'number') probe.note({ ...response, expected: 'a nextCursor string', actual: show(cursor) });
    if (isGiven) checkSecond(probe, inboxPages, [reply, await mcpEndpoint.call(probe, 'inbox_list', { cursor })]);
    else if (!names.includes('cursor')) probe.doubt('vacuous', 'the schema of inbox_list lists no cursor');
  },
};

interface Pages {
  readonly tool: 'inbox_list' | 'list_reviews';
  readonly clause: ClauseId;
}

const inboxPages: Pages = { tool: 'inbox_list', clause: '4.tools.inbox-list' };

/** A rejected cursor is a violation; a page without new rows is a warning, because page sizes are not specified. */
function checkSecond(probe: Probe, { tool, clause }: Pages, [first, second]: readonly [Reply, Reply]): void {
  const why = otherReason(second);
  if (why !== null) {
    probe.doubt('precondition', `${tool} with its own nextCursor: ${why}`);
    return;
  }
  const claim = { ...about(second.exchange, clause), actual: second.words };
  if (!probe.holds(second.outcome === 'taken', { ...claim, expected: 'the page after its nextCursor' })) return;
  const [rows, next] = [first, second].map((reply) => JSON.stringify(rowsOf(reply) ?? []));
  if (rows !== next || rows === '[]') return;
  probe.warn({ ...claim, expected: 'the page after the first', actual: 'the first page again' });
}

/** The inputs of the tool are not shown, so a cursor that it does not follow is only a warning. */
const reviewPages: CheckRow = {
  id: 'mcp/reviews-cursor',
  title: 'list_reviews returns the page after its cursor',
  cites: ['4.rules.reviews-walk'],
  level: 'should',
  cost: { requests: 2 },
  async run(probe) {
    const { mcpEndpoint } = await openAt(probe, 'list_reviews');
    const long = probe.shown('listReviews').find((page) => typeof dataOf(page).nextCursor === 'string');
    const accountId = long === undefined ? knownAccount(probe) : segmentOf(long, 2);
    if (accountId === null) return probe.stop('precondition', 'needs an account with reviews');
    const first = await mcpEndpoint.call(probe, 'list_reviews', { accountId });
    const cursor = isObject(first.data) ? first.data.nextCursor : undefined;
    if (typeof cursor !== 'string') return probe.stop('vacuous', 'needs two pages of reviews');
    const second = await mcpEndpoint.call(probe, 'list_reviews', { accountId, cursor });
    checkSecond(probe, { tool: 'list_reviews', clause: '4.rules.reviews-walk' }, [first, second]);
  },
};

const unknownAccount: CheckRow = {
  id: 'mcp/unknown-account',
  title: 'list_reviews rejects an unknown account',
  cites: ['1.unknown-record'],
  phase: 'rejections',
  cost: { requests: 1, confirms: 1 },
  async run(probe) {
    const { mcpEndpoint, tool } = await openAt(probe, 'list_reviews');
    const reply = await mcpEndpoint.call(probe, 'list_reviews', { accountId: probe.facts.unknownId });
    if (reply.code !== 'not_found' && otherReason(reply) !== null) {
      return probe.doubt('precondition', `list_reviews of an unknown account: ${reply.words}`);
    }
    if (reply.outcome === 'taken' && reply.data === undefined) {
      return probe.doubt('precondition', 'list_reviews returned no readable data');
    }
    const claim = { ...about(reply.exchange, '1.unknown-record'), actual: reply.words };
    const proves = reply.code === 'not_found' ? undefined : { proves: [] };
    const isRejected = probe.holds(reply.outcome === 'rejected', {
      ...claim,
      ...proves,
      expected: 'a rejection with not_found',
    });
    if (isRejected && reply.code === 'invalid_input') await checkInvalid(probe, { mcpEndpoint, tool, rejected: reply });
  },
};

interface Rejected {
  readonly mcpEndpoint: McpEndpoint;
  readonly tool: Tool;
  readonly rejected: Reply;
}

/** The id is well formed: found wrong it may be only where every id is (interpretation R1). */
async function checkInvalid(probe: Probe, { mcpEndpoint, tool, rejected }: Rejected): Promise<void> {
  const known = knownAccount(probe);
  if (known === null || readInputs(tool).required.some((name) => name !== 'accountId')) return;
  const controlReply = await mcpEndpoint.call(probe, 'list_reviews', { accountId: known });
  if (controlReply.outcome !== 'taken' && controlReply.code !== 'provider_auth') return;
  const claim = { clause: '1.unknown-record', pointer: '', expected: 'not_found' } as const;
  probe.warn({ ...claim, actual: `${rejected.words} for a well-formed id`, exchange: rejected.exchange });
}

/** As the user names it, or as a list has shown it that was read anyway. */
function knownAccount(probe: Probe): string | null {
  if (probe.settings.account !== null) return probe.settings.account;
  const list = probe.history().find(({ operation, status }) => operation === 'listAccounts' && status === 200);
  const rows = list === undefined ? [] : listOf(dataOf(list).accounts).filter(isObject);
  const id = rows.find(({ status }) => status === 'connected')?.accountId;
  return typeof id === 'string' ? id : null;
}

export const mcpLists = defineChecks({ phase: 'read', needs: ['mcp'], after: ['mcp/door'] }, [
  customersInputs,
  customersMax,
  inbox,
  reviewPages,
  unknownAccount,
]);
