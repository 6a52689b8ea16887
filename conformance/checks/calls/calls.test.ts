// Each row is a history: the usual lines of a faithful log, with some of them replaced or added.
import { describe, expect, test } from 'vitest';
import { historyOf, judged, type Line } from '../../../fixtures/test-kit/history.ts';
import { beginning, labels } from '../../exchange/call-log.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { History } from '../../exchange/history.ts';
import { checks } from '../index.ts';

const minute = 60_000;
const nowMs = Date.UTC(2026, 4, 1, 12);
const iso = (ms: number) => new Date(ms).toISOString();
const now = iso(nowMs);
const path = '/connect/calls/log';

type Call = Readonly<Record<string, unknown>>;
/** Seven minutes apart, the last one long settled; number 5 and 6 share all timestamps. */
const endOf = (n: number) => nowMs - (80 - (n === 6 ? 5 : n)) * 7 * minute;
const call = (n: number, other: Call = {}): Call => ({
  id: `call-${n}`,
  startedAt: iso(endOf(n) - minute),
  endedAt: iso(endOf(n)),
  outcome: n % 3 === 0 ? 'missed' : 'answered',
  ...other,
});
const all = Array.from({ length: 70 }, (_, n) => call(n));
const without = (n: number) => all.toSpliced(n, 1);
const running = call(99, { startedAt: iso(nowMs - minute), endedAt: null });
/** Without an id or a timestamp. */
const plain = { outcome: 'missed' };

/** The position after so many calls. */
const at = (n: number) => (n === 0 ? beginning : `2026-05-01T0${Math.floor(n / 10)}:0${n % 10}:00.000Z`);
const body = (some: readonly Call[], nextCursor: unknown) => ({ data: { calls: some, nextCursor } });

interface Poll {
  readonly since?: string;
  readonly limit?: number | string;
  readonly calls?: readonly Call[];
  readonly next?: unknown;
  readonly label?: string;
  /** The code of an error. */
  readonly code?: string;
}

/** Of the calls after the first `n`. */
function poll(n: number, { since = at(n), limit, label, code, ...rest }: Poll = {}): Line {
  const { calls: some = all.slice(n, n + Number(limit ?? 50)) } = rest;
  const { next = some.length === 0 ? null : at(n + some.length) } = rest;
  const query = `since=${encodeURIComponent(since)}${limit === undefined ? '' : `&limit=${limit}`}`;
  const response = code === undefined ? body(some, next) : { error: { code, message: '' } };
  return [`good GET ${path}?${query}`, response, label === undefined ? {} : { label }];
}

const first = (rest: Poll = {}) => poll(0, { limit: 1, label: labels.first, ...rest });
const again = (rest: Poll = {}) => poll(0, { limit: 1, label: labels.again, ...rest });
const head = (rest: Poll = {}) => poll(0, { limit: 200, next: at(70), ...rest });
const end = (rest: Poll = {}) => poll(70, { limit: 200, ...rest });
const few = (rest: Poll = {}) => poll(1, { limit: 5, ...rest });
const rest = (some?: readonly Call[], next?: unknown) => poll(6, { ...(some && { calls: some }), next });
const snapshot = (some: readonly Call[], query = ''): Line => [`good GET ${path}${query}`, body(some, null)];
const newest = [running, ...all.toReversed().slice(0, 49)];

/** x1 to x8: the gate, the log, a cut after the sixth call, and the snapshot. */
const usual: readonly Line[] = [
  ...[first(), again(), head(), end(), few(), poll(6)],
  ...[snapshot(newest), snapshot([running], '?limit=1')],
];
const having = (place: number, line: Line) => usual.with(place - 1, line);
const more = (...lines: readonly Line[]) => [...usual, ...lines];

/** The exact requests again, with other calls where given. */
const copies = (lines: readonly Line[], ...places: readonly (number | readonly [number, readonly Call[]])[]): Line[] =>
  places.map((one) => {
    const [place, some] = [one].flat() as [number, Call[]?];
    const [request, old, rest] = lines[place - 1] as Line;
    return [request, some === undefined ? old : body(some, at(70)), { ...rest, confirms: `x${place}` }];
  });
const confirmed = (lines: readonly Line[], ...places: Parameters<typeof copies>[1][]) => [
  ...lines,
  ...copies(lines, ...places),
];

/** The result of a check and its findings; of one finding only that. */
function resultOf(id: string, lines: readonly Line[], given: Partial<History['given']> = {}) {
  const timed = lines.map(([request, json, rest], index): Line => {
    const sentAt = nowMs + index * 1000;
    const times: Partial<Exchange> = { sentAt, receivedAt: sentAt, headers: { date: new Date(sentAt).toUTCString() } };
    return [request, json, { ...times, ...rest }];
  });
  const check = checks.find((one) => one.id === `calls/${id}`);
  if (check === undefined) throw new Error(id);
  const { result, findings } = judged(check, historyOf(timed, { given: { ...historyOf([]).given, ...given } }));
  return [...(findings[0]?.startsWith(result) ? [] : [result]), ...findings].join(', ');
}

const named = { callEndedAtField: 'endedAt' };
const lost = having(6, rest(all.slice(7, 57), at(57)));
const swapped = having(5, few({ calls: [2, 1, 3, 4, 5].map((n) => call(n)) }));
const none = having(6, rest([]));
const consuming = having(2, again({ calls: [call(1)] }));
const short = [...having(6, rest(all.slice(6, 26))), poll(6, { limit: 50 })];
const gap = having(7, snapshot(without(60).toReversed()));
const lacking = having(3, head({ calls: without(60) }));
const late = [...all.slice(0, 40), call(99), ...all.slice(40, 69)];
const fresh = more(poll(70, { calls: [call(70, { endedAt: iso(nowMs - minute) })] }));
const final = (some: readonly Call[]) => more(poll(0, { limit: 70, calls: some, next: at(70), label: labels.final }));
const later = (since: string, rest: Poll = {}) => more(poll(70, { since, label: labels.afterLast, ...rest }));
const elsewhere = (rest: Poll = {}) =>
  more(poll(1, { since: '2026-05-01T12:01:00.000+12:00', limit: 5, label: labels.elsewhere, ...rest }));
const invalid = (rest: Poll) => more(poll(0, { limit: 'abc', label: labels.invalid, ...rest }));
const valid = (rest: Poll) => more(poll(0, { limit: 1, label: labels.valid, ...rest }));

type Row = readonly [lines: readonly Line[], expected: string, given?: Partial<History['given']>];

/** By the id of the check: a log, and the findings. */
const rows: Readonly<Record<string, Readonly<Record<string, Row>>>> = {
  listing: {
    'an endpoint that is not there': [[first({ code: 'not_found' })], 'fail 4.calls.endpoint x1'],
    'an error of an account': [[first({ code: 'provider_auth' })], 'fail 5.provider-auth x1'],
    'a plan without it': [[first({ code: 'payment_required' })], 'inconclusive(precondition)'],
    'a month of it': [
      [first({ code: 'invalid_input' }), poll(1, { limit: 1, label: labels.first })],
      'pass, note 4.calls.since x2',
    ],
  },
  're-read': {
    'the same call': [usual, 'pass'],
    'reads that consume calls': [consuming, 'warn 4.calls.exactly-once x2'],
    'an age that moves on': [
      [first({ calls: [call(0, { age: 33_600 })] }), again({ calls: [call(0, { age: 33_601 })] })],
      'pass, note 4.calls.reread x2',
    ],
  },
  'next-cursor': {
    'a faithful one': [usual, 'pass'],
    'null after calls': [having(6, rest(undefined, null)), 'fail 4.calls.next-cursor-string x6'],
    'a cursor after no call': [having(4, end({ next: at(70) })), 'fail 4.calls.next-cursor-null x4'],
    'a cursor in another form': [having(3, head({ next: 'c70' })), 'inconclusive(budget), warn 4.calls.since x3'],
    'a circle': [having(4, end({ calls: all, next: at(70) })), 'fail 4.calls.exactly-once x4'],
    'a rejected cursor': [having(4, end({ code: 'not_found' })), 'fail 4.calls.next-cursor-string x4'],
    'a position rejected later': [more(poll(0, { limit: 1, code: 'not_found' })), 'fail 4.calls.since x9'],
    'an unread page': [usual.toSpliced(3, 1), 'inconclusive(budget)'],
  },
  'exactly-once': {
    'a faithful one': [usual, 'pass'],
    'new calls at the end': [more(poll(6, { limit: 200, calls: [...all.slice(6), call(71)] })), 'pass'],
    'a call lost at a cursor': [confirmed(lost, 6, 3), 'fail 4.calls.exactly-once x6'],
    'a call lost while another is removed': [confirmed(lost, 6, [3, without(2)]), 'inconclusive(interference)'],
    'a call lost, and not sent again': [lost, 'inconclusive(budget)'],
    'no call after a cursor': [confirmed(none, 6, 3), 'fail 4.calls.exactly-once x6'],
    'a call again after a cursor': [having(6, rest(all.slice(5, 55))), 'fail 4.calls.exactly-once x6'],
    'another order of a page': [confirmed(swapped, 5, 3), 'fail 4.calls.oldest-first x5'],
    'a call twice on a page': [having(3, head({ calls: [...all, call(3)] })), 'fail 4.calls.exactly-once x3'],
    'no tie at a cursor': [
      usual.toSpliced(4, 2, poll(1, { limit: 9 }), poll(10)),
      'pass, note 4.calls.exactly-once x6',
    ],
    'calls without a named field': [usual, 'inconclusive(precondition)', { callIdField: 'ref' }],
    'reads that consume calls': [consuming, 'inconclusive(precondition)'],
  },
  'since-forms': {
    'an offset that is read': [elsewhere(), 'pass'],
    'an offset that is rejected (R8)': [elsewhere({ code: 'invalid_input' }), 'warn 4.calls.since x9'],
    'an offset read as another time': [
      confirmed(elsewhere({ calls: all.slice(9, 14) }), 9, 5),
      'fail 4.calls.since x9',
    ],
    'an offset read while calls are removed': [
      confirmed(elsewhere({ calls: all.slice(9, 14) }), 9, [5, all.slice(9, 14)]),
      'inconclusive(interference)',
    ],
    'no call without a fraction': [
      confirmed(more(poll(0, { limit: 1, calls: [], label: labels.seconds })), 9, 1),
      'fail 4.calls.since x9',
    ],
  },
  limit: {
    'faithful pages': [usual, 'pass'],
    'seven of five': [having(5, few({ calls: all.slice(1, 8) })), 'fail 4.calls.limit-ceiling x5'],
    'a default of 60': [having(6, rest(all.slice(6, 66))), 'fail 4.calls.limit-ceiling x6'],
    'a snapshot of three': [having(8, snapshot(all.slice(0, 3), '?limit=1')), 'fail 4.calls.limit-ceiling x8'],
    'a default of 20': [confirmed(short, 6, 9), 'fail 4.calls.limit x6'],
    'a page that was short once': [confirmed(short, [6, all.slice(6, 56)], 9), 'inconclusive(interference)'],
    'a rejected 200': [having(3, head({ code: 'invalid_input' })), 'fail 4.calls.limit x3'],
  },
  'oldest-first': {
    'a faithful one': [usual, 'pass'],
    'the newest call first': [having(3, head({ calls: all.toReversed() })), 'fail 4.calls.oldest-first x3'],
    'no timestamps': [[head({ calls: [plain, plain] })], 'inconclusive(vacuous)'],
  },
  'snapshot-order': {
    'a faithful one': [usual, 'pass'],
    'the oldest call first': [having(7, snapshot(all.slice(0, 50))), 'fail 4.calls.snapshot-order x7'],
    'a call twice': [having(7, snapshot([call(69), ...newest.slice(1)])), 'warn 4.calls.snapshot-order x7'],
    'one that is used up': [[...having(8, snapshot([], '?limit=1')), snapshot([])], 'warn 4.calls.snapshot-order x9'],
  },
  'snapshot-delivered': {
    'a faithful one': [usual, 'pass'],
    'a gap': [confirmed(gap, 7, 3), 'fail 4.calls.snapshot-order x7'],
    'a gap of a removed call': [confirmed(gap, 7, [3, without(60)]), 'inconclusive(interference)'],
    'a call that the log lacks': [confirmed(lacking, 3, 7), 'warn 4.calls.exactly-once x7'],
    'a call reported late (R35)': [confirmed(lacking, [3, all], 7), 'inconclusive(interference)'],
    'another outcome': [
      confirmed(having(7, snapshot(newest.map((one) => ({ ...one, outcome: 'busy' })))), 7),
      'fail 3.call.final-outcome x7',
    ],
  },
  'snapshot-running': {
    'a call in progress': [usual, 'pass', named],
    'no call in progress': [having(7, snapshot(all.toReversed())), 'inconclusive(vacuous)', named],
    'no such field': [usual, 'inconclusive(precondition)', { callEndedAtField: 'over' }],
  },
  'first-poll': {
    'no call after now': [later(now, { calls: [] }), 'pass'],
    'old calls after now': [later(now, { calls: all.slice(-3) }), 'fail 4.calls.exactly-once x9'],
    'an old call after the last position': [later(at(70), { calls: all.slice(-1) }), 'fail 4.calls.exactly-once x9'],
    'a cursor after no call': [later(at(70), { calls: [], next: at(70) }), 'fail 4.calls.next-cursor-null x9'],
    'a late clock (R43)': [later(now, { code: 'invalid_input' }), 'warn 4.calls.since x9'],
    'a rejected timestamp of a call': [
      [...later(now, { code: 'invalid_input' }), poll(70, { code: 'invalid_input', label: labels.shown })],
      'fail 4.calls.since x10',
    ],
    'calls that look alike (R34)': [
      [
        ...[first({ calls: [plain] }), again({ calls: [plain] }), head({ calls: [plain, plain] }), end()],
        poll(70, { since: now, calls: [plain], label: labels.afterLast }),
      ],
      'warn 4.calls.exactly-once x5',
    ],
  },
  'bad-since': {
    'a rejection': [invalid({ code: 'invalid_input' }), 'pass'],
    'another status': [invalid({ code: 'not_found' }), 'fail 4.calls.statuses x9'],
    '201 calls': [invalid({ calls: [...all, ...all, ...all].slice(0, 201) }), 'fail 4.calls.limit-ceiling x9'],
    'a poll after it that is rejected': [valid({ code: 'not_found' }), 'fail 4.calls.since x9'],
    'no call after it, and then the call': [confirmed(valid({ calls: [] }), [9, [call(0)]]), 'fail 4.calls.since x9'],
    'no call any more': [confirmed(valid({ calls: [] }), 9), 'inconclusive(interference)'],
  },
  settled: {
    'settled calls': [usual, 'pass', named],
    'a call that has just ended': [fresh, 'fail 4.calls.settled-only x9', named],
    'the same by a guess': [fresh, 'warn 4.calls.settled-only x9, note 4.calls.beyond-shape x1'],
    'the same by a guess with --watch': [
      fresh,
      'fail 4.calls.settled-only x9, note 4.calls.beyond-shape x1',
      { watch: true },
    ],
    'no fresh call': [having(7, snapshot(all.toReversed())), 'inconclusive(vacuous)', named],
  },
  final: {
    'the same calls': [final(all), 'pass'],
    'a changed outcome': [final(all.with(3, call(3, { outcome: 'busy' }))), 'fail 3.call.final-outcome x9'],
    'another order': [final([call(1), call(0), ...all.slice(2)]), 'fail 4.calls.exactly-once x9'],
    'a late call before the cursor': [final(late), 'fail 4.calls.exactly-once x9'],
    'a late call that is delivered too': [[...final(late), end({ calls: [call(99)] })], 'inconclusive(interference)'],
    'calls that are gone': [confirmed(final(all.slice(3)), 9), 'inconclusive(interference)'],
    'calls that come back': [confirmed(final(all.slice(3)), [9, all]), 'fail 4.calls.exactly-once x9'],
    'a call between delivered ones': [
      confirmed(having(6, rest([...all.slice(6, 30), call(99), ...all.slice(30, 55)])), 6),
      'fail 4.calls.exactly-once x6',
    ],
    'a provisional outcome': [
      having(5, few({ calls: [call(1, { outcome: 'busy' }), ...all.slice(2, 6)] })),
      'fail 3.call.final-outcome x5',
    ],
  },
};

describe.each(Object.entries(rows))('calls/%s', (id, logs) => {
  test.each(Object.entries(logs))('%s', (_, [lines, expected, given]) => {
    expect(resultOf(id, lines, given)).toBe(expected);
  });
});
