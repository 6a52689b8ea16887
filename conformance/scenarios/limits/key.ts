// Sixty requests a minute for a key, in a sliding window. One address can hardly send the sixty-first (interpretation
// R48), so these come from several. The first two bursts fill the window, and the admitted requests of the next two
// show how it moves. They are two address windows apart, so even an approximate window of an address admits them.
import { keyWindow } from '../../../src/contract/generated/limits.ts';
import { keyBurstLabel, keyBurstSizes, keyBurstsApartMs, keyBurstsIn, whyUnclear } from '../../exchange/bursts.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { type Asks, announce, burst, type Scenario, type SoFar, scenario, sendNow, wait } from '../scenario.ts';

const { windowMs } = keyWindow;
/** An approximate window needs two of them to forget. */
const quietMs = 2 * windowMs + 500;
/** Requests with the key of another organization while the window is full: others may use that key too (R3). */
const others = 2;
const most = keyBurstSizes.reduce((sum, size) => sum + size, others + 1);
const secondsMax = Math.ceil((quietMs + (keyBurstSizes.length - 1) * keyBurstsApartMs + windowMs) / 1000) + 1;

const lastOf = (exchanges: readonly Exchange[]) => Math.max(0, ...exchanges.map(({ receivedAt }) => receivedAt));

function* waitUntil({ now }: SoFar, atMs: number): Asks<void> {
  yield* wait(Math.max(0, atMs - now()));
}

const keyBursts = scenario(
  'limits/key-window',
  { needs: ['burst', 'source-addresses'], most, seconds: secondsMax },
  function* (run) {
    const { exchanges, given } = run.history();
    yield* announce(
      `Sending bursts of ${keyBurstSizes.join(', ')} with one key from several addresses, after a silence.`,
    );
    // Until nothing that the run itself has sent counts any more, in either window.
    const keyed = exchanges.filter(({ key }) => key === 'good');
    yield* waitUntil(run, Math.max(lastOf(keyed) + quietMs, lastOf(exchanges) + keyBurstsApartMs));
    const isSecondKnown = exchanges.some(({ key, status }) => key === 'second' && status === 200);
    for (const [index, size] of keyBurstSizes.entries()) {
      const [first] = keyBurstsIn(run.history());
      if (first !== undefined) yield* waitUntil(run, first.atMs + index * keyBurstsApartMs);
      // Spread evenly, so no address reaches its own limit.
      const addresses = Array.from({ length: size }, (_, at) =>
        given.sourceAddresses.slice(at % given.sourceAddresses.length),
      );
      const label = keyBurstLabel(index);
      const specs = addresses.map(([address = '']) => ({ operation: 'listSites', address, label }) as const);
      yield* burst(specs, 'none');
      const last = keyBurstsIn(run.history()).at(-1);
      if (last === undefined || whyUnclear(last) !== null) return;
      // Each address can send one more request.
      const address = given.sourceAddresses.at(-1);
      const other = { operation: 'listSites', key: 'second', label: 'with the key of another organization' } as const;
      if (isSecondKnown && index > 0 && index <= others && address) yield* burst([{ ...other, address }], 'none');
    }
    const later = keyBurstsIn(run.history()).slice(2);
    if (later.some(({ admitted }) => admitted > 0)) return;
    yield* waitUntil(run, lastOf(later.flatMap((one) => one.exchanges)) + windowMs);
    yield* sendNow({ operation: 'listSites', label: 'a minute after the key bursts' });
  },
);

export const keyScenarios: readonly Scenario[] = [keyBursts];
