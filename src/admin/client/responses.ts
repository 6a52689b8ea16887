// The responses of the admin API, as far as the pages read them.
import type { EngineEvent } from '../../engine/commit.ts';
import type { Timing } from '../../engine/request-log.ts';
import type { LoggedRequest as LoggedRecord } from '../../engine/request-log-record.ts';
import type { Violation } from '../../engine/violations/violation.ts';
import type { describeWay } from '../call-routes.ts';
import type { describeOrganization, describeWholeAccount } from '../organization-routes.ts';
import type { describeClock, describeSnapshot } from '../state-routes.ts';

export type ClockState = Pick<ReturnType<typeof describeClock>, 'nowMs' | 'frozen' | 'scale'>;

export interface Health {
  readonly baseUrl: string;
  readonly profile: string;
  readonly clock: ClockState;
  readonly worlds: readonly string[];
  readonly settleS?: number;
}

/** `trouble` is `none` instead of null. */
export type Account = ReturnType<typeof describeWholeAccount>;
export type Organization = ReturnType<typeof describeOrganization>;
export type Key = Organization['keys'][number];

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

export type CallWay = ReturnType<typeof describeWay>;

export type SnapshotHead = ReturnType<typeof describeSnapshot>;

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
