// What a check works with: requests on one side, expectations on the other.
import type { ClauseId } from '../src/contract/generated/clauses.ts';
import type { ErrorCode } from '../src/contract/generated/errors.ts';
import type { OperationId } from '../src/contract/generated/operations.ts';
import type { InconclusiveReason } from './check.ts';
import type { KitClock } from './clock.ts';
import type { Courier } from './courier.ts';
import { type Exchange, errorCode, type KeyName } from './exchange.ts';
import { type Facts, makeFacts } from './facts.ts';
import type { Claim, Ledger } from './ledger.ts';
import type { RequestSpec } from './request.ts';
import { NoAnswer, Stop } from './stop.ts';

type Params = NonNullable<RequestSpec['params']>;

/** What a request must be refused with. */
export interface Refusal {
  readonly clause: ClauseId;
  readonly status: number;
  /** The code that goes with it; any when absent. */
  readonly code?: ErrorCode;
  /** Other documented codes that may come first (rulings R1); they leave the check inconclusive. */
  readonly shadows?: readonly ErrorCode[];
}

/** What the user told the run, as far as checks may see it. */
export interface RunSettings {
  readonly runId: string;
  readonly account: string | null;
  readonly review: string | null;
  readonly maxWrites: number;
  readonly sourceAddresses: readonly string[];
  readonly callIdField: string | null;
  readonly callEndedAtField: string | null;
  readonly mcpUrl: string | null;
  readonly control: string | null;
  readonly isLoopback: boolean;
}

export interface Probe {
  readonly facts: Facts;
  readonly settings: RunSettings;
  now(): number;
  sleep(ms: number): Promise<void>;
  /** A GET that is shared: the same operation, parameters and key asked before answer from the record. */
  get(operation: OperationId, params?: Params, key?: KeyName): Promise<Exchange>;
  /** A new request. Both stop the check when a limiter, a platform or the network comes between. */
  send(spec: RequestSpec): Promise<Exchange>;
  /** Many at once, out of pace, nothing repeated; every answer comes back, 429 and silence included. Phase `bursts` only. */
  burst(specs: readonly RequestSpec[]): Promise<Exchange[]>;
  /** Puts an expectation to the test. Returns whether it holds, never throws. */
  holds(isTrue: boolean, claim: Claim): boolean;
  /** The same for every item; an empty list is no evidence. */
  every<T>(items: readonly T[], claim: (item: T, index: number) => Claim & { readonly isTrue: boolean }): boolean;
  warn(claim: Claim): void;
  note(claim: Claim): void;
  expectStatus(exchange: Exchange, statuses: number | readonly number[], clause: ClauseId): boolean;
  expectRefusal(exchange: Exchange, refusal: Refusal): boolean;
  /** Keeps the verdict from being a pass, and goes on. */
  doubt(reason: InconclusiveReason, message: string): void;
  /** Ends the check here. */
  stop(reason: InconclusiveReason, message: string): never;
  /** One line for the person watching, before something disturbing or slow. */
  announce(text: string): void;
}

export interface ProbeContext {
  readonly courier: Courier;
  readonly clock: KitClock;
  readonly settings: RunSettings;
  readonly unknownId: string;
  /** Equal GETs of the whole run. */
  readonly shared: Map<string, Promise<Exchange>>;
  announce(text: string): void;
}

export function makeProbe(context: ProbeContext, ledger: Ledger, onExchange: (id: string) => void): Probe {
  const seen = (exchange: Exchange) => {
    onExchange(exchange.id);
    return exchange;
  };
  const send = async (spec: RequestSpec) => seen(await deliver(context.courier, spec));
  const get = async (operation: OperationId, params: Params = {}, key: KeyName = 'good') => {
    const name = nameOfShared(operation, params, key);
    const known = context.shared.get(name) ?? deliver(context.courier, { operation, params, key });
    context.shared.set(name, known);
    return seen(await known);
  };
  return {
    facts: makeFacts({ get }, context.unknownId),
    settings: context.settings,
    now: () => context.clock.now(),
    sleep: (ms) => context.clock.sleep(ms),
    get,
    send,
    burst: async (specs) => (await context.courier.burst(specs)).map(seen),
    holds: (isTrue, claim) => ledger.holds(isTrue, claim),
    every: (items, claim) => items.map(claim).filter(({ isTrue, ...rest }) => !ledger.holds(isTrue, rest)).length === 0,
    warn: (claim) => ledger.record('warn', claim),
    note: (claim) => ledger.record('note', claim),
    expectStatus: (exchange, statuses, clause) => {
      const expected = [statuses].flat();
      const claim = {
        clause,
        pointer: '#status',
        expected: expected.join(' or '),
        actual: describe(exchange),
        exchange,
      };
      return ledger.holds(expected.includes(exchange.status), claim);
    },
    expectRefusal: (exchange, refusal) => expectRefusal(ledger, exchange, refusal),
    doubt: (reason, message) => ledger.doubt(reason, message),
    stop: (reason, message) => {
      throw new Stop(reason, message);
    },
    announce: (text) => context.announce(text),
  };
}

export function nameOfShared(operation: OperationId, params: Params = {}, key: KeyName = 'good'): string {
  return JSON.stringify([
    operation,
    Object.entries(params)
      .filter(([, value]) => value !== undefined)
      .sort(),
    key,
  ]);
}

async function deliver(courier: Courier, spec: RequestSpec): Promise<Exchange> {
  const { exchange, trouble } = await courier.deliver(spec);
  const name = `${exchange.method} ${exchange.target.split('?')[0]}`;
  if (trouble === 'unreachable') {
    throw new NoAnswer(`${name} got no complete answer: ${exchange.problemDetail ?? exchange.problem}`);
  }
  if (trouble === 'interference')
    throw new Stop('interference', `a limiter kept refusing ${name} after waiting as told`);
  if (trouble === 'platform') throw new Stop('platform', `${name} answered ${describe(exchange)} each time`);
  return exchange;
}

/** A negative must fail for its own reason: a documented refusal of another kind proves nothing about this one. */
function expectRefusal(ledger: Ledger, exchange: Exchange, refusal: Refusal): boolean {
  const code = errorCode(exchange);
  const actual = describe(exchange);
  if (code !== null && refusal.shadows?.some((shadow) => shadow === code)) {
    ledger.doubt('precondition', `${actual} came before ${refusal.status} ${refusal.code ?? ''}`.trim());
    return false;
  }
  const isRefused = exchange.status === refusal.status && (refusal.code === undefined || code === refusal.code);
  const expected = refusal.code === undefined ? String(refusal.status) : `${refusal.status} ${refusal.code}`;
  return ledger.holds(isRefused, { clause: refusal.clause, pointer: '#status', expected, actual, exchange });
}

function describe(exchange: Exchange): string {
  const code = errorCode(exchange);
  return code === null ? String(exchange.status) : `${exchange.status} ${code}`;
}
