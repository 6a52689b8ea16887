// The window of a key itself, from several addresses: the first two lumps fill it, and what the next two are let in
// tells how it moves. The lumps lie two windows of an address apart, so that even an approximate one admits them.

import { type Exchange, isAnswered, isLimiterRefusal } from '../exchange/exchange.ts';
import { readWhole } from '../exchange/told-limits.ts';
import { contractWindows } from '../pace/lanes.ts';
import type { Check } from '../probe/check.ts';
import type { Probe } from '../probe/probe.ts';
import { isDisturbed } from './08-address-limiter.ts';
import { about } from './claims.ts';
import { type Lump, looksLikeTwoWindows } from './key-window-model.ts';

const { limit, windowMs } = contractWindows.key;
/** The address limiter admits ten from each; the largest lump is shared among them. */
const ADDRESSES_MIN = 4;
/** No more than nine for each of four addresses; the second goes beyond the limit, the others tell a fixed window. */
const LUMPS = [30, 36, 32, 32] as const;
/** Requests with the key of another organization while the window is full. */
const OTHERS = 2;
const SENT = LUMPS.reduce((total, size) => total + size, 0);
/** Two windows of an address and half a second. */
const APART_MS = 20_500;
/** An approximate window needs two of them to forget. */
const QUIET_MS = 2 * windowMs + 500;
/** A log of ten-second parts may forget a part early. */
const SURE_SPAN_MS = 0.8 * windowMs;
const SECONDS_MAX = Math.ceil((QUIET_MS + (LUMPS.length - 1) * APART_MS + windowMs) / 1000) + 1;

/** A lump with its answers. */
interface Lumped extends Lump {
  readonly exchanges: readonly Exchange[];
}

export const keyWindow: Check = {
  id: 'limits/key-window',
  title: `From several addresses, ${limit} requests of a key are admitted and not one more, until a minute has slid by`,
  cites: ['8.key-window', '8.blocked-429'],
  level: 'must',
  phase: 'bursts',
  needs: ['burst', 'source-addresses'],
  cost: { requests: SENT + OTHERS + 1, ownPace: true, seconds: SECONDS_MAX },
  async run(probe) {
    const { sourceAddresses } = probe.settings;
    if (sourceAddresses.length < ADDRESSES_MIN) {
      probe.stop('unreachable', `it takes ${ADDRESSES_MIN} source addresses to send ${LUMPS[1]} requests at once`);
    }
    probe.announce(`Sending ${LUMPS.join(', ')} requests with one key from several addresses, after a silence.`);
    await beQuiet(probe);
    const lumps: Lumped[] = [];
    const asksOfOthers: Exchange[] = [];
    for (const size of LUMPS) {
      const first = lumps[0];
      if (first) await sleepUntil(probe, first.atMs + lumps.length * APART_MS);
      lumps.push(await sendLump(probe, size));
      if (lumps.length > 1 && asksOfOthers.length < OTHERS) asksOfOthers.push(...(await askWithSecond(probe)));
    }
    expectOwnWindow(probe, asksOfOthers);
    expectNotTooMany(probe, lumps);
    expectSixty(probe, lumps.slice(0, 2));
    await expectFreed(probe, lumps);
  },
};

/** Waits until nothing that the run itself has sent counts any more, in either window. */
async function beQuiet(probe: Probe): Promise<void> {
  const last = (exchanges: readonly Exchange[]) => Math.max(0, ...exchanges.map(({ receivedAt }) => receivedAt));
  const all = probe.history();
  const keyed = all.filter(({ key }) => key === 'good');
  await sleepUntil(probe, Math.max(last(keyed) + QUIET_MS, last(all) + APART_MS));
}

async function sleepUntil(probe: Probe, atMs: number): Promise<void> {
  await probe.sleep(Math.max(0, atMs - probe.now()));
}

/** Spread evenly over the addresses, so that none of them reaches its own limit. */
async function sendLump(probe: Probe, size: number): Promise<Lumped> {
  const { sourceAddresses } = probe.settings;
  const specs = Array.from({ length: size }, (_, i) => ({
    operation: 'listSites' as const,
    address: sourceAddresses[i % sourceAddresses.length] as string,
  }));
  const exchanges = await probe.burst(specs, 'none');
  stopUnlessClear(probe, exchanges);
  return {
    exchanges,
    atMs: Math.min(...exchanges.map(({ sentAt }) => sentAt)),
    sent: size,
    admitted: exchanges.filter(({ status }) => status === 200).length,
  };
}

/** With the key of another organization, if the run has one; each address has room for one request more. */
async function askWithSecond(probe: Probe): Promise<Exchange[]> {
  const isThere = probe.history().some(({ key, status }) => key === 'second' && status === 200);
  const address = probe.settings.sourceAddresses.at(-1);
  if (!isThere || address === undefined) return [];
  return probe.burst([{ operation: 'listSites', key: 'second', address }], 'none');
}

/** A full window of one organization must not block another; twice, because others may use that key (R3). */
function expectOwnWindow(probe: Probe, exchanges: readonly Exchange[]): void {
  const blocked = exchanges.filter(isLimiterRefusal);
  const isOfAddress = ({ headers }: Exchange) =>
    readWhole(headers['x-ratelimit-limit']) === contractWindows.address.limit;
  if (exchanges.length === 0 || blocked.some(isOfAddress) || (blocked.length > 0 && blocked.length < OTHERS)) return;
  probe.holds(blocked.length === 0, {
    ...about(exchanges.at(-1), '8.key-window', '#status'),
    expected: 'a request with the key of another organization admitted while the window of the first is full',
    actual: exchanges.map(({ status }) => status).join(' and '),
  });
}

/** A server that sees one address behind all of ours blocks by the address, which says nothing of the key. */
function stopUnlessClear(probe: Probe, exchanges: readonly Exchange[]): void {
  const silent = exchanges.find((exchange) => !isAnswered(exchange));
  if (silent) probe.stop('timing', `a request of the burst got no answer: ${silent.problem}`);
  const odd = exchanges.find((exchange) => exchange.status !== 200 && !isLimiterRefusal(exchange));
  if (odd) probe.stop('platform', `a request of the burst got ${odd.status}`);
  const blocked = exchanges.filter(isLimiterRefusal);
  const told = (kind: 'address' | 'key') =>
    blocked.some(({ headers }) => readWhole(headers['x-ratelimit-limit']) === contractWindows[kind].limit);
  const isNarrow = exchanges.length - blocked.length <= contractWindows.address.limit && !told('key');
  const isFirst = exchanges.length === LUMPS[0];
  if (told('address') || (isFirst && isNarrow)) {
    probe.stop('unreachable', 'the target does not tell our source addresses apart');
  }
}

/** Sixty-one admitted in less than a minute, whatever the network did in between. */
function expectNotTooMany(probe: Probe, lumps: readonly Lumped[]): void {
  const admitted = lumps
    .flatMap(({ exchanges }) => exchanges)
    .filter(({ status }) => status === 200)
    .sort((a, b) => a.sentAt - b.sentAt);
  const oneTooMany = (spanMs: number) =>
    admitted.find((later, index) => {
      const first = admitted[index - limit];
      return first !== undefined && later.receivedAt - first.sentAt < spanMs;
    });
  const surely = oneTooMany(SURE_SPAN_MS);
  const isApproximate = looksLikeTwoWindows(lumps);
  const words = lumps.map((lump) => `${lump.admitted} of ${lump.sent}`).join(', ');
  const claim = {
    clause: '8.key-window',
    expected: `at most ${limit} of a key admitted within any minute`,
    actual: `${words} admitted, ${APART_MS / 1000} s apart`,
  } as const;
  if (!probe.holds(surely === undefined || isApproximate, { ...claim, exchange: surely ?? null })) return;
  const roughly = surely ?? oneTooMany(windowMs);
  const message = 'an approximate window may let so many pass';
  if (roughly) probe.warn({ ...claim, exchange: roughly, message });
}

/** The first two lumps, which lie within one window, hold more than it may admit. */
function expectSixty(probe: Probe, lumps: readonly Lumped[]): void {
  const exchanges = lumps.flatMap((lump) => lump.exchanges);
  const admitted = exchanges.filter(({ status }) => status === 200).length;
  const blocked = exchanges.find(isLimiterRefusal) ?? null;
  const expected = `${limit} admitted`;
  const claim = { ...about(blocked, '8.key-window'), expected, actual: `${admitted} admitted` };
  if (blocked) probe.holds(true, { ...claim, clause: '8.blocked-429' });
  const left = exchanges.flatMap(({ status, headers }) =>
    status === 200 ? (readWhole(headers['x-ratelimit-remaining']) ?? []) : [],
  );
  // Fewer may always be the doing of others who use the key (R3), unless the first answer says that nobody does, and
  // no later one that more has been taken than our own.
  const isAlone = left.includes(limit - 1) && Math.min(...left) >= limit - admitted;
  if (admitted >= limit || isAlone) probe.holds(admitted >= limit, claim);
  else probe.doubt('interference', `only ${admitted} were admitted; others may use the key`);
}

/** An exact window lets thirty of the last lump in; others may need silence to forget what they have counted. */
async function expectFreed(probe: Probe, lumps: readonly Lumped[]): Promise<void> {
  const [, , ...later] = lumps;
  const last = later.flatMap(({ exchanges }) => exchanges);
  const seen = last.find(({ status }) => status === 200);
  if (seen === undefined) await sleepUntil(probe, Math.max(...last.map(({ receivedAt }) => receivedAt)) + windowMs);
  const exchange = seen ?? (await probe.sendNow({ operation: 'listSites' }));
  // Where our own requests have filled the window, nobody else is to blame.
  const own = probe.history().filter(({ key, status }) => key === 'good' && status === 200).length;
  const isShared = own < limit || probe.history().some(isDisturbed);
  if (isLimiterRefusal(exchange) && isShared) probe.stop('interference', 'others may use the key');
  if (!isAnswered(exchange)) probe.stop('timing', `a request after the bursts got no answer: ${exchange.problem}`);
  probe.holds(!isLimiterRefusal(exchange), {
    ...about(exchange, '8.key-window'),
    expected: 'requests admitted again when those before are a minute old',
    actual: `${exchange.status} two minutes after the first lump`,
  });
}
