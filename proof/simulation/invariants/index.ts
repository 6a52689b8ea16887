// All invariants that watch the exchanges. A run ends with the first that does not hold.
import type { Exchange } from '../exchange.ts';
import type { Ledger } from '../ledger.ts';
import { watchAccounts } from './accounts.ts';
import { watchAnswers } from './answers.ts';
import { watchIsolation } from './isolation.ts';
import { watchLimits } from './limits.ts';
import { watchRecords } from './records.ts';
import { watchTime } from './time.ts';
import { watchWrites } from './writes.ts';

/** Time first: the others trust the clock. */
export function watchAll(ledger: Ledger): (exchange: Exchange) => void {
  const watchers = [
    watchTime(),
    watchAnswers(ledger),
    watchLimits(ledger),
    watchIsolation(ledger),
    watchRecords(ledger),
    watchAccounts(ledger),
    watchWrites(ledger),
  ];
  return (exchange) => {
    for (const watch of watchers) watch(exchange);
  };
}
