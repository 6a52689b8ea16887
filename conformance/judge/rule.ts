// A rule checks every exchange, of any check. Its row in the report merges the results of all.
import type { ClauseId } from '../../src/contract/generated/clauses.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Ledger } from './ledger.ts';
import type { Level } from './result.ts';

export interface RuleContext {
  /** The placeholders of the secrets that a text gives away. */
  findSecrets(text: string): string[];
}

/** Rules see what checks, repeats and bursts brought in, and recorded traffic. They send nothing. */
export interface Rule {
  /** `rule/name`. */
  readonly id: string;
  /** A sentence that is true when the rule passes. */
  readonly title: string;
  readonly cites: readonly [ClauseId, ...ClauseId[]];
  readonly level: Level;
  /** It has something to say of responses of the MCP endpoint. */
  readonly isForMcp?: true;
  check(exchange: Exchange, ledger: Ledger, context: RuleContext): void;
}
