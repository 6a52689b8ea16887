import { describe, expect, test } from 'vitest';
import { hostileText, sampleCheck, sampleFinding, sampleReport } from '../../proof/rigs/sample-report.ts';
import { type RunRecord, recordOf, trendOf } from '../report/history.ts';
import { conclude } from '../report/outcome.ts';
import { renderMetrics } from './metrics.ts';
import { isNews, renderNotice } from './notice.ts';

const good = sampleReport({ checks: [sampleCheck('a/one', { kind: 'pass' }, { shown: ['4.sites.list'] })] });
const bad = sampleReport({ checks: [sampleCheck('a/one', { kind: 'fail' }, { findings: [sampleFinding()] })] });
const lost = sampleReport({ checks: [], abort: { exitCode: 4, sentence: hostileText } });

function trend(...reports: (typeof good)[]) {
  const records: RunRecord[] = [];
  for (const report of reports) records.push(recordOf(report, conclude(report).exitCode, records));
  return trendOf(records.slice(0, -1), records.at(-1) as RunRecord);
}

describe('a notice', () => {
  test.each([
    ['a first good run', [good], false],
    ['a first bad run', [bad], true],
    ['a good run after a good one', [good, good], false],
    ['a failure that is as old as the run before', [bad, bad], false],
    ['a failure that is new', [good, bad], true],
    ['a failure that is gone', [bad, good], true],
    ['a target that is lost', [good, lost], true],
    ['a target that stays lost', [lost, lost], false],
    ['a target that is back', [lost, good], true],
  ])('of %s: %#', (_, reports, isSent) => {
    expect(isNews(trend(...reports))).toBe(isSent);
  });

  test('holds names and figures, and no word of the target', () => {
    const data = JSON.parse(renderNotice(trend(good, bad), 'json'));
    expect(data).toMatchObject({ event: 'conformance', exitCode: 1, broken: 1, new: ['a/one 2.site.id'], gone: [] });
    expect(renderNotice(trend(bad, lost), 'json')).not.toContain('script');
    expect(JSON.stringify(data)).not.toContain('no-uuid');
  });

  test('for Slack is one text without marks', () => {
    const target = 'https://a.example.com/<!channel>&';
    const { text, ...rest } = JSON.parse(renderNotice(trend(good, { ...bad, target }), 'slack'));
    expect(rest).toEqual({});
    expect(text).toContain('&lt;!channel&gt;&amp;');
    expect(text).toContain('New: a/one 2.site.id');
  });

  test('stays small', () => {
    const many = Array.from({ length: 400 }, (_, index) =>
      sampleCheck(`a/${index}`, { kind: 'fail' }, { findings: [sampleFinding()] }),
    );
    expect(renderNotice(trend(good, sampleReport({ checks: many })), 'slack').length).toBeLessThan(2000);
  });
});

describe('the metrics of a run', () => {
  const lines = (report: typeof good) => renderMetrics(report, conclude(report), 1_768_478_400_000).split('\n');

  test('are gauges with the target, and end as OpenMetrics wants', () => {
    const text = lines(bad);
    expect(text).toContain('# TYPE casa_conformance_clauses_broken gauge');
    expect(text).toContain('casa_conformance_clauses_broken{target="https://staging.example.com/api/v1"} 1');
    expect(text).toContain('casa_conformance_checks{target="https://staging.example.com/api/v1",verdict="fail"} 1');
    expect(text).toContain(
      'casa_conformance_finished_timestamp_seconds{target="https://staging.example.com/api/v1"} 1768478400',
    );
    expect(text.slice(-2)).toEqual(['# EOF', '']);
  });

  test('have one line each, whatever the target is called', () => {
    const text = lines({ ...bad, target: 'https://a/"\n\\' });
    for (const line of text.slice(0, -1)) {
      expect(line).toMatch(/^# |^casa_conformance_\w+\{(\w+="([^"\\\n]|\\.)*",?)+\} [\d.]+$/);
    }
  });
});
