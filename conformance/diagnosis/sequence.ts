// The shortest sequence of requests that shows a defect, for example the read that fills a cache before the request
// that must be rejected. A run sends it again at its end.
import type { StoredExchange } from '../report/report.ts';
import type { Cause } from './causes.ts';
import { isSameRequest } from './control.ts';

export interface Sequence {
  readonly requests: readonly StoredExchange[];
  /** How often the run sent exactly these requests again in order, and how often the result was the same. */
  readonly sent: number;
  readonly same: number;
}

type Sent = readonly StoredExchange[];

/** Empty for a finding without an exchange; one request where no earlier one matters. */
export function sequenceOf({ finding }: Pick<Cause, 'finding'>, exchanges: Sent): Sequence {
  const at = exchanges.findIndex(({ id }) => id === finding.exchange);
  const own = exchanges[at];
  if (own === undefined) return { requests: [], sent: 0, same: 0 };
  const before = exchanges.slice(0, at).filter(({ method }) => method === 'GET');
  const isStatus = finding.pointer === '#status';
  const proof = new Set((finding.proof ?? []).map(({ exchange }) => exchange));
  const opener = isStatus ? openerOf(own, before) : undefined;
  const requests = [...(opener ? [opener] : before.filter(({ id }) => proof.has(id))), own];
  const runs = exchanges.flatMap((_, from) => {
    const run = exchanges.slice(from, from + requests.length);
    const isRun = from > at && requests.every((each, index) => run[index] && isSameRequest(each, run[index]));
    return isRun ? [{ run, fresh: exchanges[from - 1] }] : [];
  });
  const isOpen = runs.some(({ fresh }) => fresh && isOther(fresh, own) && fresh.status < 400);
  const twin = requests.findLastIndex((each) => each !== own && isSameRequest(each, own));
  const isLike = (one: StoredExchange, other: StoredExchange) =>
    one.status === other.status && (isStatus || one.bodySha256 === other.bodySha256);
  // Two responses to one request contradict each other. Any other response is compared with the first one.
  const same = runs.filter(({ run }) => {
    const [last, earlier] = [run.at(-1) ?? own, run[twin]];
    return earlier === undefined ? isLike(last, own) : !isLike(last, earlier);
  }).length;
  return { requests: opener && isOpen ? [own] : requests, sent: runs.length, same };
}

/** The read with the valid key that might have opened the response to others. */
function openerOf({ key, target, status }: StoredExchange, before: Sent): StoredExchange | undefined {
  if (key === 'good' || status >= 400) return undefined;
  return before.findLast((each) => each.target === target && each.key === 'good' && each.status === 200);
}

const isOther = (fresh: StoredExchange, own: StoredExchange) =>
  fresh.key === own.key && fresh.operation === own.operation && fresh.target !== own.target;
