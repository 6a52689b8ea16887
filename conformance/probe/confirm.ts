// Confirmation of findings, in one place. A finding that a change of the data can explain is judged again, after its
// exact requests and a witness for each record that it names were sent once more (interpretation R59).

import type { Exchange } from '../exchange/exchange.ts';
import type { RequestSpec } from '../exchange/request.ts';
import type { Claim, Ledger } from '../judge/ledger.ts';
import { nameOf, repeatsMax, still } from '../judge/standing.ts';
import type { Row } from './facts.ts';

/** A claim as a function of exchanges derives it: a finding, if it is not true. */
export interface Judged extends Claim {
  readonly isTrue?: boolean;
  readonly exchange: Exchange;
  readonly severity?: 'warn';
  /** The requests that are sent again, in this order; that of `exchange` if absent. */
  readonly of?: readonly Exchange[];
  /** The records that a claim over two reads relies on, as it knows them. A claim about one response has none. */
  readonly rows?: readonly Row[];
  /** The fields that it compares; none if it is about the place of the records. */
  readonly fields?: readonly string[];
  /** The read that shows the records once more: a request, or an earlier exchange. */
  readonly witness?: RequestSpec | Exchange;
}

/** Pure: the same exchanges give the same claims. */
export type Judge<Exchanges extends readonly Exchange[]> = (exchanges: Exchanges) => readonly Judged[];

/** No finding, one that stands, or one that a change of the data may explain. */
export type Outcome = 'none' | 'stands' | 'open';

type Case<Exchanges extends readonly Exchange[]> = { readonly exchanges: Exchanges; readonly judge: Judge<Exchanges> };

interface Tools extends Pick<Ledger, 'doubt'> {
  readonly ledger: Ledger;
  send(spec: RequestSpec): Promise<Exchange>;
  history(): readonly Exchange[];
}

/** Records what holds, and the findings that stand. */
export async function judgeAgain<Exchanges extends readonly Exchange[]>(
  given: Case<Exchanges>,
  tools: Tools,
): Promise<Outcome> {
  const { ledger, doubt } = tools;
  for (const claim of given.judge(given.exchanges).filter((claim) => !isFinding(claim))) ledger.holds(true, claim);
  const { found, standing } = await confirm(given, tools);
  for (const { severity, ...claim } of standing) {
    if (severity === undefined) ledger.holds(false, claim);
    else ledger.record(severity, claim);
  }
  const [first] = standing.length === 0 ? found : [];
  if (first === undefined) return standing.length === 0 ? 'none' : 'stands';
  const message = 'repeated requests did not show it again';
  if (first.rows === undefined) ledger.record('note', { ...first, message });
  doubt('interference', first.rows === undefined ? message : 'the data changed during the check');
  return 'open';
}

/** Of the findings about the same requests as the first one, those that stand. */
async function confirm<Exchanges extends readonly Exchange[]>(
  { exchanges, judge }: Case<Exchanges>,
  { send, history }: Tools,
): Promise<{ readonly found: readonly Judged[]; readonly standing: readonly Judged[] }> {
  const all = judge(exchanges).filter(isFinding);
  const found = all.filter((one) => requestsOf(one).join() === requestsOf(all[0]).join());
  const [first] = found;
  if (first === undefined) return { found, standing: [] };
  const witnesses = new Set(found.flatMap(({ witness }) => witness ?? []));
  const own = (first.of ?? [first.exchange]).filter(({ method }) => method === 'GET');
  // A write is judged once.
  if (own.length === 0 && first.rows === undefined) return { found, standing: found };
  const newest = new Map<Exchange, Exchange>();
  const again: Judged[] = [];
  // Rows that changed have changed for good, so another repeat would show nothing new.
  const rounds = first.rows === undefined ? repeatsMax : 1;
  for (let round = 1; round <= rounds; round += 1) {
    for (const one of own) newest.set(one, await send(exactly(one)));
    for (const witness of witnesses) {
      const seen = await send('target' in witness ? exactly(witness) : witness);
      if ('target' in witness) newest.set(witness, seen);
    }
    const replaced = exchanges.map((one) => newest.get(one) ?? one) as unknown as Exchanges;
    const isNew = (one: Judged) => isFinding(one) && [...newest.values()].includes(one.exchange);
    again.push(...judge(replaced).filter(isNew));
    const standing = found.flatMap((one) => standingOf(one, again, { history: history(), requests: round + 1 }));
    if (standing.length > 0) return { found, standing };
  }
  return { found, standing: [] };
}

interface After {
  readonly history: readonly Exchange[];
  /** How often each request was sent. */
  readonly requests: number;
}

/** A claim over several reads needs its records unchanged around one of the responses that show it. */
function standingOf(finding: Judged, again: readonly Judged[], { history, requests }: After): Judged[] {
  const repeated = again.filter((one) => nameOf(one) === nameOf(finding));
  const isProven =
    finding.rows === undefined ? repeated.length > 0 : [finding, ...repeated].some((one) => still(one, history));
  const shown = repeated.length + 1;
  if (!isProven || shown === requests) return isProven ? [finding] : [];
  return [{ ...finding, message: `${shown} of ${requests} equal requests showed this` }];
}

const isFinding = ({ isTrue = false }: Judged) => !isTrue;

function requestsOf(finding: Judged | undefined): readonly string[] {
  return (finding?.of ?? [finding?.exchange]).map((one) => one?.id ?? '');
}

/** The same method, path, query and key. */
function exactly({ method, target, key }: Exchange): RequestSpec {
  return { method, path: target, key };
}
