import fc from 'fast-check';
import { expect, it } from 'vitest';
import { expiredAccount, googleAccount, type Init, json, startMs } from '../../../fixtures/test-kit/engine.ts';
import { startWatch } from '../../../fixtures/test-kit/watched-engine.ts';
import type { RequestLogEntry } from '../request-log-record.ts';
import { violationsOf } from './judge.ts';
import { violationRules } from './violation.ts';

const since = new Date(startMs - 9e7).toISOString();
const lines = [
  ...['GET /sites', 'GET /articles?limit=0', `GET /connect/accounts/${expiredAccount}/insights`, 'GET /keywords'],
  ...[`GET /connect/accounts/${googleAccount}/reviews`, `POST /connect/accounts/${googleAccount}/posts`],
  ...['', '?since=null', `?since=${since}`, '?since=next', '?since=next&limit=1'].map(
    (q) => `GET /connect/calls/log${q}`,
  ),
];
const repeated = fc.record({
  line: fc.constantFrom(...lines),
  waitsMs: fc.array(fc.constantFrom(0, 5, 150, 900, 1_000, 4_000, 30_000, 60_000), { minLength: 1, maxLength: 4 }),
  more: fc.constantFrom<Init>({}, {}, { key: 'casa_new' }, { connection: 1 }, { connection: 2 }),
  prefer: fc.constantFrom('', '', '', 'code=429', 'code=503'),
});

it.each(['one', 'many'] as const)('finds in a log what the mock reports live, of %s', (clients) => {
  const rules = new Set<string>();
  fc.assert(
    fc.property(fc.array(repeated, { maxLength: 15 }), (all) => {
      const log: RequestLogEntry[] = [];
      const mock = startWatch({ clients, onExchange: (_, heard) => void (heard && log.push(heard)) });
      mock.engine.faults.add({ id: 'down', match: { operation: 'listReviews' }, error: 'provider_error' });
      mock.engine.faults.add({ id: 'lost', match: { operation: 'listKeywords' }, network: 'empty' });
      let next = since;
      for (const { line, waitsMs, more, prefer } of all)
        for (const waitMs of waitsMs) {
          mock.wait(waitMs);
          const body = line.startsWith('POST') ? { text: 'Hello' } : undefined;
          const response = mock.ask(line.replace('next', next), { headers: { prefer }, body, ...more });
          next = json(response).data?.nextCursor ?? next;
        }
      for (const rule of mock.rules()) rules.add(rule);
      expect(violationsOf(log, { clients })).toEqual(mock.engine.violations());
    }),
    { numRuns: 60, seed: 4 },
  );
  expect([...rules].sort()).toEqual([...violationRules].sort());
});
