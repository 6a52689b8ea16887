// The handles of a mock in another process or container, over its admin API.

import { optional, text } from '../admin/shape.ts';
import { adminVersion } from '../admin/verbs/state.ts';
import type { FaultRule } from '../domain/faults.ts';
import { requestLogEntriesMax, type Timing } from '../engine/request-log.ts';
import type { LoggedRequest } from '../engine/request-log-record.ts';
import type { Snapshot } from '../engine/snapshot.ts';
import { mcpPath } from '../http/message.ts';
import { toEpochMs, toMs } from '../terminal/duration.ts';
import { askOverHttp, originOf } from '../transports/admin-ask.ts';
import type { Casa, CasaClock, CasaKey } from './casa.ts';
import { check, readFault } from './check-options.ts';
import { checkSnapshot, customRule, toPredicate, toRequest, WorldKeys } from './engine-casa.ts';
import { type VerbCall, verbCaller, verbHandles } from './verb-handles.ts';

/** The same handles, with promises: methods and states of another process take time. */
type Remote<Handle> = {
  readonly [Name in keyof Handle]: Handle[Name] extends string
    ? Handle[Name]
    : Handle[Name] extends (...given: infer Given) => infer Result
      ? (...given: Given) => Promise<Awaited<Result>>
      : Handle[Name] extends boolean
        ? Promise<boolean>
        : Remote<Handle[Name]>;
};

/**
 * A `Casa` whose methods return promises, also `await casa.clock.frozen`. `keys` are those at the time of the
 * connection. `close` has no effect: the mock belongs to the process that started it. `restore` empties the request log
 * and the violations.
 */
export interface ConnectedCasa extends Remote<Omit<Casa, 'keys' | 'clock'>>, Pick<Casa, 'keys'> {
  readonly clock: Remote<Omit<CasaClock, 'drive'>>;
  /** The organization of this handle; null for a handle of the whole mock. */
  readonly organizationId: string | null;
  /** Whether the mock was started with `--organization-header`. */
  readonly choosesOrganizations: boolean;
}

/** Options of `connectMock`. */
export interface ConnectOptions {
  /** The token of `casa mock --admin-token`, which a mock on another machine or in a container needs. */
  readonly adminToken?: string | undefined;
  /**
   * An organization by id or name; `casa.organizations.add` adds one. The handle then has its keys, adds records and
   * faults to it only, and lists its requests and violations only. The clock belongs to all.
   */
  readonly organization?: string | undefined;
}

interface Organization {
  readonly id: string;
  readonly name: string;
  readonly keys: readonly Omit<CasaKey, 'organizationId'>[];
}

/** An error names this many organizations. */
const listedMax = 10;

/**
 * Connects to a running mock, for example `casa mock` in another process or a container, and returns its handle.
 *
 * Rejects with one sentence if there is no mock at `url`, if it needs an admin token, if it has another version, or if
 * it has no such organization.
 * Methods reject with a `RangeError` for invalid arguments.
 *
 * @param url - any URL of the mock, such as `http://127.0.0.1:4010`
 * @example
 * const casa = await connectMock('http://127.0.0.1:4010');
 * await casa.faults.add('listSites=503@1x');
 * await casa.clock.advance('5m');
 */
export async function connectMock(url: string, options: ConnectOptions = {}): Promise<ConnectedCasa> {
  const { adminToken, organization } = check('connectMock', options, {
    adminToken: optional(text()),
    organization: optional(text(80)),
  });
  const origin = originOf(url);
  if (origin === null)
    throw new RangeError(`connectMock takes a URL such as http://127.0.0.1:4010, not ${JSON.stringify(url)}.`);
  const ask = askOverHttp(origin, adminToken);
  const connect = verbCaller({ ask, origin });
  const health = await connect('connect', 'getHealth');
  const reject = (path: string) =>
    new Error(`${origin} is not a casa mock: GET /__admin/${path} has another form. Check the URL.`);
  if (health?.status !== 'ok' || typeof health.baseUrl !== 'string') throw reject('health');
  if (health.adminVersion !== adminVersion)
    throw new Error(
      `The mock at ${origin} has version ${health.adminVersion ?? '1.0.0'} of the admin API, not ${adminVersion}. ` +
        'Install the same version of casa-kit on both sides.',
    );
  const { organizations } = (await connect('connect', 'listOrganizations')) ?? {};
  if (!Array.isArray(organizations)) throw reject('organizations');
  const own = organization === undefined ? null : findOrganization(organization, organizations);
  const callOwn = verbCaller({ ask, origin, organizationId: own?.id });
  const call: VerbCall = async (...given) => callOwn(...given);
  return {
    ...createHandles({ call, origin, baseUrl: health.baseUrl, own, organizations }),
    organizationId: own?.id ?? null,
    choosesOrganizations: health.organizationHeader,
  };
}

function findOrganization(wanted: string, known: readonly Organization[]): Organization {
  const found = known.find(({ id }) => id === wanted) ?? known.find(({ name }) => name === wanted);
  if (found) return found;
  const listed = known.slice(0, listedMax).map(({ id, name }) => `${id} (${name})`);
  const more = known.length > listedMax ? ` and ${known.length - listedMax} more` : '';
  throw new RangeError(
    `The mock has no organization "${wanted}". It has ${listed.join(', ') || 'none'}${more}. ` +
      'Pass one of these, or add one with casa.organizations.add().',
  );
}

interface Connection {
  /** Always returns a promise. */
  readonly call: VerbCall;
  readonly origin: string;
  readonly baseUrl: string;
  readonly own: Organization | null;
  readonly organizations: readonly Organization[];
}

function createHandles(connection: Connection): Omit<ConnectedCasa, 'organizationId' | 'choosesOrganizations'> {
  const { call, origin, baseUrl, own, organizations } = connection;
  const order = own ? [own, ...organizations.filter(({ id }) => id !== own.id)] : organizations;
  const faults = faultHandles(connection);
  const key = own ? keyOf(own).slice(-4) : undefined;
  return {
    baseUrl,
    mcpUrl: `${origin}${mcpPath}`,
    origin,
    keys: new WorldKeys(() => order),
    clock: clockHandles(call),
    ...(verbHandles(call) as unknown as Pick<ConnectedCasa, keyof ReturnType<typeof verbHandles>>),
    faults,
    respond: (...given) => faults.add(customRule(...given)),
    requests: requestHandles(connection),
    violations: () => call('violations', 'listViolations', { key }, ({ violations }) => violations),
    reset: async () => {
      rejectPart(own, 'reset');
      await call('reset', 'resetAll');
    },
    snapshot: async () => {
      const { id } = await call('snapshot', 'takeSnapshot');
      const { snapshot } = await call('snapshot', 'getSnapshot', { id });
      await call('snapshot', 'removeSnapshot', { id });
      return snapshot;
    },
    restore: async (snapshot, options = {}) => {
      rejectPart(own, 'restore');
      await withSnapshot(call, { verb: 'restore', snapshot }, (id) =>
        call('restore', 'restoreSnapshot', { id, ...options }),
      );
    },
    diff: async (since) =>
      since === undefined
        ? call('diff', 'getDiff')
        : withSnapshot(call, { verb: 'diff', snapshot: since }, (id) => call('diff', 'getDiff', { snapshot: id })),
    fetch: (input, init) => fetch(toRequest(input, init, { baseUrl, origin })),
    close: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}

/** Puts a snapshot into the mock for one use. The admin API keeps no history of one from outside. */
async function withSnapshot<T>(
  call: VerbCall,
  { verb, snapshot }: { verb: 'restore' | 'diff'; snapshot: Snapshot },
  use: (id: string) => Promise<T>,
): Promise<T> {
  checkSnapshot(verb, snapshot);
  const id = `connected-${crypto.randomUUID()}`;
  const { requestLog: _, violations: __, clients: ___, deliveries: ____, ...stored } = snapshot;
  await call(verb, 'putSnapshot', { id, snapshot: stored });
  try {
    return await use(id);
  } finally {
    await call(verb, 'removeSnapshot', { id });
  }
}

function keyOf({ keys }: Organization): string {
  return keys.find(({ revoked }) => !revoked)?.key ?? '';
}

function rejectPart(own: Organization | null, verb: string): void {
  if (own) throw new RangeError(`casa.${verb} changes the whole mock. Connect without organization to use it.`);
}

function clockHandles(call: VerbCall): ConnectedCasa['clock'] {
  const nothing = () => undefined;
  return {
    now: () => call('clock.now', 'getClock', {}, ({ nowMs }) => nowMs),
    get frozen() {
      return call('clock.frozen', 'getClock', {}, ({ frozen }) => frozen);
    },
    advance: async (ms) => call('clock.advance', 'advanceClock', { duration: `${toMs(ms)}ms` }, nothing),
    freeze: () => call('clock.freeze', 'freezeClock', {}, nothing),
    scale: (scale) => call('clock.scale', 'scaleClock', { scale }, nothing),
    resume: () => call('clock.resume', 'resumeClock', {}, nothing),
    set: async (time) => call('clock.set', 'setClock', { time: new Date(toEpochMs(time)).toISOString() }, nothing),
  };
}

function faultHandles({ call, own }: Connection): ConnectedCasa['faults'] {
  const scope = own ? { key: keyOf(own) } : {};
  const list = async () => {
    const found = await call('faults.list', 'listFaults');
    const faults: readonly (FaultRule & { readonly struck: number })[] = found.faults;
    const ours = faults.filter(({ match }) => own === null || match.key === scope.key);
    return ours.map(({ struck: _, ...rule }) => rule);
  };
  const remove = (id: string) => call('faults.remove', 'removeFault', { id });
  return {
    add: async (fault) => {
      const warn = (sentence: string) => console.warn(`casa.faults.add: ${sentence}`);
      const { id, match, ...effects } = readFault(typeof fault === 'string' ? { spec: fault } : fault, '', warn);
      const body = { ...effects, match: { ...scope, ...match }, ...(id !== '' && { id }) };
      return call('faults.add', 'addFault', body, (rule) => rule.id);
    },
    remove: async (id) => {
      const isKnown = (await list()).some((rule) => rule.id === id);
      if (isKnown) await remove(id);
      return isKnown;
    },
    clear: async () => {
      for (const { id } of await list()) await remove(id);
    },
    list,
  };
}

function requestHandles({ call, origin, own }: Connection): ConnectedCasa['requests'] {
  /** In pages, because a response has a largest size. */
  const all = async () => {
    const found: LoggedRequest[] = [];
    for (;;) {
      const beforeId = found.at(-1)?.id;
      const { requests }: { requests: readonly (LoggedRequest & Timing)[] } = await call('requests', 'listRequests', {
        limit: 1000,
        beforeId,
      });
      // The log of a mock is shorter, even if it grows meanwhile.
      if (found.length > 2 * requestLogEntriesMax)
        throw new Error(`${origin} is not a casa mock: its request log has no end.`);
      for (const { receivedAt: _, durationMs: __, responseBytes: ___, ...record } of requests) found.push(record);
      if (requests.length === 0) return found.reverse();
    }
  };
  const find: ConnectedCasa['requests']['find'] = async (filter) => (await all()).filter(toPredicate(filter));
  return {
    all,
    find,
    count: async (filter = {}) => (await find(filter)).length,
    clear: async () => {
      rejectPart(own, 'requests.clear');
      await call('requests.clear', 'clearRequests');
    },
  };
}
