/// <reference lib="esnext.disposable" preserve="true" />
// The public handle of a running mock for tests.

import type { CallRecord } from '../contract/basis.ts';
import type { OperationId } from '../contract/generated/operations.ts';
import type { ToolName } from '../contract/generated/tools.ts';
import type { Article, ReviewItem as Review } from '../contract/generated/types.ts';
import type { CustomResponse, FaultErrorName, FaultRule } from '../domain/faults.ts';
import type { AccountWishes, ArticleWishes, ReviewWishes, RingOptions } from '../engine/live-records.ts';
import type { OrganizationOptions } from '../engine/organization.ts';
import type { LoggedRequest } from '../engine/request-log-record.ts';
import type { RestoreOptions, Snapshot } from '../engine/snapshot.ts';
import type { Violation } from '../engine/violations/violation.ts';
import type { WorldDiff } from '../engine/world-diff.ts';
import type { FakeTimers } from './drive.ts';

/** A mock of the service: its URLs, keys and controls. Returned by `createMock` and `startMock`. */
export interface Casa extends AsyncDisposable {
  /** Base URL of the API, for example `http://127.0.0.1:40123/api/v1`, without a slash at the end. */
  readonly baseUrl: string;
  /** URL of the MCP endpoint, for example `http://127.0.0.1:40123/mcp`, with the same keys. Cites 1.mcp-door. */
  readonly mcpUrl: string;
  /** Scheme, host and port of the consent pages and the admin API `/__admin`. */
  readonly origin: string;
  readonly keys: CasaKeys;
  readonly clock: CasaClock;
  readonly calls: CasaCalls;
  readonly reviews: CasaReviews;
  readonly articles: CasaArticles;
  readonly accounts: CasaAccounts;
  readonly faults: CasaFaults;
  readonly requests: CasaRequests;
  readonly organizations: CasaOrganizations;
  /**
   * Makes an operation, or `*`, return this response instead of its own, and returns the id of the rule in
   * `casa.faults`. Rate limits and keys still apply. A response that violates the contract is marked in the request
   * log. Throws a `RangeError` for an invalid response.
   *
   * @example
   * casa.respond('listSites', { status: 200, body: { data: [] } }, { times: 1 });
   */
  respond(operation: OperationId | ToolName | '*', response: CustomResponse, options?: RespondOptions): string;
  /**
   * Returns the violations of sections 6 and 7 of the contract by clients so far, oldest first. They are about retries
   * (7.retry.*) and the polling of the call log (6.*). An empty list does not mean that the client is correct: check
   * how many requests it sent.
   */
  violations(): readonly Violation[];
  /**
   * Restores the initial state: world, faults, rate-limit windows and ids. It empties the request log and the
   * violations, and deletes added organizations. A frozen clock goes back to its start, a running one continues. Keys
   * stay the same.
   */
  reset(): void;
  /**
   * Returns the whole state as plain JSON: world, rate-limit windows, clock, random generator, faults, request log and
   * violations.
   */
  snapshot(): Snapshot;
  /**
   * Restores a snapshot: later responses are the same, byte for byte, as at the time of the snapshot. With `{ clock:
   * 'elapsed' }` a running clock adds the time that has passed since.
   */
  restore(snapshot: Snapshot, options?: RestoreOptions): void;
  /**
   * Returns the records that were added, changed or removed since a snapshot. Without one, those that a reset would
   * undo. Requests, rate limits and the clock do not count.
   *
   * @example
   * expect(casa.diff().counts).toEqual({ posts: 1 });
   */
  diff(since?: Snapshot): WorldDiff;
  /**
   * Sends a request to the mock without a socket, and returns its response. Accepts the arguments of `fetch`, and paths
   * relative to the base URL: `casa.fetch('/articles?limit=3')`. It adds no key. Rejects with a `TypeError` when a
   * network fault leaves no response.
   */
  fetch(input: Request | URL | string, init?: RequestInit): Promise<Response>;
  /** Stops the mock. Pending responses are finished first, within a time limit. Later calls have no effect. */
  close(): Promise<void>;
}

/** API keys of the world, valid only for this mock. Cites 5.key-organization. */
export interface CasaKeys {
  /** A key of the first organization. Throws if the world has none. */
  readonly good: string;
  /** A key of the second organization, for tests of isolation. Throws if the world has one organization only. */
  readonly second: string;
  /** A revoked key: requests with it return 401 `unauthorized`. Throws if the world has none. Cites 5.revoked-key. */
  readonly revoked: string;
  /** All keys of all organizations, also of those added later. */
  readonly list: readonly CasaKey[];
}

/** A key to send after `Bearer `, its organization, and whether it was revoked. */
export interface CasaKey {
  readonly key: string;
  readonly label: string;
  readonly revoked: boolean;
  readonly organizationId: string;
}

/** The clock of rate-limit windows, settling of calls, expiry of links, insight dates, `Date` and `Retry-After`. */
export interface CasaClock {
  /** Returns the time in epoch milliseconds. */
  now(): number;
  readonly frozen: boolean;
  /**
   * Moves the time forward by milliseconds, or by `'30s'`, `'5m'`, `'2h'`, `'1d'`, before it returns. With `drive`, and
   * with `clock: 'page'` in Playwright, it also moves the timers of the test or the pages: await the promise. Throws a
   * `RangeError` for an invalid duration.
   */
  advance(duration: number | string): Promise<void>;
  /**
   * Makes fake timers show the time of the mock, and moves both together until `reset`. Make the timers fake first.
   *
   * @example
   * vi.useFakeTimers();
   * casa.clock.drive(vi); // or jest, or mock.timers of node:test
   * await casa.clock.advance('5m');
   */
  drive(timers: FakeTimers): void;
  freeze(): void;
  /** Sets the speed, as a factor of the system's time. Throws a `RangeError` unless it is above 0. */
  scale(factor: number): void;
  /** Lets a frozen clock run with the system's time. */
  resume(): void;
  /** Jumps to a time: a date, epoch milliseconds or ISO 8601. Throws a `RangeError` if it is in the clock's past. */
  set(timestamp: Date | number | string): Promise<void>;
}

/** Telephone calls, which the API only reads. */
export interface CasaCalls {
  /**
   * Starts a call now, in the first organization unless `organizationId` names another, and returns it. It lasts 60
   * seconds by default, and reaches pollers 300 seconds after its end. Cites 4.calls.settled-only.
   */
  ring(options?: RingOptions & { readonly organizationId?: string }): CallRecord;
}

/** The organization; the first one unless `organizationId` names another. */
export interface InOrganization {
  readonly organizationId?: string | undefined;
}

export interface CasaReviews {
  /** Adds a review and returns it: at the first account with reviews, unless `accountId` names another. */
  arrive(wishes?: ReviewWishes & InOrganization & { readonly accountId?: string | undefined }): Review;
}

export interface CasaArticles {
  /** Publishes an article now and returns it. Throws for an unknown id. */
  publish(id: string, where?: InOrganization): Article;
  /** Adds an article, or changes the one with the given `id`, and returns it. */
  put(wishes?: ArticleWishes & InOrganization): Article;
}

export interface CasaAccounts {
  /**
   * Changes the state of an account; omitted fields stay the same. `needsPayment` applies to its whole organization:
   * paid actions return 402 while it is true.
   */
  set(accountId: string, state: AccountWishes & InOrganization & { readonly needsPayment?: boolean | undefined }): void;
}

/** Options of `casa.respond`. */
export interface RespondOptions {
  /** Number of requests that get the response; all when absent. */
  readonly times?: number | undefined;
  /** Further conditions on the request. */
  readonly when?: Omit<FaultRule['match'], 'operation'> | undefined;
}

/** A fault rule with an optional id. */
export type NewFault = Omit<FaultRule, 'id' | 'match' | 'error'> & {
  readonly id?: string;
  /** The whole rule as one text, for example `createPost=provider_auth@1x`; it replaces all other fields but `id`. */
  readonly spec?: string | undefined;
  /** An error by its name, its code or its status. A status with several errors means the most common one. */
  readonly error?: FaultErrorName | number | undefined;
  /** The requests that it applies to; all when absent. */
  readonly match?: FaultRule['match'];
};

/** Failures on demand, such as those of section 7, of limiters and of the network. */
export interface CasaFaults {
  /**
   * Adds a rule that makes matching requests fail, and returns its id. A text is a spec of `--fault`, for example
   * `createPost=provider_auth@1x`. The newest matching rule applies. Throws a `RangeError` for an invalid spec.
   */
  add(fault: NewFault | string): string;
  /** Deletes one rule. Returns false for an unknown id. */
  remove(id: string): boolean;
  clear(): void;
  list(): readonly FaultRule[];
}

/** Conditions on requests; all given conditions have to match. */
export interface RequestFilter {
  /** An operation through REST and MCP, or a tool of the MCP endpoint. */
  readonly operation?: OperationId | ToolName;
  readonly method?: string;
  /** The path without the query: the whole path, or a pattern. */
  readonly path?: string | RegExp;
  readonly status?: number;
  readonly organizationId?: string;
  /** The limiter that rejected the request. */
  readonly blockedBy?: 'address' | 'key';
}

/** The last 1000 requests without preflights. Keys are redacted, and bodies are cut at 16 KB. */
export interface CasaRequests {
  /** Returns all requests, oldest first. */
  all(): readonly LoggedRequest[];
  find(filter: RequestFilter | ((record: LoggedRequest) => boolean)): readonly LoggedRequest[];
  count(filter?: RequestFilter | ((record: LoggedRequest) => boolean)): number;
  clear(): void;
}

/** Organizations in addition to those of the world. */
export interface CasaOrganizations {
  /**
   * Adds an organization with a separate key and rate-limit window, for test workers that share a mock. It is a copy of
   * the first organization of this mock's world, or of `world`. Throws a `RangeError` for an unknown world.
   */
  add(options?: OrganizationOptions): { readonly id: string; readonly key: string };
}
