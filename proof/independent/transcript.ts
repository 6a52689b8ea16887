import type { AddCall, AddedCall, Independent, IndependentOptions } from './index.ts';
import { startIndependent } from './index.ts';

/** A client that writes down everything it is told, so that two servers can be compared. */

const SHOWN = ['content-type', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'retry-after'];

export interface Ask {
  method?: string;
  /** Another key than the good one; none at all where it is null. */
  key?: string | null;
  body?: unknown;
  bytes?: Uint8Array;
  /** Sends `bytes` in chunks, without saying how many. */
  chunked?: boolean;
  /** The last number of the address that a proxy would name. */
  host?: number;
}

interface Told {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a script follows what it is told, right or wrong
  body: any;
}

export interface Drive {
  server: Independent;
  send(path: string, ask?: Ask): Promise<Told>;
  advance(ms: number): void;
  now(): number;
  addCall(call?: AddCall): AddedCall;
}

export type Script = (drive: Drive) => Promise<void>;

function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (let from = 0; from < bytes.length; from += 400_000) controller.enqueue(bytes.subarray(from, from + 400_000));
      controller.close();
    },
  });
}

function initOf(ask: Ask, good: string): RequestInit {
  const key = ask.key === undefined ? good : ask.key;
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'mcp-session-id': 'session-of-the-door',
  };
  if (key !== null) headers.authorization = `Bearer ${key}`;
  if (ask.host !== undefined) headers['x-forwarded-for'] = `10.1.${ask.host >> 8}.${ask.host & 255}`;
  const { bytes } = ask;
  const text = ask.body === undefined ? undefined : JSON.stringify(ask.body);
  const body = bytes === undefined ? text : ask.chunked === true ? streamOf(bytes) : bytes;
  const method = ask.method ?? (body === undefined ? 'GET' : 'POST');
  return { method, headers, ...(body === undefined ? {} : ({ body, duplex: 'half' } as RequestInit)) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

class Different extends Error {}

export interface Session {
  options: IndependentOptions;
  start: number;
  script: Script;
  /** What another server said; the session ends with the first line that differs. */
  until?: readonly string[];
}

/** Runs a script against a fresh server and returns what was told, one line for each answer. */
export async function transcript({ options, start, script, until }: Session): Promise<string[]> {
  let now = start;
  const lines: string[] = [];
  const server = await startIndependent({ ...options, now: () => now });
  const drive: Drive = {
    server,
    now: () => now,
    advance: (ms) => {
      now += ms;
    },
    addCall: (call) => server.addCall(call),
    send: async (path, ask = {}) => {
      const door = path === '/mcp';
      const answer = await fetch(door ? server.mcpUrl : server.baseUrl + path, initOf(ask, server.keys.good));
      const text = await answer.text();
      const headers = SHOWN.map((name) => answer.headers.get(name) ?? '-').join(' ');
      const line = `${ask.method ?? ''} ${path} ${answer.status} ${headers} ${text}`;
      lines.push(line);
      if (until !== undefined && until[lines.length - 1] !== line) throw new Different();
      return { status: answer.status, headers: answer.headers, body: parsed(text) };
    },
  };
  try {
    await script(drive);
    if (server.faults.length > 0) throw new Error(server.faults.join('\n'));
  } catch (error) {
    if (!(error instanceof Different)) throw error;
  } finally {
    await server.close();
  }
  return lines;
}
