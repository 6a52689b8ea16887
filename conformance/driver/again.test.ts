import { describe, expect, test } from 'vitest';
import { sampleFinding } from '../../fixtures/test-kit/sample-report.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { makeHistory } from '../exchange/history.ts';
import type { Cause } from '../report/diagnosis/causes.ts';
import type { SoFar, Step } from '../scenarios/scenario.ts';
import { repeatsOf } from './again.ts';

const bad = { id: 'x1', method: 'GET', operation: 'listCalls', target: '/log?limit=1', key: 'good', status: 500 };
const cause = { finding: { pointer: '#status', exchange: 'x1' }, checks: ['a/a'], control: null, scope: { of: 1 } };

function requestsFor(exchanges: object[], causes: object[], respond: () => unknown = () => undefined) {
  const history = () => makeHistory(exchanges as Exchange[]);
  const asks = repeatsOf(causes as unknown as Cause[], []).ask({ history } as SoFar) as Iterable<Step>;
  return Array.from(asks, (step) => {
    respond();
    return step.step === 'raw' ? step.spec.path : step.step;
  });
}

const ofData = { pointer: '/data', exchange: 'x1' };
const [same, without] = ['/log?limit=1', '/log'];

describe('the requests for causes', () => {
  test.each<[string, object, object, string[]]>([
    ['repeats a read twice, and sends it without its query', {}, {}, [same, same, without]],
    ['sends no control request where the run has one', {}, { control: {} }, [same, same]],
    ['sends no control request without a query', { target: without }, {}, [without, without]],
    ['repeats nothing that was seen three times', {}, { scope: { of: 3 } }, [without]],
    ['repeats a read for a rule', {}, { checks: ['rule/a'], finding: ofData }, [same, same]],
    ['repeats nothing that only the check could test', {}, { finding: ofData }, []],
    ['never repeats a write', { method: 'POST' }, {}, []],
    ['never repeats a part of a burst', { burst: true }, {}, []],
    ['never repeats a rejection by a rate limit', { status: 429 }, {}, []],
    ['never sends a request without a response', { status: 0 }, {}, []],
    ['never sends an altered key', { key: 'wrong' }, {}, []],
    ['sends nothing outside the operations', { operation: null }, {}, []],
  ])('%s', (_, exchange, more, paths) => {
    expect(requestsFor([{ ...bad, ...exchange }], [{ ...cause, ...more }])).toEqual(paths);
  });

  test.each<[string, string[], number]>([
    ['until a record returns and six responses are known', ['a', 'a b'], 4],
    ['three times where identical requests return the same', ['a b', 'a b'], 3],
  ])('repeats a list that contradicts other responses %s', (_, lists, times) => {
    const list = (index: number) => {
      const ids = (lists[index % lists.length] ?? '').split(' ').map((id) => ({ id }));
      return {
        ...bad,
        id: `x${index + 1}`,
        operation: 'listSites',
        target: '/sites',
        status: 200,
        json: { data: ids },
      };
    };
    const exchanges = [list(0), list(1)];
    const finding = { ...sampleFinding({ exchange: 'x1', pointer: '/data', expected: 'b' }), proof: [] };
    expect(requestsFor(exchanges, [{ ...cause, finding }], () => exchanges.push(list(exchanges.length)))).toHaveLength(
      times,
    );
  });

  test('are at most 30 in a run', () => {
    expect(
      requestsFor(
        [bad],
        Array.from({ length: 11 }, () => cause),
      ),
    ).toHaveLength(30);
  });
});
