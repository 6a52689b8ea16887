import { Refusal } from '../errors.ts';
import type { MutantsByClause } from './mutant.ts';
import { recoded } from './recipes.ts';

/** The key: who gets in, and what those who do not are told. */
export const authenticationMutants: MutantsByClause = {
  '5.revoked-key': {
    'revoked-key-accepted': {
      shows: 'A revoked key is served as if it were good.',
      needs: 'revoked-key',
      wrong: () => ({
        'key.org': (org, { context, visit }) =>
          org ?? (visit.key !== undefined && context.revoked.has(visit.key) ? 'first' : undefined),
      }),
    },
    'revoked-key-other-code': {
      shows: 'A revoked key answers 401 with code "key_revoked" instead of "unauthorized".',
      needs: 'revoked-key',
      wrong: () => ({
        'error.answer': (answer, { context, refusal, visit }) =>
          refusal.code === 'unauthorized' && context.revoked.has(visit.key ?? '')
            ? recoded(answer, 401, 'key_revoked')
            : answer,
      }),
    },
  },
  '5.invalid-key': {
    'key-compared-to-32-characters': {
      shows: 'The good key with its last character changed, or with more behind it, is accepted.',
      wrong: () => ({
        'key.org': (org, { context, visit }) => {
          const same = ([key]: readonly [string, string]): boolean => key.slice(0, 32) === visit.key?.slice(0, 32);
          return org ?? [...context.keys].find(same)?.[1];
        },
      }),
    },
    'unknown-key-forbidden': {
      shows: 'A key that nobody has answers 403.',
      wrong: () => ({
        'error.answer': (answer, { context, refusal, visit }) => {
          const { key } = visit;
          const strange = refusal.code === 'unauthorized' && key !== undefined && !context.revoked.has(key);
          return strange ? { ...answer, status: 403 } : answer;
        },
      }),
    },
  },
  '7.code.unauthorized': {
    'account-looked-up-before-wrong-key': {
      shows: 'A wrong key on the path of an account that nobody has answers 404, and 401 elsewhere.',
      wrong: () => ({
        'key.refusal': (refusal, { visit: { key, segments } }) =>
          key !== undefined && segments[1] === 'accounts' && segments.length > 3
            ? new Refusal('not_found', { message: 'no such account' })
            : refusal,
      }),
    },
  },
  '5.missing-key': {
    'missing-key-other-code': {
      shows: 'A request without a key answers 401 with code "missing_api_key" instead of "unauthorized".',
      wrong: () => ({
        'error.answer': (answer, { refusal, visit }) =>
          refusal.code === 'unauthorized' && visit.key === undefined ? recoded(answer, 401, 'missing_api_key') : answer,
      }),
    },
    'parameters-judged-before-key': {
      shows: 'GET /keywords without siteId and without a key answers 400 instead of 401.',
      wrong: () => ({
        'key.refusal': (refusal, { visit }) => {
          if (visit.segments[0] !== 'keywords' || visit.query.has('siteId')) return refusal;
          const issues = [{ path: 'siteId', message: 'is required' }];
          return new Refusal('invalid_input', { message: 'validation failed', issues });
        },
      }),
    },
  },
  '4.bearer': {
    'insights-need-no-key': {
      shows: 'Insights are served without a key: their route is not behind the guard.',
      wrong: () => ({
        'key.org': (org, { visit }) => org ?? (visit.segments[3] === 'insights' ? 'first' : undefined),
      }),
    },
  },
};
