// The tools that list customers, the inbox and reviews. Their schemas and their behavior at the limits show which
// inputs they accept.
import type { ClauseId } from '../../../src/contract/generated/clauses.ts';
import { customersLimit } from '../../../src/contract/generated/limits.ts';
import { count } from '../../../src/terminal/count.ts';
import { isObject } from '../../exchange/exchange.ts';
import type { History } from '../../exchange/history.ts';
import { type BoundClaim, findTool, link, type Operation, post, readInputs, reply } from '../../exchange/mcp/inputs.ts';
import { isInvalid, otherReason, type Reply, rowsOf } from '../../exchange/mcp/reply.ts';
import { repliesIn, type Tool, toolsIn } from '../../exchange/mcp/tools.ts';
import { about } from '../../judge/expect.ts';
import type { Judged, Judgment } from '../../judge/judge.ts';
import * as mcp from '../../judge/mcp.ts';

const { min: leastMax, max: greatestMax } = customersLimit;
const clause = '8.customers-max';

const customers: Judged = {
  id: 'mcp/customers-max',
  title: 'customers_list accepts max from 1 to 100, and returns at most that many customers',
  clauses: ['8.customers-max', '4.tools.customers-list', '4.tools.customers-list.no-cursor'],
  scenarios: ['mcp/open', 'mcp/customers'],
  *judge(history) {
    yield* judgeInputs(history);
    const replies = repliesIn(history, 'customers_list');
    const isInside = (max: unknown) => Number.isInteger(max) && Number(max) >= leastMax && Number(max) <= greatestMax;
    const inside = replies.filter(({ input }) => isInside(input.max));
    for (const reply of inside) {
      const most = Number(reply.input.max);
      const claim = { clause, expected: `a result for max ${most}` } as const;
      if (yield* mcp.isTaken(reply, claim, inside)) yield* mcp.hasRowsUpTo(reply, { most, clause });
    }
    // If no input is accepted, a rejection says nothing about max.
    const taken = inside.filter(({ outcome }) => outcome === 'taken');
    if (taken.length === 0) return;
    yield* hasCursor(taken);
    for (const reply of replies.filter(({ input }) => typeof input.max === 'number' && !isInside(input.max)))
      yield* isOutside(reply);
  },
};

function* judgeInputs(history: History): Iterable<Judgment> {
  const read = yield* mcp.readTool(history, 'customers_list');
  if (read === null || !mcp.listsInputs(read.inputs)) return;
  const { tool, inputs } = read;
  const actual = inputs.names.join(', ') || 'no inputs';
  const ofName = (name: string, clause: ClauseId) => ({
    ...about(tool.exchange, clause, mcp.pointerTo(tool, name)),
    actual,
  });
  const [hasNone, hasMax] = [!inputs.names.includes('cursor'), inputs.names.includes('max')];
  const none = { expected: 'no input named cursor', isTrue: hasNone };
  yield { ...ofName('cursor', '4.tools.customers-list.no-cursor'), ...none };
  yield { ...ofName('max', '4.tools.customers-list'), expected: 'an input named max', isTrue: hasMax };
  yield* mcp.hasBounds(read, { input: 'max', of: 'value', clause, lower: leastMax, upper: greatestMax });
}

/** Rejected, or clamped as in the REST API (interpretation R19, R38). */
function* isOutside(reply: Reply): Iterable<Judgment> {
  const expected = `a rejection of max ${reply.input.max}`;
  const rows = reply.outcome === 'taken' ? (rowsOf(reply)?.length ?? null) : null;
  if (rows === null) yield* mcp.isInputRejected(reply, { clause, expected });
  else yield* mcp.hasRowsUpTo(reply, { most: greatestMax, clause, proves: [] });
  if (rows === null || rows > greatestMax) return;
  yield { ...about(reply.exchange, clause), expected, actual: count(rows, 'customer'), severity: 'warn' };
}

/** The place of `nextCursor` is not specified, and the last page can lack it; a page before others must have it. */
function* hasCursor(replies: readonly Reply[]): Iterable<Judgment> {
  const most = Math.max(...replies.map((reply) => rowsOf(reply)?.length ?? 0));
  for (const { exchange } of replies.filter((reply) => (rowsOf(reply)?.length ?? most) < most)) {
    const words = { expected: 'one, because there are more customers', actual: 'no nextCursor' };
    const isTrue = exchange.bodyText.includes('nextCursor');
    yield { ...about(exchange, '4.tools.customers-list'), ...words, isTrue };
  }
}

const inbox: Judged = {
  id: 'mcp/inbox-list',
  title: 'inbox_list accepts an optional cursor',
  clauses: ['4.tools.inbox-list'],
  scenarios: ['mcp/open', 'mcp/inbox'],
  *judge(history) {
    const read = yield* mcp.readTool(history, 'inbox_list');
    if (read === null) return;
    const { names, required } = read.inputs;
    const clause = '4.tools.inbox-list';
    if (mcp.listsInputs(read.inputs)) yield* mcp.isOptional(read, { input: 'cursor', clause });
    const replies = repliesIn(history, 'inbox_list');
    for (const reply of replies.filter(({ input }) => Object.keys(input).length === 0)) {
      const { outcome, words: actual, exchange } = reply;
      // It can require another, unknown input.
      const isPlain = outcome === 'taken' || (isInvalid(reply) && required.every((name) => name === 'cursor'));
      const claim = { ...about(exchange, clause), expected: 'a list without a cursor', actual };
      if (isPlain) yield { ...claim, isTrue: outcome === 'taken' };
      else yield { doubt: 'precondition', message: `inbox_list without a cursor: ${actual}` };
    }
    const pages = yield* judgePages(replies, clause);
    if (pages === 0 && replies.length > 0 && !names.includes('cursor'))
      yield { doubt: 'vacuous', message: 'the schema of inbox_list lists no cursor' };
  },
};

/**
 * A rejected cursor is a violation; a page without new rows is a warning, because page sizes are not specified. Returns
 * the number of cursors that were followed.
 */
function* judgePages(replies: readonly Reply[], clause: ClauseId): Generator<Judgment, number> {
  let followed = 0;
  for (const second of replies.filter(({ input }) => input.cursor !== undefined)) {
    const others = ({ cursor: _, ...rest }: Reply['input']) => JSON.stringify(rest);
    const first = replies.find(
      ({ input, data }) =>
        isObject(data) && data.nextCursor === second.input.cursor && others(input) === others(second.input),
    );
    if (first === undefined) continue;
    followed += 1;
    const why = otherReason(second);
    if (why !== null) {
      yield { doubt: 'precondition', message: `a page by its own nextCursor: ${why}` };
      continue;
    }
    const claim = { ...about(second.exchange, clause), actual: second.words };
    const isTrue = second.outcome === 'taken';
    yield { ...claim, expected: 'the page after its nextCursor', isTrue };
    const [rows, next] = [first, second].map((reply) => JSON.stringify(rowsOf(reply) ?? []));
    if (isTrue && rows === next && rows !== '[]')
      yield { ...claim, expected: 'the page after the first', actual: 'the first page again', severity: 'warn' };
  }
  return followed;
}

/** The inputs of the tool are not shown, so a cursor that it does not follow is only a warning. */
const reviewPages: Judged = {
  id: 'mcp/reviews-cursor',
  title: 'list_reviews returns the page after its cursor',
  clauses: ['4.rules.reviews-walk'],
  level: 'should',
  scenarios: ['mcp/open', 'mcp/reviews'],
  *judge(history) {
    const replies = repliesIn(history, 'list_reviews').filter(({ input }) => typeof input.cursor !== 'number');
    const pages = yield* judgePages(replies, '4.rules.reviews-walk');
    if (pages === 0 && replies.length > 0) yield { doubt: 'vacuous', message: 'needs two pages of reviews' };
  },
};

const unknownAccount: Judged = {
  id: 'mcp/unknown-account',
  title: 'list_reviews rejects an unknown account',
  clauses: ['1.unknown-record'],
  scenarios: ['mcp/open', 'mcp/unknown-account'],
  *judge(history) {
    const { unknownId } = history.given;
    const replies = repliesIn(history, 'list_reviews');
    const isKnown = ({ input, outcome, code }: Reply) =>
      input.accountId !== unknownId && (outcome === 'taken' || code === 'provider_auth');
    for (const reply of replies.filter(({ input }) => input.accountId === unknownId)) {
      const { code, outcome, data, words, exchange } = reply;
      const isUnclear = outcome === 'taken' ? data === undefined : code !== 'not_found' && otherReason(reply) !== null;
      if (isUnclear) {
        yield { doubt: 'precondition', message: `list_reviews of an unknown account: ${words}` };
        continue;
      }
      const claim = { ...about(exchange, '1.unknown-record'), actual: words };
      const proves = code === 'not_found' ? {} : { proves: [] };
      yield { ...claim, ...proves, expected: 'a rejection with not_found', isTrue: outcome === 'rejected' };
      // The id is well formed: found wrong it may be only where every id is (interpretation R1).
      const isWrong = code === 'invalid_input' && replies.some(isKnown);
      if (isWrong) yield { ...claim, expected: 'not_found', actual: `${words} for a well-formed id`, severity: 'warn' };
    }
  },
};

export const mcpLists: readonly Judged[] = [inbox, reviewPages, customers, unknownAccount];

// Texts and numbers of the connect tools: the limits that their schemas state, and those that they keep.

const limits: Judged = {
  id: 'mcp/connect-inputs',
  title: 'Connect tools accept texts and numbers up to the documented limits, and no larger ones',
  clauses: ['8.post-text', '8.reply-text', '8.label', '8.max-accounts'],
  scenarios: ['mcp/open', 'mcp/texts'],
  *judge(history) {
    for (const operation of [post, reply, link]) {
      const tool = findTool(toolsIn(history), operation);
      if (tool === null) continue;
      for (const bound of operation.bounds) yield* isStated(tool, bound, repliesIn(history, tool.name));
    }
    yield* areKept(history, [post, reply]);
  },
};

/** A schema can allow more than the tool accepts: then the tool decides. */
function* isStated(tool: Tool, bound: BoundClaim, replies: readonly Reply[]): Iterable<Judgment> {
  const { input, of, clause, upper } = bound;
  const inputs = readInputs(tool);
  const stated = inputs.bounds(input, of).upper;
  const isOver = ({ input: given }: Reply) => (sizeOf(given[input], of) ?? 0) > upper;
  const isLoose = stated !== null && stated > upper && replies.some((one) => isOver(one) && isInvalid(one));
  if (!isLoose) {
    yield* mcp.hasBounds({ tool, inputs }, bound);
    return;
  }
  const claim = { ...about(tool.exchange, clause, mcp.pointerTo(tool, input)), expected: `at most ${upper}` };
  const actual = `a maximum of ${stated} for ${tool.name}, which rejects more`;
  yield { ...claim, actual, severity: 'warn' };
}

function sizeOf(value: unknown, of: BoundClaim['of']): number | null {
  if (of === 'length') return typeof value === 'string' ? value.length : null;
  return typeof value === 'number' ? value : null;
}

function* areKept(history: History, operations: readonly Operation[]): Iterable<Judgment> {
  for (const operation of operations) {
    const tool = findTool(toolsIn(history), operation);
    const replies = tool === null ? [] : repliesIn(history, tool.name);
    for (const bound of operation.bounds) yield* isKept(replies, bound);
  }
}

function* isKept(replies: readonly Reply[], { input, of, clause, upper }: BoundClaim): Iterable<Judgment> {
  const sized = replies.flatMap((reply) => {
    const size = sizeOf(reply.input[input], of);
    return size === null ? [] : [{ reply, size }];
  });
  for (const { reply, size } of sized.filter((one) => one.size >= upper)) {
    const what = of === 'length' ? `a ${input} of ${count(size, 'character')}` : `${input} ${size}`;
    const claim = { clause, expected: `${size > upper ? 'a rejection' : 'a result'} for ${what}` };
    // The text has passed, and the account does not exist.
    const isFound = reply.code !== 'not_found';
    const controls = sized.filter((one) => one.size <= upper).map((one) => one.reply);
    if (size > upper) yield* mcp.isInputRejected(reply, claim);
    else if (isFound) yield* mcp.isTaken(reply, claim, controls);
    else yield { ...about(reply.exchange, clause), ...claim, actual: reply.words, isTrue: true };
  }
}

type Written = readonly [id: string, title: string, scenario: string, operation: Operation];
const written: readonly Written[] = [
  ['mcp/post-too-long', 'The post tool rejects a text of 5001 characters', 'mcp/long-post', post],
  ['mcp/reply-too-long', 'The reply tool rejects a text of 4097 characters', 'mcp/long-reply', reply],
  ['mcp/link-edges', 'The link tool accepts the maximum values and rejects larger ones', 'mcp/links', link],
];

const ofTool = ([id, title, scenario, operation]: Written): Judged => ({
  ...{ id, title, scenarios: [scenario] },
  clauses: operation.bounds.map(({ clause }) => clause) as [ClauseId],
  judge: (history) => areKept(history, [operation]),
});

export const mcpConnect: readonly Judged[] = [limits, ...written.map(ofTool)];
