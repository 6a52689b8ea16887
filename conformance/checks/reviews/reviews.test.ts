import { describe, expect, test } from 'vitest';
import { type Bench, bench, firstDraws } from '../../../fixtures/test-kit/check-bench.ts';
import { type Exchanged, rejection, type Spoiled } from '../../../fixtures/test-kit/rewriting-proxy.ts';
import type { Independent } from '../../../proof/independent/index.ts';
import { reviewPages } from './pages.ts';
import { repliesWritten } from './replies-written.ts';
import { reviews as otherReviews, replies, repliesAfterBursts, reviewLists } from './reviews.ts';

const reviews = [...reviewLists, ...reviewPages, ...otherReviews];

const notFound = { status: 404, body: { error: { code: 'not_found', message: 'no such account' } } };

interface Item {
  readonly reviewId: string;
  readonly author: string;
  readonly rating: number;
  readonly text: string;
  readonly date: string;
}

function item(number: number): Item {
  const date = new Date(Date.UTC(2026, 3, 28 - number)).toISOString();
  return { reviewId: `review-${number}`, author: 'Ada', rating: 4, text: '', date };
}

function page(items: readonly Item[], nextCursor: string | null): Spoiled {
  return { status: 200, body: { data: { reviews: items, nextCursor }, summary: '' } };
}

/** Returns reviews by the cursor and the number of the request; unknown accounts are unchanged. */
function benchPages(
  response: (cursor: string | null, sent: number, isFirst: boolean) => Spoiled,
  run = {},
): Promise<Bench> {
  return bench({
    checks: reviews,
    run,
    spoil: () => {
      let sent = 0;
      let first: string | null = null;
      return ({ path, query, status }) => {
        if (!path.endsWith('/reviews') || status === 404) return undefined;
        sent += 1;
        first ??= path;
        return response(query.get('cursor'), sent, path === first);
      };
    },
  });
}

const items = Array.from({ length: 9 }, (_, index) => item(index));
const threePages = (cursor: string | null): Spoiled => {
  const from = Number(cursor ?? 0);
  return page(items.slice(from, from + 3), from < 6 ? String(from + 3) : null);
};

describe('the checks of reviews', () => {
  test('all pass on three pages, newest first', async () => {
    const { results } = await benchPages(threePages, { seed: 1 });
    const others = Object.entries(results).filter(([, outcome]) => outcome !== 'pass');
    expect(others.map(([id]) => id)).toEqual(['reviews/other-accounts']);
  });

  test('take an empty string for a further page', async () => {
    const { results } = await benchPages((cursor) =>
      cursor === null ? page(items.slice(0, 3), '') : page(items.slice(3), null),
    );
    expect(results).toMatchObject({ 'reviews/end': 'pass', 'reviews/walk': 'pass' });
  });

  test('fail for a cursor of the service that it decodes twice, and so rejects', async () => {
    const rejected = { status: 400, body: { error: { code: 'invalid_input', message: 'cursor', issues: [{}] } } };
    const { results } = await benchPages((cursor) => (cursor === null ? page(items.slice(0, 3), 'a%2Bb') : rejected));
    expect(results['reviews/end']).toBe('fail');
  });

  test('leave more pages than they read undecided', async () => {
    const { results } = await benchPages((cursor) => {
      const from = Number(cursor ?? 0) || 0;
      return page([item(from)], String(from + 1));
    });
    expect(results).toMatchObject({ 'reviews/end': 'inconclusive(budget)', 'reviews/walk': 'pass' });
  });

  test.each([
    ['the only page again', '', 'fail'],
    ['a page of further reviews', 'next', 'inconclusive(budget)'],
  ])('send the empty cursor of a short list of another account: %s', async (_, nextCursor, outcome) => {
    const { results } = await benchPages(
      (cursor, _sent, isFirst) =>
        isFirst ? page([item(Number(cursor ?? 0) || 0)], `${(Number(cursor) || 0) + 1}`) : page(items, nextCursor),
      { seed: 2 },
    );
    expect(results['reviews/end']).toBe(outcome);
  });

  test('catch pages without reviews that never end, given the time', async () => {
    const { results } = await benchPages((cursor) => page(cursor === null ? items : [], `${Number(cursor) + 1}`), {
      watch: true,
    });
    expect(results['reviews/end']).toBe('fail');
  });

  test('allow one cursor that moves on by itself', async () => {
    const { results } = await benchPages((_, sent) => page([item(sent)], 'session'));
    expect(results['reviews/end']).toBe('inconclusive(budget)');
  });

  test('accept a review that moved to the front meanwhile', async () => {
    const moved = [item(4), ...items.filter(({ reviewId }) => reviewId !== 'review-4')];
    const { results } = await benchPages((cursor, sent) => {
      const list = sent > 1 ? [item(30), ...moved] : items;
      const from = Number(cursor ?? 0);
      return page(list.slice(from, from + 3), from < 6 ? String(from + 3) : null);
    });
    expect(results['reviews/walk']).toBe('inconclusive(interference)');
  });

  test.each<[string, (cursor: string | null) => Spoiled, string, string]>([
    [
      'loses a page and counts its reviews',
      (cursor) => {
        const spoiled = cursor === null ? page(items.slice(0, 3), 'next') : page(items.slice(6), null);
        (spoiled.body as { data: object }).data = {
          ...(spoiled.body as { data: object }).data,
          aggregate: { ratingValue: 4, reviewCount: 9 },
        };
        return spoiled;
      },
      'reviews/walk',
      'warn',
    ],
    ['shows the oldest first', () => page(items.toReversed(), null), 'reviews/order', 'note'],
  ])('catch a server that %s', async (_, response, id, outcome) => {
    const { results } = await benchPages(response);
    expect(results[id]).toBe(outcome);
  });

  test.each([['shows every account the same reviews', () => page(items.slice(0, 3), null), 'reviews/other-accounts']])(
    'catch a server that %s, given the time',
    async (_, response, id) => {
      const { results } = await benchPages(response, { watch: true });
      expect(results[id]).toBe(id === 'reviews/other-accounts' ? 'warn' : 'fail');
    },
  );

  test('note a count that has nothing to do with the reviews that are shown', async () => {
    const { results, result } = await benchPages((cursor) => {
      const { body } = cursor === null ? page(items.slice(0, 3), 'next') : page(items.slice(3), null);
      const { data } = body as { data: object };
      return {
        status: 200,
        body: { ...(body as object), data: { ...data, aggregate: { ratingValue: 4, reviewCount: 1000 } } },
      };
    });
    expect(results['reviews/walk']).toBe('pass');
    expect(result('reviews/walk').findings.map(({ severity }) => severity)).toEqual(['note']);
  });

  test('distinguish reviews of two accounts by more than their ids', async () => {
    const { results } = await bench({
      checks: reviews,
      run: { watch: true },
      spoil: () => (one) => {
        if (!one.path.endsWith('/reviews') || one.status !== 200) return undefined;
        return page([{ ...item(1), author: one.path }], null);
      },
    });
    expect(results['reviews/other-accounts']).toBe('pass');
  });

  test.each(['00000000-0000-0000-0000-000000000000', '10000000-0000-0000-0000-000000000007', 'acc_7'])(
    'ask for no near miss of the account %s, which would be malformed',
    async (accountId) => {
      const { report } = await bench({
        checks: reviews,
        run: { seed: firstDraws + 1 },
        spoil: () => (one) => {
          if (one.path !== '/connect/accounts') return undefined;
          const accounts = one.body.data.accounts.slice(0, 1).map((row: object) => ({ ...row, accountId }));
          return { body: { ...one.body, data: { ...one.body.data, accounts } } };
        },
      });
      const targets = report.exchanges.filter(({ target }) => target.endsWith('/reviews')).map(({ target }) => target);
      expect(targets.at(-1)).toContain('c0ffee');
    },
  );

  test.each([
    [500, 'internal', 'fail'],
    [400, 'invalid_input', 'fail'],
    [404, 'not_found', 'fail'],
    [401, 'unauthorized', 'fail'],
    [404, 'provider_error', 'fail'],
    [403, 'provider_permission', 'inconclusive(precondition)'],
    [400, 'not_supported', 'inconclusive(precondition)'],
  ])('take a %i %s of every account for %s', async (status, code, outcome) => {
    const { results } = await benchPages(() => ({ status, body: { error: { code, message: '', issues: ['x'] } } }));
    expect(results['reviews/listing']).toBe(outcome);
    expect(results['reviews/walk']).toBe('inconclusive(precondition)');
  });

  test('try three accounts at most, and the named one first', async () => {
    const reject = ({ path }: Exchanged) => (path.endsWith('/reviews') ? notFound : undefined);
    const accountId = '00000000-0000-4000-8000-000000000001';
    const { report } = await bench({ checks: reviews, run: { account: accountId }, spoil: () => reject });
    const targets = report.exchanges.filter(({ target }) => target.endsWith('/reviews')).map(({ target }) => target);
    expect(targets[0]).toContain(accountId);
    const [nearMiss] = targets.slice(-1);
    expect(targets.filter((target) => target !== nearMiss)).toHaveLength(3);
  });
});

const checks = [...replies, ...repliesAfterBursts, ...repliesWritten];
const run = ({ accounts: { reviewable } }: Independent) =>
  ({ allowWrites: ['replies'], maxWrites: 40, account: reviewable, watch: true }) as const;

function benchReplies(isSpoiled: (hasResponse: Exchanged) => boolean, spoiled: Spoiled) {
  const spoil = () => (one: Exchanged) => (one.method === 'POST' && isSpoiled(one) ? spoiled : undefined);
  return bench({ checks, run, spoil });
}

describe('the checks of replies', () => {
  test('name no existing account without permission', async () => {
    const { report } = await bench({ checks, run: { watch: true } });
    const sent = report.exchanges.filter(({ method }) => method === 'POST');
    expect(sent.map(({ status }) => status)).toEqual(sent.map(() => 404));
  });

  test.each([
    ['the first', 0],
    ['the third', 2],
    ['the fourth', 3],
  ])('accept that a review is deleted before the suite replies to it: %s', async (_, place) => {
    const spoil = () => {
      let reads = 0;
      return ({ method, path, query, body }: Exchanged) => {
        if (method !== 'GET' || !path.endsWith('/reviews') || query.has('cursor') || !body.data) return undefined;
        reads += 1;
        const { reviews } = body.data;
        const gone = { ...reviews.at(-1), reviewId: 'gone', replied: false, replyText: undefined };
        const shown = reviews.toSpliced(reviews.length - place, 0, gone);
        return reads > 1 ? undefined : { body: { ...body, data: { ...body.data, reviews: shown } } };
      };
    };
    const { failures } = await bench({ checks, run, spoil });
    expect(failures.filter((failure) => failure.startsWith('replies/'))).toEqual([]);
  });

  test.each<[string, (hasResponse: Exchanged) => boolean, Spoiled, string, string]>([
    [
      'capitals alone rejected',
      ({ path }) => /C0FFEE/.test(path),
      rejection(400, 'invalid_input'),
      'replies/right-inputs',
      'warn',
    ],
    [
      'a payment asked for first',
      () => true,
      rejection(402, 'payment_required'),
      'replies/right-inputs',
      'inconclusive(precondition)',
    ],
  ])('check %s', async (_, isSpoiled, spoiled, id, result) => {
    expect((await benchReplies(isSpoiled, spoiled)).results[id]).toBe(result);
  });

  test.each([
    ['vanishes', () => [], { first: 'warn', all: 'fail' }, Number.POSITIVE_INFINITY],
    ['vanishes, once', () => [], { first: 'warn', all: 'pass' }, 1],
    ['moves', (rows: unknown[], row: unknown) => [...rows, row], { first: 'pass', all: 'pass' }, 9],
  ])('check a review that %s when it is replied to', async (_, put, result, most) => {
    const replied = new Set<string>();
    const spoil = () => (one: Exchanged) => {
      const to = /reviews\/([^/]+)\/reply$/.exec(one.path)?.[1];
      if (to !== undefined && one.status === 200 && replied.size < most) replied.add(decodeURIComponent(to));
      if (one.method !== 'GET' || !one.path.endsWith('/reviews')) return undefined;
      const all = one.body.data.reviews as { reviewId: string }[];
      const rows = all.filter(({ reviewId }) => !replied.has(reviewId));
      const moved = all.filter(({ reviewId }) => replied.has(reviewId)).flatMap((row) => put([], row));
      return { body: { ...one.body, data: { ...one.body.data, reviews: [...rows, ...moved] } } };
    };
    const { results } = await bench({ checks, run, spoil });
    expect({ first: results['replies/path-wins'], all: results['replies/stay-listed'] }).toEqual(result);
  });

  test('are inconclusive about reviews that are deleted before the reply', async () => {
    const replied = new Set<string>();
    const gone = { status: 404, body: { error: { code: 'not_found', message: '' } } };
    const spoil = () => (one: Exchanged) => {
      const to = /reviews\/([^/]+)\/reply$/.exec(one.path)?.[1];
      if (to !== undefined && replied.has(decodeURIComponent(to))) return gone;
      if (to !== undefined && one.status === 200) replied.add(decodeURIComponent(to));
      if (one.method !== 'GET' || !one.path.endsWith('/reviews')) return undefined;
      const all = one.body.data.reviews as { reviewId: string }[];
      const reviews = all.filter(({ reviewId }) => !replied.has(reviewId));
      return { body: { ...one.body, data: { ...one.body.data, reviews } } };
    };
    const { results } = await bench({ checks, run, spoil });
    expect(results['replies/stay-listed']).toBe('inconclusive(interference)');
  });

  test('look again for a review that moved to the front while the pages were turned', async () => {
    let lists = 0;
    const spoil = () => (one: Exchanged) => {
      if (one.path.endsWith('/reply') && one.status === 200) lists = 1;
      if (lists === 0 || one.method !== 'GET' || !one.path.endsWith('/reviews')) return undefined;
      lists += 1;
      return lists > 2 ? undefined : { body: { ...one.body, data: { reviews: [] } } };
    };
    expect((await bench({ checks, run, spoil })).results['replies/path-wins']).toBe('pass');
  });

  test('warn of a reply that gets a response with its time and stands nowhere', async () => {
    const spoil = () => (one: Exchanged) => {
      if (one.method !== 'GET' || !one.path.endsWith('/reviews') || one.status !== 200) return undefined;
      const reviews = one.body.data.reviews.map(({ replyText: _, ...row }: { replyText?: string }) => ({
        ...row,
        replied: false,
      }));
      return { body: { ...one.body, data: { ...one.body.data, reviews } } };
    };
    expect((await bench({ checks, run, spoil })).results['replies/path-wins']).toBe('warn');
  });
});
