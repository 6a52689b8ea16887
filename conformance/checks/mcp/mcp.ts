// The MCP endpoint: whether the official client can connect, and which tools exist. Payloads are not specified
// (interpretation R53).

import { count } from '../../../src/terminal/count.ts';
import { type Exchange, isObject, isPlatformTrouble } from '../../exchange/exchange.ts';
import { about } from '../../judge/claims.ts';
import { cut, show } from '../../judge/ledger.ts';
import { familyNames } from '../../mcp/assertions.ts';
import { NotOpened, openMcpEndpoint } from '../../mcp/endpoint.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';
import type { Probe } from '../../probe/probe.ts';
import { isEventStream, responseOf } from '../../wire/event-stream.ts';

/** The connection is shared: later checks use the same client, so its requests are counted here. */
const mcpEndpoint: CheckRow = {
  id: 'mcp/door',
  title: 'The official MCP client can connect and list the tools',
  cites: ['1.mcp-door', '5.bearer-header'],
  cost: { requests: 16, least: 2 },
  async run(probe) {
    try {
      const { tools } = await openMcpEndpoint(probe);
      const claim = { clause: '1.mcp-door', expected: 'an MCP endpoint', actual: count(tools.length, 'tool') } as const;
      probe.holds(true, { ...claim, exchange: tools[0]?.exchange ?? null });
    } catch (error) {
      if (!(error instanceof NotOpened)) throw error;
      checkShut(probe, error.exchange, error.message);
    }
  },
};

/** A URL without an MCP endpoint is a mistake of the user; a rejected client is a fault of the service. */
function checkShut(probe: Probe, exchange: Exchange | null, message: string): void {
  if (exchange === null) probe.stop('precondition', message);
  const { status, headers, json } = exchange;
  if (isPlatformTrouble(exchange)) probe.stop('platform', `the MCP endpoint returned ${status}`);
  if (status >= 300 && status < 400) {
    const to = headers.location === undefined ? 'elsewhere' : show(headers.location);
    probe.stop(
      'precondition',
      `the address of the MCP endpoint links to ${to} (${status}); use the address of the endpoint itself`,
    );
  }
  const isJson = json !== undefined || isEventStream(headers['content-type']);
  if (status === 404 || status === 405 || (status < 400 && !isJson)) {
    const what = isJson ? '' : ', no JSON';
    probe.stop('precondition', `the address is no MCP endpoint (${status}${what}); check --mcp-url`);
  }
  const isLocked = status === 401 || status === 403;
  probe.holds(false, {
    ...about(exchange, isLocked ? '5.bearer-header' : '1.mcp-door', isLocked || status >= 500 ? '#status' : ''),
    expected: isLocked ? 'a success, because the key is valid for the REST API' : 'an MCP endpoint',
    actual: `${status}: ${show(json ?? exchange.bodyText)}`,
    message,
  });
}

const capabilities: CheckRow = {
  id: 'mcp/capabilities',
  title: 'The MCP endpoint returns its name, protocol version and capabilities',
  cites: ['4.tools.not-shown'],
  // The contract does not describe the handshake.
  level: 'observe',
  after: ['mcp/door'],
  cost: { requests: 0 },
  async run(probe) {
    const { welcome, tools: offered } = await openMcpEndpoint(probe);
    const result = responseOf(welcome?.json)?.result;
    const info = isObject(result) ? result : {};
    const names = isObject(info.capabilities) ? Object.keys(info.capabilities) : [];
    const described = [
      ...identityOf(info),
      `capabilities: ${names.length === 0 ? 'none' : wordsOf(...names)}`,
      `${count(offered.length, 'tool')}: ${wordsOf(...offered.slice(0, toolsNamedMax).map(({ name }) => name))}`,
    ];
    const claim = { clause: '4.tools.not-shown', pointer: '/result', exchange: welcome } as const;
    probe.note({ ...claim, expected: 'a name, a version and capabilities', actual: described.join('; ') });
    // Tools are listed by those that say so.
    const hasTools = names.includes('tools') || offered.length === 0;
    if (!hasTools) probe.note({ ...claim, expected: 'one, as tools exist', actual: 'no capability named tools' });
  },
};

/** The older generation of the protocol has separate fields, the newer one repeats them. */
function identityOf(info: Readonly<Record<string, unknown>>): string[] {
  const meta = isObject(info._meta) ? info._meta : {};
  const server = info.serverInfo ?? meta['io.modelcontextprotocol/serverInfo'];
  const versions = [info.protocolVersion ?? info.supportedVersions ?? []].flat();
  return [
    ...(isObject(server) ? [wordsOf(server.name, server.version)] : []),
    ...(versions.length > 0 ? [`protocol ${wordsOf(...versions.slice(0, 9))}`] : []),
  ];
}

const toolsNamedMax = 20;

/** Each of a length that fits a line. */
function wordsOf(...values: readonly unknown[]): string {
  return values.map((value) => cut(String(value), 60)).join(' ');
}

const tools: CheckRow = {
  id: 'mcp/tools',
  title: 'The MCP endpoint lists the documented tools',
  cites: ['1.further-tools', '4.tools.not-shown'],
  // Named they are, but not that they live here (interpretation R53).
  level: 'observe',
  after: ['mcp/door'],
  cost: { requests: 0 },
  async run(probe) {
    const opened = await openMcpEndpoint(probe);
    for (const name of familyNames) {
      const isThere = opened.tools.some((tool) => tool.name === name);
      const claim = { clause: '1.further-tools', expected: name, actual: isThere ? name : 'not offered' } as const;
      probe.holds(isThere, { ...claim, exchange: opened.tools[0]?.exchange ?? null });
    }
  },
};

export const mcpDiscovery = defineChecks({ phase: 'discover', needs: ['mcp'] }, [mcpEndpoint, capabilities, tools]);
