// Effects of one request on another, and contradictory responses. Cites 1.foreign-record, 1.organization-scope,
// 5.key-organization, 4.articles.list.*, 4.connect.insights.range, 3.call.final-outcome.
import type { Organization } from '../domain/world.ts';
import { asPage, callsIn, limitOf, onPoll, onSnapshot, pageSince, visibleCalls } from './hooks/call-stream.ts';
import { mutantsNeeding, mutantsOf, type Wrap } from './hooks/mutant.ts';
import {
  isKeyed,
  onField,
  onQuery,
  onRejection,
  onResponse,
  onSuccess,
  onSuccessResponse,
  type Which,
} from './hooks/recipes.ts';
import { asRejection, asSuccess, change, isObject, type Json, readJson } from './hooks/rewrite.ts';

const keptMs = 20_000;
const missing = { code: 'not_found', message: 'No such record.' };

/** A record that its organization has read is returned to every other one for a while. */
const keptForEveryone =
  (which: Which, forMs: number): Wrap =>
  (next, context) => {
    const read = new Map<string, { organization: Organization; atMs: number }>();
    const noted = onSuccess(which, (body, { request, organization }) => {
      read.set(request.path, { organization, atMs: context.nowMs() });
      return body;
    })(next, context);
    return onRejection({ which, code: 'not_found' }, (response, _error, { request, organization }) => {
      const owner = read.get(request.path);
      if (!organization || !owner || context.nowMs() - owner.atMs >= forMs) return response;
      const body = context.responseAs(owner.organization, request);
      return body === null ? response : asSuccess(response, body);
    })(noted, context);
  };

const articleMissedByAnother: Wrap = (next, context) => {
  const missed = new Map<string, { id: string; atMs: number }>();
  const noted = onRejection(
    { which: 'getArticle', code: 'not_found' },
    (response, _error, { request, organization }) => {
      if (organization) missed.set(request.path, { id: organization.id, atMs: context.nowMs() });
      return response;
    },
  )(next, context);
  return onSuccessResponse('getArticle', (response, { request, organization }) => {
    const by = missed.get(request.path);
    const isMissing = by && by.id !== organization.id && context.nowMs() - by.atMs < keptMs;
    return isMissing ? asRejection(response, 404, missing) : response;
  })(noted, context);
};

/** A cursor continues the list it was returned for, with any key and account. */
const cursorOfAnyone =
  (which: Which, parameter: 'cursor' | 'since'): Wrap =>
  (next, context) => {
    const given = new Map<string, { organization: Organization; path: string }>();
    return onResponse(which, (response, exchange) => {
      if (!isKeyed(exchange)) return response;
      const { organization, query } = exchange;
      const { path } = exchange.request;
      const owner = given.get(query[parameter] ?? '');
      const body = readJson(response.body);
      const { data, cursor } = isObject(body) ? body : {};
      const returned = isObject(data) ? data.nextCursor : cursor;
      if (typeof returned === 'string' && !given.has(returned)) given.set(returned, { organization, path });
      if (!owner || (owner.organization.id === organization.id && owner.path === path)) return response;
      const theirs = context.responseAs(owner.organization, { ...exchange.request, path: owner.path });
      return theirs === null ? response : asSuccess(response, theirs);
    })(next, context);
  };

/** A review of another account is found by its id, once anybody has read it. */
const reviewOfAnyone: Wrap = (next, context) => {
  const known = new Set<string>();
  const noted = onSuccess('listReviews', (body) =>
    change('data.reviews.*.reviewId', (id) => {
      known.add(String(id));
      return id;
    })(body),
  )(next, context);
  return onRejection({ which: 'replyToReview', code: 'not_found' }, (response, _error, exchange) =>
    isKeyed(exchange) && known.has(exchange.match.path.reviewId ?? '')
      ? asSuccess(response, { data: { repliedAt: null }, summary: 'Replied.' })
      : response,
  )(noted, context);
};

const organizations = mutantsNeeding('second-key', {
  '1.foreign-record': {
    'article-kept-for-everyone': [
      'An article that was read is returned to another organization as well, for twenty seconds.',
      keptForEveryone('getArticle', keptMs),
    ],
    'article-open-after-its-owner': [
      'An article that its organization has read is returned to every key from then on.',
      keptForEveryone('getArticle', Number.POSITIVE_INFINITY),
    ],
    'site-kept-for-everyone': [
      'A site that was read is returned to another organization as well, for twenty seconds.',
      keptForEveryone('getSite', keptMs),
    ],
    'review-of-anyone-found': [
      'A reply finds its review by the id alone, in any organization.',
      reviewOfAnyone,
      { needs: 'second-key and writes' },
    ],
  },
  '5.key-organization': {
    'article-missing-for-everyone': [
      'An article that another organization requested is missing for its owner, too, for twenty seconds.',
      articleMissedByAnother,
    ],
  },
  '1.organization-scope': {
    'articles-of-whom-the-cursor-was-for': [
      'A cursor of GET /articles continues the list of the organization that got it, with any key.',
      cursorOfAnyone('listArticles', 'cursor'),
    ],
    'calls-of-whom-the-cursor-was-for': [
      'A nextCursor of the call log continues the log of the organization that got it, with any key.',
      cursorOfAnyone('listCalls', 'since'),
    ],
    'reviews-cursor-of-anyone': [
      'A cursor of reviews continues the list it was returned for, with any key and account.',
      cursorOfAnyone('listReviews', 'cursor'),
    ],
  },
});

/** An account that has shown twelve days of one range shows them of every range. */
const fewDaysCached: Wrap = (next, context) => {
  const kept = new Map<string, Json>();
  return onSuccess('getInsights', (body, { request }) => {
    const { data } = body as { data: { range: { startDate: string; endDate: string } } };
    const { startDate, endDate } = data.range;
    const twelve = new Date(Date.parse(endDate) - 11 * 86_400_000).toISOString().slice(0, 10);
    const [, start = twelve] = [startDate, twelve].sort();
    const isIn = (point: Json) => isObject(point) && String(point.date) >= start;
    const short = change(
      'data.range.startDate',
      () => start,
    )(change('data.metrics.*.points', (points) => (points as Json[]).filter(isIn))(body));
    const first = kept.get(request.path) ?? short;
    kept.set(request.path, first);
    return first;
  })(next, context);
};

const assessed = (call: object) => ({ ...call, outcome: 'being assessed' });

const calls = mutantsOf({
  '4.connect.insights.range': {
    'insights-range-ignored': [
      'Insights of every range are those of 28d.',
      onQuery('getInsights', 'range', (value) => (/^(7|90)d$/.test(value ?? '') ? '28d' : value)),
    ],
    'insights-quarter-is-month': [
      'Insights of 90d are those of 28d.',
      onQuery('getInsights', 'range', (value) => (value === '90d' ? '28d' : value)),
      { result: 'warn' },
    ],
    'insights-few-days-cached-by-path': [
      'An account that has shown twelve days of one range shows them of every range, from a cache by path.',
      fewDaysCached,
    ],
  },
  '2.get-insights-output.metrics.points.value': {
    'long-insights-of-second-account-null': [
      'Insights of 28 and 90 days contain null as the last value, for each account but the first requested one.',
      (next, context) => {
        let first: string | undefined;
        return onSuccess('getInsights', (body, { match, query }) => {
          const id = (match.path.accountId ?? '').toLowerCase();
          first ??= id;
          const isShort = query.range === '7d' || first === id;
          return isShort ? body : change('data.metrics.-1.points.-1.value', () => null)(body);
        })(next, context);
      },
    ],
  },
  '5.provider-auth': {
    'insights-of-second-account-unauthorized': [
      'Insights return 401 unauthorized, although the key is valid, for each account but the first requested one.',
      (next, context) => {
        let first: string | undefined;
        return onSuccessResponse('getInsights', (response, { match }) => {
          const id = (match.path.accountId ?? '').toLowerCase();
          first ??= id;
          return first === id ? response : asRejection(response, 401, { code: 'unauthorized', message: 'No.' });
        })(next, context);
      },
    ],
  },
  '1.read-only': {
    'sites-can-be-deleted': [
      'DELETE /sites/{id} returns 200, also for an id that no site has.',
      (next) => (request) => {
        const response = next(request);
        const isDeleted = request.method === 'DELETE' && request.path.includes('/sites/');
        return isDeleted && /^40[45]$/.test(String(response.status)) ? asSuccess(response, { data: {} }) : response;
      },
    ],
  },
  '4.sites.list': {
    'sites-first-listed-twice': [
      'GET /sites shows the first site again at the end.',
      onField('listSites', 'data', (sites) => [...(sites as Json[]), ...(sites as Json[]).slice(0, 1)]),
    ],
    'site-not-found-is-listed': [
      'A site that GET /sites/{id} did not find is listed by GET /sites from then on.',
      (next, context) => {
        const ids = new Set<string>();
        const noted = onRejection({ which: 'getSite', code: 'not_found' }, (response, _error, { match }) => {
          ids.add(match.path.id ?? '');
          return response;
        })(next, context);
        return onField('listSites', 'data', (sites) => {
          const all = sites as { [field: string]: Json }[];
          return [...all, ...[...ids].map((id) => ({ ...all[0], id }))];
        })(noted, context);
      },
    ],
  },
  '4.articles.list.end': {
    'articles-hundred-are-the-end': [
      'After a page of a hundred, the largest, the cursor is null even when more articles follow.',
      onSuccess('listArticles', (body) =>
        isObject(body) && Array.isArray(body.data) && body.data.length === 100 ? { ...body, cursor: null } : body,
      ),
      { world: 'tied-articles' },
    ],
  },
  '4.articles.list.endpoint': {
    'articles-of-a-site-other-score': [
      'With siteId an article has another seoScore than without.',
      onSuccess('listArticles', (body, { query }) =>
        query.siteId === undefined
          ? body
          : change('data.*.seoScore', (score) => (score === null ? null : 101 - Number(score)))(body),
      ),
    ],
  },
  '4.keywords.list.of-site': {
    'keywords-of-one-site-for-all': [
      'Every site has the keywords of the first one, under its own siteId.',
      onSuccess('listKeywords', (body, { organization, query }) => {
        const siteId = query.siteId?.toLowerCase() ?? '';
        const all = organization.keywords.toData();
        const isKnown = organization.sites.list().some(({ id }) => id === siteId);
        const rows = all.filter((row) => row.siteId === all[0]?.siteId).map((row) => ({ ...row, siteId }));
        return isKnown ? { data: rows as unknown as Json } : body;
      }),
    ],
  },
  '3.call.final-outcome': {
    'snapshot-other-outcome': [
      'The snapshot has another outcome of a settled call than the log has delivered.',
      onSnapshot((page) => ({
        ...page,
        calls: callsIn(page).map((call) => (call.endedAt === null ? call : assessed(call))) as unknown as Json,
      })),
    ],
    'calls-provisional-on-a-page-of-one': [
      'A page of one call has a provisional outcome, and a longer page the final one.',
      onPoll((page) => {
        const shown = callsIn(page);
        return shown.length === 1 ? { ...page, calls: shown.map(assessed) as unknown as Json } : page;
      }),
    ],
  },
  '4.calls.exactly-once': {
    'calls-begin-anew-after-null': [
      'A client that keeps its position over null gets the whole log again with its next poll.',
      (next, context) => {
        const ended = new Set<string>();
        return onPoll((page, exchange) => {
          const since = exchange.query.since ?? '';
          const isAgain = ended.has(since);
          if (callsIn(page).length === 0) ended.add(since);
          const all = pageSince(exchange, { since: '1970-01-01T00:00:00Z' });
          return isAgain ? asPage(all.calls, all.nextCursor) : page;
        })(next, context);
      },
      { needs: 'watch' },
    ],
    'calls-missing-at-times': [
      'Each third poll comes from a replica that lacks five calls before the last five.',
      (next, context) => {
        let polls = 0;
        return onPoll((page, exchange) => {
          polls += 1;
          if (polls % 3 !== 0) return page;
          const lost = new Set(
            visibleCalls(exchange)
              .slice(-10, -5)
              .map(({ id }) => id),
          );
          return { ...page, calls: callsIn(page).filter(({ id }) => !lost.has(id)) as unknown as Json };
        })(next, context);
      },
    ],
  },
  '4.calls.next-cursor-string': {
    'calls-cursor-null-on-exact-page': [
      'nextCursor is null after a page that is exactly full when no call follows it.',
      onPoll((page, exchange) => {
        const isFull = callsIn(page).length === limitOf(exchange) && typeof page.nextCursor === 'string';
        const isLast = isFull && pageSince(exchange, { since: String(page.nextCursor), limit: 1 }).calls.length === 0;
        return isLast ? { ...page, nextCursor: null } : page;
      }),
    ],
  },
});

export const betweenRequestsMutants = [...organizations, ...calls];
