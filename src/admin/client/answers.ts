// The answers of the control plane, as far as the dashboard reads them.
import type { EngineEvent } from '../../engine/event.ts';
import type { JournalRecord } from '../../engine/journal-record.ts';
import type { Verdict } from '../../engine/verdicts/verdict.ts';

/** The mock's clock in an event and in the health. */
export interface ClockState {
  readonly nowMs: number;
  readonly frozen: boolean;
  readonly scale: number;
}

/** The members of `GET /health` that the page shows. */
export interface Health {
  readonly baseUrl: string;
  readonly profile: string;
  readonly clock: ClockState;
}

/** As the control plane shows it: with the trouble that the contract's listing hides. */
export interface Account {
  readonly accountId: string;
  readonly provider: string;
  readonly label: string;
  readonly status: string;
  readonly locked: boolean;
  readonly trouble: string;
}

interface Key {
  readonly key: string;
  readonly label: string;
  readonly revoked: boolean;
}

/** Keys stand here in full: the page is for the person who runs the mock. */
export interface Organization {
  readonly id: string;
  readonly name: string;
  readonly payment: string;
  readonly keys: readonly Key[];
  readonly accounts: readonly Account[];
}

interface Limit {
  readonly limit: number;
  readonly windowMs: number;
}

/** Settings, not what is left of a window. */
export interface Limits {
  readonly enforced: boolean;
  readonly address: Limit;
  readonly key: Limit;
}

/** A rule of errors; the members beside these are its effects. */
export interface Fault {
  readonly id: string;
  readonly match: Readonly<Record<string, string>>;
  readonly struck: number;
  readonly [effect: string]: unknown;
}

/** One row of the journal: an `exchange` event is one, and a record of the journal becomes one. */
export interface JournalRow extends Pick<JournalRecord, 'id' | 'at' | 'operation' | 'key' | 'blockedBy' | 'fault'> {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly status: number;
}

/** Which section has to be loaded again. */
export type Change = Extract<EngineEvent, { type: 'change' }>['what'];

export type { JournalRecord, Verdict };
