// The tools of a check: requests on one side, expectations on the other.
import type { ClauseId } from '../../src/contract/generated/clauses.ts';
import type { OperationId } from '../../src/contract/generated/operations.ts';
import { type Exchange, isLost, isWebPage, type KeyName, nameOfResponse } from '../exchange/exchange.ts';
import { type History, makeHistory } from '../exchange/history.ts';
import type { RequestSpec } from '../exchange/request.ts';
import { hasStatus, isRejected, type Rejection } from '../judge/expect.ts';
import { type Judged, judgeInto } from '../judge/judge.ts';
import type { Claim, Ledger } from '../judge/ledger.ts';
import type { InconclusiveReason } from '../judge/result.ts';
import type { Client, Delivery } from '../pace/client.ts';
import type { RunClock } from '../pace/clock.ts';
import type { WindowKind } from '../pace/lanes.ts';
import type { Capability, Settled } from './capabilities.ts';
import { type Judge, judgeAgain, type Outcome } from './confirm.ts';
import { type Facts, makeFacts } from './facts.ts';
import { NoResponse, Stop } from './stop.ts';

type Params = NonNullable<RequestSpec['params']>;

export interface RunSettings extends Settled {
  readonly runId: string;
  readonly isLoopback: boolean;
  /** The MCP endpoint is checked by itself: no request goes to the REST service. */
  readonly isAlone: boolean;
}

/** The interface of a check to the run; checks keep no state between runs. */
export interface Probe {
  readonly facts: Facts;
  readonly settings: RunSettings;
  now(): number;
  sleep(ms: number): Promise<void>;
  /** One turn of the event loop. */
  turn(): Promise<void>;
  /** A shared GET: the same operation, parameters and key are read from the record. */
  get(operation: OperationId, params?: Params, key?: KeyName): Promise<Exchange>;
  /** A new request. Both stop the check when a limiter, a platform or the network comes between. */
  send(spec: RequestSpec): Promise<Exchange>;
  /** A new request whose every outcome is returned to the check, including rejections and lost responses. */
  sendRaw(spec: RequestSpec): Promise<Exchange>;
  /** The same at this very time, out of pace. Phase `bursts` only. */
  sendNow(spec: RequestSpec): Promise<Exchange>;
  /** A request that can change the target; never repeated, and counted against `maxWrites` if it might be accepted. */
  write(spec: RequestSpec): Promise<Exchange>;
  /** Every exchange of the run so far with the REST service, or with the MCP endpoint. */
  history(mcpEndpoint?: 'mcp'): readonly Exchange[];
  /** Of these, each 200 of the REST service to the operation with that key, the good one when absent. */
  shown(operation: OperationId, key?: KeyName): readonly Exchange[];
  /** The next requests leave without spacing, until one of them is blocked. Phase `bursts` only. */
  hurry(requests: number): void;
  /** How many requests the run has to spare. */
  requestsLeft(): number;
  /** Whether the check sends all inputs instead of a sample. */
  readonly sendsAll: boolean;
  /**
   * Many at once, out of pace, after the window of the address (or of the key, or none) has run empty; nothing is
   * repeated, and every response comes back, 429 and silence included. Phase `bursts` only.
   */
  burst(specs: readonly RequestSpec[], quiet?: WindowKind | 'none'): Promise<Exchange[]>;
  /** Puts an expectation to the test. Returns whether it holds, never throws. */
  holds(isTrue: boolean, claim: Claim): boolean;
  /** The same for every item; an empty list is not evidence. */
  every<T>(items: readonly T[], claim: (item: T, index: number) => Claim & { readonly isTrue: boolean }): boolean;
  /**
   * Puts the claims of a pure function to the test. Changed data can explain a finding, so its requests are sent and
   * judged again. One that does not stand leaves the result open.
   */
  judge<const Exchanges extends readonly Exchange[]>(exchanges: Exchanges, judge: Judge<Exchanges>): Promise<Outcome>;
  warn(claim: Claim): void;
  note(claim: Claim): void;
  expectStatus(
    exchange: Exchange,
    statuses: number | readonly number[],
    about: ClauseId | Pick<Claim, 'clause' | 'proves'>,
  ): boolean;
  expectRejection(exchange: Exchange, rejection: Rejection): boolean;
  /** Makes the result inconclusive instead of a pass, and continues. */
  doubt(reason: InconclusiveReason, message: string): void;
  /** Ends the check here. */
  stop(reason: InconclusiveReason, message: string): never;
  /** The exchanges of the run so far, and what the user has named. */
  soFar(): History;
  /** Whether the user has given what a scenario needs. */
  has(need: Capability): boolean;
  /** The check reads exchanges that another one has sent. */
  looksAt(ids: readonly string[]): void;
  /** Adds what a function of the history of the run finds. */
  judgeHistory(judged: Pick<Judged, 'judge'>): void;
  /** One line for the person watching, before something disturbing or slow. */
  announce(text: string): void;
}

/** The run that a probe belongs to; `writes`, `shared` and `exchanges` are common to all its checks. */
export interface ProbeContext {
  readonly client: Client;
  readonly clock: RunClock;
  readonly settings: RunSettings;
  readonly unknownId: string;
  readonly exchanges: readonly Exchange[];
  /** How many writes the target has taken, or may have taken, in this run. */
  readonly writes: { taken: number };
  /** Equal GETs of the whole run. */
  readonly shared: Map<string, Promise<Exchange>>;
  /** Everything when absent. */
  readonly capabilities?: ReadonlySet<Capability>;
  /** Without it nothing is scarce. */
  readonly requestsLeft?: () => number;
  /** True when absent. */
  readonly sendsAll?: boolean;
  announce(text: string): void;
}

/** One for each check: it ties the exchanges and the claims of that check together. */
export function makeProbe(context: ProbeContext, ledger: Ledger, onExchange: (id: string) => void): Probe {
  let broken: Exchange | undefined;
  const seen = (exchange: Exchange) => {
    onExchange(exchange.id);
    if (exchange.status >= 500) broken ??= exchange;
    return exchange;
  };
  /** Other users do not cause server errors, so a check that received one does not blame them. */
  const doubtOf = (reason: InconclusiveReason, message: string): [InconclusiveReason, string] =>
    reason === 'interference' && broken
      ? ['platform', `${broken.method} ${broken.target.split('?')[0]} returned ${nameOfResponse(broken)}`]
      : [reason, message];
  const send = async (spec: RequestSpec) => seen(await deliver(context.client, spec));
  const get = async (operation: OperationId, params: Params = {}, key: KeyName = 'good') => {
    const name = nameOfShared(operation, params, key);
    const known = context.shared.get(name);
    if (known) return seen(await known.catch(failedBefore));
    const fresh = deliver(context.client, { operation, params, key });
    context.shared.set(name, fresh);
    return seen(await fresh);
  };
  const doubt = (reason: InconclusiveReason, message: string) => ledger.doubt(...doubtOf(reason, message));
  const history: Probe['history'] = (endpoint) => context.exchanges.filter((one) => one.mcpEndpoint === endpoint);
  return {
    facts: makeFacts({ get }, context.unknownId),
    settings: context.settings,
    now: () => context.clock.now(),
    sleep: (ms) => context.clock.sleep(ms),
    turn: () => context.clock.turn(),
    get,
    send,
    sendRaw: async (spec) => seen((await context.client.deliver(spec)).exchange),
    sendNow: async (spec) => shareRead(context.shared, spec, seen(await context.client.sendNow(spec))),
    write: (spec) => write(context, () => send({ ...spec, repeatable: false })),
    requestsLeft: () => context.requestsLeft?.() ?? Number.POSITIVE_INFINITY,
    sendsAll: context.sendsAll ?? true,
    hurry: (requests) => context.client.hurry(requests),
    history,
    shown: (operation, key = 'good') =>
      context.exchanges.filter((one) => one.operation === operation && one.key === key && one.status === 200),
    burst: async (specs, quiet = 'address') =>
      (await context.client.burst(specs, quiet)).map((one, index) =>
        shareRead(context.shared, specs[index], seen(one)),
      ),
    holds: (isTrue, claim) => ledger.holds(isTrue, claim),
    every: (items, claim) => items.map(claim).filter(({ isTrue, ...rest }) => !ledger.holds(isTrue, rest)).length === 0,
    judge: (exchanges, judge) => judgeAgain({ exchanges, judge }, { send, history, ledger, doubt }),
    warn: (claim) => ledger.record('warn', claim),
    note: (claim) => ledger.record('note', claim),
    expectStatus: (exchange, statuses, about) => expectStatus(ledger, exchange, [statuses].flat(), about),
    expectRejection: (exchange, rejection) => expectRejection(ledger, exchange, rejection),
    doubt,
    stop: (reason, message) => {
      throw new Stop(...doubtOf(reason, message));
    },
    soFar: () => historyOf(context),
    has: (need) => context.capabilities?.has(need) ?? true,
    looksAt: (ids) => ids.forEach(onExchange),
    judgeHistory: (judged) => judgeInto(ledger, judged, historyOf(context)),
    announce: (text) => context.announce(text),
  };
}

async function write({ writes, settings, exchanges }: ProbeContext, send: () => Promise<Exchange>): Promise<Exchange> {
  if (writes.taken >= settings.maxWrites) {
    throw new Stop('budget', `the limit of ${settings.maxWrites} writes is reached; raise it with --max-writes N`);
  }
  try {
    return await send();
  } finally {
    const last = exchanges.at(-1);
    // A missing response, or the error of a gateway, can mean that the write was done.
    if (last && (last.status === 0 || last.status === 200 || last.status >= 500)) writes.taken += 1;
  }
}

function historyOf({ exchanges, settings, unknownId }: ProbeContext): History {
  const { account, review, callIdField, callEndedAtField, runId } = settings;
  const given = { account, review, callIdField, callEndedAtField, unknownId, runId };
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

/** Adds a valid read that was sent without pacing, from any address, to the shared reads. */
function shareRead(shared: ProbeContext['shared'], spec: RequestSpec | undefined, exchange: Exchange): Exchange {
  const isRead = exchange.method === 'GET' && exchange.key === 'good' && exchange.status === 200;
  if (!isRead || spec?.operation === undefined) return exchange;
  const name = nameOfShared(spec.operation, spec.params);
  if (!shared.has(name)) shared.set(name, Promise.resolve(exchange));
  return exchange;
}

/** Silence is the error of the check that met it first; to those that share the read it is something missing. */
function failedBefore(error: unknown): never {
  throw error instanceof NoResponse ? new Stop('precondition', error.message) : error;
}

/** Shared by all send methods: trouble ends the check before it validates the response. */
async function deliver(client: Client, spec: RequestSpec): Promise<Exchange> {
  return responseOf(await client.deliver(spec));
}

/** Returns the response if it is usable; ends the check otherwise. */
export function responseOf({ exchange, trouble }: Delivery): Exchange {
  const name = `${exchange.method} ${exchange.target.split('?')[0]}`;
  if (trouble === 'unreachable' && isLost(exchange)) {
    throw new Stop('platform', `${name} got no complete response: ${exchange.problemDetail ?? exchange.problem}`);
  }
  if (trouble === 'unreachable') {
    throw new NoResponse(`${name} got no complete response: ${exchange.problemDetail ?? exchange.problem}`);
  }
  if (trouble === 'interference')
    throw new Stop('interference', `a rate limit rejected ${name} again after the stated wait time`);
  if (trouble === 'platform') {
    const again = exchange.repeatOf === null ? '' : ' each time';
    throw new Stop('platform', `${name} returned ${nameOfResponse(exchange)}${again}`);
  }
  // One root cause is one finding, and that is rule/json's: a web page says nothing about the check.
  if (exchange.operation !== null && isWebPage(exchange)) {
    throw new Stop('precondition', `${name} returned ${exchange.status} with a web page: see rule/json`);
  }
  return exchange;
}

type AboutStatus = Parameters<Probe['expectStatus']>[2];

function expectStatus(ledger: Ledger, exchange: Exchange, expected: readonly number[], about: AboutStatus): boolean {
  const tested = hasStatus(exchange, expected, about);
  return tested === null || ledger.holds(tested.isTrue, tested);
}

function expectRejection(ledger: Ledger, exchange: Exchange, rejection: Rejection): boolean {
  const tested = isRejected(exchange, rejection);
  if (!('doubt' in tested)) return ledger.holds(tested.isTrue, tested);
  ledger.doubt(tested.doubt, tested.message);
  return false;
}
