import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { conformance, ownCache } from '../../fixtures/test-kit/kit-command.ts';
import { newFolder } from '../../fixtures/test-kit/own-tmp.ts';
import { type Scripted, startScriptedServer } from '../../fixtures/test-kit/scripted-server.ts';
import { startMockTarget } from '../../fixtures/test-kit/targets.ts';
import { virtualClock } from '../../fixtures/test-kit/virtual-clock.ts';
import { toolName } from '../report/report.ts';
import { replayOf } from './replaying.ts';

const folder = newFolder();
const file = join(folder, 'report.json');
const real = join(folder, 'real.json');

/** Runs the command against our mock, with or without a mutant. */
async function run(args: readonly string[], mutant?: string, keys: Record<string, 'second' | 'revoked'> = {}) {
  const { options, close } = await startMockTarget(mutant === undefined ? {} : { mutant });
  onTestFinished(close);
  const others = Object.entries(keys).map(([variable, name]) => [variable, options.keys[name] ?? '']);
  const env = { ...ownCache, CONFORMANCE_API_KEY: options.keys.good, ...Object.fromEntries(others) };
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
    expect(failing.out).toMatch(/^STILL FAILING {2}1 {2}\d+ of \d+ identical requests GET \/connect\/accounts/);
    expect(await run(['replay', file])).toMatchObject({ code: 0, out: expect.stringMatching(/^FIXED /) });
  });

  test('does not call fixed what it could not test', async () => {
    const causes = [{ title: 'a\u001b[2J defect', checks: ['posts/publishes'], exchanges: [] }];
    const report = { tool: toolName, target: 'http://127.0.0.1:1/api/v1', plan: {}, causes, checks: [] };
    writeFileSync(file, JSON.stringify(report));
    const { code, out, err } = await run(['replay', file]);
    expect(code).toBe(3);
    expect(err).toMatch(/^\S+ was changed after its run: its digest does not match its content\.\n/);
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
    const report = { tool: toolName, target: 'http://127.0.0.1:1', causes: [{ checks: ['sites/list'] }], checks: [] };
    writeFileSync(file, JSON.stringify(report));
    const { code, err } = await conformance(['replay', ...args]);
    expect([code, err]).toEqual([2, expect.stringContaining(sentence)]);
  });

  test.each<[string, string[], object[], 'mcp' | null]>([
    ['MCP endpoint', ['mcp/capabilities', 'rule/code-known', 'isolation/mcp'], [{ operation: null }], 'mcp'],
    ['deployment', ['mcp/capabilities', 'sites/list'], [], null],
    ['deployment, with the checks of its MCP endpoint', ['mcp/capabilities'], [{ operation: 'listSites' }], null],
  ])('tests the %s that the report is about', (_, ids, exchanges, command) => {
    const checks = ids.map((id) => ({ id, exchanges: [] }));
    const causes = [{ title: 'a', checks: ['rule/code-known'], exchanges: [] }];
    const report = { tool: toolName, target: 'http://127.0.0.1:1/a', plan: {}, causes, checks, exchanges };
    writeFileSync(file, JSON.stringify(report));
    const flag = command === 'mcp' ? 'url' : 'base-url';
    expect(() => replayOf([file])).toThrow(`name it: --${flag} '${report.target}'`);
    const line = replayOf([file, `--${flag}`, report.target])?.line;
    expect(line?.command ?? null).toBe(command);
  });

  describe('of a cause whose requests could not show it', () => {
    const envelope = (status: number, error: unknown): Scripted => ({ status, body: { error } });
    const page = { headers: { 'content-type': 'text/html' }, body: '<html><title>x</title></html>' };
    const lists = { accounts: [], pendingInvites: [], calls: [], nextCursor: null };
    test.each<[string, Scripted, number, string]>([
      ['an empty object', { body: {} }, 3, 'UNKNOWN'],
      ['an empty list', { body: [] }, 3, 'UNKNOWN'],
      ['null', { body: 'null' }, 3, 'UNKNOWN'],
      ['an empty organization', { body: { data: [], cursor: null } }, 3, 'UNKNOWN'],
      ['empty objects of lists', { body: { data: lists } }, 3, 'UNKNOWN'],
      ['a web page', page, 4, '(the run ended early)'],
      ['401', envelope(401, { code: 'unauthorized', message: '' }), 2, '(the run ended early)'],
      ['404', envelope(404, { code: 'not_found', message: '' }), 4, '(the run ended early)'],
      ['500', envelope(500, { code: 'oops', message: '' }), 3, 'UNKNOWN'],
      ['a rate limit', envelope(429, 'rate_limit_exceeded'), 3, '(the run ended early)'],
    ])('is UNKNOWN for a server that always returns %s', async (_, response, code, why) => {
      await run(['--only', 'articles/*', '--report', `json=${real}`], 'articles-limit-plus-one');
      const server = await startScriptedServer(() => response);
      onTestFinished(server.close);
      const ran = await conformance(['replay', real, '--base-url', server.baseUrl], undefined, virtualClock(0));
      expect(ran).toMatchObject({ code, out: expect.stringMatching(/^UNKNOWN /) });
      expect(ran.out).toContain(why);
    });

    test.each<[string, string[], 'second' | 'revoked', string]>([
      ['foreign-reviews', [], 'second', 'needs CONFORMANCE_SECOND_KEY'],
      ['revoked-key-accepted', ['--only', 'auth/revoked-key'], 'revoked', 'needs CONFORMANCE_REVOKED_KEY'],
      ['accounts-cached-for-seconds', [], 'second', 'needs CONFORMANCE_SECOND_KEY'],
    ])('names the key that %s needs', async (mutant, args, key, need) => {
      const variable = key === 'second' ? 'CONFORMANCE_SECOND_KEY' : 'CONFORMANCE_REVOKED_KEY';
      await run([...args, '--report', `json=${real}`], mutant, { [variable]: key });
      for (const again of [mutant, undefined]) {
        const { code, out } = await run(['replay', real], again);
        expect([code, out]).toEqual([3, expect.stringMatching(/^UNKNOWN /)]);
        expect(out).toContain(need);
      }
    });
  });

  test('sends nothing to an address that only a report names', async () => {
    const server = await startScriptedServer(() => ({}));
    onTestFinished(server.close);
    await run(['--only', 'articles/*', '--report', `json=${real}`], 'articles-limit-plus-one');
    const report = JSON.parse(readFileSync(real, 'utf8'));
    const inputs = { mcpUrl: `${server.baseUrl}/mcp`, control: server.baseUrl };
    const hostile = { tool: report.tool, ...report, target: server.baseUrl, options: { ...report.options, ...inputs } };
    writeFileSync(real, JSON.stringify(hostile, null, 2));
    const commands = [
      ['replay', real],
      ['dispute', real, '--output', join(folder, 'dispute.md')],
      ['verify', real, real],
      ['har', real],
      ['trend', folder],
    ];
    const codes = [];
    for (const args of commands) codes.push((await conformance(args)).code);
    expect(codes[0]).toBe(2);
    expect((await conformance(['replay', real])).err).toContain('digest does not match');
    expect(server.requests).toEqual([]);
    const other = await startScriptedServer(() => ({ status: 307, headers: { location: `${server.baseUrl}/sites` } }));
    onTestFinished(other.close);
    await conformance(['replay', real, '--base-url', other.baseUrl], undefined, virtualClock(0));
    expect([server.requests.length, other.requests.length > 0]).toEqual([0, true]);
  });

  test('has help', async () => {
    expect(await conformance(['replay', '--help'])).toMatchObject({ code: 0, out: expect.stringContaining('REPORT') });
  });
});
