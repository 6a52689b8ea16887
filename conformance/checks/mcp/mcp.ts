// The MCP endpoint: whether the official client can connect, which tools exist, and how they report errors.
// Payloads are not specified (interpretation R53).
import { errorStatus } from '../../../src/contract/generated/errors.ts';
import { addressWindow, keyWindow, mcpBodyBytesMax } from '../../../src/contract/generated/limits.ts';
import { count } from '../../../src/terminal/count.ts';
import { isEventStream, responseOf } from '../../exchange/event-stream.ts';
import {
  type Exchange,
  hasResponse,
  isLimiterRejection,
  isObject,
  isPlatformTrouble,
} from '../../exchange/exchange.ts';
import { type History, labelled } from '../../exchange/history.ts';
import { errorShown, isBreakdown, type Reply } from '../../exchange/mcp/reply.ts';
import { familyNames, isBlocked, messageOf, ofMcp, repliesIn, toolsIn } from '../../exchange/mcp/tools.ts';
import { readRate } from '../../exchange/stated-limits.ts';
import { about } from '../../judge/expect.ts';
import type { Doubt, Judged, Judgment } from '../../judge/judge.ts';
import { cut, show } from '../../judge/ledger.ts';

const door: Judged = {
  id: 'mcp/door',
  title: 'The official MCP client can connect and list the tools',
  clauses: ['1.mcp-door', '5.bearer-header'],
  scenarios: ['mcp/open'],
  *judge(history) {
    const tools = toolsIn(history);
    const last = ofMcp(history).at(-1);
    if (tools !== null) {
      const claim = about(tools[0]?.exchange, '1.mcp-door');
      yield { ...claim, expected: 'an MCP endpoint', actual: count(tools.length, 'tool'), isTrue: true };
    } else if (!history.isRecorded && last !== undefined && hasResponse(last) && !isLimiterRejection(last))
      yield judgeShut(last);
  },
};

/** A URL without an MCP endpoint is a mistake of the user; a rejected client is a fault of the service. */
function judgeShut(exchange: Exchange): Judgment {
  const { status, headers, json } = exchange;
  if (isPlatformTrouble(exchange)) return { doubt: 'platform', message: `the MCP endpoint returned ${status}` };
  const unusable = (message: string) => ({ doubt: 'precondition', message }) as const;
  if (status >= 300 && status < 400) {
    const to = headers.location === undefined ? 'elsewhere' : show(headers.location);
    const advice = 'use the address of the endpoint itself';
    return unusable(`the address of the MCP endpoint links to ${to} (${status}); ${advice}`);
  }
  const isJson = json !== undefined || isEventStream(headers['content-type']);
  if (status === 404 || status === 405 || (status < 400 && !isJson)) {
    const what = isJson ? '' : ', no JSON';
    return unusable(`the address is no MCP endpoint (${status}${what}); check --mcp-url`);
  }
  const isLocked = status === 401 || status === 403;
  const isListed = messageOf(exchange)?.method === 'tools/list';
  return {
    ...about(exchange, isLocked ? '5.bearer-header' : '1.mcp-door', isLocked || status >= 500 ? '#status' : ''),
    expected: isLocked ? 'a success, because the key is valid for the REST API' : 'an MCP endpoint',
    actual: `${status}: ${show(json ?? exchange.bodyText)}`,
    message: isListed ? 'tools/list shows no tools' : 'the official client cannot negotiate with it',
    isTrue: false,
  };
}

const capabilities: Judged = {
  id: 'mcp/capabilities',
  title: 'The MCP endpoint returns its name, protocol version, capabilities and the documented tools',
  // The contract does not describe the handshake, nor that the named tools are here (interpretation R53).
  level: 'observe',
  clauses: ['4.tools.not-shown', '1.further-tools'],
  scenarios: ['mcp/open', 'mcp/session-end'],
  *judge(history) {
    const offered = toolsIn(history);
    if (offered === null) return;
    // Both generations of the protocol have capabilities there.
    const welcome = ofMcp(history).findLast((one) => isObject(resultOf(one).capabilities));
    const info = welcome === undefined ? {} : resultOf(welcome);
    const names = isObject(info.capabilities) ? Object.keys(info.capabilities) : [];
    const described = [
      ...identityOf(info),
      `capabilities: ${names.join(' ') || 'none'}`,
      `${count(offered.length, 'tool')}: ${offered.map(({ name }) => name).join(' ')}`,
    ].map((words) => cut(words, 300));
    const claim = { ...about(welcome, '4.tools.not-shown', '/result'), severity: 'note' } as const;
    yield { ...claim, expected: 'a name, a version and capabilities', actual: described.join('; ') };
    const end = ofMcp(history).findLast(({ method }) => method === 'DELETE');
    const session = end === undefined ? 'no session id' : `${end.status} for the end of the session`;
    yield { ...claim, ...about(end, '4.tools.not-shown'), expected: 'a session', actual: session };
    for (const name of familyNames) {
      const isTrue = offered.some((tool) => tool.name === name);
      const place = about(offered[0]?.exchange, '1.further-tools');
      yield { ...place, expected: name, actual: isTrue ? name : 'not offered', isTrue };
    }
  },
};

function resultOf({ json }: Exchange): Readonly<Record<string, unknown>> {
  const result = responseOf(json)?.result;
  return isObject(result) ? result : {};
}

/** The older generation of the protocol has separate fields, the newer one repeats them. */
function identityOf(info: Readonly<Record<string, unknown>>): string[] {
  const meta = isObject(info._meta) ? info._meta : {};
  const server = info.serverInfo ?? meta['io.modelcontextprotocol/serverInfo'];
  const versions = [info.protocolVersion ?? info.supportedVersions ?? []].flat();
  return [
    ...(isObject(server) ? [`${server.name} ${server.version}`] : []),
    ...(versions.length > 0 ? [`protocol ${versions.join(' ')}`] : []),
  ];
}

const toolErrors: Judged = {
  id: 'mcp/tool-errors',
  title: 'Tool errors have a documented code',
  clauses: ['7.envelope.tool-code', '7.envelope.tool', '7.code.invalid-input-issues'],
  scenarios: ['mcp/open'],
  *judge(history) {
    for (const reply of repliesIn(history)) {
      yield* hasShape(reply);
      const broken = { ...about(reply.exchange, '7.envelope.tool', '#status'), actual: `${reply.words}, twice` };
      // The same call twice: no request may get this (interpretation R1).
      const isBroken = reply.isAgain && isBreakdown(reply);
      if (isBroken) yield { ...broken, expected: `a result of ${reply.tool}, or a documented error`, isTrue: false };
      // An error without a message next to its code is something else.
      if (typeof reply.envelope?.message !== 'string') continue;
      const { code } = reply.envelope;
      const claim = { ...about(reply.exchange, '7.envelope.tool-code'), expected: 'a documented code' };
      yield { ...claim, actual: show(code), isTrue: Object.hasOwn(errorStatus, String(code)) };
    }
  },
};

/** Only for tools that replace the envelope: frameworks have other formats for rejections. */
function* hasShape(reply: Reply): Iterable<Judgment> {
  const shown = errorShown(reply);
  if (shown === undefined) return;
  const { error } = shown;
  const claim = { ...about(reply.exchange, '7.envelope.tool'), actual: show(error), severity: 'warn' } as const;
  const isWhole = isObject(error) && typeof error.code === 'string' && typeof error.message === 'string';
  // At any place, also in a text of JSON (interpretation R26).
  const hasIssues = /\\*"issues\\*"\s*:/.test(JSON.stringify(responseOf(reply.exchange.json) ?? null));
  const lacksIssues = isWhole && error.code === 'invalid_input' && !hasIssues;
  if (!isWhole) yield { ...claim, expected: '{ error: { code: string, message: string } }' };
  if (lacksIssues) yield { ...claim, clause: '7.code.invalid-input-issues', expected: 'a field named issues' };
}

export const mcpEndpoint: readonly Judged[] = [door, toolErrors, capabilities];

// Keys, limiters and body cap at the MCP endpoint.

const describe = ({ status, problem, bodyText }: Exchange) =>
  status === 0 ? `no response: ${problem}` : `${status} ${show(bodyText)}`;

const bodyCap: Judged = {
  id: 'mcp/body-over-cap',
  title: 'An MCP body of 1,048,576 bytes is accepted, and one more byte returns 413 payload_too_large',
  clauses: ['8.body-mcp', '7.code.payload-too-large'],
  scenarios: ['mcp/bodies'],
  *judge(history) {
    for (const [label, bytes, judgeBody] of bodies) {
      const all = labelled(history, label);
      const exchange = all.find(hasResponse) ?? all.at(-1);
      if (exchange === undefined) continue;
      const trouble = troubleOf(exchange);
      if (trouble !== null) yield trouble;
      else yield* judgeBody(exchange, `${bytes.toLocaleString('en')} bytes`);
    }
  },
};

const bodies = [
  ['MCP body at the cap', mcpBodyBytesMax, isNotTooLarge],
  ['MCP body over the cap', mcpBodyBytesMax + 1, isTooLarge],
] as const;

function troubleOf(exchange: Exchange): Doubt | null {
  if (!hasResponse(exchange)) return { doubt: 'unreachable', message: `the large body got ${describe(exchange)}` };
  if (isLimiterRejection(exchange)) return { doubt: 'interference', message: 'a rate limit rejected the large body' };
  const message = `the large body got ${exchange.status}`;
  return isPlatformTrouble(exchange) ? { doubt: 'platform', message } : null;
}

function* isNotTooLarge(exchange: Exchange, bytes: string): Iterable<Judgment> {
  const claim = { ...about(exchange, '8.body-mcp', '#status'), expected: `another status for ${bytes}` };
  yield { ...claim, actual: describe(exchange), isTrue: exchange.status !== 413 };
}

function* isTooLarge(exchange: Exchange, bytes: string): Iterable<Judgment> {
  // The place of the code is not specified for the MCP endpoint.
  const isTrue = exchange.status === 413 && hasWord(exchange, 'payload_too_large');
  const claim = { ...about(exchange, '8.body-mcp', '#status'), actual: describe(exchange) };
  yield {
    ...claim,
    proves: ['8.body-mcp', '7.code.payload-too-large'],
    expected: `413 payload_too_large for ${bytes}`,
    ...(exchange.status === 413 ? { message: 'the response might come from a proxy' } : {}),
    isTrue,
  };
  const isBare = isObject(exchange.json) && typeof exchange.json.error === 'string' && codeIn(exchange) === null;
  const asCode = { clause: '7.code.payload-too-large', pointer: '/error', expected: 'an error with a code' } as const;
  if (isTrue && isBare) yield { ...claim, ...asCode, severity: 'warn' };
}

function codeIn({ json }: Exchange): string | null {
  const error = isObject(json) ? json.error : undefined;
  const data = isObject(error) ? error.data : undefined;
  const places = [json, error, data, isObject(data) ? data.error : undefined].filter(isObject);
  const found = places.map(({ code }) => code).find((code) => typeof code === 'string');
  return typeof found === 'string' ? found : null;
}

/** As a separate value, quoted once or twice, and not as the end of a link. */
function hasWord({ bodyText }: Exchange, word: string): boolean {
  const text = bodyText.slice(0, 10_000);
  return text.includes(`"${word}`) || text.includes(` ${word}`);
}

const limiter: Judged = {
  id: 'mcp/limiter-form',
  title: 'The MCP endpoint returns rate-limit errors in JSON-RPC form',
  clauses: ['7.envelope.mcp', '8.blocked-429'],
  scenarios: ['mcp/limiter'],
  *judge({ exchanges }) {
    const blocked = exchanges.filter(isBlocked);
    for (const exchange of blocked) yield* hasForm(exchange);
    const burst = exchanges.filter(({ mcpEndpoint, burst, key }) => mcpEndpoint === 'mcp' && burst && key !== 'good');
    if (blocked.length > 0 || burst.length < 2 * addressWindow.limit) return;
    // Both endpoints might have separate windows of the address, and so does each address of a pool (R52).
    const actual = `a success for ${count(burst.filter(hasResponse).length, 'request')}, ${burst.length / 2} at once`;
    yield { doubt: 'precondition', message: `no request was blocked: ${actual}` };
  },
};

/** Status and JSON-RPC form are stated; code and message follow from JSON-RPC itself. */
function* hasForm(exchange: Exchange): Iterable<Judgment> {
  const { json, bodyText, status } = exchange;
  const error = isObject(json) ? json.error : undefined;
  const claim = { ...about(exchange, '7.envelope.mcp'), actual: `${status} ${show(json ?? bodyText)}` };
  const isTrue = status === 429 && isObject(json) && json.jsonrpc === '2.0' && isObject(error);
  const expected = '429 with a JSON-RPC error: { jsonrpc: "2.0", error: { code, message } }';
  yield { ...claim, proves: ['7.envelope.mcp', '8.blocked-429'], expected, isTrue };
  const isWhole = isObject(error) && Number.isInteger(error.code) && typeof error.message === 'string';
  if (isTrue && !isWhole)
    yield { ...claim, pointer: '/error', expected: 'an integer as code, and a message', severity: 'warn' };
}

const clauseOf = { none: '5.missing-key', wrong: '5.invalid-key', revoked: '5.revoked-key' } as const;

function* areLocked(history: History, key: keyof typeof clauseOf): Iterable<Judgment> {
  const all = ofMcp(history, key).filter((one) => hasResponse(one) && !isBlocked(one));
  const own = all.filter((one) => !isPlatformTrouble(one));
  for (const exchange of own) yield* isLocked(exchange, clauseOf[key]);
  const [trouble] = own.length === 0 ? all : [];
  if (trouble !== undefined) yield { doubt: 'platform', message: `the MCP endpoint returned ${trouble.status}` };
}

function* isLocked(exchange: Exchange, clause: (typeof clauseOf)[keyof typeof clauseOf]): Iterable<Judgment> {
  const isOpening = messageOf(exchange)?.method === 'initialize';
  const claim = { ...about(exchange, clause, '#status'), actual: describe(exchange) };
  const isTrue = exchange.status === 401;
  yield { ...claim, expected: isOpening ? '401 for initialize' : '401', isTrue };
  if (!isTrue) return;
  const code = codeIn(exchange);
  const texts = { ...claim, pointer: '', expected: '401 with code unauthorized' };
  // `provider_auth` is never about the key.
  const about401 = code === 'provider_auth' ? '5.provider-auth' : clause;
  if (code !== null) yield { ...texts, clause: about401, isTrue: code === 'unauthorized' };
  else if (!hasWord(exchange, 'unauthorized')) yield { ...texts, severity: 'note' };
}

const key: Judged = {
  id: 'mcp/key',
  title: 'The MCP endpoint returns 401 without a valid key',
  clauses: ['5.missing-key', '5.invalid-key', '5.provider-auth'],
  scenarios: ['mcp/keys', 'mcp/altered-keys'],
  *judge(history) {
    yield* areLocked(history, 'none');
    yield* areLocked(history, 'wrong');
  },
};

const revokedKey: Judged = {
  id: 'mcp/revoked-key',
  title: 'The MCP endpoint returns 401 for a revoked key',
  clauses: ['5.revoked-key', '5.provider-auth'],
  scenarios: ['mcp/revoked-key'],
  judge: (history) => areLocked(history, 'revoked'),
};

const shared: Judged = {
  id: 'mcp/window-shared',
  title: 'MCP requests count toward the key limit',
  clauses: ['8.key-window-shared'],
  scenarios: ['mcp/window-shared'],
  *judge(history) {
    const before = labelled(history, 'count before MCP requests');
    const after = labelled(history, 'count after MCP requests');
    const isReported = (one: Exchange | undefined) => one !== undefined && readRate(one)?.limit === keyWindow.limit;
    if (!history.exchanges.some(isReported) || ![...before, ...after].every(isReported)) {
      yield { doubt: 'unreachable', message: 'responses do not report the window of the key' };
      return;
    }
    const counts = after.flatMap((last, index) => {
      const first = before[index];
      return first === undefined ? [] : [{ last, ...countBetween(history, first, last) }];
    });
    // Others may come between once. Each request that left the window in between increases the count.
    const [best] = counts.toSorted((one, other) => other.drop + other.gone - one.drop - one.gone);
    if (best === undefined) return;
    const { drop, gone, calls, last } = best;
    const isTrue = drop + gone > 1;
    if (!isTrue && counts.length < 2) return;
    const expected = `about ${calls + 1} after ${calls} MCP requests and one REST request`;
    const claim = { ...about(last, '8.key-window-shared', '#header/x-ratelimit-remaining'), expected };
    yield { ...claim, actual: `a count reduced by ${drop}`, isTrue };
  },
};

function countBetween({ exchanges }: History, first: Exchange, last: Exchange) {
  const { windowMs } = keyWindow;
  const own = exchanges.filter((one) => one.key === 'good');
  const gone = own.filter(
    ({ sentAt, receivedAt }) => receivedAt + windowMs >= first.sentAt && sentAt + windowMs <= last.receivedAt,
  );
  const drop = (readRate(first)?.remaining ?? 0) - (readRate(last)?.remaining ?? 0);
  const calls = own.slice(own.indexOf(first) + 1, own.indexOf(last));
  return { drop, gone: gone.length, calls: calls.length };
}

export const mcpLimits: readonly Judged[] = [bodyCap, limiter, key, revokedKey, shared];
