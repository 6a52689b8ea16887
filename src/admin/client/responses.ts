// The responses of the admin API, as far as the pages read them.
import type { Provider } from '../../contract/generated/types.ts';
import type { EngineEvent } from '../../engine/commit.ts';
import type { Timing } from '../../engine/request-log.ts';
import type { LoggedRequest as LoggedRecord } from '../../engine/request-log-record.ts';
import type { Violation } from '../../engine/violations/violation.ts';

/** Milliseconds since the epoch, and how many seconds of the mock pass in one of ours; 0 while frozen. */
export interface ClockState {
  readonly nowMs: number;
  readonly frozen: boolean;
  readonly scale: number;
}

export interface Health {
  readonly baseUrl: string;
  readonly profile: string;
  readonly clock: ClockState;
  readonly worlds: readonly string[];
  readonly settleS?: number;
}

export interface Account {
  readonly accountId: string;
  readonly provider: Provider;
  readonly label: string;
  readonly name: string | null;
  readonly status: string;
  readonly locked: boolean;
  readonly trouble: string;
}

export interface Key {
  readonly key: string;
  readonly label: string;
  readonly revoked: boolean;
}

export interface Organization {
  readonly id: string;
  readonly name: string;
  readonly payment: string;
  readonly keys: readonly Key[];
  readonly accounts: readonly Account[];
  readonly counts: Readonly<Record<string, number>>;
}

export interface Limit {
  readonly limit: number;
  readonly windowMs: number;
}

/** One window: `freesAtMs` says when each of its places becomes free, the earliest first. */
export interface Gauge {
  readonly name: string;
  readonly used: number;
  readonly freesAtMs: readonly number[];
}

export interface Windows {
  readonly enforced: boolean;
  readonly address: Limit & { readonly windows: readonly Gauge[] };
  readonly key: Limit & { readonly windows: readonly Gauge[] };
}

/** A rule of errors; the fields next to these are its effects. */
export interface Fault {
  readonly id: string;
  readonly match: Readonly<Record<string, string>>;
  readonly struck: number;
  readonly [effect: string]: unknown;
}

/** A call with the timestamps of its way to pollers, which no response of the API shows before it is delivered. */
export interface CallWay {
  readonly id: string;
  readonly direction: string;
  readonly from: string;
  readonly to: string;
  readonly agent: string;
  readonly startedAt: string;
  readonly outcome: string | null;
  readonly endsAt: string;
  readonly visibleAt: string;
  readonly deliveredAt: string | null;
  readonly deliveredBy: number | null;
}

export interface SnapshotHead {
  readonly id: string;
  readonly at: string;
}

/** A record of a snapshot has no timing. */
export type LoggedRequest = LoggedRecord & Partial<Timing>;

/** One row of the request log: an `exchange` event is one, and a record of the request log becomes one. */
export interface RequestLogRow
  extends Partial<Timing>,
    Pick<
      LoggedRequest,
      'id' | 'at' | 'operation' | 'key' | 'address' | 'blockedBy' | 'fault' | 'complaint' | 'replayOf' | 'forwarded'
    > {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly status: number;
  readonly network: string | null;
}

/** What a change event names: the part of the state that must be asked for again. */
export type Change = Extract<EngineEvent, { type: 'change' }>['what'];

export type { Violation };
