// The state that the mock must have, kept by the simulation from its own requests and responses. The invariants compare
// both.

import type { ReviewItem } from '../../src/contract/generated/types.ts';
import { parseTimestampMs } from '../../src/contract/timestamps.ts';
import type { Account, Payment } from '../../src/domain/accounts.ts';
import { type Action, providerActions } from '../../src/domain/actions.ts';
import { defaultWorldBehavior, type WorldBehavior } from '../../src/domain/world-behavior.ts';
import type { AccountData, CallData, LinkData, OrganizationData, WorldData } from '../../src/domain/world-data.ts';
import { hold } from './exchange.ts';

/** An account, from the responses to its organization's clients. */
export interface KnownAccount {
  /** Null until a list of accounts has shown what a consent session connected. */
  accountId: string | null;
  readonly provider: Account['provider'];
  readonly label: string;
  readonly name: string | null;
  readonly connectedAtMs: number | null;
  status: Account['status'];
  locked: boolean;
  trouble: Account['trouble'];
  posts: number;
  /** By review id, as the client sees it; null until a client has walked all pages. */
  reviews: Map<string, ReviewItem> | null;
}

/** A connect link, by its token in the organization's map. */
export interface KnownLink {
  readonly label: string;
  readonly provider: Account['provider'];
  readonly maxAccounts: number;
  readonly expiresAtMs: number;
  used: boolean;
}

/** All data that clients of one organization can read. */
export interface KnownOrganization {
  readonly id: string;
  readonly key: string;
  /** Their ids. */
  readonly articles: readonly string[];
  readonly accounts: KnownAccount[];
  readonly links: Map<string, KnownLink>;
  readonly calls: CallBook;
  payment: Payment;
}

/** The knowledge of a whole run, shared by its clients and invariants. */
export interface Ledger {
  readonly organizations: readonly KnownOrganization[];
  readonly byKey: ReadonlyMap<string, KnownOrganization>;
  readonly revokedKeys: readonly string[];
  readonly behavior: WorldBehavior;
  readonly greased: boolean;
  /** Whether faults are currently ordered. */
  faultsOrdered: boolean;
}

/** Behaviors of the contract that change what a response has to be. */
export interface LedgerOptions {
  readonly behavior: Partial<WorldBehavior>;
  readonly greased: boolean;
}

/** Begins with the initial world of the mock; both then change separately. */
export function openLedger(data: WorldData, { behavior, greased }: LedgerOptions): Ledger {
  const organizations = data.organizations.map(openOrganization);
  return {
    organizations,
    byKey: new Map(organizations.map((organization) => [organization.key, organization])),
    revokedKeys: data.organizations.flatMap(({ keys }) => keys.filter(({ revoked }) => revoked).map(({ key }) => key)),
    behavior: { ...defaultWorldBehavior, ...behavior },
    greased,
    faultsOrdered: false,
  };
}

function openOrganization(data: OrganizationData): KnownOrganization {
  return {
    id: data.id,
    key: data.keys.find(({ revoked }) => !revoked)?.key ?? '',
    articles: data.articles.map(({ id }) => id),
    accounts: data.accounts.map(toKnown),
    links: new Map(data.links.map((link) => [link.token, toKnownLink(link)])),
    calls: new CallBook(data.calls),
    payment: data.payment,
  };
}

/** Reviews are left out: a client sees them first, and from then on they are known. */
function toKnown({
  posts,
  reviews: _seen,
  connectedAt,
  metrics: _metrics,
  trouble,
  ...account
}: AccountData): KnownAccount {
  const connectedAtMs = connectedAt === null ? null : parseTimestampMs(connectedAt);
  return { ...account, connectedAtMs, trouble: trouble ?? null, posts: posts.length, reviews: null };
}

function toKnownLink({ label, provider, maxAccounts, expiresAt, usedAt }: LinkData): KnownLink {
  return { label, provider, maxAccounts, expiresAtMs: parseTimestampMs(expiresAt) ?? 0, used: usedAt !== null };
}

export function findAccount({ accounts }: KnownOrganization, accountId: string): KnownAccount | undefined {
  return accounts.find((account) => account.accountId === accountId);
}

/** Every code that the action may be rejected with; none when it has to succeed. Assumption C28 and C30. */
export function rejectionsOf(
  { payment }: KnownOrganization,
  account: KnownAccount | undefined,
  { action, paid }: { action: Action; paid: boolean },
): readonly string[] {
  if (!account) return ['not_found'];
  const { status, locked, provider, trouble } = account;
  const unreachable = status === 'pending_api_access' ? 'provider_permission' : 'provider_auth';
  return [
    ...(status === 'connected' ? [] : [unreachable]),
    ...(paid && (payment !== 'ok' || locked) ? ['payment_required'] : []),
    ...(providerActions[provider].includes(action) ? [] : ['not_supported']),
    ...(trouble === null ? [] : [trouble]),
  ];
}

/** Assumption C39. */
const settleMs = 300_000;

/** A call with the data of the simulation. */
interface KnownCall {
  readonly id: string;
  readonly startedAtMs: number;
  endedAtMs: number;
  visibleAtMs: number;
  /** As it was first delivered; a delivered call is final. */
  delivered: string | null;
}

/** Checks exactly-once by counts and successors: any two pollers, with any limits, must see one order. */
export class CallBook {
  readonly #byId = new Map<string, KnownCall>();
  /** Never decreasing. */
  readonly #visibleAtMs: number[] = [];
  /** The call that follows another in the order of delivery, as the first poller got it. */
  readonly #successors = new Map<string, string>();

  constructor(calls: readonly CallData[]) {
    for (const { id, startedAt, endedAt, reportedAt } of calls) {
      const endedAtMs = parseTimestampMs(endedAt) ?? 0;
      const reportedAtMs = reportedAt === undefined ? 0 : (parseTimestampMs(reportedAt) ?? 0);
      this.#put({
        id,
        startedAtMs: parseTimestampMs(startedAt) ?? 0,
        endedAtMs,
        visibleAtMs: Math.max(endedAtMs + settleMs, reportedAtMs),
        delivered: null,
      });
    }
  }

  get ids(): Iterable<string> {
    return this.#byId.keys();
  }

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  startOf(id: string): number {
    return this.#byId.get(id)?.startedAtMs ?? Number.NaN;
  }

  /** A call that becomes known now; one that ended long ago is visible at once. */
  ring(id: string, { startedAtMs, endedAtMs }: { startedAtMs: number; endedAtMs: number }, nowMs: number): void {
    this.#put({ id, startedAtMs, endedAtMs, visibleAtMs: Math.max(endedAtMs + settleMs, nowMs), delivered: null });
  }

  /** Only for a call that still rings: its old place in the order was only planned. */
  hangUp(id: string, nowMs: number): void {
    const call = this.#byId.get(id);
    if (!call) return;
    this.#visibleAtMs.splice(this.#visibleAtMs.indexOf(call.visibleAtMs), 1);
    this.#put({ ...call, endedAtMs: nowMs, visibleAtMs: nowMs + settleMs });
  }

  /** How many calls became visible after one time, up to and including another. */
  countVisible(afterMs: number, throughMs: number): number {
    return countThrough(this.#visibleAtMs, throughMs) - countThrough(this.#visibleAtMs, afterMs);
  }

  /** Calls that a user could end now. */
  running(nowMs: number): string[] {
    return [...this.#byId.values()]
      .filter(({ startedAtMs, endedAtMs }) => startedAtMs <= nowMs && endedAtMs > nowMs)
      .map(({ id }) => id);
  }

  /** Holds one delivered call against the book; `previous` is the one that this poller got before it. */
  deliver(record: { id: string }, { previous, nowMs }: { previous: string | null; nowMs: number }): void {
    const { id } = record;
    const call = this.#byId.get(id);
    hold('calls', call !== undefined, () => `a poller got the call ${id}, which does not exist`);
    if (!call) return;
    const over = () => `a poller got the call ${id} ${(nowMs - call.endedAtMs) / 1000} s after its end`;
    hold('calls', call.visibleAtMs <= nowMs, over);
    const text = JSON.stringify(sorted(record));
    call.delivered ??= text;
    hold('calls', call.delivered === text, () => `the delivered call ${id} has changed: ${call.delivered} to ${text}`);
    if (previous === null) return;
    const before = this.#byId.get(previous)?.visibleAtMs ?? 0;
    hold(
      'calls',
      before <= call.visibleAtMs,
      () => `the call ${id} came after ${previous}, which became visible later`,
    );
    const known = this.#successors.get(previous) ?? id;
    hold('calls', known === id, () => `after the call ${previous} one poller got ${known}, another ${id}`);
    this.#successors.set(previous, id);
  }

  #put(call: KnownCall): void {
    this.#byId.set(call.id, call);
    this.#visibleAtMs.splice(countThrough(this.#visibleAtMs, call.visibleAtMs), 0, call.visibleAtMs);
  }
}

// A greased mock writes the fields in any order.
function sorted(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(fields.map(([name, field]) => [name, sorted(field)]));
}

/** Timestamps up to and including `ms`, by halving: books of long runs hold thousands of calls. */
function countThrough(timestamps: readonly number[], ms: number): number {
  let low = 0;
  let high = timestamps.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((timestamps[middle] as number) <= ms) low = middle + 1;
    else high = middle;
  }
  return low;
}
