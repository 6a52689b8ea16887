import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium, type PageServer, servePage } from '../../proof/rigs/browser.ts';
import type { Casa } from './casa.ts';
import { type CasaOptions, casaFixtures, casaWorkerFixtures } from './playwright.ts';

const baseUrl = 'https://api.example.com/api/v1';

let browser: Browser;
let server: PageServer;

beforeAll(async () => {
  browser = await launchChromium();
  server = await servePage({ script: '', msw: 'msw' });
});
afterAll(() => Promise.all([browser?.close(), server?.close()]));

/** Does with the fixtures what Playwright's runner does: each is set up, used, and taken down. */
async function withFixtures(casaOptions: CasaOptions, test: (given: { casa: Casa; page: Page }) => Promise<void>) {
  const page = await browser.newPage();
  await page.goto(server.origin);
  await casaFixtures.casa({ casaOptions }, (casa) =>
    casaFixtures.page({ page, casa, casaOptions }, (routed) => test({ casa, page: routed })),
  );
  await page.close();
}

function sites(page: Page, url: string, casa: Casa) {
  return page.evaluate(
    async ({ url, authorization }) => {
      try {
        const response = await fetch(url, { headers: { authorization } });
        return { status: response.status, remaining: response.headers.get('x-ratelimit-remaining') };
      } catch (error) {
        return { status: 0, remaining: String(error) };
      }
    },
    { url, authorization: `Bearer ${casa.keys.good}` },
  );
}

describe('casaFixtures', () => {
  it('give a page under test a mock to talk to', () =>
    withFixtures({ limits: true }, async ({ casa, page }) => {
      expect(await sites(page, `${casa.baseUrl}/sites`, casa)).toEqual({ status: 200, remaining: '59' });
    }));

  it('answer for a production base URL when told to, with the paths and queries of the page', () =>
    withFixtures({ replaces: baseUrl, limits: true }, async ({ casa, page }) => {
      expect(await sites(page, `${baseUrl}/sites?x=1`, casa)).toEqual({ status: 200, remaining: '59' });
      expect(casa.journal.all()).toMatchObject([{ request: { path: '/api/v1/sites', query: 'x=1' } }]);
    }));

  it('leave other requests alone', () =>
    withFixtures({ replaces: baseUrl }, async ({ casa, page }) => {
      const status = await page.evaluate(async () => (await fetch('/page.js')).status);
      expect(status).toBe(200);
      expect(casa.journal.count()).toBe(0);
    }));

  it('stop the mock after the test', async () => {
    let stopped = '';
    await withFixtures({}, async ({ casa }) => {
      stopped = casa.baseUrl;
    });
    await expect(fetch(stopped)).rejects.toThrow('fetch failed');
  });
});

describe('casaWorkerFixtures', () => {
  it('give each test the mock of the worker, as new', async () => {
    const [provideWorker] = casaWorkerFixtures.workerCasa;
    await provideWorker({ casaOptions: {} }, async (workerCasa) => {
      await fetch(`${workerCasa.baseUrl}/sites`);
      await casaWorkerFixtures.casa({ workerCasa }, async (casa) => {
        expect(casa).toBe(workerCasa);
        expect(casa.journal.count()).toBe(0);
      });
    });
  });
});
