import { describe, expect, test } from 'vitest';
import type { Exchange } from '../exchange/exchange.ts';
import { type Claim, findingsMax, makeLedger, show } from './ledger.ts';

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
