// The handles of a `Casa`, on an engine.

import { articleShape, reviewShape, troubleShape } from '../admin/live-routes.ts';
import { flag, oneOf, optional, type Shape, text } from '../admin/shape.ts';
import { describeCall } from '../domain/call.ts';
import type { Engine } from '../engine/engine.ts';
import type { LoggedRequest } from '../engine/request-log-record.ts';
import { mcpPath } from '../http/message.ts';
import { basePath } from '../http/route.ts';
import { toEpochMs, toMs } from '../terminal/duration.ts';
import type { FetchHandler } from '../transports/fetch.ts';
import type {
  Casa,
  CasaAccounts,
  CasaArticles,
  CasaCalls,
  CasaClock,
  CasaFaults,
  CasaKey,
  CasaKeys,
  CasaOrganizations,
  CasaRequests,
  CasaReviews,
  NewFault,
  RequestFilter,
} from './casa.ts';
import { anything, check, checkFilter, checkOrganization, checkRing, readFault } from './check-options.ts';

export interface CasaParts {
  readonly engine: Engine;
  readonly baseUrl: string;
  readonly origin: string;
  readonly handler: FetchHandler;
  readonly close: () => Promise<void>;
}

const handlers = new WeakMap<Casa, FetchHandler>();

/** The handler behind `casa.fetch`, for those who know when its responses arrive; null for a casa of another kind. */
export function handlerOf(casa: Casa): FetchHandler | null {
  return handlers.get(casa) ?? null;
}

/** The same handles for every kind of mock. */
export function createCasa({ engine, baseUrl, origin, handler, close }: CasaParts): Casa {
  const casa: Casa = {
    baseUrl,
    mcpUrl: `${origin}${mcpPath}`,
    origin,
    keys: new WorldKeys(() => engine.world.organizations.values()),
    clock: createCasaClock(engine),
    calls: createCalls(engine),
    reviews: createReviews(engine),
    articles: createArticles(engine),
    accounts: createAccounts(engine),
    faults: createFaults(engine),
    requests: createRequestLog(engine),
    respond: (...given) => casa.faults.add(customRule(...given)),
    organizations: createOrganizations(engine),
    violations: () => engine.violations(),
    reset: () => engine.reset(),
    snapshot: () => engine.snapshot(),
    restore: (snapshot, options) => {
      if (snapshot?.casaSnapshot !== 1) throw new RangeError('casa.restore takes what casa.snapshot() gave back.');
      engine.restore(snapshot, options);
    },
    fetch: (input, init) => handler(toRequest(input, init, { baseUrl, origin })),
    close,
    [Symbol.asyncDispose]: close,
  };
  handlers.set(casa, handler);
  return casa;
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

function createCasaClock({ clock }: Engine): CasaClock {
  return {
    now: () => clock.now(),
    get frozen() {
      return clock.frozen;
    },
    advance: (duration) => clock.advance(toMs(duration)),
    freeze: () => clock.freeze(),
    scale: (factor) => clock.setScale(factor),
    resume: () => clock.resume(),
    set: (timestamp) => clock.set(toEpochMs(timestamp)),
  };
}

/** Gives back the call as it will be logged, before it is over. */
function createCalls(engine: Engine): CasaCalls {
  return {
    ring: (wishes = {}) => {
      checkRing(wishes);
      const { organizationId, ...options } = wishes;
      return describeCall(engine.ringCall(organizationId, options), engine.clock.now());
    },
  };
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

function createOrganizations(engine: Engine): CasaOrganizations {
  return {
    add: (options = {}) => {
      checkOrganization(options);
      const { organization, keys } = engine.addOrganization(options);
      return { id: organization.id, key: keys[0] as string };
    },
  };
}

// The handles of a `Casa` that change what clients read.

const where = { organizationId: optional(text()) } satisfies Shape;

const accountShape = {
  ...where,
  status: optional(oneOf(['pending', 'connected', 'expired', 'revoked', 'pending_api_access'])),
  locked: optional(flag),
  trouble: troubleShape,
  needsPayment: optional(flag),
} satisfies Shape;

function createReviews(engine: Engine): CasaReviews {
  return {
    arrive: (wishes = {}) => {
      check('casa.reviews.arrive', wishes, { ...where, accountId: optional(text()), ...reviewShape });
      const { organizationId, accountId, ...review } = wishes;
      const id = idOf(engine, organizationId);
      const added = engine.addReview(id, accountId, review);
      if (added.ok) return added.value;
      const { code, message } = added.rejection;
      const which = accountId === undefined ? 'with reviews' : `"${accountId}"`;
      throw new RangeError(`casa.reviews.arrive: ${code === 'not_found' ? `there is no account ${which}.` : message}`);
    },
  };
}

function createArticles(engine: Engine): CasaArticles {
  return {
    publish: (id, where = {}) => {
      const published = engine.publishArticle(idOf(engine, where.organizationId), id);
      if (published) return published;
      throw new RangeError(`casa.articles.publish: there is no article "${id}".`);
    },
    put: (wishes = {}) => {
      check('casa.articles.put', wishes, { ...where, ...articleShape });
      const { organizationId, ...article } = wishes;
      const made = engine.putArticle(idOf(engine, organizationId), article);
      if (made) return made;
      throw new RangeError('casa.articles.put: the organization has no site.');
    },
  };
}

function createAccounts(engine: Engine): CasaAccounts {
  return {
    set: (accountId, state) => {
      check('casa.accounts.set', state, accountShape);
      const { organizationId, needsPayment, ...wishes } = state;
      const id = idOf(engine, organizationId);
      if (!engine.changeAccount(id, accountId, wishes)) {
        throw new RangeError(`casa.accounts.set: there is no account "${accountId}".`);
      }
      if (needsPayment !== undefined) engine.changePayment(id, needsPayment ? 'payment_method_required' : 'ok');
    },
  };
}

function idOf({ world }: Engine, organizationId: string | undefined): string {
  const id = organizationId ?? world.organizations.keys().next().value;
  if (id !== undefined && world.organizations.has(id)) return id;
  throw new RangeError(id === undefined ? 'This world has no organization.' : `There is no organization "${id}".`);
}
