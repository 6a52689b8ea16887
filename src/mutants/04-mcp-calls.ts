// The call log at the MCP endpoint, responded wrongly. Cites 4.calls.*, 8.calls-limit.
import type { CallRecord } from '../domain/call.ts';
import { asPage } from './hooks/call-stream.ts';
import { fussy, onData, onInput, type Visit } from './hooks/mcp-endpoint.ts';
import { mcpMutantsOf, type WrapMcp } from './hooks/mutant.ts';
import type { Json, JsonObject } from './hooks/rewrite.ts';

const tool = 'calls_log';

/** Edits a response to a poll, which has `since`. */
function onPoll(edit: (page: JsonObject, visit: Visit) => JsonObject): WrapMcp {
  return onData(tool, (page, visit) => (visit.input.since === undefined ? page : edit(page, visit)));
}

const callsIn = (page: JsonObject): Json[] => (Array.isArray(page.calls) ? page.calls : []);
const limitOf = ({ limit = 50 }: JsonObject) => Number(limit);

/** Returns calls over 200 for a limit above it. */
const honoured: WrapMcp = (next, context) => {
  const shrunk = onInput(tool, (input) =>
    limitOf(input) > 200 ? { ...input, limit: 200, asked: limitOf(input) } : input,
  );
  const grown = onData(tool, (page, { input, organization }) => {
    if (!organization || input.asked === undefined) return page;
    const [limit, nowMs] = [Number(input.asked), context.nowMs()];
    const { calls, nextCursor } =
      input.since === undefined
        ? organization.calls.snapshot({ limit, nowMs, unsettled: true })
        : organization.calls.since(String(input.since), { limit, nowMs });
    return asPage(calls, nextCursor);
  });
  return shrunk(grown(next, context), context);
};

/** Fills the last page with calls that are running or settling. */
function early(page: JsonObject, { organization, input, context: { nowMs } }: Visit): JsonObject {
  const count = callsIn(page).length;
  if (!organization || count === 0 || count >= limitOf(input)) return page;
  const all = organization.calls.snapshot({ limit: 200, nowMs: nowMs(), unsettled: true }).calls;
  const settling = all.filter(({ endedAt }) => endedAt === null || nowMs() - Date.parse(endedAt) < 240_000);
  return { ...page, calls: [...callsIn(page), ...(settling as unknown as Json[])] };
}

const limits = mcpMutantsOf({
  '8.calls-limit': {
    'mcp-calls-limit-201-honoured': ['`calls_log` gives 201 calls with `limit` 201.', honoured],
    'mcp-calls-limit-200-refused': [
      '`calls_log` rejects a `limit` of 200, the largest allowed.',
      fussy(tool, 'limit', ({ limit }) => limit === 200),
    ],
    'mcp-calls-default-100': [
      'Without `limit` `calls_log` gives up to 100 calls.',
      onInput(tool, (input) => (input.limit === undefined ? { ...input, limit: 100 } : input)),
    ],
  },
  '4.calls.limit': {
    'mcp-calls-default-20': [
      'Without `limit` `calls_log` gives 20 calls, where `limit` 50 gives 50.',
      onInput(tool, (input) => (input.limit === undefined ? { ...input, limit: 20 } : input)),
      { result: 'warn' },
    ],
  },
});

const stream = mcpMutantsOf({
  '4.calls.next-cursor-string': {
    'mcp-calls-cursor-null-beside-calls': [
      '`calls_log` gives null as `nextCursor` although calls came.',
      onPoll((page) => ({ ...page, nextCursor: null })),
    ],
  },
  '4.calls.next-cursor-null': {
    'mcp-calls-cursor-when-nothing-new': [
      '`calls_log` gives `since` back as `nextCursor` when nothing new arrived.',
      onPoll((page, { input: { since = null } }) => ({ ...page, nextCursor: page.nextCursor ?? since })),
    ],
  },
  '4.calls.oldest-first': {
    'mcp-calls-page-newest-first': [
      '`calls_log` with `since` turns each page round: the newest of its calls comes first.',
      onPoll((page) => ({ ...page, calls: callsIn(page).reverse() })),
    ],
  },
  '4.calls.exactly-once': {
    'mcp-calls-delivered-twice': [
      '`calls_log` begins each page but the first with the last call of the page before.',
      onPoll((page, { input: { since }, organization, context }) => {
        const first = callsIn(page)[0] as unknown as CallRecord | undefined;
        if (!organization || first === undefined) return page;
        const all = organization.calls.since('1970-01-01T00:00:00Z', {
          limit: 1_000_000,
          nowMs: context.nowMs(),
        }).calls;
        const before = all[all.findIndex(({ id }) => id === first.id) - 1];
        return before === undefined || String(since) < '2001'
          ? page
          : asPage([before, ...(callsIn(page) as unknown as CallRecord[])], String(page.nextCursor));
      }),
    ],
  },
  '4.calls.settled-only': {
    'mcp-calls-unsettled-delivered': [
      '`calls_log` with `since` adds to its last page the calls that are running or have just ended.',
      onPoll(early),
    ],
  },
});

export const mcpCallMutants = [...limits, ...stream];
