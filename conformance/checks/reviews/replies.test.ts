import { describe, expect, test } from 'vitest';
import { bench } from '../../../fixtures/test-kit/check-bench.ts';
import type { Exchanged, Spoiled } from '../../../fixtures/test-kit/rewriting-proxy.ts';
import type { Independent } from '../../../proof/independent/index.ts';
import { repliesWritten } from './replies-written.ts';
import { replies, repliesAfterBursts } from './reviews.ts';

const checks = [...replies, ...repliesAfterBursts, ...repliesWritten];
const run = ({ accounts: { reviewable } }: Independent) =>
  ({ allowWrites: ['replies'], maxWrites: 40, account: reviewable, watch: true }) as const;
const error = (status: number, code: string): Spoiled => ({
  status,
  body: { error: { code, message: '', issues: ['x'], reason: 'card' } },
});

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
      error(400, 'invalid_input'),
      'replies/right-inputs',
      'warn',
    ],
    [
      'a payment asked for first',
      () => true,
      error(402, 'payment_required'),
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
