// `npm run frameworks [-- NAME … TIMES]`: the apps of examples/frameworks with the packed package in Chromium, and the
// tests of examples/runners, as a table. With TIMES, there are as many copies of each test file, on a busy machine.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../../fixtures/test-kit/browser.ts';
import { freePort } from '../../fixtures/test-kit/own-process.ts';
import { type Casa, connectMock, startMock } from '../../src/index.ts';
import { packPackage } from './runtimes/projects.ts';

const homes = ['examples/frameworks', 'examples/runners'];
/** Pages that the server renders do without a script. */
const serverPages: Readonly<Record<string, string>> = { next: '/', nuxt: '/', sveltekit: '/' };
const kinds = ['limiter_address', 'limiter_key', 'rate_limited'];
const retryAfterS = 2;
const startMaxMs = 120_000;
const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];

const given = process.argv.slice(2);
const times = Number(given.find((word) => /^\d+$/.test(word)) ?? 1);
const wanted = given.filter((word) => !/^\d+$/.test(word));
const folders = homes.flatMap((home) => readdirSync(home).map((name) => join(home, name)));
const chosen = folders.filter((path) => wanted.length === 0 || wanted.includes(basename(path)));
const folder = mkdtempSync(join(tmpdir(), 'casa-frameworks-'));
const tarball = packPackage(folder);
const casa = await startMock({ organizationHeader: true, clock: 'running' });
const browser = await launchChromium();
let failed = 0;
try {
  for (const path of chosen) await playProject(path);
} finally {
  await browser.close();
  await casa.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failed > 0 ? 1 : 0;

async function playProject(path: string): Promise<void> {
  const name = basename(path);
  const cwd = join(folder, name);
  cpSync(path, cwd, { recursive: true });
  if (!(await report(name, 'install', () => npm(cwd, ['install', ...quiet, tarball])))) return;
  if (!(await report(name, 'build', () => npm(cwd, ['run', 'build', '--if-present'])))) return;
  await (path.startsWith('examples/runners') ? playTests(name, cwd) : playApp(name, cwd));
}

/** Two processes that never wait keep a machine with two processors busy. */
async function playTests(name: string, cwd: string): Promise<void> {
  const busy = times > 1 ? [1, 2].map(() => spawn(process.execPath, ['-e', 'for (;;);'])) : [];
  for (const file of readdirSync(cwd).filter((each) => /\.(?:test|spec)\.\w+$/.test(each)))
    for (let i = 2; i <= times; i += 1) cpSync(join(cwd, file), join(cwd, file.replace('.', `-${i}.`)));
  await report(name, `tests, ${times} times`, () => npm(cwd, ['test']));
  for (const child of busy) child.kill();
}

async function playApp(name: string, cwd: string): Promise<void> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const app = spawn('npm', ['start'], { cwd, env: environment(port), detached: true, stdio: 'ignore' });
  try {
    if (!(await report(name, 'start', () => untilUp(origin, app)))) return;
    const paths = serverPages[name] ? { 'server page': '/', 'client page': '/client' } : { 'client page': '/' };
    for (const [what, path] of Object.entries(paths)) await playPage(`${name}, ${what}`, origin + path);
  } finally {
    // The whole group: npm starts the server as its child.
    if (app.pid !== undefined && app.exitCode === null) process.kill(-app.pid);
  }
}

/** Each case has its own organization of the mock, as tests of a user have. */
async function playPage(title: string, url: string): Promise<void> {
  await report(title, 'shows the data', (page, own) => open(page, url, own, { requests: 1 }));
  for (const kind of kinds)
    await report(title, `429 ${kind}`, async (page, own) => {
      await own.faults.add(`listSites=${kind}+retry-after:${retryAfterS}@1x`);
      const startMs = performance.now();
      // Blocked before its key is read, a request belongs to no organization. Cites 5.limiter-before-key.
      await open(page, url, own, { requests: kind === 'limiter_address' ? 1 : 2 });
      const waitedMs = performance.now() - startMs;
      if (waitedMs < retryAfterS * 1000) throw new Error(`retried after ${Math.round(waitedMs)} ms`);
    });
  await report(title, '503 twice', async (page, own) => {
    await own.faults.add('listSites=503@2x');
    await open(page, url, own, { requests: 3 });
  });
  await report(title, '404 without a retry', async (page, own) => {
    await own.faults.add('listSites=not_found');
    await open(page, url, own, { requests: 1, shows: '[role=alert]' });
  });
}

type Own = Awaited<ReturnType<typeof connectMock>>;

async function open(page: Page, url: string, own: Own, want: { requests: number; shows?: string }): Promise<void> {
  await page.goto(url);
  const shown = page.locator(want.shows ?? 'li').first();
  await shown.waitFor({ timeout: 20_000 });
  const [count, violations] = [await own.requests.count(), await own.violations()];
  if (count !== want.requests) throw new Error(`${count} requests, expected ${want.requests}`);
  if (violations.length > 0) throw new Error(violations.map(({ message }) => message).join(' '));
}

/** Prints the line of a step, and returns whether it passed. A step with parameters gets a page and an organization. */
async function report(title: string, step: string, run: (page: Page, own: Own) => Promise<void>): Promise<boolean> {
  const startMs = performance.now();
  const context = run.length > 0 ? await openContext(browser, casa) : null;
  let problem = '';
  try {
    await run(context?.page as Page, context?.own as Own);
  } catch (error) {
    problem = ` ${(error instanceof Error ? error.message : String(error)).split('\n').slice(0, 3).join(' ')}`;
    failed += 1;
  }
  await context?.page.context().close();
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
  process.stdout.write(`${problem ? 'FAIL' : 'PASS'}  ${seconds.padStart(6)} s  ${title}: ${step}${problem}\n`);
  return problem === '';
}

async function openContext(from: Browser, mock: Casa): Promise<{ page: Page; own: Own }> {
  const { id } = mock.organizations.add();
  const own = await connectMock(mock.origin, { organization: id });
  const page = await from.newPage({ extraHTTPHeaders: { 'x-casa-organization': id } });
  return { page, own };
}

async function npm(cwd: string, args: readonly string[]): Promise<void> {
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd, encoding: 'utf8', env: environment(0) });
  if (status !== 0) throw new Error(`${stdout.slice(-500)} ${stderr.slice(-500)}`);
}

function environment(port: number): NodeJS.ProcessEnv {
  const address = { PORT: String(port), HOST: '127.0.0.1', HOSTNAME: '127.0.0.1' };
  return { ...process.env, ...address, CASA_BASE_URL: casa.baseUrl, CASA_API_KEY: casa.keys.good };
}

async function untilUp(origin: string, app: ChildProcess): Promise<void> {
  const endMs = performance.now() + startMaxMs;
  for (;;) {
    const response = await fetch(`${origin}/nothing-here`).catch(() => null);
    if (response) return;
    if (app.exitCode !== null || performance.now() > endMs) throw new Error('The app did not start.');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
