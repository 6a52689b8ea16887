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
import type { Probe } from '../probe/probe.ts';
import { statusClause } from '../rules/status.ts';
import { about } from './claims.ts';

/**
 * Queries of GET /articles as sent. A server can reject, clamp or ignore each (interpretation R19, R5). Inputs with
 * several problems reveal most: parsers see -1.5x as text, as negative or as a fraction.
 */
export const articleQueries = [
  'limit=-1.5x&cursor=no-instant%27%00&siteId=no-uuid%27%00',
  'limit=&cursor=&siteId=',
  'siteId=%5B%5D&limit=5',
  'limit=1.5',
  'limit=99999999999999999999&cursor=2026-02-30T25%3A61%3A00Z&siteId=null',
  'limit=0',
  'limit=-1&cursor=null&siteId=%00',
] as const;

/** One thing wrong in each: a server can reject the others before it looks at this one. */
export const plainArticleQueries = ['limit=abc', 'limit=5&siteId=no-uuid', 'limit=5&cursor=no-instant'] as const;

/** For a run that has time. */
export const rareArticleQueries = [
  'limit=1&limit=2',
  'limit=%zz',
  'cursor=%00',
  'limit=1e999',
  'siteId=&limit=5',
  'limit=%20%205%20',
  'cursor=99999999999999999999',
  'cursor=2025-02-30T25%3A61%3A00Z&limit=5',
  'limit=9007199254740993',
  'limit=18446744073709551616',
  'limit=0&limit=x&cursor=%zz',
  'limit=1000',
  'limit=',
  'siteId=no-uuid&limit=100',
  'cursor=1970-01-01T00%3A00%3A00Z',
  'cursor=%FF',
  'cursor=9999-12-31T23%3A59%3A59.999Z&limit=5',
  'cursor=0001-01-01T00%3A00%3A00Z',
] as const;

/** Values of `since` and `limit` of the call log. Each may be rejected or ignored (interpretation R38). */
export const callQueries = [
  'since=yesterday',
  'since=yesterday&limit=-1.5x',
  'since=&limit=',
  'since=2026-02-30T25%3A61%3A00Z&limit=99999999999999999999',
  'since=%zz&limit=0&limit=x',
  'since=null&limit=null',
  'since=2099-01-01T00%3A00%3A00Z',
] as const;

/** For a run that has time. */
export const rareCallQueries = [
  'since=%00',
  'since=1e999&limit=1e9',
  'limit=-1',
  'limit=1.5&limit=abc',
  'since=1732280000&limit=0',
  'since=99999-01-01T00%3A00%3A00Z',
  'since=9999-12-31T23%3A59%3A59.999Z',
  'since=0001-01-01T00%3A00%3A00Z',
  'limit=18446744073709551616',
  'limit=99999999999',
  'limit=%20%205%20',
  'since=%FF',
  // A + that is not encoded is a space.
  'since=2026-01-01T00:00:00+00:00',
] as const;

/** Cursors of reviews that no page has given out; the form of a cursor is the server's own affair. */
export const reviewCursors = [
  'cursor=not+given+out%21',
  'cursor=',
  'cursor=%00',
  'cursor=%zz',
  'cursor=-1',
  'cursor=bnVsbA%3D%3D',
  'cursor=a&cursor=b',
] as const;

/** Not one of the ranges by any reading: each is rejected. A server that takes any number accepts these. */
export const invalidRanges = ['30d', '14d', '1d', '365d', '56d', '0d', '10d'] as const;
export const rareRanges = ['constructor', '28dd', '90', '28d,7d', 'null', '07d', '2'] as const;

/** Ranges that one server takes for one of the list, and another does not (interpretation R5). */
export const nearRanges = ['7D', ' 28d', '28d ', '', '28d\u0000', '%', '28d&range=7d'] as const;

/** Bodies that are invalid as a link or post; none has a provider or a label. Those of a short run come first. */
export const invalidBodies = [
  '{"provider":',
  '{"provider":"constructor","label":7,"maxAccounts":"3"}',
  'null',
  '[]',
  '42',
  '',
  '"text"',
] as const;

/** For a run that has time. */
export const rareBodies = [
  '{}',
  '\uFEFF{}',
  '{"provider":null,"label":null,"maxAccounts":1e400,"text":null}',
  '{"__proto__":{"provider":7},"maxAccounts":1,"maxAccounts":2}',
  '{"text":"\\ud800\\u0000","media":7}',
  // In Latin-1, so not UTF-8, and otherwise a valid post.
  '{"text":"\xff"}',
] as const;

/** Characters up to 255 as one byte each where a body has them, otherwise UTF-8. */
export function bytesOf(body: string): Uint8Array {
  return new Uint8Array(Buffer.from(body, /[\x80-\xff]/.test(body) ? 'latin1' : 'utf8'));
}

const long = 300;

/** Path segments before encoding, of no record. No slash and no NUL, because many proxies do not forward them. */
export const invalidIds = ["no-uuid'", '1', 'x'.repeat(long), '%+ é~"', 'null', '%', '{}'] as const;

/** An id with its first character percent-encoded twice: a server that decodes once finds no such record. */
export function encodedTwice(id: string): string {
  return `%25${id.charCodeAt(0).toString(16)}${encodeURIComponent(id.slice(1))}`;
}

/** In the place of a text of at most so many characters; undefined leaves it out. */
export function invalidTexts(max: number): readonly unknown[] {
  return [null, 'x'.repeat(max + 1), 42, '', ['text'], {}, undefined];
}

/** Instead of an object or a URI. */
export const invalidObjects = [[], { imageUrl: null }, { imageUrl: 7 }, {}, null, 7, { imageUrl: 'no uri' }] as const;
export const invalidUris = ['no uri', null, 7, 'http://[', {}, ['https://example.com/'], '/posts/1'] as const;
export const invalidProviders = ['constructor', null, 'myspace', '', 7, ['tiktok'], 'google'] as const;
export const invalidCounts = ['three', 0, 1e300, 21, -1, 1.5, []] as const;

export const nilUuid = '00000000-0000-0000-0000-000000000000';
export const maxUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
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
