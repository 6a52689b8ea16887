import { describe, expect, it } from 'vitest';
import { goodKey, startTestEngine, toRequest } from '../../fixtures/test-kit/engine.ts';
import { contractLimits } from '../../src/domain/limits.ts';
import { bodyText, type CoreResponse } from '../../src/http/message.ts';
import { mutantNamed, mutate } from '../../src/mutants/index.ts';
import { excuses } from './unkillable.ts';

type Handle = (line: string, key?: string | null) => CoreResponse;
type McpEndpoint = (tool: string, key?: string | null) => Promise<CoreResponse>;

const longAgo = '2020-01-01T00:00:00Z';

const ofMock: Record<string, (handle: Handle, mcpEndpoint: McpEndpoint) => unknown> = {
  'sites-redirected-off-base': (handle) => handle('GET /sites').status,
  'calls-limit-200-gives-100': (handle) => bodyText(handle(`GET /connect/calls/log?limit=200&since=${longAgo}`)).length,
  'mcp-inbox-without-next-cursor': async (_, mcpEndpoint) => bodyText(await mcpEndpoint('inbox_list')),
  'mcp-address-not-limited': async (_, mcpEndpoint) => {
    const statuses: number[] = [];
    for (let i = 0; i < 12; i += 1) statuses.push((await mcpEndpoint('inbox_list', null)).status);
    return statuses;
  },
};

async function seenOfMock(name: string, mutated: boolean): Promise<unknown> {
  const limits = { ...contractLimits, enforced: name === 'mcp-address-not-limited' };
  const { engine: clean } = startTestEngine({ limits });
  const engine = mutated ? mutate(clean, mutantNamed(name)) : clean;
  const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
  const mcpEndpoint: McpEndpoint = (tool, key = goodKey) => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: {} } };
    return engine.handleMcp(toRequest('POST /mcp', '', { key, headers, body }));
  };
  return ofMock[name]?.((line, key = goodKey) => engine.handle(toRequest(line, '/api/v1', { key })), mcpEndpoint);
}

const names = Object.keys(excuses.unkillable).map((key) => key.replace('mock/', ''));

describe('a mutant that no check can kill', () => {
  it('has its own test here', () => {
    expect(Object.keys(ofMock).sort()).toEqual(names.sort());
  });

  it.each(names)('%s can be seen by a client that knows the difference', async (name) => {
    const clean = await seenOfMock(name, false);
    expect(clean).toBeDefined();
    expect(await seenOfMock(name, true)).not.toEqual(clean);
    expect(await seenOfMock(name, false)).toEqual(clean);
  });
});
