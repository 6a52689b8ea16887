// The handles of a `Casa`, on an engine.

import { askWithin } from '../admin/control-plane.ts';
import { optional } from '../admin/shape.ts';
import type { ControlledClock } from '../domain/clock.ts';
import type { Engine } from '../engine/engine.ts';
import type { LoggedRequest } from '../engine/request-log-record.ts';
import type { Snapshot } from '../engine/snapshot.ts';
import { mcpPath } from '../http/message.ts';
import { basePath } from '../http/route.ts';
import { toEpochMs, toMs } from '../terminal/duration.ts';
import type { FetchHandler } from '../transports/fetch.ts';
import type { Casa, CasaClock, CasaFaults, CasaKey, CasaKeys, CasaRequests, NewFault, RequestFilter } from './casa.ts';
import { anything, check, checkFilter, readFault } from './check-options.ts';
import { driveTimers, type Move, notAwaited } from './drive.ts';
import { verbCaller, verbHandles } from './verb-handles.ts';

export interface CasaParts {
  readonly engine: Engine;
  readonly baseUrl: string;
  readonly origin: string;
  readonly handler: FetchHandler;
  readonly close: () => Promise<void>;
}

/** The parts of a `Casa` that its handle does not show. */
export interface CasaInternals {
  /** That of `casa.fetch`, for those who know when its responses arrive. */
  readonly handler: FetchHandler;
  readonly clock: ControlledClock;
  /** Replaces how `casa.clock` moves the time. */
  readonly moveBy: (move: Move) => void;
  /** Rejects if a move is in progress. */
  readonly stopDriving: () => Promise<void>;
}

const internals = new WeakMap<Casa, CasaInternals>();

/** Undefined for a casa of another kind. */
export function internalsOf(casa: Casa): CasaInternals | undefined {
  return internals.get(casa);
}

/** The same handles for every kind of mock. */
export function createCasa({ engine, baseUrl, origin, handler, close: stop }: CasaParts): Casa {
  const { clock, moveBy, stopDriving } = createCasaClock(engine);
  const close = () => Promise.all([stopDriving(), stop()]).then(() => {});
  const casa: Casa = {
    baseUrl,
    mcpUrl: `${origin}${mcpPath}`,
    origin,
    keys: new WorldKeys(() => engine.world.organizations.values()),
    clock,
    ...verbHandles(verbCaller({ ask: askWithin(engine, origin), origin })),
    faults: createFaults(engine),
    requests: createRequestLog(engine),
    respond: (...given) => casa.faults.add(customRule(...given)),
    violations: () => engine.violations(),
    reset: () => {
      void stopDriving();
      engine.reset();
    },
    snapshot: () => engine.snapshot(),
    restore: (snapshot, options) => {
      checkSnapshot('restore', snapshot);
      engine.restore(snapshot, options);
    },
    diff: (since) => {
      if (since !== undefined) checkSnapshot('diff', since);
      return engine.diff(since?.world);
    },
    fetch: (input, init) => handler(toRequest(input, init, { baseUrl, origin })),
    close,
    [Symbol.asyncDispose]: close,
  };
  internals.set(casa, { handler, clock: engine.clock, moveBy, stopDriving });
  return casa;
}

/** Throws a `RangeError` for a value of another form. */
export function checkSnapshot(name: 'restore' | 'diff', value: Snapshot): void {
  if (value?.casaSnapshot !== 1) throw new RangeError(`casa.${name} takes what casa.snapshot() gave back.`);
}

/** Paths are relative to the base URL, as in a client; other input is used unchanged. */
export function toRequest(
  input: Request | URL | string,
  init: RequestInit | undefined,
  { baseUrl, origin }: Pick<CasaParts, 'baseUrl' | 'origin'>,
): Request {
  if (typeof input !== 'string' || !input.startsWith('/')) return new Request(input, init);
  // The MCP endpoint, a path of the admin API and one that has the base path already count from the origin.
  const ofOrigin = input === mcpPath || input.startsWith('/__admin') || input.startsWith(`${basePath}/`);
  const base = ofOrigin ? origin : baseUrl;
  return new Request(`${base}${input}`, init);
}

/** An organization with its keys. */
interface KeyOwner {
  readonly id: string;
  readonly keys: readonly Omit<CasaKey, 'organizationId'>[];
}

// Getters of a class: a test runner that prints the keys does not call them.
export class WorldKeys implements CasaKeys {
  readonly #organizations: () => Iterable<KeyOwner>;

  constructor(organizations: () => Iterable<KeyOwner>) {
    this.#organizations = organizations;
  }

  get list(): readonly CasaKey[] {
    return [...this.#organizations()].flatMap(({ id, keys }) =>
      keys.map(({ key, label, revoked }) => ({ key, label, revoked, organizationId: id })),
    );
  }

  get good(): string {
    return this.#goodKeyOf(0);
  }

  get second(): string {
    return this.#goodKeyOf(1);
  }

  get revoked(): string {
    const found = this.list.find(({ revoked }) => revoked);
    if (!found) throw new RangeError('This world has no revoked key.');
    return found.key;
  }

  /** `index` counts organizations of the world from 0. */
  #goodKeyOf(index: number): string {
    const found = [...this.#organizations()][index]?.keys.find(({ revoked }) => !revoked);
    if (found) return found.key;
    const which =
      index === 0 ? 'organization with a valid key' : 'second organization; casa.organizations.add() makes one';
    throw new RangeError(`This world has no ${which}.`);
  }
}

function createCasaClock({ clock }: Engine) {
  let move: Move | null = null;
  let isDriving = false;
  let moved = Promise.resolve();
  let ending = new AbortController();
  /** At once without timers of others; after the moves before it with them. */
  const advance = (ms: number): Promise<void> => {
    const [own, { signal }] = [move, ending];
    if (own === null || !(ms >= 0)) clock.advance(ms);
    else moved = moved.catch(() => {}).then(() => own(ms, signal));
    return moved;
  };
  const moveBy = (next: Move) => {
    move = next;
  };
  /** A test after a reset can have real timers. The pages of a browser keep the time of the mock. */
  const stopDriving = (): Promise<void> => {
    const reason = notAwaited();
    ending.abort(reason);
    const stopped = moved.catch((error) => {
      if (error === reason) throw error;
    });
    ending = new AbortController();
    moved = Promise.resolve();
    if (isDriving) {
      clock.freeze();
      isDriving = false;
      move = null;
    }
    return stopped;
  };
  const casaClock: CasaClock = {
    now: () => clock.now(),
    get frozen() {
      return clock.frozen;
    },
    advance: (duration) => advance(toMs(duration)),
    drive: (timers) => {
      move = driveTimers(clock, timers);
      isDriving = true;
    },
    freeze: () => clock.freeze(),
    scale: (factor) => clock.setScale(factor),
    resume: () => clock.resume(),
    set: (timestamp) => {
      const ms = toEpochMs(timestamp);
      if (move !== null) return advance(ms - clock.now());
      clock.set(ms);
      return moved;
    },
  };
  return { clock: casaClock, moveBy, stopDriving };
}

/** A custom response is a fault with a body. */
export function customRule(...[operation, respond, options = {}]: Parameters<Casa['respond']>): NewFault {
  const { times, when } = check('casa.respond', options, { times: optional(anything), when: optional(anything) });
  const match = { ...(when as object), ...(operation !== '*' && { operation }) };
  return { match, respond, ...(times !== undefined && { times: times as number }) };
}

/** Ids count up and are not given again after a removal, so an old id cannot take a newer rule away. */
function createFaults({ faults }: Engine): CasaFaults {
  let added = 0;
  const warn = (sentence: string) => console.warn(`casa.faults.add: ${sentence}`);
  return {
    add: (fault) => {
      added += 1;
      const rule = readFault(typeof fault === 'string' ? { spec: fault } : fault, `casa.faults ${added}`, warn);
      faults.add(rule);
      return rule.id;
    },
    remove: (id) => faults.remove(id),
    clear: () => faults.clear(),
    list: () => faults.list().map(({ rule }) => rule),
  };
}

/** A filter that is not a function is checked: a mistyped field would fit every request. */
export function toPredicate(filter: Parameters<CasaRequests['find']>[0]): (record: LoggedRequest) => boolean {
  if (typeof filter === 'function') return filter;
  checkFilter('casa.requests', filter);
  return (record) => fits(record, filter);
}

function createRequestLog({ requestLog }: Engine): CasaRequests {
  const find: CasaRequests['find'] = (filter) => requestLog.records().filter(toPredicate(filter));
  return {
    all: () => requestLog.records(),
    find,
    count: (filter) => (filter === undefined ? requestLog.count : find(filter).length),
    clear: () => requestLog.clear(),
  };
}

/** Absent conditions hold. */
function fits(record: LoggedRequest, filter: RequestFilter): boolean {
  const { operation, method, path, status, organizationId, blockedBy } = filter;
  const pathFits = typeof path === 'string' ? path === record.request.path : (path?.test(record.request.path) ?? true);
  return (
    pathFits &&
    (operation === undefined || operation === record.operation || operation === record.tool) &&
    (method === undefined || method.toUpperCase() === record.request.method) &&
    (status === undefined || status === record.response.status) &&
    (organizationId === undefined || organizationId === record.organizationId) &&
    (blockedBy === undefined || blockedBy === record.blockedBy)
  );
}
