import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchChromium, type PageServer, seriousFindings, servePage } from '../../fixtures/test-kit/browser.ts';
import { showCasaPanel } from './panel.ts';

const script = `
  import { setupWorker } from 'msw/browser';
  import { casaHandlers } from './msw.ts';
  import { createMock } from '../index.ts';
  import { showCasaPanel } from './panel.ts';
  window.begin = async (options) => {
    window.casa = await createMock({ baseUrl: location.origin + '/api/v1' });
    await setupWorker(...casaHandlers(window.casa)).start({ quiet: true, onUnhandledRequest: 'bypass' });
    window.keys = '';
    document.addEventListener('keydown', (event) => { window.keys += event.key; });
    window.closePanel = showCasaPanel(window.casa, options);
    window.isReady = true;
  };
  window.ask = async (path) => {
    const headers = { authorization: 'Bearer ' + window.casa.keys.good };
    return (await fetch('/api/v1' + path, { headers })).status;
  };
`;

interface InPage {
  begin(options?: { open: boolean }): Promise<void>;
  ask(path: string): Promise<number>;
  closePanel(): void;
  readonly keys: string;
  readonly casa: { readonly clock: { now(): number } };
}

let browser: Browser;
let server: PageServer;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  browser = await launchChromium();
  const policy =
    "default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'self'; style-src 'none'; img-src data:";
  server = await servePage({ script, msw: 'msw', policy });
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

beforeEach(async () => {
  page = await browser.newPage({ viewport: { width: 1000, height: 800 } });
  page.setDefaultTimeout(10_000);
  complaints = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy|error/i.test(message.text())) complaints.push(message.text());
  });
  await page.goto(server.origin);
  await page.waitForFunction(() => 'begin' in window);
});
afterEach(() => page.close());

async function begin(options?: { open: boolean }): Promise<void> {
  // Not awaited in the page: nothing in it holds the promise while the worker starts, and Chromium may drop it.
  await page.evaluate((given) => void (window as unknown as InPage).begin(given), options);
  await page.waitForFunction(() => 'isReady' in window);
}

const ask = (path: string) => page.evaluate((asked) => (window as unknown as InPage).ask(asked), path);
const tab = (name: string) => page.getByRole('tab', { name }).click();
const now = () => page.evaluate(() => (window as unknown as InPage).casa.clock.now());

describe('the panel in a page with MSW', () => {
  it('is a button, opens, and closes with Escape', async () => {
    await begin();
    expect(await page.locator('#panel').count()).toBe(0);
    // A page's own test may look for these.
    expect(await page.locator('[role], #note, h1, h2, input').count()).toBe(0);
    await page.getByRole('button', { name: 'casa mock' }).click();
    await page.locator('#panel').waitFor();
    await page.getByRole('tab', { name: 'Faults' }).press('ArrowRight');
    await page.locator('[role=tabpanel][aria-label=Calls]').waitFor();
    expect(await page.locator('[role=tab][tabindex="0"]').allTextContents()).toEqual(['Calls']);
    await page.keyboard.press('Escape');
    await page.locator('#panel').waitFor({ state: 'detached' });
    await page.locator('.handle:focus').waitFor();
    expect(complaints).toEqual([]);
  });

  it('forces an error on the next request of the page', async () => {
    await begin({ open: true });
    await page.getByRole('switch', { name: 'Next request: transient' }).click();
    await page.getByRole('switch', { name: 'Next request: transient', checked: true }).waitFor();
    expect([await ask('/sites'), await ask('/sites')]).toEqual([503, 200]);
    await page.getByRole('switch', { name: 'Next request: transient', checked: false }).waitFor();
  });

  it('moves the clock', async () => {
    await begin({ open: true });
    const before = await now();
    await page.getByRole('button', { name: '+5m' }).click();
    await expect.poll(now).toBe(before + 300_000);
  });

  it('lets a telephone ring, and changes an account', async () => {
    await begin({ open: true });
    await tab('Calls');
    await page.locator('input[name=from]').fill('+15559999');
    await page.getByRole('button', { name: 'Start call' }).click();
    await page.locator('.call', { hasText: '+15559999' }).locator('.present', { hasText: 'ended' }).waitFor();
    expect(await page.evaluate(() => (window as unknown as InPage).keys)).toBe('');
    await tab('Accounts');
    const account = 'd4eb016a-1355-4e9e-af8b-f38083d082f4';
    await page.getByLabel('Status of Main shop (google_business)').first().selectOption('expired');
    await expect.poll(() => ask(`/connect/accounts/${account}/reviews`)).toBe(401);
  });

  it('shows violations on the page, and forgets everything', async () => {
    await begin({ open: true });
    for (let i = 0; i < 4; i += 1) await ask('/nowhere');
    await page.locator('.handle .chip', { hasText: 'violation' }).waitFor();
    await tab('Violations');
    await page.locator('.violations li').first().waitFor();
    expect(await page.locator('.violations a').count()).toBe(0);
    await page.getByRole('button', { name: 'Reset' }).click();
    await page.getByText('No violations.').waitFor();
  });

  it('is removed on request, and is accessible', async () => {
    await begin({ open: true });
    for (const name of ['Faults', 'Calls', 'Accounts', 'Violations']) {
      await tab(name);
      const findings = await seriousFindings(page);
      // The page around it is ours to test with, and has neither a title nor a language.
      expect(findings.filter((line) => !/^(document-title|html-has-lang)/.test(line))).toEqual([]);
    }
    await page.evaluate(() => (window as unknown as InPage).closePanel());
    await expect.poll(() => page.locator('casa-panel').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it.each([320, 1400])('fits into %i pixels', async (width) => {
    await page.setViewportSize({ width, height: 700 });
    await begin({ open: true });
    for (const name of ['Faults', 'Calls', 'Accounts']) {
      await tab(name);
      const box = await page.locator('#panel').evaluate((panel) => panel.scrollWidth - panel.clientWidth);
      expect([name, box]).toEqual([name, 0]);
    }
  });
});

describe('the panel outside a page', () => {
  it('does nothing', () => {
    expect(() => showCasaPanel({} as never)()).not.toThrow();
  });
});
