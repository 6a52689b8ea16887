// Those who run into limits and closed doors: bursts of one address, a crowd behind one key, keys that open nothing,
// bodies that are too large. The invariants judge the limiters' answers. Cites 8.key-window,
// 8.address-window, 8.body-rest.
import { bodyBytesMax } from '../../../src/contract/generated/limits.ts';
import {
  between,
  type Cast,
  type Client,
  type Draft,
  type Life,
  minuteMs,
  once,
  pause,
  pick,
  type Stage,
} from '../client.ts';
import { codeOf, forcedFault, isBlocked, isLost } from '../exchange.ts';
import type { Ledger } from '../ledger.ts';
import { hold } from '../violation.ts';

const plain: Draft = { operation: 'listSites', path: '/sites' };

/** A window counts them all alike, whatever they ask for. */
const mixed: readonly Draft[] = [
  plain,
  { operation: 'listArticles', path: '/articles', query: { limit: 1 } },
  { operation: 'createConnectLink', method: 'POST', path: '/connect/accounts', body: {} },
  { operation: null, path: '/api/v1/nothing' },
];

/**
 * Sends more than the address may, at the edges of its window: whole windows, and a millisecond before and behind them.
 */
export function burster(name: string, cast: Cast): Client {
  return {
    ...cast,
    name,
    polite: false,
    *life(stage) {
      const { chance } = stage;
      for (;;) {
        yield* pause(between(chance, 5 * minuteMs, 90 * minuteMs));
        const gaps = pick(chance, [[0], [0, 0, 0, 10_000], [0, 9_999, 1], [900, 1100], [100, 5_000, 0, 0]]);
        for (let i = 0; i < 30; i += 1) {
          const draft = pick(chance, mixed);
          yield* once(stage, chance.below(4) === 0 ? { ...draft, key: `casa_${'0'.repeat(32)}` } : draft);
          yield* pause(gaps[i % gaps.length] as number);
        }
      }
    },
  };
}

/** Many addresses behind one key, more than the key may: only so the limit of the key is reached. */
export function crowd(name: string, cast: Cast): Client {
  return {
    ...cast,
    name,
    polite: false,
    *life(stage) {
      const { chance } = stage;
      for (;;) {
        yield* pause(between(chance, 30 * minuteMs, 240 * minuteMs));
        const stepMs = pick(chance, [1, 150, 400, 700]);
        for (let i = 0; i < 150; i += 1) {
          yield* once(stage, { ...plain, address: `198.51.100.${i % 14}` });
          yield* pause(i % 37 === 36 ? 15_000 : stepMs);
        }
      }
    },
  };
}

/** Comes with keys that open nothing. Cites 5.missing-key, 5.invalid-key, 5.revoked-key. */
export function intruder(name: string, { ledger, address }: { ledger: Ledger; address: string }): Client {
  const nearly = ledger.organizations.flatMap(({ key }) => [
    key.toUpperCase(),
    `${key}0`,
    key.slice(0, -1),
    key.slice(5),
    `x${key}`,
  ]);
  const keys = [null, '', 'casa_', 'casa_ffffffffffffffffffffffffffffffff', ...ledger.revokedKeys, ...nearly];
  const drafts: readonly Draft[] = [
    plain,
    { operation: 'listCalls', path: '/connect/calls/log' },
    {
      operation: 'createConnectLink',
      method: 'POST',
      path: '/connect/accounts',
      body: { provider: 'tiktok', label: 'x' },
    },
    { operation: 'getArticle', path: '/articles/00000000-0000-4000-8000-000000000000' },
    { operation: 'getInsights', path: '/connect/accounts/no-uuid/insights' },
    { operation: null, path: '/api/v1/nothing' },
  ];
  return {
    name,
    key: null,
    address,
    polite: false,
    *life(stage) {
      for (;;) {
        yield* pause(between(stage.chance, 10 * minuteMs, 60 * minuteMs));
        for (let i = 0; i < 3; i += 1) {
          const answer = yield* once(stage, { ...pick(stage.chance, drafts), key: pick(stage.chance, keys) });
          const told = () => `a key that opens nothing was answered with ${answer.response.status} ${codeOf(answer)}`;
          const isForced = forcedFault(answer) !== null;
          hold('refusals', isForced || isBlocked(answer) || codeOf(answer) === 'unauthorized', told);
        }
      }
    },
  };
}

/** Sends bodies of exactly the cap, which is not JSON and refused as such, and of one byte more. */
export function heavy(name: string, cast: Cast): Client {
  const fits = new Uint8Array(bodyBytesMax).fill(0x20);
  const exceeds = new Uint8Array(bodyBytesMax + 1).fill(0x20);
  return {
    ...cast,
    name,
    polite: false,
    *life(stage) {
      for (;;) {
        yield* pause(between(stage.chance, 600 * minuteMs, 2400 * minuteMs));
        yield* send(stage, fits, 'invalid_input');
        yield* send(stage, exceeds, 'payload_too_large');
      }
    },
  };
}

function* send(stage: Stage, body: Uint8Array, code: string): Life {
  const answer = yield* once(stage, {
    operation: 'createConnectLink',
    method: 'POST',
    path: '/connect/accounts',
    body,
  });
  if (isLost(answer) || isBlocked(answer) || forcedFault(answer) !== null) return;
  hold(
    'refusals',
    codeOf(answer) === code,
    () => `${body.length} bytes were answered with ${codeOf(answer)}, not ${code}`,
  );
}
