import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium, overflow, seriousFindings } from '../../fixtures/test-kit/browser.ts';
import type { EngineOptions } from '../engine/engine-options.ts';
import { prepareEngine } from '../engine/prepare-engine.ts';
import { listen, type NodeServer } from '../transports/node.ts';
import { adminApi } from './control-plane.ts';

let browser: Browser;
const open: { close(): Promise<unknown> }[] = [];

beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

async function serve(extra: Partial<EngineOptions> = {}, port = 0): Promise<NodeServer> {
  const { engine } = await prepareEngine({ limits: true }, { admin: adminApi, ...extra });
  const server = await listen(engine, { host: '127.0.0.1', port });
  open.push(server);
  return server;
}

async function visit({ port }: NodeServer, options: BrowserContextOptions = {}, hash = ''): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  open.push(context);
  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${port}/__admin${hash}`);
  return page;
}

const shows = (page: Page, selector: string, wanted: string) =>
  page.locator(selector, { hasText: wanted }).first().waitFor();

describe('the dashboard of a mock with a token', () => {
  it('asks for it, reports a wrong one, and offers no button that could do nothing', async () => {
    const page = await visit(await serve({ adminToken: 'a-long-token' }));
    await shows(page, '#login', 'Enter the admin token');
    await shows(page, '#state', 'locked');
    expect(await seriousFindings(page)).toEqual([]);
    expect(await page.locator('#problem').textContent()).toBe('');
    await expect.poll(() => page.locator('#reset, nav, .clock, #requests').count()).toBe(0);
    await page.fill('#token', 'another-token');
    await page.keyboard.press('Enter');
    await shows(page, '#problem', 'The mock rejects this token.');
    await page.fill('#token', 'a-long-token');
    await page.getByRole('button', { name: 'Log in' }).click();
    await shows(page, '#state', 'live');
    await expect.poll(() => page.locator('#login').count()).toBe(0);
    await page.reload();
    await shows(page, '#state', 'live');
    expect(await seriousFindings(page)).toEqual([]);
  });
});

describe('the dashboard below a path', () => {
  it('finds the mock, the reference and the API there', async () => {
    let port = 0;
    const proxy = createServer((incoming, outgoing) => {
      const { method, headers, url = '' } = incoming;
      const path = url.startsWith('/casa/') ? url.slice(5) : '/not-here';
      const onward = request({ port, method, path, headers }, (response) => {
        outgoing.writeHead(response.statusCode ?? 500, response.headers);
        response.pipe(outgoing);
      });
      onward.on('error', () => outgoing.destroy());
      incoming.pipe(onward);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const root = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/casa`;
    const { engine } = await prepareEngine({ limits: true }, { admin: adminApi });
    const server = await listen(engine, { host: '127.0.0.1', port: 0, publicUrl: root });
    port = server.port;
    open.push(server, {
      async close() {
        proxy.closeAllConnections();
        proxy.close();
      },
    });
    const context = await browser.newContext();
    open.push(context);
    const page = await context.newPage();
    await page.goto(`${root}/__admin`);
    await shows(page, '#state', 'live');
    await page.getByRole('button', { name: 'Send request' }).click();
    await shows(page, '#requests td', 'GET /articles');
    await page.getByRole('link', { name: 'API reference' }).click();
    await page.locator('#listSites').waitFor();
    expect(page.url()).toBe(`${root}/__admin/docs`);
    await page.locator('#listSites summary', { hasText: 'Try it' }).click();
    await page.locator('#listSites').getByRole('button', { name: 'Send' }).click();
    await shows(page, '#listSites .response', '200');
  });
});

describe('the dashboard of a mock that went away', () => {
  it('says so, disables what could do nothing, and comes back by itself', async () => {
    const first = await serve();
    const page = await visit(first);
    await shows(page, '#state', 'live');
    await first.close();
    await shows(page, '#state', 'offline');
    await shows(page, '.banner', 'The mock does not respond.');
    const enabled = page.locator('button:enabled:not(#base *, #key *)');
    await expect.poll(() => enabled.evaluateAll((all) => all.map(({ id }) => id))).toEqual(['theme']);
    expect(await seriousFindings(page)).toEqual([]);
    await serve({}, first.port);
    await shows(page, '#state', 'live');
    await expect.poll(() => page.locator('.banner').count()).toBe(0);
    await expect.poll(() => page.locator('#reset').isEnabled()).toBe(true);
  });
});

describe('every page of the dashboard', () => {
  const pages = 'requests requests/2 violations faults calls accounts limits parity try snapshots'.split(' ');

  async function busyMock(): Promise<NodeServer> {
    const server = await serve({ faults: [{ id: 'one', match: { operation: 'getSite' }, network: 'reset' }] });
    for (const path of ['/articles?limit=3', '/connect/accounts', '/nowhere', '/nowhere', '/nowhere', '/sites/x']) {
      await fetch(server.baseUrl + path, {
        headers: { authorization: 'Bearer casa_0123456789abcdef0123456789abcdef' },
      }).catch(() => null);
    }
    await fetch(`http://127.0.0.1:${server.port}/__admin/snapshots`, { method: 'POST' });
    return server;
  }

  it.each(['light', 'dark'] as const)('shuts nobody out in %s', async (colorScheme) => {
    const page = await visit(await busyMock(), { colorScheme });
    for (const name of pages) {
      await page.goto(`${page.url().split('#')[0]}#${name}`);
      await page.locator(`#page-${name.split('/')[0]}`).waitFor();
      if (name.includes('/')) await page.locator('#detail').waitFor();
      expect(await seriousFindings(page), name).toEqual([]);
    }
  });

  it.each([360, 390, 768, 1024, 1280, 1600])('fits into %i pixels', async (width) => {
    const page = await visit(await busyMock(), { viewport: { width, height: 900 } });
    for (const name of pages) {
      await page.goto(`${page.url().split('#')[0]}#${name}`);
      await page.locator(`#page-${name.split('/')[0]}`).waitFor();
      expect(await overflow(page), name).toBe(0);
      const tab = await page.locator('nav [aria-current]').boundingBox();
      expect([name, tab && tab.x >= 0 && tab.x + tab.width <= width]).toEqual([name, true]);
      if (width < 1024 || name.startsWith('requests/')) continue;
      const rows = ['header > *, header .end > *', 'search.toolbar > :not(#filter)'].map((part) =>
        page.locator(part).evaluateAll((all) => {
          const boxes = all.map((one) => one.getBoundingClientRect());
          return boxes.every((box) => box.top < (boxes[0]?.bottom ?? 0));
        }),
      );
      expect([name, await Promise.all(rows)]).toEqual([name, [true, true]]);
    }
  });

  it('uses the chosen theme, and keeps it', async () => {
    const page = await visit(await busyMock(), { colorScheme: 'light' });
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await ground();
    await page.click('#theme');
    await page.click('#theme');
    await shows(page, '#theme', 'Theme: dark');
    const dark = await ground();
    expect(dark).not.toBe(light);
    await page.reload();
    await shows(page, '#theme', 'Theme: dark');
    await expect.poll(() => ground()).toBe(dark);
  });
});
