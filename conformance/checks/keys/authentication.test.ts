import { describe, expect, test } from 'vitest';
import { bench } from '../../../fixtures/test-kit/check-bench.ts';
import { historyOf, judged, type Line } from '../../../fixtures/test-kit/history.ts';
import type { Exchanged, Spoiled } from '../../../fixtures/test-kit/rewriting-proxy.ts';
import { variantNames } from '../../../proof/independent/index.ts';
import { addressBurst, keyedBursts } from '../limits/address-burst.ts';
import { afterBurst } from '../limits/after-burst.ts';
import { authentication } from './authentication.ts';

const coded = (code: string) => ({ error: { code, message: '' } });
const unauthorized = coded('unauthorized');
const as = (authorization: string) => ({ requestHeaders: { authorization } });
const nobody = 'c0ffee00-dead-4bad-8bad-000000000000';

/** The result and the findings of each check that has something to say. */
function outcomes(lines: Line[], isRecorded = false): Record<string, string> {
  const rows = authentication.map((check) => [check.id, judged(check, historyOf(lines, { isRecorded }))] as const);
  const said = rows.filter(([, { result }]) => !result.startsWith('inconclusive'));
  return Object.fromEntries(said.map(([id, { result, findings }]) => [id, [result, ...findings].join(', ')]));
}

describe('a request without a valid key', () => {
  test.each<[string, Line, Record<string, string>]>([
    ['is rejected', ['none GET /sites', unauthorized], { 'auth/missing-key': 'pass' }],
    ['is accepted', ['none GET /sites', { data: [] }], { 'auth/missing-key': 'fail, fail 4.bearer x1' }],
    [
      'is rejected in another way',
      ['none GET /sites', unauthorized, { status: 403 }],
      { 'auth/missing-key': 'fail, fail 5.missing-key x1' },
    ],
    [
      'has a scheme alone',
      ['wrong GET /connect/accounts', coded('not_found'), as('Bearer')],
      { 'auth/missing-key': 'fail, fail 4.bearer x1' },
    ],
    ['has an unknown key', ['wrong GET /sites', { data: [] }], { 'auth/wrong-key': 'fail, fail 5.invalid-key x1' }],
    [
      'learns whether there is a record',
      [`wrong GET /articles/${nobody}`, coded('not_found')],
      { 'auth/wrong-key': 'fail, fail 5.invalid-key x1' },
    ],
    [
      'must reconnect an account',
      ['wrong GET /connect/accounts', coded('provider_auth')],
      { 'auth/wrong-key': 'fail, fail 5.provider-auth x1' },
    ],
    [
      'reads the call log',
      ['revoked GET /connect/calls/log', unauthorized, { status: 403 }],
      { 'auth/revoked-key': 'fail, fail 5.revoked-key x1, fail 4.calls.statuses x1' },
    ],
    ['has a revoked key', ['revoked GET /sites', unauthorized], { 'auth/revoked-key': 'pass' }],
    [
      'has the valid key under another scheme',
      ['wrong GET /sites', { data: [] }, as('Basic $CONFORMANCE_API_KEY')],
      { 'auth/other-schemes': 'fail, fail 4.bearer x1' },
    ],
    [
      'has the valid key without a scheme',
      ['wrong GET /sites', { data: [] }, as('$CONFORMANCE_API_KEY')],
      { 'auth/other-schemes': 'warn, warn 5.bearer-header x1' },
    ],
  ])('is judged if it %s', (_, line, expected) => expect(outcomes([line])).toEqual(expected));

  test('may have its digits in another letter case (R61)', () => {
    const sent = (body: unknown): Line => ['wrong GET /sites', body, { label: 'key in another letter case' }];
    const rejected: Line = ['wrong GET /sites', unauthorized];
    const noted = { 'auth/wrong-key': 'pass, note 5.invalid-key x2' };
    expect(outcomes([rejected, sent({ data: [] })])).toEqual(noted);
    expect(outcomes([rejected, sent(unauthorized)])).toEqual({ 'auth/wrong-key': 'pass' });
  });

  test.each<[string, Line[], boolean]>([
    ['a rate limit', [['none GET /sites', { error: 'Too many requests' }, { status: 429 }]], false],
    ['a platform in trouble', [['wrong GET /connect/accounts', coded('upstream'), { status: 503 }]], false],
    [
      'a network that rejects its own header',
      [['none GET /sites', null, { status: 403, requestHeaders: { 'cf-connecting-ip': '198.51.100.7' } }]],
      false,
    ],
    ['a path outside the contract', [['none GET /health', {}]], false],
    ['the MCP endpoint', [['none mcp', {}]], false],
    ['a recording, whose keys are unknown to us', [['wrong GET /sites', { data: [] }]], true],
  ])('says nothing about the service: %s', (_, lines, isRecorded) => {
    expect(outcomes(lines, isRecorded)).toEqual({});
  });
});

describe('the scenarios of keys', () => {
  const checks = [...addressBurst, ...afterBurst, ...keyedBursts, ...authentication];

  // The kill matrix runs them in a burst on all variants.
  test.each(variantNames)('cause no finding on the legal variant %s one by one', async (variant) => {
    expect((await bench({ checks, variant, run: { gentle: true, watch: true } })).failures).toEqual([]);
  });

  test.each([true, false])('ask every operation without a key, without the burst: %s', async (gentle) => {
    const { report } = await bench({ checks, run: { watch: true, gentle } });
    const rejected = report.exchanges.filter(({ key, status }) => key === 'none' && status === 401);
    expect(new Set(rejected.map(({ operation }) => operation)).size).toBe(12);
  });

  test('send each operation no key or another one in one minute, and one of them another scheme', async () => {
    const { report } = await bench({ checks, run: { minutes: 1 } });
    const sent = report.exchanges.filter(({ key, status }) => key !== 'good' && status === 401);
    expect(new Set(sent.map(({ operation }) => operation)).size).toBe(12);
    const headers = sent.map(({ requestHeaders }) => requestHeaders.authorization);
    expect(headers).toContain('Basic $CONFORMANCE_API_KEY');
  });

  test.each(['/sites', '/connect/accounts'])('detect that %s is open to everybody after a valid key', async (path) => {
    const known = new Map<string, Spoiled>();
    const spoil = (one: Exchanged) => {
      if (one.status === 200 && one.path === '/sites') known.set(path, { status: 200, body: one.body });
      return one.status === 401 ? known.get(one.path) : undefined;
    };
    const { results } = await bench({ checks, run: { minutes: 1, gentle: true }, spoil: () => spoil });
    expect(Object.values(results)).toContain('fail');
  });
});
