// The invariants that watch the exchanges. A run ends with the first that does not hold.
import { bodyBytesMax } from '../../src/contract/generated/limits.ts';
import type { ListAccountsOutput } from '../../src/contract/generated/types.ts';
import { parseTimestampMs } from '../../src/contract/timestamps.ts';
import type { World } from '../../src/domain/world.ts';
import { bodyText } from '../../src/http/message.ts';
import { route } from '../../src/http/route.ts';
import { assertConforms } from '../../src/http/strict.ts';
import { addressOf, codeOf, type Exchange, forcedFault, hold, isBlocked, keyOf } from './exchange.ts';
import { findAccount, type KnownAccount, type KnownOrganization, type Ledger } from './ledger.ts';

type Watch = (exchange: Exchange) => void;

/** Time first: the others trust the clock. */
export function watchAll(ledger: Ledger): Watch {
  const makers = [watchTime, watchResponses, watchLimits, watchIsolation, watchAccounts, watchWrites];
  const watchers = makers.map((watch) => watch(ledger));
  return (exchange) => {
    for (const watch of watchers) watch(exchange);
  };
}

/** The mock's time never decreases, and dates every response, in whole seconds rounded down. */
function watchTime(): Watch {
  let latestMs = Number.NEGATIVE_INFINITY;
  return ({ nowMs, response: { headers } }) => {
    hold('time', nowMs >= latestMs, `the clock went back from ${latestMs} to ${nowMs}`);
    latestMs = nowMs;
    const date = Date.parse(headers.date ?? '');
    hold('time', date === Math.floor(nowMs / 1000) * 1000, `a response at ${nowMs} is dated ${headers.date}`);
  };
}

/** Each response by itself: its status, envelope and schema are those of the contract. Cites 7.envelope.*, 7.code.*. */
function watchResponses(ledger: Ledger): Watch {
  return (exchange) => {
    const { request, response, operation } = exchange;
    if (!request.path.startsWith('/api/v1/')) return;
    const { headers, status } = response;
    const fault = forcedFault(exchange);
    const name = operation ?? request.path;
    hold('answers', headers['x-casa-bug'] === undefined, `${name}: a bug of the mock`);
    hold('answers', fault === null || ledger.faultsOrdered, `${name}: an error that no operator ordered`);
    hold('answers', status !== 200 || operation !== null, `${name}: success without an operation`);
    try {
      assertConforms(response, route(request.method, request.path), {
        forced: fault !== null,
        inBehaviors: ledger.greased,
      });
    } catch (error) {
      hold('answers', false, String(error));
    }
  };
}

/** The plainest sliding window: all times in a list, counted again each time. */
class Window {
  readonly limit: number;
  readonly windowMs: number;
  readonly #times = new Map<string, number[]>();

  constructor(limit: number, windowMs: number) {
    this.limit = limit;
    this.windowMs = windowMs;
  }

  recent(bucket: string, nowMs: number): number[] {
    return (this.#times.get(bucket) ?? []).filter((ms) => ms > nowMs - this.windowMs);
  }

  push(bucket: string, nowMs: number): void {
    this.#times.set(bucket, [...this.recent(bucket, nowMs), nowMs]);
  }

  /** The first time at which one more is admitted without further requests. */
  freeAtMs(bucket: string, nowMs: number): number {
    const recent = this.recent(bucket, nowMs);
    return recent.length < this.limit ? nowMs : (recent.at(-this.limit) as number) + this.windowMs;
  }
}

/**
 * Recomputes both limiters from the admitted requests, in the mock's order: never more than the limit in any window,
 * never a rejection below it, and correct headers. Cites 8.key-window, 8.address-window, 8.headers.*.
 */
function watchLimits({ byKey, behavior, greased }: Ledger): Watch {
  const addresses = new Window(10, 10_000);
  const keys = new Window(60, 60_000);

  /** Asks a window as the mock should have; returns whether it is full. */
  const isFull = (window: Window, bucket: string, nowMs: number): boolean => {
    const full = window.recent(bucket, nowMs).length >= window.limit;
    if (!full || behavior.blockedCount === 'yes') window.push(bucket, nowMs);
    return full;
  };

  /** The headers of a rejection: whose limit, nothing left, and the time at which the client gets through. */
  const holdHeaders = ({ response: { headers }, nowMs }: Exchange, limit: number, freeAtMs: number) => {
    const retryAfter = headers['retry-after'];
    const seconds = Math.max(1, Math.ceil((freeAtMs - nowMs) / 1000));
    const isTrue =
      Number(headers['x-ratelimit-limit']) === limit &&
      headers['x-ratelimit-remaining'] === '0' &&
      Number(headers['x-ratelimit-reset']) === freeAtMs &&
      (retryAfter === undefined || Number(retryAfter) === seconds) &&
      (retryAfter !== undefined || behavior.retryAfter !== 'always' || greased) &&
      (retryAfter === undefined || behavior.retryAfter !== 'never');
    hold('limits', isTrue, () => `the rejection at ${nowMs} has ${JSON.stringify(headers)}; free at ${freeAtMs}`);
  };

  return (exchange) => {
    const { request, response, nowMs } = exchange;
    if (!request.path.startsWith('/api/v1/')) return;
    const fault = forcedFault(exchange);
    const blocked = isBlocked(exchange);
    const [address, key] = [addressOf(exchange), keyOf(exchange)];
    const seen = `${exchange.client} at ${nowMs} got ${response.status}`;

    if (isFull(addresses, address, nowMs)) {
      hold('limits', blocked, `${seen} after 10 requests of ${address} in 10 s`);
      return holdHeaders(exchange, 10, addresses.freeAtMs(address, nowMs));
    }
    if (fault === 'limiter_address') return hold('limits', blocked, `${seen}, a block was ordered`);
    const isEarly = behavior.bodyCap === 'before-key' && (request.body?.length ?? 0) > bodyBytesMax;
    if (isEarly || fault === 'unauthorized' || !byKey.has(key)) {
      hold('limits', !blocked, `${seen}, ${address} was below its limit`);
      if (!isEarly) hold('rejections', codeOf(exchange) === 'unauthorized', `${seen} with a key that is not good`);
      return;
    }
    if (isFull(keys, key, nowMs)) {
      hold('limits', blocked, `${seen} after 60 requests of the key …${key.slice(-4)} in a minute`);
      return holdHeaders(exchange, 60, Math.max(keys.freeAtMs(key, nowMs), addresses.freeAtMs(address, nowMs)));
    }
    hold('limits', blocked === (fault === 'limiter_key'), `${seen}, address and key were below their limits`);
    if (blocked || greased) return;
    const left = keys.limit - keys.recent(key, nowMs).length;
    const { 'x-ratelimit-limit': limit, 'x-ratelimit-remaining': remaining } = response.headers;
    hold(
      'limits',
      limit === '60' && Number(remaining) === left,
      `${seen}: ${remaining} of ${limit}, not ${left} of 60`,
    );
  };
}

/** Fields whose text names one record. */
const naming: ReadonlySet<string> = new Set(['id', 'siteId', 'accountId', 'reviewId', 'postId', 'connectUrl']);

/** No response contains data or keys of others. Cites 1.organization-scope, 5.key-organization. */
function watchIsolation({ organizations, byKey }: Ledger): Watch {
  const owners = new Map<string, string>();
  for (const { id, articles, accounts, calls } of organizations) {
    const rows = [...articles, ...calls.ids, ...accounts.map(({ accountId }) => accountId as string)];
    for (const name of rows) owners.set(name, id);
  }

  const walk = (value: unknown, owner: string): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, field] of Object.entries(value)) {
      if (typeof field !== 'string') walk(field, owner);
      else if (naming.has(name)) {
        const known = owners.get(field) ?? owner;
        hold('isolation', known === owner, `${owner} was shown ${name} ${field} of ${known}`);
        owners.set(field, owner);
      }
    }
  };

  return (exchange) => {
    const { request, response, json } = exchange;
    if (!request.path.startsWith('/api/v1/')) return;
    const owner = byKey.get(keyOf(exchange));
    const text = bodyText(response);
    const leaked = organizations.find(({ key }) => text.includes(key));
    hold('isolation', leaked === undefined, `the key of ${leaked?.id} is in a response`);
    hold('isolation', owner !== undefined || response.status !== 200, `a key that is not good got ${response.status}`);
    if (owner && response.status === 200) walk(json, owner.id);
  };
}

type Shown = ListAccountsOutput['accounts'][number];

/** Accounts, invites and billing match the clients' requests. Cites 4.connect.list-accounts.*, 3.link.single-use. */
function watchAccounts({ byKey }: Ledger): Watch {
  return (exchange) => {
    const organization = byKey.get(keyOf(exchange));
    if (exchange.operation !== 'listAccounts' || exchange.response.status !== 200 || !organization) return;
    const { accounts, pendingInvites, billing } = exchange.json.data as ListAccountsOutput;
    for (const shown of accounts) holdAccount(shown, recognize(organization, shown));
    const counts = [accounts.length, new Set(accounts.map(({ accountId }) => accountId)).size];
    const expected = organization.accounts.length;
    const isComplete = counts.every((count) => count === expected);
    hold('accounts', isComplete, `${counts[0]} accounts are listed, ${counts[1]} different, of ${expected}`);
    holdInvites(organization, pendingInvites, exchange.nowMs);
    holdBilling(organization, billing);
  };
}

/** The known account; one that a consent session made gets its id here. */
function recognize(organization: KnownOrganization, { accountId, label, name }: Shown): KnownAccount {
  const isFresh = (other: KnownAccount) => other.accountId === null && other.label === label && other.name === name;
  const account = findAccount(organization, accountId) ?? organization.accounts.find(isFresh);
  hold('accounts', account !== undefined, `${accountId} (${label}, ${name}) is listed, but no client connected it`);
  (account as KnownAccount).accountId = accountId;
  return account as KnownAccount;
}

function holdAccount(shown: Shown, known: KnownAccount): void {
  const names = ['provider', 'label', 'name', 'status', 'locked'] as const;
  const connectedAtMs = shown.connectedAt === null ? null : parseTimestampMs(shown.connectedAt);
  const isTrue = names.every((name) => shown[name] === known[name]) && connectedAtMs === known.connectedAtMs;
  hold('accounts', isTrue, () => `an account is shown as ${JSON.stringify(shown)}, known as ${JSON.stringify(known)}`);
}

/** By their fields: tokens are not in the list. The order is not promised. */
function holdInvites({ links }: KnownOrganization, shown: ListAccountsOutput['pendingInvites'], nowMs: number): void {
  const open = [...links.values()].filter(({ used, expiresAtMs }) => !used && nowMs < expiresAtMs);
  const texts = (rows: readonly (readonly unknown[])[]) =>
    rows
      .map((row) => row.join(' | '))
      .sort()
      .join('; ');
  const expected = texts(open.map((link) => [link.label, link.provider, link.maxAccounts, link.expiresAtMs]));
  const seen = texts(shown.map((one) => [one.label, one.provider, one.maxAccounts, parseTimestampMs(one.expiresAt)]));
  hold('accounts', seen === expected, `open invites are ${seen}, not ${expected}`);
}

/** The first connected account is free (assumption C30). */
function holdBilling({ accounts, payment }: KnownOrganization, billing: ListAccountsOutput['billing']): void {
  const connected = accounts.filter(({ status }) => status === 'connected').length;
  const free = Math.min(1, connected);
  // Every reason to reject a paid action also sets `needsPayment`.
  const needsPayment = payment !== 'ok' || accounts.some(({ locked }) => locked);
  const expected = { connected, free, billable: connected - free, needsPayment };
  const isTrue = (Object.keys(expected) as (keyof typeof expected)[]).every((name) => billing[name] === expected[name]);
  hold('accounts', isTrue, () => `billing is ${JSON.stringify(billing)}, not ${JSON.stringify(expected)}`);
}

/** Counts posts by the account of the path. Cites 4.connect.create-post.*, 4.rules.path-wins. */
function watchWrites({ byKey }: Ledger): Watch {
  const postIds = new Set<string>();
  return (exchange) => {
    const { operation, request, response, json } = exchange;
    if (operation !== 'createPost' || response.status !== 200) return;
    const accountId = decodeURIComponent(request.path.split('/')[5] ?? '').toLowerCase();
    const account = byKey.get(keyOf(exchange))?.accounts.find((other) => other.accountId === accountId);
    const { postId } = json.data as { postId: string };
    hold('writes', account !== undefined, `a post was made to the account ${accountId}, which does not exist`);
    hold('writes', !postIds.has(postId), `two posts have the id ${postId}`);
    postIds.add(postId);
    (account as KnownAccount).posts += 1;
  };
}

/** Reads the state of the mock, because no operation lists posts: as many at each account as were accepted. */
export function auditPosts({ organizations }: Ledger, world: World): void {
  for (const { id, accounts } of organizations) {
    for (const { accountId, posts } of accounts) {
      if (accountId === null) continue;
      const found = world.organizations.get(id)?.accounts.get(accountId.toLowerCase())?.posts.length;
      hold('writes', found === posts, `the account ${accountId} has ${found} posts, ${posts} were made`);
    }
  }
}
