// The responses of the admin API, as far as the pages read them.
import type { EngineEvent } from '../../engine/commit.ts';
import type { Timing } from '../../engine/request-log.ts';
import type { LoggedRequest as LoggedRecord } from '../../engine/request-log-record.ts';
import type { Violation } from '../../engine/violations/violation.ts';
import type { describeWay } from '../verbs/calls.ts';
import type { describeClock } from '../verbs/clock.ts';
import type { describeOrganization, describeWholeAccount } from '../verbs/organizations.ts';
import type { describeHealth, describeSnapshot, describeWindows } from '../verbs/state.ts';

export type ClockState = Pick<ReturnType<typeof describeClock>, 'nowMs' | 'frozen' | 'scale'>;

export type Health = ReturnType<typeof describeHealth>;

/** `trouble` is `none` instead of null. */
export type Account = ReturnType<typeof describeWholeAccount>;
export type Organization = ReturnType<typeof describeOrganization>;
export type Key = Organization['keys'][number];

export type Windows = ReturnType<typeof describeWindows>;
export type Limit = Pick<Windows['key'], 'limit' | 'windowMs'>;
export type Gauge = Windows['key']['windows'][number];

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
