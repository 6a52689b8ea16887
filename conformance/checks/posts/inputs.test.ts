import { describe, expect, test } from 'vitest';
import { bench } from '../../../fixtures/test-kit/check-bench.ts';
import type { Exchanged } from '../../../fixtures/test-kit/rewriting-proxy.ts';
import { replies } from '../reviews/reviews.ts';
import { absentCopiesOfWrites } from './inputs.ts';
import { posts } from './posts.ts';

const checks = [...posts.filter(({ id }) => id === 'posts/wrong-inputs'), ...replies, ...absentCopiesOfWrites];
/** Looks at the input before the account. */
const inputFirst = { precedence: ['schema', 'existence', 'state', 'payment', 'item'] } as const;
const id = 'connect/absent-copies';

/** Adds a problem of a field to what rejects posts or replies. */
const naming = (path: RegExp, field: string) => () => (one: Exchanged) =>
  one.method === 'POST' && one.status === 400 && path.test(one.path)
    ? { body: { error: { code: 'invalid_input', message: '', issues: [{ path: 'text' }, { path: field }] } } }
    : undefined;

/** Rejects ids of version 7 before it looks at anything else. */
const malformed = () => (one: Exchanged) =>
  one.method === 'POST' && /dead-7bad/i.test(one.path)
    ? { status: 400, body: { error: { code: 'invalid_input', message: '', issues: [{ path: 'accountId' }] } } }
    : undefined;

describe('copies that a body lacks', () => {
  test.each([
    ['that takes them for granted', inputFirst, 'pass'],
    ['that requires them', 'strict', 'warn'],
    ['that looks for the account first', 'plain', 'inconclusive(vacuous)'],
  ] as const)('are checked on a legal server %s', async (_, variant, result) => {
    const { results, report } = await bench({ checks, variant });
    expect(results[id]).toBe(result);
    expect(report.checks.find((check) => check.id === id)?.exchanges).toEqual([]);
  });

  test('fail a server that calls an id of version 7 malformed, where replies miss no copy', async () => {
    const { results, report } = await bench({ checks, variant: inputFirst, spoil: malformed });
    expect(results[id]).toBe('fail');
    const [finding] = report.checks.find((check) => check.id === id)?.findings ?? [];
    expect(finding?.clause).toBe('2.create-post-input.account-id-pattern');
  });

  test('warn of posts alone that miss theirs, when a right copy is taken', async () => {
    const { report } = await bench({ checks, variant: inputFirst, spoil: naming(/posts$/, 'accountId') });
    const findings = report.checks.find((check) => check.id === id)?.findings.map(({ clause }) => clause);
    expect(findings).toEqual(['2.create-post-input.account-id']);
  });
});
