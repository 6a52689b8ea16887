import { expect, it } from 'vitest';
import { goodKey, googleAccount, startTestEngine } from '../../fixtures/test-kit/engine.ts';
import { Snapshots } from './kept-snapshots.ts';

it('snapshots limit the total size of worlds, with records that clients created', () => {
  const { engine, ask } = startTestEngine();
  const at = '2026-01-01T00:00:00.000Z';
  const empty = new Snapshots();
  const world = empty.add(engine.snapshot(), { at }).worldBytes;
  const body = { text: 'x', link: `https://a.example/${'a'.repeat(100_000)}` };
  ask(`POST /connect/accounts/${googleAccount}/posts`, { key: goodKey, body });
  const posted = empty.add(engine.snapshot(), { at }).worldBytes;
  expect(posted - world).toBeGreaterThan(100_000);
  expect(posted - world).toBeLessThan(110_000);

  const snapshots = new Snapshots(2 * posted);
  for (const id of ['a', 'b']) {
    expect(snapshots.whyNot(id)).toBeNull();
    snapshots.add(engine.snapshot(), { at, id });
  }
  expect(snapshots.whyNot('c')).toMatch(/^The worlds of the snapshots take more than \d+ MiB already; remove one/);
  expect(snapshots.whyNot('b')).toBeNull();
  snapshots.remove('a');
  expect(snapshots.whyNot('c')).toBeNull();
});
