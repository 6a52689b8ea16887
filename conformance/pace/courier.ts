// Carries requests: paced, recorded, repeated where the contract lets a client repeat, and given up in bounded time.
import { createHash } from 'node:crypto';
import { type Exchange, isAnswered, isLimiterRefusal, isPlatformTrouble, type Problem } from '../exchange/exchange.ts';
import { type Read, readJson, VALUES_MAX } from '../exchange/read-json.ts';
import { type BuiltRequest, buildRequest, type Keys, type RequestSpec } from '../exchange/request.ts';
import { readRate, waitAsTold } from '../exchange/told-limits.ts';
import { isEventStream, responseIn, watchForResponse } from '../wire/event-stream.ts';
import type { Wire, WireAnswer, WireRequest } from '../wire/http.ts';
import type { KitClock } from './clock.ts';
import type { Lane, WindowKind } from './lanes.ts';
import type { Pacer } from './pacer.ts';

/** Why an answer tells nothing about what was asked. */
export type Trouble = 'interference' | 'platform' | 'unreachable';

export interface Delivery {
  readonly exchange: Exchange;
  readonly trouble: Trouble | null;
}

export interface Courier {
  deliver(spec: RequestSpec): Promise<Delivery>;
  /** One request now, out of pace, nothing repeated. */
  sendNow(spec: RequestSpec): Promise<Exchange>;
  /** All at once, nothing repeated, nothing judged as trouble. */
  burst(specs: readonly RequestSpec[], quiet: WindowKind | 'none'): Promise<Exchange[]>;
  /** Set once the target has stopped answering; nothing is sent any more. */
  isDown(): Trouble | null;
}

export interface CourierOptions {
  readonly baseUrl: URL;
  readonly mcpUrl?: URL | null;
  readonly keys: Keys;
  readonly wire: Wire;
  readonly pacer: Pacer;
  readonly clock: KitClock;
  readonly headers: Readonly<Record<string, string>>;
  readonly addresses: readonly string[];
  onExchange(exchange: Exchange): void;
  onWait?(ms: number, why: string): void;
}

/** Of one run; then whatever refuses a request has the last word. */
export const repeatsMax = 30;
const LIMITER_REPEATS_MAX = 3;
const PLATFORM_BACK_OFF_MS = [1000, 4000];
const SILENCE_BACK_OFF_MS = [1000];
const GIVEN_UP_MAX = 3;
const BODY_TEXT_MAX = 1_000_000;
const SENT_TEXT_BYTES_MAX = 20_000;
/** Of one run, and of each answer after that. */
const RUN_VALUES_MAX = 1_000_000;
const LATE_VALUES_MAX = 20_000;

export class TargetDown extends Error {
  readonly trouble: Trouble;
  constructor(trouble: Trouble) {
    super(trouble === 'unreachable' ? 'the target has stopped answering' : 'the limiter has refused every request');
    this.trouble = trouble;
  }
}

export function makeCourier(options: CourierOptions): Courier {
  let [sent, repeated] = [0, 0];
  const read = bodyReader();
  // A door that is shut says nothing of the other one.
  const givenUpAt = { rest: noTrouble(), mcp: noTrouble() };

  const isDown = (door: keyof typeof givenUpAt = 'rest') => downBy(givenUpAt[door]);
  const sendOnce = async (request: BuiltRequest, burst: boolean, repeatOf: string | null): Promise<Exchange> => {
    sent += 1;
    const id = `x${sent}`;
    const sentAt = options.clock.now();
    const { origin, path, ...place } = placeOf(request, options);
    const answer = await options.wire.send({ ...request, ...place, origin, path });
    const receivedAt = options.clock.now();
    const target = request.door === undefined ? request.target : path;
    const stamp = { read, id, url: `${origin}${path}`, sentAt, receivedAt, repeatOf, burst };
    const exchange = toExchange({ ...request, target }, answer, stamp);
    options.onExchange(exchange);
    return exchange;
  };
  const build = (spec: RequestSpec): BuiltRequest => {
    const request = buildRequest(spec, options.keys, options.headers);
    return { ...request, address: request.address ?? options.addresses[0] ?? null };
  };
  const repeatUntilTold = async (request: BuiltRequest): Promise<Delivery> => {
    const lane = laneOf(request);
    const repeats = noTrouble();
    let repeatOf: string | null = null;
    for (;;) {
      const down = isDown(request.door);
      if (down !== null) throw new TargetDown(down);
      const exchange: Exchange = await options.pacer.run(lane, () => sendOnce(request, false, repeatOf));
      const rate = readRate(exchange);
      if (rate) options.pacer.learn(lane, rate);
      const trouble = troubleOf(exchange);
      const givenUp = givenUpAt[request.door ?? 'rest'];
      const hasRoom = trouble !== null && givenUp[trouble] < GIVEN_UP_MAX && repeated < repeatsMax;
      const waitMs = hasRoom ? waitFor(exchange, trouble, repeats[trouble]) : null;
      if (trouble === null || waitMs === null || !request.repeatable) return { exchange, trouble };
      [repeated, repeats[trouble]] = [repeated + 1, repeats[trouble] + 1];
      repeatOf = exchange.id;
      options.onWait?.(waitMs, trouble);
      await options.clock.sleep(waitMs);
    }
  };
  return {
    isDown,
    async deliver(spec) {
      const delivery = await repeatUntilTold(build(spec));
      const givenUp = givenUpAt[spec.door ?? 'rest'];
      if (delivery.trouble === null) givenUp.unreachable = givenUp.interference = givenUp.platform = 0;
      else givenUp[delivery.trouble] += 1;
      return delivery;
    },
    sendNow(spec) {
      const request = build(spec);
      return options.pacer.now(laneOf(request), () => sendOnce(request, true, null));
    },
    burst(specs, quiet) {
      const send = (request: BuiltRequest) => () => sendOnce(request, true, null);
      const shots = specs.map(build).map((request) => ({ lane: laneOf(request), send: send(request) }));
      return options.pacer.burst(shots, quiet);
    },
  };
}

function placeOf(
  { door, target }: BuiltRequest,
  { baseUrl, mcpUrl }: CourierOptions,
): Pick<WireRequest, 'origin' | 'path' | 'watchEvents'> {
  if (door === undefined) return { origin: baseUrl.origin, path: `${baseUrl.pathname.replace(/\/+$/, '')}${target}` };
  if (!mcpUrl) throw new Error('The run has no MCP door; the check must say so in its needs.');
  // A stream may stay open after the response that was asked for.
  return { origin: mcpUrl.origin, path: mcpUrl.pathname, watchEvents: watchForResponse };
}

function downBy(givenUp: Readonly<Record<Trouble, number>>): Trouble | null {
  if (givenUp.unreachable >= GIVEN_UP_MAX) return 'unreachable';
  return givenUp.interference >= GIVEN_UP_MAX ? 'interference' : null;
}

function noTrouble(): Record<Trouble, number> {
  return { interference: 0, platform: 0, unreachable: 0 };
}

export function laneOf(request: { address: string | null; key: string }): Lane {
  const spends = request.key === 'good' || request.key === 'second';
  return { address: request.address, key: spends ? request.key : null };
}

/** Null when it has been repeated often enough. */
function waitFor(exchange: Exchange, trouble: Trouble, repeats: number): number | null {
  if (trouble === 'platform') return PLATFORM_BACK_OFF_MS[repeats] ?? null;
  if (trouble === 'unreachable') return SILENCE_BACK_OFF_MS[repeats] ?? null;
  return repeats < LIMITER_REPEATS_MAX ? waitAsTold(exchange, repeats) : null;
}

function troubleOf(exchange: Exchange): Trouble | null {
  if (!isAnswered(exchange)) return 'unreachable';
  if (isLimiterRefusal(exchange)) return 'interference';
  return isPlatformTrouble(exchange) ? 'platform' : null;
}

type Reading = { readonly read: ReturnType<typeof bodyReader> };
type Stamp = Pick<Exchange, 'id' | 'url' | 'sentAt' | 'receivedAt' | 'repeatOf' | 'burst'>;

function toExchange(request: BuiltRequest, answer: WireAnswer, { read, ...stamp }: Stamp & Reading): Exchange {
  const text = answer.body.toString('utf8');
  const parsed = read(request, answer, text);
  const { body } = request;
  return {
    ...stamp,
    ...(request.door === undefined ? {} : { door: request.door }),
    operation: request.operation,
    method: request.method,
    target: request.target,
    key: request.key,
    address: request.address,
    requestHeaders: request.headers,
    requestBody: {
      text: body !== null && body.byteLength <= SENT_TEXT_BYTES_MAX ? Buffer.from(body).toString('utf8') : null,
      bytes: body?.byteLength ?? 0,
    },
    status: answer.status,
    headers: answer.headers,
    bodyText: text.slice(0, BODY_TEXT_MAX),
    bodyBytes: answer.body.byteLength,
    bodySha256: createHash('sha256').update(answer.body).digest('hex'),
    json: parsed.json,
    problem: parsed.problem,
    problemDetail: parsed.detail,
  };
}

type ReadBody = Pick<Read, 'json'> & { readonly problem: Problem; readonly detail: string | null };

/** Reads bodies until the run has read its share; from then on each may hold few values, because the record stays in memory. */
function bodyReader() {
  let valuesRead = 0;
  return (request: BuiltRequest, answer: WireAnswer, text: string): ReadBody => {
    if (answer.problem !== 'none') return { json: undefined, problem: answer.problem, detail: answer.detail };
    const isStream = request.door === 'mcp' && isEventStream(answer.headers['content-type']);
    if (isStream) return { json: responseIn(text), problem: 'none', detail: answer.detail };
    const read = readJson(text, valuesRead > RUN_VALUES_MAX ? LATE_VALUES_MAX : VALUES_MAX);
    valuesRead += read.values;
    return { ...read, detail: read.detail ?? answer.detail };
  };
}
