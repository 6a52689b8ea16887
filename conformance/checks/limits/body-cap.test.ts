import { describe, expect, test } from 'vitest';
import { type Scripted, startScriptedServer } from '../../../fixtures/test-kit/scripted-server.ts';
import { virtualClock } from '../../../fixtures/test-kit/virtual-clock.ts';
import { runConformance } from '../../index.ts';
import { bodyCap } from './body-cap.ts';

const cap = 2_500_000;
const tooLarge: Scripted = { status: 413, body: { error: { code: 'payload_too_large', message: 'too large' } } };
const invalid: Scripted = { status: 400, body: { error: { code: 'invalid_input', message: 'no', issues: ['x'] } } };

const unknown: Scripted = { status: 404, body: { error: { code: 'not_found', message: 'no' } } };

/** Chooses the response by the size in the headers; chunked requests have none. */
async function audit(
  response: (bytes: number | null) => Scripted,
  { watch = true, ofSmall = unknown as Scripted } = {},
): Promise<Record<string, string>> {
  const clock = virtualClock(Date.UTC(2026, 4, 1));
  const server = await startScriptedServer((path, { method, headers }) => {
    if (method === 'GET') return { body: path.startsWith('/sites') ? { data: [] } : {} };
    const length = headers['content-length'];
    if (path.includes('/posts') && length === undefined) return ofSmall;
    return response(length === undefined ? null : Number(length));
  });
  try {
    const keys = { good: 'cap_0123456789abcdef0123456789abcdef' };
    const effort = watch ? { watch } : { requests: 60 };
    const run = await runConformance({ baseUrl: server.baseUrl, keys, clock, checks: bodyCap, ...effort });
    const own = run.checks.filter(({ id }) => id.startsWith('limits/'));
    return Object.fromEntries(own.map(({ id, result }) => [id.slice('limits/body-'.length), result.kind]));
  } finally {
    await server.close();
  }
}

describe('the checks of the body cap', () => {
  test.each<[string, (bytes: number | null) => Scripted, Record<string, string>]>([
    ['is at its byte', (bytes) => ((bytes ?? cap + 1) > cap ? tooLarge : invalid), { over: 'pass' }],
    ['is everywhere', (bytes) => ((bytes ?? cap + 1) > cap ? tooLarge : invalid), { 'over-cap-elsewhere': 'pass' }],
    ['looks at Content-Length only', (bytes) => ((bytes ?? 0) > cap ? tooLarge : invalid), { 'in-chunks': 'fail' }],
    [
      'wants to know the length',
      (bytes) => (bytes === null ? { status: 411, body: { error: {} } } : bytes > cap ? tooLarge : invalid),
      { 'in-chunks': 'inconclusive' },
    ],
    [
      'comes after a payment',
      () => ({ status: 402, body: { error: { code: 'payment_required', message: '', reason: 'card' } } }),
      { 'at-cap': 'inconclusive', 'over-cap': 'inconclusive' },
    ],
  ])('check a cap that %s', async (_, response, expected) => {
    const { over, ...others } = expected;
    const wanted = over === undefined ? others : { 'at-cap': 'pass', 'over-cap': 'pass', 'in-chunks': 'pass' };
    expect(await audit(response)).toMatchObject(wanted);
  });

  const byLength = (bytes: number | null) => ((bytes ?? 0) > cap ? tooLarge : invalid);

  test.each<[string, boolean, Record<string, string>]>([
    ['in a plain audit', false, { 'over-cap': 'fail' }],
    ['with all the time', true, { 'over-cap': 'pass', 'in-chunks': 'fail' }],
  ])('catch a cap that looks at Content-Length only, %s', async (_, watch, expected) => {
    expect(await audit(byLength, { watch })).toMatchObject(expected);
  });

  test.each<[string, boolean, Record<string, string>]>([
    ['in a plain audit', false, { 'over-cap': 'pass' }],
    ['with all the time', true, { 'over-cap': 'pass', 'in-chunks': 'inconclusive' }],
  ])('leave a server alone that reads no chunks at all, %s', async (_, watch, expected) => {
    expect(await audit(byLength, { watch, ofSmall: invalid })).toMatchObject(expected);
  });
});
