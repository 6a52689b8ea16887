// The tools that list customers, the inbox and reviews: their pages, and inputs at the limits and outside of them.
import { customersLimit } from '../../../src/contract/generated/limits.ts';
import { dataOf, isObject } from '../../exchange/exchange.ts';
import { type History, responsesTo } from '../../exchange/history.ts';
import { segmentOf } from '../../exchange/look.ts';
import { readInputs } from '../../exchange/mcp/inputs.ts';
import type { Reply } from '../../exchange/mcp/reply.ts';
import { type FamilyName, nameMissing, type Tool, toolIn } from '../../exchange/mcp/tools.ts';
import { rowsAt } from '../../exchange/records.ts';
import { type Asks, callTool, openMcp, type Scenario, type SoFar } from '../scenario.ts';

type Input = Readonly<Record<string, unknown>>;

/** Each of these, one after the other. */
export function* callAll(tool: string, inputs: readonly Input[]): Asks<Reply[]> {
  const replies: Reply[] = [];
  for (const input of inputs) replies.push(yield* callTool(tool, input));
  return replies;
}

/** A scenario of one tool, with at most so many calls. */
export function ofTool(
  name: FamilyName,
  { most, ...row }: Pick<Scenario, 'id' | 'changes'> & Partial<Scenario> & { readonly most: number },
  ask: (tool: Tool, history: History, run: SoFar) => Asks,
): Scenario {
  return {
    needs: ['mcp'],
    cost: { least: 0, most },
    ...row,
    *ask(run) {
      yield* openMcp();
      const tool = toolIn(run.history(), name);
      return tool === undefined ? nameMissing(run.history(), name) : yield* ask(tool, run.history(), run);
    },
  };
}

const open: Scenario = {
  id: 'mcp/open',
  needs: ['mcp'],
  cost: { least: 2, most: 16 },
  *ask() {
    yield* openMcp();
    return undefined;
  },
};

const byMax = (...all: readonly number[]) => all.map((max) => ({ max }));

const customers = ofTool('customers_list', { id: 'mcp/customers', most: 6 }, function* ({ name }) {
  const replies = yield* callAll(name, byMax(1, customersLimit.max));
  if (replies.some(({ outcome }) => outcome === 'rejected')) yield* callAll(name, byMax(10));
  // If no input is accepted, a rejection says nothing about max.
  if (replies.some(({ outcome }) => outcome === 'taken')) yield* callAll(name, byMax(0, 1.5, customersLimit.max + 1));
  return undefined;
});

/** The first page, and the one after it. */
function* askPages(tool: string, input: Input): Asks {
  const { data } = yield* callTool(tool, input);
  const cursor = isObject(data) ? data.nextCursor : null;
  if (typeof cursor === 'string' || typeof cursor === 'number') yield* callTool(tool, { ...input, cursor });
  return undefined;
}

const inbox = ofTool('inbox_list', { id: 'mcp/inbox', most: 2 }, ({ name }) => askPages(name, {}));

const reviews = ofTool('list_reviews', { id: 'mcp/reviews', most: 2 }, function* ({ name }, history) {
  const long = responsesTo(history, 'listReviews').find((page) => typeof dataOf(page).nextCursor === 'string');
  const accountId = long === undefined ? knownAccount(history) : segmentOf(long, 2);
  return accountId === null ? 'needs an account with reviews' : yield* askPages(name, { accountId });
});

const unknownAccount = ofTool('list_reviews', { id: 'mcp/unknown-account', most: 2 }, function* (tool, history) {
  const { code } = yield* callTool(tool.name, { accountId: history.given.unknownId });
  const accountId = knownAccount(history);
  const isWhole = readInputs(tool).required.every((name) => name === 'accountId');
  // The id is well formed: found wrong it may be only where every id is (interpretation R1).
  if (code === 'invalid_input' && accountId !== null && isWhole) yield* callTool(tool.name, { accountId });
  return undefined;
});

/** As the user names it, or as a list has shown it that was read anyway. */
function knownAccount(history: History): string | null {
  if (history.given.account !== null) return history.given.account;
  const rows = responsesTo(history, 'listAccounts').map((list) => rowsAt(list, '/data/accounts', ['accountId']) ?? []);
  return rows.flat().find(({ status }) => status === 'connected')?.accountId ?? null;
}

export const mcpToolScenarios: readonly Scenario[] = [open, customers, inbox, reviews, unknownAccount];
