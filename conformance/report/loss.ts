// What a run lost to the platform, and to the way there: told with the result, and from a tenth of the checks on no
// success (rulings R57).

import { operations } from '../../src/contract/generated/operations.ts';
import { count } from '../../src/terminal/count.ts';
import { isGatewayPage, isLost } from '../exchange/exchange.ts';
import type { Report } from './report.ts';
import type { StoredExchange } from './stored.ts';

const LOST_SHARE_MAX = 0.1;
/** So many answers of one operation, and not one of the service. */
const NEVER_AFTER = 3;

/** One sentence when so much was lost that the run is not a success; null otherwise. */
export function lossOf(report: Report): string | null {
  const silent = neverAnswered(report);
  if (silent !== null) return silent;
  const ran = report.checks.filter(({ id, verdict }) => verdict.kind !== 'excluded' && !id.startsWith('rule/'));
  const lost = ran.filter(({ verdict }) => verdict.kind === 'inconclusive' && verdict.reason === 'platform').length;
  if (lost === 0 || lost < LOST_SHARE_MAX * ran.length) return null;
  return `${lost} of ${ran.length} checks were lost to trouble of the platform, or on the way to it: run it again.`;
}

/** An operation that never answers would otherwise hide among the inconclusive ones. */
function neverAnswered({ exchanges }: Report): string | null {
  const asked = new Map<string, StoredExchange[]>();
  for (const exchange of exchanges) {
    if (exchange.operation === null || exchange.key !== 'good' || exchange.burst) continue;
    asked.set(exchange.operation, [...(asked.get(exchange.operation) ?? []), exchange]);
  }
  for (const all of asked.values()) {
    const last = all.at(-1);
    if (last === undefined || all.length < NEVER_AFTER || !all.every(isNoAnswer)) continue;
    const name = `${last.method} ${last.target.split('?')[0]}`;
    if (last.status !== 0)
      return `${name} answered ${last.status} each of ${count(all.length, 'time')}, and nothing else.`;
    return `${name} never answered: ${last.problemDetail ?? last.problem} each of ${count(all.length, 'time')}.`;
  }
  return null;
}

/** Behind articles, sites and keywords there is no platform: trouble there is the service's own. */
function isNoAnswer(exchange: StoredExchange): boolean {
  if (isLost(exchange) || isGatewayPage(exchange)) return true;
  const isSimple = exchange.operation !== null && operations[exchange.operation].envelope === 'simple';
  return isSimple && exchange.status >= 502 && exchange.status <= 504;
}

/** How many requests were asked again, and why; null when none was. */
export function repeatsOf({ exchanges }: Report): string | null {
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  const first = exchanges.flatMap(({ repeatOf }) => (repeatOf === null ? [] : (byId.get(repeatOf) ?? [])));
  if (first.length === 0) return null;
  const kinds: readonly (readonly [string, number])[] = [
    ['lost', first.filter(isLost).length],
    ['pages of a gateway', first.filter(isGatewayPage).length],
    ['refused for a time', first.filter((each) => !isLost(each) && !isGatewayPage(each)).length],
  ];
  const words = kinds.filter(([, number]) => number > 0).map(([kind, number]) => `${number} ${kind}`);
  return `${first.length} asked again (${words.join(', ')})`;
}
