// Clients as generators: each yields what it does next, a request or a wait, and is given the exchange that came of it.
import type { Random } from '../../src/domain/random.ts';
import { type Exchange, forcedFault, isBlocked, isLost, type Sent } from './exchange.ts';
import type { KnownOrganization, Ledger } from './ledger.ts';

/** Clients never wait in real time: a wait is a number that the run adds to its clock. */
export type Move = { readonly waitMs: number } | { readonly send: Sent };

/** A client's program. As a generator it is written straight down, and still the run decides who goes next. */
export type Life<Result = void> = Generator<Move, Result, Exchange>;

/** What a client may see: never the mock itself. */
export interface Stage {
  readonly ledger: Ledger;
  /** This client's own chance: taking one client away changes nothing for the others. */
  readonly chance: Random;
  /** The mock's clock. */
  readonly nowMs: () => number;
  readonly sent: (draft: Draft) => Sent;
}

/** A request as its client means it; `draw` makes the whole of it. */
export interface Draft {
  readonly operation: Sent['operation'];
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the base path; a whole path where the operation is null. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  /** Of the client itself when absent; null for none. */
  readonly key?: string | null;
  readonly address?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One part in a run. Its address is the name under which the mock judges it. */
export interface Client {
  readonly name: string;
  readonly key: string | null;
  readonly address: string;
  /** Whether it keeps to sections 6 and 7 to the letter, so that the mock must never accuse it. */
  readonly polite: boolean;
  readonly life: (stage: Stage) => Life;
}

/** Who plays a client: an organization with its key, at an address. */
export interface Cast extends Pick<Client, 'key' | 'address'> {
  readonly organization: KnownOrganization;
  /** Another organization, whose records the client asks for without success; absent in a world with one. */
  readonly other?: KnownOrganization | undefined;
}

export function* pause(waitMs: number): Life {
  yield { waitMs };
}

export const secondMs = 1000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;

/** A whole number of milliseconds within bounds. */
export function between(chance: Random, minMs: number, maxMs: number): number {
  return minMs + chance.below(maxMs - minMs + 1);
}

/** The same chances on every machine; `items` must not be empty. */
export function pick<Item>(chance: Random, items: readonly Item[]): Item {
  return items[chance.below(items.length)] as Item;
}

/** Sends once, whatever comes. */
export function* once(stage: Stage, draft: Draft): Life<Exchange> {
  return yield { send: stage.sent(draft) };
}

/**
 * Sends until there is an answer of the mock's own: waits as a limiter told, backs off where the platform fails. Null
 * when the answer was lost, was an error that somebody ordered, or did not come in six attempts. Cites 7.retry.*.
 */
export function* politely(stage: Stage, draft: Draft): Life<Exchange | null> {
  for (let attempt = 0; attempt < 6; attempt += 1) {
    const answer = yield* once(stage, draft);
    if (isLost(answer)) return null;
    if (answer.response.status === 200) return answer;
    if (isBlocked(answer)) yield* pause(toldMs(answer, stage));
    else if ([429, 502, 503].includes(answer.response.status))
      yield* pause((2000 << attempt) + stage.chance.below(1000));
    else return forcedFault(answer) === null ? answer : null;
  }
  return null;
}

/** How long a blocked client waits. Cites 7.retry.retry-after, 7.retry.whole-seconds. */
function toldMs({ response: { headers } }: Exchange, { nowMs }: Stage): number {
  const seconds = headers['retry-after'];
  if (seconds !== undefined) return Number(seconds) * secondMs;
  return Math.max(secondMs, Number(headers['x-ratelimit-reset']) - nowMs());
}
