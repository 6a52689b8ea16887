import { describe, expect, it } from 'vitest';
import { contractLimits } from '../../src/domain/limits.ts';
import { bodyText, type CoreResponse } from '../../src/http/message.ts';
import { mutantNamed, mutate } from '../../src/mutants/index.ts';
import { get, post } from '../independent/client.ts';
import { type Independent, type IndependentOptions, NAMED, startIndependent } from '../independent/index.ts';
import { goodKey, startTestEngine, toRequest } from '../rigs/engine.ts';
import type { MutantRow } from '../rigs/targets.ts';
import { excuses } from './unkillable.ts';

type Handle = (line: string, key?: string | null) => CoreResponse;
type Door = (tool: string, key?: string | null) => Promise<CoreResponse>;

const startMs = Date.UTC(2031, 2, 5, 6, 7, 8);
const minuteMs = 60_000;
const longAgo = '2020-01-01T00:00:00Z';

const ofMock: Record<string, (handle: Handle, door: Door) => unknown> = {
  'sites-redirected-off-base': (handle) => handle('GET /sites').status,
  'calls-limit-200-gives-100': (handle) => bodyText(handle(`GET /connect/calls/log?limit=200&since=${longAgo}`)).length,
  'key-case-ignored': (handle) => handle('GET /sites', goodKey.toUpperCase()).status,
  'mcp-inbox-without-next-cursor': async (_, door) => bodyText(await door('inbox_list')),
  'mcp-address-not-limited': async (_, door) => {
    const statuses: number[] = [];
    for (let i = 0; i < 12; i += 1) statuses.push((await door('inbox_list', null)).status);
    return statuses;
  },
};

interface Guest {
  readonly server: Independent;
  readonly advance: (ms: number) => void;
  readonly nowMs: () => number;
}

interface Sight {
  readonly variant: NonNullable<IndependentOptions['variant']>;
  readonly limits?: boolean;
  readonly look: (guest: Guest) => Promise<unknown>;
}

const ofOther: Record<string, Sight> = {
  'key-sixtieth-refused': {
    variant: { ...NAMED.mixed, trustForwarded: true },
    limits: true,
    look: async ({ server, advance }) => {
      let status = 0;
      for (let host = 1; host <= 60; host += 1) {
        status = (await get(server, '/sites', { headers: { 'x-forwarded-for': `10.0.0.${host}` } })).status;
        advance(1);
      }
      return status;
    },
  },
  'calls-reported-late-are-lost': {
    variant: 'plain',
    look: async ({ server, advance, nowMs }) => {
      let since = longAgo;
      const poll = async () => {
        const { calls, nextCursor } = (await get(server, `/connect/calls/log?limit=200&since=${since}`)).body.data;
        since = nextCursor === null ? since : encodeURIComponent(nextCursor);
        return calls.length;
      };
      server.addCall();
      advance(10 * minuteMs);
      await poll();
      server.addCall({ startedAt: nowMs() - 25 * minuteMs, endedAt: nowMs() - 20 * minuteMs });
      advance(10 * minuteMs);
      return poll();
    },
  },
  'post-account-without-hyphens': {
    variant: 'plain',
    look: async ({ server }) => {
      const id = server.accounts.postable;
      return (await post(server, `/connect/accounts/${id.replaceAll('-', '')}/posts`, { text: 'Hello' })).status;
    },
  },
  'snapshot-hides-running': {
    variant: 'plain',
    look: async ({ server }) => {
      server.addCall({ endedAt: null });
      return (await get(server, '/connect/calls/log?limit=200')).body.data.calls.length;
    },
  },
};

async function seenOfMock(name: string, mutated: boolean): Promise<unknown> {
  const limits = { ...contractLimits, enforced: name === 'mcp-address-not-limited' };
  const { engine: clean } = startTestEngine({ limits });
  const engine = mutated ? mutate(clean, mutantNamed(name)) : clean;
  const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
  const door: Door = (tool, key = goodKey) => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: {} } };
    return engine.handleMcp(toRequest('POST /mcp', '', { key, headers, body }));
  };
  return ofMock[name]?.((line, key = goodKey) => engine.handle(toRequest(line, '/api/v1', { key })), door);
}

async function seenOfOther(name: string, mutated: boolean): Promise<unknown> {
  const { variant, limits = false, look } = ofOther[name] as Sight;
  let nowMs = startMs;
  const rest = mutated ? { mutate: name } : {};
  const server = await startIndependent({ variant, limits, now: () => nowMs, ...rest });
  const advance = (ms: number) => {
    nowMs += ms;
  };
  try {
    return await look({ server, advance, nowMs: () => nowMs });
  } finally {
    await server.close();
  }
}

const listed = Object.keys(excuses.unkillable).map((key) => key.split('/') as [of: MutantRow['of'], name: string]);

describe('a mutant that no check can kill', () => {
  it('has its own test here', () => {
    const keys = [
      ...Object.keys(ofMock).map((name) => `mock/${name}`),
      ...Object.keys(ofOther).map((name) => `independent/${name}`),
    ];
    expect(keys.sort()).toEqual(Object.keys(excuses.unkillable).sort());
  });

  it.each(listed)('of the %s, %s, can be seen by who knows what to look for', async (of, name) => {
    const see = of === 'mock' ? seenOfMock : seenOfOther;
    const clean = await see(name, false);
    expect(clean).toBeDefined();
    expect(await see(name, true)).not.toEqual(clean);
    expect(await see(name, false)).toEqual(clean);
  });
});
