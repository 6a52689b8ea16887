// Carries requests: paced, recorded, repeated where the contract lets a client repeat, and given up in bounded time.
import { createHash } from 'node:crypto';
import type { KitClock } from './clock.ts';
import { type Exchange, isAnswered, isLimiterRefusal, isPlatformTrouble } from './exchange.ts';
import { readRate, waitAsTold } from './limiter-words.ts';
import type { Lane, Pacer } from './pacer.ts';
import { type BuiltRequest, buildRequest, type Keys, type RequestSpec } from './request.ts';
import type { WindowKind } from './traffic.ts';
import type { Wire, WireAnswer } from './wire.ts';

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
  burst(specs: readonly RequestSpec[], quiet: WindowKind): Promise<Exchange[]>;
  /** Set once the target has stopped answering; nothing is sent any more. */
  isDown(): Trouble | null;
}

export interface CourierOptions {
  readonly baseUrl: URL;
  readonly keys: Keys;
  readonly wire: Wire;
  readonly pacer: Pacer;
  readonly clock: KitClock;
  readonly headers: Readonly<Record<string, string>>;
  readonly addresses: readonly string[];
  onExchange(exchange: Exchange): void;
  onWait?(ms: number, why: string): void;
}

const LIMITER_REPEATS_MAX = 3;
const PLATFORM_BACK_OFF_MS = [1000, 4000];
const SILENCE_BACK_OFF_MS = [1000];
const GIVEN_UP_MAX = 3;
const BODY_TEXT_MAX = 1_000_000;
const SENT_TEXT_BYTES_MAX = 20_000;

export class TargetDown extends Error {
  readonly trouble: Trouble;
  constructor(trouble: Trouble) {
    super(trouble === 'unreachable' ? 'the target has stopped answering' : 'the limiter has refused every request');
    this.trouble = trouble;
  }
}

export function makeCourier(options: CourierOptions): Courier {
  let sent = 0;
  const givenUp = { interference: 0, platform: 0, unreachable: 0 };

  const isDown = () => {
    if (givenUp.unreachable >= GIVEN_UP_MAX) return 'unreachable';
    return givenUp.interference >= GIVEN_UP_MAX ? 'interference' : null;
  };
  const sendOnce = async (request: BuiltRequest, burst: boolean, repeatOf: string | null): Promise<Exchange> => {
    sent += 1;
    const id = `x${sent}`;
    const sentAt = options.clock.now();
    const path = `${options.baseUrl.pathname.replace(/\/+$/, '')}${request.target}`;
    const { origin } = options.baseUrl;
    const answer = await options.wire.send({ ...request, origin, path });
    const receivedAt = options.clock.now();
    const exchange = toExchange(request, answer, { id, url: `${origin}${path}`, sentAt, receivedAt, repeatOf, burst });
    options.onExchange(exchange);
    return exchange;
  };
  const build = (spec: RequestSpec): BuiltRequest => {
    const request = buildRequest(spec, options.keys, options.headers);
    return { ...request, address: request.address ?? options.addresses[0] ?? null };
  };
  const repeatUntilTold = async (request: BuiltRequest): Promise<Delivery> => {
    const lane = laneOf(request);
    const repeats = { interference: 0, platform: 0, unreachable: 0 };
    let repeatOf: string | null = null;
    for (;;) {
      const down = isDown();
      if (down !== null) throw new TargetDown(down);
      const exchange: Exchange = await options.pacer.run(lane, () => sendOnce(request, false, repeatOf));
      const rate = readRate(exchange);
      if (rate) options.pacer.learn(lane, rate);
      const trouble = troubleOf(exchange);
      const waitMs = trouble === null ? null : waitFor(exchange, trouble, repeats[trouble]);
      if (trouble === null || waitMs === null || !request.repeatable) return { exchange, trouble };
      repeats[trouble] += 1;
      repeatOf = exchange.id;
      options.onWait?.(waitMs, trouble);
      await options.clock.sleep(waitMs);
    }
  };
  const waitFor = (exchange: Exchange, trouble: Trouble, repeats: number): number | null => {
    if (givenUp[trouble] >= GIVEN_UP_MAX) return null;
    if (trouble === 'platform') return PLATFORM_BACK_OFF_MS[repeats] ?? null;
    if (trouble === 'unreachable') return SILENCE_BACK_OFF_MS[repeats] ?? null;
    return repeats < LIMITER_REPEATS_MAX ? waitAsTold(exchange, repeats) : null;
  };
  return {
    isDown,
    async deliver(spec) {
      const delivery = await repeatUntilTold(build(spec));
      if (delivery.trouble === null) givenUp.unreachable = givenUp.interference = givenUp.platform = 0;
      else givenUp[delivery.trouble] += 1;
      return delivery;
    },
    sendNow(spec) {
      const request = build(spec);
      return options.pacer.now(laneOf(request), () => sendOnce(request, true, null));
    },
    burst(specs, quiet) {
      const requests = specs.map(build);
      const shots = requests.map((request) => ({
        lane: laneOf(request),
        send: () => sendOnce(request, true, null),
      }));
      return options.pacer.burst(shots, quiet);
    },
  };
}

export function laneOf(request: { address: string | null; key: string }): Lane {
  const spends = request.key === 'good' || request.key === 'second';
  return { address: request.address, key: spends ? request.key : null };
}

function troubleOf(exchange: Exchange): Trouble | null {
  if (!isAnswered(exchange)) return 'unreachable';
  if (isLimiterRefusal(exchange)) return 'interference';
  return isPlatformTrouble(exchange) ? 'platform' : null;
}

type Stamp = Pick<Exchange, 'id' | 'url' | 'sentAt' | 'receivedAt' | 'repeatOf' | 'burst'>;

function toExchange(request: BuiltRequest, answer: WireAnswer, stamp: Stamp): Exchange {
  const text = answer.body.toString('utf8');
  const parsed = answer.problem === 'none' ? parseJson(text) : { json: undefined, problem: answer.problem };
  const { body } = request;
  return {
    ...stamp,
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
    problemDetail: answer.detail,
  };
}

export function parseJson(text: string): { json: unknown; problem: 'none' | 'not-json' } {
  try {
    return { json: JSON.parse(text), problem: 'none' };
  } catch {
    return { json: undefined, problem: 'not-json' };
  }
}
