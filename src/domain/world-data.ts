// A world as plain JSON, on disk and in a snapshot. Timestamps are ISO 8601 texts relative to `anchor`: loading a world
// moves all of them by the distance between the anchor and the clock.
import type { Customer, InboxMessage } from '../contract/generated/tools.ts';
import type { Article, ConnectedAccount, Keyword, Provider, ReviewItem, Site } from '../contract/generated/types.ts';

/** A whole world. `casaWorld` is the version of the form: a file of another one is rejected with a reason. */
export interface WorldData {
  readonly casaWorld: 1;
  readonly anchor: string;
  /** Times that loading does not move: those of a file without an anchor. */
  readonly fixedTimes?: readonly string[];
  /** Where the generator of ids starts; a snapshot has its present position here. */
  readonly seed: number;
  readonly organizations: readonly OrganizationData[];
}

/** Everything that one API key can reach. Ids have to be unique within an organization only. */
export interface OrganizationData {
  readonly id: string;
  readonly name: string;
  /** Whether paid actions are possible, or why not. Assumption C30. */
  readonly payment: 'ok' | 'payment_method_required' | 'renewal_pending';
  readonly keys: readonly KeyData[];
  readonly sites: readonly Site[];
  readonly articles: readonly Article[];
  readonly keywords: readonly Keyword[];
  readonly accounts: readonly AccountData[];
  readonly links: readonly LinkData[];
  readonly calls: readonly CallData[];
  /** Records for tools of the MCP endpoint only; absent in older worlds. */
  readonly inbox?: readonly InboxMessage[];
  readonly customers?: readonly Customer[];
  readonly contacts?: readonly ContactData[];
}

/** A contact of the dialer. */
export interface ContactData {
  readonly contactId: string;
  readonly phone: string;
  readonly name: string | null;
  readonly email: string | null;
  /** Further columns, as they were sent. */
  readonly fields: Readonly<Record<string, string>>;
  readonly importedAt: string;
}

/** A revoked key is kept so it can be shown to return 401. Cites 5.revoked-key. */
export interface KeyData {
  readonly key: string;
  readonly label: string;
  readonly revoked: boolean;
}

/** An account with its reviews and posts. */
export interface AccountData extends ConnectedAccount {
  readonly posts: readonly PostData[];
  readonly reviews: readonly ReviewItem[];
  /** Whether a client replied to one: a calibrated mock can end their pages in another way then. */
  readonly isReplied?: boolean;
  /** Daily means of the insights of this account; the points follow from it, the account and the date. */
  readonly metrics: readonly MetricData[];
  /**
   * The error with which the platform rejects actions on the account, if the world needs such an account.
   */
  readonly trouble?: 'provider_error' | 'transient' | 'rate_limited';
}

/** One metric of the insights; `key` and `label` are returned unchanged. */
export interface MetricData {
  readonly key: string;
  readonly label: string;
  readonly dailyMean: number;
}

/** A published post. The contract has no way to read it back; the dashboard and `--save` do. */
export interface PostData {
  readonly postId: string;
  readonly permalink: string | null;
  readonly text: string;
  readonly imageUrl?: string;
  readonly link?: string;
  readonly postedAt: string;
}

/** A connect link as JSON; see `Link` for its life. */
export interface LinkData {
  readonly id: string;
  /** The secret part of `connectUrl`. */
  readonly token: string;
  readonly label: string;
  readonly provider: Provider;
  readonly maxAccounts: number;
  readonly expiresAt: string;
  /** Set when the consent session was finished: the link is single-use. */
  readonly usedAt: string | null;
  readonly accountIds: readonly string[];
}

/** One telephone call. All fields but the timestamps are our assumption (assumption C34). */
export interface CallData {
  readonly id: string;
  readonly direction: 'inbound' | 'outbound';
  readonly from: string;
  readonly to: string;
  readonly agent: string;
  readonly startedAt: string;
  /** If it is in the future, the call is running. */
  readonly endedAt: string;
  /** When the platform reported the call, if that was later than its end. */
  readonly reportedAt?: string;
  /**
   * When pollers may first see it, with its place among the calls of that millisecond in the digits below. A snapshot
   * sets it; without it, it follows from the other timestamps (assumption C39).
   */
  readonly visibleAt?: string;
  /** The outcome as it looks while the call settles, and the final one. */
  readonly provisional: string;
  readonly outcome: string;
}
