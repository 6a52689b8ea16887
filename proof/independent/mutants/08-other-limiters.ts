import type { Wrongness } from '../seams.ts';
import type { Kind } from '../types.ts';
import type { MutantsByClause } from './mutant.ts';

// Limiters of other kinds: each is right for the first ten, and lets more than twenty through within ten seconds.

function ten(kind: Kind, windowMs: number): () => Wrongness {
  return () => ({
    'limit.kind': (usual, which) => (which === 'address' ? kind : usual),
    'limit.size': (usual, which) => (which === 'address' ? { ...usual, window: windowMs } : usual),
  });
}

type Counts = NonNullable<Wrongness['limit.name']>;

function countedBy(name: (address: string, visit: Parameters<Counts>[1]['visit']) => string | undefined) {
  return (): Wrongness => ({
    'limit.name': (usual, { which, address, visit }) => (which === 'address' ? name(address, visit) : usual),
  });
}

export const otherLimiterMutants: MutantsByClause = {
  '8.address-window': {
    'address-bucket-of-three-a-second': {
      shows: 'Ten requests pass at once, and then three a second.',
      needs: 'bursts',
      wrong: ten('tokens', 3333),
    },
    'address-bucket-of-two-a-second': {
      shows: 'Ten requests pass at once, and then two a second.',
      needs: 'bursts',
      wrong: ten('tokens', 5000),
    },
    'address-window-two-seconds': {
      shows: 'Ten requests pass every two seconds.',
      needs: 'bursts',
      wrong: ten('aligned', 2000),
    },
    'address-window-three-seconds': {
      shows: 'Ten requests pass within any three seconds.',
      needs: 'bursts',
      wrong: ten('sliding', 3000),
    },
    'address-window-six-seconds': {
      shows: 'Ten requests pass within any six seconds: never more than twenty in ten seconds, and forty in eighteen.',
      needs: 'bursts',
      wrong: ten('sliding', 6000),
    },
    'address-counted-by-method': {
      shows: 'From one address ten reads pass, and ten POST requests as well.',
      needs: 'bursts',
      wrong: countedBy((address, { method }) => `${address} ${method}`),
    },
    'address-counted-by-family': {
      shows: 'From one address ten requests for articles, ten for sites, ten for keywords and ten below /connect pass.',
      needs: 'bursts',
      wrong: countedBy((address, { segments: [first = ''] }) => `${address} ${first}`),
    },
    'address-counted-by-connection': {
      shows: 'Ten requests pass on each connection.',
      needs: 'bursts',
      wrong: () => {
        const names = new WeakMap<object, string>();
        let made = 0;
        return {
          'limit.name': (usual, { which, visit: { connection } }) => {
            if (which !== 'address') return usual;
            const name = names.get(connection) ?? `connection ${++made}`;
            names.set(connection, name);
            return name;
          },
        };
      },
    },
    'address-counted-by-user-agent': {
      shows: 'From one address ten requests pass under each User-Agent.',
      needs: 'bursts',
      wrong: countedBy((address, { agent }) => `${address} ${agent}`),
    },
    'address-window-one-second': {
      shows: 'Ten requests pass every second.',
      needs: 'bursts',
      wrong: ten('aligned', 1000),
    },
    'address-counts-bad-keys-only': {
      shows: 'Requests with a good key are never blocked for their address.',
      needs: 'bursts',
      wrong: countedBy((address, { known }) => (known ? undefined : address)),
    },
    'address-counts-every-second-with-a-good-key': {
      shows: 'A request with a good key directly behind one that was counted is not counted for their address.',
      needs: 'bursts',
      wrong: () => {
        let wasCounted = false;
        return {
          'limit.name': (usual, { which, visit: { known } }) => {
            if (which !== 'address') return usual;
            wasCounted = known && !wasCounted;
            return known && !wasCounted ? undefined : usual;
          },
        };
      },
    },
    'address-forgets-on-success': {
      shows: 'A request with a good key that passes clears the count of its address.',
      needs: 'bursts',
      wrong: () => {
        let cleared = 0;
        return {
          'limit.name': (usual, { which, address, visit: { known } }) => {
            if (which === 'address' && known) cleared += 1;
            return which === 'address' ? `${address} ${cleared}` : usual;
          },
        };
      },
    },
  },
};
