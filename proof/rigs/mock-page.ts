// For tests: one browser for a file, and for each test a mock with a page.
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { type Casa, startMock } from '../../src/index.ts';
import { launchChromium } from './browser.ts';

/** A page of a mock of its own, and what it complained of. */
export interface MockPage {
  readonly casa: Casa;
  readonly page: Page;
  /** Errors, words on the console, and requests to anybody but the mock. */
  readonly complaints: string[];
}

/**
 * Before each test of a file a mock and an empty page, after it their end; one browser for the file. The members are
 * read within a test.
 */
export function useMockPage(viewport: { width: number; height: number }): MockPage {
  const now: { browser?: Browser; made?: MockPage } = {};
  beforeAll(async () => {
    now.browser = await launchChromium();
  });
  afterAll(() => now.browser?.close());
  beforeEach(async () => {
    const casa = await startMock();
    const page = await (now.browser as Browser).newPage({ viewport });
    page.setDefaultTimeout(10_000);
    now.made = { casa, page, complaints: collectComplaints(page, casa.origin) };
  });
  afterEach(async () => {
    await now.made?.page.close();
    await now.made?.casa.close();
  });
  const made = () => now.made as MockPage;
  return {
    get casa() {
      return made().casa;
    },
    get page() {
      return made().page;
    },
    get complaints() {
      return made().complaints;
    },
  };
}

function collectComplaints(page: Page, origin: string): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(`error ${error.message}`));
  page.on('console', (message) => complaints.push(`console ${message.text()}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(origin)) complaints.push(`asked ${request.url()}`);
  });
  return complaints;
}
