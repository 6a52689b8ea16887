// The command from its words to its files, on two servers and one clock.
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startIndependent } from '../../proof/independent/index.ts';
import { virtualClock } from '../../proof/rigs/virtual-clock.ts';
import { reportKinds } from '../report/reporter.ts';
import { main } from './command.ts';

test('conformance diff compares two deployments, each with its own key, and writes every report', async () => {
  const clock = virtualClock(Date.UTC(2026, 2, 10, 9));
  const [a, b] = await Promise.all(
    (['plain', 'strict'] as const).map((variant) => startIndependent({ now: () => clock.now(), variant })),
  );
  if (a === undefined || b === undefined) throw new Error('there are two');
  const folder = mkdtempSync(join(tmpdir(), 'diff-test-'));
  const reports = reportKinds.flatMap((kind) => ['--report', `${kind}=${join(folder, kind)}`]);
  let out = '';
  const write = (text: string) => {
    out += text;
  };
  const environment = { CONFORMANCE_API_KEY_A: a.keys.good, OTHER: b.keys.good };
  const code = await main(
    ['diff', a.baseUrl, b.baseUrl, '--key-b', 'OTHER', '--gentle', '--seed', '1', ...reports],
    environment,
    {
      out: write,
      err: { isTty: false, columns: 80, write: () => undefined },
      hasColour: false,
      clock,
    },
  );
  await Promise.all([a.close(), b.close()]);
  expect(out).toContain('differs legally  instantForm (reading)');
  expect(out).toMatch(/Exit code 1: the two differ\.\n$/);
  expect(code).toBe(1);
  for (const kind of reportKinds) {
    const text = readFileSync(join(folder, kind), 'utf8');
    expect(text.length).toBeGreaterThan(500);
    for (const key of [a.keys.good, b.keys.good]) expect(text).not.toContain(key);
  }
}, 60_000);
