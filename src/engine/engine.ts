// The engine: one world, its limiters and faults, the pipeline, the request log, the violations and the admin API.
// Transports pass in plain requests and send plain responses, so nothing here knows sockets.
import type { Article, ReviewItem } from '../contract/generated/types.ts';
import type { BehaviorsSource } from '../contract/profile.ts';
import type { Account, Payment } from '../domain/accounts.ts';
import type { Call } from '../domain/call.ts';
import type { ControlledClock } from '../domain/clock.ts';
import type { Faults } from '../domain/faults.ts';
import type { Limits } from '../domain/limits.ts';
import type { Outcome } from '../domain/outcome.ts';
import type { World } from '../domain/world.ts';
import type { CoreRequest, CoreResponse } from '../http/message.ts';
import type { CommitEntry, Forgotten, Listener } from './commit.ts';
import type { Deliveries } from './deliveries.ts';
import type { Snapshots } from './kept-snapshots.ts';
import type { AccountWishes, ArticleWishes, ReviewWishes, RingOptions } from './live-records.ts';
import type { FreshOrganization, OrganizationOptions } from './organization.ts';
import type { RequestLog } from './request-log.ts';
import type { RestoreOptions, Snapshot, WorldState } from './snapshot.ts';
import type { Violation } from './violations/violation.ts';
import type { WorldDiff } from './world-diff.ts';

export interface Engine {
  readonly world: World;
  readonly limits: Limits;
  readonly faults: Faults;
  readonly requestLog: RequestLog;
  readonly deliveries: Deliveries;
  /** Those that the admin API keeps by name. */
  readonly kept: Snapshots;
  /** The clock. Changes are committed and sent to listeners. */
  readonly clock: ControlledClock;
  /** How the mock came to its behaviors; a snapshot that is restored brings its own. */
  readonly behaviors: BehaviorsSource;
  /** Responds to one request. Never waits. */
  handle(request: CoreRequest): CoreResponse;
  /** Responds to one request to the MCP endpoint (`mcpPath`), which waits for only the protocol's own steps. */
  handleMcp(request: CoreRequest): Promise<CoreResponse>;
  /** Records the reason why a browser rejects the preflight, for the request log and listeners. */
  recordRejection(request: CoreRequest, response: CoreResponse, reason: string): void;
  /**
   * The response to a request did not leave, and this one did in its place: request log, log and listeners report it.
   */
  replaceResponse(request: CoreRequest, response: CoreResponse): void;
  /**
   * Sends a request of the request log to the API again, unchanged, and returns the id of the new one. It counts in
   * windows, but not for violations, because no client sent it. Null for a request that cannot be sent again.
   */
  repeat(requestId: number): number | null;
  /** Back to the world, limits and faults of the start; request log and violations are emptied. */
  reset(): void;
  snapshot(): Snapshot;
  /** Returns the records that differ from those of a state; without one, from those that a reset restores. */
  diff(before?: WorldState, organizationId?: string): WorldDiff;
  /**
   * The state of this moment without its history, for a file: as JSON it is a snapshot. It does not change any more,
   * and long records are made when they are written.
   */
  toWrite(): object;
  restore(snapshot: Snapshot | Omit<Snapshot, 'requestLog' | 'violations'>, options?: RestoreOptions): void;
  /** Does again what was committed, on an engine that was started with the same world. */
  replay(entries: readonly CommitEntry[]): void;
  /** A further organization with its own key and its own copy of a world. */
  addOrganization(options?: OrganizationOptions): FreshOrganization;
  /** Puts an account into another state. Null when the organization has no such account. */
  changeAccount(organizationId: string, accountId: string, wishes: AccountWishes): Account | null;
  /** Says whether an organization may take paid actions, or why not. False when there is no such organization. */
  changePayment(organizationId: string, payment: Payment): boolean;
  /** A review arrives. Rejected where there is no such account, or its provider has no reviews. */
  addReview(organizationId: string, accountId: string | undefined, wishes?: ReviewWishes): Outcome<ReviewItem>;
  /** Adds an article or changes one. Null where there is no such organization or no site. */
  putArticle(organizationId: string, wishes: ArticleWishes): Article | null;
  /** Null when the organization has no such article. */
  publishArticle(organizationId: string, id: string): Article | null;
  /**
   * Lets a telephone ring; the first organization when `organizationId` is absent. Throws a RangeError on bad options.
   */
  ringCall(organizationId?: string | undefined, options?: RingOptions): Call;
  /** Ends a running call now; null when there is no such call, or it is over. */
  endCall(organizationId: string | undefined, callId: string, outcome?: string): Call | null;
  /** Offences of clients against the contract, oldest first. */
  violations(): readonly Violation[];
  clearViolations(): void;
  /** Counts a connection that a transport closed because of its limits. */
  closedConnection(): void;
  /** How many records were dropped because their memory was full; all 0 in normal use. */
  forgotten(): Forgotten;
  /** Calls the listener on everything that happens; gives back a way to stop. */
  subscribe(listener: Listener): () => void;
}
