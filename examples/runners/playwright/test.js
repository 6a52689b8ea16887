import { expect as baseExpect, test as base } from '@playwright/test';
import { casaFixtures, casaMatchers } from 'casa-kit/playwright';

export const test = base.extend(casaFixtures);
export const expect = baseExpect.extend(casaMatchers);

/** An application that looks for new calls every minute, and opens a popup. */
const app = `<!doctype html><p role="status"></p><button onclick="window.open('/popup')">Open</button><script>
  let calls = 0, since = new Date().toISOString();
  const poll = async () => {
    const response = await fetch('https://api.example.com/api/v1/connect/calls/log?since=' + encodeURIComponent(since));
    const { data } = await response.json();
    since = data.nextCursor ?? since;
    calls += data.calls.length;
    document.querySelector('p').textContent = calls + ' calls';
    setTimeout(poll, 60000);
  };
  poll();
</script>`;

export async function openApp(context) {
  await context.route('https://app.example.com/**', (route) => route.fulfill({ contentType: 'text/html', body: app }));
  const page = await context.newPage();
  await page.goto('https://app.example.com/');
  await expect(page.getByRole('status')).toHaveText('0 calls');
  return page;
}
