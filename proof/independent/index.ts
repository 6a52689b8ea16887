// A second implementation of the contract, written from the document by another hand. It imports nothing of ours: what
// both implementations and the kit agree on rests on the text and not on shared code.
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { makeWorld, pushCall } from './data.ts';
import { rawRejection } from './http.ts';
import { hexOf } from './ids.ts';
import { makeLife } from './life.ts';
import { makeLimiter, type Sizes } from './limits.ts';
import { type CallFields, callFieldsOf } from './records.ts';
import { handle, replyTo } from './server.ts';
import type { AccountNames, Context, Org, PlainReply, PlainRequest } from './types.ts';
import type { Variant } from './variants.ts';
import { resolveVariant, type VariantName } from './variants.ts';

export { namedVariants, variantNames } from './variants.ts';
export type { AccountNames, CallFields, PlainReply, PlainRequest, Variant, VariantName };

export interface IndependentOptions {
  /** Epoch milliseconds; the only clock this server looks at. */
  now?: () => number;
  variant?: VariantName | Partial<Variant>;
  /** False switches both limiters off, and their headers with them. */
  limits?: boolean;
  /** The seed of a life next to that of the client: records come, change and go between its requests. */
  life?: number;
  /** Other allowances of the limiters. */
  sizes?: Sizes;
  /** Stands in front of the server: gets each request, and the server as a function. */
  around?: (server: PlainServer) => (request: PlainRequest) => PlainReply | Promise<PlainReply>;
}

export interface PlainServer {
  reply(request: PlainRequest): PlainReply;
  /** The same world, without limits. */
  replyFreely(request: PlainRequest): PlainReply;
  /** Whose each key is; null for a revoked one. */
  keys: ReadonlyMap<string, 'first' | 'second' | null>;
  addKey(key: string, owner: 'first' | 'second'): void;
  now(): number;
}

/** A call for a test; times can be in the past or in the future. */
interface AddCall {
  /** The organization; the first by default. */
  org?: 'first' | 'second';
  /** Epoch milliseconds; a minute ago by default. */
  startedAt?: number;
  /** Now by default; in the future or null for a call that is still running. */
  endedAt?: number | null;
}

export interface Independent {
  baseUrl: string;
  mcpUrl: string;
  /** `second` belongs to another organization; `spare` to the same one as `good`. */
  keys: { good: string; spare: string; second: string; revoked: string };
  /** Ids by purpose. Those that a variant's organization lacks are well formed and return 404. */
  accounts: AccountNames;
  variant: Variant;
  callFields: CallFields;
  faults: readonly string[];
  /** `end` ends a running call, now by default. */
  addCall(call?: AddCall): { end(at?: number): void };
  close(): Promise<void>;
}

/** A key of the contract's form, with a separate prefix. Cites 5.key-form. */
function keyOf(name: string): string {
  return `ind_${hexOf(`key/${name}`).slice(0, 32)}`;
}

/** One for each server: nothing is shared between two of them. */
function makeContext(options: IndependentOptions): Context {
  const variant = resolveVariant(options.variant);
  const now = options.now ?? Date.now;
  const world = makeWorld(variant, Math.floor(now()));
  const names = ['good', 'spare', 'second'] as const;
  const good = new Map<string, 'first' | 'second'>(
    names.map((name) => [keyOf(name), name === 'second' ? name : 'first']),
  );
  const context: Context = {
    variant,
    world,
    live: options.life === undefined ? undefined : makeLife(world, variant, options.life),
    keys: good,
    revoked: new Set([keyOf('revoked')]),
    now,
    limiter: options.limits === false ? undefined : makeLimiter(variant, options.sizes),
    faults: [],
    turns: 0,
  };
  const keys = new Map([...context.keys, ...[...context.revoked].map((key) => [key, null] as const)]);
  return {
    ...context,
    around: options.around?.({
      reply: (request) => replyTo(context, request),
      replyFreely: (request) => replyTo({ ...context, limiter: undefined }, request),
      addKey: (key, owner) => void good.set(key, owner),
      ...{ keys, now },
    }),
  };
}

/** A port of the system's choice on loopback; input that is not HTTP gets a handwritten response. */
function listen(context: Context): Promise<Server> {
  const server = createServer({ requireHostHeader: false }, (request, response) => {
    handle(context, request, response).catch((error: unknown) => context.faults.push(String(error)));
  });
  server.keepAliveTimeout = 60_000;
  server.on('clientError', (_error: Error, socket: Socket) => {
    if (socket.writable) socket.end(rawRejection(Math.floor(context.now())));
    else socket.destroy();
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}

/** An end in the future is a running call; `end` reports it at the moment when it is called. */
function addCallTo(context: Context, call: AddCall): ReturnType<Independent['addCall']> {
  const at = Math.floor(context.now());
  const org: Org = context.world[call.org ?? 'first'];
  const ended = call.endedAt === undefined ? at : call.endedAt;
  const started = call.startedAt ?? Math.min(at, ended ?? at) - 60_000;
  const made = pushCall(context.world, org, { started, ended, reported: at });
  return {
    end: (when) => {
      const moment = Math.floor(context.now());
      if (made.ended !== null && made.ended <= moment) return;
      context.world.counter += 1;
      Object.assign(made, { ended: when ?? moment, reported: moment, order: context.world.counter });
    },
  };
}

/** Open connections are closed too: a kit may hold some. */
function shut(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** Starts in a few milliseconds, so each test has its own. */
export async function startIndependent(options: IndependentOptions = {}): Promise<Independent> {
  const context = makeContext(options);
  const server = await listen(context);
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/api/v1`,
    mcpUrl: `http://127.0.0.1:${port}/mcp`,
    keys: { good: keyOf('good'), spare: keyOf('spare'), second: keyOf('second'), revoked: keyOf('revoked') },
    accounts: context.world.names,
    variant: context.variant,
    callFields: callFieldsOf(context.variant.callShape),
    faults: context.faults,
    addCall: (call = {}) => addCallTo(context, call),
    close: () => shut(server),
  };
}
