// Whose windows a request moves, and how large they are.

import { addressWindow, keyWindow } from '../../src/contract/generated/limits.ts';

export interface Lane {
  /** Source address; null for the default one. */
  readonly address: string | null;
  /** Name of the key that the request spends, or null when it carries none that counts. */
  readonly key: string | null;
}

export interface PaceSettings {
  readonly spacingMs: number;
  readonly address: WindowSize | null;
  readonly key: WindowSize | null;
}

export interface WindowSize {
  readonly limit: number;
  readonly windowMs: number;
}

/** Earlier use of a lane, from the traffic file. */
export interface EarlierUse {
  readonly lane: Lane;
  readonly at: number;
}

/** Cites 8.address-window, 8.key-window. */
export const contractWindows = { address: addressWindow, key: keyWindow } as const;

export const unpaced: PaceSettings = { spacingMs: 0, address: null, key: null };

export function autoPace(loopback: boolean): PaceSettings {
  return { spacingMs: loopback ? 1050 : 1250, ...contractWindows };
}

export type WindowKind = 'address' | 'key';
