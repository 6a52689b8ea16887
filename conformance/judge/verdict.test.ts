import { describe, expect, test } from 'vitest';
import { historyOf } from '../../fixtures/test-kit/history.ts';
import { idleCheck } from '../../fixtures/test-kit/sample-report.ts';
import { responsesTo } from '../exchange/history.ts';
import { about } from './claims.ts';
import { type Judging, type Outcome, resultOf } from './verdict.ts';

const lists = historyOf([['good GET /sites', { data: [] }]]);
const check = idleCheck('test/one', {
  scenarios: ['a', 'b'],
  *judge(history) {
    for (const one of responsesTo(history, 'listSites'))
      yield { ...about(one, '4.sites.list'), isTrue: one.status === 200, expected: '200', actual: `${one.status}` };
  },
});

const asked = (...exchanges: string[]): Extract<Outcome, { kind: 'asked' }> => ({ kind: 'asked', exchanges });
const skipped: Extract<Outcome, { kind: 'skipped' }> = { kind: 'skipped', message: 'needs --mcp-url URL' };
const leftOut: Outcome = { kind: 'left out', message: 'not enough requests' };
const trouble = { doubt: 'platform', message: 'returned 503' } as const;

function verdict(a: Outcome | null, b: Outcome | null, rest: Partial<Judging> = {}): string {
  const outcomes = new Map<string, Outcome>([...(a ? [['a', a] as const] : []), ...(b ? [['b', b] as const] : [])]);
  const row = resultOf(check, { history: historyOf([]), outcomes, ...rest });
  const { kind, reason, message } = row?.result ?? { kind: 'left out' };
  return [kind, reason, message].filter((part) => part !== undefined).join(': ');
}

describe('the result of a check', () => {
  test.each<readonly [string, Outcome | null, Outcome | null, Partial<Judging>, string]>([
    ['the result that the history shows, even if no scenario ran', skipped, leftOut, { history: lists }, 'pass'],
    [
      'open, if a scenario met trouble',
      asked('x1'),
      { ...asked(), trouble },
      { history: lists },
      'inconclusive: platform: returned 503',
    ],
    ['an error, if a scenario broke', { ...asked(), trouble: { crash: 'oops' } }, null, {}, 'error: oops'],
    [
      'the flag that all its scenarios need',
      skipped,
      { ...skipped, message: 'needs --mcp-url URL and more' },
      {},
      'skipped: needs --mcp-url URL',
    ],
    ['the requests that were missing', skipped, leftOut, {}, 'inconclusive: budget: not enough requests'],
    [
      'the reason why a scenario sent no requests',
      { ...asked(), why: 'no site' },
      leftOut,
      {},
      'inconclusive: precondition: no site',
    ],
    ['vacuous, if nothing could have failed', asked('x1'), leftOut, {}, 'inconclusive: vacuous: no response to test'],
  ])('is %s', (_, a, b, rest, result) => {
    expect(verdict(a, b, rest)).toBe(result);
  });

  const ended = (since: number) => ({ history: lists, ended: { sentence: 'the key was revoked', since } });
  test.each<[string, Outcome | null, Outcome | null, number, string]>([
    ['stays, if the deployment changed later', asked('x1'), asked('x2'), 3, 'pass'],
    [
      'is open, if it changed before the last exchange',
      asked('x1'),
      asked('x2'),
      2,
      'inconclusive: platform: the key was revoked',
    ],
    ['is open, if a scenario did not run', asked('x1'), null, 3, 'inconclusive: platform: the key was revoked'],
    ['is left out, if no scenario ran', null, null, 3, 'left out'],
  ])('of a run that ended early %s', (_, a, b, since, result) => {
    expect(verdict(a, b, ended(since))).toBe(result);
  });
});
