// One clock for a mock and the pages of a test.
import type { ControlledClock } from '../domain/clock.ts';
import { type Activity, watchActivity } from './activity.ts';
import { advanceTogether, type Steps } from './drive.ts';

/** The parts of a browser context that are used here. */
export interface ClockContext {
  readonly clock: { install(options: { time: number }): Promise<void>; runFor(ms: number): Promise<void> };
  addInitScript(script: string): Promise<unknown>;
  pages(): { evaluate(script: string): Promise<unknown> }[];
  on(event: 'request' | 'requestfinished' | 'requestfailed', listener: (request: SentRequest) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
}

interface SentRequest {
  resourceType(): string;
}

interface PageState {
  readonly pending: number;
  readonly nextMs: number | null;
  readonly nowMs: number;
}

/** Of real time. A request that takes longer is a stream, or its response is delayed by a fault. */
const patienceMs = 5000;

const script = `globalThis.casaActivity = (${watchActivity})(globalThis);`;

/** Continuations of responses run first: some tasks later, by a clock that Playwright does not replace. */
async function readState(activity: Activity | undefined): Promise<PageState> {
  for (let i = 0; i < 5; i += 1)
    await new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = resolve;
      port2.postMessage(null);
    });
  return { pending: activity?.pending() ?? 0, nextMs: activity?.nextMs() ?? null, nowMs: Date.now() };
}

const readScript = `(${readState})(globalThis.casaActivity)`;

/** The clocks of all pages of a test. They run with the system's time, like that of the mock. */
export class PageClock implements Steps {
  readonly #clock: ControlledClock;
  readonly #contexts = new Set<ClockContext>();
  readonly #sent = new Set<SentRequest>();
  /** Requests in the pages that take longer than `patienceMs`. */
  #waiting = 0;

  constructor(clock: ControlledClock) {
    this.#clock = clock;
  }

  /** While Playwright moves the pages, the time of the mock waits for them. */
  async move(ms: number, signal: AbortSignal): Promise<void> {
    const { frozen } = this.#clock;
    this.#clock.freeze();
    try {
      await advanceTogether(this, ms, signal);
    } finally {
      if (!frozen) this.#clock.resume();
    }
  }

  /** Replaces the clock in all pages of a new context. */
  async install(context: ClockContext): Promise<void> {
    if (this.#contexts.has(context)) return;
    this.#contexts.add(context);
    context.on('close', () => void this.#contexts.delete(context));
    context.on('request', (request) => {
      if (/^(?:fetch|xhr)$/.test(request.resourceType())) this.#sent.add(request);
    });
    for (const event of ['requestfinished', 'requestfailed'] as const)
      context.on(event, (request) => void this.#sent.delete(request));
    await context.clock.install({ time: this.#clock.now() });
    await context.addInitScript(script);
  }

  async settle(): Promise<number | null> {
    const endMs = performance.now() + patienceMs;
    for (let quiet = 0; ; ) {
      const states = await this.#readStates();
      const pending = states.reduce((sum, state) => sum + state.pending, 0);
      const isLate = performance.now() > endMs;
      if (isLate) this.#sent.clear();
      this.#waiting = isLate ? pending : Math.min(this.#waiting, pending);
      quiet = this.#sent.size === 0 && pending === this.#waiting ? quiet + 1 : 0;
      if (quiet < 2 && !isLate) continue;
      // Both run with the system's time, and the page might be some milliseconds ahead.
      this.#clock.set(Math.max(this.#clock.now(), ...states.map(({ nowMs }) => nowMs)));
      const next = states.flatMap(({ nextMs }) => nextMs ?? []);
      return next.length === 0 ? null : Math.min(...next);
    }
  }

  async advance(ms: number): Promise<void> {
    this.#clock.advance(ms);
    await Promise.all([...this.#contexts].map((context) => context.clock.runFor(ms)));
  }

  /** A page that its test or its user closes has no timers. */
  async #readStates(): Promise<PageState[]> {
    const pages = [...this.#contexts].flatMap((context) => context.pages());
    const states = await Promise.all(pages.map((page) => page.evaluate(readScript).catch(() => null)));
    return states.filter((state) => state !== null) as PageState[];
  }
}
