import { describe, expect, test } from 'vitest';
import { sampleCheck, sampleFinding, sampleReport } from '../../fixtures/test-kit/sample-report.ts';
import type { Result } from '../judge/result.ts';
import { trendText } from '../reporters/terminal.ts';
import { knownChecks, newsOf, parseRecord, type RunRecord, recordOf, trendOf } from './history.ts';
import { conclude } from './outcome.ts';
import type { Report } from './report.ts';

const failed = (id: string, clause = '2.site.id' as const) =>
  sampleCheck(id, { kind: 'fail' }, { cites: [clause], findings: [sampleFinding({ clause })] });
const passed = (id: string) => sampleCheck(id, { kind: 'pass' });
const open = (id: string) => sampleCheck(id, { kind: 'inconclusive', reason: 'platform' });
let day = 0;
const report = (...checks: Report['checks']) =>
  sampleReport({ checks, startedAt: new Date(Date.UTC(2026, 0, ++day)).toISOString() });

function runsOf(...reports: readonly Report[]): RunRecord[] {
  const records: RunRecord[] = [];
  for (const each of reports) records.push(recordOf(each, conclude(each).exitCode, records));
  return records;
}

function last(...reports: readonly Report[]) {
  const records = runsOf(...reports);
  return trendOf(records.slice(0, -1), records.at(-1) as RunRecord);
}

const a = 'a/one 2.site.id';

describe('a run next to those before it', () => {
  test('lists new and fixed failures, and the start of the others', () => {
    const first = report(failed('a/one'), failed('a/two'), passed('a/three'));
    const trend = last(first, report(failed('a/one'), passed('a/two'), failed('a/three')));
    expect(trend).toMatchObject({ fresh: ['a/three 2.site.id'], gone: ['a/two 2.site.id'] });
    expect(trend.since[a]).toBe(first.startedAt);
  });

  test.each<[string, Result | null]>([
    ['inconclusive', { kind: 'inconclusive', reason: 'platform' }],
    ['skipped', { kind: 'skipped', message: 'left out by --skip' }],
    ['an error', { kind: 'error' }],
    ['not part of the run', null],
  ])('does not call a failure gone whose check is %s', (_, result) => {
    const first = report(failed('a/one'));
    const second = report(...(result === null ? [passed('a/two')] : [sampleCheck('a/one', result)]));
    const trend = last(first, second);
    expect(trend).toMatchObject({ gone: [], fresh: [], current: { open: [a], failing: [] } });
    expect(last(first, second, report(failed('a/one')))).toMatchObject({ fresh: [], since: { [a]: first.startedAt } });
    expect(newsOf(trend).join()).toContain('not tested again, violated since');
  });

  test.each<[string, Result]>([
    ['passes', { kind: 'pass' }],
    ['warns', { kind: 'warn' }],
    ['notes', { kind: 'note' }],
  ])('calls a failure gone whose check %s', (_, result) => {
    expect(last(report(failed('a/one')), report(sampleCheck('a/one', result))).gone).toEqual([a]);
  });

  test('counts a failure as new again when it had been gone, and says that it comes and goes', () => {
    const trend = last(
      report(passed('a/one')),
      report(failed('a/one')),
      report(passed('a/one')),
      report(failed('a/one')),
    );
    expect(trend).toMatchObject({ fresh: [a], flapping: [a] });
    expect(trend.since[a]).toBe(trend.current.at);
    expect(last(report(passed('a/one')), report(failed('a/one')), report(failed('a/one'))).flapping).toEqual([]);
    const looks = [failed, open, failed, open, failed].map((look) => report(look('a/one')));
    expect(last(...looks).flapping).toEqual([]);
  });

  test('ignores a run that ended in the preflight', () => {
    const lost = { ...report(), abort: { exitCode: 4, sentence: 'unreachable' } } as const;
    const trend = last(report(failed('a/one')), { ...lost, checks: [] }, report(failed('a/one')));
    expect(trend).toMatchObject({ fresh: [], gone: [], previous: { aborted: false } });
  });

  test('has no figures for a run that never began, and does not say that nothing is new', () => {
    const lost = {
      ...report(),
      abort: { exitCode: 4, sentence: 'unreachable' },
      checks: [],
      coverage: [],
    } as const;
    const records = runsOf(report(failed('a/one')), lost);
    expect(trendText(records as [RunRecord])).toMatch(/00:00 {10,}0 +0 +0 +ended early$/m);
    expect(newsOf(last(report(failed('a/one')), lost)).join()).not.toContain('No change since');
  });

  test('says that it proves less than the one before, and that the kit has changed', () => {
    const shown = { shown: ['4.sites.list' as const] };
    const first = { ...report(sampleCheck('a/one', { kind: 'pass' }, shown)), toolVersion: '1.0.0' };
    const news = newsOf(last(first, report(open('a/one')))).join('\n');
    expect(news).toMatch(/^0 clauses verified, 1 fewer than in the run of/);
    expect(news).toContain('casa-kit has version 1.2.3 now, and had 1.0.0.');
  });

  test('knows the checks whose every failure is old', () => {
    const now = report(failed('a/one'), {
      ...failed('a/two'),
      findings: [sampleFinding(), sampleFinding({ clause: '2.site.name' })],
    });
    const trend = last(report(failed('a/one'), failed('a/two')), now);
    expect(knownChecks(now, trend)).toEqual(['a/one']);
    const { exitCode, sentence } = conclude(now, { known: ['a/one'] });
    expect([exitCode, sentence]).toEqual([1, 'The deployment violates the contract: 1 check failed.']);
  });

  test('with only old failures ends with 0 and names their number', () => {
    const now = report(failed('a/one'), sampleCheck('a/two', { kind: 'pass' }, { shown: ['4.sites.list'] }));
    expect(conclude(now, { known: ['a/one'] })).toMatchObject({
      exitCode: 0,
      sentence: 'No new failure (1 check as before). 1 clause was verified.',
    });
  });
});

describe('a line of a history', () => {
  test('is read as written', () => {
    const [record] = runsOf(sampleReport());
    expect(parseRecord(JSON.stringify(record))).toEqual(record);
    expect(JSON.stringify(record).length).toBeLessThan(600);
  });

  test.each(['', '{', 'null', '[]', '{"v":2}', '{"v":1,"at":"x"}'])('is left out when it is %j', (line) => {
    expect(parseRecord(line)).toBe(null);
  });

  test.each([
    ['at', 'soon'],
    ['failing', [1]],
    ['failing', Array.from({ length: 501 }, () => a)],
    ['violated', 0.5],
    ['aborted', 'no'],
  ])('is left out when %s is %j', (field, value) => {
    const [record] = runsOf(sampleReport());
    expect(parseRecord(JSON.stringify({ ...record, [field]: value }))).toBe(null);
  });
});
