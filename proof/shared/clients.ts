// Clients of the simulation. Each asks one replica after another, waits for an answer or gives up, and writes down what
// it saw.
import { createRandom, hashToUnit, type Random } from '../../src/domain/random.ts';
import type { CoreResponse } from '../../src/http/message.ts';
import { type Asked, goodKey, googleAccount, json, toRequest } from '../rigs/engine.ts';
import type { ReplicaProcess } from './process.ts';
import type { Recorded, Told } from './record.ts';
import type { VirtualTime } from './virtual-time.ts';

/** Longer than a replica lets a request wait. */
const giveUpMs = 12_000;

export interface Field {
  readonly time: VirtualTime;
  readonly seed: number;
  readonly endMs: number;
  /** One of those that run. */
  readonly pick: (chance: Random) => ReplicaProcess;
  readonly history: Recorded[];
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
    this.chance = createRandom(Math.floor(hashToUnit(`${name} ${field.seed}`) * 2 ** 32));
  }

  get isOver(): boolean {
    return this.#field.time.nowMs >= this.#field.endMs;
  }

  /** Whatever rang before the end has settled by then. */
  get isLongOver(): boolean {
    return this.#field.time.nowMs >= this.#field.endMs + 1_800_000;
  }

  wait(ms: number): Promise<void> {
    return this.#field.time.wait(ms);
  }

  /** A text that nobody else ever writes. */
  text(): string {
    this.#count += 1;
    return `${this.#name} ${this.#count}`;
  }

  /** Null when no answer came, or one that leaves open what was done. */
  async ask(
    line: string,
    { base = '/api/v1', ...asked }: Asked & { base?: string } = {},
  ): Promise<CoreResponse | null> {
    const { time, pick } = this.#field;
    const headers = { 'x-forwarded-for': this.#address };
    const request = toRequest(line, base, { key: base === '/api/v1' ? goodKey : null, headers, ...asked });
    const process = pick(this.chance);
    await time.wait(1 + this.chance.below(5));
    const answer = await new Promise<CoreResponse | null>((resolve) => {
      process.ask(request).then(resolve, () => resolve(null));
      time.after(giveUpMs, () => resolve(null));
    });
    await time.wait(1 + this.chance.below(5));
    return answer && isOpen(answer) ? null : answer;
  }

  /** Asks and writes it down. */
  async note(line: string, asked: Asked, tell: (answer: CoreResponse | null) => Told): Promise<CoreResponse | null> {
    const { time, history } = this.#field;
    const calledMs = time.nowMs;
    const answer = await this.ask(line, asked);
    const returnedMs = answer ? time.nowMs : Number.POSITIVE_INFINITY;
    // A replica that is behind has not put the request into the log.
    if (answer && isUndone(answer)) return answer;
    const { status = null } = answer ?? {};
    const key = goodKey;
    history.push({ who: this.#name, address: this.#address, key, calledMs, returnedMs, status, told: tell(answer) });
    return answer;
  }

  get #address(): string {
    return `203.0.113.${this.#name}`;
  }
}

function messageOf(answer: CoreResponse): string {
  return answer.status === 503 ? String(json(answer).error?.message) : '';
}

/** The replica says that it does not know. */
function isOpen(answer: CoreResponse): boolean {
  return messageOf(answer).startsWith('It is not known');
}

function isUndone(answer: CoreResponse): boolean {
  return messageOf(answer).startsWith('Nothing was done');
}

/** Mostly quick, with long rests between. */
async function rest(client: Client): Promise<void> {
  const { chance } = client;
  await client.wait(chance.below(4) === 0 ? chance.below(1_800_000) : chance.below(3_000));
}

const page = `GET /connect/accounts/${googleAccount}/reviews`;

/** Writes replies and reads them. */
export async function replier(client: Client, { reviews }: Field): Promise<void> {
  while (!client.isOver) {
    await rest(client);
    const review = reviews[client.chance.below(reviews.length)] as string;
    if (client.chance.below(2) === 0) {
      const text = client.text();
      const line = `POST /connect/accounts/${googleAccount}/reviews/${encodeURIComponent(review)}/reply`;
      await client.note(line, { body: { text } }, () => ({ kind: 'reply', review, text }));
    } else await client.note(page, {}, (answer) => readReviews(answer, reviews));
  }
}

function readReviews(answer: CoreResponse | null, reviews: readonly string[]): Told {
  if (answer?.status !== 200) return { kind: 'other' };
  const items: { reviewId: string; replyText?: string }[] = json(answer).data.reviews;
  const texts = new Map(items.map(({ reviewId, replyText }) => [reviewId, replyText ?? null]));
  return { kind: 'reviews', texts: Object.fromEntries(reviews.map((id) => [id, texts.get(id) ?? null])) };
}

export async function poster(client: Client): Promise<void> {
  while (!client.isOver) {
    await rest(client);
    await client.note(`POST /connect/accounts/${googleAccount}/posts`, { body: { text: client.text() } }, (answer) => ({
      kind: 'post',
      postId: answer?.status === 200 ? json(answer).data.postId : null,
    }));
  }
}

/** More requests at once than a window takes, at whichever replica. */
export async function burster(client: Client): Promise<void> {
  while (!client.isOver) {
    await client.wait(60_000 + client.chance.below(3_600_000));
    const burst = Array.from({ length: 14 }, () => client.note('GET /sites', {}, () => ({ kind: 'other' })));
    await Promise.all(burst);
  }
}

/** Lets telephones ring, and disturbs a little. */
export async function operator(client: Client, { movesClock }: { movesClock: boolean }): Promise<void> {
  const admin = (line: string, body: unknown) => client.ask(line, { base: '/__admin', body, headers: {} });
  while (!client.isOver) {
    await client.wait(client.chance.below(1_200_000));
    const durationS = client.chance.below(120);
    await admin('POST /calls', { durationS });
    if (client.chance.below(4) === 0)
      await admin('POST /faults', { match: { operation: 'listSites' }, error: 'transient', times: 2 });
    if (client.chance.below(8) === 0) await admin('POST /snapshots', { id: 'kept' });
    if (movesClock && client.chance.below(6) === 0) await admin('POST /clock/advance', { duration: '7m' });
  }
}

/** Polls as section 6 has it, and keeps what it was told in its order. Cites 6.*. */
export async function poller(client: Client, since: string): Promise<string[]> {
  const calls: string[] = [];
  let next = since;
  let quietSinceEnd = 0;
  while (quietSinceEnd < 2) {
    const answer = await client.ask(`GET /connect/calls/log?since=${encodeURIComponent(next)}&limit=7`);
    const { calls: found = [], nextCursor = null } = answer?.status === 200 ? json(answer).data : {};
    for (const { id } of found) calls.push(id);
    if (nextCursor !== null) next = nextCursor;
    if (client.isLongOver && answer?.status === 200 && nextCursor === null) quietSinceEnd += 1;
    await client.wait(found.length === 7 ? 1000 : 60_000 + client.chance.below(600_000));
  }
  return calls;
}
