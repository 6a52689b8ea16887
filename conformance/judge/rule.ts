// A rule looks at every exchange, of whatever check. Its row in the report merges what it saw in all of them.
import type { ClauseId } from '../../src/contract/generated/clauses.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Ledger } from './ledger.ts';
import type { Level } from './result.ts';

/** What a rule may know beyond the exchange. */
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
  judge(exchange: Exchange, ledger: Ledger, context: RuleContext): void;
}
