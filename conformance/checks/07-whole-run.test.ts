import { describe, expect, test } from 'vitest';
import { VARIANT_NAMES } from '../../proof/independent/index.ts';
import { bench } from '../../proof/test-kit/check-bench.ts';
import type { Answered } from '../../proof/test-kit/rewriting-proxy.ts';
import type { Check } from '../probe/check.ts';
import { accounts } from './04-accounts.ts';
import { insights } from './04-insights.ts';
import { linksWritten } from './04-links-written.ts';
import { postsWritten } from './04-posts-written.ts';
import { repliesWritten } from './04-replies-written.ts';
import { reviews } from './04-reviews.ts';
import { returningRows } from './07-returning-rows.ts';
import { wholeRun } from './07-whole-run.ts';
import { bodyCap } from './08-body-cap.ts';

const checks = [...accounts, ...reviews, ...insights, ...linksWritten, ...postsWritten, ...repliesWritten];
const all = [...checks, ...bodyCap, ...wholeRun];
const run = ({ accounts: { postable } }: { accounts: { postable: string } }) =>
  ({ allowWrites: ['posts', 'replies', 'links'], maxWrites: 60, account: postable }) as const;

function withIssues(issues: unknown) {
  return () => (one: Answered) =>
    one.body?.error?.code === 'invalid_input' ? { body: { error: { ...one.body.error, issues } } } : undefined;
}

describe('the operations that a whole run has shown', () => {
  test.each(VARIANT_NAMES)('raises no alarm on the legal variant %s', async (variant) => {
    const { alarms } = await bench({ checks: [...bodyCap, ...wholeRun], variant });
    expect(alarms).toEqual([]);
  });

  test('holds all six operations where each has answered, and none without permission', async () => {
    expect((await bench({ checks: all, run })).verdicts['accounts/six-operations']).toBe('pass');
    const { verdicts, report } = await bench({ checks: all });
    expect(verdicts['accounts/six-operations']).toBe('inconclusive(precondition)');
    expect(report.coverage.find(({ clause }) => clause === '1.connect-operations')?.verdict).toBe('inconclusive');
  });

  test.each<[string, unknown, string]>([
    ['one of two problems', [{ path: 'provider', message: 'missing' }], 'warn'],
    ['nothing but an empty entry', [{}], 'warn'],
    ['both in one entry', [{ message: 'provider and label are missing' }], 'pass'],
    ['both', [{ path: 'provider' }, { path: 'label' }], 'pass'],
    ['both by name', { provider: 'missing', label: 'missing' }, 'pass'],
    ['both, one level deeper', { fieldErrors: { provider: ['missing'], label: ['missing'] } }, 'pass'],
  ])('judges issues that list %s', async (_, issues, verdict) => {
    const { verdicts } = await bench({ checks: [...bodyCap, ...wholeRun], spoil: withIssues(issues) });
    expect(verdicts['links/each-problem']).toBe(verdict);
  });
});

describe('rows that come back', () => {
  const reader: Check = {
    id: 'sites/reader',
    title: 'reads the sites five times',
    cites: ['4.sites.list'],
    level: 'must',
    phase: 'discover',
    cost: { requests: 5 },
    async run(probe) {
      for (let read = 0; read < 5; read += 1) await probe.send({ operation: 'listSites' });
    },
  };

  test.each<[string, (asked: number) => boolean, string]>([
    ['is always there', () => false, 'pass'],
    ['is deleted meanwhile', (asked) => asked > 2, 'pass'],
    ['is made meanwhile', (asked) => asked < 3, 'pass'],
    ['is missing from one answer', (asked) => asked === 3, 'fail'],
  ])('judges a site that %s', async (_, isMissing, verdict) => {
    const spoil = () => {
      let asked = 0;
      return ({ path, body }: Answered) => {
        if (path !== '/sites') return undefined;
        asked += 1;
        return isMissing(asked) ? { body: { ...body, data: body.data.slice(0, -1) } } : undefined;
      };
    };
    const { verdicts } = await bench({ checks: [reader, ...returningRows], spoil });
    expect(verdicts['lists/no-return']).toBe(verdict);
  });
});
