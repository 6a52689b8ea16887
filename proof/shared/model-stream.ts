// A stream as Redis has it, and the network before it. What was sent over a connection that broke may arrive all the
// same, much later; an answer may be lost when the request was carried out. Within one connection the order stays.
import type { Random } from '../../src/domain/random.ts';
import {
  AppendRefused,
  type KeptCheckpoint,
  type LogConnection,
  type LogEntry,
  type ReadWish,
} from '../../src/shared/log.ts';
import type { VirtualTime } from './virtual-time.ts';

/** How a process hears of something: later when it is paused, never when it is dead. */
export type Deliver = (act: () => void) => void;

/** Longer than a Redis would be asked to, so that idle hours cost little. */
const blockMs = 25_000;

export class ModelStream {
  readonly time: VirtualTime;
  readonly chance: Random;
  /** How many have used it: each has a name of its own. */
  processes = 0;
  entries: LogEntry[] = [];
  checkpoint: KeptCheckpoint | null = null;
  /** No connection can be opened. */
  isDown = false;
  /** Connections like to break while something is under way. */
  isFlaky = false;
  /** No entry is taken, as by a Redis whose memory is full. */
  isFull = false;
  #last: readonly [ms: number, n: number] = [0, 0];
  #waiting: (() => void)[] = [];
  readonly #connections = new Set<ModelConnection>();

  constructor(time: VirtualTime, chance: Random) {
    this.time = time;
    this.chance = chance;
  }

  open(deliver: Deliver): Promise<LogConnection> {
    const connection = new ModelConnection(this, deliver);
    return new Promise((resolve, reject) => {
      this.time.after(this.latencyMs(), () =>
        deliver(() => {
          if (this.isDown) return reject(new Error('connection refused'));
          this.#connections.add(connection);
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
    for (const connection of [...this.#connections]) if (which(connection.deliver)) connection.breakOff();
  }

  forget(connection: ModelConnection): void {
    this.#connections.delete(connection);
  }

  add(text: string): void {
    if (this.isFull) throw new AppendRefused('OOM command not allowed');
    const [ms, n] = this.#last;
    this.#last = this.time.nowMs > ms ? [this.time.nowMs, 0] : [ms, n + 1];
    this.entries.push({ id: this.#last.join('-'), text });
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }

  append(text: string): void {
    if (this.entries.length === 0) throw new Error('the log is gone');
    this.add(text);
  }

  /** As a server without a disk loses it with a restart. */
  loseEverything(): void {
    this.entries = [];
    this.checkpoint = null;
    this.cut();
  }

  /** Calls back when there is something new, or after a while. */
  wait(act: () => void): void {
    let isOver = false;
    const wake = () => {
      if (isOver) return;
      isOver = true;
      callOff();
      act();
    };
    const callOff = this.time.after(blockMs, wake);
    this.#waiting.push(wake);
  }

  after(last: LogEntry | null, countMax: number): readonly LogEntry[] | 'gone' {
    if (last === null) return this.entries.slice(0, countMax);
    const index = this.entries.findLastIndex(({ id }) => id === last.id);
    if (this.entries[index]?.text !== last.text) return 'gone';
    return this.entries.slice(index + 1, index + 1 + countMax);
  }

  keep(checkpoint: KeptCheckpoint): void {
    if (this.checkpoint && compareIds(this.checkpoint.at, checkpoint.at) >= 0) return;
    this.checkpoint = checkpoint;
    this.entries = this.entries.filter(({ id }) => compareIds(id, checkpoint.at) >= 0);
  }

  /** As a disk that was not synced loses the last entries with the power. */
  loseEnd(count: number): void {
    this.entries.splice(Math.max(1, this.entries.length - count));
    this.cut();
  }
}

export function compareIds(a: string, b: string): number {
  const [msA = 0, nA = 0] = a.split('-').map(Number);
  const [msB = 0, nB = 0] = b.split('-').map(Number);
  return msA - msB || nA - nB;
}

interface Sent {
  readonly carryOut: () => void;
}

class ModelConnection implements LogConnection {
  readonly deliver: Deliver;
  readonly #stream: ModelStream;
  #isBroken = false;
  #arrivesAtMs = 0;
  /** Under way to the stream, in order. */
  #underway: Sent[] = [];
  readonly #open = new Set<(error: Error) => void>();

  constructor(stream: ModelStream, deliver: Deliver) {
    this.#stream = stream;
    this.deliver = deliver;
  }

  begin(text: string): Promise<void> {
    return this.#ask((answer) => answer(() => this.#stream.add(text)));
  }

  append(text: string): Promise<void> {
    return this.#ask((answer) => answer(() => this.#stream.append(text)));
  }

  read(after: LogEntry | null, { countMax, waits }: ReadWish): Promise<readonly LogEntry[] | 'gone'> {
    return this.#ask((answer) => {
      const found = this.#stream.after(after, countMax);
      if (!waits || found === 'gone' || found.length > 0) return answer(() => found);
      this.#stream.wait(() => answer(() => this.#stream.after(after, countMax)));
    });
  }

  checkpoint(): Promise<KeptCheckpoint | null> {
    return this.#ask((answer) => answer(() => this.#stream.checkpoint));
  }

  keep(checkpoint: KeptCheckpoint): Promise<void> {
    return this.#ask((answer) => answer(() => this.#stream.keep(checkpoint)));
  }

  close(): void {
    this.breakOff();
  }

  /** A part of what is under way arrives later, from the first on; nothing is answered any more. */
  breakOff(): void {
    if (this.#isBroken) return;
    this.#isBroken = true;
    this.#stream.forget(this);
    const { chance, time } = this.#stream;
    const arriving = this.#underway.slice(0, chance.below(this.#underway.length + 1));
    const lateMs = chance.below(3) === 0 ? chance.below(20_000) : chance.below(50);
    time.after(lateMs, () => {
      for (const { carryOut } of arriving) carryOut();
    });
    this.#underway = [];
    for (const fail of this.#open) this.deliver(() => fail(new Error('connection lost')));
    this.#open.clear();
  }

  #ask<T>(carryOut: (answer: (result: () => T) => void) => void): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#isBroken) return reject(new Error('connection lost'));
      this.#open.add(reject);
      const answer = (result: () => T): void => {
        const end = attempt(result, resolve, reject);
        if (this.#isBroken) return;
        this.#stream.time.after(this.#stream.latencyMs(), () => {
          if (!this.#open.delete(reject)) return;
          this.deliver(end);
        });
      };
      this.#send(() => carryOut(answer));
    });
  }

  #send(carryOut: () => void): void {
    const { chance, time } = this.#stream;
    const sent: Sent = { carryOut };
    if (this.#stream.isFlaky && chance.below(30) === 0) time.after(chance.below(8), () => this.breakOff());
    this.#underway.push(sent);
    this.#arrivesAtMs = Math.max(this.#arrivesAtMs, time.nowMs + this.#stream.latencyMs());
    time.after(this.#arrivesAtMs - time.nowMs, () => {
      if (this.#isBroken) return;
      this.#underway.shift();
      carryOut();
    });
  }
}

/** Carried out now; what comes of it is told later. */
function attempt<T>(result: () => T, resolve: (value: T) => void, reject: (error: Error) => void): () => void {
  try {
    const value = result();
    return () => resolve(value);
  } catch (error) {
    return () => reject(error as Error);
  }
}
