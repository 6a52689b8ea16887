// The handles of a mock in another process or container, over its admin API.

import { flag, optional, text } from '../admin/shape.ts';
import { adminVersion } from '../admin/state-routes.ts';
import type { CallRecord } from '../domain/call.ts';
import type { FaultRule } from '../domain/faults.ts';
import { requestLogEntriesMax, type Timing } from '../engine/request-log.ts';
import type { LoggedRequest } from '../engine/request-log-record.ts';
import type { Snapshot } from '../engine/snapshot.ts';
import type { Violation } from '../engine/violations/violation.ts';
import { mcpPath } from '../http/message.ts';
import { toEpochMs, toMs } from '../terminal/duration.ts';
import { askOverHttp, originOf } from '../transports/admin-ask.ts';
import type { Casa, CasaKey } from './casa.ts';
import { check, readFault } from './check-options.ts';
import { customRule, toPredicate, toRequest, WorldKeys } from './engine-casa.ts';

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
export interface ConnectedCasa extends Remote<Omit<Casa, 'keys'>>, Pick<Casa, 'keys'> {
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

interface Health {
  readonly status?: string;
  readonly adminVersion?: string;
  readonly baseUrl: string;
  readonly organizationHeader: boolean;
}

interface Organization {
  readonly id: string;
  readonly name: string;
  readonly keys: readonly Omit<CasaKey, 'organizationId'>[];
}

/** An error names this many organizations. */
const listedMax = 10;

type Body = Readonly<Record<string, unknown>>;
type Call = <T = unknown>(verb: string, route: string, body?: Body) => Promise<T>;

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
  const call = caller(origin, adminToken);
  const health = await call<Health | null>('connect', 'GET /health');
  const reject = (path: string) =>
    new Error(`${origin} is not a casa mock: GET /__admin/${path} has another form. Check the URL.`);
  if (health?.status !== 'ok' || typeof health.baseUrl !== 'string') throw reject('health');
  if (health.adminVersion !== adminVersion)
    throw new Error(
      `The mock at ${origin} has version ${health.adminVersion ?? '1.0.0'} of the admin API, not ${adminVersion}. ` +
        'Install the same version of casa-kit on both sides.',
    );
  const { organizations } =
    (await call<{ organizations: readonly Organization[] } | null>('connect', 'GET /organizations')) ?? {};
  if (!Array.isArray(organizations)) throw reject('organizations');
  const own = organization === undefined ? null : findOrganization(organization, organizations);
  return {
    ...createHandles({ call, origin, baseUrl: health.baseUrl, own, organizations }),
    organizationId: own?.id ?? null,
    choosesOrganizations: health.organizationHeader,
  };
}

/** A rejection of a value is a `RangeError`, as in the same process. */
function caller(origin: string, token: string | undefined): Call {
  const ask = askOverHttp(origin, token);
  return async <T>(verb: string, route: string, body?: Body): Promise<T> => {
    const [method = '', path = ''] = route.split(' ');
    const [way = '', query] = path.split('?');
    const response = await ask({ method, path: way, ...(query && { query }), ...(body && { body }) });
    if (response.status < 300) return response.body as T;
    const { error } = (response.body ?? {}) as { readonly error?: { readonly message?: string } };
    const message = error?.message ?? `${origin} is not a casa mock: ${route} returned ${response.status}.`;
    if (response.status === 401)
      throw new Error(`The mock at ${origin} needs its admin token. Pass adminToken to connectMock.`);
    const isOurs = [400, 404, 409].includes(response.status) && error?.message !== undefined;
    throw isOurs ? new RangeError(`casa.${verb}: ${message}`) : new Error(message);
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
  readonly call: Call;
  readonly origin: string;
  readonly baseUrl: string;
  readonly own: Organization | null;
  readonly organizations: readonly Organization[];
}

/** One row for each verb, with its route of the admin API. */
function createHandles(connection: Connection): Omit<ConnectedCasa, 'organizationId' | 'choosesOrganizations'> {
  const { call, origin, baseUrl, own, organizations } = connection;
  const order = own ? [own, ...organizations.filter(({ id }) => id !== own.id)] : organizations;
  const faults = faultHandles(connection);
  const query = own ? `?key=${keyOf(own).slice(-4)}` : '';
  return {
    baseUrl,
    mcpUrl: `${origin}${mcpPath}`,
    origin,
    keys: new WorldKeys(() => order),
    clock: clockHandles(call),
    ...recordHandles(connection),
    faults,
    respond: (...given) => faults.add(customRule(...given)),
    requests: requestHandles(connection),
    organizations: {
      add: async (options = {}) => {
        const { id, key } = await call<{ id: string; key: string }>('organizations.add', 'POST /organizations', {
          ...options,
        });
        return { id, key };
      },
    },
    violations: async () =>
      (await call<{ violations: readonly Violation[] }>('violations', `GET /violations${query}`)).violations,
    reset: async () => {
      rejectPart(own, 'reset');
      await call('reset', 'POST /reset');
    },
    snapshot: async () => {
      const { id } = await call<{ id: string }>('snapshot', 'POST /snapshots', {});
      const { snapshot } = await call<{ snapshot: Snapshot }>('snapshot', `GET /snapshots/${id}`);
      await call('snapshot', `DELETE /snapshots/${id}`);
      return snapshot;
    },
    restore: async (snapshot, options = {}) => {
      rejectPart(own, 'restore');
      const id = `connected-${crypto.randomUUID()}`;
      // The admin API keeps no history of a snapshot from outside.
      const { requestLog: _, violations: __, clients: ___, deliveries: ____, ...stored } = snapshot;
      await call('restore', `PUT /snapshots/${id}`, { snapshot: stored });
      await call('restore', `POST /snapshots/${id}/restore`, { ...options });
      await call('restore', `DELETE /snapshots/${id}`);
    },
    fetch: (input, init) => fetch(toRequest(input, init, { baseUrl, origin })),
    close: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}

function keyOf({ keys }: Organization): string {
  return keys.find(({ revoked }) => !revoked)?.key ?? '';
}

function rejectPart(own: Organization | null, verb: string): void {
  if (own) throw new RangeError(`casa.${verb} changes the whole mock. Connect without organization to use it.`);
}

function clockHandles(call: Call): ConnectedCasa['clock'] {
  const post = (verb: string, body: Body = {}) => call<void>(`clock.${verb}`, `POST /clock/${verb}`, body);
  const state = () => call<{ readonly nowMs: number; readonly frozen: boolean }>('clock', 'GET /clock');
  return {
    now: async () => (await state()).nowMs,
    get frozen() {
      return state().then(({ frozen }) => frozen);
    },
    advance: async (duration) => post('advance', { duration: `${toMs(duration)}ms` }),
    freeze: () => post('freeze'),
    scale: (scale) => post('scale', { scale }),
    resume: () => post('resume'),
    set: async (timestamp) => post('set', { time: new Date(toEpochMs(timestamp)).toISOString() }),
  };
}

type RecordHandles = Pick<ConnectedCasa, 'calls' | 'reviews' | 'articles' | 'accounts'>;

function recordHandles({ call, own }: Connection): RecordHandles {
  const place = async (id: string | undefined = own?.id, ...rest: string[]) => {
    const list = () => call<{ organizations: readonly Organization[] }>('organizations', 'GET /organizations');
    const named = id ?? (await list()).organizations[0]?.id ?? '';
    return ['/organizations', ...[named, ...rest].map(encodeURIComponent)].join('/');
  };
  return {
    calls: {
      ring: async (wishes = {}) => {
        const body = { ...(own && { organizationId: own.id }), ...wishes };
        return (await call<{ call: CallRecord }>('calls.ring', 'POST /calls', body)).call;
      },
    },
    reviews: {
      arrive: async ({ organizationId, accountId, ...wishes } = {}) => {
        const account = accountId === undefined ? [] : ['accounts', accountId];
        return call('reviews.arrive', `POST ${await place(organizationId, ...account, 'reviews')}`, wishes);
      },
    },
    articles: {
      publish: async (id, { organizationId } = {}) =>
        call('articles.publish', `POST ${await place(organizationId, 'articles', id, 'publish')}`),
      put: async ({ organizationId, ...wishes } = {}) =>
        call('articles.put', `POST ${await place(organizationId, 'articles')}`, wishes),
    },
    accounts: {
      set: async (accountId, { organizationId, needsPayment, trouble, ...state }) => {
        check('casa.accounts.set', { needsPayment }, { needsPayment: optional(flag) });
        const wishes = { ...state, ...(trouble !== undefined && { trouble: trouble ?? 'none' }) };
        await call('accounts.set', `PUT ${await place(organizationId, 'accounts', accountId)}`, wishes);
        const payment = needsPayment ? 'payment_method_required' : 'ok';
        if (needsPayment !== undefined) await call('accounts.set', `PUT ${await place(organizationId)}`, { payment });
      },
    },
  };
}

function faultHandles({ call, own }: Connection): ConnectedCasa['faults'] {
  const scope = own ? { key: keyOf(own) } : {};
  const list = async () => {
    const found = await call<{ faults: readonly (FaultRule & { readonly struck: number })[] }>('faults', 'GET /faults');
    const ours = found.faults.filter(({ match }) => own === null || match.key === scope.key);
    return ours.map(({ struck: _, ...rule }) => rule);
  };
  const remove = (id: string) => call('faults.remove', `DELETE /faults/${encodeURIComponent(id)}`);
  return {
    add: async (fault) => {
      const warn = (sentence: string) => console.warn(`casa.faults.add: ${sentence}`);
      const { id, match, ...effects } = readFault(typeof fault === 'string' ? { spec: fault } : fault, '', warn);
      const body = { ...effects, match: { ...scope, ...match }, ...(id !== '' && { id }) };
      return (await call<FaultRule>('faults.add', 'POST /faults', body)).id;
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
      const query = [...(own ? [`&organizationId=${own.id}`] : []), ...(beforeId ? [`&beforeId=${beforeId}`] : [])];
      const { requests } = await call<{ requests: readonly (LoggedRequest & Timing)[] }>(
        'requests',
        `GET /requests?limit=1000${query.join('')}`,
      );
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
      await call('requests.clear', 'DELETE /requests');
    },
  };
}
