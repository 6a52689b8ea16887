import { expect, openApp, test } from './test.js';

test('moves a popup too', async ({ context, casa }) => {
  const page = await openApp(context);
  await casa.clock.advance('1h');
  const [popup] = await Promise.all([context.waitForEvent('page'), page.getByRole('button').click()]);
  await expect(popup.getByRole('status')).toHaveText('0 calls');
  for (const each of [page, popup])
    expect(Math.abs((await each.evaluate(() => Date.now())) - casa.clock.now())).toBeLessThan(5000);
  await casa.clock.advance('3m');
  expect(casa).toHaveRequested('listCalls', { times: 61 + 3 + 4 });
});
