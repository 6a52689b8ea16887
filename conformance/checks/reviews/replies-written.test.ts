import { describe, expect, test } from 'vitest';
import { bench } from '../../../fixtures/test-kit/check-bench.ts';
import { errorOf, historyOf, judged, type Line } from '../../../fixtures/test-kit/history.ts';
import { rejection } from '../../../fixtures/test-kit/rewriting-proxy.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { makeHistory } from '../../exchange/history.ts';
import { type Judged, nextToConfirm } from '../../judge/judge.ts';
import { longestTexts } from '../../scenarios/replies.ts';
import { repliesWritten } from './replies-written.ts';

const { given: unnamed } = makeHistory([]);
const given = { ...unnamed, account: 'a1', runId: 'test' };
const accepted = { data: { repliedAt: '2026-05-01T12:00:00Z' } };

type Sent = { readonly review?: string; readonly sent?: object };

function reply(label: string, response: unknown, { review = 'r1', sent = {} }: Sent = {}): Line {
  const text = JSON.stringify(sent);
  const target = `/connect/accounts/a1/reviews/${encodeURIComponent(review)}/reply`;
  return [`good POST ${target}`, response, { label, requestBody: { text, bytes: text.length } }];
}

/** A page of reviews, by their ids or with more fields. */
function page(
  rows: readonly (string | object)[],
  rest: Partial<Exchange> = {},
  nextCursor: string | null = null,
): Line {
  const reviews = rows.map((row) => (typeof row === 'string' ? { reviewId: row } : row));
  return ['good GET /connect/accounts/a1/reviews', { data: { reviews, nextCursor } }, rest];
}

const again = (rows: readonly (string | object)[]) => page(rows, { confirms: 'x1' });
const copy = (rows: readonly (string | object)[]) => page(rows, { ...walk, confirms: 'x4' });
const walk = { label: 'reviews after replies' };
const [list, encoded] = [page(['r1', 'r2']), page(['r=1'])];
const first = reply('first reply', accepted, { sent: { text: 'hello', reviewId: 'r2' } });
const replied = [list, first, reply('longest reply', accepted, { review: 'r2' })];
const shown = (reviewId: string, replyText: string) => [...replied, page([{ reviewId, replyText }])];
const [none, more, twice] = [page([], walk), page([], walk, 'more'), page(['r1', 'r1'], walk)];
const open = [{ reviewId: 'r1', replied: false }];
const [gone, denied] = [
  reply('first reply', errorOf('not_found')),
  reply('first reply', errorOf('provider_permission')),
];
const undecoded = reply('first reply', errorOf('not_found'), { review: 'r=1' });
const unsupported = reply('longest reply', errorOf('not_supported'));
const removed = reply('reply once more', errorOf('not_found'));
const posted = [
  list,
  reply('reply with a list', errorOf('invalid_input')),
  page([{ reviewId: 'r1', replyText: 'xxx' }]),
];
const short = reply('short reply to an unknown review', errorOf('invalid_input'));
const longer = (code: string) => [short, reply('reply to an unknown review', errorOf(code))];
const [text] = longestTexts(makeHistory([], { given }));

const [accepts, edges, rejects, stay] = ['path-wins', 'text-edges', 'refuses-wrong-bodies', 'stay-listed'] as const;

describe('the checks of replies', () => {
  test.each<[title: string, id: string, lines: readonly Line[], result: string]>([
    ['a reply that is listed', accepts, shown('r1', 'hello'), 'pass'],
    ['a reply to the copy', accepts, shown('r2', 'hello'), 'fail 4.rules.path-wins'],
    ['a reply to another review', accepts, shown('r3', 'hello'), 'fail 4.connect.reply.endpoint'],
    ['an account that may not reply', accepts, [list, denied], 'inconclusive(precondition)'],
    ['a review that is not found', accepts, [list, gone, again(['r1'])], 'fail 4.rules.path-wins'],
    ['a review that was deleted', accepts, [list, gone, again(['r2'])], 'inconclusive(interference)'],
    ['an id that is not decoded', accepts, [encoded, undecoded, again(['r=1'])], 'fail 4.connect.reply.review-id'],
    ['the whole text', edges, shown('r2', text), 'pass'],
    ['a text cut short', edges, shown('r2', text.slice(0, 1000)), 'fail 2.review-item.reply-text'],
    ['a text without blanks at its end', edges, shown('r2', text.trim()), 'warn 2.review-item.reply-text'],
    ['a platform without replies', edges, [list, unsupported], 'inconclusive(precondition)'],
    ['a rejected text', rejects, posted, 'fail 4.connect.reply.invalid'],
    ['an unknown review', rejects, longer('invalid_input'), 'fail 4.connect.reply.unknown-review'],
    ['a short text', rejects, longer('not_found'), 'fail 8.reply-text'],
    ['one of two reviews', stay, [...replied, page(['r1'], walk)], 'pass'],
    ['none of two reviews', stay, [...replied, none, none], 'fail 4.rules.reviews-walk'],
    ['none before further pages', stay, [...replied, more, more], 'warn 4.rules.reviews-walk'],
    ['the only review no more', stay, [list, first, none, none], 'warn 4.rules.reviews-walk'],
    ['deleted reviews', stay, [...replied, none, none, removed], 'inconclusive(interference)'],
    ['a review twice', stay, [...replied, twice, copy(['r1', 'r1'])], 'fail 4.rules.reviews-walk'],
    ['a reply that is not listed', stay, [...replied, page(open, walk), copy(open)], 'warn 4.connect.reply.endpoint'],
  ])('judge %s', (_, id, lines, result) => {
    const check = repliesWritten.find((one) => one.id === `replies/${id}`) as (typeof repliesWritten)[number];
    const { result: kind, findings } = judged(check, historyOf(lines, { given }));
    expect([kind, ...findings.slice(0, 1).map((one) => one.split(' ')[1])].join(' ')).toBe(result);
  });

  test('look for a review that is not found once more, and not again and again', () => {
    const [check] = repliesWritten as [Judged];
    expect(nextToConfirm(check, historyOf([list, gone], { given }))?.of[0]?.id).toBe('x2');
    expect(nextToConfirm(check, historyOf([list, gone, again(['r2'])], { given }))).toBeNull();
  });

  test('send nothing after a first reply that is rejected', async () => {
    const { report } = await bench({
      checks: repliesWritten,
      run: ({ accounts }) => ({ allowWrites: ['replies'], account: accounts.reviewable }),
      spoil: () => (one) => (one.path.endsWith('/reply') ? rejection(403, 'provider_permission') : undefined),
    });
    expect(report.exchanges.filter(({ method }) => method === 'POST').length).toBe(1);
  });
});
