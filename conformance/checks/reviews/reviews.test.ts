import { describe, expect, test } from 'vitest';
import { type Bench, bench, firstDraws } from '../../../fixtures/test-kit/check-bench.ts';
import { counted, testResults, withData } from '../../../fixtures/test-kit/check-tests.ts';
import { type Exchanged, rejection, type Spoiled } from '../../../fixtures/test-kit/rewriting-proxy.ts';
import type { Independent } from '../../../proof/independent/index.ts';
import { reviewPages } from './pages.ts';
import { repliesWritten } from './replies-written.ts';
import { reviews as otherReviews, replies, repliesAfterBursts, reviewLists } from './reviews.ts';

const reviews = [...reviewLists, ...reviewPages, ...otherReviews];

const notFound = { status: 404, body: { error: { code: 'not_found', message: 'no such account' } } };

function item(number: number) {
  const date = new Date(Date.UTC(2026, 3, 28 - number) + 123).toISOString();
  return { reviewId: `review-${number}`, author: 'Ada', rating: 4, text: '', date };
}

type Item = ReturnType<typeof item>;

function page(items: readonly Item[], nextCursor: string | null): Spoiled {
  return { status: 200, body: { data: { reviews: items, nextCursor }, summary: '' } };
}

/** Returns reviews by the cursor and the number of the request; unknown accounts are unchanged. */
const pages = (response: (cursor: string | null, sent: number, isFirst: boolean) => Spoiled) => () => {
  let first: string | undefined;
  return counted(
    ({ path, status }) => path.endsWith('/reviews') && status !== 404,
    ({ path, query }, sent) => {
      first ??= path;
      return response(query.get('cursor'), sent, path === first);
    },
  )();
};

const benchPages = (response: Parameters<typeof pages>[0], run = {}): Promise<Bench> =>
  bench({ checks: reviews, run, spoil: pages(response) });

const items = Array.from({ length: 9 }, (_, index) => item(index));
const threeOf = (list: readonly Item[], cursor: string | null): Spoiled => {
  const from = Number(cursor ?? 0);
  return page(list.slice(from, from + 3), from < 6 ? String(from + 3) : null);
};
const threePages = (cursor: string | null) => threeOf(items, cursor);
/** The review at the place that the cursor names, and always a further page. */
const endless = (cursor: string | null) => page([item(Number(cursor) || 0)], String((Number(cursor) || 0) + 1));
/** A page that says how many reviews there are. */
const counting = (spoiled: Spoiled, reviewCount: number): Spoiled => {
  const { data } = spoiled.body as { data: object };
  return { status: 200, body: { data: { ...data, aggregate: { ratingValue: 4, reviewCount } }, summary: '' } };
};

describe('the checks of reviews', () => {
  test('all pass on three pages, newest first', async () => {
    const { results } = await benchPages(threePages, { seed: 1 });
    const others = Object.entries(results).filter(([, outcome]) => outcome !== 'pass');
    expect(others.map(([id]) => id)).toEqual(['reviews/other-accounts']);
  });

  const emptyCursor = pages((cursor) => (cursor === null ? page(items.slice(0, 3), '') : page(items.slice(3), null)));
  const movedLater = pages((cursor, sent) => threeOf(sent > 1 ? moved : items, cursor));
  const pageAgain = pages((_, sent) => (sent < 3 ? page(items.slice(0, 3), 'next') : page(items.slice(3), null)));
  const lostOnce = pages((cursor, sent) => {
    const shown = sent > 3 && sent < 7 ? items.toSpliced(4, 1) : items;
    return counting(threeOf(shown, cursor), 10);
  });
  const moved = [item(30), item(4), ...items.filter(({ reviewId }) => reviewId !== 'review-4')];
  testResults({ checks: reviews }, [
    ['take an empty string for a further page', 'reviews/end', 'pass', emptyCursor],
    ['leave more pages than they read undecided', 'reviews/end', 'inconclusive(budget)', pages(endless)],
    ['accept a walk of which more pages follow', 'reviews/walk', 'pass', pages(endless)],
    ['allow one cursor that moves on', 'reviews/end', 'inconclusive(budget)', pages((_, at) => page([item(at)], 'on'))],
    ['accept a review that moved to the front', 'reviews/walk', 'inconclusive(interference)', movedLater],
    ['fail where a page once has only the reviews of the page before it', 'reviews/walk', 'fail', pageAgain],
    ['fail for a review that a second walk lacks and later pages show', 'reviews/walk', 'fail', lostOnce],
    ['note a server that shows the oldest first', 'reviews/order', 'note', pages(() => page(items.toReversed(), null))],
  ]);

  const endingWith = (nextCursor: string) =>
    pages((cursor, _, isFirst) => (isFirst ? endless(cursor) : page(items, nextCursor)));
  testResults({ checks: reviews, run: { seed: 2, requests: 200 } }, [
    ['fail for the only page of another account again', 'reviews/end', 'fail', endingWith('')],
    ['leave further pages of another account open', 'reviews/end', 'inconclusive(budget)', endingWith('next')],
  ]);

  const emptyPages = pages((cursor) => page(cursor === null ? items : [], `${Number(cursor) + 1}`));
  const ofPath = ({ path, status }: Exchanged) =>
    path.endsWith('/reviews') && status === 200 ? page([{ ...item(1), author: path }], null) : undefined;
  const seededAlike = pages((cursor, _, isFirst) => (isFirst ? threeOf(items, cursor) : page(items.slice(1, 5), null)));
  testResults({ checks: reviews, run: { watch: true } }, [
    ['catch pages without reviews that never end, given the time', 'reviews/end', 'fail', emptyPages],
    ['accept accounts that were seeded alike and ignore cursors', 'reviews/other-accounts', 'pass', seededAlike],
    ['distinguish reviews of accounts by more than their ids', 'reviews/other-accounts', 'pass', () => ofPath],
  ]);

  test.each([
    ['every account', 9, 'fail'],
    ['this account only', 10, 'warn'],
  ])('judge reviews that are missing between the pages of %s', async (_, countOfOthers, outcome) => {
    // Nine of eleven on three pages; other accounts have seven on three pages.
    const { results, result } = await benchPages((cursor, __, isFirst) => {
      const all = isFirst ? items : items.slice(0, 7);
      return counting(threeOf(all, cursor), isFirst ? 11 : countOfOthers);
    });
    expect(results['reviews/walk']).toBe(outcome);
    const words = { pointer: '/data/reviews', actual: '9 reviews on 3 pages, and a reviewCount of 11' };
    expect(result('reviews/walk').findings).toMatchObject([words]);
  });

  test('note a count that has nothing to do with the reviews that are shown', async () => {
    const { results, result } = await benchPages((cursor) => counting(threePages(cursor), 1000));
    expect(results['reviews/walk']).toBe('pass');
    expect(result('reviews/walk').findings.map(({ severity }) => severity)).toEqual(['note']);
  });

  test.each(['00000000-0000-0000-0000-000000000000', '10000000-0000-0000-0000-000000000007', 'acc_7'])(
    'ask for no near miss of the account %s, which would be malformed',
    async (accountId) => {
      const { report } = await bench({
        checks: reviews,
        run: { seed: firstDraws + 1 },
        spoil: () => (one) => {
          if (one.path !== '/connect/accounts') return undefined;
          return withData(one, { accounts: [{ ...one.body.data.accounts[0], accountId }] });
        },
      });
      expect(report.exchanges.map(({ target }) => target)).toContainEqual(expect.stringMatching(/c0ffee.*\/reviews$/));
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
    // A near miss and a malformed id follow, then the retries of the failure.
    const [tried, others] = [targets.slice(0, 3), targets.slice(6)];
    expect(new Set(tried).size).toBe(3);
    expect(tried).toEqual(expect.arrayContaining(others));
  });
});

const checks = [...replies, ...repliesAfterBursts, ...repliesWritten];
const run = ({ accounts: { reviewable } }: Independent) =>
  ({ allowWrites: ['replies'], maxWrites: 40, account: reviewable, watch: true }) as const;

const isReviews = ({ method, path, body }: Exchanged) =>
  method === 'GET' && path.endsWith('/reviews') && body.data !== undefined;
const repliedTo = ({ path }: Exchanged) => /reviews\/([^/]+)\/reply$/.exec(path)?.[1];

interface Row {
  readonly reviewId: string;
  readonly replyText?: string;
}

/** Lists with other reviews once replies were posted, `most` at most. */
const onReplied =
  (change: (row: Row) => Row[], most = Number.POSITIVE_INFINITY, again?: Spoiled) =>
  () => {
    const replied = new Set<string>();
    return (one: Exchanged) => {
      const to = repliedTo(one);
      if (to !== undefined && again && replied.has(decodeURIComponent(to))) return again;
      if (to !== undefined && one.status === 200 && replied.size < most) replied.add(decodeURIComponent(to));
      if (!isReviews(one)) return undefined;
      const all = one.body.data.reviews as Row[];
      const isReplied = ({ reviewId }: Row) => replied.has(reviewId);
      return withData(one, {
        reviews: [...all.filter((row) => !isReplied(row)), ...all.filter(isReplied).flatMap(change)],
      });
    };
  };

describe('the checks of replies', () => {
  test('name no existing account without permission', async () => {
    const { report } = await bench({ checks, run: { watch: true } });
    const sent = report.exchanges.filter(({ method }) => method === 'POST');
    expect(sent.map(({ status }) => status)).toEqual(sent.map(() => 404));
  });

  test.each([0, 2, 3])('accept that review %i is deleted before the suite replies to it', async (place) => {
    const spoil = counted(
      (one) => isReviews(one) && !one.query.has('cursor'),
      (one, reads) => {
        const { reviews } = one.body.data;
        const gone = { ...reviews.at(-1), reviewId: 'gone', replied: false, replyText: undefined };
        return reads > 1 ? undefined : withData(one, { reviews: reviews.toSpliced(reviews.length - place, 0, gone) });
      },
    );
    const { failures } = await bench({ checks, run, spoil });
    expect(failures.filter((failure) => failure.startsWith('replies/'))).toEqual([]);
  });

  const posted = (matches: RegExp, spoiled: Spoiled) => () => (one: Exchanged) =>
    one.method === 'POST' && matches.test(one.path) ? spoiled : undefined;
  const vanished = onReplied(() => []);
  /** The list continues after all the pages that are read. */
  const vanishedOnPages = () => {
    const spoil = vanished();
    return (one: Exchanged) => {
      const at = Number(one.query.get('cursor'));
      if (one.path.endsWith('/reviews') && at > 0) return page([item(at)], `${at + 1}`);
      const { body } = (spoil(one) ?? {}) as { body?: { data: object } };
      return body && { body: { ...body, data: { ...body.data, nextCursor: '1' } } };
    };
  };
  const rewriting = (change: (row: Row) => object) => () => (one: Exchanged) =>
    isReviews(one) ? withData(one, { reviews: one.body.data.reviews.map(change) }) : undefined;
  const padded = rewriting((row) => ({ ...row, reviewId: `${row.reviewId}==` }));
  const unreplied = rewriting(({ replyText: _, ...row }) => ({ ...row, replied: false }));
  const deleted = onReplied(() => [], undefined, notFound);
  /** The first page after the first reply is empty. */
  const shownAgain = () => {
    let lists = 0;
    return (one: Exchanged) => {
      if (one.path.endsWith('/reply') && one.status === 200) lists = 1;
      if (lists === 0 || !isReviews(one)) return undefined;
      lists += 1;
      return lists > 2 ? undefined : { body: { ...one.body, data: { reviews: [] } } };
    };
  };
  const vanishedOnce = onReplied(() => [], 1);
  const moved = onReplied((row) => [row], 9);
  const open = 'inconclusive(precondition)';
  const unpaid = rejection(402, 'payment_required');
  const shownAs = (change: (text: string) => string) =>
    onReplied((row) => [{ ...row, ...(row.replyText && { replyText: change(row.replyText) }) }]);
  testResults({ checks, run }, [
    ['fail for a reply cut short', 'replies/text-edges', 'fail', shownAs((text) => text.slice(0, 1000))],
    ['warn of a reply without blanks at its end', 'replies/text-edges', 'warn', shownAs((text) => text.trim())],
    ['warn of rejected capitals', 'replies/right-inputs', 'warn', posted(/C0FFEE/, rejection(400, 'invalid_input'))],
    ['leave a payment asked for first open', 'replies/right-inputs', open, posted(/./, unpaid)],
    ['warn of a review that vanishes when it is replied to', 'replies/path-wins', 'warn', vanished],
    ['warn of one review that vanishes', 'replies/path-wins', 'warn', vanishedOnce],
    ['pass where one review of several vanishes', 'replies/stay-listed', 'pass', vanishedOnce],
    ['accept a review that moves when it is replied to', 'replies/path-wins', 'pass', moved],
    ['accept reviews that move when they are replied to', 'replies/stay-listed', 'pass', moved],
    ['fail for a review that a reply doubles', 'replies/stay-listed', 'fail', onReplied((row) => [row, row])],
    ['warn of a review that vanishes where more pages follow', 'replies/path-wins', 'warn', vanishedOnPages],
    ['warn of reviews that vanish where more pages follow', 'replies/stay-listed', 'warn', vanishedOnPages],
    ['leave reviews open that are deleted', 'replies/stay-listed', 'inconclusive(interference)', deleted],
    ['look again for a review that moved to the front meanwhile', 'replies/path-wins', 'pass', shownAgain],
    ['fail for the id of a listed review that is not decoded', 'replies/path-wins', 'fail', padded],
    ['warn of a reply that is never listed', 'replies/path-wins', 'warn', unreplied],
    ['warn of several replies that are never listed', 'replies/stay-listed', 'warn', unreplied],
  ]);
});
