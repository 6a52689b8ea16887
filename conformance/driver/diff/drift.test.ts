import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { conformance } from '../../../fixtures/test-kit/kit-command.ts';
import { newFolder } from '../../../fixtures/test-kit/own-tmp.ts';
import { startMockTarget } from '../../../fixtures/test-kit/targets.ts';
import type { Learnt, Profile } from '../../../src/contract/profile.ts';
import { observe } from '../../behaviors/observe.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { Report } from '../../report/report.ts';
import { changedBehaviors, findDrift, isHiddenBy, type Repetition } from './drift.ts';

const accounts = ['google_business', 'google_business', 'facebook_page'].map((provider, index) => ({
  accountId: `5a7e9c32-4f10-4b8d-93c6-e2d1b0a8f74${index}`,
  provider,
  status: 'connected',
  locked: false,
}));
const response = (operation: string, target: string, data: object) =>
  ({
    id: target,
    operation,
    target,
    status: 200,
    key: 'good',
    method: 'GET',
    problem: 'none',
    headers: {},
    json: { data },
  }) as unknown as Exchange;
const list = response('listAccounts', '/connect/accounts', { accounts, pendingInvites: [] });
/** A page of reviews of one account, with or without the optional field `aggregate`. */
const page = (account: number, hasAggregate: boolean) =>
  response('listReviews', `/connect/accounts/${accounts[account]?.accountId}/reviews`, {
    reviews: [{ reviewId: 'r1', date: '2026-03-01' }],
    nextCursor: null,
    ...(hasAggregate ? { aggregate: { ratingValue: 5, reviewCount: 1 } } : {}),
  });
const ran = (exchanges: readonly Exchange[], findings: object[] = []): Repetition => {
  const checks = [{ id: 'reviews/listing', findings, exchanges: [] }] as unknown as Report['checks'];
  const behaviors = observe({ exchanges, results: [], keyPrefix: null });
  return { report: { behaviors, checks, exchanges, abort: null } as unknown as Report, exchanges };
};
const before: Profile = {
  ...{ casaProfile: 1, kit: '0.1.0', contract: '1.0.0', target: 'x', learntOn: '2026-11-23' },
  behaviors: { reviewAggregate: { value: 'present', seen: 9 } },
  unknown: {},
  notLearnt: [{ behavior: null, check: 'reviews/listing', clause: '2.review-item.author', sentence: '' }],
};
const has = (...aggregates: boolean[]) => [list, ...aggregates.map((each, account) => page(account, each))];
/** Exchanges of the first run, and of each repetition. */
const drift = (first: Exchange[], ...later: Exchange[][]) => {
  let rounds = 0;
  return findDrift({
    before,
    first: ran(first),
    keyPrefix: null,
    again: async () => ran(later[Math.min(rounds++, later.length - 1)] ?? []),
  });
};

describe('a behavior has moved', () => {
  test('where every account shows the new value, each time it is read', async () => {
    const { changed, unrepeated } = await drift(has(false, false, false), has(false, false, false));
    expect([changed.map(({ id }) => id), unrepeated]).toEqual([['reviewAggregate'], []]);
  });

  test('where one account shows both values: some replicas may be of a new release', async () => {
    const { changed } = await drift(has(true, false, true), has(true, true, true), has(true, false, true));
    expect(changed.map(({ id }) => id)).toEqual(['reviewAggregate']);
  });
});

describe('no behavior has moved', () => {
  test.each([
    ['the run read only accounts that never show it', [list, page(2, false)], has(true, true, false)],
    ['accounts differ from each other', has(true, true, false), has(true, true, false)],
  ])('where %s', async (_what, first, later) => {
    const { changed, open } = await drift(first, later);
    expect([changed, open]).toEqual([[], ['reviewAggregate']]);
  });

  test('where the repeats show the old value, and that is said', async () => {
    const { changed, unrepeated } = await drift(has(false, false, false), has(true, true, true));
    expect([changed, unrepeated]).toEqual([[], ['reviewAggregate']]);
  });
});

test('a violation that the profile does not list is new', async () => {
  const finding = (clause: string) => ({ severity: 'fail', clause, exchange: null });
  const first = ran(has(true, true, true), [finding('2.review-item.author'), finding('2.review-item.text')]);
  const { violations } = await findDrift({ before, first, keyPrefix: null, again: async () => first });
  expect(violations.map(({ clause }) => clause)).toEqual(['2.review-item.text']);
});

const profile = (behaviors: Record<string, Learnt>): Profile['behaviors'] => behaviors;
const learnt = (value: unknown, seen = 9): Learnt => ({ value: value as Learnt['value'], seen });
const halves = (...values: string[]): Learnt => ({
  ...learnt(values[0]),
  mixed: Object.fromEntries(values.map((value) => [value, 0.5])),
});
const call = (durationS: object, more: object = {}) =>
  learnt({ type: 'object', fields: { durationS: { type: 'integer', ...durationS }, ...more } });

describe('a profile and newly learnt behaviors: changed', () => {
  test.each([
    ['another word', 'articleOrder', learnt('newest'), learnt('oldest')],
    ['another size', 'callsPageCap', learnt(200), learnt(100)],
    ['a new word next to the old one', 'malformedId', learnt('not_found'), halves('not_found', 'invalid_input')],
    ['a form that came up next to the old one', 'timestampForm', learnt('a'), learnt('a | b')],
    ['a field of another type', 'callRecord', call({}), call({ type: 'string' })],
    ['a further field', 'callRecord', call({}), call({}, { cost: { type: 'integer' } })],
    ['no such fields any more', 'extraFields', call({}), learnt(null)],
  ])('where the deployment shows %s', (_what, id, was, is) => {
    const { changed, compared } = changedBehaviors(profile({ [id]: was }), profile({ [id]: is }));
    expect([changed.map((row) => row.id), compared]).toEqual([[id], 1]);
  });

  test('and says in words where two shapes differ', () => {
    const was = profile({ callRecord: call({}) });
    const [one] = changedBehaviors(was, profile({ callRecord: call({ type: 'string' }) })).changed;
    expect(one?.why).toBe('durationS is integer before, string now');
    const [none] = changedBehaviors(was, profile({ callRecord: learnt(null) })).changed;
    expect(none?.why).toBe('absent now');
  });
});

describe('a profile and newly learnt behaviors: unchanged', () => {
  test.each([
    ['a running call that has no duration yet', 'callRecord', call({}), call({ nullable: true })],
    ['a field that some records lack', 'callRecord', call({}), call({}, { note: { type: 'string', optional: true } })],
    ['a word of a mixture', 'malformedId', halves('not_found', 'invalid_input'), learnt('not_found')],
    ['one of several forms', 'timestampForm', learnt('a | b'), learnt('a')],
    ['another count', 'articleOrder', learnt('newest', 4), learnt('newest', 400)],
    ['other times', 'latency', learnt({ p50: 1 }), learnt({ p50: 9 })],
    ['a second way after one response', 'malformedId', learnt('not_found', 1), halves('not_found', 'invalid_input')],
    ['the other end of the two that it has', 'reviewEnd', learnt('absent'), learnt('either')],
    ['no replies at all', 'reviewReplied', learnt('when-replied'), learnt('none')],
  ])('where the data of the day show %s', (_what, id, was, is) => {
    expect(changedBehaviors(profile({ [id]: was }), profile({ [id]: is })).changed).toEqual([]);
  });

  test('where one profile lacks it, and that is said', () => {
    const both = changedBehaviors(
      profile({ articleOrder: learnt('newest'), reviewEnd: learnt('absent') }),
      profile({ reviewEnd: learnt('either') }),
    );
    expect(both).toEqual({ changed: [], compared: 0, open: ['reviewEnd'], lost: ['articleOrder'] });
  });
});

it('names a revoked key instead of drift', async () => {
  const file = `${newFolder()}/casa.profile.json`;
  const { options, close } = await startMockTarget();
  const { baseUrl, keys, clock } = options;
  const given = ['--base-url', baseUrl, '--only', 'sites/*'];
  const run = (key: string | undefined, ...args: string[]) =>
    conformance(['calibrate', ...given, ...args], { CONFORMANCE_API_KEY: key ?? '' }, clock);
  expect((await run(keys.good, '--profile', file)).code).toBe(0);
  expect(JSON.parse(readFileSync(file, 'utf8')).target).toBe(new URL(baseUrl).origin);
  const { code, out } = await run(keys.revoked, '--check', file);
  await close();
  expect([code, out]).toEqual([2, expect.stringMatching(/^Cause: key-revoked$/m)]);
  expect(out).toMatch(/^Not drift: .* it was revoked or replaced\./m);
}, 60_000);

it('leaves out only details that a cause can change', () => {
  expect(isHiddenBy('clock', 'insightLagDays')).toBe(true);
  expect(isHiddenBy('clock', 'articleOrder')).toBe(false);
  expect(isHiddenBy('plan-lapsed', 'lockedReads')).toBe(true);
  expect(isHiddenBy('data-emptied', 'extraFields')).toBe(true);
  expect(isHiddenBy(undefined, 'insightLagDays')).toBe(false);
});
