import { describe, expect, test } from 'vitest';
import {
  hostileReport,
  hostileText,
  hugeText,
  sampleCheck,
  sampleFinding,
  sampleReport,
} from '../../fixtures/test-kit/sample-report.ts';
import type { ClauseId } from '../../src/contract/generated/clauses.ts';
import { coloured } from '../../src/terminal/paint.ts';
import { noClaims } from '../report/claims.ts';
import { conclude } from '../report/outcome.ts';
import type { Report } from '../report/report.ts';
import { fold, renderTerminal } from './terminal.ts';

type Rules = Parameters<typeof conclude>[1];
const linesOf = (report: Report, rules: Rules = {}) =>
  renderTerminal(report, conclude(report, rules)).split('\n').slice(0, -1);

describe('the report on a terminal', () => {
  test('shows failures first, then warnings, then the gaps', () => {
    const heads = linesOf(sampleReport()).filter((line) => /^(FAIL|ERROR|WARN|NOT |Result)/.test(line));
    expect(heads).toEqual([
      'FAIL  rule/list-sites-shape  What rule/list-sites-shape says holds',
      'ERROR keywords/of-site  What keywords/of-site says holds',
      'WARN  limits/wait-as-told  What limits/wait-as-told says holds',
      'NOT DECIDED  2 checks',
      'NOT TESTED  1 area',
      'Result   FAILED  The deployment violates the contract: 1 check failed. Exit code 1.',
    ]);
  });

  test('shows a finding as one sentence, then the clause and a curl command', () => {
    const lines = linesOf(sampleReport());
    expect(lines.slice(1, 4)).toEqual([
      '      GET /sites returned "no-uuid" at /data/0/id; expected a UUID. Found 4 times.',
      '        2.site.id  "Site `id` is a UUID string."',
      `        curl -sS -i -H 'accept: application/json' -H "authorization: Bearer $CONFORMANCE_API_KEY" 'https://staging.example.com/api/v1/sites'`,
    ]);
  });

  test('repeats findings of one response once', () => {
    const findings = [sampleFinding(), sampleFinding({ pointer: '/data/1/id' })];
    const lines = linesOf(sampleReport({ checks: [sampleCheck('a/b', { kind: 'fail' }, { findings })] }));
    expect(lines.filter((line) => line.includes('curl'))).toHaveLength(1);
  });

  test('names areas that were not tested, and how to test them', () => {
    const inputs = {
      options: { allowWrites: ['posts'] },
      standIns: { good: 'k', second: 'k' },
      isOfMcpEndpoint: false,
    };
    const skipped = sampleCheck('auth/revoked', { kind: 'skipped', message: 'needs CONFORMANCE_REVOKED_KEY' });
    const lines = linesOf({ ...sampleReport({ checks: [skipped] }), inputs } as unknown as Report);
    expect(lines.slice(0, 7)).toEqual([
      'NOT TESTED  7 areas',
      '  Revoked keys. To test it: a revoked key, in CONFORMANCE_REVOKED_KEY',
      '  Writes. To test it: permission to write to a test account: --account ID --allow-writes',
      '  MCP. To test it: the address of the MCP endpoint: --mcp-url URL',
      '  Import of contacts. To test it: permission to import test contacts: --mcp-url URL --allow-writes=contacts',
      '  3 more areas: --report html=FILE lists them.',
      '',
    ]);
  });

  test.each<[ClauseId, string, string]>([
    ['4.keywords.list.invalid-site-id', '422', 'misleading errors'],
    ['4.keywords.list.invalid-site-id', '200', 'wrong records or numbers'],
    ['4.connect.create-post.invalid', '200', 'wrong writes'],
    ['4.bearer', '200', 'access without a valid key'],
    ['4.sites.get.endpoint', '500', 'failed requests'],
  ])('names the impact of a violated %s by the status %s', (clause, actual, impact) => {
    const findings = [sampleFinding({ clause, pointer: '#status', actual })];
    const checks = [sampleCheck('rule/status', { kind: 'fail' }, { findings })];
    expect(linesOf(sampleReport({ checks }))).toContain(`Impact   ${impact} (rule/status)`);
  });

  test('has a summary of at most 25 lines in any case', () => {
    const reasons = ['precondition', 'vacuous', 'timing', 'interference', 'platform', 'budget', 'unreachable'] as const;
    const checks = Array.from({ length: 100 }, (_, index) => [
      sampleCheck(`a/${index}`, { kind: 'skipped', message: `needs --flag-${index}` }),
      sampleCheck(`b/${index}`, {
        kind: 'inconclusive',
        reason: reasons[index % 7] ?? 'vacuous',
        message: `m${index}`,
      }),
      sampleCheck(`c/${index}`, { kind: 'inconclusive', reason: 'precondition', message: `blocked by b/${index}` }),
      sampleCheck(`rule/${index}`, { kind: 'inconclusive', reason: 'vacuous' }),
      sampleCheck(`d/${index}`, { kind: 'note' }, { findings: [sampleFinding({ severity: 'note' })] }),
    ]).flat();
    for (const some of [checks, checks.slice(0, 20), checks.slice(0, 50)]) {
      const lines = linesOf(sampleReport({ checks: some }));
      expect(lines.length).toBeLessThanOrEqual(25);
      expect(lines.join(' ')).not.toMatch(/vacuous|precondition|budget/);
    }
  });

  test('follows the width of the terminal, except for commands', () => {
    const report = sampleReport();
    const lines = renderTerminal(report, conclude(report), { paint: coloured, columns: 50 }).split('\n');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colors have no width.
    const seen = lines.filter((line) => !line.includes('curl ')).map((line) => line.replace(/\u001b\[\d+m/g, ''));
    expect(Math.max(...seen.map((line) => line.length))).toBeLessThan(50);
    expect(
      lines.some((line) => line.includes('curl ') && line.includes("'https://staging.example.com/api/v1/sites'")),
    ).toBe(true);
  });

  test('says whose time it was', () => {
    expect(linesOf(sampleReport({ isMockTime: true })).join('\n')).toContain('in 58.3 s (mock time)');
  });

  test('ends with one label per line', () => {
    const lines = linesOf(sampleReport()).slice(-6);
    expect(lines).toEqual([
      'Checks   1 failed, 1 with errors, 1 warned, 1 passed, 1 noted, 2 not decided, 1 not tested',
      'Notes    2 on unspecified behavior (--report html=FILE lists them)',
      expect.stringMatching(/^Clauses {2}1 failed, 1 warned, 1 verified, \d+ not tested \(of \d+\)$/),
      'Sent     52 requests in 58.3 s; planned 40-60, at most 102',
      'Bodies   complete in JSON and HAR reports, with personal data (--keep-bodies)',
      'Result   FAILED  The deployment violates the contract: 1 check failed. Exit code 1.',
    ]);
  });

  test('distinguishes known failures from new ones, and entries that have to go', () => {
    const failing = { check: 'rule/list-sites-shape', reason: 'ticket 12', until: null };
    const passing = { check: 'sites/list', reason: 'ticket 13', until: null };
    const over = { check: 'limits/wait-as-told', reason: 'ticket 14', until: '2026-01-01' };
    const lines = linesOf(sampleReport(), {
      claims: { ...noClaims, excused: [failing], stale: [passing], expired: [over] },
    });
    expect(lines.some((line) => line.startsWith('FAIL'))).toBe(false);
    expect(lines).toContain('rule/list-sites-shape is a known failure: ticket 12');
    expect(lines).toContain('sites/list no longer fails: remove it from the claims.');
    expect(lines).toContain('limits/wait-as-told was a known failure until 2026-01-01; it counts again.');
  });

  test('says of recorded traffic that nothing was sent', () => {
    const lines = linesOf(
      sampleReport({ recorded: { file: 'a.har', judged: 1, others: 2, withoutBody: 3, run: null } }),
    );
    expect(lines).toContain(
      'Sent     nothing; 1 recorded exchange of https://staging.example.com/api/v1 checked; 3 bodies not recorded; 2 entries left out',
    );
  });

  test('says what to do when the run ended before its checks', () => {
    const abort = { exitCode: 2, sentence: 'The key is rejected; set CONFORMANCE_API_KEY.' } as const;
    expect(linesOf(sampleReport({ checks: [], abort })).at(-1)).toBe(
      'The key is rejected; set CONFORMANCE_API_KEY. Exit code 2.',
    );
  });

  test.each([hostileText, hugeText])('ignores control characters of a target (%#)', (text) => {
    const report = hostileReport(text);
    for (const line of linesOf(report)) {
      expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      expect(line).not.toMatch(/^::/);
      expect(line.length).toBeLessThan(3000);
    }
    expect(renderTerminal(report, conclude(report), { paint: coloured, columns: null })).not.toContain('\u001b[2J');
  });
});

test('continues below the start of the text, in lines that fit', () => {
  const line = '    expected a whole number of at least one and at most a hundred';
  expect(fold(line, 34).split('\n')).toEqual([
    '    expected a whole number of at',
    '      least one and at most a',
    '      hundred',
  ]);
});

test('leaves what fits, and what goes to a file', () => {
  expect(fold('one two', 80)).toBe('one two');
  expect(fold('word '.repeat(100), null)).toBe('word '.repeat(100));
});

test('does not count colors, and does not break a word', () => {
  const painted = `\u001b[31m${'x'.repeat(25)}\u001b[0m`;
  expect(fold(`${painted} ab`, 31)).toBe(`${painted} ab`);
  expect(fold(`a ${'y'.repeat(60)}`, 40)).toBe(`a\n  ${'y'.repeat(60)}`);
});
