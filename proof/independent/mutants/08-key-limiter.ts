import type { MutantsByClause } from './mutant.ts';

/** The window of a key. */
export const keyLimiterMutants: MutantsByClause = {
  '8.key-window': {
    'key-posts-not-counted': {
      shows: 'A POST takes nothing from the window of its key: X-RateLimit-Remaining stays as it was.',
      variant: 'strict',
      wrong: () => ({
        'limit.name': (name, { which, visit }) => (which === 'key' && visit.method === 'POST' ? undefined : name),
      }),
    },
    'key-sixty-first-passes': {
      shows: 'Sixty-one requests of one key pass in a burst from several addresses.',
      needs: 'addresses',
      variant: 'mixed',
      wrong: () => ({
        'limit.size': (size, which) => (which === 'key' ? { ...size, fits: (used, limit) => used <= limit } : size),
      }),
    },
    'key-sixtieth-refused': {
      shows: 'The sixtieth request of a key in a minute is blocked.',
      needs: 'addresses',
      variant: 'mixed',
      wrong: () => ({
        'limit.size': (size, which) => (which === 'key' ? { ...size, fits: (used, limit) => used + 1 < limit } : size),
      }),
    },
    'key-window-fixed': {
      shows: 'Sixty requests of a key late in one minute of the clock and sixty early in the next all pass.',
      needs: 'addresses',
      variant: 'mixed',
      wrong: () => ({ 'limit.kind': (kind, which) => (which === 'key' ? 'aligned' : kind) }),
    },
    'key-window-half-minute': {
      shows: 'Half a minute after sixty requests of a key another sixty pass.',
      needs: 'addresses',
      variant: 'mixed',
      wrong: () => ({ 'limit.size': (size, which) => (which === 'key' ? { ...size, window: 30_000 } : size) }),
    },
    'key-window-shared-by-organizations': {
      shows: 'All keys together have sixty requests a minute: one organization uses up the window of another.',
      needs: 'addresses',
      variant: 'mixed',
      wrong: () => ({ 'limit.name': (name, { which }) => (which === 'key' ? 'everybody' : name) }),
    },
    'key-counted-by-address': {
      shows: 'A key has sixty requests a minute from each address: from several it is never blocked.',
      needs: 'addresses',
      variant: 'mixed',
      wrong: () => ({
        'limit.name': (name, { which, address }) => (which === 'key' ? `${name} ${address}` : name),
      }),
    },
  },
};
