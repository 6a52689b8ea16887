// Carries requests: paced, recorded, repeated where the contract lets a client repeat, and given up in bounded time.
import { createHash } from 'node:crypto';
import { count } from '../../../src/terminal/count.ts';
import { isEventStream, readEvents, watchForResponse } from '../../exchange/event-stream.ts';
import { type Exchange, isGatewayPage, isLost, type Problem, type SentBody } from '../../exchange/exchange.ts';
import type { Lane, WindowKind } from '../../exchange/lanes.ts';
import { type Decoded, decodeBody, jsonValuesMax, type Read, readJson } from '../../exchange/read-json.ts';
import {
  type BuiltRequest,
  bodyCommand,
  buildRequest,
  type Keys,
  type RequestSpec,
  type Target,
} from '../../exchange/request.ts';
import { readRate } from '../../exchange/stated-limits.ts';
import type { Wire, WireRequest, WireResponse } from '../wire/http.ts';
import type { Deadline, KitClock } from './clock.ts';
import type { Pacer } from './pacer.ts';
import { makeRetryPolicy, type Trouble, troubleOf } from './patience.ts';

/** The last exchange of a request with all its repeats; `trouble` is null when it is a real response. */
export interface Delivery {
  readonly exchange: Exchange;
  readonly trouble: Trouble | null;
}

/** Between the checks and the network. Each exchange and repetition is recorded once and checked by every rule. */
export type Client = ReturnType<typeof makeClient>;

interface Sent {
  readonly exchange: Exchange;
  readonly isUnsent: boolean;
}

/** The callbacks are called for every attempt, repeats included. */
export interface ClientOptions {
  readonly target: Target;
  readonly keys: Keys;
  readonly wire: Wire;
  readonly pacer: Pacer;
  readonly clock: KitClock;
  readonly deadline: Deadline;
  /** Requests keep no distance, so a limiter may reject every second one. */
  readonly isUnpaced?: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly keyHeader?: string | null;
  readonly addresses: readonly string[];
  onExchange(exchange: Exchange): void;
  onWait?(ms: number, why: string): void;
}

/** Characters of a body that the record keeps as text; its hash and size are of the whole. */
const bodyTextMax = 1_000_000;
/** Longer bodies of requests are those of the body cap, and hold nothing to read. */
const sentTextBytesMax = 20_000;
/** Of one run, and of each response after that. */
const runValuesMax = 500_000;
const lateValuesMax = 20_000;

/** Ends the run at once, with the results that it has. */
export class TargetDown extends Error {
  readonly trouble: Trouble;
  constructor(trouble: Trouble) {
    super(
      trouble === 'interference' ? 'the rate limit has rejected every request' : 'the target has stopped responding',
    );
    this.trouble = trouble;
  }
}

/** The run has sent the maximum of its plan: later checks are inconclusive. */
export class RequestsUp extends Error {
  /** Why requests were repeated; null if they were confirmations only. */
  readonly trouble: Trouble | null;
  constructor(requests: number, trouble: Trouble | null) {
    super(`the run has reached its maximum of ${count(requests, 'request')}: select fewer checks with --only`);
    this.trouble = trouble;
  }
}

/** Sends without patience. Numbers the exchanges x1, x2, … in the order in which they left: reports refer to them. */
function makeSender(options: ClientOptions) {
  let [sent, most] = [0, Number.POSITIVE_INFINITY];
  let last: Exchange | null = null;
  let trouble: Trouble | null = null;
  const read = bodyReader();
  /** Throws a `RequestsUp` if fewer requests are left. */
  const reject = (requests: number) => {
    if (sent + requests > most) throw new RequestsUp(most, trouble);
  };
  return {
    async send(request: BuiltRequest, burst: boolean, repeatOf: string | null): Promise<Sent> {
      options.deadline.rejectWait(0);
      reject(1);
      sent += 1;
      const id = `x${sent}`;
      const sentAt = options.clock.now();
      const { origin, path, ...place } = placeOf(request, options);
      const timeoutMs = Math.max(1, options.deadline.leftMs());
      const apiResponse = await options.wire.send({ ...request, ...place, origin, path, timeoutMs });
      const receivedAt = options.clock.now();
      const target = request.mcpEndpoint === undefined ? request.target : path;
      const stamp = { read, id, url: `${origin}${path}`, sentAt, receivedAt, repeatOf, burst };
      const exchange = toExchange({ ...request, target }, apiResponse, stamp);
      options.onExchange(exchange);
      last = exchange;
      if (repeatOf !== null) trouble = troubleOf(exchange) ?? trouble;
      return { exchange, isUnsent: apiResponse.isUnsent };
    },
    /** The last exchange of the run so far, if it is of the REST service and was lost. */
    lastLost: () =>
      last !== null && last.mcpEndpoint !== 'mcp' && (isLost(last) || isGatewayPage(last)) ? last : null,
    /** From now on the run sends so many requests at most, repeats and bursts included; without it there is no end. */
    allow(requests: number) {
      most = requests;
    },
    reject,
    hasRequestsLeft: () => sent < most,
  };
}

/**
 * Repeats a request until its response is usable. The loop ends: each round uses up repetitions, time, or the tolerated
 * losses of an endpoint. A write that the server can have accepted is never repeated.
 */
function makeRepeats(
  options: ClientOptions,
  retryPolicy: ReturnType<typeof makeRetryPolicy>,
  { send: sendOnce, hasRequestsLeft }: ReturnType<typeof makeSender>,
) {
  return async (request: BuiltRequest, first: string | null = null): Promise<Delivery> => {
    const lane = laneOf(request);
    const repeats = { interference: 0, platform: 0, unreachable: 0 };
    let repeatOf = first;
    for (;;) {
      const down = retryPolicy.downBy(request.mcpEndpoint ?? 'rest');
      if (down !== null) throw new TargetDown(down);
      const { exchange, isUnsent }: Sent = await options.pacer.run(lane, () => sendOnce(request, false, repeatOf));
      const rate = readRate(exchange);
      if (rate) options.pacer.learn(lane, rate);
      const trouble = troubleOf(exchange);
      if (trouble === null) return { exchange, trouble };
      if (trouble === 'interference') options.pacer.slowDown();
      const waitMs = retryPolicy.waitFor({ request, exchange, trouble, isUnsent, repeats: repeats[trouble] });
      if (waitMs === null || !hasRequestsLeft() || !options.deadline.allowsWait(waitMs)) return { exchange, trouble };
      repeats[trouble] += 1;
      repeatOf = exchange.id;
      options.onWait?.(waitMs, trouble);
      await options.clock.sleep(waitMs);
    }
  };
}

export function makeClient(options: ClientOptions) {
  const retryPolicy = makeRetryPolicy(options.isUnpaced);
  const sender = makeSender(options);
  const { send: sendOnce, lastLost, allow, reject, hasRequestsLeft } = sender;
  const build = (spec: RequestSpec) => fromAddress(buildRequest(spec, options), options);
  const shotOf = (spec: RequestSpec) => {
    const request = build(spec);
    return { lane: laneOf(request), send: async () => (await sendOnce(request, true, null)).exchange };
  };
  const repeatUntilUsable = makeRepeats(options, retryPolicy, sender);
  /** Sends a request that every service supports, and another one: either the target is down, or one operation. */
  const decideWhetherDown = async (exchange: Exchange) => {
    // An MCP endpoint alone: nothing is sent to the REST service.
    if (options.target.kind === 'mcp' || !hasRequestsLeft()) return;
    const sites = await repeatUntilUsable(build({ operation: 'listSites' }), exchange.id);
    const { trouble } = sites.trouble === 'platform' ? await repeatUntilUsable(build(articles)) : sites;
    retryPolicy.decide('rest', trouble === null || trouble === 'interference', exchange);
  };
  const home = options.target.kind === 'mcp' ? 'mcp' : 'rest';
  return {
    /** Set once the target has stopped responding; nothing is sent any more. */
    isDown: () => retryPolicy.downBy(home),
    /** The first of the requests that were lost in a row; null while nothing is. */
    lostSince: () => retryPolicy.lostSince(home),
    /** Asks once more when the last request of the run was lost. */
    async decideAtEnd() {
      const lost = lastLost();
      if (lost !== null && retryPolicy.downBy('rest') === null) await decideWhetherDown(lost);
    },
    async deliver(spec: RequestSpec): Promise<Delivery> {
      const request = build(spec);
      const delivery = await repeatUntilUsable(request);
      retryPolicy.settle(request, delivery.exchange, delivery.trouble);
      // A lost MCP endpoint says nothing about the REST API.
      if (request.mcpEndpoint === 'mcp') {
        if (delivery.trouble === 'unreachable' && retryPolicy.isDoubtful('mcp'))
          retryPolicy.decide('mcp', false, delivery.exchange);
      } else if (retryPolicy.isDoubtful('rest')) await decideWhetherDown(delivery.exchange);
      return delivery;
    },
    /** One request now, out of pace, nothing repeated. */
    sendNow(spec: RequestSpec) {
      const { lane, send } = shotOf(spec);
      return options.pacer.now(lane, send);
    },
    /** The next so many requests leave without the usual distance, until one of them is blocked. */
    hurry: options.pacer.hurry,
    allow,
    /** All at once, nothing repeated, nothing checked as trouble. */
    async burst(specs: readonly RequestSpec[], quiet: WindowKind | 'none') {
      reject(specs.length);
      const exchanges = await options.pacer.burst(specs.map(shotOf), quiet);
      // Nothing of a burst is repeated; when all of it was lost, the target may be gone.
      const isGone = exchanges.every((exchange) => /platform|unreachable/.test(troubleOf(exchange) ?? ''));
      if (isGone && exchanges[0]) await decideWhetherDown(exchanges[0]);
      return exchanges;
    },
  };
}

function fromAddress(request: BuiltRequest, { addresses }: ClientOptions): BuiltRequest {
  return { ...request, address: request.address ?? addresses[0] ?? null };
}

/** Needs no platform, like sites. */
const articles: RequestSpec = { operation: 'listArticles', params: { limit: 1 } };

/** A base URL can have a path; an MCP endpoint is one fixed URL. */
function placeOf(
  { mcpEndpoint, target }: BuiltRequest,
  { target: { baseUrl, mcpUrl } }: ClientOptions,
): Pick<WireRequest, 'origin' | 'path' | 'watchEvents'> {
  if (mcpEndpoint === undefined)
    return { origin: baseUrl.origin, path: `${baseUrl.pathname.replace(/\/+$/, '')}${target}` };
  if (!mcpUrl) throw new Error('The run has no MCP endpoint; the check must say so in its needs.');
  // A stream can stay open after the requested response.
  return { origin: mcpUrl.origin, path: mcpUrl.pathname, watchEvents: watchForResponse };
}

/** Only valid keys spend a window of theirs: an invalid key is rejected before there is one to spend. */
export function laneOf(request: { address: string | null; key: string }): Lane {
  const spends = request.key === 'good' || request.key === 'second';
  return { address: request.address, key: spends ? request.key : null };
}

/** Data of an exchange that the network layer does not know. */
type Stamp = Pick<Exchange, 'id' | 'url' | 'sentAt' | 'receivedAt' | 'repeatOf' | 'burst'>;

/** The record that every rule reads, without references to socket buffers, so memory stays bounded. */
export function toExchange(
  request: BuiltRequest,
  apiResponse: WireResponse,
  { read, ...stamp }: Stamp & { readonly read: ReturnType<typeof bodyReader> },
): Exchange {
  const decoded = decodeBody(apiResponse.body);
  const { text } = decoded;
  const parsed = read(request, apiResponse, decoded);
  const isCut = isLost(parsed) && apiResponse.status !== 0;
  const { body } = request;
  return {
    ...stamp,
    ...(request.mcpEndpoint === undefined ? {} : { mcpEndpoint: request.mcpEndpoint }),
    ...(request.label === undefined ? {} : { label: request.label }),
    ...(request.confirms === undefined ? {} : { confirms: request.confirms }),
    operation: request.operation,
    method: request.method,
    target: request.target,
    key: request.key,
    address: request.address,
    requestHeaders: request.headers,
    requestBody: sentBody(body),
    // A response that was cut off must not look like one with that status (interpretation R60).
    status: isCut ? 0 : apiResponse.status,
    headers: apiResponse.headers,
    // Decoded again: a part of a text would keep all of it in memory.
    bodyText: text.length <= bodyTextMax ? text : Buffer.from(text.slice(0, bodyTextMax)).toString('utf8'),
    bodyBytes: apiResponse.body.byteLength,
    bodySha256: createHash('sha256').update(apiResponse.body).digest('hex'),
    json: parsed.json,
    problem: parsed.problem,
    problemDetail: isCut ? `${parsed.detail ?? parsed.problem}, after the status ${apiResponse.status}` : parsed.detail,
  };
}

/** `json` is undefined if the body is not JSON; `problem` has the reason. */
type ReadBody = Pick<Read, 'json'> & { readonly problem: Problem; readonly detail: string | null };

/** Reads bodies up to a total size; later ones can hold few values, because the record stays in memory. */
export function bodyReader() {
  let valuesRead = 0;
  return (request: BuiltRequest, apiResponse: WireResponse, { text, fault }: Decoded): ReadBody => {
    if (apiResponse.problem !== 'none')
      return { json: undefined, problem: apiResponse.problem, detail: apiResponse.detail };
    const isStream = request.mcpEndpoint === 'mcp' && isEventStream(apiResponse.headers['content-type']);
    const valuesMax = valuesRead > runValuesMax ? lateValuesMax : jsonValuesMax;
    if (isStream) {
      const { response, values } = readEvents(text, valuesMax);
      valuesRead += values;
      return { json: response, problem: 'none', detail: apiResponse.detail };
    }
    const read = readJson(text, valuesMax);
    valuesRead += read.values;
    // A body that is not JSON has no encoding problem.
    const isRead = read.problem === 'none';
    return { ...read, detail: (isRead ? fault : read.detail) ?? apiResponse.detail };
  };
}

function sentBody(body: Uint8Array | null): SentBody {
  if (body === null) return { text: null, bytes: 0 };
  const bytes = body.byteLength;
  const text = bytes <= sentTextBytesMax ? Buffer.from(body).toString('utf8') : null;
  const command = text !== null && Buffer.from(text).equals(body) ? null : bodyCommand(body);
  return { text, bytes, ...(command === null ? {} : { command }) };
}
