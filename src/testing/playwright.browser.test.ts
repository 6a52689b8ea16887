import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium, type PageServer, servePage } from '../../fixtures/test-kit/browser.ts';
import { startHttp } from '../../fixtures/test-kit/scripted-server.ts';
import type { Casa } from './casa.ts';
import type { ConnectedCasa } from './connect-mock.ts';
import { type CasaOptions, casaFixtures, casaServerFixtures, routeToCasa } from './playwright.ts';
import { startMock } from './start-mock.ts';

const baseUrl = 'https://api.example.com/api/v1';

const info = { annotations: [], config: { version: '1.65.1' }, project: { use: {} } };

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
  const [provideMock] = casaFixtures.casa;
  await provideMock(
    { casaOptions },
    (casa) => casaFixtures.context({ context: page.context(), casa }, () => test({ casa, page })),
    info,
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

  it('stop a move of the clock that the test did not await', async () => {
    const ended = withFixtures({ clock: 'page' }, async ({ casa }) => void casa.clock.advance('1h'));
    await expect(ended).rejects.toThrow('write await casa.clock.advance');
  });

  it('responds for a production base URL if set, with the paths and queries of the page', () =>
    withFixtures({ replaces: baseUrl, limits: true }, async ({ casa, page }) => {
      expect(await sites(page, `${baseUrl}/sites?x=1`, casa)).toEqual({ status: 200, remaining: '59' });
      expect(casa.requests.all()).toMatchObject([{ request: { path: '/api/v1/sites', query: 'x=1' } }]);
    }));

  it('add the key that a server adds in production, if set', async () => {
    const statusOf = (page: Page) => page.evaluate(async (url) => (await fetch(url)).status, `${baseUrl}/sites`);
    await withFixtures({ replaces: baseUrl }, async ({ page }) => expect(await statusOf(page)).toBe(401));
    await withFixtures({ replaces: baseUrl, addKey: true }, async ({ casa, page }) => {
      expect(await statusOf(page)).toBe(200);
      expect((await sites(page, `${baseUrl}/sites`, { keys: { good: 'casa_wrong' } } as Casa)).status).toBe(401);
      expect(casa.requests.count()).toBe(2);
    });
  });

  it('give it a clock that runs, as that of the page does, by default', async () => {
    await withFixtures({}, async ({ casa }) => expect(casa.clock.frozen).toBe(false));
    await withFixtures({ clock: 'frozen' }, async ({ casa }) => expect(casa.clock.frozen).toBe(true));
  });

  it('leave other requests alone', () =>
    withFixtures({ replaces: baseUrl }, async ({ casa, page }) => {
      const status = await page.evaluate(async () => (await fetch('/page.js')).status);
      expect(status).toBe(200);
      expect(casa.requests.count()).toBe(0);
    }));

  describe.each([
    ['reset', 'net::ERR_CONNECTION_RESET'],
    ['empty', 'net::ERR_CONNECTION_CLOSED'],
  ] as const)('with the network fault %s', (kind, reason) => {
    it('give the page a failure of the network', () =>
      withFixtures({ replaces: baseUrl }, async ({ casa, page }) => {
        const failed = page.waitForEvent('requestfailed');
        casa.faults.add(`listSites=network:${kind}@1x`);
        expect(await sites(page, `${baseUrl}/sites`, casa)).toMatchObject({ status: 0 });
        expect((await failed).failure()?.errorText).toBe(reason);
        expect(await sites(page, `${baseUrl}/sites`, casa)).toMatchObject({ status: 200 });
      }));
  });

  it('give the page the first half of a truncated body, and the whole of a slow one', () =>
    withFixtures({ replaces: baseUrl }, async ({ casa, page }) => {
      const read = () =>
        page.evaluate(
          async ({ url, authorization }) => {
            const response = await fetch(url, { headers: { authorization } });
            return { status: response.status, text: await response.text() };
          },
          { url: `${baseUrl}/sites`, authorization: `Bearer ${casa.keys.good}` },
        );
      const whole = await read();
      casa.faults.add('listSites=network:truncated@1x');
      const half = await read();
      casa.faults.add('listSites=network:slow@1x');
      expect(await read()).toEqual(whole);
      expect(half.status).toBe(200);
      expect(whole.text.startsWith(half.text) && half.text.length < whole.text.length).toBe(true);
    }));

  it.each(['network:timeout', 'network:slow', 'transient+latency:60s'])('report no error after %s', (effect) =>
    withFixtures({ replaces: baseUrl }, async ({ casa, page }) => {
      casa.faults.add(`listSites=${effect}`);
      const asked = page.waitForRequest(`${baseUrl}/sites`);
      sites(page, `${baseUrl}/sites`, casa).catch(() => {});
      await asked;
    }),
  );

  it('forward the requests of a page, and check them with the data of its browser', () =>
    withFixtures({ replaces: baseUrl }, async ({ casa, page }) => {
      const given = { url: `${baseUrl}/connect/accounts`, authorization: `Bearer ${casa.keys.good}` };
      const write = (bodies: string[], atOnce: boolean) =>
        page.evaluate(
          async ({ url, authorization, bodies, atOnce }) => {
            const send = async (body: string) =>
              (await fetch(url, { method: 'POST', body, headers: { authorization } })).status;
            if (atOnce) return Promise.all(bodies.map(send));
            const statuses = [];
            for (const body of bodies) statuses.push(await send(body));
            return statuses;
          },
          { ...given, bodies, atOnce },
        );
      expect(await write(['{"provider":"tiktok","label":"Grüße"}'], false)).toEqual([200]);
      expect(casa.requests.all()[0]?.request.body).toContain('Grüße');
      // A preflight may hold the second one up until the first gets a response.
      const late = casa.faults.add('createConnectLink=latency:500ms');
      expect(await write(['{}', '{}'], true)).toEqual([400, 400]);
      expect(casa.violations()).toEqual([]);
      casa.faults.remove(late);
      expect(await write(['{"a":1}', '{"a":1}'], false)).toEqual([400, 400]);
      expect(casa.violations().map(({ rule }) => rule)).toEqual(['unchanged-retry']);
    }));

  it('routeToCasa covers the popups of a page', async () => {
    const casa = await startMock();
    const page = await browser.newPage();
    await page.goto(server.origin);
    await routeToCasa(page, casa, baseUrl);
    const [popup] = await Promise.all([page.waitForEvent('popup'), page.evaluate(() => void window.open('/'))]);
    await popup.waitForLoadState();
    expect(await sites(popup, `${baseUrl}/sites`, casa)).toMatchObject({ status: 200 });
    await page.close();
    await casa.close();
  });

  it('stop the mock after the test', async () => {
    let stopped = '';
    await withFixtures({}, async ({ casa }) => {
      stopped = casa.baseUrl;
    });
    await expect(fetch(stopped)).rejects.toThrow('fetch failed');
  });
});

/** An application that renders its page with data of the mock, and adds its own key. */
function startSsr(casa: Casa, forward: 'x-casa-organization' | 'cookie') {
  return startHttp(async (request, response) => {
    const forwarded = request.headers[forward];
    const headers = { authorization: `Bearer ${casa.keys.good}`, ...(forwarded && { [forward]: String(forwarded) }) };
    const { data, error } = await (await fetch(`${casa.baseUrl}/articles?limit=1`, { headers })).json();
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<!doctype html><link rel="icon" href="data:,"><h1>${error?.code ?? data[0].title}</h1>`);
  });
}

describe('casaServerFixtures', () => {
  it.each(['x-casa-organization', 'cookie'] as const)('separate tests whose server forwards %s', async (forward) => {
    const mock = await startMock({ organizationHeader: true, clock: 'running' });
    const app = await startSsr(mock, forward);
    const casaOptions = { url: mock.origin };
    const test = async (
      act: (given: { casa: ConnectedCasa; title: () => Promise<string | null> }) => Promise<void>,
    ) => {
      const context = await browser.newContext({ baseURL: app.origin });
      await casaServerFixtures.casa({ casaOptions }, async (casa) => {
        const page = await context.newPage();
        await casaServerFixtures.page({ page, casa, baseURL: app.origin }, async (used) => {
          const title = async () => {
            await used.goto('/');
            return (await used.locator('h1').textContent()) ?? '';
          };
          await act({ casa, title });
        });
      });
      await context.close();
    };
    await Promise.all([
      test(async ({ casa, title }) => {
        await casa.articles.put({ title: 'First' });
        expect(await title()).toBe('First');
        await casa.faults.add('listArticles=transient@1x');
        expect([await title(), await title()]).toEqual(['transient', 'First']);
        expect(await casa.requests.count()).toBe(3);
      }),
      test(async ({ casa, title }) => {
        await casa.articles.put({ title: 'Second' });
        expect([await title(), await title()]).toEqual(['Second', 'Second']);
        expect(await casa.requests.count()).toBe(2);
        expect(await casa.violations()).toEqual([]);
      }),
    ]);
    await app.close();
    await mock.close();
  });

  it('need a mock that lets a header choose the organization', async () => {
    const mock = await startMock();
    await expect(casaServerFixtures.casa({ casaOptions: { url: mock.origin } }, async () => {})).rejects.toThrow(
      'must be started with --organization-header',
    );
    await mock.close();
  });
});
