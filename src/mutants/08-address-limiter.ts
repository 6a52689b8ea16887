// Address limiters that let too many through, too few, or the wrong ones. Cites 8.address-window, 5.limiter-before-key,
// 8.blocked-429.
import { route } from '../http/route.ts';
import { addressLimiter, toldAs, unheadedUnlessBlocked, without } from './hooks/limiters.ts';
import { mutantsNeeding } from './hooks/mutants-of.ts';
import { onBlock, ownerOf } from './hooks/recipes.ts';
import { withStatus } from './hooks/rewrite.ts';

const addresses = mutantsNeeding('bursts', {
  '8.address-window': {
    'address-limit-11': [
      'An address may make 11 requests per 10 seconds, and the headers say so.',
      { options: { limits: { address: { limit: 11 } } } },
    ],
    'address-limit-11-told-as-10': [
      'An address may make 11 requests per 10 seconds, although the headers say 10.',
      toldAs(11, 10),
      { options: { limits: { address: { limit: 11 } } } },
    ],
    'address-limit-9-told-as-10': [
      'The tenth request of an address within 10 seconds is blocked, although the headers say 10.',
      toldAs(9, 10),
      { options: { limits: { address: { limit: 9 } } } },
    ],
    'address-limit-20': [
      'An address may make 20 requests per 10 seconds.',
      { options: { limits: { address: { limit: 20 } } } },
    ],
    'address-window-3s': [
      'An address may make 10 requests per 3 seconds.',
      { options: { limits: { address: { windowMs: 3000 } } } },
    ],
    'address-window-20s': [
      'An address is blocked for up to 20 seconds after 10 requests.',
      { options: { limits: { address: { windowMs: 20_000 } } } },
    ],
    'no-address-limiter': [
      'An address may make any number of requests while their keys are bad.',
      unheadedUnlessBlocked('address'),
      { options: without('address') },
    ],
    'address-limit-per-key': [
      'Eleven requests at once pass when their Authorization headers differ.',
      addressLimiter({ bucket: ({ headers }) => headers.authorization ?? '' }),
      { options: without('address') },
    ],
    'address-limit-per-path': [
      'Eleven requests at once pass when they go to different paths.',
      addressLimiter({ bucket: ({ path }, address) => `${address} ${path}` }),
      { options: without('address') },
    ],
    'address-limit-counts-successes': [
      'Requests that are refused do not count for the address limiter.',
      addressLimiter({ counts: ({ status }) => status < 400 }),
      { options: without('address') },
    ],
    'address-limit-spares-posts': [
      'Eleven POST requests at once pass; eleven GET requests do not.',
      addressLimiter({ exempt: ({ method }) => method === 'POST' }),
      { options: without('address') },
    ],
    'address-limit-spares-call-log': [
      'The call log is never blocked by the address limiter.',
      addressLimiter({
        exempt: ({ method, path }) => {
          const match = route(method, path);
          return typeof match !== 'string' && match.operation.id === 'listCalls';
        },
      }),
      { options: without('address') },
    ],
    'address-limit-spares-good-keys': [
      'The address limiter blocks requests with bad keys only.',
      addressLimiter({ exempt: (request, context) => ownerOf(request, context) !== null }),
      { options: without('address') },
    ],
  },
  '5.limiter-before-key': {
    'address-limit-after-key': [
      'Requests with a bad key answer 401 however many come, because the address limiter runs after the key is read.',
      addressLimiter({ exempt: (request, context) => ownerOf(request, context) === null }),
      { options: without('address') },
    ],
  },
});

const blocks = mutantsNeeding('bursts', {
  '8.blocked-429': {
    'blocked-403': [
      'A blocked request answers 403 with the limiter’s body.',
      onBlock((response) => withStatus(response, 403)),
    ],
    'blocked-503': [
      'A blocked request answers 503 with the limiter’s body.',
      onBlock((response) => withStatus(response, 503)),
    ],
    'blocked-200': [
      'A blocked request answers 200 with the limiter’s body.',
      onBlock((response) => withStatus(response, 200)),
    ],
  },
});

export const addressLimiterMutants = [...addresses, ...blocks];
