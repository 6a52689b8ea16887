// What a row of the network table is: a faithful server, what stands in front of it, and the exit codes that are right.
import type { Independent, IndependentOptions } from '../../independent/index.ts';

/** What a set-up may build upon. */
export interface Site {
  readonly server: Independent;
  /** Port of the faithful server. */
  readonly originPort: number;
  /** A folder for configurations and certificates, removed at the end. */
  readonly folder: string;
}

/** What `conformance` is told, and what is to be ended afterwards. */
export interface Front {
  readonly baseUrl: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** A row before it has run. */
export interface SetUp {
  readonly name: string;
  /** A command that must be there, and the Debian package that has it. */
  readonly needs?: { readonly command: string; readonly debian: string };
  readonly variant?: IndependentOptions['variant'];
  /** The server's clock, ahead of this machine's. */
  readonly clockAheadMs?: number;
  /** 0 alone when absent. */
  readonly right?: readonly number[];
  /** Words that the last line must hold. */
  readonly says?: RegExp;
  /** Checks that may fail, because what stands in front does break the contract. */
  readonly mayFail?: RegExp;
  start(site: Site): Promise<Front>;
}

/** A row after it has run. */
export interface Row {
  readonly name: string;
  readonly exitCode: number | null;
  readonly failing: readonly string[];
  readonly errors: number;
  readonly seconds: number;
  readonly lastLine: string;
  /** Why the verdict is wrong; null when it is right. */
  readonly wrong: string | null;
}
