import { describe, expect, test } from 'vitest';
import { bench } from '../../../fixtures/test-kit/check-bench.ts';
import { again, errorOf, historyOf, inWords, judged, type Line } from '../../../fixtures/test-kit/history.ts';
import { type Exchanged, rejection, type Spoiled } from '../../../fixtures/test-kit/rewriting-proxy.ts';
import { insights, rangesDiffer } from './insights.ts';

const checks = [...insights, rangesDiffer];
const [dayMs, today] = [86_400_000, Date.UTC(2026, 4, 1)];

/** Insights of that many days, and a value of each. */
function covering(days: number, { endMs = today, times = 0 } = {}) {
  const [startDate, endDate] = [days, 1].map((n) => new Date(endMs - (n - 1) * dayMs).toISOString().slice(0, 10));
  const points = Array.from({ length: times && days }, (_, day) => ({ date: endDate, value: day * times }));
  return { data: { range: { startDate, endDate }, metrics: [{ key: 'a', label: 'a', total: 1, points }] } };
}

const [a, b] = ['a', 'b'].map((digit) => `${digit.repeat(8)}-1111-4111-8111-111111111111`) as [string, string];
const list: Line = [
  'good GET /connect/accounts',
  { data: { accounts: [a, b].map((accountId) => ({ accountId, status: 'connected', provider: accountId })) } },
];
const read = (query: string, body: object, rest: object = {}, id = a): Line => [
  `good GET /connect/accounts/${id}/insights${query && `?range=${query}`}`,
  body,
  rest,
];
const [week, month, quarter] = [7, 28, 90].map((days) => read(`${days}d`, covering(days))) as [Line, Line, Line];
const usual = read('', covering(28));
/** The list, and the three ranges; each with those days. */
const known = (...days: readonly number[]): Line[] => [
  list,
  ...['28d', '7d', '90d'].map((range, at) => read(range, covering(days[at] ?? 28))),
];
const three = [list, month, week, quarter];
const otherWeek = (days: number) => read('7d', covering(days), {}, a.toUpperCase());
const ofOther = (query: string, body: object) => read(query, body, {}, b);
const sent = (code: string, label: string, query = '30d') => read(query, errorOf(code), { label });
const [ofNone, malformed] = ['insights of an unknown account', 'insights of a malformed account id'];
const [invalid, near] = ['insights of an invalid range', 'insights of a malformed range'];
const [vacuous, open, budget] = ['inconclusive(vacuous)', 'inconclusive(precondition)', 'inconclusive(budget)'];
const broken = read('', errorOf('transient'), { label: ofNone, status: 503 });
const denied = [read('28d', errorOf('not_found')), ofOther('28d', errorOf('not_found'))] as const;
const wrong = 'fail range-default x5';
const [asQuarter, asWeek, same] = [read('', covering(90)), ofOther('', covering(7)), covering(28, { times: 2 })];
const [nextDay, ofOtherMonth] = [covering(28, { endMs: today + dayMs }), ofOther('28d', covering(28))];
const [moved, longer] = [read('', nextDay), read('', covering(30, { endMs: today + dayMs }))];
const inOther = [...three, usual, asWeek, ofOtherMonth, ofOther('7d', covering(7))];

describe('the checks of insights', () => {
  // biome-ignore format: one row a line
  test.each<[string, string, string, readonly Line[]]>([
    ['a success', 'listing', 'pass', [list, month]],
    ['an invalid key', 'listing', 'fail provider-auth x2', [list, read('28d', errorOf('unauthorized'))]],
    ['a rejected UUID', 'listing', 'fail endpoint x2', [list, read('28d', errorOf('invalid_input'))]],
    ['a breakdown', 'listing', 'fail endpoint x2', [list, read('28d', errorOf('internal'), { status: 500 })]],
    ['a platform without insights', 'listing', vacuous, [list, read('28d', errorOf('not_supported'))]],
    ['one of two accounts denied', 'listing', 'pass', [list, denied[0], ofOther('28d', covering(28))]],
    ['each account denied', 'listing', 'fail connect-operations x3', [list, ...denied, again('x3', denied[1]), list]],
    ['a removed account', 'listing', 'inconclusive(interference)', [list, ...denied, again('x3', denied[1])]],
    ['another account', 'listing', 'pass', [list, month, ofOther('', covering(28, { times: 3 }))]],
    ['the same figures', 'listing', 'pass note endpoint x3', [list, read('28d', same), ofOther('28d', same)]],
    ['three ranges', 'ranges', 'pass', three],
    ['no 90d', 'ranges', 'warn range x3', [list, month, read('90d', errorOf('not_supported'))]],
    ['a payment', 'ranges', 'inconclusive(platform)', [list, month, read('90d', errorOf('payment_required'))]],
    ['a rejected range', 'ranges', 'fail range x3', [list, month, read('90d', errorOf('invalid_input'))]],
    ['the default', 'default-range', 'pass', [...three, usual]],
    ['dates of 90d by default', 'default-range', budget, [...three, asQuarter]],
    ['the same again', 'default-range', wrong, [...three, asQuarter, again('x2', month), again('x5', asQuarter)]],
    ['a new day', 'default-range', budget, [...three, moved, again('x2', read('28d', nextDay)), again('x5', moved)]],
    ['other dates', 'default-range', 'warn range-default x5', [...three, longer, again('x2', month), again('x5', longer)]],
    ['a default that is rejected', 'default-range', wrong, [...three, read('', errorOf('invalid_input'))]],
    ['alike ranges', 'default-range', vacuous, [...known(6, 6, 6), read('', covering(6))]],
    ['7d elsewhere', 'default-range', 'fail range-default x6', [...inOther, again('x7', ofOtherMonth), again('x6', asWeek)]],
    ['more days for longer ranges', 'ranges-differ', 'pass', three],
    ['long ranges', 'ranges-differ', 'pass note range x2', known(40, 9, 90)],
    ['swapped ranges', 'ranges-differ', 'fail range x3 note range x3', known(28, 90, 7)],
    ['28 days for each', 'ranges-differ', 'fail range x3 note range x3', known(28, 28, 28)],
    ['90d like 28d', 'ranges-differ', 'warn range x4', known(28, 7, 28)],
    ['older data', 'ranges-differ', 'fail range x4', [...known(28, 7, 28), read('', covering(80))]],
    ['twenty days for each', 'ranges-differ', 'warn range x3 note range x3', known(20, 20, 20)],
    ['six days for each', 'ranges-differ', vacuous, known(6, 6, 6)],
    ['a cache by path', 'ranges-differ', 'fail range x3 note range x3', [...known(12, 12, 12), otherWeek(7)]],
    ['the same in it', 'ranges-differ', 'warn range x3 note range x3', [...known(12, 12, 12), otherWeek(12)]],
    ['400 for 30d', 'bad-range', 'pass', [list, month, sent('invalid_input', invalid)]],
    ['a payment first', 'bad-range', open, [list, month, sent('payment_required', invalid)]],
    ['30d', 'bad-range', 'fail bad-range x3', [list, month, read('30d', covering(30), { label: invalid })]],
    ['7D', 'bad-range', 'warn bad-range x3', [list, month, read('7D', covering(7), { label: near })]],
    ['a blank', 'bad-range', 'pass', [list, month, read('%2028d', covering(28), { label: near })]],
    ['a crash', 'bad-range', 'fail statuses x3', [list, month, read('', errorOf('x'), { label: near, status: 500 })]],
    ['404', 'unknown-account', 'pass', [sent('not_found', ofNone)]],
    ['a success', 'unknown-account', 'fail unknown-account x1', [read('', covering(28), { label: ofNone })]],
    ['a platform in trouble', 'unknown-account', 'inconclusive(platform)', [broken]],
    ['its trouble with this account', 'unknown-account', 'fail unknown-account x3', [broken, month, broken]],
    ['400 for no UUID', 'unknown-account', 'pass', [sent('invalid_input', malformed)]],
    ['403 for no UUID', 'unknown-account', open, [sent('provider_permission', malformed)]],
    ['insights of no UUID', 'unknown-account', 'fail account-id x1', [read('', covering(7), { label: malformed })]],
  ])('%s: %s %s', (_, id, expected, lines) => {
    expect(inWords(checks, `insights/${id}`, historyOf(lines))).toBe(expected);
  });

  test('leave recorded rejections open, whose key can be invalid', () => {
    const lines = [list, month, read('7d', errorOf('unauthorized')), read('', errorOf('not_found')), ...denied];
    for (const check of checks) expect(judged(check, historyOf(lines, { isRecorded: true })).findings).toEqual([]);
  });

  test('note a range of last year', () => {
    const range = { startDate: '2023-01-01', endDate: '2023-01-08' };
    const line: Line = ['good GET /connect/accounts/a/insights', { data: { range, metrics: [] } }];
    expect(inWords(checks, 'insights/complete', historyOf([line]))).toMatch(/^\S+ note \S+ x1$/);
  });

  test('all pass on a faithful server', async () => {
    const days = new Map([
      ['7d', 7],
      ['28d', 28],
      ['90d', 90],
    ]);
    const spoil =
      () =>
      ({ path, query, status }: Exchanged): Spoiled | undefined => {
        if (!path.endsWith('/insights') || status === 404) return undefined;
        const found = days.get(query.get('range') ?? '28d');
        return found === undefined
          ? rejection(400, 'invalid_input')
          : { status: 200, body: { ...covering(found), summary: '' } };
      };
    const { results } = await bench({ checks, spoil });
    expect(new Set(Object.values(results))).toEqual(new Set(['pass']));
  });
});
