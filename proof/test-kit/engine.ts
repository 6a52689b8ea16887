// An engine on a frozen clock with short helpers, for the tests of the admin API.
import { createClock } from '../../src/domain/clock.ts';
import { contractLimits } from '../../src/domain/limits.ts';
import type { Engine } from '../../src/engine/engine.ts';
import type { EngineOptions } from '../../src/engine/engine-options.ts';
import { bodyText, type CoreRequest, type CoreResponse } from '../../src/http/message.ts';
import { createEngine } from '../../src/mock/create-engine.ts';
import { defaultWorld } from '../../src/worlds/load.ts';

/** The anchor of the world, so nothing is rebased. */
export const startMs = Date.parse(defaultWorld.anchor);
export const goodKey = 'casa_0123456789abcdef0123456789abcdef';
export const otherKey = 'casa_fedcba9876543210fedcba9876543210';
/** Ids of the world `default`. */
export const googleAccount = 'd4eb016a-1355-4e9e-af8b-f38083d082f4';
export const expiredAccount = '2fbdd76c-f8b3-4052-9d7d-b06ef5fa9f90';

/** All that a request may have in addition to its line; `body` is sent as JSON unless it is a text or bytes. */
export type Init = Partial<Omit<CoreRequest, 'body'>> & { readonly body?: unknown; readonly key?: string | null };

/** An engine with helpers for both of its transports. */
export interface TestEngine {
  readonly engine: Engine;
  /** Asks the API: `GET /articles?limit=3`. */
  ask(line: string, init?: Init): CoreResponse;
  /** Asks the admin API: `POST /reset`. */
  admin(line: string, init?: Init): CoreResponse;
}

/** Limits are reported and not enforced, so a test can send any number of requests. */
export function startTestEngine(options: Partial<EngineOptions> = {}): TestEngine {
  const engine = createEngine({
    data: defaultWorld,
    clock: createClock(() => 0, { startMs, frozen: true }),
    limits: { ...contractLimits, enforced: false },
    ...options,
  });
  return {
    engine,
    ask: (line, init = {}) => engine.handle(toRequest(line, '/api/v1', { key: goodKey, ...init })),
    admin: (line, init = {}) => engine.handle(toRequest(line, '/__admin', { key: null, ...init })),
  };
}

/** `line` is a method and a path below `base`. */
export function toRequest(line: string, base: string, { body, key = null, headers, ...rest }: Init): CoreRequest {
  const [method = 'GET', url = ''] = line.split(' ', 2);
  const [path = '', query = ''] = url.split('?', 2);
  const text = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  return {
    method,
    path: base + path,
    query,
    headers: { host: '127.0.0.1:4010', ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...headers },
    body: text === undefined ? null : typeof text === 'string' ? new TextEncoder().encode(text) : text,
    peer: '127.0.0.1',
    origin: 'http://127.0.0.1:4010',
    ...rest,
  };
}

// biome-ignore lint/suspicious/noExplicitAny: a response may hold anything, and a test says what it expects.
export function json(response: CoreResponse): any {
  return JSON.parse(bodyText(response));
}
