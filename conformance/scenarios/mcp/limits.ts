// Keys, limiters and body cap at the MCP endpoint: requests that the official client has worded before. tools/list
// changes nothing, and is sent with another key, at once, or with a field of padding.
import { addressWindow, keyWindow, mcpBodyBytesMax } from '../../../src/contract/generated/limits.ts';
import { hasResponse, isLimiterRejection, isObject, type KeyName } from '../../exchange/exchange.ts';
import { isBlocked, ofMcp, type Sample, sampleIn, sessionIn, toolsIn } from '../../exchange/mcp/tools.ts';
import type { RequestSpec } from '../../exchange/request.ts';
import { readRate } from '../../exchange/stated-limits.ts';
import {
  type Asks,
  announce,
  burst,
  callTool,
  openMcp,
  type Row,
  type Scenario,
  type SoFar,
  scenario,
  send,
  sendNow,
  sendRaw,
  wait,
} from '../scenario.ts';

function specOf({ headers, message }: Sample, rest: Partial<RequestSpec> = {}): RequestSpec {
  const bytes = new TextEncoder().encode(JSON.stringify(message));
  return { mcpEndpoint: 'mcp', method: 'POST', headers, bytes, repeatable: true, ...rest };
}

/** A scenario of requests as the official client words them, so only the tested thing is unexpected about them. */
function worded(id: string, row: Row, ask: (usual: Sample, run: SoFar) => Asks): Scenario {
  return scenario(id, row, function* (run) {
    yield* openMcp();
    const usual = sampleIn(run.history(), 'tools/list');
    return usual === null ? 'the client listed no tools' : yield* ask(usual, run);
  });
}

const threeBytes = '€';

/** The message with padding to exactly so many bytes, in the field that the protocol keeps for additions. */
function padded({ message }: Sample, bytes: number, pad: string): Uint8Array {
  const params = isObject(message.params) ? message.params : {};
  const meta = isObject(params._meta) ? params._meta : {};
  const encoder = new TextEncoder();
  const write = (text: string) =>
    encoder.encode(JSON.stringify({ ...message, params: { ...params, _meta: { ...meta, 'conformance/pad': text } } }));
  const rest = bytes - write('').byteLength;
  const size = encoder.encode(pad).byteLength;
  return write(pad.repeat(Math.floor(rest / size)) + 'x'.repeat(rest % size));
}

const bodies = worded('mcp/bodies', { needs: ['mcp', 'burst'], most: 3 }, function* (usual) {
  yield* announce('Sending bodies of 1 MiB to the MCP endpoint.');
  const most = padded(usual, mcpBodyBytesMax, 'x');
  yield* sendRaw(specOf(usual, { bytes: most, label: 'MCP body at the cap' }));
  const bytes = padded(usual, mcpBodyBytesMax + 1, threeBytes);
  const over = specOf(usual, { bytes, label: 'MCP body over the cap', repeatable: false });
  // The response can be lost if the server closes while we still send: retry in a way that lets it respond first.
  const headers = { ...usual.headers, expect: '100-continue' };
  if (!hasResponse(yield* sendRaw(over))) yield* sendRaw({ ...over, headers });
});

const burstRequests = addressWindow.limit + 1;
const quietMs = addressWindow.windowMs + 500;
/** A server whose addresses are pooled may admit a burst and stop the next; others may come between two counts. */
const tries = 2;
const bursts = { needs: ['mcp', 'burst'], most: tries * burstRequests, seconds: 30 } as const;

const limiter = worded('mcp/limiter', bursts, function* (usual, { history }) {
  for (let left = tries; left > 0 && !history().exchanges.some(isBlocked); left -= 1) {
    yield* wait(quietMs);
    yield* announce(`Sending ${burstRequests} requests at once to the MCP endpoint, none with a valid key.`);
    const keys = Array.from({ length: burstRequests }, (_, index): KeyName => (index % 2 === 0 ? 'none' : 'wrong'));
    yield* burst(keys.map((key) => specOf(usual, { key })));
  }
});

/** Sends what no burst has shown. */
function* sendKeys(usual: Sample, { history }: SoFar, keys: readonly KeyName[]): Asks {
  for (const key of keys) {
    const isShown = ofMcp(history(), key).some((one) => hasResponse(one) && !isBlocked(one));
    if (!isShown) yield* send(specOf(usual, { key }));
  }
}

const keys = worded('mcp/keys', { needs: ['mcp'], most: 3 }, function* (usual, run) {
  yield* sendKeys(usual, run, ['none', 'wrong']);
  // If the endpoint opens sessions, it needs a valid key for that.
  const opening = sessionIn(run.history()) === null ? null : sampleIn(run.history(), 'initialize');
  if (opening !== null) yield* send(specOf(opening, { key: 'none' }));
});

const revokedKey = worded('mcp/revoked-key', { needs: ['mcp', 'revoked-key'], most: 1 }, (usual, run) =>
  sendKeys(usual, run, ['revoked']),
);

const altered = ['digit', 'short', 'long', 'other-prefix'] as const;

const alteredKeys = worded('mcp/altered-keys', { needs: ['mcp'], most: altered.length }, function* (usual) {
  for (const spoilt of altered) yield* send(specOf(usual, { spoilt }));
});

/** Calls between the two counts: more than chance, and within the window of the address. */
const calls = 3;
const counts = {
  needs: ['mcp', 'burst', 'rest'],
  most: tries * (calls + 2) + 1,
  seconds: (tries * quietMs) / 1000,
} as const;
/** Other MCP requests might not be counted. */
const harmless = { customers_list: { max: 1 }, calls_log: { limit: 1 }, inbox_list: {} };

const shared = worded('mcp/window-shared', counts, function* (_, { history }) {
  if (!history().exchanges.some((one) => readRate(one)?.limit === keyWindow.limit)) return undefined;
  const found = Object.entries(harmless).find(([name]) => toolsIn(history())?.some((tool) => tool.name === name));
  if (found === undefined) return 'the MCP endpoint has no read-only tool';
  yield* callTool(...found);
  const usual = sampleIn(history(), 'tools/call');
  if (usual === null) return 'the client called no tool';
  for (let left = tries; left > 0; left -= 1) {
    yield* wait(quietMs);
    const before = yield* sendNow({ operation: 'listSites', label: 'count before MCP requests' });
    for (let call = 0; call < calls; call += 1) {
      if (isLimiterRejection(yield* sendNow(specOf(usual)))) return 'a rate limit was reached';
    }
    const after = yield* sendNow({ operation: 'listSites', label: 'count after MCP requests' });
    if ((readRate(before)?.remaining ?? 0) - (readRate(after)?.remaining ?? 0) > 1) return undefined;
  }
  return undefined;
});

const sessionEnd = worded('mcp/session-end', { needs: ['mcp'], most: 1 }, function* (_, { history }) {
  const headers = sessionIn(history());
  if (headers !== null) yield* sendRaw({ mcpEndpoint: 'mcp', method: 'DELETE', headers, repeatable: false });
});

export const mcpLimitScenarios: readonly Scenario[] = [
  ...[bodies, limiter, keys, revokedKey, alteredKeys, shared, sessionEnd],
];
