// Behind a burst the window of the address is full. Whatever a client changes in its next request, but its address,
// does not open it: neither a good key, nor another name of the client, nor (where no proxy is believed) another
// forwarded address. One request changes all of it at once; only when that passes the others are sent, to find out why.
import { type Exchange, isLimiterRefusal, isUntold, nameOfAnswer } from '../exchange/exchange.ts';
import type { RequestSpec } from '../exchange/request.ts';
import type { Check } from '../probe/check.ts';
import type { Probe } from '../probe/probe.ts';
import { isBlocked } from './address-bursts.ts';
import { about } from './claims.ts';

/** A plain read, with which no platform has to do. */
const READ = { operation: 'listSites' } as const satisfies RequestSpec;

/** What a client may change, and the words for it. */
interface Change {
  readonly words: string;
  readonly headers: Readonly<Record<string, string>>;
}

const KEY: Change = { words: 'with a good key', headers: {} };
const AGENT: Change = { words: 'under another User-Agent', headers: { 'user-agent': 'casa-conformance-b' } };
/** Of a block that is kept for documents. */
const FORWARDED: Change = { words: 'with X-Forwarded-For', headers: { 'x-forwarded-for': '198.51.100.23' } };

/** The window of an address may be a sixth open by then. */
const FRESH_MS = 1500;

/** A good request and the bad one beside it. */
async function ask(probe: Probe, { headers }: Change, address: string | null): Promise<Exchange> {
  return probe.sendNow({ ...READ, headers, ...(address === null ? {} : { address }) });
}

/** One that no key opens: whether the window is still full. */
async function isFull(probe: Probe, address: string | null): Promise<boolean> {
  return isBlocked(await probe.sendNow({ ...READ, key: 'none', ...(address === null ? {} : { address }) }));
}

/** Passes twice, with one between them that is blocked: the edge of a window does not do that. */
async function passesAlone(probe: Probe, change: Change, last: Exchange): Promise<Exchange | null> {
  const { address } = last;
  if (isBlocked(await ask(probe, change, address)) || !(await isFull(probe, address))) return null;
  const again = await ask(probe, change, address);
  if (isBlocked(again) || isUntold(again) || isRefilled(probe, last, again)) return null;
  return (await isFull(probe, address)) ? again : null;
}

/** A bucket gives back one a second, and a window that counts what it blocks may forget two. */
const REFILLS_PER_S = 2;

/** Whether a refill explains all that has passed from a request that was blocked to a later one. */
function isRefilled(probe: Probe, last: Exchange, until: Exchange): boolean {
  const behind = probe.history().slice(probe.history().indexOf(last) + 1);
  const isPassed = (one: Exchange) => one.sentAt >= last.receivedAt && !isBlocked(one) && !isUntold(one);
  const passed = behind.filter((one) => one.address === last.address && isPassed(one)).length;
  return passed <= 1 + (REFILLS_PER_S * (until.receivedAt - last.sentAt)) / 1000;
}

/** Most requests that tell why one has passed: four for each change that a client can make. */
const CONFIRMS = 12;

export const noEscape: Check = {
  id: 'limits/address-escape',
  title: 'While the window of its address is full, no good key and no other header lets a client pass',
  cites: ['8.address-window', '5.limiter-before-key', '7.envelope.limiter'],
  level: 'must',
  phase: 'bursts',
  needs: ['burst'],
  after: ['limits/address-burst'],
  cost: { requests: 1, confirms: CONFIRMS, ownPace: true, seconds: 1 },
  async run(probe) {
    const last = probe.history().findLast((exchange) => exchange.burst && isBlocked(exchange));
    if (last === undefined) return probe.stop('precondition', 'no request of the burst was blocked');
    if (probe.now() - last.receivedAt > FRESH_MS) return probe.stop('timing', 'the burst is too long ago');
    // Who asks from the machine itself may be a proxy, and is believed (rulings R52).
    const changes = probe.settings.isLoopback ? [KEY, AGENT] : [KEY, AGENT, FORWARDED];
    const all = { words: '', headers: Object.assign({}, ...changes.map(({ headers }) => headers)) };
    const { address } = last;
    const first = await ask(probe, all, address);
    if (isUntold(first)) return probe.stop('platform', `the request behind the burst got ${nameOfAnswer(first)}`);
    if (first.status === 429) return judgeWords(probe, first, address);
    for (const change of changes) {
      const passed = await passesAlone(probe, change, last);
      if (passed === null) continue;
      const claim = { ...about(passed, '8.address-window', '#status'), actual: nameOfAnswer(passed) };
      const words = { ...claim, expected: `429 ${change.words}, as without a key` };
      if (change === FORWARDED) probe.warn({ ...words, message: 'the service may take this address for a proxy' });
      else probe.holds(false, words);
      return;
    }
    probe.stop('timing', 'the window of the address has moved on');
  },
};

/** No platform stands behind the sites, so that a 429 for them is the limiter's, whatever it says. */
async function judgeWords(probe: Probe, first: Exchange, address: string | null): Promise<void> {
  const proves = ['8.address-window', '5.limiter-before-key'] as const;
  probe.holds(true, { ...about(first, '8.address-window', '#status'), proves, expected: '429', actual: '429' });
  const again = isLimiterRefusal(first) ? first : await ask(probe, KEY, address);
  if (again.status !== 429) return probe.stop('timing', 'the window of the address has moved on');
  const claim = { ...about(again, '7.envelope.limiter', '/error'), expected: '"rate_limit_exceeded"' };
  probe.holds(isLimiterRefusal(again), { ...claim, actual: isLimiterRefusal(again) ? 'a plain string' : 'an object' });
}
