// Texts and numbers at the limits of the connect tools, and above them.
import type { History } from '../../exchange/history.ts';
import { findTool, link, type Operation, post, reply, whyNone } from '../../exchange/mcp/inputs.ts';
import { isInvalid, type Reply } from '../../exchange/mcp/reply.ts';
import { toolsIn } from '../../exchange/mcp/tools.ts';
import { rowsAt } from '../../exchange/records.ts';
import { type Asks, callTool, get, openMcp, type Row, type Scenario, scenario } from '../scenario.ts';

/** Each is two bytes in UTF-8, which reveals a server that counts bytes (interpretation R11). */
const wideText = (characters: number) => 'é'.repeat(characters);
const maxOf = ({ bounds }: Operation, index = 0) => bounds[index]?.upper ?? 0;

/** Nobody has the account, so nothing can come of it; a valid text is rejected for that reason only. */
const texts = scenario('mcp/texts', { needs: ['mcp'], most: 6 }, function* ({ history }) {
  yield* openMcp();
  const tools = toolsIn(history());
  const operations = [post, reply];
  for (const operation of operations) {
    const tool = findTool(tools, operation);
    if (tool === null) continue;
    const review = operation === reply ? { reviewId: 'nobody' } : {};
    const send = (text: string) => callTool(tool.name, { accountId: history().given.unknownId, ...review, text });
    if (isInvalid(yield* send(wideText(maxOf(operation))))) yield* send('Hello');
    yield* send(wideText(maxOf(operation) + 1));
  }
  return operations.some((one) => findTool(tools, one) !== null) ? undefined : whyNone(tools, operations);
});

type Send = (input: Readonly<Record<string, unknown>>) => Asks<Reply>;

/** A scenario that can write with the tool of one operation; each text names the run. */
function writes(id: string, operation: Operation, row: Row, ask: (send: Send, tag: string, history: History) => Asks) {
  return scenario(id, row, function* ({ history }) {
    yield* openMcp();
    const tools = toolsIn(history());
    const tool = findTool(tools, operation);
    if (tool === null) return whyNone(tools, [operation]);
    const tag = `casa-kit conformance ${history().given.runId}`;
    return yield* ask((input) => callTool(tool.name, input, { isWrite: true }), tag, history());
  });
}

/**
 * A text that is too long, for the user's account: a server can reject an unknown account first (interpretation R1).
 * A rejection is the only legal response, so a correct server writes nothing.
 */
const tooLong = (
  [
    ['post', post, 'writes:posts'],
    ['reply', reply, 'writes:replies'],
  ] as const
).map(([kind, operation, need]) => {
  const changes = `a ${kind}, if the limit is violated`;
  const row = { needs: ['mcp', 'account', need], most: 2, changes } as const;
  return writes(`mcp/long-${kind}`, operation, row, function* (send, tag, history) {
    const reviewId = kind === 'reply' ? yield* reviewOf(history) : undefined;
    if (reviewId === null) return 'needs --review, or an account with a review without a reply';
    const length = maxOf(operation) + 1;
    const text = `${tag} ${wideText(length)}`.slice(0, length);
    yield* send({ accountId: history.given.account, ...(reviewId === undefined ? {} : { reviewId }), text });
    return undefined;
  });
});

/** As the user names it, or the first one without a reply. */
function* reviewOf({ given, exchanges }: History): Asks<string | null> {
  const isAlone = exchanges.every(({ mcpEndpoint }) => mcpEndpoint === 'mcp');
  if (given.review !== null || isAlone) return given.review;
  const list = yield* get('listReviews', { accountId: given.account ?? '' });
  const rows = rowsAt(list, '/data/reviews', ['reviewId']) ?? [];
  return rows.find(({ replied, replyText }) => replied !== true && replyText === undefined)?.reviewId ?? null;
}

const row = { needs: ['mcp', 'writes:links'], most: 5, changes: 'two connect links' } as const;

const links = writes('mcp/links', link, row, function* (send, label) {
  const plain = { provider: 'google_business', label, maxAccounts: 1 };
  const longest = `${label} ${wideText(maxOf(link))}`.slice(0, maxOf(link));
  const replies = [yield* send({ ...plain, label: longest }), yield* send({ ...plain, maxAccounts: maxOf(link, 1) })];
  // Plain values show whether links can be made, before a rejection at the limit counts.
  if (replies.some(({ outcome }) => outcome === 'rejected')) yield* send(plain);
  // If no input is accepted, a rejection says nothing about this one.
  if (!replies.some(({ outcome }) => outcome === 'taken')) return;
  yield* send({ ...plain, label: `${longest}x` });
  yield* send({ ...plain, maxAccounts: maxOf(link, 1) + 1 });
});

export const mcpConnectScenarios: readonly Scenario[] = [texts, ...tooLong, links];
