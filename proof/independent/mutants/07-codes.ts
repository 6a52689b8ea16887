import type { MutantsByClause } from './mutant.ts';
import { recoded } from './recipes.ts';
import { on, operation } from './refusals.ts';

/** Codes of the table with a status or a form that is not theirs. */
export const codeMutants: MutantsByClause = {
  '5.provider-auth': {
    'provider-auth-as-unauthorized': {
      shows: 'An account whose authorization ended answers 401 "unauthorized", as if the key were bad.',
      wrong: on('provider_auth', (answer) => recoded(answer, 401, 'unauthorized')),
    },
  },
  '7.code.provider-permission': {
    'provider-permission-401': {
      shows: 'provider_permission comes with 401.',
      wrong: on('provider_permission', (answer) => ({ ...answer, status: 401 })),
    },
  },
  '7.code.not-supported': {
    'not-supported-422': {
      shows: 'not_supported comes with 422.',
      wrong: on('not_supported', (answer) => ({ ...answer, status: 422 })),
    },
  },
  '7.code.payment-required': {
    'payment-required-403': {
      shows: 'payment_required comes with 403.',
      variant: 'strict',
      wrong: on('payment_required', (answer) => ({ ...answer, status: 403 })),
    },
  },
  '7.code.provider-error': {
    'provider-error-500': {
      shows: 'provider_error comes with 500.',
      variant: 'basic',
      wrong: on('provider_error', (answer) => ({ ...answer, status: 500 })),
    },
  },
  '7.code.transient': {
    'transient-502': {
      shows: 'transient comes with 502.',
      variant: 'basic',
      wrong: on('transient', (answer) => ({ ...answer, status: 502 })),
    },
  },
  '7.code.rate-limited': {
    'platform-429-in-limiter-form': {
      shows: 'The 429 of a platform has the body of the limiter, although nothing of the allowance is used up.',
      variant: 'lavish',
      wrong: on('rate_limited', (answer) => ({ ...answer, body: { error: 'rate_limit_exceeded' } })),
    },
  },
  '7.envelope.tool-code': {
    'account-not-found-code': {
      shows: 'Insights of an unknown account answer 404 with code "account_not_found".',
      wrong: on('not_found', (answer) => recoded(answer, 404, 'account_not_found'), operation('insights')),
    },
  },
  '7.code.status-agrees': {
    'reviews-unknown-account-400': {
      shows: 'Reviews of an unknown account answer 400 with code "not_found".',
      wrong: on('not_found', (answer) => ({ ...answer, status: 400 }), operation('reviews')),
    },
  },
  '4.sites.get.not-found': {
    'site-not-found-in-capitals': {
      shows: 'An unknown site answers 404 with code "NOT_FOUND".',
      wrong: on(
        'not_found',
        (answer) => recoded(answer, 404, 'NOT_FOUND'),
        ({ segments }) => segments[0] === 'sites',
      ),
    },
  },
};
