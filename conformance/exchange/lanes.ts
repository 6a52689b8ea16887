// Whose windows a request moves, and how large they are.

import { addressWindow, keyWindow } from '../../src/contract/generated/limits.ts';

/** The pair of windows that one request moves. */
export interface Lane {
  /** Source address; null for the default one. */
  readonly address: string | null;
  /** Name of the key of the request, or null if it has no valid key. */
  readonly key: string | null;
}

/** `null` for a window without a limit; `spacingMs` is the least time between two requests. */
export interface PaceSettings {
  readonly spacingMs: number;
  readonly address: WindowSize | null;
  readonly key: WindowSize | null;
}

export interface WindowSize {
  readonly limit: number;
  readonly windowMs: number;
}

export interface EarlierUse {
  readonly lane: Lane;
  readonly at: number;
}

/** Cites 8.address-window, 8.key-window. */
export const contractWindows = { address: addressWindow, key: keyWindow } as const;

/** Of `--pace off`, for a target whose limiters are off. */
export const unpaced: PaceSettings = { spacingMs: 0, address: null, key: null };

/**
 * 10 in 10 s and 60 in a minute both mean one a second. On loopback the window is not shared; elsewhere a fifth is left
 * to others at the same address.
 */
export function autoPace(loopback: boolean): PaceSettings {
  return { spacingMs: loopback ? 1050 : 1250, ...contractWindows };
}

/** Cites 8.address-window, 8.key-window. */
export type WindowKind = 'address' | 'key';

/** Maximum of repetitions in a run without responses; each response adds to it. */
export const repeatsMax = 30;
