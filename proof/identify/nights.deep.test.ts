import { expect, it } from 'vitest';
import { runNights } from './nights.ts';

it('reports only true drift in 30 nights, and names each cause', async () => {
  const rows = await runNights('strict');
  expect(rows).toHaveLength(30);
  const [illegal, others] = [true, false].map((is) => rows.filter(({ kind }) => (kind === 'illegal') === is));
  const wrong = others?.filter(({ isRight }) => !isRight) ?? [];
  expect(wrong.map(({ kind, truth, output }) => `${kind} ${truth}: ${output}`)).toEqual([]);
  // A check of one minute cannot see every violation: `npm run nights` measures how many it finds.
  expect(illegal?.filter(({ isRight }) => isRight).length).toBeGreaterThan(1);
}, 600_000);
