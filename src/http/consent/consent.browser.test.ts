import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { seriousFindings } from '../../../proof/rigs/axe.ts';
import { launchChromium } from '../../../proof/rigs/browser.ts';
import { type Casa, startMock } from '../../index.ts';

const providers = [
  'google_business',
  'facebook_page',
  'tiktok',
  'instagram',
  'google_analytics',
  'google_search_console',
  'google_ads',
  'google_calendar',
  'google_contacts',
];

let browser: Browser;
let casa: Casa;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

beforeEach(async () => {
  casa = await startMock();
  page = await browser.newPage({ viewport: { width: 1000, height: 900 } });
  page.setDefaultTimeout(10_000);
  complaints = [];
  page.on('pageerror', (error) => complaints.push(`error ${error.message}`));
  page.on('console', (message) => complaints.push(`console ${message.text()}`));
});
afterEach(async () => {
  await page.close();
  await casa.close();
});

const ask = async (path: string, body?: object) => {
  const headers = { authorization: `Bearer ${casa.keys.good}` };
  const init = body ? { method: 'POST', body: JSON.stringify(body) } : {};
  return ((await (await casa.fetch(path, { ...init, headers })).json()) as { data: Record<string, unknown> }).data;
};

/** An app of the mock's own origin is the only one that is there. */
async function openLink(provider = 'tiktok', maxAccounts = 1): Promise<string> {
  const { connectUrl } = await ask('/connect/accounts', { provider, label: 'Harbor Bakery', maxAccounts });
  const url = `${connectUrl}?returnUrl=${encodeURIComponent(`${casa.origin}/?app=1`)}`;
  await page.goto(url);
  return url;
}

const press = (name: string) => page.getByRole('button', { name }).click();
const title = () => page.locator('h1').textContent();

describe('the consent page in a browser', () => {
  it('lets somebody deny, think again, connect and go back to the app', async () => {
    const url = await openLink();
    expect(await page.locator('.mock').textContent()).toContain('This is a mock.');
    await press('Deny');
    await expect.poll(title).toBe('Not connected');
    await page.goto(url);
    await page.getByLabel('Name of the account').fill('Old Town');
    await page.keyboard.press('Enter');
    await expect.poll(title).toBe('Connected');
    await page.getByRole('link', { name: 'Back to the app' }).click();
    const back = new URL(page.url());
    expect([back.searchParams.get('app'), back.searchParams.get('connect')]).toEqual(['1', 'connected']);
    const { accounts } = (await ask('/connect/accounts')) as { accounts: { accountId: string; name: string }[] };
    expect(accounts.find(({ name }) => name === 'Old Town')?.accountId).toBe(back.searchParams.get('accountId'));
    await page.goto(url);
    await expect.poll(title).toBe('This link was used already');
    // A closed link answers 410, which a browser notes.
    expect(complaints.filter((line) => !line.includes('410'))).toEqual([]);
  });

  it('lets a link expire, and tells the app', async () => {
    await openLink();
    await page.getByText('For tests').click();
    await press('Let this link expire now');
    await expect.poll(title).toBe('This link has expired');
    await page.getByRole('link', { name: 'Back to the app' }).click();
    expect(page.url()).toContain('connect=expired');
  });

  it.each(providers)('of %s shuts nobody out, and has a colour of its own', async (provider) => {
    await openLink(provider, 3);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await seriousFindings(page)).toEqual([]);
    }
    await press('Deny');
    expect(await seriousFindings(page)).toEqual([]);
  });

  it('has another colour for each platform', async () => {
    const colors = new Set<string>();
    for (const provider of providers) {
      await openLink(provider);
      colors.add(await page.locator('main').evaluate((main) => getComputedStyle(main).borderTopColor));
    }
    expect(colors.size).toBe(providers.length);
  });

  it.each([320, 1600])('fits into %i pixels', async (width) => {
    await page.setViewportSize({ width, height: 700 });
    await openLink('google_search_console', 20);
    await page.getByText('Connect more accounts').click();
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(over).toBe(0);
  });
});
