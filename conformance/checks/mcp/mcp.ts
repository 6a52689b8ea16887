// The MCP endpoint: whether the official client can connect, which tools exist, and how they report errors.
// Payloads are not specified (interpretation R53).

import { errorStatus } from '../../../src/contract/generated/errors.ts';
import { count } from '../../../src/terminal/count.ts';
import { isEventStream, responseOf } from '../../exchange/event-stream.ts';
import {
  type Exchange,
  hasResponse,
  isLimiterRejection,
  isObject,
  isPlatformTrouble,
} from '../../exchange/exchange.ts';
import { errorShown, isBreakdown, type Reply } from '../../exchange/mcp/reply.ts';
import { familyNames, messageOf, ofMcp, repliesIn, toolsIn } from '../../exchange/mcp/tools.ts';
import { about } from '../../judge/expect.ts';
import type { Judged, Judgment } from '../../judge/judge.ts';
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
