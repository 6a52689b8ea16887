import { describe, expect, it } from 'vitest';
import { overflow, seriousFindings, useMockPage } from '../../../fixtures/test-kit/browser.ts';

const here = useMockPage({ width: 1000, height: 900 });

const ask = async (path: string, body?: object) => {
  const headers = { authorization: `Bearer ${here.casa.keys.good}` };
  const init = body ? { method: 'POST', body: JSON.stringify(body) } : {};
  return ((await (await here.casa.fetch(path, { ...init, headers })).json()) as { data: Record<string, unknown> }).data;
};

/** An app of the mock's own origin is the only one that is there. */
async function openLink(provider = 'tiktok', maxAccounts = 1): Promise<string> {
  const { connectUrl } = await ask('/connect/accounts', { provider, label: 'Harbor Bakery', maxAccounts });
  const url = `${connectUrl}?returnUrl=${encodeURIComponent(`${here.casa.origin}/?app=1`)}`;
  await here.page.goto(url);
  return url;
}

const press = (name: string) => here.page.getByRole('button', { name }).click();
const title = () => here.page.locator('h1').textContent();

describe('the consent page in a browser', () => {
  it('lets a person deny, try again, connect and return to the app', async () => {
    const url = await openLink();
    expect(await here.page.locator('.mock').textContent()).toContain('This is a mock.');
    await press('Deny');
    await expect.poll(title).toBe('Not connected');
    await here.page.goto(url);
    await here.page.getByLabel('Name of the account').fill('Old Town');
    await here.page.keyboard.press('Enter');
    await expect.poll(title).toBe('Connected');
    await here.page.getByRole('link', { name: 'Back to the app' }).click();
    const back = new URL(here.page.url());
    expect([back.searchParams.get('app'), back.searchParams.get('connect')]).toEqual(['1', 'connected']);
    const { accounts } = (await ask('/connect/accounts')) as { accounts: { accountId: string; name: string }[] };
    expect(accounts.find(({ name }) => name === 'Old Town')?.accountId).toBe(back.searchParams.get('accountId'));
    await here.page.goto(url);
    await expect.poll(title).toBe('This link has already been used');
    // A closed link returns 410, which a browser notes.
    expect(here.complaints.filter((line) => !line.includes('410'))).toEqual([]);
  });

  it('lets a link expire, and notifies the app', async () => {
    await openLink();
    await here.page.getByText('For testing').click();
    await press('Expire this link now');
    await expect.poll(title).toBe('This link has expired');
    await here.page.getByRole('link', { name: 'Back to the app' }).click();
    expect(here.page.url()).toContain('connect=expired');
  });

  it('is accessible', async () => {
    await openLink('tiktok', 3);
    for (const colorScheme of ['light', 'dark'] as const) {
      await here.page.emulateMedia({ colorScheme });
      expect(await seriousFindings(here.page)).toEqual([]);
    }
    await press('Deny');
    expect(await seriousFindings(here.page)).toEqual([]);
  });

  it.each([320, 1600])('fits into %i pixels', async (width) => {
    await here.page.setViewportSize({ width, height: 700 });
    await openLink('google_search_console', 20);
    await here.page.getByText('Connect more accounts').click();
    expect(await overflow(here.page)).toBe(0);
  });
});
