// `npm run screenshot`: the dashboard of a mock that was used for a while, as the picture of the README.
import { startMock } from '../../src/index.ts';
import { launchChromium } from './browser.ts';
import { googleAccount } from './engine.ts';

const file = process.argv[2] ?? 'docs/dashboard.jpg';

const casa = await startMock({ limits: true, clock: 'running' });
const browser = await launchChromium();
try {
  const ask = async (path: string, body?: object) => {
    const headers = { authorization: `Bearer ${casa.keys.good}` };
    await casa.fetch(path, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) });
  };
  await ask('/sites');
  await ask('/articles?limit=3');
  await ask('/connect/accounts', { provider: 'tiktok', label: 'Old Town' });
  casa.faults.add('createPost=provider_auth@1x');
  await ask(`/connect/accounts/${googleAccount}/posts`, { text: 'Fresh bread at seven.' });
  await ask(`/connect/accounts/${googleAccount}/reviews`);
  for (let i = 0; i < 3; i += 1) await ask('/keywords');
  const page = await browser.newPage({ viewport: { width: 1400, height: 560 }, colorScheme: 'light' });
  await page.goto(`${casa.origin}/__admin`);
  await page.locator('#requests tr').nth(7).waitFor();
  await page.locator('#requests tr', { hasText: 'createPost' }).click();
  await page.screenshot({ path: file, type: 'jpeg', quality: 70, animations: 'disabled' });
} finally {
  await browser.close();
  await casa.close();
}
