import { describe, expect, test } from 'vitest';
import { historyOf } from '../../fixtures/test-kit/history.ts';
import { idleCheck } from '../../fixtures/test-kit/sample-report.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { responsesTo } from '../exchange/history.ts';
import { about } from './expect.ts';
import { type Claim, findingsMax, makeLedger, show } from './ledger.ts';
import { type Judging, type Outcome, resultOf } from './verdict.ts';

const claim: Claim = { clause: '4.sites.list', pointer: '/data/0/id', expected: 'a', actual: 'b' };

describe('the ledger', () => {
  test('gives no pass to a check that put nothing to the test', () => {
    expect(makeLedger('must').conclude()).toMatchObject({ kind: 'inconclusive', reason: 'vacuous' });
  });

  test('gives no pass to a check whose responses prove nothing', () => {
    const ledger = makeLedger('must');
    ledger.holds(true, { ...claim, proves: [] });
    expect(ledger.conclude()).toMatchObject({ kind: 'inconclusive', reason: 'vacuous' });
    ledger.holds(true, claim);
    expect(ledger.conclude()).toEqual({ kind: 'pass' });
  });

  test('passes on one expectation that held', () => {
    const ledger = makeLedger('must');
    expect(ledger.holds(true, claim)).toBe(true);
    expect(ledger.conclude()).toEqual({ kind: 'pass' });
  });

  test.each([
    ['must', 'fail'],
    ['should', 'warn'],
    ['observe', 'note'],
  ] as const)('makes of a broken expectation at level %s a %s', (level, kind) => {
    const ledger = makeLedger(level);
    ledger.holds(false, claim);
    expect(ledger.conclude().kind).toBe(kind);
  });

  test.each([
    ['4.articles.list.bad-query', 'contradictory', 'warn'],
    ['4.articles.list.order', 'unspecified', 'note'],
  ] as const)('never lets %s, which is %s, say more than %s', (clause, _, severity) => {
    const ledger = makeLedger('must');
    ledger.holds(false, { ...claim, clause });
    expect(ledger.findings()[0]?.severity).toBe(severity);
  });

  test('counts the same finding in many places once', () => {
    const ledger = makeLedger('must');
    for (let row = 0; row < 40; row += 1) ledger.holds(false, { ...claim, pointer: `/data/${row}/id` });
    expect(ledger.findings()).toMatchObject([{ pointer: '/data/0/id', count: 40 }]);
  });

  test('keeps the exchanges of the same finding', () => {
    const ledger = makeLedger('must');
    const seenIn = (id: string) => ledger.holds(false, { ...claim, exchange: { id } as Exchange });
    for (const id of ['x1', 'x1', 'x2', 'x3', 'x2']) seenIn(id);
    expect(ledger.findings()).toMatchObject([{ exchange: 'x1', alike: ['x2', 'x3'], count: 5 }]);
  });

  test('lets a failure outrank a crash, a crash a doubt, and a doubt a warning', () => {
    const ledger = makeLedger('must');
    ledger.record('warn', claim);
    expect(ledger.conclude().kind).toBe('warn');
    ledger.doubt('timing', 'too slow');
    expect(ledger.conclude()).toEqual({ kind: 'inconclusive', reason: 'timing', message: 'too slow' });
    ledger.crash('oops');
    expect(ledger.conclude()).toEqual({ kind: 'error', message: 'oops' });
    ledger.holds(false, claim);
    expect(ledger.conclude().kind).toBe('fail');
  });
});

describe('many findings', () => {
  test('are stored up to a bound, and counted beyond it', () => {
    const ledger = makeLedger('must');
    for (let index = 0; index < findingsMax + 50; index += 1) {
      ledger.holds(false, { clause: '4.json', pointer: `/m${index}`, expected: 'nothing', actual: 'something' });
    }
    const findings = ledger.findings();
    expect(findings).toHaveLength(findingsMax + 1);
    expect(findings.reduce((total, { count }) => total + count, 0)).toBe(findingsMax + 50);
  });

  test('at many places are one finding with their number', () => {
    const ledger = makeLedger('must');
    ledger.holdsAt(40, false, { clause: '4.json', pointer: '/data/0', expected: 'nothing', actual: 'something' });
    expect(ledger.findings()).toMatchObject([{ count: 40 }]);
    expect(ledger.evidence).toBe(40);
  });

  test('quote the beginning of a large value', () => {
    const large = Array.from({ length: 300_000 }, () => ({ text: 'x'.repeat(9) }));
    expect(show(large)).toMatch(/^\[.{140,159}…$/);
    expect(show(`${'word '.repeat(30)}alice@customers.example.com`)).not.toContain('alice');
    expect(show({ a: [1, null, 'b'], c: {} })).toBe('{"a":[1,null,"b"],"c":{}}');
    expect(show(undefined)).toBe('nothing');
  });
});

const lists = historyOf([['good GET /sites', { data: [] }]]);
const check = idleCheck('test/one', {
  scenarios: ['a', 'b'],
  *judge(history) {
    for (const one of responsesTo(history, 'listSites'))
      yield { ...about(one, '4.sites.list'), isTrue: one.status === 200, expected: '200', actual: `${one.status}` };
  },
});

const asked = (...exchanges: string[]): Extract<Outcome, { kind: 'asked' }> => ({ kind: 'asked', exchanges });
const skipped: Extract<Outcome, { kind: 'skipped' }> = { kind: 'skipped', message: 'needs --mcp-url URL' };
const leftOut: Outcome = { kind: 'left out', message: 'not enough requests' };
const troubled: Outcome = { ...asked(), trouble: { doubt: 'platform', message: '503' } };

function verdict(a: Outcome | null, b: Outcome | null, rest: Partial<Judging> = {}): string {
  const outcomes = new Map<string, Outcome>([...(a ? [['a', a] as const] : []), ...(b ? [['b', b] as const] : [])]);
  const row = resultOf(check, { history: historyOf([]), outcomes, ...rest });
  const { kind, reason, message } = row?.result ?? { kind: 'left out' };
  return [kind, reason, message].filter((part) => part !== undefined).join(': ');
}

describe('the result of a check', () => {
  test.each<readonly [string, Outcome | null, Outcome | null, Partial<Judging>, string]>([
    ['the result that the history shows, even if no scenario ran', skipped, leftOut, { history: lists }, 'pass'],
    ['open, if a scenario met trouble', asked('x1'), troubled, { history: lists }, 'inconclusive: platform: 503'],
    ['an error, if a scenario broke', { ...asked(), trouble: { crash: 'oops' } }, null, {}, 'error: oops'],
    [
      'the flag that all its scenarios need',
      skipped,
      { ...skipped, message: 'needs --mcp-url URL and more' },
      {},
      'skipped: needs --mcp-url URL',
    ],
    ['the requests that were missing', skipped, leftOut, {}, 'inconclusive: budget: not enough requests'],
    ['why a scenario sent nothing', { ...asked(), why: 'no site' }, leftOut, {}, 'inconclusive: precondition: no site'],
    ['vacuous, if nothing could have failed', asked('x1'), leftOut, {}, 'inconclusive: vacuous: no response to test'],
  ])('is %s', (_, a, b, rest, result) => {
    expect(verdict(a, b, rest)).toBe(result);
  });

  const revoked = 'inconclusive: platform: the key was revoked';
  const ended = (since: number) => ({ history: lists, ended: { sentence: 'the key was revoked', since } });
  test.each<[string, Outcome | null, Outcome | null, number, string]>([
    ['stays, if the deployment changed later', asked('x1'), asked('x2'), 3, 'pass'],
    ['is open, if it changed before the last exchange', asked('x1'), asked('x2'), 2, revoked],
    ['is open, if a scenario did not run', asked('x1'), null, 3, 'inconclusive: platform: the key was revoked'],
    ['is left out, if no scenario ran', null, null, 3, 'left out'],
  ])('of a run that ended early %s', (_, a, b, since, result) => {
    expect(verdict(a, b, ended(since))).toBe(result);
  });
});
