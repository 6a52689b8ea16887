import { expect, it } from 'vitest';
import { runNights } from './nights.ts';

it('reports only true drift in 30 nights, and names each cause', async () => {
  const rows = await runNights('strict');
  expect(rows).toHaveLength(30);
  const wrong = rows.filter(({ isRight }) => !isRight);
  expect(wrong.map(({ kind, truth, output }) => `${kind} ${truth}: ${output}`)).toEqual([]);
}, 600_000);
