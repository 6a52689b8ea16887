import { describe, expect, test } from 'vitest';
import { alarmsOn, judge } from '../rigs/judge.ts';
import { startIndependentTarget, startMockTarget } from '../rigs/targets.ts';
import { doorAlone, mutantsOfDoor } from './door-alone.ts';
import { gradeOf, killOne } from './kill.ts';

describe('the MCP door as the whole target', () => {
  test('is judged without one request to the REST service, within the plan', async () => {
    const report = await judge(await doorAlone(() => startMockTarget()));
    expect(report.exchanges.filter(({ target, method }) => target !== '/mcp' || method === 'GET')).toEqual([]);
    expect(report.checks.filter(({ verdict }) => /fail|error/.test(verdict.kind))).toEqual([]);
    expect(report.used.requests).toBeLessThanOrEqual(report.plan.requests.ceiling);
    expect(report.checks.find(({ id }) => id === 'mcp/window-shared')?.verdict).toMatchObject({
      kind: 'excluded',
      message: 'needs --base-url URL',
    });
    const proven = report.coverage.filter(({ verdict }) => verdict === 'pass');
    expect(proven.length).toBeGreaterThan(25);
    const open = report.coverage.find(({ clause }) => clause === '4.articles.list.walk');
    expect(open?.why).toMatch(/judges the REST service, which needs --base-url URL$/);
  });

  test('tells its name, its protocol and its tools in a note', async () => {
    const { options, close } = await doorAlone(() => startMockTarget());
    const target = { options: { ...options, only: ['mcp/door', 'mcp/capabilities'] }, close };
    const [note] = (await judge(target)).checks.find(({ id }) => id === 'mcp/capabilities')?.findings ?? [];
    expect(note?.actual).toMatch(/^casa 1\.0\.0; protocol [\d-]+; capabilities: tools; \d+ tools: .*calls_log/);
  });

  const named = ['mcp-no-key-403', 'mcp-calls-delivered-twice', 'mcp-customers-max-ignored'];
  test.each(named.flatMap((name) => mutantsOfDoor().filter((row) => row.name === name)))(
    'and wrong as $name shows it to the kit',
    async (row) => {
      const kill = await killOne(row);
      expect([gradeOf(kill), kill.errors, kill.abort]).toEqual(['right', [], null]);
    },
  );

  test('raises no alarm where another hand wrote it', async () => {
    expect(await alarmsOn(await doorAlone(() => startIndependentTarget({ variant: 'plain' })))).toEqual([]);
  });
});
