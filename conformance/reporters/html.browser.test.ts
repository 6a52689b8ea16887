import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium, openFromDisk, seriousFindings } from '../../fixtures/test-kit/browser.ts';
import {
  hostileReport,
  hostileText,
  sampleCheck,
  sampleExchange,
  sampleFinding,
  sampleReport,
} from '../../fixtures/test-kit/sample-report.ts';
import { type ClauseId, clauses } from '../../src/contract/generated/clauses.ts';
import { recordOf, trendOf } from '../report/history.ts';
import { conclude } from '../report/outcome.ts';
import type { Report } from '../report/report.ts';
import { html } from './html.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

const open = (report: Report, hash = '', width = 1280) =>
  openFromDisk(browser, html.render(report, conclude(report)), { hash, viewport: { width, height: 900 } });

const shownRows = (page: Page) => page.locator('details.check:visible').evaluateAll((rows) => rows.map(({ id }) => id));

describe('the page in a browser', () => {
  test('shows the checks of one result at a click, and those that fit a search', async () => {
    const { page, events } = await open(sampleReport());
    await page.click('.chip.inconclusive');
    await expect.poll(() => shownRows(page)).toEqual(['check:articles/page-walk', 'check:rule/payment-reason']);
    await page.fill('[data-search]', 'WALK articles');
    await expect.poll(() => shownRows(page)).toEqual(['check:articles/page-walk']);
    await page.fill('[data-search]', 'nothing like it');
    expect(await page.locator('[data-none]').isVisible()).toBe(true);
    await page.click('[data-clear]');
    await expect.poll(() => shownRows(page)).toHaveLength(8);
    expect(events).toEqual([]);
  });

  test('opens the part that an address names, and what lies around it', async () => {
    const { page } = await open(sampleReport(), '#clause:2.site.id');
    expect(await page.locator('[id="clause:2.site.id"]').isVisible()).toBe(true);
    await page.click('[id="clause:2.site.id"] >> text=rule/list-sites-shape');
    await page.locator('[id="check:rule/list-sites-shape"][open]').waitFor();
    await page.click('[id="check:rule/list-sites-shape"] .ids >> text=x1');
    await expect.poll(() => page.evaluate(() => location.hash)).toBe('#x1');
  });

  test('finds a check that a filter had hidden', async () => {
    const { page } = await open(sampleReport());
    await page.click('.chip.pass');
    await page.evaluate(() => {
      location.hash = '#check:links/creates';
    });
    await page.locator('[id="check:links/creates"] .message').waitFor({ state: 'visible' });
  });

  test('copies a line of curl', async () => {
    const { page } = await open(sampleReport());
    await page.locator('[data-copy]').first().click();
    await page.locator('text=Copied').first().waitFor();
  });

  test('copies a failure as an issue: readable on screen, in print and on the clipboard', async () => {
    const { page } = await open(sampleReport());
    const issue = page.locator('details:has(> summary:text-is("Copy as an issue"))').first();
    await issue.locator('summary').click();
    const shown = await issue.locator('code').textContent();
    expect(shown).toMatch(/^### `rule\/list-sites-shape` What[^\n]*\n\n`GET \/sites returned/);
    expect(shown).toContain("'https://staging.example.com/api/v1/sites'");
    expect(shown).not.toMatch(/\\u\{|&#/);
    await page.evaluate(() => {
      Object.defineProperty(navigator, 'clipboard', {
        value: { writeText: async (text: string) => Object.assign(window, { copied: text }) },
      });
    });
    await issue.locator('[data-copy]').click();
    expect(await page.evaluate(() => (window as unknown as { copied: string }).copied)).toBe(shown);
    await page.emulateMedia({ media: 'print' });
    expect(await issue.locator('code').textContent()).toBe(shown);
  });

  test.each(['light', 'dark'] as const)('shuts nobody out, %s, with a history', async (colorScheme) => {
    const report = sampleReport();
    const run = { ...recordOf(report, 1, []), failing: [] };
    const trend = trendOf(
      [
        { ...run, violated: 9 },
        { ...run, aborted: true },
      ],
      { ...run, failing: ['a b'] },
    );
    const page = html.render(report, { ...conclude(report), trend });
    const opened = await openFromDisk(browser, page, { colorScheme, bypassCSP: true });
    expect(await opened.page.locator('#history li').count()).toBeGreaterThan(0);
    expect(await seriousFindings(opened.page)).toEqual([]);
  });

  test.each([360, 768, 1600])('fits into %i pixels', async (width) => {
    const { page } = await open(sampleReport(), '', width);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(over).toBe(0);
  });

  test.each(['A4', 'Letter'] as const)('prints ten causes on at most twelve pages of %s', async (format) => {
    const ids = Object.keys(clauses) as ClauseId[];
    const exchanges = ids.slice(0, 10).map((_, at) => sampleExchange({ id: `x${at}`, target: `/sites/${at}` }));
    const checks = exchanges.map(({ id }, at) =>
      sampleCheck(
        `test/n${at}`,
        { kind: 'fail' },
        {
          findings: [
            sampleFinding({ clause: ids[at * 30] as ClauseId, exchange: id, pointer: `/data/${at}`, actual: `${at}` }),
          ],
        },
      ),
    );
    const { page } = await open(sampleReport({ checks, exchanges }));
    const pdf = (await page.pdf({ format })).toString('latin1');
    const pages = pdf.match(/\/Type\s*\/Page\b/g)?.length;
    expect(pages).toBeGreaterThan(3);
    expect(pages).toBeLessThanOrEqual(12);
  });

  test('lets a hostile target do nothing', async () => {
    const { page, events } = await open(hostileReport(hostileText), '', 360);
    await page.evaluate(() => {
      for (const part of document.querySelectorAll('details')) part.open = true;
    });
    expect(events).toEqual([]);
    expect(await page.locator('script').count()).toBe(1);
    expect(await page.title()).toContain('Conformance of');
  });

  test('keeps a script out even where one slips in', async () => {
    const { page, events } = await open(sampleReport());
    await page.evaluate(() => {
      document.body.insertAdjacentHTML('beforeend', '<img src="data:," onerror="alert(1)">');
      const script = document.createElement('script');
      script.textContent = 'alert(2)';
      document.body.append(script);
    });
    expect(events.filter((event) => event.startsWith('dialog'))).toEqual([]);
  });
});
