import { describe, expect, it } from 'vitest';
import { runConformance } from '../../conformance/index.ts';
import type { Report } from '../../conformance/report/report.ts';
import { NAMED } from '../independent/index.ts';
import { startIndependentTarget, startMockTarget, type Target } from '../rigs/targets.ts';

async function judge({ options, close }: Target, changes: Partial<Target['options']> = {}): Promise<Report> {
  try {
    return await runConformance({ ...options, ...changes });
  } finally {
    await close();
  }
}

function alarms({ checks }: Report): string[] {
  return checks
    .filter(({ verdict }) => verdict.kind === 'fail' || verdict.kind === 'error')
    .map(
      ({ id, verdict, findings }) =>
        `${id}: ${verdict.message ?? ''} ${findings.map((f) => `${f.expected}, not ${f.actual}`).join('; ')}`,
    );
}

const worlds = ['default', 'empty', 'tied-articles', 'unpaid', 'huge'] as const;

describe('the kit raises no alarm', () => {
  it.each(Object.keys(NAMED))(
    'on the second implementation in its variant %s, with permission for everything',
    async (variant) => {
      expect(alarms(await judge(await startIndependentTarget({ variant })))).toEqual([]);
    },
  );

  it.each(worlds)('on the mock in its world %s', async (world) => {
    expect(alarms(await judge(await startMockTarget({ world })))).toEqual([]);
  });

  it('on the mock that judges its own answers', async () => {
    expect(alarms(await judge(await startMockTarget({ strict: true })))).toEqual([]);
  });

  it('on the relaxed mock, when it leaves the limits alone', async () => {
    const target = await startMockTarget({ limits: false, settleS: 0 });
    const { sourceAddresses: _addresses, callEndedAtField: _field, ...options } = target.options;
    const changes = { gentle: true, watch: false };
    expect(alarms(await judge({ ...target, options }, changes))).toEqual([]);
  });

  it.each(Array.from({ length: 20 }, (_, i) => i + 1))('on the greased mock with seed %i', async (grease) => {
    expect(alarms(await judge(await startMockTarget({ grease })))).toEqual([]);
  });

  it.each([
    ['unknownSite', 'empty'],
    ['articlesUnknownSite', 'not_found'],
    ['badArticleQuery', 'clamp'],
    ['malformedId', 'invalid_input'],
    ['retryAfter', 'never'],
    ['retryAfter', 'always'],
    ['reviewEnd', 'absent'],
    ['bodyCap', 'before-key'],
    ['blockedCount', 'yes'],
    ['snapshotRunning', 'hide'],
  ] as const)('on the mock that reads the contract with %s=%s', async (name, value) => {
    expect(alarms(await judge(await startMockTarget({ choices: { [name]: value } })))).toEqual([]);
  });
});

describe('a plain audit', () => {
  it('sends no write, and no more requests than it planned', async () => {
    const target = await startMockTarget();
    const { baseUrl, keys, clock } = target.options;
    const report = await judge({
      ...target,
      options: { baseUrl, keys: { good: keys.good }, ...(clock ? { clock } : {}) },
    });
    expect(report.used.requests).toBeLessThanOrEqual(report.plan.requests.ceiling);
    expect(report.used.requests).toBeGreaterThanOrEqual(report.plan.requests.floor);
    expect(report.exchanges.filter(({ method, status }) => method !== 'GET' && status < 400)).toEqual([]);
  });
});
