// The call log at the MCP endpoint: its limits, its first call twice, and its pages. Reads without `since` use up
// nothing; with it, nothing larger than one row is read before reads are known not to consume calls (R36).
import { formatTimestamp } from '../../../src/contract/timestamps.ts';
import { isPrefix } from '../../exchange/call-fields.ts';
import {
  beginning,
  type CallPage,
  gateIn,
  laterBeginnings,
  limitDefault,
  limitMax,
  timestampBefore,
} from '../../exchange/call-log.ts';
import { rowsOf } from '../../exchange/mcp/reply.ts';
import { toCallPage } from '../../exchange/mcp/tools.ts';
import { serverNowMs } from '../../exchange/stated-limits.ts';
import { callTool, type Scenario } from '../scenario.ts';
import { callAll, ofTool } from './tools.ts';

const limits = ofTool('calls_log', { id: 'mcp/calls-limits', most: 6 }, function* ({ name }) {
  const inputs = [{ limit: limitMax }, { limit: 1 }, {}, { limit: limitMax + 1 }];
  const [all, , usual] = yield* callAll(name, inputs);
  if (all?.outcome === 'rejected') yield* callAll(name, [{ limit: 10 }]);
  const [many, few] = [all, usual].map((reply) => (reply && rowsOf(reply)?.length) ?? limitDefault);
  // A page can be short, unless the same tool fills it when the limit is explicit.
  const isShort = many !== undefined && few !== undefined && many > limitDefault && few < limitDefault;
  if (isShort) yield* callAll(name, [{ limit: limitDefault }]);
  return undefined;
});

const log = ofTool('calls_log', { id: 'mcp/calls-log', most: 9 }, function* ({ name }, { given }, { history }) {
  if (gateIn(history())?.isOpen === false) return 'blocked by calls/re-read';
  const poll = (since: string, limit: number) => callTool(name, { since, limit });
  const oldest = yield* poll(beginning, 1);
  // A server may reject what is so old.
  const [monthAgo = beginning] = laterBeginnings(oldest.exchange);
  const since = oldest.outcome === 'rejected' ? monthAgo : beginning;
  const first = toCallPage(since === beginning ? oldest : yield* poll(since, 1), given);
  if (first === null) return undefined;
  yield* poll(formatTimestamp(serverNowMs(first.exchange) ?? first.exchange.receivedAt), 1);
  if (first.count === 0) return undefined;
  const again = toCallPage(yield* poll(since, 1), given);
  if (again === null || !isPrefix(first.marks, again.marks)) return 'blocked by calls/re-read';
  let page: CallPage | null = toCallPage(yield* poll(since, limitMax), given);
  // A long log is not read through: its newest part has the calls that settle.
  if (page !== null && page.count >= limitMax) {
    const newest = toCallPage(yield* callTool(name, {}), given);
    page = toCallPage(yield* poll(timestampBefore(newest?.calls ?? [], page.exchange), limitMax), given);
  }
  if (page === null || page.count === 0) return undefined;
  // Two halves: the edge between them is where a call can be repeated.
  const half = toCallPage(yield* poll(page.since ?? since, Math.ceil(page.count / 2)), given);
  if (half?.nextCursor != null) yield* poll(half.nextCursor, limitMax);
  return undefined;
});

export const mcpCallScenarios: readonly Scenario[] = [limits, log];
