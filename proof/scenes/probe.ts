// A client that knows nothing but documented requests, and keeps what it was answered: two engines that answer one script
// with the same transcript cannot be told apart by it.

import { createClock } from '../../src/domain/clock.ts';
import { contractLimits } from '../../src/domain/limits.ts';
import type { WorldData } from '../../src/domain/world-data.ts';
import type { Engine } from '../../src/engine/engine.ts';
import type { CoreRequest, CoreResponse } from '../../src/http/message.ts';
import { basePath } from '../../src/http/route.ts';
import { createEngine } from '../../src/mock/create-engine.ts';
import type { Mutant } from '../../src/mutants/hooks/mutant.ts';
import { isObject, type Json, type JsonObject, readJson } from '../../src/mutants/hooks/rewrite.ts';
import { mutate } from '../../src/mutants/index.ts';
import { organizationKeys } from '../../src/worlds/keys.ts';
import { rebase } from '../../src/worlds/rebase.ts';

export interface Ask {
  readonly method?: 'GET' | 'POST';
  /** null sends no Authorization header; a text with a blank is sent as it is. */
  readonly key?: string | null;
  readonly body?: Json | Uint8Array | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly address?: string;
}

export interface Heard {
  readonly request: CoreRequest;
  readonly response: CoreResponse;
}

export interface Probe {
  /** Sends a request below the base path and gives back the JSON of the answer, if it has any. */
  ask(target: string, ask?: Ask): Json | undefined;
  advance(ms: number): void;
  readonly heard: readonly Heard[];
}

/** The good key of an organization of the built-in worlds, counted from 1. */
export function goodKey(organization: number): string {
  return organizationKeys(organization)[0]?.key ?? '';
}

/** The revoked key of the first organization. */
export const revokedKey = organizationKeys(1)[1]?.key ?? '';

const startMs = Date.parse('2026-03-02T10:00:30.250Z');

/** An engine of its own on a frozen clock, with the mutant in it if there is one. */
export function startEngine(data: WorldData, limited: boolean, mutant?: Mutant): Engine {
  const clock = createClock(() => 0, { startMs, frozen: true });
  const limits = { ...contractLimits, enforced: limited };
  const engine = createEngine({ data: rebase(data, startMs), clock, limits });
  return mutant ? mutate(engine, mutant) : engine;
}

export function startProbe(engine: Engine): Probe {
  const heard: Heard[] = [];
  return {
    heard,
    advance: (ms) => engine.clock.advance(ms),
    ask(target, ask = {}) {
      const request = toRequest(target, ask);
      const response = engine.handle(request);
      heard.push({ request, response });
      return readJson(response.body);
    },
  };
}

function toRequest(target: string, { method = 'GET', key = goodKey(1), body, headers, address }: Ask): CoreRequest {
  const [path = '', query = ''] = target.split('?');
  const authorization = key === null ? undefined : key.includes(' ') ? key : `Bearer ${key}`;
  return {
    method,
    path: `${basePath}${path}`,
    query,
    headers: { ...(authorization === undefined ? {} : { authorization }), ...headers },
    body:
      body === undefined ? null : body instanceof Uint8Array ? body : new TextEncoder().encode(JSON.stringify(body)),
    peer: address ?? '127.0.0.1',
    origin: 'http://127.0.0.1:4010',
  };
}

/** What an answer says, without the bytes of large bodies. */
export function transcribe({ response }: Heard): string {
  const { status, headers, body, network } = response;
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const told = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [status, network ?? '', ...told.sort(), text].join('\n');
}

/** The objects of a list, wherever the answer keeps it. */
export function rowsIn(body: Json | undefined): JsonObject[] {
  if (Array.isArray(body)) return body.filter(isObject);
  if (!isObject(body)) return [];
  const { data } = body;
  const list = isObject(data) ? (data.accounts ?? data.reviews ?? data.calls) : data;
  return Array.isArray(list) ? list.filter(isObject) : [];
}
