import { describe, expect, test } from 'vitest';
import { hostileText, idleCheck, sampleCheck, sampleReport } from '../../fixtures/test-kit/sample-report.ts';
import { plain } from '../../src/terminal/paint.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { makePlan, stepsOf } from '../plan/plan.ts';
import type { RunEvent } from '../run/options.ts';
import { showProgress } from './progress.ts';

const checkOf = (id: string) => idleCheck(id, { cost: { requests: 10 } });
const [first, second] = [checkOf('sites/list'), checkOf('sites/by-id')];
const pace = { spacingMs: 1000, address: null, key: null };

const events: readonly RunEvent[] = [
  {
    kind: 'plan',
    plan: makePlan([first, second], { pace, maxWrites: 0, requestsMax: null, seed: 7 }),
    steps: stepsOf([first, second], pace),
    target: 'https://staging.example.com/api/v1',
  },
  { kind: 'preflight', abort: null },
  { kind: 'check-start', check: first, index: 1, total: 3 },
  { kind: 'exchange', exchange: { sentAt: 1000, receivedAt: 3400 } as Exchange },
  { kind: 'waiting', ms: 9000, why: 'the limits' },
  { kind: 'check-end', result: sampleCheck('sites/list', { kind: 'pass' }), index: 1, total: 3 },
  { kind: 'check-start', check: checkOf('mcp/door'), index: 2, total: 3 },
  {
    kind: 'check-end',
    result: sampleCheck('mcp/door', { kind: 'skipped', message: 'needs --mcp-url URL' }),
    index: 2,
    total: 3,
  },
  { kind: 'check-start', check: second, index: 3, total: 3 },
  { kind: 'announce', text: 'Sending 12 requests at once.' },
  { kind: 'check-end', result: sampleCheck('sites/by-id', { kind: 'fail', message: hostileText }), index: 3, total: 3 },
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
      '  Default       2      1-21     0-20',
    ]);
  });

  test('is a line for each phase in a log, and one for each check that does not pass', () => {
    const lines = show(false).split('\n');
    expect(lines).toContain('Reads: 0/21 requests after 0 s');
    expect(lines).not.toContain('waiting 9 s for the rate limit');
    expect(lines.filter((line) => /sites\/list/.test(line))).toEqual([]);
    expect(lines.filter((line) => /^fail {9}sites\/by-id/.test(line))).toHaveLength(1);
    expect(lines).toContain('Sending 12 requests at once.');
    expect(show(false)).not.toContain('\u001b');
  });

  test('is one line that is updated on a terminal, with phase, requests and time left', () => {
    const drawn = show(true).split('\r\u001b[2K').slice(1);
    expect(drawn[0]).toBe(`${'░'.repeat(20)} Reads: 0/21 requests, up to 20 s left, sites/list`);
    expect(drawn[2]).toContain('waiting 9 s for the rate limit');
    expect(drawn[3]).toBe(`${'█'.repeat(10)}${'░'.repeat(10)} Reads: 1/21 requests, up to 10 s left, sites/by-id`);
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
