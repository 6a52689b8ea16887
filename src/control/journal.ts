// The last requests, with what became of each. A ring, so that a million requests cost no more memory than a thousand.
import type { CoreRequest, CoreResponse } from '../http/message.ts';
import type { Trace } from '../http/service.ts';

export interface JournalEntry {
  readonly id: number;
  readonly request: CoreRequest;
  readonly response: CoreResponse;
  readonly trace: Trace;
}

export const journalEntriesMax = 1000;

export class Journal {
  readonly #ring: JournalEntry[] = [];
  #count = 0;

  /** How many requests were seen since the last reset. */
  get count(): number {
    return this.#count;
  }

  add(request: CoreRequest, response: CoreResponse, trace: Trace): JournalEntry {
    const entry: JournalEntry = { id: this.#count + 1, request, response, trace };
    this.#ring[this.#count % journalEntriesMax] = entry;
    this.#count += 1;
    return entry;
  }

  /** Oldest first. */
  entries(): JournalEntry[] {
    const split = this.#count % journalEntriesMax;
    return this.#count <= journalEntriesMax
      ? [...this.#ring]
      : [...this.#ring.slice(split), ...this.#ring.slice(0, split)];
  }

  clear(): void {
    this.#ring.length = 0;
    this.#count = 0;
  }
}
