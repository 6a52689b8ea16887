// Sixty requests a minute for a key, in a sliding window. One address can hardly send the sixty-first (interpretations
// R48). So this check needs several addresses; limits/key-remaining reads the headers of a whole run.

import { isDisturbed } from '../../assertions/address-bursts.ts';
import { type Exchange, hasResponse, isLimiterRejection } from '../../exchange/exchange.ts';
import { readWhole } from '../../exchange/stated-limits.ts';
import { about } from '../../judge/claims.ts';
import { contractWindows } from '../../pace/lanes.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';
import type { Probe } from '../../probe/probe.ts';

const { limit, windowMs } = contractWindows.key;
// The window: the first two lumps fill it, and the admitted requests of the next two show how it moves. The lumps are
// two address windows apart, so even an approximate window admits them.

/** At most nine from each of four addresses; the second exceeds the limit, the others detect a fixed window. */
const lumpSizes = [30, 36, 32, 32] as const;
/** Requests with the key of another organization while the window is full. */
const others = 2;
const sent = lumpSizes.reduce((total, size) => total + size, 0);
/** Two windows of an address and half a second. */
const apartMs = 20_500;
/** An approximate window needs two of them to forget. */
const quietMs = 2 * windowMs + 500;
/** A log of ten-second parts may forget a part early. */
const sureSpanMs = 0.8 * windowMs;
const secondsMax = Math.ceil((quietMs + (lumpSizes.length - 1) * apartMs + windowMs) / 1000) + 1;

interface Lumped extends Lump {
  readonly exchanges: readonly Exchange[];
}

const keyWindow: CheckRow = {
  id: 'limits/key-window',
  title: 'The key limit admits 60 requests in any minute',
  cites: ['8.key-window', '8.blocked-429'],
  needs: ['burst', 'source-addresses'],
  cost: { requests: sent + others + 1, ownPace: true, seconds: secondsMax },
  async run(probe) {
    probe.announce(`Sending ${lumpSizes.join(', ')} requests with one key from several addresses, after a silence.`);
    await beQuiet(probe);
    const lumps: Lumped[] = [];
    const othersResponses: Exchange[] = [];
    for (const size of lumpSizes) {
      const first = lumps[0];
      if (first) await sleepUntil(probe, first.atMs + lumps.length * apartMs);
      lumps.push(await sendLump(probe, size));
      if (lumps.length > 1 && othersResponses.length < others) othersResponses.push(...(await sendWithSecond(probe)));
    }
    expectOwnWindow(probe, othersResponses);
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
  await sleepUntil(probe, Math.max(last(keyed) + quietMs, last(all) + apartMs));
}

async function sleepUntil(probe: Probe, atMs: number): Promise<void> {
  await probe.sleep(Math.max(0, atMs - probe.now()));
}

/** Spread evenly over the addresses, so none of them reaches its own limit. */
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

/** With the key of the second organization if the run has one; each address can send one more request. */
async function sendWithSecond(probe: Probe): Promise<Exchange[]> {
  const isThere = probe.history().some(({ key, status }) => key === 'second' && status === 200);
  const address = probe.settings.sourceAddresses.at(-1);
  if (!isThere || address === undefined) return [];
  return probe.burst([{ operation: 'listSites', key: 'second', address }], 'none');
}

/** A full window of one organization must not block another; twice, because others may use that key (R3). */
function expectOwnWindow(probe: Probe, exchanges: readonly Exchange[]): void {
  const blocked = exchanges.filter(isLimiterRejection);
  const isOfAddress = ({ headers }: Exchange) =>
    readWhole(headers['x-ratelimit-limit']) === contractWindows.address.limit;
  if (exchanges.length === 0 || blocked.some(isOfAddress) || (blocked.length > 0 && blocked.length < others)) return;
  probe.holds(blocked.length === 0, {
    ...about(exchanges.at(-1), '8.key-window', '#status'),
    expected: '200 for the key of another organization while the limit of the first key is reached',
    actual: exchanges.map(({ status }) => status).join(' and '),
  });
}

/** A server that sees all our addresses as one blocks by address, which says nothing about the key. */
function stopUnlessClear(probe: Probe, exchanges: readonly Exchange[]): void {
  const silent = exchanges.find((exchange) => !hasResponse(exchange));
  if (silent) probe.stop('timing', `a request of the burst got no response: ${silent.problem}`);
  const unexpected = exchanges.find((exchange) => exchange.status !== 200 && !isLimiterRejection(exchange));
  if (unexpected) probe.stop('platform', `a request of the burst got ${unexpected.status}`);
  const blocked = exchanges.filter(isLimiterRejection);
  const areReported = (kind: 'address' | 'key') =>
    blocked.some(({ headers }) => readWhole(headers['x-ratelimit-limit']) === contractWindows[kind].limit);
  const isNarrow = exchanges.length - blocked.length <= contractWindows.address.limit && !areReported('key');
  const isFirst = exchanges.length === lumpSizes[0];
  if (areReported('address') || (isFirst && isNarrow)) {
    probe.stop('unreachable', 'the target does not distinguish our source addresses');
  }
}

/** Fails if sixty-one requests are admitted in less than a minute, independent of network delays. */
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
  const surely = oneTooMany(sureSpanMs);
  const isApproximate = looksLikeTwoWindows(lumps);
  const words = lumps.map((lump) => `${lump.admitted} of ${lump.sent}`).join(', ');
  const claim = {
    clause: '8.key-window',
    expected: `at most ${limit} requests with one key in any minute`,
    actual: `a success for ${words}, ${apartMs / 1000} s apart`,
  } as const;
  if (!probe.holds(surely === undefined || isApproximate, { ...claim, exchange: surely ?? null })) return;
  const roughly = surely ?? oneTooMany(windowMs);
  const message = 'an approximate rate-limit window can admit this many';
  if (roughly) probe.warn({ ...claim, exchange: roughly, message });
}

/** The first two lumps, which lie within one window, hold more than it may admit. */
function expectSixty(probe: Probe, lumps: readonly Lumped[]): void {
  const exchanges = lumps.flatMap((lump) => lump.exchanges);
  const admitted = exchanges.filter(({ status }) => status === 200).length;
  const blocked = exchanges.find(isLimiterRejection) ?? null;
  const expected = `${limit}`;
  const claim = { ...about(blocked, '8.key-window'), expected, actual: `200 for ${admitted} in one minute` };
  if (blocked) probe.holds(true, { ...claim, clause: '8.blocked-429' });
  const left = exchanges.flatMap(({ status, headers }) =>
    status === 200 ? (readWhole(headers['x-ratelimit-remaining']) ?? []) : [],
  );
  // Others who use the key can explain fewer (R3), unless the headers of the responses exclude them.
  const isAlone = left.includes(limit - 1) && Math.min(...left) >= limit - admitted;
  if (admitted >= limit || isAlone) probe.holds(admitted >= limit, claim);
  else probe.doubt('interference', `only ${admitted} were admitted: other users might share the key`);
}

/** An exact window lets thirty of the last lump in; others may need silence to forget what they have counted. */
async function expectFreed(probe: Probe, lumps: readonly Lumped[]): Promise<void> {
  const [, , ...later] = lumps;
  const last = later.flatMap(({ exchanges }) => exchanges);
  const seen = last.find(({ status }) => status === 200);
  if (seen === undefined) await sleepUntil(probe, Math.max(...last.map(({ receivedAt }) => receivedAt)) + windowMs);
  const exchange = seen ?? (await probe.sendNow({ operation: 'listSites' }));
  // Only our own requests have filled the window.
  const own = probe.history().filter(({ key, status }) => key === 'good' && status === 200).length;
  const isShared = own < limit || probe.history().some(isDisturbed);
  if (isLimiterRejection(exchange) && isShared) probe.stop('interference', 'other users might share the key');
  if (!hasResponse(exchange)) probe.stop('timing', `a request after the bursts got no response: ${exchange.problem}`);
  probe.holds(!isLimiterRejection(exchange), {
    ...about(exchange, '8.key-window'),
    expected: 'a success, because the earlier requests are more than a minute old',
    actual: `${exchange.status} two minutes after the first burst`,
  });
}

export const keyLimiter = defineChecks({ phase: 'bursts' }, [keyWindow]);

// Which sliding windows a run of lumps may have met. An exact log holds sixty requests of any minute. Approximations
// are about as common: coarser logs, and two fixed windows weighted by their overlap (interpretation R3, R44).

interface Lump {
  readonly atMs: number;
  readonly sent: number;
  readonly admitted: number;
}

const phaseStepMs = 500;
/** Rounding, and the time that a lump takes. */
const tolerance = 3;

/** Whether two fixed windows, with any start, would admit about as many of each lump. */
function looksLikeTwoWindows(lumps: readonly Lump[]): boolean {
  const phases = Array.from({ length: windowMs / phaseStepMs }, (_, i) => i * phaseStepMs);
  return phases.some((phaseMs) =>
    [false, true].some((countsBlocked) => {
      const admitted = admittedByTwoWindows(lumps, phaseMs, countsBlocked);
      return lumps.every((lump, i) => Math.abs(lump.admitted - (admitted[i] ?? 0)) <= tolerance);
    }),
  );
}

function admittedByTwoWindows(lumps: readonly Lump[], phaseMs: number, countsBlocked: boolean): number[] {
  let index = Number.NEGATIVE_INFINITY;
  let [before, current] = [0, 0];
  return lumps.map(({ atMs, sent }) => {
    const place = (atMs - phaseMs) / windowMs;
    const now = Math.floor(place);
    if (now !== index) [index, before, current] = [now, now === index + 1 ? current : 0, 0];
    const free = Math.floor(limit - before * (1 - (place - now)) - current);
    const admitted = Math.min(sent, Math.max(0, free));
    current += countsBlocked ? sent : admitted;
    return admitted;
  });
}
