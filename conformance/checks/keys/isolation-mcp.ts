// The second organization at the MCP endpoint: the data in its tools, and the effect of the first organization's
// session.

import { expectApart, foreignAccount, proves } from '../../assertions/organizations.ts';
import { canonical } from '../../exchange/canonical.ts';
import { isObject } from '../../exchange/exchange.ts';
import { about } from '../../judge/claims.ts';
import { type McpEndpoint, NotOpened, openMcpEndpoint } from '../../mcp/endpoint.ts';
import type { Reply } from '../../mcp/reply.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';
import type { Probe } from '../../probe/probe.ts';

/** Tools that list without any input. */
const lists = ['list_accounts', 'calls_log', 'customers_list', 'inbox_list'] as const;

/** Tools that read one account, and what reads it at the REST API. */
const accountTools = [
  ['list_reviews', 'listReviews'],
  ['get_insights', 'getInsights'],
] as const;

const mcpEndpoints: CheckRow = {
  id: 'isolation/mcp',
  title: 'MCP tools return no records of another organization',
  cites: ['1.organization-scope', '5.key-organization', '1.foreign-record'],
  needs: ['mcp', 'second-key'],
  after: ['mcp/door', 'isolation/lists'],
  // Three requests to connect again; each list twice, two tools with an account, two for a session.
  cost: { requests: 3 + 2 * lists.length + 2 + 2, confirms: lists.length + 2, uses: ['lists of the second key'] },
  async run(probe) {
    const first = await openMcpEndpoint(probe);
    const second = await openSecond(probe);
    try {
      const offered = lists.filter((name) => second.tools.some((tool) => tool.name === name));
      for (const name of offered) {
        await first.call(probe, name, {});
        expectApart(probe, (await second.call(probe, name, {})).exchange, { clause: proves[0], where: name });
        if (name === 'list_accounts') await checkSession(probe, first);
      }
      await checkForeign(probe, first, second);
    } finally {
      await leave(probe, second);
    }
  },
};

async function openSecond(probe: Probe): Promise<McpEndpoint> {
  try {
    return await openMcpEndpoint(probe, 'second');
  } catch (error) {
    if (!(error instanceof NotOpened)) throw error;
    return probe.stop('precondition', 'the MCP endpoint did not open for the second key');
  }
}

/** A session is not a key: with another key it can be rejected, or show the data of that key. */
async function checkSession(probe: Probe, first: McpEndpoint): Promise<void> {
  const sample = first.sample('tools/call');
  if (first.session === null || sample === null) return;
  const bytes = new TextEncoder().encode(JSON.stringify({ ...sample.message, id: 'casa-conformance-second' }));
  const headers = { ...sample.headers, ...first.session };
  const exchange = await probe.sendRaw({ mcpEndpoint: 'mcp', method: 'POST', headers, bytes, key: 'second' });
  expectApart(probe, exchange, { clause: proves[0], where: 'in a session of the first key' });
}

/** An account of the first organization does not exist for the second one. */
async function checkForeign(probe: Probe, first: McpEndpoint, second: McpEndpoint): Promise<void> {
  for (const [name, operation] of accountTools) {
    const accountId = await foreignAccount(probe, operation);
    if (accountId === undefined || !second.tools.some((tool) => tool.name === name)) continue;
    const input = { accountId };
    const reply = await second.call(probe, name, input);
    if (reply.outcome !== 'taken') {
      probe.holds(true, { ...claimOf(reply), actual: reply.words });
      continue;
    }
    const known = await first.call(probe, name, input);
    const isSame = known.outcome === 'taken' && canonical(known.data) === canonical(reply.data);
    if (isSame && isFull(reply.data))
      probe.holds(false, { ...claimOf(reply), actual: 'the records of the first organization' });
  }
}

function claimOf({ exchange }: Reply) {
  const expected = 'a rejection, because the account belongs to the first organization';
  return { ...about(exchange, '1.foreign-record', ''), proves, expected };
}

function isFull(data: unknown): boolean {
  return (
    isObject(data) && Object.values(data).some((value) => (Array.isArray(value) ? value.length > 0 : isObject(value)))
  );
}

async function leave(probe: Probe, { session }: McpEndpoint): Promise<void> {
  if (session === null) return;
  await probe.sendRaw({ mcpEndpoint: 'mcp', method: 'DELETE', headers: session, key: 'second', repeatable: false });
}

export const isolationMcp = defineChecks({ phase: 'rejections' }, [mcpEndpoints]);
