import { uuidOf } from '../ids.ts';
import type { Provider } from '../types.ts';
import { textMutants } from './inputs.ts';
import type { MutantsByClause } from './mutant.ts';
import { bodyOf, without } from './recipes.ts';

/** A link that connects an account: inputs and answer. */
export const linkMutants: MutantsByClause = {
  '2.connect-account-input.provider': {
    'link-provider-unchecked': {
      shows: 'Any string is accepted as a provider.',
      needs: 'writes',
      wrong: () => ({
        'provider.found': (found, value) => (typeof value === 'string' ? (value as Provider) : found),
      }),
    },
    'link-provider-in-capitals': {
      shows: 'A provider in capitals is accepted.',
      needs: 'writes',
      wrong: () => ({ 'provider.value': (value) => (typeof value === 'string' ? value.toLowerCase() : value) }),
    },
    'link-provider-last-forgotten': {
      shows: 'google_contacts, the last of the nine providers, is refused.',
      needs: 'writes',
      wrong: () => ({ 'provider.found': (found) => (found === 'google_contacts' ? undefined : found) }),
    },
  },
  '8.max-accounts': {
    'link-max-accounts-21': {
      shows: 'maxAccounts 21 is accepted.',
      needs: 'writes',
      wrong: () => ({ 'max-accounts.bounds': (bounds) => ({ ...bounds, max: 21 }) }),
    },
    'link-max-accounts-20-refused': {
      shows: 'maxAccounts 20 is refused.',
      needs: 'writes',
      wrong: () => ({ 'max-accounts.bounds': (bounds) => ({ ...bounds, max: 19 }) }),
    },
    'link-max-accounts-zero': {
      shows: 'maxAccounts 0 is accepted.',
      needs: 'writes',
      wrong: () => ({ 'max-accounts.bounds': (bounds) => ({ ...bounds, min: 0 }) }),
    },
  },
  '2.connect-account-input.max-accounts': {
    'link-max-accounts-fraction': {
      shows: 'maxAccounts 1.5 is accepted.',
      needs: 'writes',
      wrong: () => ({ 'max-accounts.bounds': (bounds) => ({ ...bounds, whole: false }) }),
    },
    'link-max-accounts-text': {
      shows: 'maxAccounts "5", a string, is accepted.',
      needs: 'writes',
      wrong: () => ({
        'max-accounts.value': (value) => (typeof value === 'string' && value !== '' ? Number(value) : value),
      }),
    },
  },
  '2.connect-account-input.max-accounts-default': {
    'link-max-accounts-default-twenty': {
      shows: 'A link asked for without maxAccounts stands among the pending invites with 20.',
      needs: 'writes',
      wrong: () => ({ 'max-accounts.bounds': (bounds) => ({ ...bounds, fallback: bounds.max }) }),
    },
  },
  '4.connect.create-link.invalid': {
    'link-made-though-refused': {
      shows: 'A body with a label and a bad provider answers 400, and yet its label stands among the pending invites.',
      needs: 'writes',
      wrong: () => ({
        'schema.issues': (issues, { context, ask, operation }) => {
          const { label } = bodyOf(ask);
          if (operation !== 'link' || issues.length === 0 || typeof label !== 'string') return issues;
          const id = uuidOf(`early/${ask.org.invites.length}`, context.variant.idVersion);
          const expires = ask.at + 72 * 3_600_000;
          ask.org.invites.push({ id, label, provider: 'tiktok', maxAccounts: 1, expires });
          return issues;
        },
      }),
    },
  },
  '4.connect.create-link.endpoint': {
    'link-201': {
      shows: 'A new link answers 201 instead of 200.',
      needs: 'writes',
      wrong: () => ({
        answer: (answer, { visit }) =>
          visit.method === 'POST' && visit.segments.length === 2 && answer.status === 200
            ? { ...answer, status: 201 }
            : answer,
      }),
    },
  },
  '2.connect-account-output.closed': {
    'link-echoes-max-accounts': {
      shows: 'The answer to a link asked for with maxAccounts has a member maxAccounts.',
      needs: 'writes',
      wrong: () => ({
        'link.data': (data, { ask }) => {
          const { maxAccounts } = bodyOf(ask);
          return maxAccounts === undefined ? data : { ...data, maxAccounts };
        },
      }),
    },
  },
  '2.connect-account-output.expires-at': {
    'link-expires-number': {
      shows: 'expiresAt of a new link is a number.',
      needs: 'writes',
      wrong: () => ({ 'link.data': (data, { ask }) => ({ ...data, expiresAt: ask.at + 72 * 3_600_000 }) }),
    },
  },
  '2.connect-account-output.label': {
    'link-label-left-out': {
      shows: 'The answer to a new link has no label.',
      needs: 'writes',
      wrong: () => ({
        'link.data': (data) => without(data, 'label'),
      }),
    },
  },
};

export const linkTextMutants = textMutants({
  called: 'link-label',
  member: 'label',
  max: 80,
  lengthClause: '8.label',
  memberClause: '2.connect-account-input.label',
  subject: 'A label',
});
