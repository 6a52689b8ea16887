import { expect, test, vi } from 'vitest';
import { conformance } from '../../fixtures/test-kit/kit-command.ts';

test('--target self moves the clock of its mock without a request', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch');
  const { out, code } = await conformance(['--target', 'self', '--control', 'self', '--only', 'articles/*']);
  expect([code, fetched.mock.calls]).toEqual([0, []]);
  expect(out).toContain('(mock time)');
  fetched.mockRestore();
});
