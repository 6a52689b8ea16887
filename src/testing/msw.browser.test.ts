import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchChromium, type PageServer, servePage } from '../../fixtures/test-kit/browser.ts';
import type { CasaHandlersOptions, KeepOptions } from './msw.ts';
import { startMock } from './start-mock.ts';

const script = `
  import { setupWorker } from 'msw/browser';
  import { casaHandlers } from './msw.ts';
  import { createMock, startMock } from '../index.ts';
  window.main = async () => {
    const casa = await createMock();
    const rejected = await startMock().catch((error) => error.message);
    return [(await casa.fetch('/sites')).status, rejected];
  };
  window.mock = (options) => setupWorker(...casaHandlers(options)).start({ quiet: true, onUnhandledRequest: 'bypass' });
`;

interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

declare global {
  interface Window {
    mock(options: CasaHandlersOptions & KeepOptions): Promise<void>;
    main(): Promise<unknown>;
  }
}

const authorization = 'Bearer casa_0123456789abcdef0123456789abcdef';

/** The part of a response that the page sees; a network failure is status 0. */
function ask(page: Page, url: string, body?: object): Promise<HttpResponse> {
  return page.evaluate(
    async ({ url, body, authorization }) => {
      const init = body === null ? {} : { method: 'POST', body };
      try {
        const response = await fetch(url, { ...init, headers: { authorization } });
        return {
          status: response.status,
          headers: Object.fromEntries(response.headers),
          text: await response.text(),
        };
      } catch (error) {
        return { status: 0, headers: {}, text: String(error) };
      }
    },
    { url, body: body === undefined ? null : JSON.stringify(body), authorization },
  );
}

async function openPage(context: BrowserContext, url: string): Promise<{ page: Page; complaints: string[] }> {
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy|eval/i.test(message.text())) complaints.push(message.text());
  });
  await page.goto(url);
  return { page, complaints };
}

let browser: Browser;
let context: BrowserContext;

beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());
beforeEach(async () => {
  context = await browser.newContext();
});
afterEach(() => context?.close());

describe.each([
  ['2', 'msw2'],
  ['3', 'msw'],
] as const)('casaHandlers in a page with msw %s', (_version, msw) => {
  const baseUrl = 'https://api.example.com/api/v1';
  let server: PageServer;

  beforeAll(async () => {
    server = await servePage({ script, msw });
  });
  afterAll(() => server?.close());

  const openMocked = async (options: CasaHandlersOptions & KeepOptions = { baseUrl }) => {
    const opened = await openPage(context, server.origin);
    await mock(opened.page, options);
    return opened;
  };
  const mock = (page: Page, options: CasaHandlersOptions & KeepOptions) =>
    page.evaluate(async (given) => {
      await window.mock(given);
    }, options);
  const labels = async (page: Page) => {
    const { text } = await ask(page, `${baseUrl}/connect/accounts`);
    return (JSON.parse(text).data.pendingInvites as { label: string }[]).map(({ label }) => label);
  };

  it('responds to fetch under a policy without unsafe-eval, with the rate-limit headers', async () => {
    const { page, complaints } = await openMocked();
    const { status, headers, text } = await ask(page, `${baseUrl}/articles?limit=2`);
    expect(status).toBe(200);
    expect(JSON.parse(text).data).toHaveLength(2);
    expect(headers).toMatchObject({ 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '59' });
    expect(complaints).toEqual([]);
  });

  it('counts all requests of the page as one address', async () => {
    const { page } = await openMocked();
    const statuses: number[] = [];
    for (let i = 0; i < 11; i += 1) statuses.push((await ask(page, `${baseUrl}/sites`)).status);
    expect(statuses).toEqual([...Array(10).fill(200), 429]);
  });

  it('keeps its state over a reload, limiter windows included, and forgets it when asked', async () => {
    const { page } = await openMocked();
    await ask(page, `${baseUrl}/connect/accounts`, { provider: 'tiktok', label: 'Kept' });
    await page.reload();
    await mock(page, { baseUrl });
    expect(await labels(page)).toContain('Kept');
    const { headers } = await ask(page, `${baseUrl}/sites`);
    expect(Number(headers['x-ratelimit-remaining'])).toBe(57);
    await page.reload();
    await mock(page, { baseUrl, persist: false });
    expect(await labels(page)).not.toContain('Kept');
  });

  it('starts afresh when the options name another world', async () => {
    const { page } = await openMocked();
    await ask(page, `${baseUrl}/connect/accounts`, { provider: 'tiktok', label: 'Kept' });
    await page.reload();
    await mock(page, { baseUrl, seed: 99 });
    expect(await labels(page)).not.toContain('Kept');
  });

  it('takes a base URL that counts from the page, and responds to the consent page there', async () => {
    const { page } = await openMocked({ baseUrl: '/api/v1' });
    const { text } = await ask(page, '/api/v1/connect/accounts', { provider: 'tiktok', label: 'x' });
    const { connectUrl } = JSON.parse(text).data as { connectUrl: string };
    expect(new URL(connectUrl).origin).toBe(server.origin);
    expect((await ask(page, connectUrl)).text).toContain('<html');
  });

  describe('a connect link', () => {
    const makeLink = async (page: Page) => {
      const { text } = await ask(page, '/api/v1/connect/accounts', { provider: 'tiktok', label: 'Shop' });
      return (JSON.parse(text).data as { connectUrl: string }).connectUrl;
    };
    const connect = async (page: Page) => {
      const frame = page.frameLocator('#casa-consent');
      await frame.getByRole('button', { name: 'Connect' }).click();
      await frame.getByRole('heading', { name: 'Connected' }).waitFor();
    };
    const invites = async (page: Page) => {
      const { text } = await ask(page, '/api/v1/connect/accounts');
      return (JSON.parse(text).data.pendingInvites as { label: string }[]).filter(({ label }) => label === 'Shop');
    };
    const here = { baseUrl: '/api/v1' };

    it('opens by navigation, though no server knows it, and connects the account', async () => {
      const { page } = await openMocked(here);
      const connectUrl = await makeLink(page);
      expect(await invites(page)).toHaveLength(1);
      await page.evaluate((url) => {
        location.href = url;
      }, connectUrl);
      await connect(page);
      expect(page.url()).toBe(connectUrl);
      expect(await invites(page)).toHaveLength(0);
      await page.goBack();
      await expect.poll(() => page.locator('#casa-consent').count()).toBe(0);
    });

    it.each([
      ['a window that the page opens', 'window.open(url)'],
      ['a separate tab', 'window.open(url, "_blank", "noopener")'],
    ])('opens in %s, where the server sends the page for every path', async (_where, open) => {
      const everywhere = await servePage({ script, msw, everywhere: true });
      const { page } = await openPage(context, everywhere.origin);
      await mock(page, here);
      const connectUrl = await makeLink(page);
      const opening = context.waitForEvent('page');
      await page.evaluate(`{ const url = ${JSON.stringify(connectUrl)}; ${open}; }`);
      const tab = await opening;
      await tab.waitForLoadState();
      // The worker of msw 3 responds to the navigation itself, that of msw 2 leaves it to the server.
      if (msw === 'msw2') {
        await mock(tab, here);
        await connect(tab);
      } else {
        await tab.getByRole('button', { name: 'Connect' }).click();
        await tab.getByRole('heading', { name: 'Connected' }).waitFor({ timeout: 3000 });
      }
      await expect.poll(() => invites(page)).toHaveLength(0);
      await everywhere.close();
    });

    it('of another origin is notified of in one sentence', async () => {
      const { page } = await openMocked();
      const warned = page.waitForEvent('console', (message) => message.type() === 'warning');
      await ask(page, `${baseUrl}/connect/accounts`, { provider: 'tiktok', label: 'Shop' });
      expect((await warned).text()).toMatch(/^casa: this page cannot open https:.* give casaHandlers a base URL/);
    });
  });

  it('works next to the main entry, which makes a mock in a page and reports that it starts no server', async () => {
    const { page } = await openPage(context, server.origin);
    expect(await page.evaluate(() => window.main())).toEqual([
      401,
      expect.stringContaining('createMock and casa-kit/msw'),
    ]);
  });

  it('lets a page feel a network that fails', async () => {
    const { page } = await openMocked();
    const fault = { match: { operation: 'listSites' }, network: 'reset' };
    expect((await ask(page, 'https://api.example.com/__admin/faults', fault)).status).toBe(201);
    expect(await ask(page, `${baseUrl}/sites`)).toMatchObject({ status: 0 });
  });
});

describe('a page on another origin than casa mock', () => {
  it('may read the response, Retry-After and the limit headers', async () => {
    const casa = await startMock({ limits: true, behavior: { retryAfter: 'always' } });
    const server = await servePage({ script: '', msw: 'msw' });
    const { page } = await openPage(context, server.origin);
    const responses: HttpResponse[] = [];
    for (let i = 0; i < 11; i += 1) responses.push(await ask(page, `${casa.baseUrl}/sites`));
    await Promise.all([server.close(), casa.close()]);
    expect(responses.map(({ status }) => status)).toEqual([...Array(10).fill(200), 429]);
    expect(responses[10]).toMatchObject({
      text: '{"error":"rate_limit_exceeded"}',
      headers: { 'retry-after': '10', 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '0' },
    });
  });
});
