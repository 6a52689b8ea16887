// The requests of scenarios: shared reads, writes within their limit, and trouble that ends a scenario.
import type { OperationId } from '../../src/contract/generated/operations.ts';
import { type Exchange, isLost, isWebPage, type KeyName, nameOfResponse } from '../exchange/exchange.ts';
import { type History, makeHistory } from '../exchange/history.ts';
import type { WindowKind } from '../exchange/lanes.ts';
import type { RequestSpec } from '../exchange/request.ts';
import type { InconclusiveReason } from '../judge/result.ts';
import type { Settled } from '../scenarios/capabilities.ts';
import type { Client, Delivery } from './pace/client.ts';
import type { RunClock } from './pace/clock.ts';

type Params = NonNullable<RequestSpec['params']>;

export interface RunSettings extends Settled {
  readonly runId: string;
  readonly isLoopback: boolean;
  /** The MCP endpoint is checked by itself: no request goes to the REST service. */
  readonly isAlone: boolean;
}

/** Of one run. */
export interface SenderContext {
  readonly client: Client;
  readonly clock: RunClock;
  readonly settings: RunSettings;
  readonly unknownId: string;
  readonly exchanges: readonly Exchange[];
  announce(text: string): void;
}

/** A limiter, a platform or the network that comes between ends the scenario by an error, unless a method says so. */
export interface Sender {
  readonly settings: RunSettings;
  /** A read that is equal to an earlier one is not sent again. */
  get(operation: OperationId, params?: Params, key?: KeyName): Promise<Exchange>;
  send(spec: RequestSpec): Promise<Exchange>;
  /** Returns every outcome, including rejections and lost responses. */
  sendRaw(spec: RequestSpec): Promise<Exchange>;
  /** The same at this very time, out of pace. */
  sendNow(spec: RequestSpec): Promise<Exchange>;
  /** A request that can change the target; never repeated, and counted if it might be accepted. */
  write(spec: RequestSpec): Promise<Exchange>;
  /** Many at once, out of pace; every outcome is returned. */
  burst(specs: readonly RequestSpec[], quiet: WindowKind | 'none'): Promise<Exchange[]>;
  hurry(requests: number): void;
  now(): number;
  sleep(ms: number): Promise<void>;
  turn(): Promise<void>;
  announce(text: string): void;
  history(): History;
  /** The ids of the exchanges since the last call, those of shared reads included. */
  taken(): readonly string[];
}

/** `sites` is the delivery of the preflight, the first shared read. */
export function makeSender(context: SenderContext, sites: Delivery | null = null): Sender {
  const { client, clock, settings, unknownId, exchanges } = context;
  const first = sites === null ? [] : [[nameOfShared('listSites'), delivered(sites)] as const];
  const shared = new Map<string, Promise<Exchange>>(first);
  // Only a scenario that reads it has its error.
  for (const [, read] of first) read.catch(() => undefined);
  let [writes, seen] = [0, new Set<string>()];
  const see = (exchange: Exchange) => {
    seen.add(exchange.id);
    return exchange;
  };
  /** Repeats are exchanges too. */
  const noting = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const before = exchanges.length;
    try {
      return await work();
    } finally {
      for (const exchange of exchanges.slice(before)) see(exchange);
    }
  };
  const send = (spec: RequestSpec) => noting(async () => responseOf(await client.deliver(spec)));
  /** A valid read without pacing, from any address, is one of the shared reads. */
  const share = (spec: RequestSpec | undefined, exchange: Exchange): Exchange => {
    const isRead = exchange.method === 'GET' && exchange.key === 'good' && exchange.status === 200;
    const name = spec?.operation === undefined ? null : nameOfShared(spec.operation, spec.params);
    if (isRead && name !== null && !shared.has(name)) shared.set(name, Promise.resolve(exchange));
    return exchange;
  };
  return {
    settings,
    async get(operation, params = {}, key = 'good') {
      const name = nameOfShared(operation, params, key);
      const known = shared.get(name);
      if (known !== undefined) return see(await known.catch(failedBefore));
      const fresh = send({ operation, params, key });
      shared.set(name, fresh);
      return fresh;
    },
    send,
    sendRaw: (spec) => noting(async () => (await client.deliver(spec)).exchange),
    sendNow: (spec) => noting(async () => share(spec, await client.sendNow(spec))),
    async write(spec) {
      if (writes >= settings.maxWrites)
        throw new Stop('budget', `the limit of ${settings.maxWrites} writes is reached; raise it with --max-writes N`);
      try {
        return await send({ ...spec, repeatable: false });
      } finally {
        const last = exchanges.at(-1);
        // A missing response, or the error of a gateway, can mean that the write was done.
        if (last && (last.status === 0 || last.status === 200 || last.status >= 500)) writes += 1;
      }
    },
    burst: (specs, quiet) =>
      noting(async () => (await client.burst(specs, quiet)).map((one, index) => share(specs[index], one))),
    hurry: (requests) => client.hurry(requests),
    now: () => clock.now(),
    sleep: (ms) => clock.sleep(ms),
    turn: () => clock.turn(),
    announce: (text) => context.announce(text),
    history: () => historyOf({ settings, unknownId, exchanges }),
    taken() {
      const all = [...seen];
      seen = new Set();
      return all;
    },
  };
}

export function historyOf({
  exchanges,
  settings,
  unknownId,
}: Pick<SenderContext, 'exchanges' | 'settings' | 'unknownId'>): History {
  const { account, review, callIdField, callEndedAtField, sourceAddresses, watch, runId } = settings;
  const given = { account, review, callIdField, callEndedAtField, sourceAddresses, watch, unknownId, runId };
  return makeHistory(exchanges, { isSeededAlike: settings.seededAlike, given });
}

/** Parameters in another order are the same read. */
export function nameOfShared(operation: OperationId, params: Params = {}, key: KeyName = 'good'): string {
  return JSON.stringify([
    operation,
    Object.entries(params)
      .filter(([, value]) => value !== undefined)
      .sort(),
    key,
  ]);
}

/** Silence is the error of the scenario that met it first; to those that share the read it is something missing. */
function failedBefore(error: unknown): never {
  throw error instanceof NoResponse ? new Stop('precondition', error.message) : error;
}

async function delivered(delivery: Delivery): Promise<Exchange> {
  return responseOf(delivery);
}

/** Returns the response if it is usable; ends the scenario otherwise. */
export function responseOf({ exchange, trouble }: Delivery): Exchange {
  const name = `${exchange.method} ${exchange.target.split('?')[0]}`;
  if (trouble === 'unreachable') {
    const message = `${name} got no complete response: ${exchange.problemDetail ?? exchange.problem}`;
    throw isLost(exchange) ? new Stop('platform', message) : new NoResponse(message);
  }
  if (trouble === 'interference')
    throw new Stop('interference', `a rate limit rejected ${name} again after the stated wait time`);
  if (trouble === 'platform') {
    const again = exchange.repeatOf === null ? '' : ' each time';
    throw new Stop('platform', `${name} returned ${nameOfResponse(exchange)}${again}`);
  }
  // One root cause is one finding, and that is rule/json's: a web page says nothing about the check.
  if (exchange.operation !== null && isWebPage(exchange))
    throw new Stop('precondition', `${name} returned ${exchange.status} with a web page: see rule/json`);
  return exchange;
}

// The two ways in which a scenario ends before its last request. `drive` catches both, and neither is a failure of the
// target.

/** Ends a scenario early: the reason why its checks are inconclusive. What it has shown so far counts. */
export class Stop extends Error {
  readonly reason: InconclusiveReason;
  constructor(reason: InconclusiveReason, message: string) {
    super(message);
    this.name = 'Stop';
    this.reason = reason;
  }
}

/** The network or the kit failed, not the contract. */
export class NoResponse extends Error {}
