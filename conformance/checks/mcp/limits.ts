// Key, limiters and body cap at the MCP endpoint. The kit sends requests that the official client has worded before:
// tools/list, which changes nothing, with another key, at once, or with a field of padding.

import { mcpBodyBytesMax } from '../../../src/contract/generated/limits.ts';
import {
  type Exchange,
  hasResponse,
  isLimiterRejection,
  isObject,
  isPlatformTrouble,
} from '../../exchange/exchange.ts';
import type { RequestSpec } from '../../exchange/request.ts';
import { readRate } from '../../exchange/stated-limits.ts';
import { about } from '../../judge/claims.ts';
import { show } from '../../judge/ledger.ts';
import { openMcpEndpoint, type Sample } from '../../mcp/endpoint.ts';
import { contractWindows } from '../../pace/lanes.ts';
import { type Check, type CheckRow, defineChecks } from '../../probe/check.ts';
import type { Probe } from '../../probe/probe.ts';
import { responseOf } from '../../wire/event-stream.ts';

const bytesAtCap = `${mcpBodyBytesMax.toLocaleString('en')} bytes`;
const bytesOverCap = `${(mcpBodyBytesMax + 1).toLocaleString('en')} bytes`;
const nearCap = ['digit', 'short', 'long', 'other-prefix'] as const;
const padPath = 'conformance/pad';
const threeBytes = '€';

/** A request as the official client words it, so only the tested thing is unexpected about it. */
async function sampleOf(probe: Probe): Promise<Sample> {
  const { sample } = await openMcpEndpoint(probe);
  return sample('tools/list') ?? probe.stop('precondition', 'the client listed no tools');
}

function specOf({ headers, message }: Sample, rest: Partial<RequestSpec> = {}): RequestSpec {
  const bytes = new TextEncoder().encode(JSON.stringify(message));
  return { mcpEndpoint: 'mcp', method: 'POST', headers, bytes, repeatable: true, ...rest };
}

/** The message with padding to exactly so many bytes, in the field that the protocol keeps for additions. */
function padded({ message }: Sample, bytes: number, of: 'letters' | 'wide'): Uint8Array {
  const params = isObject(message.params) ? message.params : {};
  const meta = isObject(params._meta) ? params._meta : {};
  const write = (pad: string) =>
    JSON.stringify({ ...message, params: { ...params, _meta: { ...meta, [padPath]: pad } } });
  const encoder = new TextEncoder();
  const rest = bytes - encoder.encode(write('')).byteLength;
  const wide = of === 'letters' ? 0 : Math.floor(rest / 3);
  return encoder.encode(write(`${threeBytes.repeat(wide)}${'x'.repeat(rest - wide * 3)}`));
}

function describe({ status, problem, bodyText }: Exchange): string {
  return status === 0 ? `no response: ${problem}` : `${status} ${show(bodyText)}`;
}

/** Responses that say nothing of the size. */
function stopOnTrouble(probe: Probe, exchange: Exchange): void {
  if (!hasResponse(exchange)) probe.stop('unreachable', `the large body got ${describe(exchange)}`);
  if (isLimiterRejection(exchange)) probe.stop('interference', 'a rate limit rejected the large body');
  if (isPlatformTrouble(exchange)) probe.stop('platform', `the large body got ${exchange.status}`);
}

const atCap: CheckRow = {
  id: 'mcp/body-at-cap',
  title: 'An MCP body of 1,048,576 bytes does not return 413',
  cites: ['8.body-mcp'],
  cost: { requests: 1 },
  async run(probe) {
    const sample = await sampleOf(probe);
    probe.announce(`Sending a body of ${bytesAtCap} to the MCP endpoint.`);
    const exchange = await probe.sendRaw(specOf(sample, { bytes: padded(sample, mcpBodyBytesMax, 'letters') }));
    stopOnTrouble(probe, exchange);
    const claim = { clause: '8.body-mcp', pointer: '#status', expected: `another status for ${bytesAtCap}` } as const;
    probe.holds(exchange.status !== 413, { ...claim, actual: describe(exchange), exchange });
  },
};

const overCap: CheckRow = {
  id: 'mcp/body-over-cap',
  title: 'An MCP body of 1,048,577 bytes returns 413 payload_too_large',
  cites: ['8.body-mcp', '7.code.payload-too-large'],
  after: ['mcp/body-at-cap'],
  cost: { requests: 1, confirms: 1 },
  async run(probe) {
    const sample = await sampleOf(probe);
    const bytes = padded(sample, mcpBodyBytesMax + 1, 'wide');
    probe.announce(`Sending a body of ${bytesOverCap} to the MCP endpoint.`);
    const first = await probe.sendRaw(specOf(sample, { bytes, repeatable: false }));
    // The response can be lost if the server closes while we still send: retry in a way that lets it respond first.
    const headers = { ...sample.headers, expect: '100-continue' };
    const exchange = hasResponse(first)
      ? first
      : await probe.sendRaw(specOf(sample, { bytes, headers, repeatable: false }));
    stopOnTrouble(probe, exchange);
    // The place of the code is not specified for the MCP endpoint.
    const hasCode = hasWord(exchange, 'payload_too_large');
    const isRejected = probe.holds(exchange.status === 413 && hasCode, {
      ...about(exchange, '8.body-mcp', '#status'),
      proves: ['8.body-mcp', '7.code.payload-too-large'],
      expected: `413 payload_too_large for ${bytesOverCap}`,
      actual: describe(exchange),
      ...(exchange.status === 413 ? { message: 'the response might come from a proxy' } : {}),
    });
    const isBare = isObject(exchange.json) && typeof exchange.json.error === 'string' && codeIn(exchange) === null;
    const asCode = { clause: '7.code.payload-too-large', pointer: '/error', expected: 'an error with a code' } as const;
    if (isRejected && isBare) probe.warn({ ...asCode, actual: describe(exchange), exchange });
  },
};

/** The code of an error, at any place; null if it is missing. */
function codeIn({ json }: Exchange): string | null {
  const error = isObject(json) ? json.error : undefined;
  const data = isObject(error) ? error.data : undefined;
  const places = [json, error, data, isObject(data) ? data.error : undefined].filter(isObject);
  const found = places.map(({ code }) => code).find((code) => typeof code === 'string');
  return typeof found === 'string' ? found : null;
}

/** As a separate value, quoted once or twice, and not as the end of a link. */
function hasWord({ bodyText }: Exchange, word: string): boolean {
  return bodyText.slice(0, 10_000).includes(`"${word}`) || bodyText.slice(0, 10_000).includes(` ${word}`);
}

const burstRequests = contractWindows.address.limit + 1;
const quietMs = contractWindows.address.windowMs + 500;

/** Twice at most: a server whose addresses are pooled may admit a burst and stop the next. */
const limiter: CheckRow = {
  id: 'mcp/limiter-form',
  title: 'The MCP endpoint returns rate-limit errors in JSON-RPC form',
  cites: ['7.envelope.mcp', '8.blocked-429', '8.address-window'],
  cost: { requests: burstRequests, least: 0, confirms: burstRequests, ownPace: true, seconds: 30 },
  async run(probe) {
    const sample = await sampleOf(probe);
    for (let left = tries; left > 0; left -= 1) {
      await probe.sleep(quietMs);
      probe.announce(`Sending ${burstRequests} requests at once to the MCP endpoint, none with a valid key.`);
      const specs = Array.from({ length: burstRequests }, (_, i) =>
        specOf(sample, { key: i % 2 === 0 ? 'none' : 'wrong' }),
      );
      const burst = await probe.burst(specs);
      if (blockedOf(probe).length > 0) break;
      if (left === 1) return checkOpen(probe, burst);
    }
    for (const exchange of blockedOf(probe)) checkForm(probe, exchange);
  },
};

function blockedOf(probe: Probe): readonly Exchange[] {
  return probe.history('mcp').filter((exchange) => isLimiterRejection(exchange) || isDisguised(exchange));
}

/**
 * Both endpoints might have separate windows of the address, and so does each address of a pool (interpretation R52).
 */
function checkOpen(probe: Probe, burst: readonly Exchange[]): void {
  const actual = `a success for ${burst.filter(hasResponse).length} of ${burstRequests} simultaneous requests, twice`;
  const isLimited = probe.history().some((exchange) => exchange.burst && isLimiterRejection(exchange));
  const exchange = burst.at(-1) ?? null;
  const expected = 'a 429 for one of them, as in the REST API';
  if (isLimited) probe.note({ ...about(exchange, '8.address-window', '#status'), expected, actual });
  probe.stop('precondition', `no request was blocked: ${actual}`);
}

/** Text of a limiter with another status; in a result it can be unrelated, for example in a schema. */
function isDisguised({ status, key: spent, json, bodyText }: Exchange): boolean {
  if (responseOf(json)?.result !== undefined) return false;
  return spent !== 'good' && status !== 401 && status !== 429 && /rate.?limit/i.test(bodyText.slice(0, 2000));
}

/** Status and JSON-RPC form are stated; code and message follow from JSON-RPC itself. */
function checkForm(probe: Probe, exchange: Exchange): void {
  const { json, bodyText } = exchange;
  const error = isObject(json) ? json.error : undefined;
  const claim = { ...about(exchange, '7.envelope.mcp'), actual: `${exchange.status} ${show(json ?? bodyText)}` };
  const isForm = exchange.status === 429 && isObject(json) && json.jsonrpc === '2.0' && isObject(error);
  const expected = '429 with a JSON-RPC error: { jsonrpc: "2.0", error: { code, message } }';
  const proves = ['7.envelope.mcp', '8.blocked-429'] as const;
  if (!probe.holds(isForm, { ...claim, proves, expected }) || !isObject(error)) return;
  const isWhole = Number.isInteger(error.code) && typeof error.message === 'string';
  if (!isWhole) probe.warn({ ...claim, pointer: '/error', expected: 'an integer as code, and a message' });
}

const clauseOf = { none: '5.missing-key', wrong: '5.invalid-key', revoked: '5.revoked-key' } as const;

/** A check of one kind of invalid key; the burst has sent most of them before, and its responses are read first. */
function keyCheck(
  names: readonly (keyof typeof clauseOf)[],
  rest: Pick<Check, 'id' | 'title' | 'needs' | 'cites'>,
): CheckRow {
  return {
    ...rest,
    cost: { requests: names.length, ...(names.includes('none') ? { confirms: 1 } : {}) },
    run: async (probe) => {
      const sample = await sampleOf(probe);
      for (const name of names) await checkKey(probe, sample, name);
      if (names.includes('none')) await checkOpening(probe);
    },
  };
}

async function checkKey(probe: Probe, sample: Sample, name: keyof typeof clauseOf): Promise<void> {
  const calls = probe
    .history('mcp')
    .find(
      (exchange) =>
        exchange.key === name && hasResponse(exchange) && !isLimiterRejection(exchange) && !isDisguised(exchange),
    );
  const exchange = calls ?? (await probe.send(specOf(sample, { key: name })));
  if (isPlatformTrouble(exchange)) probe.stop('platform', `the MCP endpoint returned ${exchange.status}`);
  const clause = clauseOf[name];
  const claim = { ...about(exchange, clause, '#status'), expected: '401', actual: describe(exchange) };
  if (!probe.holds(exchange.status === 401, claim)) return;
  const code = codeIn(exchange);
  // `provider_auth` is never about the key.
  const texts = {
    ...claim,
    clause: code === 'provider_auth' ? '5.provider-auth' : clause,
    pointer: '',
    expected: '401 with code unauthorized',
  } as const;
  if (code !== null) probe.holds(code === 'unauthorized', texts);
  else if (!hasWord(exchange, 'unauthorized')) probe.note(texts);
}

/** If the endpoint opens sessions, it needs a valid key for that. */
async function checkOpening(probe: Probe): Promise<void> {
  const { session, sample } = await openMcpEndpoint(probe);
  const opening = session === null ? null : sample('initialize');
  if (opening === null) return;
  const exchange = await probe.send(specOf(opening, { key: 'none' }));
  const claim = { ...about(exchange, '5.missing-key', '#status'), expected: '401 for initialize' };
  if (!isPlatformTrouble(exchange)) probe.holds(exchange.status === 401, { ...claim, actual: describe(exchange) });
}

const key = keyCheck(['none', 'wrong'], {
  id: 'mcp/key',
  title: 'The MCP endpoint returns 401 without a valid key',
  cites: ['5.missing-key', '5.invalid-key', '5.provider-auth'],
  needs: ['mcp'],
});
const revokedKey = keyCheck(['revoked'], {
  id: 'mcp/revoked-key',
  title: 'The MCP endpoint returns 401 for a revoked key',
  cites: ['5.revoked-key', '5.provider-auth'],
  needs: ['mcp', 'revoked-key'],
});

const nearKeys: CheckRow = {
  id: 'mcp/near-keys',
  title: 'The MCP endpoint returns 401 for an altered key',
  cites: ['5.invalid-key'],
  needs: ['mcp', 'extended'],
  cost: { requests: nearCap.length },
  async run(probe) {
    const sample = await sampleOf(probe);
    for (const spoilt of nearCap) {
      const exchange = await probe.send(specOf(sample, { spoilt }));
      if (isPlatformTrouble(exchange)) probe.stop('platform', `the MCP endpoint returned ${exchange.status}`);
      const claim = { ...about(exchange, '5.invalid-key', '#status'), expected: `401 for the altered key (${spoilt})` };
      probe.holds(exchange.status === 401, { ...claim, actual: describe(exchange) });
    }
  },
};

const noKeyWindow = 'responses do not report the window of the key';
/** Calls between the two reads: more than chance, and within the window of the address. */
const times = 3;
/** Others may come between once. */
const tries = 2;

/** Reads the count in REST responses before and after calls at the MCP endpoint. */
const shared: CheckRow = {
  id: 'mcp/window-shared',
  title: 'MCP requests count toward the key limit',
  cites: ['8.key-window-shared'],
  needs: ['mcp', 'burst', 'rest'],
  cost: { requests: times + 3, confirms: times + 2, seconds: tries * (quietMs / 1000) },
  async run(probe) {
    const isReported = probe.history().some((exchange) => readRate(exchange)?.limit === contractWindows.key.limit);
    if (!isReported) probe.stop('unreachable', noKeyWindow);
    const call = await harmlessCall(probe);
    for (let left = tries; left > 0; left -= 1) {
      const { drop, gone, last } = await measure(probe, call);
      // Each request that left the window in between increases the count.
      const isShared = drop + gone > 1;
      if (!isShared && left > 1) continue;
      probe.holds(isShared, {
        ...about(last, '8.key-window-shared', '#header/x-ratelimit-remaining'),
        expected: `about ${times + 1} after ${times} MCP requests and one REST request`,
        actual: `a count reduced by ${drop}`,
      });
      return;
    }
  },
};

/** A call of a read-only tool, because other MCP requests might not be counted. */
async function harmlessCall(probe: Probe): Promise<RequestSpec> {
  const mcpEndpoint = await openMcpEndpoint(probe);
  const inputs = { customers_list: { max: 1 }, calls_log: { limit: 1 }, inbox_list: {} };
  const found = Object.entries(inputs).find(([name]) => mcpEndpoint.tools.some((tool) => tool.name === name));
  if (!found) probe.stop('precondition', 'the MCP endpoint has no read-only tool');
  await mcpEndpoint.call(probe, ...found);
  const sample = mcpEndpoint.sample('tools/call');
  return sample ? specOf(sample) : probe.stop('precondition', 'the client called no tool');
}

/** The decrease of the remaining count, and the number of own requests that left the window meanwhile. */
async function measure(probe: Probe, call: RequestSpec): Promise<{ drop: number; gone: number; last: Exchange }> {
  await probe.sleep(quietMs);
  const first = await probe.sendNow({ operation: 'listSites' });
  for (let time = 0; time < times; time += 1) {
    const exchange = await probe.sendNow(call);
    if (isLimiterRejection(exchange)) probe.stop('interference', 'a rate limit was reached');
  }
  const last = await probe.sendNow({ operation: 'listSites' });
  const [before, after] = [readRate(first), readRate(last)];
  const { limit, windowMs } = contractWindows.key;
  if (before?.limit !== limit || after?.limit !== limit) {
    probe.stop('unreachable', noKeyWindow);
  }
  const gone = [...probe.history(), ...probe.history('mcp')].filter(
    ({ key: spent, sentAt, receivedAt }) =>
      spent === 'good' && receivedAt + windowMs >= first.sentAt && sentAt + windowMs <= last.receivedAt,
  ).length;
  return { drop: before.remaining - after.remaining, gone, last };
}

const keyAfterBurst: CheckRow = {
  id: 'mcp/session-end',
  title: 'The MCP endpoint ends sessions on request',
  cites: ['4.tools.not-shown'],
  level: 'observe',
  needs: ['mcp'],
  cost: { requests: 1 },
  async run(probe) {
    const { session } = await openMcpEndpoint(probe);
    const claim = { clause: '4.tools.not-shown', expected: 'a session' } as const;
    if (session === null) return probe.note({ ...claim, actual: 'no session id' });
    const exchange = await probe.sendRaw({ mcpEndpoint: 'mcp', method: 'DELETE', headers: session, repeatable: false });
    probe.note({ ...claim, actual: `${exchange.status} for the end of the session`, exchange });
  },
};

const usual = { phase: 'bursts', needs: ['mcp', 'burst'], after: ['mcp/door'] } as const;
export const mcpLimits = defineChecks(usual, [
  atCap,
  overCap,
  limiter,
  key,
  revokedKey,
  nearKeys,
  shared,
  keyAfterBurst,
]);
