// The wording of a claim: the response, the place in it, and the clause.
import type { ClauseId } from '../../src/contract/generated/clauses.ts';
import { type Exchange, nameOfResponse } from '../exchange/exchange.ts';
import type { Claim } from '../judge/ledger.ts';
import type { Probe } from '../probe/probe.ts';

type Place<Of> = Required<Pick<Claim, 'clause' | 'pointer'>> & {
  readonly exchange: Of extends Exchange ? Exchange : Exchange | null;
};

/** The result adds the expected and the actual value. */
export function about<Of extends Exchange | null | undefined>(exchange: Of, clause: ClauseId, pointer = ''): Place<Of> {
  return { clause, pointer, exchange: (exchange ?? null) as Place<Of>['exchange'] };
}

/** A claim about the status and the code of a response, with the actual value. */
export function aboutStatus(exchange: Exchange, clause: ClauseId): Place<Exchange> & Pick<Claim, 'actual'> {
  return { ...about(exchange, clause, '#status'), actual: nameOfResponse(exchange) };
}

/** A violation counts only if a second read confirms it. Otherwise the record changed (interpretation R59). */
export async function confirmed<Reading>(
  probe: Probe,
  read: () => Promise<Reading>,
  fits: (again: Reading) => boolean,
): Promise<void> {
  if (!fits(await read())) probe.stop('interference', 'the data changed during the check');
}
