// The command from its words to its files, on two servers and one clock.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownCache } from '../../fixtures/test-kit/kit-command.ts';
import { newFolder } from '../../fixtures/test-kit/own-tmp.ts';
import { virtualClock } from '../../fixtures/test-kit/virtual-clock.ts';
import { startIndependent } from '../../proof/independent/index.ts';
import { reportKinds } from '../report/outcome.ts';
import { main } from './command.ts';

test('conformance diff compares two deployments, each with its own key, and writes every report', async () => {
  const clock = virtualClock(Date.UTC(2026, 2, 10, 9));
  const [a, b] = await Promise.all(
    (['plain', 'strict'] as const).map((variant) => startIndependent({ now: () => clock.now(), variant })),
  );
  if (a === undefined || b === undefined) throw new Error('there are two');
  const folder = newFolder();
  const reports = reportKinds.flatMap((kind) => ['--report', `${kind}=${join(folder, kind)}`]);
  let out = '';
  const write = (text: string) => {
    out += text;
  };
  const environment = {
    ...ownCache,
    CONFORMANCE_API_KEY_A: a.keys.good,
    OTHER: b.keys.good,
    CONFORMANCE_SECOND_KEY_A: a.keys.second,
    CONFORMANCE_SECOND_KEY_B: b.keys.second,
  };
  const code = await main(['diff', a.baseUrl, b.baseUrl, '--key-b', 'OTHER', '--gentle', ...reports], environment, {
    out: write,
    err: { isTty: false, columns: 80, write: () => undefined },
    hasColor: false,
    clock,
  });
  await Promise.all([a.close(), b.close()]);
  expect(out).toContain('differs legally  timestampForm (behavior)');
  expect(out).toMatch(/Exit code 1\.\n$/);
  expect(code).toBe(1);
  for (const kind of reportKinds) {
    const text = readFileSync(join(folder, kind), 'utf8');
    expect(text.length).toBeGreaterThan(500);
    for (const key of [a.keys.good, b.keys.good, a.keys.second, b.keys.second]) expect(text).not.toContain(key);
  }
  const { exchanges, dimensions, seconds, ...json } = JSON.parse(readFileSync(join(folder, 'json'), 'utf8'));
  const isShared = ({ id }: { id: string }) => id === '1.organization-scope';
  expect(dimensions.find(isShared)).toMatchObject({ outcome: 'same', a: 'verified', responses: null });
  for (const { id, requestHeaders } of exchanges as { id: string; requestHeaders: Record<string, string> }[])
    expect(requestHeaders.authorization ?? '$').toContain(id.startsWith('a1.') ? '$CONFORMANCE_API_KEY_A' : '$OTHER');
  // Both run concurrently, and each waits for the other.
  expect(seconds).toBeGreaterThanOrEqual(Math.max(json.a.seconds, json.b.seconds));
  expect(seconds).toBeLessThan(json.a.seconds + json.b.seconds);
}, 60_000);
