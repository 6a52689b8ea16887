// The records of this server. Times are epoch milliseconds unless the name has another unit.
import type { IncomingHttpHeaders } from 'node:http';
import { isUuid, writeId } from './ids.ts';
import { toNs, writePlain, writeTimestamp } from './time.ts';
import type { Variant } from './variants.ts';

export const providers = [
  ...(['google_business', 'facebook_page', 'tiktok', 'instagram', 'google_analytics'] as const),
  ...(['google_search_console', 'google_ads', 'google_calendar', 'google_contacts'] as const),
];

export type Provider = (typeof providers)[number];
export type AccountStatus = 'pending' | 'connected' | 'expired' | 'revoked' | 'pending_api_access';
export type Trouble = 'provider_permission' | 'rate_limited' | 'provider_error' | 'transient';
export type Operation = 'post' | 'reviews' | 'insights';

export interface Article {
  id: string;
  siteId: string;
  title: string;
  slug: string;
  status: string;
  targetKeyword: string | null;
  wordCount: number;
  seoScore: number | null;
  publishedMs: number | null;
  createdNs: bigint;
  updatedNs: bigint;
}

/** The other fields are shown unchanged. */
export interface Site {
  id: string;
  createdMs: number;
  [field: string]: unknown;
}

export interface Keyword {
  id: string;
  siteId: string;
  keyword: string;
  searchVolume: number | null;
  difficulty: number | null;
  intent: string | null;
  createdMs: number;
}

export interface Review {
  id: string;
  author: string;
  rating: number | null;
  text: string;
  date: number;
  reply: { text: string; at: number } | undefined;
}

export interface Account {
  id: string;
  provider: Provider;
  label: string;
  name: string | null;
  status: AccountStatus;
  locked: boolean;
  connected: number | null;
  trouble: Trouble | undefined;
  reviews: Review[];
}

export interface Invite {
  id: string;
  label: string;
  provider: Provider;
  maxAccounts: number;
  expires: number;
}

/** One phone call. `ended` can be in the future: the call is then still running. */
export interface Call {
  ref: string;
  number: number;
  started: number;
  ended: number | null;
  /** When the end was reported; a late report makes the call visible late. */
  reported: number;
  /** Breaks ties; handed out when the end becomes known, never reused. */
  order: number;
  /** The place in the log under the "bumped" cursor scheme, handed out when the call is first visible. */
  place: number | undefined;
}

export interface Org {
  name: string;
  sites: Site[];
  articles: Article[];
  keywords: Keyword[];
  accounts: Account[];
  invites: Invite[];
  calls: Call[];
  posts: { id: string; accountId: string; text: string; at: number }[];
  paymentStopped: boolean;
  delivered: Set<string>;
  lastPlace: number;
}

/** Accounts by purpose. */
export const accountNames = [
  ...(['postable', 'reviewable', 'insightful', 'quiet', 'unsupported', 'pending', 'expired', 'revoked'] as const),
  ...(['pendingApi', 'locked', 'denied', 'limited', 'failing', 'shaky', 'foreign'] as const),
];

export type AccountNames = Record<(typeof accountNames)[number], string>;

export interface World {
  first: Org;
  second: Org;
  names: AccountNames;
  counter: number;
}

export interface Issue {
  path: string;
  message: string;
}

/** One request after the limiters, the key and the body cap. */
export interface ApiRequest {
  org: Org;
  at: number;
  segments: string[];
  query: URLSearchParams;
  body: Uint8Array;
  contentType: string;
}

export interface HttpResponse {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
  /** Only for faulty servers: the bytes of the body, and another type or none. */
  text?: string;
  contentType?: string | null;
  /** The connection stays open after these bytes, as that of an event stream may. */
  stays?: boolean;
}

/** One operation on an account, as the gate sees it. */
export interface Wish {
  operation: Operation;
  writes: boolean;
  /** Everything wrong with the body or the query. */
  issues: readonly Issue[];
  /** False when the thing inside the account, such as a review, does not exist. */
  hasItem?: (account: Account) => boolean;
}

/** A settled call and its place in the log, in nanoseconds. */
export interface Placed {
  call: Call;
  place: bigint;
}

export interface Upload {
  bytes: Uint8Array;
  size: number;
  /** The client disconnected, or sent more than the maximum to drain. */
  gone: boolean;
  endless: boolean;
}

export interface Violation {
  ok: boolean;
  limit: number;
  remaining: number;
  /** When the next request is free, and when the whole allowance is back. */
  next: number;
  full: number;
}

export type Kind = Variant['addressWindow'];

export interface Size {
  limit: number;
  window: number;
}

export interface Limiter {
  take(which: 'address' | 'key', name: string, at: number): Violation;
  /** The response headers; `blocked` names the bucket that rejected. */
  headers(seen: Seen, at: number): Record<string, string>;
}

/** A review's position, stored in a cursor. */
export interface Marked {
  time: number;
  id: string;
}

export interface Seen {
  address?: Violation;
  key?: Violation;
}

/** Everything of a request but its body. */
export interface Head {
  method?: string | undefined;
  url?: string | undefined;
  headers: IncomingHttpHeaders;
  socket: { remoteAddress?: string | undefined };
}

/** A request that has arrived, without its socket. */
export interface PlainRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: Uint8Array;
  address: string;
}

export interface PlainReply {
  status: number;
  headers: Record<string, string>;
  bytes: Uint8Array;
}

/** Everything a handler may look at. */
export interface Context {
  variant: Variant;
  world: World;
  /** Changes by others before a request gets a response. */
  live: ((at: number) => void) | undefined;
  keys: ReadonlyMap<string, 'first' | 'second'>;
  /** Keys that were good once. */
  revoked: ReadonlySet<string>;
  now: () => number;
  limiter: Limiter | undefined;
  /** A hook in front of this server. */
  around?: ((request: PlainRequest) => PlainReply | Promise<PlainReply>) | undefined;
  /** Surprises inside this server: always empty unless it has a bug. */
  faults: string[];
  /** Counts responses of a kind where a variant alternates. */
  turns: number;
}

export type Fields = Record<string, unknown>;

/** `reference` is an id that names another record: a variant may write it in another case. */
export function showId(context: Context, id: string, reference = false): string {
  return isUuid(id) ? writeId(id, context.variant.idCase, reference) : id;
}

/** For the fields that the contract promises as ISO 8601 (R7). */
export function showTime(context: Context, ms: number): string {
  return writeTimestamp(toNs(ms), context.variant.timeFormat);
}

/** For times that are plain strings in the contract. */
export function showPlain(context: Context, ms: number): string {
  return writePlain(ms, context.variant.plainTimes, context.variant.timeFormat);
}

/** Extra fields at the depth the variant allows them. */
export function extra(context: Context, depth: 'outer' | 'deep'): Record<string, unknown> {
  const { extras } = context.variant;
  if (extras === 'none' || (depth === 'deep' && extras !== 'deep')) return {};
  return depth === 'deep'
    ? { revision: 3, tags: ['a', null] }
    : { revision: 3, links: { self: '…' }, archivedAt: null };
}
