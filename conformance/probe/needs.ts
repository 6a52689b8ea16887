// The needs of checks and the settings of a run, read off the table of capabilities.

import type { Keys } from '../exchange/request.ts';
import {
  type Capability,
  type Forms,
  keyRows,
  type Need,
  type OptionName,
  type Options,
  options,
  type PlanLineName,
  type Row,
  type Settled,
  unset,
} from './capabilities.ts';

/** A need as a plan, a listing and a rejection describe it. */
interface KnownNeed {
  readonly flag: string;
  readonly line: PlanLineName;
  isMet(settled: Settled, keys: Keys): boolean;
}

const rows = Object.entries(options) as [OptionName, Row<unknown, Readonly<Record<string, Need<unknown>>>>][];

/** `callIdField` is `--call-id-field`. */
export function flagOf(name: string): string {
  const { flag } = options[name as OptionName] as { flag?: string };
  return flag ?? name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Fills in the defaults. */
export function settle(given: Options): Settled {
  const entries = rows.map(([name]) => [name, given[name] ?? usualOf(name)]);
  return Object.fromEntries(entries) as Settled;
}

/** The value of a run that was not given one. */
function usualOf(name: OptionName): unknown {
  const { usual, form } = options[name] as { usual?: unknown; form: keyof Forms };
  return usual ?? unset[form];
}

/**
 * Derived from the rows, so a capability cannot be forgotten in one of its places. `extended` marks the checks that run
 * only if there are requests for them.
 */
export const needs = Object.fromEntries([
  ...rows.flatMap(([name, { value, opens = {} }]) =>
    Object.entries(opens).map(([need, { flag, line = 'audit', isMet }]): [string, KnownNeed] => {
      const isGiven = isMet ?? ((settled: unknown) => settled !== usualOf(name));
      const usualRequest = `--${flagOf(name)}${value === undefined ? '' : ` ${value}`}`;
      return [need, { flag: flag ?? usualRequest, line, isMet: (settled) => isGiven(settled[name]) }];
    }),
  ),
  ...(['second', 'revoked'] as const).map((key): [string, KnownNeed] => {
    const { need, line, variable } = keyRows[key];
    return [need, { flag: variable, line, isMet: (_, keys) => keys[key] !== undefined }];
  }),
  ['rest', { flag: '--base-url URL', line: 'audit', isMet: () => true } satisfies KnownNeed],
  ['extended', { flag: '--minutes 8', line: 'audit', isMet: () => true } satisfies KnownNeed],
]) as Readonly<Record<Capability, KnownNeed>>;

/** The needs that this run meets; the REST service is out of reach of one that checks the MCP endpoint alone. */
export function capabilitiesOf(settled: Settled, keys: Keys, isAlone = false): Set<Capability> {
  const names = Object.keys(needs) as Capability[];
  return new Set(names.filter((need) => needs[need].isMet(settled, keys) && !(isAlone && need === 'rest')));
}
