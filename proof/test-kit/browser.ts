// For tests: Chromium, and a page of ours on loopback under a strict content security policy.

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { type Casa, startMock } from '../../src/index.ts';
import { startHttp } from './scripted-server.ts';

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Throws a sentence that says how to install Chromium when it is missing. */
export function launchChromium(): Promise<Browser> {
  if (!existsSync(executablePath)) {
    throw new Error(
      `There is no Chromium at ${executablePath}: install it (apt-get install -y chromium), ` +
        'or set CHROMIUM to the path of another one.',
    );
  }
  return chromium.launch({
    executablePath,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** A page, and what happened in it. */
export interface Opened {
  readonly page: Page;
  /** Events of the page: dialogs, errors, console messages, requests. */
  readonly events: readonly string[];
}

/** Opens a page from a file, as a reader of a report does; `hash` is the fragment of the URL. */
export async function openFromDisk(
  browser: Browser,
  text: string,
  { hash = '', ...options }: BrowserContextOptions & { readonly hash?: string } = {},
): Promise<Opened> {
  const folder = mkdtempSync(join(tmpdir(), 'casa-page-'));
  const file = join(folder, 'page.html');
  writeFileSync(file, text);
  const page = await browser.newPage(options);
  const events: string[] = [];
  page.on('dialog', (dialog) => events.push(`dialog ${dialog.message()}`));
  page.on('pageerror', (error) => events.push(`error ${error.message}`));
  page.on('console', (message) => events.push(`console ${message.text()}`));
  page.on('request', (request) => {
    if (!request.url().startsWith('file:')) events.push(`request ${request.url()}`);
  });
  await page.goto(`${pathToFileURL(file)}${hash}`);
  rmSync(folder, { recursive: true });
  return { page, events };
}

/** Where a page is, until it is closed. */
export interface PageServer {
  readonly origin: string;
  close(): Promise<void>;
}

/** The page's script, in TypeScript, and the version of MSW that it imports as `msw`. */
interface ServedPage {
  readonly script: string;
  readonly msw: 'msw' | 'msw2';
  readonly everywhere?: boolean;
  /** The page's policy, where it is another than the usual one. */
  readonly policy?: string;
}

const usualPolicy = "script-src 'self'; worker-src 'self'";

/** Serves a page with a script and MSW's worker script; at every path with `everywhere`. */
export async function servePage({
  script,
  msw,
  everywhere = false,
  policy = usualPolicy,
}: ServedPage): Promise<PageServer> {
  const files: Record<string, readonly [type: string, text: string]> = {
    '/': ['text/html', '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>'],
    '/page.js': ['text/javascript', await bundle(script, msw)],
    '/mockServiceWorker.js': [
      'text/javascript',
      readFileSync(new URL(`../../node_modules/${msw}/lib/mockServiceWorker.js`, import.meta.url), 'utf8'),
    ],
  };
  return startHttp(({ url = '' }, response) => {
    const file = Object.hasOwn(files, url) ? files[url] : everywhere ? files['/'] : undefined;
    const [type, text] = file ?? ['text/plain', 'There is no such file.'];
    response.writeHead(file ? 200 : 404, {
      'content-type': `${type}; charset=utf-8`,
      'content-security-policy': policy,
    });
    response.end(text);
  });
}

/** Bundled as a user's page would be, from the sources of the kit, so a test of the page tests them. */
async function bundle(script: string, msw: 'msw' | 'msw2'): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: script,
      loader: 'ts',
      resolveDir: fileURLToPath(new URL('../../src/testing/', import.meta.url)),
    },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    alias: msw === 'msw2' ? { msw: 'msw2' } : {},
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}

const source = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');

/** A line for each finding that is serious or critical; none is good. */
export async function seriousFindings(page: Page): Promise<string[]> {
  await page.evaluate(source);
  return page.evaluate(async () => {
    type Found = { impact: string; id: string; nodes: { html: string; failureSummary: string }[] };
    const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: Found[] }> } };
    const { violations } = await axe.run();
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
  });
}

/** A page of a separate mock, and its errors. */
export interface MockPage {
  readonly casa: Casa;
  readonly page: Page;
  /** Errors, words on the console, and requests to anybody but the mock. */
  readonly complaints: string[];
}

/** A mock and an empty page for each test; one browser for the file. Read the fields within a test. */
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
