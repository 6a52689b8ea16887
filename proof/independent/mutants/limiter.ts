import type { IndependentMutant } from './mutant.ts';

/** How many pass, and who is counted: the window of an address. */
export const addressMutants: readonly IndependentMutant[] = [
  {
    name: 'address-eleventh-passes',
    breaks: '8.address-window',
    shows: 'Eleven requests in a burst pass.',
    needs: 'bursts',
    variants: ['plain', 'consuming', 'offsets'],
    wrong: () => ({
      'limit.size': (size, which) => (which === 'address' ? { ...size, fits: (used, limit) => used <= limit } : size),
    }),
  },
  {
    name: 'address-tenth-refused',
    breaks: '8.address-window',
    shows: 'The tenth request of a burst is blocked.',
    needs: 'bursts',
    variants: ['plain', 'consuming', 'offsets'],
    wrong: () => ({
      'limit.size': (size, which) =>
        which === 'address' ? { ...size, fits: (used, limit) => used + 1 < limit } : size,
    }),
  },
  {
    name: 'address-window-four-seconds',
    breaks: '8.address-window',
    shows: 'Three bursts of ten, four seconds apart, pass within ten seconds.',
    needs: 'bursts',
    variants: ['plain', 'consuming', 'offsets'],
    wrong: () => ({ 'limit.size': (size, which) => (which === 'address' ? { ...size, window: 4_000 } : size) }),
  },
  {
    name: 'address-window-eight-seconds',
    breaks: '8.address-window',
    shows:
      'Six bursts of ten pass in forty seconds, eight seconds apart; no window of ten seconds lets more than fifty.',
    needs: 'bursts',
    variants: ['consuming', 'offsets', 'plain'],
    wrong: () => ({ 'limit.size': (size, which) => (which === 'address' ? { ...size, window: 8_000 } : size) }),
  },
  {
    name: 'address-counted-by-key',
    breaks: '8.address-window',
    shows: 'From one address ten requests pass with each key, good or not: the first limiter counts by key.',
    needs: 'bursts',
    variants: ['plain', 'strict', 'basic'],
    wrong: () => ({
      'limit.name': (name, { which, visit }) => (which === 'address' ? (visit.key ?? 'nobody') : name),
    }),
  },
  {
    name: 'address-counted-by-path',
    breaks: '8.address-window',
    shows: 'From one address ten requests pass on each path.',
    needs: 'bursts',
    variants: ['plain', 'strict', 'lavish'],
    wrong: () => ({
      'limit.name': (name, { which, visit }) => (which === 'address' ? `${name} ${visit.segments.join('/')}` : name),
    }),
  },
  {
    name: 'address-counted-after-key',
    breaks: '5.limiter-before-key',
    shows: 'However many requests with a bad key come in a burst, each answers 401 and none 429.',
    needs: 'bursts',
    variants: ['plain', 'strict', 'mixed'],
    wrong: () => ({
      'limit.name': (name, { which, visit }) => (which === 'address' && !visit.known ? undefined : name),
    }),
  },
  {
    name: 'address-counts-reads-only',
    breaks: '8.address-window',
    shows: 'However many POST requests come in a burst, even without a key, none is blocked.',
    needs: 'bursts',
    variants: ['plain', 'offsets'],
    wrong: () => ({
      'limit.name': (name, { which, visit }) => (which === 'address' && visit.method !== 'GET' ? undefined : name),
    }),
  },
];

/** The window of a key. */
export const keyWindowMutants: readonly IndependentMutant[] = [
  {
    name: 'key-sixty-first-passes',
    breaks: '8.key-window',
    shows: 'Sixty-one requests of one key pass in a burst from several addresses.',
    needs: 'addresses',
    variants: ['mixed', 'plain', 'consuming'],
    wrong: () => ({
      'limit.size': (size, which) => (which === 'key' ? { ...size, fits: (used, limit) => used <= limit } : size),
    }),
  },
  {
    name: 'key-sixtieth-refused',
    breaks: '8.key-window',
    shows: 'The sixtieth request of a key in a minute is blocked.',
    needs: 'addresses',
    variants: ['mixed', 'plain', 'consuming'],
    wrong: () => ({
      'limit.size': (size, which) => (which === 'key' ? { ...size, fits: (used, limit) => used + 1 < limit } : size),
    }),
  },
  {
    name: 'key-window-fixed',
    breaks: '8.key-window',
    shows: 'Sixty requests of a key late in one minute of the clock and sixty early in the next all pass.',
    needs: 'addresses',
    variants: ['mixed', 'plain', 'basic'],
    wrong: () => ({ 'limit.kind': (kind, which) => (which === 'key' ? 'aligned' : kind) }),
  },
  {
    name: 'key-window-half-minute',
    breaks: '8.key-window',
    shows: 'Half a minute after sixty requests of a key another sixty pass.',
    needs: 'addresses',
    variants: ['mixed', 'plain', 'strict'],
    wrong: () => ({ 'limit.size': (size, which) => (which === 'key' ? { ...size, window: 30_000 } : size) }),
  },
  {
    name: 'key-counted-by-address',
    breaks: '8.key-window',
    shows: 'A key has sixty requests a minute from each address: from several it is never blocked.',
    needs: 'addresses',
    variants: ['mixed', 'plain', 'lavish'],
    wrong: () => ({
      'limit.name': (name, { which, address }) => (which === 'key' ? `${name} ${address}` : name),
    }),
  },
];
