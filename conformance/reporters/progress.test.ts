import { describe, expect, test } from 'vitest';
import {
  hostileText,
  idleCheck,
  idleScenario,
  sampleCheck,
  sampleReport,
} from '../../fixtures/test-kit/sample-report.ts';
import { plain } from '../../src/terminal/paint.ts';
import type { RunEvent } from '../driver/options.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { makePlan } from '../scenarios/plan/plan.ts';
import { showProgress } from './progress.ts';

const [first, second] = ['sites/list', 'sites/by-id'];
const scenarios = [first, second].map((id) => idleScenario(id, { cost: { least: 0, most: 10 } }));
const pace = { spacingMs: 1000, address: null, key: null };
const planned = scenarios.map((scenario) => ({ scenario, skipped: null }));

const events: readonly RunEvent[] = [
  {
    kind: 'plan',
    plan: makePlan(planned, [idleCheck(first), idleCheck(second)], { pace, maxWrites: 0, requestsMax: null }),
    target: 'https://staging.example.com/api/v1',
  },
  { kind: 'preflight', abort: null },
  { kind: 'scenario', id: first, index: 1, total: 3 },
  { kind: 'exchange', exchange: { sentAt: 1000, receivedAt: 3400 } as Exchange },
  { kind: 'waiting', ms: 9000, why: 'the limits' },
  { kind: 'scenario', id: second, index: 3, total: 3 },
  { kind: 'announce', text: 'Sending 12 requests at once.' },
  { kind: 'failure', result: sampleCheck(second, { kind: 'fail', message: hostileText }) },
  { kind: 'check-end', result: sampleCheck(first, { kind: 'pass' }) },
  { kind: 'check-end', result: sampleCheck('mcp/door', { kind: 'skipped', message: 'needs --mcp-url URL' }) },
  { kind: 'check-end', result: sampleCheck(second, { kind: 'fail', message: hostileText }) },
  { kind: 'done', report: sampleReport() },
];

function show(isTty: boolean, columns = 200): string {
  let shown = '';
  const write = (text: string) => {
    shown += text;
  };
  const listener = showProgress({ isTty, columns, write }, plain);
  for (const event of events) listener(event);
  return shown;
}

describe('progress', () => {
  test('begins with the target and the plan', () => {
    expect(show(false).split('\n').slice(0, 4)).toEqual([
      'Testing https://staging.example.com/api/v1',
      '',
      '           Checks  Requests  Seconds',
      '  Default       2      1-23     0-22',
    ]);
  });

  test('is a line for each area in a log, and one for each check that does not pass', () => {
    const lines = show(false).split('\n');
    expect(lines).toContain('Sites: 0/23 requests, 0 s, up to 22 s left');
    expect(lines).not.toContain('waiting 9 s for the rate limit');
    expect(lines.filter((line) => /sites\/list/.test(line))).toEqual([]);
    expect(
      lines.filter((line) => /^fail {9}sites\/by-id .*\(1\/23 requests, 2 s, up to 20 s left\)$/.test(line)),
    ).toHaveLength(1);
    expect(lines).toContain('Sending 12 requests at once.');
    expect(show(false)).not.toContain('\u001b');
  });

  test('is one line that is updated on a terminal, with area, requests and time left', () => {
    const drawn = show(true).split('\r\u001b[2K').slice(1);
    expect(drawn[0]).toBe(`${'░'.repeat(20)} Sites: 0/23 requests, 0 s, up to 22 s left, sites/list`);
    expect(drawn[2]).toContain('waiting 9 s for the rate limit');
    expect(drawn[3]).toBe(`${'█'.repeat(13)}${'░'.repeat(7)} Sites: 1/23 requests, 2 s, up to 20 s left, sites/by-id`);
  });

  test('shows checks that do not pass above the line', () => {
    expect(show(true)).not.toContain('pass         sites/list');
    expect(show(true)).toContain('fail         sites/by-id');
  });

  test.each([true, false])('passes over what does not run (%s)', (isTty) => {
    expect(show(isTty)).not.toContain('mcp/door');
  });

  test.each([10, 40, 80])('keeps within %i columns', (columns) => {
    const bars = show(true, columns)
      .split('\r\u001b[2K')
      .filter((text) => /^[█░]/.test(text));
    expect(bars.length).toBeGreaterThan(3);
    for (const bar of bars) expect([...(bar.split('\n')[0] ?? '')].length).toBeLessThan(columns);
  });

  test('ignores control characters of a target', () => {
    expect(show(false)).not.toMatch(/[^\P{Cc}\n]/u);
    expect(show(false)).not.toMatch(/^::/m);
  });
});
