import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Casa, startMock } from 'casa-kit';
import { routeToCasa } from 'casa-kit/playwright';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import 'casa-kit/vitest';
import { type Served, serveApp } from './serve.ts';

const google = 'd4eb016a-1355-4e9e-af8b-f38083d082f4';

let browser: Browser;
let page: Page;
let app: Served;

beforeAll(async () => {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  browser = await chromium.launch({ executablePath, args: ['--headless', '--no-sandbox', '--disable-gpu'] });
});
afterAll(() => browser.close());

const open = (screen: string) => page.goto(`${app.origin}/#/${screen}`);
const openPage = async () => {
  page = await browser.newPage();
  page.setDefaultTimeout(10_000);
};
const cards = () => page.locator('.cards > li');
const button = (name: string) => page.getByRole('button', { name });
const says = (text: string | RegExp) => page.getByText(text).first().waitFor();
const postBox = () => page.getByRole('textbox', { name: 'Post' });
const post = async (text: string) => {
  await postBox().fill(text);
  await button('Send').first().click();
};

/** The first page in which the mock runs loads it. */
const slowly = { timeout: 10_000 };

/** What anybody does with the app, wherever its backend is. */
async function visitEveryScreen(): Promise<void> {
  await open('articles');
  await expect.poll(() => cards().count(), slowly).toBe(20);
  await button('More articles').click();
  await expect.poll(() => cards().count(), slowly).toBe(40);
  await open('keywords');
  await page.getByLabel('Site').selectOption({ index: 1 });
  await page.locator('tbody tr').first().waitFor();
  await open(`accounts/${google}`);
  await post('Fresh bread at seven.');
  await says(/^Published/);
  await expect.poll(() => cards().count(), slowly).toBeGreaterThan(1);
  await open('calls');
  await page.getByRole('list', { name: 'Calls now' }).locator('li').first().waitFor();
}

/** Makes a link, and connects an account on the page that it links to. */
async function connectAccount(consent: Pick<Page, 'getByRole'>): Promise<void> {
  await open('accounts');
  await page.getByLabel('Platform').selectOption('tiktok');
  await page.getByLabel('Label').fill('Old Town');
  await button('Make a link').click();
  await page.getByRole('link', { name: 'open the link' }).click();
  await consent.getByRole('button', { name: 'Connect' }).click();
  await consent.getByRole('link', { name: 'Back to the app' }).click();
  await page.locator('.cards li', { hasText: 'Old Town' }).getByText('connected').waitFor();
}

describe.each([
  ['mock', (url: string) => ({ CASA_MOCK_URL: url })],
  ['staging', (url: string) => ({ CASA_STAGING_URL: url, CASA_STAGING_KEY: 'casa_0123456789abcdef0123456789abcdef' })],
])('the app with VITE_API=%s', (VITE_API, addresses) => {
  let casa: Casa;

  beforeAll(async () => {
    casa = await startMock({ clock: 'running' });
    app = await serveApp({ VITE_API, ...addresses(casa.origin) });
  });
  afterAll(async () => {
    await app.close();
    await casa.close();
  });
  beforeEach(async () => {
    casa.reset();
    await openPage();
  });
  afterEach(() => page.close());

  it('shows every screen, and breaks no rule of the contract', async () => {
    await visitEveryScreen();
    expect(casa).toHaveNoViolations();
    expect(casa.requests.count({ operation: 'createPost' })).toBe(1);
  });

  it('has neither a mock nor a key in its bundle', () => {
    const scripts = globSync('**/*.{js,html}', { cwd: app.folder }).map((name) => {
      return readFileSync(join(app.folder, name), 'utf8');
    });
    expect(scripts.filter((text) => /mockServiceWorker|casa-panel|casa_[0-9a-f]{32}/.test(text))).toEqual([]);
  });
});

describe('the app next to a test', () => {
  let casa: Casa;

  beforeAll(async () => {
    app = await serveApp({ VITE_API: 'mock' });
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    casa = await startMock({ clock: 'running' });
    await openPage();
    // The page's requests go to the mock of this test, and not through the server.
    const key = { authorization: `Bearer ${casa.keys.good}` };
    await page.setExtraHTTPHeaders(key);
    await routeToCasa(page, casa, `${app.origin}/api/v1`);
  });
  afterEach(async () => {
    await page.close();
    await casa.close();
  });

  it('connects an account, and comes back from the consent page', async () => {
    await connectAccount(page);
    expect(casa).toHaveNoViolations();
  });

  it.each([
    ['provider_auth', 'Connect it again'],
    ['payment_required', 'A payment is needed'],
    ['provider_permission', 'lacks a permission'],
    ['transient', 'Try again later'],
  ])('reports %s in its own words, and keeps the text', async (error, words) => {
    casa.faults.add(`createPost=${error}`);
    await open(`accounts/${google}`);
    await post('Fresh bread');
    await says(words);
    expect(await postBox().inputValue()).toBe('Fresh bread');
    expect(casa.requests.count({ operation: 'createPost' })).toBe(1);
    expect(casa).toHaveNoViolations();
  });

  it('replies to a review that has just arrived', async () => {
    const { reviewId } = casa.reviews.arrive({ accountId: google, author: 'Ada', rating: 1, text: 'Cold.' });
    await open(`accounts/${google}`);
    await page.getByLabel('Reply to Ada').fill('We are sorry.');
    await cards().filter({ hasText: 'Cold.' }).getByRole('button', { name: 'Send' }).click();
    await says('Replied.');
    expect(casa.requests.find({ operation: 'replyToReview' })[0]?.request.path).toContain(reviewId);
  });

  it('shows a call five minutes after its end, once, also when the page is loaded again', async () => {
    const now = page.getByRole('list', { name: 'Calls now' }).locator('li').first();
    const final = (number: string) => page.getByRole('list', { name: 'Final calls' }).getByText(number).count();
    const pass = async (duration: string) => {
      casa.clock.advance(duration);
      await page.clock.fastForward(duration === '6m' ? '06:00' : '01:00');
    };
    await page.clock.install({ time: casa.clock.now() });
    await open('calls');
    await now.waitFor();
    casa.calls.ring({ durationS: 30, from: '+15559999' });
    casa.calls.ring({ durationS: 90, from: '+15558888' });
    await pass('6m');
    await expect.poll(() => final('+15559999')).toBe(1);
    expect(await final('+15558888')).toBe(0);
    await page.reload();
    await now.waitFor();
    await pass('1m');
    await expect.poll(() => final('+15558888')).toBe(1);
    expect(await final('+15559999')).toBe(0);
    expect(casa).toHaveNoViolations();
  });

  it('says so when the network is gone', async () => {
    casa.faults.add({ match: { operation: 'createPost' }, network: 'reset' });
    await open(`accounts/${google}`);
    await post('Fresh bread');
    await says('The service cannot be reached.');
    expect(casa).toHaveNoViolations();
  });
});

describe('the app with VITE_API=msw', () => {
  beforeAll(async () => {
    app = await serveApp({ VITE_API: 'msw' });
  });
  afterAll(() => app.close());
  beforeEach(openPage);
  afterEach(() => page.close());

  it('needs no server for any screen', async () => {
    const asked: string[] = [];
    page.on('response', (response) => {
      if (!response.fromServiceWorker() && response.url().includes('/api/v1')) asked.push(response.url());
    });
    await visitEveryScreen();
    expect(asked).toEqual([]);
  });

  it('connects an account', async () => {
    await connectAccount(page.frameLocator('#casa-consent') as unknown as Page);
  });

  it('lets the panel bring about an error', async () => {
    await open(`accounts/${google}`);
    await button('casa mock').click();
    await page.getByRole('switch', { name: 'Next request: provider_auth' }).click();
    await page.getByRole('switch', { name: 'Next request: provider_auth', checked: true }).waitFor();
    await post('Fresh bread');
    await says('Connect it again');
  });
});
