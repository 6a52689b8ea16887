// Invalid inputs that any server can receive and must not crash on. Each audit selects some by its seed, so consecutive
// audits combine other operations and inputs. A run with enough time sends all. Each pool has a prime number of inputs
// above 5, so hourly and daily runs reach all of them.

import {
  type Exchange,
  isGatewayPage,
  isLimiterRejection,
  isPlatformTrouble,
  isRejectedUrl,
  isUnusable,
  isWebPage,
  nameOfResponse,
} from '../exchange/exchange.ts';
import type { RequestSpec } from '../exchange/request.ts';
import { about } from '../judge/claims.ts';
import { statusClause } from '../judge/expect.ts';
import type { Probe } from '../probe/probe.ts';
import { invalidIds, maxUuid, nilUuid } from '../scenarios/inputs.ts';

const unknownReads = ['getArticle', 'listReviews', 'listKeywords', 'getSite', 'getInsights', 'listArticles'] as const;

/**
 * Asks for a record that does not exist. Each audit uses the nil UUID at one operation and the max UUID at another one.
 * A random UUID is used elsewhere, and if one of the two is rejected as malformed or names a record.
 */
export async function askForNone(
  probe: Probe,
  operation: (typeof unknownReads)[number],
  send: (id: string) => Promise<Exchange>,
): Promise<Exchange> {
  const turn =
    (turnOf(probe.settings.seed, unknownReads.length) + unknownReads.indexOf(operation)) % unknownReads.length;
  const rare = turn === 0 ? nilUuid : turn === unknownReads.length / 2 ? maxUuid : null;
  const isKnown = rare !== null && probe.history().some(({ bodyText }) => bodyText.toLowerCase().includes(rare));
  const exchange = rare === null || isKnown ? null : await send(rare);
  return exchange === null || exchange.status === 400 ? send(probe.facts.unknownId) : exchange;
}

/** The one that this audit sends. `slot` sets the draws of one audit apart. */
export function drawn<T>(probe: Probe, pool: readonly T[], slot = 0): T {
  return pool[(probe.settings.seed + slot) % pool.length] as T;
}

/** The one that an audit draws; all of the pool, and the rare ones too, where nothing is scarce. */
export function sample<T>(probe: Probe, pool: readonly T[], rare: readonly T[] = []): readonly T[] {
  return hasTime(probe) ? [...pool, ...rare] : [drawn(probe, pool)];
}

/** A prime that divides neither an hour nor a day nor a week of minutes: all of these are even. */
const turns = 11;

/** Which of several ways a run takes; audits of every hour, day or week take them all in turn. */
export function turnOf(seed: number, ways: number): number {
  return (seed % turns) % ways;
}

/** Whether this audit sends the invalid one of two alternating requests. Always false in a run with time for both. */
export function isSecondTurn(probe: Probe, slot: 0 | 1): boolean {
  return !hasTime(probe) && (turnOf(probe.settings.seed, 2) + slot) % 2 === 1;
}

/** So many unreserved requests are left in runs of more than a minute. */
const roomMin = 8;

/** Malformed ids of this audit for one of two operations: none where the run has few requests. */
export function malformedIds(probe: Probe, slot: 1 | 2): readonly string[] {
  if (hasTime(probe)) return invalidIds;
  return hasRoom(probe) ? [drawn(probe, invalidIds, slot)] : [];
}

/** Whether the run has more than a minute. */
export function hasRoom(probe: Probe): boolean {
  return hasTime(probe) || probe.requestsLeft() >= roomMin;
}

/** Whether requests are not scarce for this check. */
export function hasTime({ sendsAll }: Probe): boolean {
  return sendsAll;
}

/**
 * Sends an unexpected request that must not be taken as a write. A breakdown that looks like trouble of a platform
 * fails when it comes again, while another request gets a response: trouble of a platform does not hang on an input.
 */
export async function sendInvalid(probe: Probe, spec: RequestSpec): Promise<Exchange> {
  const first = await probe.sendRaw(spec);
  if (!isPlatformTrouble(first) || isGatewayPage(first)) return settled(probe, first);
  const sound = await probe.sendRaw({ operation: 'listSites' });
  const again = await probe.sendRaw(spec);
  const isAgain = again.status === first.status && !isGatewayPage(again);
  if (sound.status !== 200 || !isAgain) return settled(probe, again);
  const clause = statusClause(spec.operation ?? again.operation ?? 'listSites');
  const claim = { ...about(again, clause, '#status'), actual: `${nameOfResponse(again)} twice` };
  // Trouble of a platform may strike the operations of accounts at any time (interpretation R2).
  const isOfAccount = again.operation !== null && clause === '4.connect.statuses';
  const message = 'GET /sites worked in between';
  if (isOfAccount || isRejectedUrl(again)) probe.warn({ ...claim, expected: 'a documented response', message });
  else probe.holds(false, { ...claim, expected: 'a documented response', message });
  return probe.stop('platform', `${nameOfResponse(again)} twice`);
}

function settled(probe: Probe, exchange: Exchange): Exchange {
  if (isRejectedUrl(exchange) && exchange.status < 500 && !isLimiterRejection(exchange)) return exchange;
  if (isUnusable(exchange)) probe.stop('platform', `no response: ${exchange.problem}`);
  // A firewall that does not like the input: rule/json has reported its page.
  if (isWebPage(exchange) && exchange.status < 500) probe.stop('platform', 'a web page instead of a response');
  // A limiter that comes between is not a fault of the response (R3).
  if (isLimiterRejection(exchange)) probe.stop('interference', 'a rate limit rejected it after the stated wait time');
  if (isPlatformTrouble(exchange)) probe.stop('platform', `returned ${nameOfResponse(exchange)}`);
  return exchange;
}
