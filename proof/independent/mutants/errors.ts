import { type Code, Refusal, type Refusal as Refused, refusalAnswer } from '../errors.ts';
import type { Fields, Seams, Visit, Wrongness } from '../seams.ts';
import type { Answer } from '../types.ts';
import { type IndependentMutant, recoded } from './mutant.ts';

type About = Seams['error.answer']['about'];

/** Changes the answer to refusals of one code, on one operation if told. */
function on(
  code: Code,
  change: (answer: Answer, about: About) => Answer,
  where: (visit: Visit) => boolean = () => true,
): () => Wrongness {
  return () => ({
    'error.answer': (answer, about) =>
      about.refusal.code === code && where(about.visit) ? change(answer, about) : answer,
  });
}

function operation(name: string): (visit: Visit) => boolean {
  return ({ segments }) => segments[3] === name;
}

function errorOf(answer: Answer): Fields {
  return (answer.body as { error: Fields }).error;
}

/** The refusal as if it had been thrown without its issues and its reason. */
function bare(refusal: Refused, { context }: About): Answer {
  return refusalAnswer(new Refusal(refusal.code, { message: refusal.message }), context.variant);
}

/** Codes of the table with a status or a form that is not theirs. */
export const codeMutants: readonly IndependentMutant[] = [
  {
    name: 'provider-auth-as-unauthorized',
    breaks: '5.provider-auth',
    shows: 'An account whose authorization ended answers 401 "unauthorized", as if the key were bad.',
    needs: 'nothing',
    variants: ['plain', 'strict', 'lavish'],
    wrong: on('provider_auth', (answer) => recoded(answer, 401, 'unauthorized')),
  },
  {
    name: 'provider-permission-401',
    breaks: '7.code.provider-permission',
    shows: 'provider_permission comes with 401.',
    needs: 'nothing',
    variants: ['plain', 'strict'],
    wrong: on('provider_permission', (answer) => ({ ...answer, status: 401 })),
  },
  {
    name: 'not-supported-422',
    breaks: '7.code.not-supported',
    shows: 'not_supported comes with 422.',
    needs: 'nothing',
    variants: ['plain', 'strict', 'frugal'],
    wrong: on('not_supported', (answer) => ({ ...answer, status: 422 })),
  },
  {
    name: 'payment-required-403',
    breaks: '7.code.payment-required',
    shows: 'payment_required comes with 403.',
    needs: 'nothing',
    variants: ['strict', 'frugal'],
    wrong: on('payment_required', (answer) => ({ ...answer, status: 403 })),
  },
  {
    name: 'provider-error-500',
    breaks: '7.code.provider-error',
    shows: 'provider_error comes with 500.',
    needs: 'nothing',
    variants: ['basic', 'lavish'],
    wrong: on('provider_error', (answer) => ({ ...answer, status: 500 })),
  },
  {
    name: 'transient-502',
    breaks: '7.code.transient',
    shows: 'transient comes with 502.',
    needs: 'nothing',
    variants: ['basic', 'lavish'],
    wrong: on('transient', (answer) => ({ ...answer, status: 502 })),
  },
  {
    name: 'platform-429-in-limiter-form',
    breaks: '7.code.rate-limited',
    shows: 'The 429 of a platform has the body of the limiter, although nothing of the allowance is used up.',
    needs: 'nothing',
    variants: ['lavish', 'basic'],
    wrong: on('rate_limited', (answer) => ({ ...answer, body: { error: 'rate_limit_exceeded' } })),
  },
  {
    name: 'account-not-found-code',
    breaks: '7.envelope.tool-code',
    shows: 'Insights of an unknown account answer 404 with code "account_not_found".',
    needs: 'nothing',
    variants: ['plain', 'strict'],
    wrong: on('not_found', (answer) => recoded(answer, 404, 'account_not_found'), operation('insights')),
  },
  {
    name: 'reviews-unknown-account-400',
    breaks: '7.code.status-agrees',
    shows: 'Reviews of an unknown account answer 400 with code "not_found".',
    needs: 'nothing',
    variants: ['plain', 'frugal'],
    wrong: on('not_found', (answer) => ({ ...answer, status: 400 }), operation('reviews')),
  },
  {
    name: 'site-not-found-in-capitals',
    breaks: '4.sites.get.not-found',
    shows: 'An unknown site answers 404 with code "NOT_FOUND".',
    needs: 'nothing',
    variants: ['plain', 'lavish'],
    wrong: on(
      'not_found',
      (answer) => recoded(answer, 404, 'NOT_FOUND'),
      ({ segments }) => segments[0] === 'sites',
    ),
  },
];

/** What stands in an error besides its code. */
export const envelopeMutants: readonly IndependentMutant[] = [
  {
    name: 'issues-missing-on-insights',
    breaks: '7.code.invalid-input-issues',
    shows: 'The 400 for a bad range of insights lists no issues.',
    needs: 'nothing',
    variants: ['plain', 'lavish', 'strict'],
    wrong: on('invalid_input', (_answer, about) => bare(about.refusal, about), operation('insights')),
  },
  {
    name: 'issues-missing-on-posts',
    breaks: '7.code.invalid-input-issues',
    shows: 'The 400 for a bad post lists no issues.',
    needs: 'writes',
    variants: ['plain', 'lavish', 'strict'],
    wrong: on('invalid_input', (_answer, about) => bare(about.refusal, about), operation('posts')),
  },
  {
    name: 'issues-empty-on-links',
    breaks: '7.code.invalid-input-issues',
    shows: 'issues in the 400 for a bad link is an empty array.',
    needs: 'writes',
    variants: ['plain', 'strict'],
    wrong: on(
      'invalid_input',
      (_answer, about) => {
        const answer = bare(about.refusal, about);
        return { ...answer, body: { error: { ...errorOf(answer), issues: [] } } };
      },
      ({ segments }) => segments.join('/') === 'connect/accounts',
    ),
  },
  {
    name: 'reason-missing-when-locked',
    breaks: '7.code.payment-required-reason',
    shows: 'The 402 for a locked account has no reason.',
    needs: 'nothing',
    variants: ['strict', 'frugal'],
    wrong: on('payment_required', (_answer, about) => bare(about.refusal, about)),
  },
  {
    name: 'reason-empty-when-paused',
    breaks: '7.code.payment-required-reason',
    shows: 'reason of the 402 for paused accounts is an empty string.',
    needs: 'writes',
    variants: ['unpaid'],
    wrong: on('payment_required', (answer) => ({
      ...answer,
      body: { error: { ...errorOf(answer), reason: '' } },
    })),
  },
  {
    name: 'message-is-a-list',
    breaks: '7.envelope.tool',
    shows: 'message of a failed validation, such as that of a bad range, is an array of strings.',
    needs: 'nothing',
    variants: ['plain', 'strict'],
    wrong: on(
      'invalid_input',
      (answer, { refusal }) => {
        const message = refusal.issues.map((issue) => issue.message);
        return { ...answer, body: { ...(answer.body as Fields), error: { ...errorOf(answer), message } } };
      },
      ({ segments }) => segments[0] === 'connect',
    ),
  },
  {
    name: 'message-missing-for-accounts',
    breaks: '7.envelope.tool',
    shows: 'The 404 of an unknown account has no message.',
    needs: 'nothing',
    variants: ['plain', 'strict'],
    wrong: on(
      'not_found',
      (answer) => ({ ...answer, body: { error: { code: 'not_found' } } }),
      ({ segments }) => segments[0] === 'connect',
    ),
  },
  {
    name: 'keywords-error-without-envelope',
    breaks: '7.envelope.simple',
    shows: 'The 400 of GET /keywords is { code, message } without error around it.',
    needs: 'nothing',
    variants: ['plain', 'strict', 'basic'],
    wrong: () => ({
      'error.answer': (answer, { visit }) =>
        visit.segments[0] === 'keywords' && answer.status === 400 ? { ...answer, body: errorOf(answer) } : answer,
    }),
  },
  {
    name: 'calls-error-is-text',
    breaks: '4.calls.envelope',
    shows: 'The 400 of the call log has a string as error.',
    needs: 'nothing',
    variants: ['plain', 'strict'],
    wrong: on(
      'invalid_input',
      (answer) => ({ ...answer, body: { error: 'invalid_input' } }),
      ({ segments }) => segments[1] === 'calls',
    ),
  },
  {
    name: 'article-not-found-page',
    breaks: '4.json',
    shows: 'The 404 of an unknown article is an HTML page.',
    needs: 'nothing',
    variants: ['plain', 'frugal'],
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
  {
    name: 'sites-typed-html',
    breaks: '4.json',
    shows: 'GET /sites comes as text/html, although its body is JSON.',
    needs: 'nothing',
    variants: ['plain', 'lavish'],
    wrong: () => ({
      answer: (answer, { visit }) =>
        visit.segments.join('/') === 'sites' ? { ...answer, contentType: 'text/html; charset=UTF-8' } : answer,
    }),
  },
  {
    name: 'accounts-without-type',
    breaks: '4.json',
    shows: 'GET /connect/accounts comes without a content type.',
    needs: 'nothing',
    variants: ['plain', 'empty'],
    wrong: () => ({
      answer: (answer, { visit }) =>
        visit.method === 'GET' && visit.segments.join('/') === 'connect/accounts'
          ? { ...answer, contentType: null }
          : answer,
    }),
  },
];
