import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../../fixtures/test-kit/browser.ts';
import { faultErrorNames, networkFaults } from '../../src/domain/faults.ts';
import { parseFaultSpec } from '../../src/engine/fault-spec.ts';
import { buildPlayground } from './build.ts';
import { readState, specOf, writeState } from './state.ts';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const text = fc.string({ minLength: 1 });

describe('the URL', () => {
  it('contains every state', () => {
    const state = fc.record({
      view: fc.constantFrom('dashboard' as const, 'reference' as const, 'report' as const),
      world: fc.option(text, { nil: undefined }),
      mutant: fc.option(text, { nil: undefined }),
      limits: fc.boolean(),
      faults: fc.array(text),
    });
    fc.assert(
      fc.property(state, (one) => {
        expect(readState(writeState(one))).toEqual(one);
      }),
    );
  });

  it('contains a fault as the mock reads it', () => {
    const rule = fc.record(
      {
        match: fc.constantFrom({}, { operation: 'listSites' }),
        // Some names are aliases.
        error: fc.constantFrom(...faultErrorNames).map((name) => parseFaultSpec(`*=${name}`, 'f').error),
        network: fc.constantFrom(...networkFaults),
        latencyMs: fc.integer({ min: 100, max: 600_000 }),
        times: fc.integer({ min: 1, max: 999 }),
      },
      { requiredKeys: ['match', 'error'] },
    );
    const read = (spec: string | null) => parseFaultSpec(spec ?? '', 'f');
    fc.assert(
      fc.property(rule, (fault) => {
        expect(read(specOf({ id: 'f', struck: 0, ...fault }))).toEqual({ id: 'f', ...fault });
      }),
    );
    expect(specOf({ id: 'f', struck: 0, match: { accountId: 'a' }, error: 'transient' })).toBeNull();
  });
});

describe('the folder', () => {
  const types: Readonly<Record<string, string>> = { html: 'text/html', js: 'text/javascript', css: 'text/css' };
  const folder = mkdtempSync(join(tmpdir(), 'casa-playground-'));
  const sent: string[] = [];
  let [server, browser, origin]: [Server | null, Browser | null, string] = [null, null, ''];

  beforeAll(async () => {
    await buildPlayground(folder);
    const files = new Map(readdirSync(folder).map((name) => [`/some/path/${name}`, join(folder, name)]));
    files.set('/some/path/', join(folder, 'index.html'));
    server = createServer(({ url = '' }, response) => {
      const file = files.get(url.replace(/\?.*/, ''));
      sent.push(file ?? url);
      response.writeHead(file ? 200 : 404, { 'content-type': types[file?.split('.').at(-1) ?? ''] ?? 'text/plain' });
      response.end(file && readFileSync(file));
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/some/path/`;
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  const open = async (query: string): Promise<Page> => {
    sent.length = 0;
    const page = await (browser as Browser).newPage();
    await page.goto(origin + query);
    return page;
  };

  it('works below a path, sends no request of the mock to the server, and has at most 250 kB', async () => {
    const page = await open('');
    await page.getByRole('button', { name: 'Send request' }).click();
    await page.locator('#requests').getByText('200').waitFor();
    expect(sent.filter((path) => !path.startsWith(folder))).toEqual([]);
    expect(await page.locator('#base').count()).toBe(0);
    const bytes = sent.reduce((sum, path) => sum + gzipSync(readFileSync(path)).length, 0);
    expect(bytes).toBeLessThan(250_000);
  });

  it('starts with the faults of the URL', async () => {
    const page = await open('?fault=listArticles%3D503');
    await page.getByRole('button', { name: 'Send request' }).click();
    await page.locator('#requests').getByText('503').waitFor();
  });

  it('opens the API reference', async () => {
    const page = await open('');
    await page.getByRole('link', { name: 'API reference' }).click();
    await page.getByRole('heading', { name: 'CASA API reference' }).waitFor();
  });

  it('tests the chosen mutant', { timeout: 120_000 }, async () => {
    const page = await open('?view=report&mutant=articles-never-end');
    const report = page.frameLocator('#report');
    await report.getByText('1 check failed').waitFor({ timeout: 100_000 });
    expect(await report.locator('body').textContent()).toContain(version);
    expect(await report.getByText('the check itself ended with an error').count()).toBe(0);
    expect(await report.getByText('articles/page-walk').count()).toBeGreaterThan(0);
  });

  it('explains an unknown mutant', async () => {
    const page = await open('?mutant=no-such-mutant');
    await page.getByText('The mock cannot start').waitFor();
  });
});
