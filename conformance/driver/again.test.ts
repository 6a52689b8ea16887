import { describe, expect, test } from 'vitest';
import { sampleFinding } from '../../fixtures/test-kit/sample-report.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { RequestSpec } from '../exchange/request.ts';
import type { Cause } from '../report/diagnosis/causes.ts';
import { sendAgain } from './further.ts';
import type { Session } from './session.ts';

const bad = {
  id: 'x1',
  method: 'GET',
  operation: 'listCalls',
  target: '/connect/calls/log?limit=1',
  key: 'good',
  status: 500,
};
const cause = { finding: { pointer: '#status', exchange: 'x1' }, checks: ['a/a'], control: null, scope: { of: 1 } };

async function requestsFor(
  exchange: object,
  { causes = [cause], isDown = null }: { causes?: object[]; isDown?: string | null },
) {
  const sent: RequestSpec[] = [];
  const client = { isDown: () => isDown, deliver: async (spec: RequestSpec) => sent.push(spec) };
  const session = { client, exchanges: [{ ...bad, ...exchange } as Exchange] } as unknown as Session;
  await sendAgain(session, causes as unknown as Cause[], []);
  return sent.map(({ path }) => path);
}

const [same, without] = ['/connect/calls/log?limit=1', '/connect/calls/log'];

describe('sendAgain', () => {
  test.each<[string, object, object, string[]]>([
    ['repeats a read twice, and sends it without its query', {}, {}, [same, same, without]],
    ['sends no control request where the run has one', {}, { control: {} }, [same, same]],
    ['sends no control request without a query', { target: without }, {}, [without, without]],
    ['repeats nothing that was seen three times', {}, { scope: { of: 3 } }, [without]],
    [
      'repeats a request that a rule can test',
      {},
      { checks: ['rule/a'], finding: { pointer: '/data', exchange: 'x1' } },
      [same, same],
    ],
    ['repeats nothing that only the check could test', {}, { finding: { pointer: '/data', exchange: 'x1' } }, []],
    ['never repeats a write', { method: 'POST' }, {}, []],
    ['never repeats a part of a burst', { burst: true }, {}, []],
    ['never repeats a rejection by a rate limit', { status: 429 }, {}, []],
    ['never sends a request without a response', { status: 0 }, {}, []],
    ['never sends an altered key', { key: 'wrong' }, {}, []],
    ['sends nothing outside the operations', { operation: null }, {}, []],
  ])('%s', async (_, exchange, more, paths) => {
    expect(await requestsFor(exchange, { causes: [{ ...cause, ...more }] })).toEqual(paths);
  });

  test.each<[string, string[], number]>([
    ['until a record returns and six responses are known', ['a', 'a b'], 4],
    ['three times where identical requests return the same', ['a b', 'a b'], 3],
  ])('repeats a list that contradicts other responses %s', async (_, lists, times) => {
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
    const exchanges = [list(0), list(1)] as unknown as Exchange[];
    const deliver = async () => exchanges.push(list(exchanges.length) as unknown as Exchange);
    const finding = { ...sampleFinding({ exchange: 'x1', pointer: '/data', expected: 'b' }), proof: [] };
    const causes = [{ ...cause, finding }] as unknown as Cause[];
    await sendAgain({ client: { isDown: () => null, deliver }, exchanges } as unknown as Session, causes, []);
    expect(exchanges).toHaveLength(2 + times);
  });

  test('sends at most 30 requests in a run, and none to a deployment that is down', async () => {
    const causes = Array.from({ length: 11 }, () => cause);
    expect(await requestsFor({}, { causes })).toHaveLength(30);
    expect(await requestsFor({}, { isDown: 'platform' })).toEqual([]);
  });
});
