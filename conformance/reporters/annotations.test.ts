import { describe, expect, test } from 'vitest';
import { hostileReport, hostileText, sampleCheck, sampleReport } from '../../fixtures/test-kit/sample-report.ts';
import { conclude } from '../report/outcome.ts';
import type { Report } from '../report/report.ts';
import { renderAnnotations } from './annotations.ts';

const linesOf = (report: Report) => renderAnnotations(report, conclude(report)).split('\n').filter(Boolean);

describe('annotations', () => {
  test('are one for each failure and each warning', () => {
    const lines = linesOf(sampleReport());
    expect(lines.map((line) => line.split('::')[1])).toEqual([
      'error title=rule/list-sites-shape',
      'error title=keywords/of-site',
      'warning title=limits/wait-as-told',
    ]);
    expect(lines[0]).toContain(
      'GET /sites returned "no-uuid" at /data/0/id; expected a UUID. Found 4 times. Clause 2.site.id',
    );
  });

  test('are empty for a run without trouble', () => {
    expect(linesOf(sampleReport({ checks: [sampleCheck('sites/list', { kind: 'pass' })] }))).toEqual([]);
  });

  test('report a run that ended before its checks', () => {
    const lines = linesOf(sampleReport({ checks: [], abort: { exitCode: 4, sentence: 'unreachable' } }));
    expect(lines).toEqual(['::error title=conformance::unreachable']);
  });

  test('show ten at most', () => {
    const checks = Array.from({ length: 30 }, (_, index) => sampleCheck(`test/n${index}`, { kind: 'error' }));
    expect(linesOf(sampleReport({ checks }))).toHaveLength(10);
  });

  test('cannot be forged by a target', () => {
    for (const line of linesOf(hostileReport(hostileText))) {
      expect(line).toMatch(/^::(error|warning) title=(sites\/|conformance)/);
      expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    }
    expect(linesOf(sampleReport({ checks: [sampleCheck('a/b', { kind: 'error', message: '100%' })] }))[0]).toContain(
      '100%25',
    );
  });
});
