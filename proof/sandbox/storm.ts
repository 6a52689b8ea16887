// Clients that write and read through the proxy while replicas, Redis and connections die. What they saw is held
// against one register for each review, and every acknowledged write has to be there in the end, once, on each replica.
import { Agent, request } from 'node:http';
import { goodKey, googleAccount } from '../rigs/engine.ts';
import { holdPosts, holdRegisters, type Recorded, type Told } from '../shared/record.ts';

const giveUpMs = 10_000;
const reviewsWatched = 5;
const account = `/api/v1/connect/accounts/${googleAccount}`;

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: an answer may hold anything.
  readonly json: any;
}

/** Null when no answer came, or one that is not the mock's. */
function ask(port: number, { method, path, body }: { method: string; path: string; body?: unknown }, agent: Agent) {
  return new Promise<Answer | null>((resolve) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${goodKey}`,
      ...(text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    };
    const asked = request({ port, host: '127.0.0.1', method, path, headers, agent, timeout: giveUpMs }, (incoming) => {
      let whole = '';
      incoming.setEncoding('utf8').on('data', (chunk) => {
        whole += chunk;
      });
      incoming.on('end', () => {
        try {
          resolve({ status: incoming.statusCode ?? 0, json: JSON.parse(whole) });
        } catch {
          resolve(null);
        }
      });
      incoming.on('error', () => resolve(null));
    });
    asked.on('timeout', () => asked.destroy());
    asked.on('error', () => resolve(null));
    asked.end(text);
  });
}

export interface StormResult {
  readonly requests: number;
  readonly answered: number;
  /** Refused by a replica that did nothing. */
  readonly refused: number;
  readonly unknown: number;
  readonly registerOperations: number;
  readonly posts: number;
  /** The first contradiction; null when there is none. */
  readonly failure: string | null;
}

export class Storm {
  readonly #port: number;
  readonly #history: Recorded[] = [];
  readonly #reviews: Readonly<Record<string, string | null>>;
  readonly #clients: Promise<void>[] = [];
  #isOver = false;
  #refused = 0;

  private constructor(port: number, reviews: Readonly<Record<string, string | null>>) {
    this.#port = port;
    this.#reviews = reviews;
  }

  /** `name` makes the texts of this storm its own. */
  static async begin(port: number, { name, clients }: { name: string; clients: number }): Promise<Storm> {
    const agent = new Agent();
    const answer = await ask(port, { method: 'GET', path: `${account}/reviews` }, agent);
    const items: { reviewId: string; replyText?: string }[] = answer?.json.data.reviews ?? [];
    const watched = items.slice(0, reviewsWatched).map((one) => [one.reviewId, one.replyText ?? null] as const);
    const storm = new Storm(port, Object.fromEntries(watched));
    for (let i = 1; i <= clients; i += 1) storm.#clients.push(storm.#play(`${name}-${i}`));
    return storm;
  }

  /** `ports` are those of the replicas themselves. */
  async end(ports: readonly number[]): Promise<StormResult> {
    this.#isOver = true;
    await Promise.all(this.#clients);
    const history = this.#history;
    const counts = { registerOperations: 0, posts: 0 };
    let failure: string | null = null;
    try {
      const posts = await this.#commonPosts(ports);
      counts.registerOperations = holdRegisters(history, this.#reviews);
      counts.posts = holdPosts(history, posts);
    } catch (error) {
      failure = (error as Error).message;
    }
    const unknown = history.filter(({ status }) => status === null).length;
    const answered = history.length - unknown;
    return { requests: history.length + this.#refused, answered, refused: this.#refused, unknown, ...counts, failure };
  }

  async #play(who: string): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ids = Object.keys(this.#reviews);
    for (let turn = 0; !this.#isOver; turn += 1) {
      const text = `${who} ${turn}`;
      const review = ids[(turn * 7 + this.#clients.length) % ids.length] as string;
      const kind = turn % 3;
      if (kind === 0) {
        const path = `${account}/reviews/${encodeURIComponent(review)}/reply`;
        await this.#note({ who, agent }, { method: 'POST', path, body: { text } }, () => ({
          kind: 'reply',
          review,
          text,
        }));
      } else if (kind === 1) {
        await this.#note({ who, agent }, { method: 'GET', path: `${account}/reviews` }, (answer) => this.#read(answer));
      } else {
        await this.#note({ who, agent }, { method: 'POST', path: `${account}/posts`, body: { text } }, (answer) => ({
          kind: 'post',
          postId: answer?.status === 200 ? answer.json.data.postId : null,
        }));
      }
    }
    agent.destroy();
  }

  #read(answer: Answer | null): Told {
    if (answer?.status !== 200) return { kind: 'other' };
    const items: { reviewId: string; replyText?: string }[] = answer.json.data.reviews;
    const texts = new Map(items.map(({ reviewId, replyText }) => [reviewId, replyText ?? null]));
    const known = Object.keys(this.#reviews).map((id) => [id, texts.get(id) ?? null] as const);
    return { kind: 'reviews', texts: Object.fromEntries(known) };
  }

  async #note(
    { who, agent }: { who: string; agent: Agent },
    asked: { method: string; path: string; body?: unknown },
    tell: (answer: Answer | null) => Told,
  ): Promise<void> {
    const calledMs = performance.now();
    const found = await ask(this.#port, asked, agent);
    const returnedMs = performance.now();
    const message: unknown = found?.status === 503 ? found.json.error?.message : undefined;
    if (typeof message === 'string' && message.startsWith('Nothing was done')) {
      this.#refused += 1;
      await new Promise((resolve) => setTimeout(resolve, 20));
      return;
    }
    // A page of the proxy and a replica that does not know are the same: it may have been done.
    const answer = found?.status === 200 ? found : null;
    if (!answer) await new Promise((resolve) => setTimeout(resolve, 20));
    this.#history.push({
      who,
      address: '127.0.0.1',
      key: goodKey,
      calledMs,
      returnedMs: answer ? returnedMs : Number.POSITIVE_INFINITY,
      status: answer?.status ?? null,
      told: tell(answer),
    });
  }

  /** Each replica is asked for one and the same snapshot; throws when they differ. */
  async #commonPosts(ports: readonly number[]): Promise<{ postId: string; text: string }[]> {
    const agent = new Agent();
    const [first = 0] = ports;
    const id = 'storm';
    await ask(first, { method: 'POST', path: '/__admin/snapshots', body: { id } }, agent);
    const found: string[] = [];
    for (const port of ports) {
      const answer = await ask(port, { method: 'GET', path: `/__admin/snapshots/${id}` }, agent);
      found.push(JSON.stringify(answer?.json?.snapshot));
    }
    if (new Set(found).size !== 1) throw new Error('the replicas hold different states');
    const { world } = JSON.parse(found[0] ?? 'null');
    // biome-ignore lint/suspicious/noExplicitAny: the form of a snapshot is the control plane's own.
    const accounts: any[] = world[0].accounts;
    return accounts.find(({ accountId }) => accountId === googleAccount).posts;
  }
}
