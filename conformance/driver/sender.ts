// The requests of scenarios: shared reads, writes within their limit, and trouble that ends a scenario.
import type { OperationId } from '../../src/contract/generated/operations.ts';
import { type Exchange, isLost, isWebPage, type KeyName, nameOfResponse } from '../exchange/exchange.ts';
import { type History, makeHistory } from '../exchange/history.ts';
import type { RequestSpec } from '../exchange/request.ts';
import type { InconclusiveReason } from '../judge/result.ts';
import type { Settled } from '../scenarios/capabilities.ts';
import type { Step } from '../scenarios/scenario.ts';
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

/** Carries the steps of scenarios. Trouble ends the scenario by an error, unless a step returns every outcome. */
export type Sender = ReturnType<typeof makeSender>;

type Spec = { readonly spec: RequestSpec };

/** `sites` is the delivery of the preflight, the first shared read. */
export function makeSender(context: SenderContext, sites: Delivery | null = null) {
  const { client, clock, settings, unknownId, exchanges } = context;
  const first = sites === null ? [] : [[nameOfShared('listSites'), (async () => responseOf(sites))()] as const];
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
    async get({ operation, params, key }: Extract<Step, { step: 'get' }>): Promise<Exchange> {
      const name = nameOfShared(operation, params, key);
      const known = shared.get(name);
      if (known !== undefined) return see(await known.catch(failedBefore));
      const fresh = send({ operation, params, key });
      shared.set(name, fresh);
      return fresh;
    },
    send: ({ spec }: Spec) => send(spec),
    raw: ({ spec }: Spec) => noting(async () => (await client.deliver(spec)).exchange),
    now: ({ spec }: Spec) => noting(async () => share(spec, await client.sendNow(spec))),
    async write({ spec }: Spec) {
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
    burst: ({ specs, quiet }: Extract<Step, { step: 'burst' }>) =>
      noting(async () => (await client.burst(specs, quiet)).map((one, index) => share(specs[index], one))),
    hurry: ({ requests }: Extract<Step, { step: 'hurry' }>) => client.hurry(requests),
    wait: ({ ms }: { readonly ms: number }) => clock.sleep(ms),
    announce: ({ text }: Extract<Step, { step: 'announce' }>) => context.announce(text),
    turn: clock.turn,
    time: clock.now,
    history: () => historyOf({ settings, unknownId, exchanges }),
    /** The ids of the exchanges since the last call, those of shared reads included. */
    taken(): readonly string[] {
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
