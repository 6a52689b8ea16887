import { expect, it } from 'vitest';
import { crash } from './crash.ts';

it('a mock that saves loses nothing that was acknowledged when it is killed under load, again and again', async () => {
  const { lost, acknowledged } = await crash({ kills: 5, seed: 1 });
  expect(lost).toEqual([]);
  for (const count of Object.values(acknowledged)) expect(count).toBeGreaterThan(5);
}, 300_000);
