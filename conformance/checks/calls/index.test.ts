import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { benchLog, modelFields, usualCalls } from '../../../fixtures/test-kit/call-log-bench.ts';
import { type Decisions, type ModelCall, makeCall } from '../../../fixtures/test-kit/call-log-model.ts';
import { bench, benchStartMs } from '../../../fixtures/test-kit/check-bench.ts';
import { counted, withData } from '../../../fixtures/test-kit/check-tests.ts';
import { type Exchanged, rejection } from '../../../fixtures/test-kit/rewriting-proxy.ts';
import { variantNames } from '../../../proof/independent/index.ts';
import { causesOf } from '../../diagnosis/causes.ts';
import { calls } from './index.ts';

const minute = 60_000;
const start = benchStartMs;
const isSnapshot = ({ path, query }: Exchanged) => path === '/connect/calls/log' && !query.has('since');

describe('the checks of the call log', () => {
  test.each(variantNames)(
    'accept, without fields of calls, the legal variant %s, and follow their plan',
    async (variant) => {
      const { failures, report } = await bench({ checks: calls, variant });
      // Legal, and warned of: R36 and R67.
      const warned: Record<string, string[]> = {
        consuming: ['calls/re-read warn'],
        strict: ['calls/since-forms warn'],
      };
      expect(failures).toEqual(warned[variant] ?? []);
      const { used, plan } = report;
      expect(used.requests).toBeLessThanOrEqual(plan.requests.ceiling);
    },
  );

  test('all pass on a faithful log with ties, open calls and named fields', async () => {
    const { results, report } = await benchLog(calls, { run: modelFields });
    const others = Object.entries(results).filter(([, outcome]) => outcome !== 'pass');
    expect(others.map(([id]) => id)).toEqual([
      'calls/kept-position',
      'calls/exact-page',
      'calls/page-walk',
      'calls/small-pages',
      'calls/watch',
    ]);
    expect(report.used.requests).toBeLessThanOrEqual(14);
  });

  test('warn of a snapshot that is used up by reading it', async () => {
    const spoil = counted(isSnapshot, (one, sent) =>
      sent === 1 ? undefined : withData(one, { calls: [], nextCursor: null }),
    );
    expect((await bench({ checks: calls, spoil })).results['calls/snapshot-limit']).toBe('warn');
  });

  test.each<[string, (call: ModelCall, index: number) => object, string, string]>([
    ['by its id', (call) => call, ' ("call-38")', ', with call-38 at /data/calls/38/id'],
    ['by a short id', ({ startedAt }, index) => ({ id: index, startedAt }), ' (38)', ', with 38 at /data/calls/38/id'],
    ['by its number if it has no id', ({ startedAt }, index) => ({ startedAt, line: `line ${index}` }), '', ''],
  ])('name the call that is lost between two pages %s', async (_, shape, id, place) => {
    const held = Array.from({ length: 70 }, (_, index) => {
      const call = makeCall(index, start - (70 - Math.trunc(index / 4) * 4) * 10 * minute);
      return { ...call, call: shape(call.call, index) as ModelCall };
    });
    const page: Decisions['page'] = (rest, since) => (since > 0n && rest.length < 67 ? rest.slice(1) : rest);
    const { report } = await benchLog(calls, { held, decisions: { page } });
    const [cause] = causesOf(report);
    const place38 = `call 39${id} left out between x6 and x7: calls 38 and 39 share a timestamp`;
    expect(cause?.finding.actual).toBe(place38);
    expect(cause?.finding.proof?.map(({ exchange, shows }) => `${exchange} ${shows.split(', cursor')[0]}`)).toEqual([
      `x4 returned 70 records${place}`,
      `x6 returned 37 records${place && `, without ${id.replace(/[ ()"]/g, '')}`}`,
      `x7 returned 31 records${place && `, without ${id.replace(/[ ()"]/g, '')}`}`,
    ]);
  });

  test('blame no tie for a cursor after which there is no call', async () => {
    const held = Array.from({ length: 70 }, (_, index) =>
      makeCall(index, start - (70 - Math.trunc(index / 4) * 4) * 10 * minute),
    );
    const { report } = await benchLog(calls, { held, decisions: { page: (rest, since) => (since > 0n ? [] : rest) } });
    const actual = 'call 2 ("call-1") and all later calls left out: no call after the cursor of call 1';
    expect(causesOf(report).map(({ finding }) => finding.actual)).toContain(actual);
  });

  test('read only one row twice and the snapshot of an empty log', async () => {
    const { results, report } = await benchLog(calls, { held: [] });
    expect(results['calls/chain-end']).toBe('pass');
    expect(results['calls/exactly-once']).toBe('inconclusive(vacuous)');
    expect(report.exchanges.filter(({ target }) => target.includes('limit=200'))).toEqual([]);
  });

  test('find no fault with faithful logs of any shape, while calls settle between requests', async () => {
    const offsets = fc.array(fc.integer({ min: -900, max: 60 }), { maxLength: 80 });
    await fc.assert(
      fc.asyncProperty(offsets, fc.boolean(), async (seconds, isLate) => {
        const held = seconds.map((at, index) => {
          const visibleMs = start + Math.trunc(at / 3) * 3_000;
          const late = isLate && index % 5 === 0 ? 20 * minute : 0;
          return makeCall(index, visibleMs - 300_000 - late, visibleMs);
        });
        expect((await benchLog(calls, { held, run: { ...modelFields, pace: 'off' } })).failures).toEqual([]);
        expect((await benchLog(calls, { held })).failures).toEqual([]);
      }),
      { numRuns: 8 },
    );
  });

  test('warn of a log that rejects a since with an offset', async () => {
    const isOffset = ({ path, query }: Exchanged) => path.endsWith('/log') && query.get('since')?.includes('+12:00');
    const spoil = () => (one: Exchanged) => (isOffset(one) ? rejection(400, 'invalid_input') : undefined);
    expect((await bench({ checks: calls, spoil })).failures).toEqual(['calls/since-forms warn']);
  });

  test.each([
    [404, 'not_found', 'fail', 6],
    [500, 'internal', 'fail', 6],
    [402, 'payment_required', 'inconclusive(precondition)', 3],
  ])('take a log that returns %i %s for %s, with one finding', async (status, code, outcome, requests) => {
    const spoil = () => (one: Exchanged) => (one.path.endsWith('/log') ? rejection(status, code) : undefined);
    const { results, report } = await bench({ checks: calls, spoil });
    expect(results['calls/listing']).toBe(outcome);
    expect(Object.values(results).filter((each) => each === 'fail')).toHaveLength(outcome === 'fail' ? 1 : 0);
    // At most three more show how often it fails, and whether it also does without the query. One is the control
    // request.
    expect(report.used.requests).toBe(requests);
  });

  test('check the chain where the snapshot breaks down', async () => {
    const spoil = () => (one: Exchanged) => (isSnapshot(one) ? rejection(500, 'internal') : undefined);
    const { results } = await bench({ checks: calls, spoil });
    const passing = { 'calls/exactly-once': 'pass', 'calls/final': 'pass' };
    expect(results).toMatchObject({ 'calls/snapshot-order': 'fail', ...passing });
  });

  test('stop reading if the gate has shown that reads consume calls', async () => {
    const { report } = await bench({ checks: calls, variant: 'consuming' });
    expect(report.exchanges.filter(({ target }) => target.includes('/log')).map(({ target }) => target)).toEqual([
      '/connect/calls/log?since=1970-01-01T00%3A00%3A00.000Z&limit=1',
      '/connect/calls/log?since=1970-01-01T00%3A00%3A00.000Z&limit=1',
    ]);
  });

  test('read the newest part of a long log instead of all of it', async () => {
    const { results, report, result } = await benchLog(calls, { held: usualCalls(1_000), run: modelFields });
    expect(results['calls/chain-end']).toBe('pass');
    expect(results['calls/settled']).toBe('pass');
    expect(results['calls/final']).toBe('pass');
    expect(result('calls/chain-end').exchanges.length).toBeLessThanOrEqual(6);
    expect(report.used.requests).toBeLessThanOrEqual(report.plan.requests.ceiling);
  });

  test('leave a chain of too many pages undecided', async () => {
    const { results } = await bench({ checks: calls, variant: { callsPageCap: 8 } });
    expect(results['calls/chain-end']).toBe('inconclusive(budget)');
  });
});
