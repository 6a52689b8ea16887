// What a run can be asked for; the command line and the programmatic entry both end here.

import type { Keys } from '../exchange/request.ts';
import type { KitClock } from '../pace/clock.ts';
import type { PaceSettings } from '../pace/lanes.ts';
import type { TrafficFile } from '../pace/traffic-file.ts';
import type { Check } from '../probe/check.ts';
import type { RunEvent } from './events.ts';

export type WriteKind = 'posts' | 'replies' | 'links' | 'contacts';

export interface RunOptions {
  /** Includes the version segment, `https://host/api/v1`. */
  readonly baseUrl: string;
  readonly keys: Keys;
  /** Short, printable; tags what a run writes. */
  readonly runId: string;
  readonly clock?: KitClock;
  /** `auto`: below the contract's limits, evenly spaced. `off`: full speed. */
  readonly pace?: 'auto' | 'off' | PaceSettings;
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly bail?: boolean;
  /** Leaves out bursts and large bodies. */
  readonly gentle?: boolean;
  readonly account?: string;
  readonly review?: string;
  readonly allowWrites?: readonly WriteKind[];
  readonly maxWrites?: number;
  readonly sourceAddresses?: readonly string[];
  readonly watch?: boolean;
  readonly callIdField?: string;
  readonly callEndedAtField?: string;
  readonly mcpUrl?: string;
  readonly control?: string;
  /** For one whole exchange. */
  readonly timeoutMs?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly insecure?: boolean;
  /** PEM text. */
  readonly ca?: string;
  /** Read for proxies; nothing is read from the process by itself. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Keep bodies in reports even when the target is not on this machine. */
  readonly keepBodies?: boolean;
  readonly trafficFile?: TrafficFile;
  readonly signal?: AbortSignal;
  /** In place of the kit's own checks. */
  readonly checks?: readonly Check[];
  readonly onEvent?: (event: RunEvent) => void;
}
