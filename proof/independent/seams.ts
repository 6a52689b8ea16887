import type { Refusal } from './errors.ts';
import type {
  Account,
  Answer,
  Article,
  Ask,
  Call,
  Issue,
  Keyword,
  Kind,
  Limiter,
  Marked,
  Placed,
  Provider,
  Review,
  Site,
  Size,
  Upload,
  Verdict,
  Wish,
  World,
} from './types.ts';
import type { Variant } from './variants.ts';

/**
 * Seams for deliberate wrongness. Each place where a server could go wrong hands its value through a seam, with what is
 * known there; a wrongness replaces the value. Without one the value passes unchanged: the server is faithful.
 */
interface Seam<Value, About = undefined> {
  value: Value;
  about: About;
}

export type Fields = Record<string, unknown>;
type Which = 'address' | 'key';
export type Operation = 'link' | 'post' | 'reply' | 'reviews' | 'insights';

/** The parts of a request that are known before any decision. */
export interface Visit {
  method: string;
  segments: readonly string[];
  query: URLSearchParams;
  /** It came to the MCP door. */
  door: boolean;
  /** The bearer key as sent, and whether it is a good one. */
  key: string | undefined;
  known: boolean;
  address: string;
  agent: string;
  /** The same object for each request of one connection. */
  connection: object;
}

/** A range of integers with the value that counts when none is given. */
interface Bounds {
  min: number;
  max: number;
  fallback: number;
}

/** One request for articles, as its parameters were read. */
export interface Walk {
  context: Context;
  ask: Ask;
  limit: number;
  cursor: bigint | undefined;
  siteId: string | undefined;
}

interface Cut<Item> {
  page: readonly Item[];
  rest: readonly Item[];
  size: number;
}

interface Sent {
  context: Context;
  ask: Ask;
}

export interface AccountList {
  accounts: readonly Fields[];
  pendingInvites: readonly Fields[];
  billing: Fields;
  [more: string]: unknown;
}

interface TextRule {
  name: string;
  max: number;
}

interface LimitSeams {
  /** The name under which a request is counted; undefined when it is not counted at all. */
  'limit.name': Seam<string | undefined, { which: Which; address: string; visit: Visit }>;
  'limit.size': Seam<Size, Which>;
  'limit.kind': Seam<Kind, Which>;
  'limit.verdict': Seam<Verdict, Which>;
  'limit.answer': Seam<Answer, { which: Which; visit: Visit }>;
  'limit.headers': Seam<Record<string, string>, { shown: Verdict; at: number }>;
}

interface ServerSeams {
  'key.org': Seam<'first' | 'second' | undefined, { context: Context; visit: Visit }>;
  'key.refusal': Seam<Refusal, { context: Context; visit: Visit }>;
  'cap.bytes': Seam<number>;
  /** How much of a body is kept in memory. */
  'cap.keep': Seam<number>;
  'cap.size': Seam<number, { upload: Upload; declared: string | undefined }>;
  'error.answer': Seam<Answer, { context: Context; refusal: Refusal; visit: Visit }>;
  'crash.answer': Seam<Answer, { visit: Visit }>;
  answer: Seam<Answer, { context: Context; visit: Visit }>;
}

interface ListSeams {
  'article.limit': Seam<Bounds, Ask>;
  'article.size': Seam<number, Walk>;
  'article.cursor.text': Seam<string>;
  'article.cursor.instant': Seam<bigint | undefined, string>;
  'article.site-known': Seam<boolean, Sent & { siteId: string }>;
  'article.pool': Seam<readonly Article[], Walk>;
  'article.belongs': Seam<(article: Article) => boolean, Walk>;
  'article.page': Seam<readonly Article[], Walk>;
  'article.order': Seam<(left: Article, right: Article) => number, { newestFirst: boolean }>;
  'article.follows': Seam<(article: Article) => boolean, { cursor: bigint; newestFirst: boolean }>;
  'article.rest': Seam<readonly Article[], Walk>;
  'article.next': Seam<bigint | null, Walk & Cut<Article>>;
  'article.cursor': Seam<string | null | undefined, bigint | null>;
  'article.shown': Seam<Fields, Article>;
  'article.thin': Seam<(value: unknown) => boolean>;
  'article.records': Seam<readonly Article[], Sent>;
  'article.found': Seam<Article | undefined, Sent>;
  'site.shown': Seam<Fields, Site>;
  'site.list': Seam<readonly Site[], Sent>;
  'site.records': Seam<readonly Site[], Sent>;
  'site.found': Seam<Site | undefined, Sent>;
  'keyword.bad-site': Seam<boolean, string | null>;
  'keyword.pool': Seam<readonly Keyword[], Sent>;
  'keyword.belongs': Seam<(keyword: Keyword) => boolean, { siteId: string; known: boolean }>;
  'keyword.shown': Seam<Fields, Keyword>;
}

interface ConnectSeams {
  'schema.issues': Seam<readonly Issue[], Sent & { operation: Operation }>;
  'text.value': Seam<unknown, TextRule>;
  'text.length': Seam<number, TextRule & { text: string }>;
  'text.bounds': Seam<{ min: number; max: number }, TextRule>;
  'provider.value': Seam<unknown>;
  'provider.found': Seam<Provider | undefined, unknown>;
  'max-accounts.value': Seam<unknown>;
  'max-accounts.bounds': Seam<Bounds & { whole: boolean }>;
  'path.account': Seam<string, { ask: Ask; wish: Wish }>;
  'path.review': Seam<string, Ask>;
  'account.pattern': Seam<boolean, { id: string; wish: Wish }>;
  'account.found': Seam<Account | undefined, Sent & { id: string; wish: Wish }>;
  'account.pool': Seam<readonly Account[], Sent>;
  'account.list': Seam<AccountList, Sent>;
  'link.data': Seam<Fields, Sent>;
  'post.data': Seam<Fields, { ask: Ask }>;
  'reply.review': Seam<Review | undefined, { account: Account; id: string }>;
  'reply.data': Seam<Fields, { ask: Ask }>;
  'review.known': Seam<boolean, { account: Account; id: string }>;
  /** Whether a review comes after the one the cursor names. */
  'review.follows': Seam<boolean, { mark: Marked; item: Marked }>;
  'review.shown': Seam<Fields, Review>;
  'review.page': Seam<Fields, { ask: Ask; account: Account; more: boolean }>;
  'insights.days': Seam<number | undefined, { range: string | null }>;
  'insights.data': Seam<Fields, Ask>;
}

interface CallSeams {
  'calls.limit': Seam<Bounds>;
  'calls.since': Seam<bigint | undefined, string>;
  'calls.pool': Seam<readonly Call[], Sent>;
  'calls.settle': Seam<number>;
  'calls.visible': Seam<number | undefined, { call: Call; at: number; settle: number }>;
  'calls.basis': Seam<number, { call: Call; context: Context }>;
  'calls.log': Seam<readonly Placed[]>;
  'calls.follows': Seam<(placed: Placed) => boolean, bigint>;
  'calls.page': Seam<readonly Placed[], { rest: readonly Placed[]; size: number }>;
  'calls.shown': Seam<readonly Fields[], readonly Placed[]>;
  'calls.cursor': Seam<string | null | undefined, Sent & Cut<Placed>>;
  'calls.final': Seam<boolean, { call: Call; at: number }>;
  'snapshot.includes': Seam<(call: Call) => boolean, { runs: (call: Call) => boolean }>;
  'snapshot.order': Seam<(left: Call, right: Call) => number>;
  'snapshot.size': Seam<number>;
  'snapshot.shown': Seam<readonly Fields[]>;
}

/** One call of a tool at the MCP door. */
export interface ToolCall {
  tool: string;
  input: Fields;
}

interface DoorSeams {
  'door.cap': Seam<number>;
  'door.limited': Seam<Answer>;
  'door.refused': Seam<Answer, Refusal>;
  /** A tool as it is listed; undefined for one that is not offered. */
  'door.tool': Seam<Fields | undefined, string>;
  /** The problems of the input of a call. */
  'door.issues': Seam<readonly Issue[], ToolCall>;
  'door.data': Seam<unknown, ToolCall>;
  'door.failure': Seam<Refusal | undefined, ToolCall>;
}

export interface Seams extends LimitSeams, ServerSeams, ListSeams, ConnectSeams, CallSeams, DoorSeams {}
export type SeamName = keyof Seams;

export type Wrongness = {
  readonly [Name in SeamName]?: (value: Seams[Name]['value'], about: Seams[Name]['about']) => Seams[Name]['value'];
};

/** The facts that are known at a seam; some seams know nothing. */
export type About<Name extends SeamName> = Seams[Name]['about'] extends undefined ? [] : [Seams[Name]['about']];

export function seam<Name extends SeamName>(
  wrongness: Wrongness,
  name: Name,
  value: Seams[Name]['value'],
  ...about: About<Name>
): Seams[Name]['value'] {
  const twist = wrongness[name];
  return twist === undefined ? value : twist(value, about[0] as Seams[Name]['about']);
}

/** Everything a handler may look at. */
export interface Context {
  variant: Variant;
  world: World;
  /** What others do before a request is answered. */
  live: ((at: number) => void) | undefined;
  keys: ReadonlyMap<string, 'first' | 'second'>;
  /** Keys that were good once. */
  revoked: ReadonlySet<string>;
  now: () => number;
  limiter: Limiter | undefined;
  wrongness: Wrongness;
  /** Surprises inside this server: always empty unless it has a bug. */
  faults: string[];
  /** Counts answers of a kind where a variant alternates. */
  turns: number;
}
