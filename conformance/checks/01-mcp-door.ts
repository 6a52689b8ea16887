// The MCP door: whether the official client can come in, and what it finds there. Tools and payloads are not shown
// (rulings R53).

import { type Exchange, isPlatformTrouble } from '../exchange/exchange.ts';
import { show } from '../judge/ledger.ts';
import { NotOpened, openDoor } from '../mcp/door.ts';
import { familyNames } from '../mcp/judging.ts';
import { type Check, defineChecks } from '../probe/check.ts';
import type { Probe } from '../probe/probe.ts';
import { isEventStream } from '../wire/event-stream.ts';
import { about } from './claims.ts';

/** The opening is shared: later checks of this door call the same client, so the requests are counted here. */
const door: Check = {
  id: 'mcp/door',
  title: 'The official MCP client can negotiate with the door and list its tools',
  cites: ['1.mcp-door', '5.bearer-header'],
  level: 'must',
  phase: 'discover',
  needs: ['mcp'],
  cost: { requests: 16, least: 2 },
  async run(probe) {
    try {
      const { tools } = await openDoor(probe);
      const claim = { clause: '1.mcp-door', expected: 'a door', actual: `${tools.length} tools` } as const;
      probe.holds(true, { ...claim, exchange: tools[0]?.exchange ?? null });
    } catch (error) {
      if (!(error instanceof NotOpened)) throw error;
      judgeShut(probe, error.exchange, error.message);
    }
  },
};

/** An address without a door is a mistake of the user; a door that does not open is one of the service. */
function judgeShut(probe: Probe, exchange: Exchange | null, message: string): void {
  if (exchange === null) probe.stop('precondition', message);
  const { status, headers, json } = exchange;
  if (isPlatformTrouble(exchange)) probe.stop('platform', `the MCP door answered ${status}`);
  if (status >= 300 && status < 400) {
    const to = headers.location === undefined ? 'elsewhere' : show(headers.location);
    probe.stop('precondition', `--mcp-url leads to ${to} (${status}); name the address of the door itself`);
  }
  const isJson = json !== undefined || isEventStream(headers['content-type']);
  if (status === 404 || status === 405 || (status < 400 && !isJson)) {
    const what = isJson ? '' : ', no JSON';
    probe.stop('precondition', `at --mcp-url answers no MCP door (${status}${what}); is that the address?`);
  }
  const isLocked = status === 401 || status === 403;
  probe.holds(false, {
    ...about(exchange, isLocked ? '5.bearer-header' : '1.mcp-door', isLocked || status >= 500 ? '#status' : ''),
    expected: isLocked ? 'the key that opens the REST service opens the MCP door' : 'an MCP door',
    actual: `${status}: ${show(json ?? exchange.bodyText.slice(0, 80))}`,
    message,
  });
}

const tools: Check = {
  id: 'mcp/tools',
  title: 'The named tools are at the MCP door',
  cites: ['1.further-tools', '4.tools.not-shown'],
  // Named they are, but not that they live here (rulings R53).
  level: 'observe',
  phase: 'discover',
  needs: ['mcp'],
  after: ['mcp/door'],
  cost: { requests: 0 },
  async run(probe) {
    const opened = await openDoor(probe);
    for (const name of familyNames) {
      const isThere = opened.tools.some((tool) => tool.name === name);
      const claim = { clause: '1.further-tools', expected: name, actual: isThere ? name : 'not offered' } as const;
      probe.holds(isThere, { ...claim, exchange: opened.tools[0]?.exchange ?? null });
    }
  },
};

export const mcpDoor = defineChecks([door, tools]);
