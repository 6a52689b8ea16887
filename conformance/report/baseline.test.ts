import { describe, expect, test } from 'vitest';
import { sampleCheck, sampleFinding } from '../../fixtures/test-kit/sample-report.ts';
import type { ClauseId } from '../../src/contract/generated/clauses.ts';
import type { CheckResult } from '../judge/result.ts';
import { applyBaseline, parseBaseline, writeBaseline } from './baseline.ts';

const ids = ['articles/page-walk', 'rule/json'];
const nowMs = Date.UTC(2026, 0, 1);

function failing(...places: readonly (readonly [clause: string, pointer: string])[]): CheckResult {
  const findings = places.map(([clause, pointer]) => sampleFinding({ clause: clause as ClauseId, pointer }));
  return sampleCheck('articles/page-walk', { kind: places.length === 0 ? 'pass' : 'fail' }, { findings });
}

const known = (rest: object) => parseBaseline(JSON.stringify([{ check: ids[0], reason: 'ticket 12', ...rest }]), ids);

describe('an entry of the baseline', () => {
  const entries = known({ clause: '4.json', pointer: '/data/0/id' });

  test('hides the finding that it names, in any item', () => {
    expect(applyBaseline(entries, [failing(['4.json', '/data/7/id'])], nowMs).excused).toMatchObject([
      { check: ids[0] },
    ]);
  });

  test.each([
    ['another clause', ['4.bearer', '/data/0/id']],
    ['another place', ['4.json', '/data/0/title']],
  ] as const)('hides no finding of %s in the same check', (_, other) => {
    expect(applyBaseline(entries, [failing(['4.json', '/data/0/id'], other)], nowMs).excused).toEqual([]);
  });

  test('without a clause covers the whole check', () => {
    const all = failing(['4.json', '/data/0/id'], ['4.bearer', '#status']);
    expect(applyBaseline(known({}), [all], nowMs).excused).toHaveLength(1);
  });

  test('keeps the link to its ticket', () => {
    const link = 'https://tickets.example.com/7';
    expect(applyBaseline(known({ link }), [failing(['4.json', '/data/0/id'])], nowMs).excused).toMatchObject([
      { link },
    ]);
  });

  test('together with others excuses the whole check, until the first of them ends', () => {
    const row = (clause: string, until: string | null) => ({ check: ids[0], clause, reason: `about ${clause}`, until });
    const all = [row('4.json', '2027-02-01'), row('4.bearer', '2027-01-01')];
    const failures = failing(['4.json', '/data/0/id'], ['4.bearer', '#status']);
    const { excused, entries } = applyBaseline(parseBaseline(JSON.stringify(all), ids), [failures], nowMs);
    expect(excused).toEqual([{ check: ids[0], reason: 'about 4.json; about 4.bearer', until: '2027-01-01' }]);
    expect(entries).toEqual(all);
    const late = applyBaseline(parseBaseline(JSON.stringify(all), ids), [failures], Date.parse('2027-01-01'));
    expect(late).toMatchObject({ excused: [], expired: [all[1]] });
  });

  test('must go when its check no longer fails, and counts again after its day', () => {
    expect(applyBaseline(entries, [failing()], nowMs).stale).toEqual(entries);
    const old = known({ clause: '4.json', until: '2025-12-31' });
    const outcome = applyBaseline(old, [failing(['4.json', ''])], nowMs);
    expect(outcome).toMatchObject({ excused: [], expired: old });
  });

  test.each([
    [{ clause: '4.jsn' }, 'Did you mean "4.json"?'],
    [{ pointer: '/id' }, '"pointer" must be a text, and needs "clause"'],
    [{ link: 'ticket 7' }, '"link" is not an address like https://'],
    [{ link: 7 }, '"link" is not an address like https://'],
  ])('%j is rejected', (rest, message) => {
    expect(() => known(rest)).toThrow(message);
  });
});

test('a written baseline has an entry for each finding, the known reasons, and placeholders for the others', () => {
  const result = failing(['4.json', '/data/3/id'], ['4.json', '/data/4/id'], ['4.bearer', '#status']);
  const link = 'https://tickets.example.com/7';
  const text = writeBaseline([result], known({ clause: '4.bearer', link }));
  expect(JSON.parse(text)).toEqual([
    { check: ids[0], clause: '4.json', pointer: '/data/*/id', reason: '', until: null },
    { check: ids[0], clause: '4.bearer', pointer: '#status', reason: 'ticket 12', link, until: null },
  ]);
  expect(() => parseBaseline(text, ids)).toThrow('has no reason');
});
