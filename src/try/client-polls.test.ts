// Clients that poll the call log.
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { headersOf, tried } from '../../fixtures/test-kit/tried-client.ts';

it.each([
  ['after the pages of a round', false, false, [/^Reported neither \d+ of \d+ calls nor an error\.$/]],
  ['after the pages of a round, and errors', false, true, [/^Did not report \d+ of \d+ calls\.$/]],
  ['after each page, and errors', true, true, []],
])('tests a poller that reports calls %s', async (_when, isDirect, complains, messages) => {
  const report = await tried(['calls/many-500'], async (casa) => {
    let since = new Date().toISOString();
    while (!casa.signal.aborted) {
      const round: string[] = [];
      for (let isFull = true; isFull; ) {
        const response = await fetch(`${casa.baseUrl}/connect/calls/log?limit=200&since=${since}`, headersOf(casa));
        if (!response.ok) {
          if (complains) console.error('status', response.status);
          round.length = 0;
          break;
        }
        const { data } = await response.json();
        since = data.nextCursor ?? since;
        const ids = data.calls.map(({ id }: { id: string }) => id);
        if (isDirect) casa.saw(...ids);
        else round.push(...ids);
        isFull = ids.length === 200;
      }
      casa.saw(...round);
      await pause(60_000);
    }
  });
  expect(report.violations).toMatchObject(
    messages.map((message) => ({ rule: 'call-lost', message: expect.stringMatching(message) })),
  );
  expect(report.cells).toMatchObject([{ id: 'control' }, { id: 'calls/many-500' }]);
});
