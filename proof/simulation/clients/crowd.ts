// Clients that run into limits: bursts of one address, a crowd with one key, keys that are not good, large bodies.
// Cites 8.key-window, 8.address-window, 8.body-rest.
import { bodyBytesMax } from '../../../src/contract/generated/limits.ts';
import { type Client, type Draft, type Identity, once, pause, pick, repeat } from '../client.ts';
import { codeOf, hold, saysNothing } from '../exchange.ts';
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
    for (let i = 0; i < 3; i += 1) yield* once(ctx, { ...pick(ctx.chance, drafts), key: pick(ctx.chance, keys) });
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
