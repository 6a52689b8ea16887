import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchChromium } from '../../proof/rigs/browser.ts';
import { type Casa, startMock } from '../index.ts';

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
  page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  complaints = [];
  page.on('pageerror', (error) => complaints.push(`error ${error.message}`));
  page.on('console', (message) => complaints.push(`console ${message.text()}`));
  page.on('dialog', (dialog) => void dialog.accept());
  await page.goto(`${casa.origin}/__admin`);
  await page.locator('#dot.on').waitFor();
});
afterEach(async () => {
  await page.close();
  await casa.close();
});

const read = (path: string) =>
  fetch(`${casa.baseUrl}${path}`, { headers: { authorization: `Bearer ${casa.keys.good}` } });
const text = (selector: string) => page.locator(selector).textContent();
const shows = (selector: string, wanted: string) => page.locator(selector, { hasText: wanted }).first().waitFor();

describe('the dashboard in a browser', () => {
  it('shows base URL, keys, accounts and a command to copy, and complains of nothing', async () => {
    expect(await text('#base')).toBe(casa.baseUrl);
    expect(await text('#organizations')).toContain(casa.keys.good);
    expect(await text('#curl')).toContain(`Authorization: Bearer ${casa.keys.good}`);
    expect(await page.locator('#organizations details').first().locator('tr').count()).toBeGreaterThan(3);
    expect(complaints).toEqual([]);
  });

  it('shows a request as it comes, filters, and opens it as text', async () => {
    await read('/sites');
    await read('/articles/%3Cb%3Enone%3C%2Fb%3E?x=<img%20src=x>');
    await shows('#journal td', 'getArticle');
    expect(await page.locator('#journal tr').count()).toBe(2);
    await page.fill('#filter', 'listSites');
    expect(await page.locator('#journal tr').count()).toBe(1);
    await page.fill('#filter', '');
    await page.locator('#journal tr').first().click();
    await shows('#detail', '"operation": "getArticle"');
    expect(await page.locator('#journal img, #journal b, #detail img').count()).toBe(0);
    await page.click('#closedetail');
    expect(await page.locator('#detailbox').isVisible()).toBe(false);
    await page.click('#clear');
    await page.waitForFunction(() => document.querySelectorAll('#journal tr').length === 0);
  });

  it('moves the clock, holds it and lets it run', async () => {
    const before = casa.clock.now();
    await page.click('[data-advance="5m"]');
    await page.waitForFunction(() => document.getElementById('pace')?.textContent === 'frozen');
    await shows('#now', new Date(before + 300_000).toISOString().slice(11, 19));
    await page.click('#freeze');
    await shows('#pace', 'running');
    await page.selectOption('#scale', '60');
    await shows('#pace', 'running 60×');
  });

  it('adds a fault, counts it and takes it away', async () => {
    await page.locator('summary', { hasText: 'Add a fault' }).click();
    await page.selectOption('select[name=operation]', 'listSites');
    await page.selectOption('select[name=error]', 'transient');
    await page.fill('input[name=times]', '2');
    await page.locator('#faultform button').click();
    await shows('#faults', 'error transient, times 2');
    expect((await read('/sites')).status).toBe(503);
    await shows('#faults', 'struck 1');
    await page.locator('#faults button').click();
    await shows('#faults', 'None: every answer is a good one.');
  });

  it('enforces limits, rings a call, adds an organization and resets', async () => {
    await page.click('#enforce');
    await shows('#limits', '10 in 10 s per address, 60 in 60 s per key');
    await page.click('#ring');
    await shows('#note', 'It rings');
    await page.click('#fresh');
    await shows('#note', 'Key casa_');
    const organizations = page.locator('#organizations > li');
    await organizations.nth(2).waitFor();
    await page.click('#reset');
    await organizations.nth(2).waitFor({ state: 'detached' });
    expect(await organizations.count()).toBe(2);
    expect(complaints).toEqual([]);
  });

  it.each([360, 768, 1600])('fits into %i pixels', async (width) => {
    await page.setViewportSize({ width, height: 900 });
    await read('/articles?limit=3');
    await shows('#journal td', 'GET /api/v1/articles');
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(over).toBe(0);
  });
});
