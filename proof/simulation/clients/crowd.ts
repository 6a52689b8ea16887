// Clients that run into limits and rejections: bursts of one address, a crowd with one key, keys that are not good,
// large bodies, forbidden input and accounts of others. Cites 8.key-window, 8.address-window, 8.body-rest,
// 7.code.invalid-input, 1.foreign-record, 4.connect.unknown-account.
import { bodyBytesMax } from '../../../src/contract/generated/limits.ts';
import { inputs, requestOf } from '../../behavior/inputs.ts';
import { shop } from '../../test-kit/actors.ts';
import {
  type Client,
  type Context,
  type Draft,
  type Identity,
  once,
  pause,
  pick,
  politely,
  repeat,
  type Session,
} from '../client.ts';
import { codeOf, forcedFault, hold, isBlocked, saysNothing } from '../exchange.ts';
import type { Ledger } from '../ledger.ts';

const plain: Draft = { operation: 'listSites', path: '/sites' };
const link: Draft = { operation: 'createConnectLink', method: 'POST', path: '/connect/accounts', body: {} };
const unknownPath: Draft = { operation: null, path: '/api/v1/nothing' };
const unknownId = '00000000-0000-4000-8000-000000000000';

/** A window counts them all alike. */
const mixed = [
  plain,
  { operation: 'listArticles', path: '/articles', query: { limit: 1 } },
  link,
  unknownPath,
] as const;

/** Sends more than the address may, at the edges of its window and a millisecond before and after them. */
export function burster(name: string, identity: Identity): Client {
  const session = repeat(5, 90, function* (ctx) {
    const { chance } = ctx;
    const gaps = pick(chance, [[0], [0, 0, 0, 10_000], [0, 9_999, 1], [900, 1100], [100, 5_000, 0, 0]]);
    for (let i = 0; i < 30; i += 1) {
      const draft: Draft = pick(chance, mixed);
      yield* once(ctx, chance.below(4) === 0 ? { ...draft, key: `casa_${'0'.repeat(32)}` } : draft);
      yield* pause(gaps[i % gaps.length] as number);
    }
  });
  return { ...identity, name, polite: false, session };
}

/** Many addresses with one key, more than the key may: only so the limit of the key is reached. */
export function crowd(name: string, identity: Identity): Client {
  const session = repeat(30, 240, function* (ctx) {
    const stepMs = pick(ctx.chance, [1, 150, 400, 700]);
    for (let i = 0; i < 150; i += 1) {
      yield* once(ctx, { ...plain, address: `198.51.100.${i % 14}` });
      yield* pause(i % 37 === 36 ? 15_000 : stepMs);
    }
  });
  return { ...identity, name, polite: false, session };
}

/** Comes with keys that are not good. Cites 5.missing-key, 5.invalid-key, 5.revoked-key. */
export function unknownKeyClient(name: string, { ledger, address }: { ledger: Ledger; address: string }): Client {
  const nearly = ledger.organizations.flatMap(({ key }) => [
    ...[key.toUpperCase(), `${key}0`, key.slice(0, -1), key.slice(5), `x${key}`],
  ]);
  const keys = [null, '', 'casa_', 'casa_ffffffffffffffffffffffffffffffff', ...ledger.revokedKeys, ...nearly];
  const drafts: readonly Draft[] = [
    ...[plain, unknownPath, { ...link, body: { provider: 'tiktok', label: 'x' } }],
    { operation: 'listCalls', path: '/connect/calls/log' },
    { operation: 'getArticle', path: `/articles/${unknownId}` },
    { operation: 'getInsights', path: '/connect/accounts/no-uuid/insights' },
  ];
  const session = repeat(10, 60, function* (ctx) {
    for (let i = 0; i < 3; i += 1) {
      const response = yield* once(ctx, { ...pick(ctx.chance, drafts), key: pick(ctx.chance, keys) });
      const isRejected = forcedFault(response) !== null || isBlocked(response) || codeOf(response) === 'unauthorized';
      hold('rejections', isRejected, `a key that is not good got ${response.response.status} ${codeOf(response)}`);
    }
  });
  return { name, key: null, address, polite: false, session };
}

/** Sends bodies of exactly the cap, which is not JSON and rejected as such, and of one byte more. */
export function heavy(name: string, identity: Identity): Client {
  const bodies = [bodyBytesMax, bodyBytesMax + 1].map((bytes) => new Uint8Array(bytes).fill(0x20));
  const session = repeat(600, 2400, function* (ctx) {
    for (const body of bodies) {
      const response = yield* once(ctx, { ...link, body });
      const code = body.length > bodyBytesMax ? 'payload_too_large' : 'invalid_input';
      const isRight = saysNothing(response) || codeOf(response) === code;
      hold('rejections', isRight, `${body.length} bytes got ${codeOf(response)}, not ${code}`);
    }
  });
  return { ...identity, name, polite: false, session };
}

const invalid = inputs.filter(({ issues, transport }) => issues.length > 0 && transport !== 'MCP');
/** These have several legal responses. */
const isOpen = ({ operation }: Pick<Draft, 'operation'>) => /^list(Articles|Keywords|Reviews)$/.test(operation ?? '');

/** Sends input that the contract forbids, valid queries at their edges, and requests for accounts of others. */
export function learner(name: string, identity: Identity): Client {
  const { organization, other } = identity;
  const session = repeat(1, 12, function* (ctx) {
    const { chance } = ctx;
    const own = organization.accounts.flatMap(({ accountId }) => accountId ?? []);
    const foreign = other?.accounts.flatMap(({ accountId }) => accountId ?? []) ?? [];
    const turn = chance.below(5);
    if (turn < 3) {
      const { operation, method, target, body } = requestOf(pick(chance, invalid));
      const [path = '', query = ''] = target
        .replace(shop.accountId, pick(chance, own.length > 0 ? own : [unknownId]))
        .split('?');
      const draft = { operation, method, path, query: Object.fromEntries(new URLSearchParams(query)), body };
      if (isOpen(draft)) yield* politely(ctx, draft);
      else yield* expectCode(ctx, draft, 'invalid_input');
    } else if (turn === 3) yield* readBarely(ctx);
    else yield* expectCode(ctx, pick(chance, onAccount(pick(chance, [unknownId, ...foreign]))), 'not_found');
  });
  return { ...identity, name, polite: false, session };
}

/** Every operation that names an account, so none forgets to look whose it is. */
function onAccount(accountId: string): readonly Draft[] {
  const base = `/connect/accounts/${accountId}`;
  const body = { text: 'x' };
  return [
    { operation: 'listReviews', path: `${base}/reviews` },
    { operation: 'getInsights', path: `${base}/insights` },
    { operation: 'createPost', method: 'POST', path: `${base}/posts`, body },
    { operation: 'replyToReview', method: 'POST', path: `${base}/reviews/x/reply`, body },
  ];
}

/** A response that was lost, blocked or ordered proves nothing and is passed over. */
function* expectCode(ctx: Context, draft: Draft, code: string): Session {
  const response = yield* politely(ctx, draft);
  if (!response) return;
  const sent = () => `${draft.path} ${JSON.stringify(draft.body ?? draft.query ?? {}).slice(0, 80)}`;
  hold('rejections', codeOf(response) === code, () => `${sent()}: ${codeOf(response)}, not ${code}`);
}

/** A list at the edges of its parameters: it must be neither rejected nor longer. */
function* readBarely(ctx: Context): Session {
  const log = { operation: 'listCalls', path: '/connect/calls/log' } as const;
  const since = '2026-01-01T00:00:00';
  const draft = pick<Draft>(ctx.chance, [
    { ...log, query: { limit: 1, since: `${since}+02:00` } },
    { ...log, query: { limit: 200, since: `${since}Z` } },
    { ...log, query: { limit: 1, since: `${since}.123456789Z` } },
    { operation: 'listArticles', path: '/articles', query: { limit: 1 } },
    { operation: 'listArticles', path: '/articles', query: { limit: 100 } },
  ]);
  const response = yield* once(ctx, draft);
  if (saysNothing(response)) return;
  hold('rejections', response.response.status === 200, `${JSON.stringify(draft.query)}: ${response.response.status}`);
  const { data } = response.json;
  const rows = (Array.isArray(data) ? data : data.calls) as unknown[];
  hold('records', rows.length <= Number(draft.query?.limit), `${rows.length} rows for ${JSON.stringify(draft.query)}`);
}
