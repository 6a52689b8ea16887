// Address limiters that let too many through, too few, or the wrong ones. Cites 8.address-window, 5.limiter-before-key,
// 8.blocked-429.
import type { CoreRequest } from '../http/message.ts';
import { addressLimiter, toldAs, without } from './hooks/limiters.ts';
import { mutantsNeeding } from './hooks/mutants-of.ts';
import { onBlock, ownerOf } from './hooks/recipes.ts';
import { withStatus } from './hooks/rewrite.ts';

const addresses = mutantsNeeding('bursts', {
  '8.address-window': {
    'address-limit-11': [
      'An address may make 11 requests per 10 seconds, and the headers say so.',
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
    'address-counts-every-second-with-a-good-key': [
      'A request with a good key directly after one that was counted is not counted for its address.',
      (next, context) => {
        let wasCounted = false;
        const exempt = (request: CoreRequest) => {
          const isGood = ownerOf(request, context) !== null;
          wasCounted = isGood && !wasCounted;
          return isGood && !wasCounted;
        };
        return addressLimiter({ exempt })(next, context);
      },
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
    'blocked-200': [
      'A blocked request answers 200 with the limiter’s body.',
      onBlock((response) => withStatus(response, 200)),
    ],
  },
});

export const addressLimiterMutants = [...addresses, ...blocks];
