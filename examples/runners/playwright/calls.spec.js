import { expect, openApp, test } from './test.js';

test('shows a call five minutes after its end', async ({ context, casa }) => {
  const page = await openApp(context);
  casa.calls.ring({ durationS: 30 });
  await casa.clock.advance('5m');
  await expect(page.getByRole('status')).toHaveText('0 calls');
  await casa.clock.advance('2m');
  await expect(page.getByRole('status')).toHaveText('1 calls');
  expect(casa).toHaveRequested('listCalls', { times: 8 });
  expect(casa).toHaveNoViolations();
});
