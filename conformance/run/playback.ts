// A recorded run again, offline: its exchanges replace the network, and its times replace the clock. With the same
// inputs a run sends the same requests, so each request must be the recorded one.

import type { Keys } from '../exchange/request.ts';
import { type KitClock, systemClock } from '../pace/clock.ts';
import type { Pacer } from '../pace/pacer.ts';
import type { Redact, Secret } from '../report/redact.ts';
import { numberOf, type RunInputs, type StoredExchange } from '../report/report.ts';
import type { Wire, WireRequest, WireResponse } from '../wire/http.ts';

export interface RecordedRequests {
  /** In the order in which the responses arrived. */
  readonly exchanges: readonly StoredExchange[];
  readonly inputs: RunInputs;
  /** Called when a request would follow the last recorded one. */
  readonly onEnd?: () => void;
}

/** Rate limits of the contract never delay a request for longer. */
const longestWaitMs = 120_000;

interface Playback {
  readonly clock: KitClock;
  readonly wire: Wire;
  pacer(onWait: (ms: number) => void): Pacer;
  /** The next time that the run has read. */
  readTime(): number;
  divergence(): string | null;
}

/** Problems without a complete response come from the network; the others are found in the body again. */
const readAgain = new Set(['none', 'not-json', 'bad-encoding']);

export function makePlayback(
  { exchanges, inputs: { times }, onEnd }: RecordedRequests,
  { redact, secrets }: { readonly redact: Redact; readonly secrets: readonly Secret[] },
): Playback {
  const sent = [...exchanges].sort((a, b) => numberOf(a) - numberOf(b));
  const repeated = new Set(exchanges.map(({ repeatOf }) => repeatOf));
  const arrival = new Map(exchanges.map((exchange, index) => [exchange, index]));
  const waiting: { exchange: StoredExchange; arrive(): void }[] = [];
  let [next, reading, time] = [0, 0, times[0] ?? 0];
  let divergence: string | null = null;
  const restore = makeRestore(secrets);
  const { turn } = systemClock();

  /** One response in each turn of the event loop: first comes everything that follows from it. */
  const arriveInTurn = async (): Promise<void> => {
    await turn();
    waiting.sort((a, b) => (arrival.get(a.exchange) ?? 0) - (arrival.get(b.exchange) ?? 0));
    waiting.shift()?.arrive();
    if (waiting.length > 0) return arriveInTurn();
  };
  const diverge = (sentence: string): never => {
    divergence ??= sentence;
    throw new Error(divergence);
  };
  const wire: Wire = {
    async send(request) {
      if (divergence !== null) return diverge(divergence);
      const name = `${request.method} ${request.path}`;
      const exchange = sent[next];
      next += 1;
      if (exchange === undefined) return diverge(`the run also sends ${name}, which is not recorded`);
      if (!isSame(request, exchange, redact))
        return diverge(`the run sends ${name} where ${exchange.id} is ${exchange.method} ${exchange.target}`);
      return new Promise((resolve) => {
        if (waiting.length === 0) void arriveInTurn();
        const arrive = () => {
          time = exchange.receivedAt;
          resolve(responseOf(exchange, restore, repeated.has(exchange.id)));
        };
        waiting.push({ exchange, arrive });
      });
    },
    close: () => undefined,
  };
  const leave = <T>(send: () => Promise<T>): Promise<T> => {
    time = sent[next]?.sentAt ?? time;
    return send();
  };
  return {
    clock: {
      now: () => time,
      sleep: async (ms) => {
        time += Math.max(0, ms);
      },
    },
    wire,
    pacer(onWait) {
      // The last wait of a run that was stopped, or ended by its time limit, has no request after it.
      const wait = () => {
        if (next < sent.length) return;
        onEnd?.();
        onWait(longestWaitMs);
      };
      return serialPacer(leave, wait);
    },
    readTime() {
      time = times[reading] ?? time;
      reading += 1;
      return time;
    },
    divergence: () =>
      divergence ?? (next < sent.length ? `the run does not send ${sent[next]?.id}, which is recorded` : null),
  };
}

type Leave = <T>(send: () => Promise<T>) => Promise<T>;

/** Requests leave in order and at once, because their times are known. */
function serialPacer(leave: Leave, wait: () => unknown): Pacer {
  let queue: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(task: () => Promise<T>): Promise<T> => {
    const turn = queue.then(task, task);
    queue = turn.catch(() => undefined);
    return turn;
  };
  const paced = <T>(task: () => Promise<T>) =>
    inTurn(async () => {
      wait();
      return task();
    });
  return {
    run: (_lane, send) => paced(() => leave(send)),
    burst: (shots) => paced(() => Promise.all(shots.map(({ send }) => leave(send)))),
    now: (_lane, send) => inTurn(() => leave(send)),
    hurry: () => undefined,
    slowDown: () => undefined,
    learn: () => undefined,
    recall: () => undefined,
    recent: () => [],
  };
}

/** Compares the request as the report shows it. */
function isSame({ method, origin, path, headers, body }: WireRequest, exchange: StoredExchange, redact: Redact) {
  const { requestHeaders, requestBody } = exchange;
  const names = Object.keys(headers);
  return (
    method === exchange.method &&
    redact(`${origin}${path}`) === exchange.url &&
    names.length === Object.keys(requestHeaders).length &&
    names.every((name) => redact(headers[name] ?? '') === requestHeaders[redact(name)]) &&
    (body?.byteLength ?? 0) === requestBody.bytes &&
    (requestBody.text === null || redact(Buffer.from(body ?? []).toString('utf8')) === redact(requestBody.text))
  );
}

function responseOf(exchange: StoredExchange, restore: Restore, isRepeated: boolean): WireResponse {
  const { status, headers, problem, problemDetail } = exchange;
  return {
    status,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, restore(value)])),
    body: bytesOf(exchange, restore(exchange.bodyText ?? '')),
    problem: readAgain.has(problem) ? 'none' : problem,
    detail: problemDetail,
    // A write is repeated only if it has not left.
    isUnsent: isRepeated && !readAgain.has(problem),
  };
}

/** The bytes that the text was decoded from, as far as its encoding is known. */
function bytesOf({ bodyBytes, problemDetail }: StoredExchange, text: string): Buffer {
  const plain = Buffer.from(text);
  if (problemDetail === null || plain.byteLength === bodyBytes) return plain;
  const marked = `\ufeff${text}`;
  const forms = [Buffer.from(marked), Buffer.from(text, 'utf16le'), Buffer.from(marked, 'utf16le')];
  return forms.find(({ byteLength }) => byteLength === bodyBytes) ?? plain;
}

type Restore = (text: string) => string;

/** Replaces the placeholders with the stand-ins. */
function makeRestore(secrets: readonly Secret[]): Restore {
  const longestFirst = [...secrets].sort((a, b) => b.placeholder.length - a.placeholder.length);
  return (text) =>
    text.includes('$')
      ? longestFirst.reduce((all, { placeholder, value }) => all.replaceAll(placeholder, () => value), text)
      : text;
}

/** Keys with the prefixes and forms of the real keys, and without their secret parts. */
export function standInsFor({ good, second, revoked }: Keys): Keys {
  return {
    good: standIn(good, ['a1', '1']),
    ...(second === undefined ? {} : { second: standIn(second, ['b2', '2']) }),
    ...(revoked === undefined ? {} : { revoked: standIn(revoked, ['c3', '3']) }),
  };
}

/** The last digit decides how a key is altered. */
function standIn(key: string, [mixed, digits]: readonly [mixed: string, digits: string]): string {
  const [, prefix = '', body = ''] = /^([^_]*_)?(.*)$/s.exec(key) ?? [];
  const fill = (/[a-z]/i.test(body) ? mixed : digits).repeat(body.length).slice(0, Math.max(0, body.length - 1));
  return `${prefix}${fill}${body.endsWith('0') ? '0' : '1'}`;
}
