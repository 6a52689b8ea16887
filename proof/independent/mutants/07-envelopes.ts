import { Refusal, type Refusal as Refused, refusalAnswer } from '../errors.ts';
import type { Fields } from '../seams.ts';
import type { Answer } from '../types.ts';
import type { MutantsByClause } from './mutant.ts';
import { type About, on, operation } from './refusals.ts';

/** The refusal as if it had been thrown without its issues and its reason. */
function bare(refusal: Refused, { context }: About): Answer {
  return refusalAnswer(new Refusal(refusal.code, { message: refusal.message }), context.variant);
}

function errorOf(answer: Answer): Fields {
  return (answer.body as { error: Fields }).error;
}

/** The members of an error besides its code. */
export const envelopeMutants: MutantsByClause = {
  '7.code.invalid-input-issues': {
    'issues-missing-on-insights': {
      shows: 'The 400 for a bad range of insights lists no issues.',
      wrong: on('invalid_input', (_answer, about) => bare(about.refusal, about), operation('insights')),
    },
    'issues-missing-on-posts': {
      shows: 'The 400 for a bad post lists no issues.',
      needs: 'writes',
      wrong: on('invalid_input', (_answer, about) => bare(about.refusal, about), operation('posts')),
    },
    'issues-empty-on-links': {
      shows: 'issues in the 400 for a bad link is an empty array.',
      needs: 'writes',
      wrong: on(
        'invalid_input',
        (_answer, about) => {
          const answer = bare(about.refusal, about);
          return { ...answer, body: { error: { ...errorOf(answer), issues: [] } } };
        },
        ({ segments }) => segments.join('/') === 'connect/accounts',
      ),
    },
  },
  '7.code.payment-required-reason': {
    'reason-missing-when-locked': {
      shows: 'The 402 for a locked account has no reason.',
      variant: 'strict',
      wrong: on('payment_required', (_answer, about) => bare(about.refusal, about)),
    },
    'reason-empty-when-paused': {
      shows: 'reason of the 402 for paused accounts is an empty string.',
      needs: 'writes',
      variant: 'unpaid',
      wrong: on('payment_required', (answer) => ({
        ...answer,
        body: { error: { ...errorOf(answer), reason: '' } },
      })),
    },
  },
  '7.envelope.tool': {
    'message-is-a-list': {
      shows: 'message of a failed validation, such as that of a bad range, is an array of strings.',
      wrong: on(
        'invalid_input',
        (answer, { refusal }) => {
          const message = refusal.issues.map((issue) => issue.message);
          return { ...answer, body: { ...(answer.body as Fields), error: { ...errorOf(answer), message } } };
        },
        ({ segments }) => segments[0] === 'connect',
      ),
    },
    'message-missing-for-accounts': {
      needs: 'second-key',
      shows: 'The 404 of an unknown account has no message.',
      wrong: on(
        'not_found',
        (answer) => ({ ...answer, body: { error: { code: 'not_found' } } }),
        ({ segments }) => segments[0] === 'connect',
      ),
    },
  },
  '7.envelope.simple': {
    'keywords-error-without-envelope': {
      shows: 'The 400 of GET /keywords is { code, message } without error around it.',
      wrong: () => ({
        'error.answer': (answer, { visit }) =>
          visit.segments[0] === 'keywords' && answer.status === 400 ? { ...answer, body: errorOf(answer) } : answer,
      }),
    },
  },
  '4.calls.envelope': {
    'calls-error-is-text': {
      shows: 'The 400 of the call log has a string as error.',
      wrong: on(
        'invalid_input',
        (answer) => ({ ...answer, body: { error: 'invalid_input' } }),
        ({ segments }) => segments[1] === 'calls',
      ),
    },
  },
  '4.json': {
    'article-not-found-page': {
      needs: 'second-key',
      shows: 'The 404 of an unknown article is an HTML page.',
      wrong: on(
        'not_found',
        (answer, { visit }) => ({
          ...answer,
          text: `<!DOCTYPE html><pre>Cannot GET /${visit.segments.join('/')}</pre>`,
          contentType: 'text/html; charset=utf-8',
        }),
        ({ segments }) => segments[0] === 'articles' && segments.length === 2,
      ),
    },
    'answers-in-latin-1': {
      shows: 'Bodies are in Latin-1: a title with an umlaut is no UTF-8.',
      variant: 'lavish',
      wrong: () => ({
        answer: (answer) =>
          answer.text === undefined && answer.status === 200 ? { ...answer, encoding: 'latin1' } : answer,
      }),
    },
    'answers-in-utf-16': {
      shows: 'Bodies are in UTF-16.',
      wrong: () => ({
        answer: (answer) => (answer.text === undefined ? { ...answer, encoding: 'utf16le' } : answer),
      }),
    },
    'errors-behind-a-mark': {
      shows: 'Bodies of errors begin with a byte order mark.',
      wrong: () => ({
        answer: (answer) =>
          answer.status >= 400 && answer.text === undefined
            ? { ...answer, text: `\ufeff${JSON.stringify(answer.body)}` }
            : answer,
      }),
    },
    'sites-typed-html': {
      shows: 'GET /sites comes as text/html, although its body is JSON.',
      wrong: () => ({
        answer: (answer, { visit }) =>
          visit.segments.join('/') === 'sites' ? { ...answer, contentType: 'text/html; charset=UTF-8' } : answer,
      }),
    },
    'accounts-without-type': {
      shows: 'GET /connect/accounts comes without a content type.',
      wrong: () => ({
        answer: (answer, { visit }) =>
          visit.method === 'GET' && visit.segments.join('/') === 'connect/accounts'
            ? { ...answer, contentType: null }
            : answer,
      }),
    },
  },
};
