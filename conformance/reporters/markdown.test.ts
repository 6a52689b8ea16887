import { describe, expect, test } from 'vitest';
import {
  hostileReport,
  hostileText,
  hugeText,
  sampleCheck,
  sampleFinding,
  sampleReport,
} from '../../fixtures/test-kit/sample-report.ts';
import { noClaims } from '../report/claims.ts';
import { conclude } from '../report/outcome.ts';
import type { Report } from '../report/report.ts';
import { renderAnnotations } from './annotations.ts';
import { markdown } from './markdown.ts';

const textOf = (report: Report, rules: Parameters<typeof conclude>[1] = {}) =>
  markdown.render(report, conclude(report, rules));

describe('the Markdown report', () => {
  test('begins with the result, and counts', () => {
    const lines = textOf(sampleReport()).split('\n');
    expect(lines[0]).toBe(
      '# ❌ Conformance of <code>https&#58;//staging.example.com/api/v1</code>: 3 of 227 requirements tested (1%)',
    );
    expect(lines).toContain(
      '**The API does not keep its contract: at least 1 defect. The gravest: unreadable responses.** Exit code 1.',
    );
    expect(lines).toContain('| failed | 1 | a response contradicts the contract |');
    expect(lines).toContain('- Requests: 52 requests in 58.3 s; planned 40-60, at most 102');
    expect(lines).toContainEqual(
      expect.stringMatching(/^\| 2 Resources and their fields \| 0 \| 1 \| 0 \| \d+ \| \d+ \|$/),
    );
  });

  test('answers what a manager asks before it lists causes, and ends with the method', () => {
    const report = { ...sampleReport(), inputs: { options: {}, standIns: { good: 'k' }, isOfMcpEndpoint: false } };
    const heads = textOf(report as unknown as Report).match(/^##? .*$/gm) ?? [];
    expect(heads.slice(1)).toEqual([
      '## Impact on users of the API',
      '## Not tested',
      '## Next steps',
      '## Causes',
      '## Warnings',
      '## Not decided',
      '## Coverage',
      '## Method and limits',
    ]);
  });

  test('quotes the clause, shows both sides and repeats with one line', () => {
    const text = textOf(sampleReport());
    expect(text).toContain('> `2.site.id` Site `id` is a UUID string.');
    expect(text).toContain('`GET /sites returned "no-uuid" at /data/0/id; expected a UUID. Found 4 times.`');
    expect(text).toContain('```sh\ncurl -sS');
  });

  test('groups what is inconclusive', () => {
    const text = textOf(sampleReport());
    expect(text).toContain('| <code>articles/page-walk</code> | Requirement not met | there are no articles |');
    expect(text).toContain('| <code>rule/payment-reason</code> | No matching response | nothing was seen |');
  });

  test('sets known failures apart', () => {
    const excused = [{ check: 'rule/list-sites-shape', reason: 'ticket 12', until: null }];
    const text = textOf(sampleReport(), { claims: { ...noClaims, excused } });
    expect(text).toContain('- <code>rule/list-sites-shape</code> is a known failure: ticket 12');
    expect(text).not.toContain('### `rule/list-sites-shape`');
  });

  test('cannot be marked up by a target', () => {
    const whole = textOf(hostileReport(hostileText));
    expect(whole).not.toMatch(/<(script|img|\/script|!--)/);
    expect(whole).not.toMatch(/^\s*::|##\w*\[/m);
    const text = whole.replace(/^(`{3,})sh\n.*\n\1$/gm, '').replace(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g, '');
    expect(whole.length - text.length).toBeGreaterThan(500);
    expect(text).not.toContain('](javascript:');
    const cells = text.split('\n').filter((line) => line.startsWith('| <code>sites/unknown-id'));
    expect(cells[0]?.split(' | ')).toHaveLength(3);
  });

  test('fits into a job summary, however long the texts and lists are', () => {
    const findings = Array.from({ length: 500 }, (_, index) =>
      sampleFinding({ pointer: `/data/${index}`, actual: hugeText, expected: hugeText }),
    );
    const checks = Array.from({ length: 300 }, (_, index) =>
      sampleCheck(`test/n${index}`, { kind: 'fail' }, { findings }),
    );
    expect(textOf(sampleReport({ checks })).length).toBeLessThan(1_000_000);
  });
});

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
