// The requests of one entry, carried out one after the other.
import type { Engine } from '../engine/engine.ts';
import { type CoreRequest, type CoreResponse, complete, mcpPath } from '../http/message.ts';
import { isLook } from './kinds.ts';
import { type Envelope, openEnvelope, toRequest } from './letter.ts';
import type { Waiting } from './outbox.ts';
import type { Vault } from './vault.ts';

export interface Work {
  readonly requests: readonly Envelope[];
  /** Those who wait for a response here, in the same order; none for the entry of another replica. */
  readonly waiting: readonly Waiting[];
  readonly isOwn: boolean;
  readonly engine: Engine;
  readonly vault: Vault;
  /** Counts a request, and returns a number for its connection. */
  readonly count: (changesNothing: boolean) => number;
}

/** Null when done at once. A request that loads a module first makes the next entry wait. */
export function carryOut(work: Work, from = 0): Promise<void> | null {
  const { requests, waiting, isOwn, engine, vault, count } = work;
  for (let i = from; i < requests.length; i += 1) {
    const letter = openEnvelope(requests[i] as Envelope, vault);
    const changesNothing = isLook({ method: letter.m, path: letter.p });
    if (!isOwn && changesNothing) continue;
    const request = toRequest(letter, { engine, vault, connection: count(changesNothing) });
    const end = waiting[i] ?? (() => {});
    const response = respond(engine, request);
    if (!(response instanceof Promise)) end(response);
    else return response.then(end, (bug) => end(toError(bug))).then(() => carryOut(work, i + 1) ?? undefined);
  }
  return null;
}

function respond(engine: Engine, request: CoreRequest): CoreResponse | Error | Promise<CoreResponse> {
  if (request.path === mcpPath && request.method !== 'OPTIONS') return engine.handleMcp(request);
  try {
    const response = engine.handle(request);
    return response.later ? complete(response) : response;
  } catch (bug) {
    return toError(bug);
  }
}

function toError(bug: unknown): Error {
  return bug instanceof Error ? bug : new Error(String(bug));
}
