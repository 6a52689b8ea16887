import { describe, expect, test } from 'vitest';
import { hostileText } from '../fixtures/test-kit/sample-report.ts';
import { type Script, startScriptedServer } from '../fixtures/test-kit/scripted-server.ts';
import { virtualClock } from '../fixtures/test-kit/virtual-clock.ts';
import { conformanceSuite, type SuiteOptions } from './index.ts';
import type { Judged } from './judge/judge.ts';

type Result = 'passed' | { readonly skipped: string } | { readonly failed: Error & { expected?: string } };

const site = { id: '00000000-0000-4000-8000-00000000000a', name: '', domain: '', cms: '', language: '' };
const healthy: Script = () => ({ body: { data: [{ ...site, createdAt: '2026-01-15T12:00:00Z' }] } });

/** Plays the runner: collects what is registered, then runs it in order. */
async function play(script: Script, options: Partial<SuiteOptions> = {}) {
  const registered: { name: string; body: (...context: unknown[]) => Promise<void> }[] = [];
  const groups: string[] = [];
  const server = await startScriptedServer(script);
  conformanceSuite({
    baseUrl: () => server.baseUrl,
    keys: () => ({ good: 'key_0123456789abcdef0123456789abcdef' }),
    clock: virtualClock(Date.UTC(2026, 0, 15)),
    only: ['sites/list', 'rule/list-sites-shape', 'links/creates'],
    test: (name, body) => registered.push({ name, body }),
    describe: (name, body) => {
      groups.push(name);
      body();
    },
    ...options,
  });
  const results = new Map<string, Result>();
  for (const { name, body } of registered) {
    let skipped: string | null = null;
    const context = {
      skip: (note: string) => {
        skipped = note;
      },
    };
    try {
      await body(context);
      results.set(name, skipped === null ? 'passed' : { skipped });
    } catch (error) {
      results.set(name, { failed: error as Error });
    }
  }
  await server.close();
  return { groups, results, requests: server.requests, names: registered.map(({ name }) => name) };
}

const errorOf = (result: Result | undefined) =>
  typeof result === 'object' && 'failed' in result ? result.failed : null;

describe('the checks as tests', () => {
  test('are one test each, on one run', async () => {
    const { groups, names, requests } = await play(healthy);
    expect(groups).toEqual(['conformance']);
    expect(names).toEqual([
      'the service responds and accepts the key',
      'sites/list',
      'links/creates',
      'rule/list-sites-shape',
    ]);
    expect(requests).toEqual(['GET /sites']);
  });

  test('pass, and are skipped with the reason', async () => {
    const { results } = await play(healthy);
    expect(results.get('sites/list')).toBe('passed');
    expect(results.get('rule/list-sites-shape')).toBe('passed');
    expect(results.get('links/creates')).toEqual({ skipped: 'not tested: needs --allow-writes=links' });
  });

  test('fail as an assertion that can be read', async () => {
    const { results } = await play(() => ({
      body: { data: [{ ...site, id: 'no-uuid', createdAt: '2026-01-15T12:00:00Z' }] },
    }));
    const error = errorOf(results.get('rule/list-sites-shape'));
    expect(error?.name).toBe('AssertionError');
    expect(error?.message.split('\n').slice(0, 3)).toEqual([
      'GET /sites returns the documented fields and types',
      'GET /sites returned "no-uuid" at /data/0/id; expected a UUID. Found 3 times.',
      '  2.site.id  "Site `id` is a UUID string."',
    ]);
    expect(error?.message).toContain('curl -sS');
    expect(error).toMatchObject({ expected: 'a UUID', actual: '"no-uuid"' });
    expect(error?.stack).not.toContain('.ts:');
    expect(results.get('sites/list')).toBe('passed');
  });

  test('fail for a warning only when asked to', async () => {
    const warns: Judged = {
      id: 'test/one',
      title: 'It holds',
      clauses: ['4.sites.list'],
      level: 'should',
      judge: () => [{ clause: '4.sites.list', expected: 'a', actual: 'b', severity: 'warn' }],
    };
    const options = { checks: [warns], only: ['test/*'] };
    expect((await play(healthy, options)).results.get('test/one')).toBe('passed');
    const strict = await play(healthy, { ...options, failOn: ['warn'] });
    expect(errorOf(strict.results.get('test/one'))?.message).toContain('4.sites.list');
  });

  test('report once that the server is not running, and skip the rest', async () => {
    const { results } = await play(healthy, { baseUrl: 'http://127.0.0.1:9/api/v1' });
    expect(errorOf(results.get('the service responds and accepts the key'))?.message).toContain(
      'accepts no connections',
    );
    expect(results.get('sites/list')).toEqual({ skipped: 'the run ended before this check' });
  });

  test('show what a target sends as text', async () => {
    const { results } = await play(() => ({ body: { data: [{ ...site, id: hostileText, createdAt: 'x' }] } }));
    expect(errorOf(results.get('rule/list-sites-shape'))?.message).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
  });

  test('are rejected with a glob that names none, and without a runner', () => {
    const options = { baseUrl: 'http://127.0.0.1:9/api/v1', keys: { good: 'k' } };
    expect(() => conformanceSuite({ ...options, test, describe, only: ['stes/*'] })).toThrow('Did you mean "sites/*"?');
    expect(() => conformanceSuite(options)).toThrow('pass the functions of your test runner');
  });
});

conformanceSuite({
  name: 'the checks as tests of vitest itself',
  describe,
  test,
  baseUrl: async () => (await startScriptedServer(healthy)).baseUrl,
  keys: { good: 'key_0123456789abcdef0123456789abcdef' },
  clock: virtualClock(Date.UTC(2026, 0, 15)),
  only: ['sites/list', 'rule/json', 'links/creates'],
});
