/// <reference lib="esnext.disposable" preserve="true" />
// The handles of a running mock for a test: everything it needs, and nothing of how the mock works inside.
import type { OperationId } from '../contract/generated/operations.ts';
import type { ToolName } from '../contract/generated/tools.ts';
import type { Article, ReviewItem as Review } from '../contract/generated/types.ts';
import type { CallRecord } from '../domain/call.ts';
import type { FaultErrorName } from '../domain/errors-on-demand.ts';
import type { FaultRule } from '../domain/faults.ts';
import type { AccountWishes, ArticleWishes, ReviewWishes, RingOptions } from '../engine/live-records.ts';
import type { OrganizationOptions } from '../engine/organization.ts';
import type { LoggedRequest } from '../engine/request-log-record.ts';
import type { RestoreOptions, Snapshot } from '../engine/snapshot.ts';
import type { Violation } from '../engine/violations/violation.ts';

/** A mock of the service: its addresses, its keys and its handles. */
export interface Casa extends AsyncDisposable {
  /** Where the API is, such as `http://127.0.0.1:40123/api/v1`; no slash at the end. */
  readonly baseUrl: string;
  /**
   * URL of the MCP endpoint, for example `http://127.0.0.1:40123/mcp`; the keys are those of the API. Cites 1.mcp-door.
   */
  readonly mcpUrl: string;
  /** Scheme, host and port: where the consent pages and the admin API `/__admin` are. */
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
   * Offences of the clients against sections 6 and 7 of the contract so far, oldest first; an empty list is good.
   * Judged are retries (7.retry.*) and the polling of the call log (6.*).
   */
  violations(): readonly Violation[];
  /**
   * Back to the start: world, faults, limiter windows and ids; request log and violations are emptied. A frozen clock
   * goes back to where it started, a running one runs on. The keys stay the same; organizations that were added are
   * gone.
   */
  reset(): void;
  /**
   * Everything the mock holds, as plain JSON: world, limiter windows, clock, generator, faults, request log,
   * violations.
   */
  snapshot(): Snapshot;
  /**
   * Restores a snapshot: later responses are the same, byte for byte, as at the time of the snapshot. With `{ clock:
   * 'elapsed' }` a running clock adds the time that has passed since.
   */
  restore(snapshot: Snapshot, options?: RestoreOptions): void;
  /**
   * Asks the mock without a socket. Takes what `fetch` takes, and paths: `casa.fetch('/articles?limit=3')` counts from
   * the base URL. No key is added. Rejects with a `TypeError` where a network fault leaves no response.
   */
  fetch(input: Request | URL | string, init?: RequestInit): Promise<Response>;
  /** Stops the mock. Responses under way are finished within a bounded time; calling it again does nothing. */
  close(): Promise<void>;
}

/** API keys of the world. They open only a mock. Cites 5.key-organization. */
export interface CasaKeys {
  /** A key of the first organization. Throws when the world has none. */
  readonly good: string;
  /** A key of the second organization, for tests of isolation. Throws when the world has one organization only. */
  readonly second: string;
  /** A key that was revoked: returns 401 `unauthorized`. Throws when the world has none. Cites 5.revoked-key. */
  readonly revoked: string;
  /** All keys of all organizations, also of those added later. */
  readonly list: readonly CasaKey[];
}

/** A key as it is sent after `Bearer `, the organization it opens, and whether it was revoked. */
export interface CasaKey {
  readonly key: string;
  readonly label: string;
  readonly revoked: boolean;
  readonly organizationId: string;
}

/** The clock of rate-limit windows, settling of calls, expiry of links, insight dates, `Date` and `Retry-After`. */
export interface CasaClock {
  /** Epoch milliseconds. */
  now(): number;
  readonly frozen: boolean;
  /**
   * Moves on by milliseconds, or by `'30s'`, `'5m'`, `'2h'`, `'1d'`. Throws a `RangeError` on a text that is not a
   * duration.
   */
  advance(duration: number | string): void;
  freeze(): void;
  /** Lets the clock run this many times as fast as the system's time. Throws a `RangeError` unless it is above 0. */
  scale(factor: number): void;
  /** Lets a frozen clock run with the system's time. */
  resume(): void;
  /**
   * Jumps to a timestamp: a date, epoch milliseconds or ISO 8601. Throws a `RangeError` when that is in the clock's
   * past.
   */
  set(timestamp: Date | number | string): void;
}

/** Calls cannot be made through the API, so a test makes them here. */
export interface CasaCalls {
  /**
   * Starts a call now, in the first organization unless `organizationId` names another, and returns it. It lasts 60
   * seconds by default, and reaches pollers 300 seconds after its end. Cites 4.calls.settled-only.
   */
  ring(options?: RingOptions & { readonly organizationId?: string }): CallRecord;
}

/** The organization is the first one unless `organizationId` names another. */
export interface InOrganization {
  readonly organizationId?: string | undefined;
}

export interface CasaReviews {
  /** A review arrives, at the first account that has reviews unless `accountId` names another. */
  arrive(wishes?: ReviewWishes & InOrganization & { readonly accountId?: string | undefined }): Review;
}

export interface CasaArticles {
  /** Publishes an article now. */
  publish(id: string, where?: InOrganization): Article;
  /** Adds an article, or changes the one whose `id` is given. */
  put(wishes?: ArticleWishes & InOrganization): Article;
}

export interface CasaAccounts {
  /**
   * Puts an account into another state; what is left out stays. `needsPayment` is about its whole organization: paid
   * actions return 402 from then on, or no longer.
   */
  set(accountId: string, state: AccountWishes & InOrganization & { readonly needsPayment?: boolean | undefined }): void;
}

/** A rule without an id is given one. */
export type NewFault = Omit<FaultRule, 'id' | 'match' | 'error'> & {
  readonly id?: string;
  /** The whole rule as one text, for example `createPost=provider_auth@1x`; it replaces all other fields but `id`. */
  readonly spec?: string | undefined;
  /** An error by its name, its code or its status. A status with several errors means the usual one. */
  readonly error?: FaultErrorName | number | undefined;
  /** Which requests it strikes; all when absent. */
  readonly match?: FaultRule['match'];
};

/** Failures on demand, such as those of section 7, of limiters and of the network. */
export interface CasaFaults {
  /**
   * Makes requests fail from now on, and gives back the rule's id. A text is a spec as `--fault` takes it, such as
   * `createPost=provider_auth@1x`. Throws a `RangeError` on a spec that cannot be read. Of several rules the newest
   * strikes.
   */
  add(fault: NewFault | string): string;
  /** Deletes one rule. Returns false for an unknown id. */
  remove(id: string): boolean;
  clear(): void;
  list(): readonly FaultRule[];
}

/** The requests that fit: every given condition holds, and an absent one does not count. */
export interface RequestFilter {
  /** An operation through REST and MCP, or a tool of the MCP endpoint. */
  readonly operation?: OperationId | ToolName;
  readonly method?: string;
  /** The path without the query: as a whole, or a pattern. */
  readonly path?: string | RegExp;
  readonly status?: number;
  readonly organizationId?: string;
  /** Which limiter rejected the request. */
  readonly blockedBy?: 'address' | 'key';
}

/** The last 1000 requests, preflights aside. Keys are redacted in it, long bodies cut at 16 KB. */
export interface CasaRequests {
  /** Oldest first. */
  all(): readonly LoggedRequest[];
  find(filter: RequestFilter | ((record: LoggedRequest) => boolean)): readonly LoggedRequest[];
  count(filter?: RequestFilter | ((record: LoggedRequest) => boolean)): number;
  clear(): void;
}

/** Organizations beyond those of the world. */
export interface CasaOrganizations {
  /**
   * Adds an organization with a separate key and rate-limit window, for test workers that share a mock. It is a copy of
   * the first organization of this mock's world, or of `world`. Throws a `RangeError` for an unknown world.
   */
  add(options?: OrganizationOptions): { readonly id: string; readonly key: string };
}
