import { describe, expect, it } from 'vitest';
import { startMs } from '../../fixtures/test-kit/engine.ts';
import { observe as observed, type Sent, sent } from '../../fixtures/test-kit/observation.ts';
import { startWatch } from '../../fixtures/test-kit/watched-engine.ts';
import type { FaultRule } from '../domain/faults.ts';
import type { RequestLogEntry } from '../engine/request-log-record.ts';
import { violationsOf } from '../engine/violations/judge.ts';
import type { Violation } from '../engine/violations/violation.ts';
import { type Observation, windowsOf } from './cell-run.ts';
import { judge } from './judge.ts';
import { acrossCells } from './judge-patterns.ts';

const observe = (id: string, all: readonly Sent[], more: Partial<Observation> = {}) =>
  observed(id, { ending: 'failed', error: 'gave up', exchanges: sent(...all), ...more });

const undisturbed = observe('control', []);
const rulesOf = (observation: Observation) => judge(observation, undisturbed).map(({ rule }) => rule);
/** One request and its retries after these waits. */
const waited = (waits: readonly number[]) =>
  [0, ...waits].map((_, i) => ({ print: 'GET /sites', atMs: waits.slice(0, i).reduce((sum, ms) => sum + ms, 0) }));
const acrossOf = (all: readonly Observation[]) =>
  [...acrossCells(all)].map(([ids, { rule }]) => [rule, ...ids].join(' '));

/** The client rules of a test case, in the log of a client that sends one request again after these waits. */
function violated(fault: Partial<FaultRule>, waits: readonly number[], more: Retried = {}): string[] {
  const { speed = null, line = 'GET /sites' } = more;
  const log: RequestLogEntry[] = [];
  const mock = startWatch({ onExchange: (_, heard) => void (heard && log.push(heard)) });
  mock.engine.faults.add({ id: 'x', match: {}, ...fault });
  for (const ms of [0, ...waits]) {
    mock.wait(ms);
    mock.ask(line);
  }
  const found = violationsOf(log, { scale: speed ?? 1, windows: windowsOf(speed) });
  return [...new Set(found.map(({ rule }) => rule))];
}
type Retried = { readonly speed?: number | null; readonly line?: string };

it.each([
  ['19 requests', Array(18).fill(1_000), []],
  ['20 requests each second', Array(19).fill(1_000), ['no-back-off']],
  ['20 requests, the last after 10 s', [...Array(18).fill(1_000), 10_000], []],
  ['waits that grow to 5 s', [1_000, 2_000, 4_000, ...Array(16).fill(5_000)], []],
])('judges retries of lost responses: %s', (_, waits, rules) => {
  expect(violated({ network: 'empty' }, waits)).toEqual(rules);
});

it.each([
  [58_999, ['unchanged-retry']],
  [59_000, []],
])('judges a rejected request that is sent again after %i ms', (waitMs, rules) => {
  expect(violated({ error: 'not_found' }, [waitMs])).toEqual(rules);
});

it.each([
  ['read-during', 'TypeError: terminated', ['gives-up']],
  ['read-during', 'no response', []],
  ['read-always', 'TypeError: fetch failed', []],
  ['write-after', 'TypeError: fetch failed', []],
])('advises a client to catch a lost response: %s, %s', (name, error, rules) => {
  const met = observe(`connections/${name}`, [{ print: 'GET /sites', atMs: 0, outcome: 'truncated' }], { error });
  expect(judge(met, { ...undisturbed, ending: 'returned' }).map(({ rule }) => rule)).toEqual(rules);
});

it.each([
  ['503', true],
  ['200', false],
])('says whether a hasty poll follows a retry: %s', (outcome, isRetry) => {
  const hasty = { rule: 'hasty-poll', clause: '6.wait', message: 'Polled early. Wait.', requestIds: [1, 2] };
  const polls = waited([1_000, 58_000]).map((one) => ({ ...one, outcome }));
  const [found] = judge(observe('control', polls, { violations: [hasty as unknown as Violation] }), null);
  expect(found?.correct.includes('retry')).toBe(isRetry);
});

describe('scaled time', () => {
  const violation = (rule: string) => ({ rule, clause: '7.retry.back-off', message: 'Sent.', requestIds: [0, 1] });
  it.each([
    ['hasty-poll', 'slow/poll-late', 1, 31_000, true],
    ['hasty-poll', 'slow/poll-stalled', 1, 31_000, false],
  ])('%s in %s at speed %i after %i ms: %s', (rule, id, speed, waitMs, isFound) => {
    const met = observe(id, waited([waitMs]), { speed, violations: [violation(rule) as unknown as Violation] });
    expect(rulesOf(met).includes(rule)).toBe(isFound);
  });

  const ofKey = { error: 'limiter_key', retryAfterS: 1, times: 1 } as const;
  const page = { match: { operation: 'listSites' }, error: 'transient' } as const;
  const poll = `GET /connect/calls/log?since=${new Date(startMs).toISOString()}`;
  it.each([
    ['early-retry', ofKey, 20, [899], true],
    ['early-retry', ofKey, 20, [900], false],
    ['early-retry', ofKey, 60, [700], false],
    ['early-retry', { ...ofKey, retryAfterS: null, resetS: 3 }, 60, [2_699], true],
    ['early-retry', { ...ofKey, retryAfterS: null, resetS: 3 }, 60, [2_700], false],
    ['hasty-poll', page, null, [58_999], true],
    ['hasty-poll', page, 1, [58_999], true],
    ['hasty-poll', page, 20, [57_999], true],
    ['hasty-poll', page, 20, [58_000], false],
    ['no-back-off', { error: 'transient' }, 20, [140, 160, 190], true],
    ['no-back-off', { error: 'transient' }, 20, [140, 160], false],
    ['no-back-off', { error: 'transient' }, 20, [140, 160, 900], false],
    ['no-back-off', { error: 'transient' }, 20, [200, 400, 800], false],
    ['no-back-off', { error: 'transient' }, 1, [140, 160, 190], false],
  ] as const)('%s after %j at speed %s and %j ms: %s', (rule, fault, speed, waits, isFound) => {
    const line = rule === 'hasty-poll' ? poll : 'GET /sites';
    expect(violated(fault, waits, { speed, line }).includes(rule)).toBe(isFound);
  });

  it.each([
    [5, 58_499, [true, true]],
    [5, 58_500, [true, false]],
  ])('hasty-poll at speed %s after %i ms, and after the first poll: %j', (speed, waitMs, expected) => {
    const found = [1, 0].map((i) => {
      const poll = { ...violation('hasty-poll'), requestIds: [i, i + 1] };
      return rulesOf(
        observe('control', waited([waitMs, waitMs]), { speed, violations: [poll as unknown as Violation] }),
      );
    });
    expect(found.map((rules) => rules.includes('hasty-poll'))).toEqual(expected);
  });

  it.each([
    ['its usual wait after a full page', 61_000, true],
    ['a longer wait, for the calls of the page', 124_000, false],
  ])('late-poll: %s', (_, waitMs, isFound) => {
    const polls = waited([60_000]).map((one) => ({ ...one, operation: 'listCalls' as const }));
    const violations = [violation('late-poll') as unknown as Violation];
    const met = observe('calls/many', waited([waitMs]), { speed: 20, violations });
    expect(judge(met, observe('control', polls)).some(({ rule }) => rule === 'late-poll')).toBe(isFound);
  });
});

describe('limits of the key', () => {
  const id = 'limits/many-second-limiter_key-61';
  it.each([
    ['sends another in the wait', 7_100, 61_000, ['sends-in-wait'], []],
    ['sends another in the wait, and gives this one up', 7_100, null, [], [`sends-in-wait ${id}`]],
    ['sent another before the response', 1_900, 61_000, [], []],
    ['sends another after the wait', 61_000, 61_000, [], []],
    ['retries early, which is another rule', 7_100, 10_000, [], []],
  ])('judge a client that %s', (_, otherMs, retryMs, rules, across) => {
    const retry = retryMs === null ? [] : [{ print: 'GET /sites', atMs: retryMs, disturbed: false }];
    const other = { print: 'GET /x', atMs: otherMs, disturbed: false };
    const met = observe(id, [{ print: 'GET /sites', atMs: 0 }, other, ...retry]);
    expect([rulesOf(met), acrossOf([met])]).toEqual([rules, across]);
  });

  it.each([
    ['after each', [1, 1, 1], [1, 1, 1], 0],
    ['after neither', [0, 0, 0], [0, 0, 0], 0],
    ['only after a code', [1, 1, 1], [0, 0, 0], 1],
    ['only after the string', [0, 0, 0], [1, 1, 1], 0],
    ['once after the string', [1, 1, 1], [1, 0, 0], 0],
  ])('compare a client that retries %s', (_, coded, plain, found) => {
    const cells = (error: string, retries: readonly number[]) =>
      retries.map((isRetry, i) => observe(`limits/read-${error}-${[0, 1, 59][i]}`, waited(isRetry ? [60_000] : [])));
    expect(acrossOf([...cells('rate_limited', coded), ...cells('limiter_key', plain)])).toHaveLength(found);
  });
});

it.each([
  ['stops for provider_auth', 3, 400, 'failed', 1],
  ['requests all, and reports nothing', 14, 0, 'failed', 1],
  ['continues', 14, 400, 'failed', 0],
  ['has no time to continue', 3, 400, 'running', 0],
] as const)('judges a client with many accounts that %s', (_, asked, characters, ending, found) => {
  const visit = (error: string, accounts: number, seen: string) => {
    const sent = Array.from({ length: accounts }, (_, i) => ({
      print: `GET /connect/accounts/${i}/insights?`,
      atMs: i,
    }));
    return observe(`refusals/one-account-${error}`, sent, { seen, ending });
  };
  const both = [
    visit('provider_auth', asked, 'x'.repeat(characters)),
    visit('provider_permission', 14, 'x'.repeat(400)),
  ];
  expect(acrossOf(both)).toHaveLength(found);
});
