// Four bursts with one key from several addresses, as a history shows them.
import { addressWindow, keyWindow } from '../../src/contract/generated/limits.ts';
import { statedLimit } from './bursts.ts';
import { type Exchange, hasResponse, isLimiterRejection } from './exchange.ts';
import type { History } from './history.ts';

/** At most nine from each of four addresses; the second exceeds the limit, the others detect a fixed window. */
export const keyBurstSizes = [30, 36, 32, 32] as const;
/** Two windows of an address and half a second. */
export const keyBurstsApartMs = 2 * addressWindow.windowMs + 500;
export const keyBurstLabel = (index: number) => `key burst ${index + 1}`;

export interface KeyBurst {
  readonly exchanges: readonly Exchange[];
  readonly atMs: number;
  readonly sent: number;
  readonly admitted: number;
}

export function keyBurstsIn({ exchanges }: History): readonly KeyBurst[] {
  const all = keyBurstSizes.map((_, index) => exchanges.filter(({ label }) => label === keyBurstLabel(index)));
  return all.flatMap((own) => {
    const atMs = Math.min(...own.map(({ sentAt }) => sentAt));
    const admitted = own.filter(({ status }) => status === 200).length;
    return own.length === 0 ? [] : [{ exchanges: own, atMs, sent: own.length, admitted }];
  });
}

/** A server that sees all our addresses as one blocks by address, which says nothing about the key. */
export function whyUnclear({ exchanges, sent }: KeyBurst) {
  const silent = exchanges.find((one) => !hasResponse(one));
  if (silent) return { doubt: 'timing', message: `a request of the burst got no response: ${silent.problem}` } as const;
  const unexpected = exchanges.find((one) => one.status !== 200 && !isLimiterRejection(one));
  if (unexpected) return { doubt: 'platform', message: `a request of the burst got ${unexpected.status}` } as const;
  const limits = exchanges.filter(isLimiterRejection).map(statedLimit);
  const isNarrow = sent - limits.length <= addressWindow.limit && !limits.includes(keyWindow.limit);
  const isFirst = sent === keyBurstSizes[0];
  if (!limits.includes(addressWindow.limit) && !(isFirst && isNarrow)) return null;
  return { doubt: 'unreachable', message: 'the target does not distinguish our source addresses' } as const;
}
