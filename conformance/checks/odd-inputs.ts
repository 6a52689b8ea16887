// Inputs that no client of good will sends, and that each server meets. What they must never get is a breakdown. Each
// audit draws a few of them by its seed, so that consecutive audits ask other pairs of operation and input; a run that
// has time asks them all. Every pool has a prime number of inputs above 5: runs of every hour or day meet all of them.

import {
  type Exchange,
  isGatewayPage,
  isLimiterRefusal,
  isPlatformTrouble,
  isUntold,
  isWebPage,
  nameOfAnswer,
} from '../exchange/exchange.ts';
import type { RequestSpec } from '../exchange/request.ts';
import type { Probe } from '../probe/probe.ts';
import { statusClause } from '../rules/status.ts';
import { about } from './claims.ts';

/** Queries of GET /articles as they go out. Each may be refused, brought into range or ignored (rulings R19, R5). */
export const articleQueries = [
  'limit=abc&cursor=abc',
  'limit=&cursor=',
  'limit=1&limit=2',
  'limit=%zz',
  'cursor=%00',
  'cursor=2025-02-30T25%3A61%3A00Z',
  'limit=1e999',
  'limit=-1&cursor=null',
  'siteId=%5B%5D&limit=5',
  'limit=%20%205%20',
  'cursor=99999999999999999999',
  'siteId=%00',
  'limit=9007199254740993',
] as const;

/** Values of `since` and `limit` of the call log. Each may be refused or ignored (rulings R38). */
export const callQueries = [
  'since=yesterday&limit=abc',
  'since=&limit=',
  'since=%00',
  'since=2026-02-30T25%3A61%3A00Z',
  'since=1e999&limit=1e9',
  'since=%zz',
  'since=null&limit=null',
  'limit=-1',
  'limit=1.5&limit=abc',
  'since=99999-01-01T00%3A00%3A00Z',
  'limit=%20%205%20',
] as const;

/** Not one of the ranges by any reading: each is refused. */
export const badRanges = ['30d', '28', '365d', '28dd', 'd', '2', '28d,7d', 'null', '07d', '-7d', '90'] as const;

/** Ranges that one server takes for one of the list, and another does not (rulings R5). */
export const nearRanges = ['7D', ' 28d', '28d ', '', '28d\u0000', '%', '28d&range=7d'] as const;

/** Bodies that name no provider and no label, so that no link can come of them. */
export const linkBodies = [
  '{"provider":',
  'null',
  '[]',
  '',
  '42',
  '"text"',
  '{"maxAccounts":1e400}',
  '{"provider":null,"label":null}',
  '{"maxAccounts":1,"maxAccounts":2}',
  'true',
  '{"__proto__":{"provider":7}}',
] as const;

/**
 * Segments of a path, as they are before they are encoded; no record has such an id. No slash, because many a proxy
 * does not hand on an encoded one.
 */
export const oddIds = ['no-uuid', '%', '+', ' ', 'é', '~', '"'] as const;

/** In the place of a text of at most so many characters. */
export function wrongTexts(max: number): readonly unknown[] {
  return ['', 'x'.repeat(max + 1), null, 42, ['text'], {}, true];
}

/** In the place of what is an object, or of what is a URI. */
export const wrongObjects = [[], 'text', {}, 7, { imageUrl: null }, { imageUrl: 'no uri' }, false] as const;
export const wrongUris = ['no uri', 'not a link', 7, {}, ['https://example.com/'], 'http://[', false] as const;
export const wrongProviders = ['', 'myspace', 'facebook', 'tik', 7, ['tiktok'], 'google'] as const;
export const wrongCounts = [0, 21, -1, 1.5, 'three', [], 1e9] as const;

/** The one that this audit sends. `slot` sets the draws of one audit apart. */
export function drawn<T>(probe: Probe, pool: readonly T[], slot = 0): T {
  return pool[(probe.settings.seed + slot) % pool.length] as T;
}

/** The others, for a run that has time. */
export function others<T>(probe: Probe, pool: readonly T[], slot = 0): readonly T[] {
  const first = drawn(probe, pool, slot);
  return pool.filter((one) => one !== first);
}

/**
 * Sends an odd request that must not be taken as a write. A breakdown that looks like trouble of a platform fails when
 * it comes again, while another request is answered: trouble of a platform does not hang on an input.
 */
export async function sendOdd(probe: Probe, spec: RequestSpec): Promise<Exchange> {
  const first = await probe.sendRaw(spec);
  if (!isPlatformTrouble(first) || isGatewayPage(first)) return settled(probe, first);
  const sound = await probe.sendRaw({ operation: 'listSites' });
  const again = await probe.sendRaw(spec);
  const isAgain = again.status === first.status && !isGatewayPage(again);
  if (sound.status !== 200 || !isAgain) return settled(probe, again);
  const clause = statusClause(spec.operation ?? again.operation ?? 'listSites');
  const claim = { ...about(again, clause, '#status'), actual: `${nameOfAnswer(again)} each time` };
  // Trouble of a platform may strike the operations of accounts at any time (rulings R2).
  const isOfAccount = again.operation !== null && clause === '4.connect.statuses';
  const message = 'GET /sites was answered in between';
  if (isOfAccount) probe.warn({ ...claim, expected: 'an answer to the input', message });
  else probe.holds(false, { ...claim, expected: 'an answer to the input', message });
  return probe.stop('platform', `${nameOfAnswer(again)} each time`);
}

function settled(probe: Probe, exchange: Exchange): Exchange {
  if (isUntold(exchange)) probe.stop('platform', `no answer of the service came: ${exchange.problem}`);
  // A firewall that does not like the input: rule/json has told of its page.
  if (isWebPage(exchange) && exchange.status < 500) probe.stop('platform', 'a web page came in place of an answer');
  // A limiter that comes between is not a fault of the answer (R3).
  if (isLimiterRefusal(exchange)) probe.stop('interference', 'a limiter kept refusing it after waiting as told');
  if (isPlatformTrouble(exchange)) probe.stop('platform', `answered ${nameOfAnswer(exchange)}`);
  return exchange;
}
