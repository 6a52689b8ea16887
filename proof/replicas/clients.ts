// Clients of several replicas, virtual or real. Each uses one replica after another, waits for a response or gives up,
// and records the result.

import { googleAccount } from '../../fixtures/test-kit/engine.ts';
import { createRandom, hashToUnit, type Random } from '../../src/domain/random.ts';
import type { Outcome, Recorded } from './history.ts';

export interface HttpResponse {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a response may hold anything.
  readonly json: any;
}

/** `line` is a method and a path below the API, or one of the admin API. */
export type Sent = { readonly line: string; readonly body?: unknown };

/** The world of the clients: time, and a way to some replica. */
export interface Field {
  readonly seed: number;
  now(): number;
  wait(ms: number): Promise<void>;
  isOver(): boolean;
  /** Whether all calls that rang have settled. */
  isSettled(): boolean;
  /** Whether clients rest between two requests: a simulation has hours, a storm has seconds. */
  readonly rests: boolean;
  /** Null where no response came. */
  send(sent: Sent, from: { readonly address: string; readonly chance: Random }): Promise<HttpResponse | null>;
  readonly history: Recorded[];
  /** The reviews that repliers reply to. */
  readonly reviews: readonly string[];
}

export class Client {
  readonly #field: Field;
  readonly #name: string;
  readonly chance: Random;
  #count = 0;

  constructor(name: string, field: Field) {
    this.#name = name;
    this.#field = field;
    this.chance = randomOf(name, field.seed);
  }

  text(): string {
    this.#count += 1;
    return `${this.#name} ${this.#count}`;
  }

  /** Null when no response came, or one that leaves open if the request was carried out. */
  async ask(sent: Sent): Promise<HttpResponse | null> {
    const address = `203.0.113.${this.#name}`;
    const response = await this.#field.send(sent, { address, chance: this.chance });
    return response && messageOf(response).startsWith('It is not known') ? null : response;
  }

  async note(sent: Sent, outcomeOf: (response: HttpResponse | null) => Outcome): Promise<void> {
    const { history, now } = this.#field;
    const calledMs = now();
    const response = await this.ask(sent);
    const returnedMs = response ? now() : Number.POSITIVE_INFINITY;
    // A lagging replica has not put the request into the log.
    if (response && messageOf(response).startsWith('Nothing was done')) return;
    const status = response?.status ?? null;
    history.push({ who: this.#name, calledMs, returnedMs, status, outcome: outcomeOf(response) });
  }

  /** Mostly quick, with long rests between. */
  async rest(): Promise<void> {
    const { chance } = this;
    const ms = chance.below(4) === 0 ? chance.below(1_800_000) : chance.below(3_000);
    await this.#field.wait(this.#field.rests ? ms : 0);
  }
}

/** The same for the same name and seed. */
export function randomOf(name: string, seed: number): Random {
  return createRandom(Math.floor(hashToUnit(`${name} ${seed}`) * 2 ** 32));
}

function messageOf({ status, json }: HttpResponse): string {
  return status === 503 ? String(json.error?.message) : '';
}

const account = `/connect/accounts/${googleAccount}`;

export async function replier(client: Client, { reviews, isOver }: Field): Promise<void> {
  while (!isOver()) {
    await client.rest();
    const review = reviews[client.chance.below(reviews.length)] as string;
    if (client.chance.below(2) === 0) {
      const text = client.text();
      const line = `POST ${account}/reviews/${encodeURIComponent(review)}/reply`;
      await client.note({ line, body: { text } }, () => ({ kind: 'reply', review, text }));
    } else await client.note({ line: `GET ${account}/reviews` }, (response) => readReviews(response, reviews));
  }
}

function readReviews(response: HttpResponse | null, reviews: readonly string[]): Outcome {
  if (response?.status !== 200) return { kind: 'other' };
  const items: { reviewId: string; replyText?: string }[] = response.json.data.reviews;
  const texts = new Map(items.map(({ reviewId, replyText }) => [reviewId, replyText ?? null]));
  return { kind: 'reviews', texts: Object.fromEntries(reviews.map((id) => [id, texts.get(id) ?? null])) };
}

export async function poster(client: Client, { isOver }: Field): Promise<void> {
  while (!isOver()) {
    await client.rest();
    await client.note({ line: `POST ${account}/posts`, body: { text: client.text() } }, (response) => ({
      kind: 'post',
      postId: response?.status === 200 ? response.json.data.postId : null,
    }));
  }
}

/** More concurrent requests than a window admits, at any replica. */
async function burster(client: Client, { isOver, wait }: Field): Promise<void> {
  while (!isOver()) {
    await wait(60_000 + client.chance.below(3_600_000));
    await Promise.all(Array.from({ length: 14 }, () => client.note({ line: 'GET /sites' }, () => ({ kind: 'other' }))));
  }
}

/** Lets telephones ring, and disturbs a little. */
async function operator(client: Client, { isOver, wait }: Field): Promise<void> {
  const { chance } = client;
  const admin = (path: string, body: unknown) => client.ask({ line: `POST /__admin${path}`, body });
  while (!isOver()) {
    await wait(chance.below(1_200_000));
    await admin('/calls', { durationS: chance.below(120) });
    if (chance.below(4) === 0)
      await admin('/faults', { match: { operation: 'listSites' }, error: 'transient', times: 2 });
    if (chance.below(6) === 0) await admin('/clock/advance', { duration: '7m' });
  }
}

/** Polls as section 6 has it until nothing comes any more, and keeps the calls in their order. Cites 6.*. */
export async function poller(client: Client, { wait, isSettled }: Field, since: string): Promise<string[]> {
  const calls: string[] = [];
  let next = since;
  for (let quiet = 0; quiet < 2; ) {
    const response = await client.ask({ line: `GET /connect/calls/log?since=${encodeURIComponent(next)}&limit=7` });
    const { calls: found = [], nextCursor = null } = response?.status === 200 ? response.json.data : {};
    for (const { id } of found) calls.push(id);
    if (nextCursor !== null) next = nextCursor;
    if (isSettled() && response?.status === 200 && nextCursor === null) quiet += 1;
    await wait(found.length === 7 ? 1000 : 60_000 + client.chance.below(600_000));
  }
  return calls;
}

/** Those that play until the end of a simulation, in addition to pollers. */
export function startClients(field: Field): Promise<void>[] {
  return [replier, replier, replier, poster, burster, operator].map((play, i) =>
    play(new Client(`${i + 1}`, field), field),
  );
}
