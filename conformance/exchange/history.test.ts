import { describe, expect, test } from 'vitest';
import { historyOf, type Line, recordHistory } from '../../fixtures/test-kit/history.ts';
import { startMockTarget } from '../../fixtures/test-kit/targets.ts';
import { checks } from '../checks/index.ts';
import { isolation } from '../checks/keys/isolation.ts';
import { sites } from '../checks/sites/sites.ts';
import { judgeAll } from '../judge/judge.ts';
import { makeRedact } from '../report/redact.ts';
import { load, makeHistory, precedes, save } from './history.ts';

describe('a history', () => {
  test.each(['', 'accounts-flicker'])('is judged in the same way after it was saved and loaded: %s', async (mutant) => {
    const target = await startMockTarget(mutant === '' ? {} : { mutant });
    const { history } = await recordHistory(target, [...sites, ...isolation]);
    const { good } = target.options.keys;
    const redact = makeRedact([{ value: good, placeholder: '$KEY' }]);
    const kinds = (judged: typeof history) => judgeAll(checks, judged).map(({ id, result }) => [id, result]);
    expect(history.exchanges.length).toBeGreaterThan(9);
    expect(judgeAll(checks, load(save(history)))).toEqual(judgeAll(checks, history));
    expect(kinds(load(save(history, redact)))).toEqual(kinds(history));
    expect(save(history, redact)).not.toContain(good);
  });

  test.each(['', '{}', '{"exchanges":[{}]}', '{"exchanges":{}}'])('is not %s', (text) => {
    expect(() => load(text)).toThrow('This is not a saved history: it has no list of exchanges.');
  });

  test('is in the order of sending, in which concurrent requests have no place', () => {
    const at = (sentAt: number, receivedAt: number, burst = false) => ({ sentAt, receivedAt, burst });
    const times = [at(0, 10), at(10, 20), at(15, 30), at(30, 30, true), at(30, 30, true)];
    const all = historyOf(times.map((rest): Line => ['good GET /sites', {}, rest])).exchanges;
    const ordered = all.flatMap((one, n) =>
      all
        .slice(n + 1)
        .filter((other) => precedes(one, other))
        .map(({ id }) => one.id + id),
    );
    expect(ordered).toEqual(['x1x2', 'x1x3', 'x1x4', 'x1x5', 'x2x4', 'x2x5', 'x3x4', 'x3x5']);
    expect(makeHistory([...all].reverse()).exchanges).toEqual(all);
  });
});
