import { afterEach, describe, expect, test } from 'vitest';
import { runConformance } from '../../conformance/index.ts';
import { conclude } from '../../conformance/report/outcome.ts';
import { renderAnnotations } from '../../conformance/reporters/annotations.ts';
import { reporters } from '../../conformance/reporters/index.ts';
import { showProgress } from '../../conformance/reporters/progress.ts';
import { renderTerminal } from '../../conformance/reporters/terminal.ts';
import { plain } from '../../src/terminal/paint.ts';
import { actsOnTerminal, unseen } from '../rigs/control-characters.ts';
import { type ScriptedServer, startScriptedServer } from '../rigs/scripted-server.ts';
import { virtualClock } from '../rigs/virtual-clock.ts';
import { hostileBodies } from './hostile-bodies.ts';

const keys = { good: 'casa_0123456789abcdef0123456789abcdef' };
const clock = () => virtualClock(Date.UTC(2026, 4, 1));
let server: ScriptedServer | undefined;
afterEach(() => server?.close());

describe('an answer that is made to hurt', () => {
  const short = [
    '160,000 empty items',
    '20,000 lists',
    'one row of 150,000 members',
    'a name of 7,000,000 characters',
    'nested 4,000,000 deep',
  ];
  test.each(short)(
    '%s ends in verdicts and in bounded findings',
    async (name) => {
      const body = hostileBodies[name]?.();
      server = await startScriptedServer((path) => ({
        body: /^\/(connect|calls)/.test(path) ? body?.inside : body?.data,
      }));
      const only = ['sites/*', 'keywords/*', 'accounts/*', 'rule/*'];
      const report = await runConformance({ baseUrl: server.baseUrl, keys, clock: clock(), only, pace: 'off' });
      expect([1, 4]).toContain(conclude(report).exitCode);
      for (const { findings } of report.checks) expect(findings.length).toBeLessThan(300);
    },
    60_000,
  );

  test('a limiter that refuses every second request for a minute ends with the time of the run, and with exit code 4', async () => {
    const refusal = { status: 429, headers: { 'retry-after': '60' }, body: { error: 'rate_limit_exceeded' } };
    server = await startScriptedServer((_path, _request, count) => (count % 2 === 0 ? refusal : {}));
    const time = clock();
    const startedAt = time.now();
    const report = await runConformance({ baseUrl: server.baseUrl, keys, clock: time, maxTimeMs: 100_000 });
    expect((time.now() - startedAt) / 1000).toBeLessThanOrEqual(100);
    expect(conclude(report)).toMatchObject({ exitCode: 4, sentence: expect.stringContaining('not over after 100 s') });
    const open = report.checks.filter(({ verdict }) => verdict.reason === 'budget');
    expect(open.length).toBeGreaterThan(20);
    expect(open[0]?.verdict.message).toContain('--max-time');
  });
});

describe('a server that answers in control characters', () => {
  const text = unseen.join('x');
  const header = '\u001b[31m\u009b31m'.replace(/[^\t\x20-\x7e\x80-\xff]/g, '');
  test.each([
    ['bodies', () => ({ body: { data: [{ id: text, [text]: text }], cursor: text } })],
    ['text for JSON', () => ({ body: text })],
    ['errors', () => ({ status: 404, body: { error: { code: text, message: text } } })],
    [
      'header values',
      () => ({ headers: { 'x-ratelimit-limit': header, 'content-type': header, 'retry-after': header } }),
    ],
    ['a redirect', () => ({ status: 302, headers: { location: `/${header}` } })],
  ])('reaches neither terminal nor reports with its %s', async (_, script) => {
    server = await startScriptedServer(script);
    const progress: string[] = [];
    const onEvent = showProgress({ isTty: false, columns: 80, write: (line) => void progress.push(line) }, plain);
    const only = ['sites/*', 'articles/list', 'rule/*'];
    const report = await runConformance({ baseUrl: server.baseUrl, keys, clock: clock(), only, onEvent });
    const outcome = conclude(report);
    const shown = reporters.filter(({ kind }) => kind !== 'json' && kind !== 'har');
    const texts = [progress.join(''), renderTerminal(report, outcome), renderAnnotations(report, outcome)];
    for (const each of [...texts, ...shown.map(({ render }) => render(report, outcome))]) {
      expect(actsOnTerminal.exec(each.replaceAll('\t', ''))?.[0].codePointAt(0)).toBeUndefined();
    }
  });
});
