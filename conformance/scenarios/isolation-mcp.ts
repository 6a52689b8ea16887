// The second organization at the MCP endpoint: its tools, and a session of the first one.
import { parseJson } from '../../src/contract/json.ts';
import { responseOf } from '../exchange/event-stream.ts';
import { type Exchange, isObject, listOf } from '../exchange/exchange.ts';
import type { History } from '../exchange/history.ts';
import { isAccountId, type Organization, ownRecords } from '../exchange/organizations.ts';
import { type Asks, callTool, openMcp, type Scenario, sendRaw } from './scenario.ts';

/** Tools that list without any input, and tools that read one account. */
const lists = ['list_accounts', 'calls_log', 'customers_list', 'inbox_list'] as const;
const accountTools = ['list_reviews', 'get_insights'] as const;

const atMcp = ({ exchanges }: History, key: Organization) =>
  exchanges.filter((one) => one.mcpEndpoint === 'mcp' && one.key === key);

function toolsOf(history: History): ReadonlySet<unknown> {
  const results = atMcp(history, 'second').map(({ json }) => responseOf(json)?.result);
  const tools = results.flatMap((result) => (isObject(result) ? listOf(result.tools) : []));
  return new Set(tools.map((tool) => (isObject(tool) ? tool.name : null)));
}

/** Those of the protocol, without the key; null without a session. */
function headersOf({ requestHeaders }: Exchange) {
  const own = Object.entries(requestHeaders).filter(([name]) => /^(accept|content-type|mcp-.*)$/.test(name));
  return requestHeaders['mcp-session-id'] === undefined ? null : Object.fromEntries(own);
}

const isCall = ({ requestBody }: Exchange) => requestBody.text?.includes('"tools/call"') === true;

/** A session is not a key: with another key it can be rejected, or show the data of that key. */
function* useSession(history: History): Asks<void> {
  const call = atMcp(history, 'good').findLast(isCall);
  const headers = call === undefined ? null : headersOf(call);
  const message = parseJson(call?.requestBody.text ?? '');
  if (headers === null || !isObject(message)) return;
  const bytes = new TextEncoder().encode(JSON.stringify({ ...message, id: 'casa-conformance-second' }));
  yield* sendRaw({ mcpEndpoint: 'mcp', method: 'POST', headers, bytes, key: 'second' });
}

export const isolationMcp: Scenario = {
  id: 'isolation/mcp',
  needs: ['mcp', 'second-key'],
  // Three requests to connect again; each list twice, two tools with an account twice, two for a session.
  cost: { least: 0, most: 3 + 2 * lists.length + 2 * accountTools.length + 2 },
  *ask({ history }) {
    yield* openMcp();
    yield* openMcp('second');
    const tools = toolsOf(history());
    for (const name of lists.filter((one) => tools.has(one))) {
      yield* callTool(name, {});
      yield* callTool(name, {}, { key: 'second' });
      if (name === 'list_accounts') yield* useSession(history());
    }
    const foreign = ownRecords(history(), 'listAccounts', 'good').find(({ status }) => status === 'connected');
    const accountId = String(foreign?.accountId);
    for (const name of isAccountId(accountId) ? accountTools.filter((one) => tools.has(one)) : []) {
      yield* callTool(name, { accountId });
      yield* callTool(name, { accountId }, { key: 'second' });
    }
    const last = atMcp(history(), 'second').findLast((one) => headersOf(one) !== null);
    const headers = last === undefined ? null : headersOf(last);
    if (headers !== null)
      yield* sendRaw({ mcpEndpoint: 'mcp', method: 'DELETE', headers, key: 'second', repeatable: false });
    return undefined;
  },
};
