// Responses that depend on the instance that sends them, texts that are stored in another form, and crashes at extreme
// values. Cites 1.organization-scope, 2.*, 4.*.
import { mutantsNeeding, mutantsOf, type Wrap } from './hooks/mutant.ts';
import { crash, onBody, onEach, onField, onQuery, onSuccess, type Which } from './hooks/recipes.ts';
import { change, drop, put } from './hooks/rewrite.ts';

/** A server error instead of the response to a query that matches. */
const crashAt = (which: Which, name: string, pattern: RegExp): Wrap =>
  crash(which, ({ query }) => pattern.test(query[name] ?? ''));

const reads = mutantsOf({
  '4.keywords.list.of-site': {
    'keywords-of-two-instances': [
      'Every second response of GET /keywords is without the last keyword.',
      onEach(2, 'listKeywords', drop('data.-1')),
    ],
  },
  '4.connect.insights.endpoint': {
    'insights-of-two-instances': [
      'Every second response with insights has only the first metric.',
      onEach(
        2,
        'getInsights',
        change('data.metrics', (metrics) => (Array.isArray(metrics) ? metrics.slice(0, 1) : metrics)),
      ),
    ],
  },
  '4.sites.list': {
    'site-missing-every-third-time': [
      'Every third response of GET /sites is without the last site.',
      onEach(3, 'listSites', drop('data.-1')),
    ],
    'site-lost-from-list': [
      'GET /sites lists the last site only once; GET /sites/{id} still returns it.',
      (next, context) => {
        let count = 0;
        return onSuccess('listSites', (body) => {
          count += 1;
          return count > 1 ? drop('data.-1')(body) : body;
        })(next, context);
      },
    ],
  },
  '4.articles.get.same-id': {
    'article-alone-without-score': [
      'GET /articles/{id} returns null as `seoScore`, and the list a number.',
      onSuccess('getArticle', put('data.seoScore', null)),
      { result: 'warn' },
    ],
  },
  '4.connect.list-reviews.cursor': {
    'review-cursor-decoded-twice': [
      'A cursor of the reviews contains a percent sign, is decoded twice, and is rejected.',
      onField('listReviews', 'data.nextCursor', (cursor) => (cursor === null ? null : `%2B${cursor}`)),
    ],
  },
  '4.connect.insights.bad-range': {
    'insights-14d-accepted': [
      'The insights endpoint accepts the range 14d.',
      onQuery('getInsights', 'range', (range) => (range === '14d' ? '28d' : range)),
    ],
  },
  '4.calls.statuses': {
    'calls-since-last-year-500': [
      'A `since` at the end of the year 9999 makes the call log return 500.',
      crashAt('listCalls', 'since', /^9999-/),
    ],
    'calls-since-first-year-500': [
      'A `since` in the year 1 makes the call log return 500.',
      crashAt('listCalls', 'since', /^0001-/),
    ],
    'calls-limit-over-64-bits-500': [
      'A `limit` of 2^64 makes the call log return 500.',
      crashAt('listCalls', 'limit', /^18446744073709551616$/),
    ],
  },
  '4.articles.list.statuses': {
    'articles-limit-over-64-bits-500': [
      '`limit=18446744073709551616` on GET /articles returns 500.',
      crashAt('listArticles', 'limit', /^18446744073709551616$/),
    ],
    'articles-cursor-last-year-500': [
      'A `cursor` at the end of the year 9999 makes GET /articles return 500.',
      crashAt('listArticles', 'cursor', /^9999-/),
    ],
  },
});

const leaks = mutantsNeeding('second-key', {
  '1.organization-scope': {
    'sites-leak-at-times': [
      'Every third response of GET /sites has the sites of the first organization.',
      onEach(3, 'listSites', (body, { request, context }) => {
        const [first] = context.world.organizations.values();
        return (first && context.responseAs(first, request)) ?? body;
      }),
    ],
  },
});

const onText = (which: Which, name: string, edit: (text: string) => string): Wrap =>
  onBody(which, (body) => (typeof body[name] === 'string' ? { ...body, [name]: edit(body[name]) } : body));
const composed = (text: string) => text.normalize('NFC');
const written = { result: 'warn' } as const;

const texts = mutantsNeeding('writes', {
  '2.connect-account-output.label': {
    'link-label-trimmed': [
      'The label of a link is without the blank at its end.',
      onText('createConnectLink', 'label', (label) => label.trim() || label),
      written,
    ],
    'link-label-composed': [
      'A letter with a separate accent in the label of a link becomes one character.',
      onText('createConnectLink', 'label', composed),
      written,
    ],
  },
  '2.review-item.reply-text': {
    'reply-text-line-ends': [
      'The line ends CRLF of a reply become LF.',
      onText('replyToReview', 'text', (text) => text.replaceAll('\r\n', '\n')),
      written,
    ],
    'reply-text-composed': [
      'A letter with a separate accent in a reply becomes one character.',
      onText('replyToReview', 'text', composed),
      written,
    ],
  },
  '2.connect-account-input.max-accounts': {
    'link-max-accounts-wraps': [
      'A link with a `maxAccounts` from 2^31 on is created.',
      onBody('createConnectLink', (body) => (Number(body.maxAccounts) >= 2 ** 31 ? { ...body, maxAccounts: 1 } : body)),
    ],
  },
});

export const instanceMutants = [...reads, ...leaks, ...texts];
