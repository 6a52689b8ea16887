import { describe, expect, it } from 'vitest';
import { createMock } from './create-mock.ts';
import { startMock } from './start-mock.ts';

describe('a mock with a mutant', () => {
  it('violates only that fact over its socket and through fetch', async () => {
    await using casa = await startMock({ mutant: 'no-key-403' });
    expect((await fetch(`${casa.baseUrl}/sites`)).status).toBe(403);
    expect((await casa.fetch('/sites')).status).toBe(403);
    const headers = { authorization: `Bearer ${casa.keys.good}` };
    expect((await casa.fetch('/sites', { headers })).status).toBe(200);
  });

  it('stays wrong after a reset', async () => {
    const casa = await createMock({ mutant: 'no-key-403' });
    casa.reset();
    expect((await casa.fetch('/sites')).status).toBe(403);
  });

  it('starts in the world that reveals it, by default', async () => {
    const name = 'accounts-none-says-not-found';
    const statusOf = async (casa: Awaited<ReturnType<typeof createMock>>) =>
      (await casa.fetch('/connect/accounts', { headers: { authorization: `Bearer ${casa.keys.good}` } })).status;
    expect(await statusOf(await createMock({ mutant: name }))).toBe(404);
    expect(await statusOf(await createMock({ mutant: name, world: 'default' }))).toBe(200);
  });

  it('is rejected under a name that there is not', async () => {
    await expect(createMock({ mutant: 'no-kye-403' })).rejects.toThrow(
      /^There is no mutant "no-kye-403"\. Did you mean "no-key-403"/,
    );
    await expect(startMock({ mutant: 'no-kye-403' })).rejects.toThrow(RangeError);
  });
});
