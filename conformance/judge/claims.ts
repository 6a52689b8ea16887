// The wording of a claim: the response, the place in it, and the clause.
import type { ClauseId } from '../../src/contract/generated/clauses.ts';
import { type Exchange, nameOfResponse } from '../exchange/exchange.ts';
import type { Claim } from './ledger.ts';

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
