// The state of a page, and how it follows the mock. Everything that is kept has a bound.

import { type ControlPlane, Rejection, Unreachable } from './control-plane.ts';
import { addRows, rowOf, rowsMax } from './request-log-rows.ts';
import type {
  CallWay,
  Change,
  ClockState,
  Fault,
  Health,
  LoggedRequest,
  Organization,
  RequestLogRow,
  SnapshotHead,
  Violation,
  Windows,
} from './responses.ts';

/** How the page stands to the mock. Only a live one can be used. */
export type Connection =
  | { readonly kind: 'starting' | 'live' | 'offline' }
  | { readonly kind: 'login' | 'rejected'; readonly message: string };

/** Replaced as a whole with each change, so a part can compare by identity. */
export interface State {
  readonly connection: Connection;
  readonly health: Health | null;
  /** With the reading of the page's own clock at which it was true. */
  readonly clock: ClockState & { readonly seenMs: number };
  readonly organizations: readonly Organization[];
  readonly faults: readonly Fault[];
  readonly violations: readonly Violation[];
  readonly calls: readonly CallWay[];
  /** The organization whose calls are shown; the first when null. */
  readonly callsOf: string | null;
  readonly windows: Windows | null;
  readonly snapshots: readonly SnapshotHead[];
  readonly rows: readonly RequestLogRow[];
  readonly notice: { readonly text: string; readonly isBad: boolean } | null;
}

const start: State = {
  connection: { kind: 'starting' },
  health: null,
  clock: { nowMs: 0, frozen: true, scale: 0, seenMs: 0 },
  organizations: [],
  faults: [],
  violations: [],
  calls: [],
  callsOf: null,
  windows: null,
  snapshots: [],
  rows: [],
  notice: null,
};

/** As many as a screen shows: a thousand with their bodies take seconds on a slow machine. */
const rowsFirst = 40;
const violationsMax = 1000;
const retryMs = 2000;
const noticeMs = 6000;
/** However many events arrive, the page is told this often. */
const flushMs = 50;
/** The state that an event touches is asked for once, when no further event came for this long. */
const settleMs = 150;

export interface AppOptions {
  /** Whether a token was sent: a rejection then means that it is wrong. */
  readonly hasToken?: () => boolean;
  /** Whether this page has a request log to which numbers of requests can lead; true when absent. */
  readonly hasRequestLog?: boolean;
  /** Whether other programs can reach the mock; false where it runs inside this page, and true when absent. */
  readonly hasServer?: boolean;
}

/** The store of a page. Events only trigger requests for changed parts, so the page cannot differ from the mock. */
export class App {
  readonly plane: ControlPlane;
  readonly #options: AppOptions;
  readonly #listeners = new Set<() => void>();
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  #arrived: RequestLogRow[] = [];
  /** How often everything is being loaded, and the events that came meanwhile. */
  #loading = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #end = new AbortController();
  state: State = start;

  constructor(plane: ControlPlane, options: AppOptions = {}) {
    this.plane = plane;
    this.#options = options;
  }

  get hasRequestLog(): boolean {
    return this.#options.hasRequestLog ?? true;
  }

  get hasServer(): boolean {
    return this.#options.hasServer ?? true;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  set(patch: Partial<State>): void {
    this.state = { ...this.state, ...patch };
    for (const listener of this.#listeners) listener();
  }

  /** The time of the mock, which runs on between two events. */
  now(): number {
    const { nowMs, scale, seenMs } = this.state.clock;
    return nowMs + (performance.now() - seenMs) * scale;
  }

  /** One notice at a time: the newest says most. */
  tell(text: string, isBad = false): void {
    this.set({ notice: { text, isBad } });
    this.#once('notice', noticeMs, () => this.set({ notice: null }));
  }

  /** Does what somebody asked for, and reports a failure: as a notice, unless the caller has a better place. */
  async act(work: () => unknown, report = (message: string) => this.tell(message, true)): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#fail(error, report);
    }
  }

  ask<T = unknown>(method: string, path: string, body?: unknown): Promise<T> {
    return this.plane.ask<T>(method, path, body);
  }

  /** Follows the mock, from everything that it holds on, until `stop`; a mock that is gone is asked again. */
  async start(): Promise<void> {
    try {
      // Followed first and loaded then: what happens between the two would be in neither.
      await this.plane.follow(
        (name, data) => this.#hear(name, data),
        this.#end.signal,
        () => this.loadAll(),
      );
      this.#retry(0);
    } catch (error) {
      this.#fail(error);
      if (this.state.connection.kind === 'offline') this.#retry(retryMs);
    }
  }

  stop(): void {
    this.#end.abort();
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }

  #retry(ms: number): void {
    if (!this.#end.signal.aborted) this.#once('start', ms, () => this.start());
  }

  /** `report` is for what somebody asked for. A mock that is gone is asked again until it is back. */
  #fail(error: unknown, report?: (message: string) => void): void {
    const message = error instanceof Error ? error.message : String(error);
    const status = error instanceof Rejection ? error.status : null;
    if (report && error instanceof Unreachable) {
      this.set({ connection: { kind: 'offline' } });
      this.#retry(retryMs);
    } else if (status === 401) {
      const wrong = 'The mock rejects this token. Use the token that it was started with.';
      this.set({ connection: { kind: 'login', message: this.#options.hasToken?.() ? wrong : '' } });
    } else if (report) {
      report(message);
    } else if (status === 403) {
      this.set({ connection: { kind: 'rejected', message } });
    } else {
      this.set({ connection: { kind: 'offline' } });
    }
  }

  /** Starts a named timer, or starts it again. */
  #once(name: string, ms: number, work: () => unknown): void {
    clearTimeout(this.#timers.get(name));
    this.#timers.set(name, setTimeout(work, ms));
  }

  /** Waits for a pause between events of a kind, because a load test would otherwise cause a request for each. */
  #soon(name: string, work: () => Promise<void>): void {
    this.#once(name, settleMs, () => this.act(work));
  }

  #hear(name: string, data: unknown): void {
    // What is being loaded may be older than this, and would replace it.
    if (this.#loading > 0) this.#hearLater(name, data);
    else if (name === 'clock') this.#showClock(data as ClockState);
    else if (name === 'exchange') this.#addRow(data as RequestLogRow);
    else if (name === 'violation') this.#addViolation(data as Violation);
    else if (name === 'change')
      this.#soon((data as { what: Change }).what, this.#loads[(data as { what: Change }).what]);
    else if (name === 'reset') this.#soon('all', () => this.loadAll());
  }

  #hearLater(name: string, data: unknown): void {
    if (this.#waiting.length >= 2 * rowsMax) this.#waiting.shift();
    this.#waiting.push(() => this.#hear(name, data));
  }

  /** One that was loaded meanwhile is there already. */
  #addViolation(violation: Violation): void {
    const others = this.state.violations.filter(({ id }) => id !== violation.id);
    this.set({ violations: [...others, violation].slice(-violationsMax) });
  }

  readonly #loads: Readonly<Record<Change, () => Promise<void>>> = {
    faults: () => this.loadList('faults'),
    limits: () => this.loadWindows(),
    organizations: () => this.loadList('organizations'),
    calls: () => this.loadCalls(),
  };

  #showClock(clock: ClockState): void {
    this.set({ clock: { ...clock, seenMs: performance.now() } });
    this.#soon('limits', () => this.loadWindows());
  }

  /** Collects rows until the page is next reported them. */
  #addRow(row: RequestLogRow): void {
    this.#arrived = [...this.#arrived.slice(1 - rowsMax), row];
    if (this.#arrived.length === 1) this.#once('rows', flushMs, () => this.#flush());
  }

  /** Shows what has arrived, and asks for the parts that such requests change. */
  #flush(): void {
    const arrived = this.#arrived;
    this.#arrived = [];
    this.set({ rows: addRows(this.state.rows, arrived) });
    this.#soon('limits', () => this.loadWindows());
    if (arrived.some(({ fault }) => fault !== null)) this.#soon('faults', this.#loads.faults);
    if (arrived.some(({ operation }) => operation === 'listCalls')) this.#soon('calls', () => this.loadCalls());
    if (arrived.some(({ method }) => method !== 'GET')) this.#soon('organizations', this.#loads.organizations);
  }

  /** Rows that had arrived are dropped: the request log that is loaded now has them. */
  async loadAll(): Promise<void> {
    this.#arrived = [];
    this.#loading += 1;
    try {
      await Promise.all([this.#loadHealth(), this.loadList('organizations'), this.loadRequestLog(rowsFirst)]);
      this.set({ connection: { kind: 'live' } });
      await Promise.all([
        this.loadList('faults'),
        this.loadList('violations'),
        this.loadList('snapshots'),
        this.loadCalls(),
        this.loadWindows(),
        this.loadRequestLog(),
      ]);
    } finally {
      this.#loading -= 1;
      if (this.#loading === 0) for (const hear of this.#waiting.splice(0)) hear();
    }
  }

  async #loadHealth(): Promise<void> {
    const health = await this.ask<Health>('GET', '/health');
    this.set({ health, clock: { ...health.clock, seenMs: performance.now() } });
  }

  /** Loads a list that the admin API has at a path of the same name. */
  async loadList(name: 'organizations' | 'faults' | 'violations' | 'snapshots'): Promise<void> {
    const { [name]: list } = await this.ask<Pick<State, typeof name>>('GET', `/${name}`);
    this.set({ [name]: list });
  }

  async loadCalls(): Promise<void> {
    const { callsOf, organizations } = this.state;
    if (this.state.health && organizations.length === 0) return;
    const known = organizations.some(({ id }) => id === callsOf);
    const query = callsOf !== null && known ? `?organizationId=${encodeURIComponent(callsOf)}` : '';
    try {
      const { calls } = await this.ask<Pick<State, 'calls'>>('GET', `/calls${query}`);
      this.set({ calls });
    } catch (error) {
      // A world without an organization has no calls.
      if (!(error instanceof Rejection) || error.status !== 400) throw error;
      this.set({ calls: [] });
    }
  }

  async loadWindows(): Promise<void> {
    this.set({ windows: await this.ask<Windows>('GET', '/limits/windows') });
  }

  async loadRequestLog(most = rowsMax): Promise<void> {
    const { requests } = await this.ask<{ requests: readonly LoggedRequest[] }>('GET', `/requests?limit=${most}`);
    this.set({ rows: requests.map(rowOf) });
  }
}
