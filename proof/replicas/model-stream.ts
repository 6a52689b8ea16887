// A stream like in Redis, and the network before it. Data that was sent over a closed connection can still arrive, much
// later; a response can be lost after the request was executed. One connection keeps the order.
import type { Random } from '../../src/domain/random.ts';
import {
  AppendRejected,
  entriesAtOnce,
  type KeptCheckpoint,
  type LogConnection,
  type LogEntry,
} from '../../src/replicas/log.ts';

/** How a process hears of something: later when it is paused, never when it is dead. */
export type Deliver = (act: () => void) => void;

/** Longer than the blocking reads of a real Redis, so idle hours cost little. */
const blockMs = 25_000;

export class ModelStream {
  readonly time: VirtualTime;
  readonly chance: Random;
  /** Number of replicas; each has a separate name. */
  replicas = 0;
  entries: LogEntry[] = [];
  checkpoint: KeptCheckpoint | null = null;
  isDown = false;
  /** Connections like to break while something is under way. */
  isFlaky = false;
  /** No entry is taken, as by a Redis whose memory is full. */
  isFull = false;
  #last: readonly [ms: number, n: number] = [0, 0];
  readonly #waiting = new Set<() => void>();
  readonly connections = new Set<ModelConnection>();

  constructor(time: VirtualTime, chance: Random) {
    this.time = time;
    this.chance = chance;
  }

  open(deliver: Deliver): Promise<LogConnection> {
    const connection = connectionTo(this, deliver);
    return new Promise((resolve, reject) => {
      this.time.after(this.latencyMs(), () =>
        deliver(() => {
          if (this.isDown) return reject(new Error('connection rejected'));
          this.connections.add(connection);
          resolve(connection);
        }),
      );
    });
  }

  latencyMs(): number {
    return this.chance.below(20) === 0 ? this.chance.below(200) : 1 + this.chance.below(3);
  }

  /** Cuts the connections for which `which` holds. */
  cut(which: (deliver: Deliver) => boolean = () => true): void {
    for (const connection of [...this.connections]) if (which(connection.deliver)) connection.close();
  }

  append(text: string): void {
    if (this.entries.length === 0) throw new Error('the log is gone');
    this.add(text);
  }

  add(text: string): void {
    if (this.isFull) throw new AppendRejected('OOM command not allowed');
    const [ms, n] = this.#last;
    this.#last = this.time.nowMs > ms ? [this.time.nowMs, 0] : [ms, n + 1];
    this.entries.push({ id: this.#last.join('-'), text });
    for (const wake of [...this.#waiting]) wake();
  }

  /** Without a disk, as a server loses it with a restart. */
  loseEverything(): void {
    this.entries = [];
    this.checkpoint = null;
    this.cut();
  }

  /** Calls back when there is something new, or after a while. */
  wait(act: () => void): void {
    const wake = () => {
      callOff();
      if (this.#waiting.delete(wake)) act();
    };
    const callOff = this.time.after(blockMs, wake);
    this.#waiting.add(wake);
  }

  after(last: LogEntry | null): readonly LogEntry[] | 'gone' {
    if (last === null) return this.entries.slice(0, entriesAtOnce);
    const index = this.entries.findLastIndex(({ id }) => id === last.id);
    if (this.entries[index]?.text !== last.text) return 'gone';
    return this.entries.slice(index + 1, index + 1 + entriesAtOnce);
  }

  /** Of an older checkpoint than the one that is kept, the entry is gone. */
  keep(checkpoint: KeptCheckpoint): void {
    const at = this.entries.findIndex(({ id }) => id === checkpoint.at);
    if (at === -1) return;
    this.checkpoint = checkpoint;
    this.entries.splice(0, at);
  }

  /** As a disk that was not synced loses the last entries with the power. */
  loseEnd(count: number): void {
    this.entries.splice(Math.max(1, this.entries.length - count));
    this.cut();
  }
}

type ModelConnection = LogConnection & { readonly deliver: Deliver };

function connectionTo(stream: ModelStream, deliver: Deliver): ModelConnection {
  const { chance, time } = stream;
  let isBroken = false;
  let arrivesAtMs = 0;
  /** To the stream, in order. */
  let underway: (() => void)[] = [];
  const open = new Set<(error: Error) => void>();
  const send = (carryOut: () => void) => {
    if (stream.isFlaky && chance.below(30) === 0) time.after(chance.below(8), connection.close);
    underway.push(carryOut);
    arrivesAtMs = Math.max(arrivesAtMs, time.nowMs + stream.latencyMs());
    time.after(arrivesAtMs - time.nowMs, () => {
      if (!isBroken) underway.shift()?.();
    });
  };
  /** Executes on arrival; the result is returned later, if the connection is still open. */
  const ask = <T>(carryOut: (response: (result: () => T) => void) => void) =>
    new Promise<T>((resolve, reject) => {
      if (isBroken) return reject(new Error('connection lost'));
      open.add(reject);
      const response = (result: () => T): void => {
        const end = attempt(result, resolve, reject);
        if (isBroken) return;
        time.after(stream.latencyMs(), () => {
          if (open.delete(reject)) deliver(end);
        });
      };
      send(() => carryOut(response));
    });
  const connection: ModelConnection = {
    deliver,
    begin: (text) => ask((response) => response(() => stream.add(text))),
    append: (text) => ask((response) => response(() => stream.append(text))),
    read: (after, waits) =>
      ask((response) => {
        const found = stream.after(after);
        if (!waits || found === 'gone' || found.length > 0) response(() => found);
        else stream.wait(() => response(() => stream.after(after)));
      }),
    checkpoint: () => ask((response) => response(() => stream.checkpoint)),
    keep: (checkpoint) => ask((response) => response(() => stream.keep(checkpoint))),
    /** A part of the pending requests arrives later, from the first on; no further responses are returned. */
    close() {
      if (isBroken) return;
      isBroken = true;
      stream.connections.delete(connection);
      const arriving = underway.slice(0, chance.below(underway.length + 1));
      underway = [];
      const lateMs = chance.below(3) === 0 ? chance.below(20_000) : chance.below(50);
      time.after(lateMs, () => {
        for (const carryOut of arriving) carryOut();
      });
      for (const fail of open) deliver(() => fail(new Error('connection lost')));
      open.clear();
    },
  };
  return connection;
}

function attempt<T>(result: () => T, resolve: (value: T) => void, reject: (error: Error) => void): () => void {
  try {
    const value = result();
    return () => resolve(value);
  } catch (error) {
    return () => reject(error as Error);
  }
}

interface Event {
  readonly atMs: number;
  readonly act: () => void;
  isOff: boolean;
}

export class VirtualTime {
  nowMs: number;
  /** The latest first; of events at the same time, the one that was added last. */
  readonly #events: Event[] = [];

  constructor(startMs: number) {
    this.nowMs = startMs;
  }

  /** Gives back a way to call it off. */
  after(ms: number, act: () => void): () => void {
    const event: Event = { atMs: this.nowMs + Math.max(0, ms), act, isOff: false };
    const later = this.#events.findLastIndex(({ atMs }) => atMs > event.atMs);
    this.#events.splice(later + 1, 0, event);
    return () => {
      event.isOff = true;
    };
  }

  async wait(ms: number): Promise<void> {
    await new Promise<void>((resolve) => void this.after(ms, resolve));
  }

  /** Plays all events up to a timestamp, each with all that follows from it at once. */
  async play(untilMs: number): Promise<void> {
    await drain();
    for (let next = this.#events.at(-1); next && next.atMs <= untilMs; next = this.#events.at(-1)) {
      this.#events.pop();
      if (next.isOff) continue;
      this.nowMs = next.atMs;
      next.act();
      await drain();
    }
    this.nowMs = untilMs;
  }
}

/** All microtasks come before the next turn of the event loop. */
function drain(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
