// Which calls a poller was notified of, and when: people who look at the call log want to see that it arrived.
import type { RequestLogEntry } from './request-log-record.ts';

export interface Delivery {
  readonly atMs: number;
  /** The request whose response contained the call. */
  readonly requestId: number;
}

/** By organization and call, the oldest first. */
export type DeliveriesState = readonly (readonly [name: string, delivery: Delivery])[];

const deliveriesMax = 5000;

export class Deliveries {
  /** By organization and call; the oldest first. */
  readonly #first = new Map<string, Delivery>();

  /** Records the calls in a response to a poller. A snapshot delivers none. Cites 4.calls.snapshot-repeats. */
  hear({ id, trace, request, response }: RequestLogEntry, output: object | null): void {
    if (typeof trace.routing === 'string' || trace.routing.operation.id !== 'listCalls') return;
    if (output === null || response.network !== undefined || !/(^|&)since=/.test(request.query)) return;
    for (const call of (output as { data: { calls: readonly { id: string }[] } }).data.calls) {
      const name = `${trace.organizationId} ${call.id}`;
      if (!this.#first.has(name)) this.#first.set(name, { atMs: trace.nowMs, requestId: id });
    }
    for (const name of this.#first.keys()) {
      if (this.#first.size <= deliveriesMax) break;
      this.#first.delete(name);
    }
  }

  of(organizationId: string, callId: string): Delivery | null {
    return this.#first.get(`${organizationId} ${callId}`) ?? null;
  }

  state(): DeliveriesState {
    return [...this.#first];
  }

  restore(state: DeliveriesState): void {
    this.#first.clear();
    for (const [name, delivery] of state) this.#first.set(name, delivery);
  }

  clear(): void {
    this.#first.clear();
  }
}
