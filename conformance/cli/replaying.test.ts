import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { conformance, ownCache } from '../../fixtures/test-kit/kit-command.ts';
import { newFolder } from '../../fixtures/test-kit/own-tmp.ts';
import { startMockTarget } from '../../fixtures/test-kit/targets.ts';
import { toolName } from '../report/report.ts';
import { replayOf } from './replaying.ts';

const folder = newFolder();
const file = join(folder, 'report.json');

/** Runs the command against our mock, with or without a mutant. */
async function run(args: readonly string[], mutant?: string) {
  const { options, close } = await startMockTarget(mutant === undefined ? {} : { mutant });
  onTestFinished(close);
  const env = { ...ownCache, CONFORMANCE_API_KEY: options.keys.good };
  return await conformance([...args, '--base-url', options.baseUrl], env, options.clock);
}

describe('conformance replay', () => {
  test('reports for each cause whether it is fixed', async () => {
    await run(['--only', 'sites/*', '--only', 'rule/*', '--report', `json=${file}`], 'site-id-null');
    const failing = await run(['replay', file], 'site-id-null');
    expect(failing).toMatchObject({ code: 1 });
    expect(failing.out).toMatch(/^STILL FAILING {2}1 {2}GET \/sites returned .*\n\n0 of 1 cause fixed\.\n$/);
    const fixed = await run(['replay', file, '--finding', '1']);
    expect(fixed).toMatchObject({ code: 0 });
    expect(fixed.out).toMatch(/^FIXED .*\n\n1 of 1 cause fixed\.\n$/);
  });

  test('repeats a request that fails only sometimes', async () => {
    await run(['--only', 'accounts/*', '--only', 'lists/*', '--report', `json=${file}`], 'accounts-flicker');
    const failing = await run(['replay', file], 'accounts-flicker');
    expect(failing.out).toMatch(
      /^STILL FAILING {2}1 {2}\d+ of \d+ identical requests GET \/connect\/accounts returned a list/,
    );
    expect(await run(['replay', file])).toMatchObject({ code: 0, out: expect.stringMatching(/^FIXED /) });
  });

  test('does not call fixed what it could not test', async () => {
    const causes = [{ title: 'a\u001b[2J defect', checks: ['posts/publishes'], exchanges: [] }];
    const report = { tool: toolName, target: 'http://127.0.0.1:1/api/v1', plan: { seed: 1 }, causes, checks: [] };
    writeFileSync(file, JSON.stringify(report));
    const { code, out } = await run(['replay', file]);
    expect(code).toBe(3);
    expect(out).toMatch(/^UNKNOWN {8}1 {2}a\S+ defect \(posts\/publishes: needs .*--allow-writes/);
    expect(out).not.toContain('\u001b');
  });

  test.each<[string, string[], string]>([
    ['no file', [], 'conformance replay needs a report first'],
    ['a file that is not there', [join(folder, 'none.json')], 'none.json'],
    ['a file of another kind', ['package.json'], 'package.json is not a JSON report of this version'],
    ['a cause that is not a number', [file, '--finding', 'x'], '--finding "x" is not a number from 1.'],
    ['a cause beyond the last', [file, '--finding=9'], 'has no cause 9: it has 1.'],
  ])('rejects %s', async (_, args, sentence) => {
    const report = {
      tool: toolName,
      target: 'http://127.0.0.1:1/api/v1',
      causes: [{ checks: ['sites/list'] }],
      checks: [],
    };
    writeFileSync(file, JSON.stringify(report));
    const { code, err } = await conformance(['replay', ...args]);
    expect([code, err]).toEqual([2, expect.stringContaining(sentence)]);
  });

  test.each<[string, string[], object[], 'mcp' | null]>([
    ['MCP endpoint', ['mcp/tools', 'rule/code-known', 'isolation/mcp'], [{ operation: null }], 'mcp'],
    ['deployment', ['mcp/tools', 'sites/list'], [], null],
    ['deployment, with the checks of its MCP endpoint', ['mcp/tools'], [{ operation: 'listSites' }], null],
  ])('tests the %s that the report is about', (_, ids, exchanges, command) => {
    const checks = ids.map((id) => ({ id, exchanges: [] }));
    const causes = [{ title: 'a', checks: ['rule/code-known'], exchanges: [] }];
    const report = { tool: toolName, target: 'http://127.0.0.1:1/a', plan: { seed: 1 }, causes, checks, exchanges };
    writeFileSync(file, JSON.stringify(report));
    const line = replayOf([file])?.line;
    expect(line?.command ?? null).toBe(command);
    expect(line?.flags[command === 'mcp' ? 'url' : 'base-url']).toBe(report.target);
  });

  test('has help', async () => {
    expect(await conformance(['replay', '--help'])).toMatchObject({ code: 0, out: expect.stringContaining('REPORT') });
  });
});
