// Another client of the same key takes a part of its window: the run slows down, and says what it did not check.
import { afterEach, expect, test } from 'vitest';
import { idleCheck, idleScenario } from '../../fixtures/test-kit/sample-report.ts';
import { startScriptedServer } from '../../fixtures/test-kit/scripted-server.ts';
import { virtualClock } from '../../fixtures/test-kit/virtual-clock.ts';
import { responsesTo } from '../exchange/history.ts';
import { runConformance } from '../index.ts';
import { hasStatus } from '../judge/expect.ts';
import { conclude } from '../report/outcome.ts';
import { get } from '../scenarios/scenario.ts';

const ids = Array.from({ length: 60 }, (_, index) => `test/check-${index}`);
const scenarios = ids.map((id) =>
  idleScenario(id, {
    *ask() {
      yield* get('getSite', { id });
      return undefined;
    },
  }),
);
const checks = ids.map((id) =>
  idleCheck(id, {
    *judge(history) {
      for (const exchange of responsesTo(history, 'getSite')) {
        const tested = exchange.target.endsWith(encodeURIComponent(id))
          ? hasStatus(exchange, 200, '4.sites.list')
          : null;
        if (tested !== null) yield tested;
      }
    },
  }),
);
let close: () => Promise<void> = async () => {};
afterEach(() => close());

/** The limit of a key, exact and sliding; the other client sends one request each `everyMs`. */
async function auditNextTo(everyMs: number, pace: 'auto' | 'off' = 'auto') {
  const clock = virtualClock(Date.UTC(2026, 0, 1));
  const admitted: number[] = [];
  let [nextAt, rejected] = [clock.now() - 60_000, 0];
  const isAdmitted = (at: number) => {
    if (admitted.filter((each) => each > at - 60_000).length >= 60) return false;
    admitted.push(at);
    return true;
  };
  const server = await startScriptedServer(() => {
    for (; nextAt <= clock.now(); nextAt += everyMs) isAdmitted(nextAt);
    if (isAdmitted(clock.now())) return {};
    rejected += 1;
    const oldest = admitted.at(-60) ?? 0;
    const wait = String(Math.ceil((oldest + 60_000 - clock.now()) / 1000));
    return { status: 429, headers: { 'retry-after': wait }, body: { error: 'rate_limit_exceeded' } };
  });
  close = server.close;
  const report = await runConformance({
    baseUrl: server.baseUrl,
    keys: { good: 'key_0123456789abcdef0123456789abcdef' },
    clock,
    pace,
    checks,
    scenarios,
    minutes: 2,
    skip: ['rule/*'],
  });
  return { report, rejected, ending: conclude(report) };
}

test.each([
  ['half of the limit', 2000, 58, 10],
  ['two thirds of the limit', 1500, 58, 15],
  ['nine tenths of the limit', 1100, 50, 25],
])('next to a client that uses %s, most requests are admitted', async (_, everyMs, passed, rejectedMax) => {
  const { report, rejected } = await auditNextTo(everyMs);
  expect(report.summary.pass).toBeGreaterThanOrEqual(passed);
  expect(rejected).toBeLessThanOrEqual(rejectedMax);
});

test('next to a client that uses the whole limit, the result says how much is open', async () => {
  const { report, ending } = await auditNextTo(900);
  expect(report.summary).toMatchObject({ fail: 0, error: 0 });
  expect(ending.exitCode).toBe(3);
  expect(ending.sentence).toMatch(/^\d+ of 60 checks are open: other clients use the rate limit/);
});

test('a run without pacing names the flag, not other clients', async () => {
  const { ending } = await auditNextTo(900, 'off');
  expect(ending).toMatchObject({ exitCode: 3, sentence: expect.stringMatching(/ open: --pace off exceeds/) });
});

test('the result of a run without failures names an open check', async () => {
  const { ending } = await auditNextTo(2000);
  expect(ending).toMatchObject({ exitCode: 0, sentence: expect.stringContaining('1 check is open: other clients') });
});
