// Clients as generators: each yields its next step, a request or a wait, and is given the exchange that came of it.
import type { Random } from '../../src/domain/random.ts';
import type { CoreRequest } from '../../src/http/message.ts';
import { type Exchange, forcedFault, isBlocked, isLost, type Sent } from './exchange.ts';
import type { KnownOrganization, Ledger } from './ledger.ts';

/** Clients never wait in real time: a wait is a number that the run adds to its clock. */
export type Move = { readonly waitMs: number } | { readonly send: Sent };

/** A client's program. As a generator it is sequential code, and the run still decides which client is next. */
export type Session<Result = void> = Generator<Move, Result, Exchange>;

/** The view of a client: never the mock itself. */
export interface Context {
  readonly ledger: Ledger;
  /** This client's own random values: taking one client away changes nothing for the others. */
  readonly chance: Random;
  /** The mock's clock. */
  readonly nowMs: () => number;
  readonly sent: (draft: Draft) => Sent;
}

/** A request as its client means it; `draw` makes the whole of it. */
export interface Draft {
  readonly operation: Sent['operation'];
  readonly method?: string;
  /** Below the base path; a whole path where the operation is null. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  /** Of the client itself when absent; null for none. */
  readonly key?: string | null;
  readonly address?: string;
}

/** One part in a run. Its address is the name under which the mock checks it. */
export interface Client {
  readonly name: string;
  readonly key: string | null;
  readonly address: string;
  /** Whether it follows sections 6 and 7 exactly, so the mock must report no violation. */
  readonly polite: boolean;
  readonly session: (ctx: Context) => Session;
}

/** The identity of a client: an organization with its key, at an address. */
export interface Identity extends Pick<Client, 'key' | 'address'> {
  readonly organization: KnownOrganization;
}

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;

export function* pause(waitMs: number): Session {
  yield { waitMs };
}

/** Does one thing after another, with pauses between so many minutes. */
export function repeat(fromMinutes: number, toMinutes: number, act: (ctx: Context) => Session): Client['session'] {
  return function* (ctx) {
    for (;;) {
      yield* pause(between(ctx.chance, fromMinutes * minuteMs, toMinutes * minuteMs));
      yield* act(ctx);
    }
  };
}

/** A whole number of milliseconds within bounds. */
export function between(chance: Random, minMs: number, maxMs: number): number {
  return minMs + chance.below(maxMs - minMs + 1);
}

/** The same choices on every machine; `items` must not be empty. */
export function pick<Item>(chance: Random, items: readonly Item[]): Item {
  return items[chance.below(items.length)] as Item;
}

export function* once(ctx: Context, draft: Draft): Session<Exchange> {
  return yield { send: ctx.sent(draft) };
}

/**
 * Sends until there is a response of the mock's own: waits as a limiter says, backs off where the platform fails. Null
 * when the response was lost, was ordered, or did not come in six attempts. Cites 7.retry.*.
 */
export function* politely(ctx: Context, draft: Draft): Session<Exchange | null> {
  for (let attempt = 0; attempt < 6; attempt += 1) {
    const response = yield* once(ctx, draft);
    const { status, headers } = response.response;
    if (isLost(response)) return null;
    if (status === 200) return response;
    if (isBlocked(response)) {
      // Cites 7.retry.retry-after, 7.retry.whole-seconds.
      const resetMs = Number(headers['x-ratelimit-reset']) - ctx.nowMs();
      yield* pause(
        headers['retry-after'] === undefined ? Math.max(1000, resetMs) : Number(headers['retry-after']) * 1000,
      );
    } else if ([429, 502, 503].includes(status)) yield* pause((2000 << attempt) + ctx.chance.below(1000));
    else return forcedFault(response) === null ? response : null;
  }
  return null;
}

/** The admin API rejects unknown host names, so requests to it name this machine. */
export function draw(client: Client, draft: Draft): Sent {
  const { operation, method = 'GET', path, query = {}, body, key = client.key, address = client.address } = draft;
  // Addresses of the crowd come through a proxy on this machine.
  const isRelayed = address.startsWith('198.51.100.');
  const request: CoreRequest = {
    method,
    path: operation === null ? path : `/api/v1${path}`,
    query: Object.entries(query)
      .flatMap(([name, value]) => (value === undefined ? [] : `${name}=${encodeURIComponent(value)}`))
      .join('&'),
    headers: {
      host: path.startsWith('/__admin') ? '127.0.0.1' : 'casa.example',
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(isRelayed ? { 'x-forwarded-for': address } : {}),
    },
    // A text is sent as is, so a draft can be broken JSON.
    body: toBytes(body),
    peer: isRelayed ? '127.0.0.1' : address,
    origin: 'http://casa.example',
  };
  return { operation, request };
}

function toBytes(body: unknown): Uint8Array | null {
  if (body === undefined) return null;
  if (body instanceof Uint8Array) return body;
  return new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
}
