// The call log at the MCP endpoint. If both endpoints are checked, the REST API has shown that reads do not consume
// calls. Otherwise this file tests it (interpretation R36).
import { dayMs, formatTimestamp } from '../../../src/contract/timestamps.ts';
import { isObject, listOf } from '../../exchange/exchange.ts';
import { oncePer } from '../../exchange/once.ts';
import { show } from '../../judge/ledger.ts';
import type { McpEndpoint } from '../../mcp/endpoint.ts';
import type { Probe } from '../../probe/probe.ts';
import {
  beginning,
  beginningOf,
  type CallLog,
  type CallPage,
  limitMax,
  passGate,
  readLog,
  timestampBefore,
} from './log.ts';
import { isPrefix, markOf } from './record.ts';

const monthMs = 30 * dayMs;

/** Where reading may begin, and the row that it begins with, if there is one. */
export interface Start {
  readonly since: string;
  readonly calls: readonly unknown[];
}

/** One row is read twice before anything else of the log; stops the check where it does not come again. */
export async function passGateAt(probe: Probe, mcpEndpoint: McpEndpoint): Promise<Start> {
  if (!probe.settings.isAlone) return { calls: (await passGate(probe)).calls, since: await beginningOf(probe) };
  return ownGate(mcpEndpoint, probe);
}

/** The log to compare with: that of the REST API, or one page of the MCP endpoint. */
export async function readLogAt(probe: Probe, mcpEndpoint: McpEndpoint): Promise<CallLog> {
  if (!probe.settings.isAlone) return readLog(probe);
  return ownLog(mcpEndpoint, probe);
}

const ownGate = oncePer(async (mcpEndpoint: McpEndpoint, probe: Probe): Promise<CallPage & Start> => {
  const oldest = await mcpEndpoint.call(probe, 'calls_log', { since: beginning, limit: 1 });
  // A server may reject what is so old.
  const monthAgo = formatTimestamp(Math.floor((oldest.exchange.receivedAt - monthMs) / 1000) * 1000);
  const since = oldest.outcome === 'rejected' ? monthAgo : beginning;
  const first = await pollPage(probe, mcpEndpoint, { since, limit: 1 });
  if (first.calls.length === 0) return { ...first, since };
  const again = await pollPage(probe, mcpEndpoint, { since, limit: 1 });
  if (!isPrefix(first.marks, again.marks)) {
    probe.stop('precondition', 'blocked by calls/re-read');
  }
  return { ...first, since };
});

const ownLog = oncePer(async (mcpEndpoint: McpEndpoint, probe: Probe): Promise<CallLog> => {
  const first = await ownGate(mcpEndpoint, probe);
  const head = await pollPage(probe, mcpEndpoint, { since: first.since, limit: limitMax });
  const newest = head.count < limitMax ? head : await readNewest(probe, mcpEndpoint, head);
  return { first, head, chain: [newest], end: newest.nextCursor === null ? 'no-cursor' : 'budget' };
});

/** A long log is not read through: its newest part has the calls that settle. */
async function readNewest(probe: Probe, mcpEndpoint: McpEndpoint, head: CallPage): Promise<CallPage> {
  const { data } = await mcpEndpoint.call(probe, 'calls_log', {});
  const since = timestampBefore(isObject(data) ? listOf(data.calls) : [], head);
  return pollPage(probe, mcpEndpoint, { since, limit: limitMax });
}

/** Returns the page in the format of REST checks, so both endpoints have the same checks. */
export async function pollPage(
  probe: Probe,
  mcpEndpoint: McpEndpoint,
  input: { since: string; limit: number },
): Promise<CallPage & Start> {
  const { outcome, words, data, exchange } = await mcpEndpoint.call(probe, 'calls_log', input);
  if (outcome !== 'taken') probe.stop('precondition', `calls_log with ${show(input)}: ${words}`);
  if (!isObject(data) || !Array.isArray(data.calls)) probe.stop('precondition', 'calls_log returned no list of calls');
  const { calls, nextCursor } = data;
  const marks = calls.map((call) => markOf(call, probe.settings));
  const cursor = typeof nextCursor === 'string' ? nextCursor : null;
  return { exchange, since: input.since, calls, count: calls.length, marks, nextCursor: cursor };
}
